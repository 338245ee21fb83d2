"""How Sphinx builds the documentation: `sphinx-build -W docs docs/_build`, with nogo installed.

Two pages are written from the program itself, so that they cannot fall behind it: commands.md from the command line,
agents-reference.md from the installed agents.
"""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import reference

project = "nogo"
author = "The nogo developers"
copyright = "the nogo developers"
release = version = version_of("nogo")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
suppress_warnings = ["myst.xref_missing"]  # links to files of the source tree
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"nogo {release}"
html_show_sourcelink = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"


def setup(app: object) -> None:
    """Write the pages that come from the program."""
    folder = Path(__file__).parent
    (folder / "commands.md").write_text(reference.commands_page(), encoding="utf-8")
    (folder / "agents-reference.md").write_text(reference.agents_page(), encoding="utf-8")
