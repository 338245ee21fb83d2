"""A plugin to begin with: a folder with an agent that plays, its tests, and what it takes to install and publish it.

The files lie in ``files``; ``$agent``, ``$module`` and ``$distribution`` stand for the names.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Final

from nogo import registry
from nogo.arguments import shown
from nogo.errors import AgentNameError, ArgumentError, PluginError

PREFIX: Final = "nogo-agent-"
FILES: Final = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "LICENSE": "LICENSE.txt",
    ".gitignore": "gitignore.txt",
    "src/$module/__init__.py": "agent.py.txt",
    "src/$module/py.typed": "empty.txt",
    "tests/test_$module.py": "test_agent.py.txt",
    ".github/workflows/test.yml": "workflow.yml.txt",
}


def new(agent: str, folder: Path) -> Path:
    """Write a plugin with an agent of this name into a new folder below the given one; give its path."""
    agent = agent.removeprefix(PREFIX)
    _require_free(agent)
    target = folder / f"{PREFIX}{agent}"
    if target.exists():
        raise ArgumentError(f"{target} is there already; choose another name, or another place with --into")
    names = {"agent": agent, "distribution": target.name, "module": re.sub(r"\W", "_", target.name)}
    for path, source in FILES.items():
        _write(target / Template(path).substitute(names), source, names)
    return target


def _require_free(agent: str) -> None:
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?", agent):
        raise ArgumentError(
            f"{shown(agent)} is no name for an agent and a distribution; use small letters, digits and '-'"
        )
    try:
        owner = registry.default().find(agent).origin
    except (AgentNameError, PluginError):
        return
    raise ArgumentError(f"agent {agent!r} is taken by {owner}; choose another name")


def _write(path: Path, source: str, names: dict[str, str]) -> None:
    text = (Path(__file__).parent / "files" / source).read_text(encoding="utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(Template(text).substitute(names), encoding="utf-8")
