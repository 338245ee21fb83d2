"""The README's examples run as they stand."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)


def test_readme_has_examples():
    assert BLOCKS


def test_ci_runs_the_readme_s_test_command():
    commands = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    (test,) = [command.strip() for command in commands if "tox" in command]
    assert test in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("block", BLOCKS)
def test_readme_example_runs(block, capsys):
    exec(compile(block, "README.md", "exec"), {})
    capsys.readouterr()
