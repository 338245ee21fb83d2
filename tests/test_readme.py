"""The README: what it says of testing is what is tested."""

from __future__ import annotations

import re

from conftest import ROOT


def test_ci_runs_the_readme_s_test_command():
    commands = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    (test,) = [command.strip() for command in commands if "tox" in command]
    assert test in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
