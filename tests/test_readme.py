"""The README's examples run as they stand."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)


def test_readme_has_examples():
    assert BLOCKS


@pytest.mark.parametrize("block", BLOCKS)
def test_readme_example_runs(block, capsys):
    exec(compile(block, "README.md", "exec"), {})
    capsys.readouterr()
