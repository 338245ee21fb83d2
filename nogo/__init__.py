"""A C engine that plays Monte-Carlo games as fast as the machine allows.

>>> import nogo
>>> position = nogo.game("hollow-nogo").start().play("E5")
>>> nogo.playouts(position, 10_000, seed=1).games
10000
"""

from pathlib import Path
from pkgutil import extend_path

# Run from a source tree, Python finds this file there, but the engine is where `pip install .` has put it.
if not any(Path(__file__).parent.glob("_core.*.so")):
    __path__ = extend_path(__path__, __name__)

from nogo.agent import RESIGN, Agent, AgentSpec, Choice, Option
from nogo.budget import Budget, Clock
from nogo.core import CHANCE, FIRST, SECOND, BuildInfo, build_info
from nogo.errors import NogoError
from nogo.game import Game, Symmetry, game, position
from nogo.native import Native
from nogo.perft import perft
from nogo.playouts import Amaf, Playouts, playouts
from nogo.position import Position
from nogo.search import Search, SearchOptions, SearchResult, search

__all__ = [
    "CHANCE",
    "FIRST",
    "RESIGN",
    "SECOND",
    "Agent",
    "AgentSpec",
    "Amaf",
    "Budget",
    "BuildInfo",
    "Choice",
    "Clock",
    "Game",
    "Native",
    "NogoError",
    "Option",
    "Playouts",
    "Position",
    "Search",
    "SearchOptions",
    "SearchResult",
    "Symmetry",
    "build_info",
    "game",
    "get_include",
    "perft",
    "playouts",
    "position",
    "search",
]


def get_include() -> str:
    """Give the folder of the engine's C headers; in an editable install that is the engine itself."""
    installed = (Path(path) / "include" for path in __path__)
    tree = (Path(path).parent / "csrc" for path in __path__)
    return str(next(folder for folder in (*installed, *tree) if folder.is_dir()))
