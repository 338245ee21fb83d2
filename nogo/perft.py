"""Counting move sequences: the check of a move generator, and the way to compare two."""

from __future__ import annotations

from nogo import core
from nogo.arguments import shown, whole
from nogo.errors import HandleError
from nogo.position import Position

MAX_DEPTH = 1000
_C_DEPTH = 3  # plies the engine counts in one call: short enough for Ctrl-C, long enough not to matter


def perft(position: Position, depth: int) -> int:
    """Count the sequences of exactly depth plies from a position.

    A forced pass is a ply; a throw of the die is not, its outcomes are summed; a game that ended sooner counts for
    nothing.
    """
    if not isinstance(position, Position):
        raise HandleError(f"{shown(position)} is not a position; make one with game.start() or nogo.position(text)")
    return _count(position, whole("depth", depth, 0, MAX_DEPTH))


def _count(position: Position, depth: int) -> int:
    if depth <= _C_DEPTH:
        return core.perft(position.game.handle, position._c, depth)
    further = depth if position.is_chance else depth - 1
    return sum(_count(position.play(move), further) for move in position.legal_moves())
