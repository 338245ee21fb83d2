"""Tiny distributions to install on a path: a module and the metadata that pip would leave beside it."""

from __future__ import annotations

import textwrap
from pathlib import Path

PLUGIN = """
    from nogo.agent import AgentSpec, Choice, Option, require_move
    from nogo.hookspecs import hookimpl

    class Last:
        def __init__(self, game, options, seed):
            self.game, self.options, self.seed = game, options, seed

        def choose(self, position, budget):
            return Choice(require_move(self.game, position).legal_moves()[-1], value=0.25)

    OPTIONS = (
        Option("depth", int, 3, "how deep", least=1, most=9),
        Option("style", str, "calm", "how", choices=("calm", "wild")),
        Option("loud", bool, False, "whether"),
        Option("heat", float, None, "how hot", least=0, optional=True),
    )

    @hookimpl
    def nogo_register_agents(register):
        games = ("nogo", "othello")
        register(AgentSpec("last", Last, OPTIONS, "The last legal move", "It is [the] last.", games=games))
"""


def install(folder: Path, name: str, source: str = PLUGIN, *, version: str = "1.0", entries: str | None = None) -> str:
    """Put a distribution into a folder; the module is named like it. Gives the folder as a search path's entry."""
    module = name.replace("-", "_")
    folder.mkdir(exist_ok=True)
    (folder / f"{module}.py").write_text(textwrap.dedent(source), encoding="utf-8")
    about = folder / f"{module}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    text = f"[nogo]\nthing = {module}\n" if entries is None else entries
    (about / "entry_points.txt").write_text(text, encoding="utf-8")
    return str(folder)
