"""The examples of the README and of the pages in docs run as they stand."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT

PAGES = ("README.md", "docs/match.md", "docs/statistics.md", "docs/agents.md", "docs/writing-agents.md")
BLOCKS = [
    block
    for page in PAGES
    for block in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S)
]


def test_readme_has_examples():
    assert BLOCKS


def test_ci_runs_the_readme_s_test_command():
    commands = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    (test,) = [command.strip() for command in commands if "tox" in command]
    assert test in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("block", BLOCKS)
def test_readme_example_runs(block, capsys):
    exec(compile(block, "an example", "exec"), {})
    capsys.readouterr()
