"""How games, moves and positions are written: names, the one-line text, the diagram, arrays."""

from __future__ import annotations

from nogo.core import Spec
from nogo.notation.board import Notation, board_maps, game_name_of, plain, point_names
from nogo.notation.cubes import EinsteinNotation
from nogo.notation.stones import NogoNotation, OthelloNotation

__all__ = ["Notation", "board_maps", "game_name_of", "of", "plain", "point_names"]

_FAMILIES: dict[str, type[Notation]] = {
    "nogo": NogoNotation,
    "othello": OthelloNotation,
    "einstein": EinsteinNotation,
}


def of(spec: Spec) -> Notation:
    """Get the notation of a game."""
    return _FAMILIES[spec.family](spec)
