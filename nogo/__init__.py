"""A C engine that plays Monte-Carlo games as fast as the machine allows.

>>> import nogo
>>> position = nogo.game("hollow-nogo").start().play("E5")
>>> nogo.playouts(position, 10_000, seed=1).games
10000
"""

from pathlib import Path

from nogo.core import CHANCE, FIRST, SECOND, BuildInfo, build_info
from nogo.errors import NogoError
from nogo.game import Game, Symmetry, game, position
from nogo.perft import perft
from nogo.playouts import Amaf, Playouts, playouts
from nogo.position import Position

__all__ = [
    "CHANCE",
    "FIRST",
    "SECOND",
    "Amaf",
    "BuildInfo",
    "Game",
    "NogoError",
    "Playouts",
    "Position",
    "Symmetry",
    "build_info",
    "game",
    "get_include",
    "perft",
    "playouts",
    "position",
]


def get_include() -> str:
    """Give the folder of the engine's C headers."""
    return str(Path(__file__).parent / "include")
