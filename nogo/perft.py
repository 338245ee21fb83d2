"""Counting move sequences: the check of a move generator, and the way to compare two."""

from __future__ import annotations

from nogo import core
from nogo.errors import ArgumentError, HandleError
from nogo.position import Position

MAX_DEPTH = 1000
_C_DEPTH = 3  # plies the engine counts in one call: short enough for Ctrl-C, long enough not to matter


def perft(position: Position, depth: int) -> int:
    """Count the sequences of exactly depth plies from a position.

    A forced pass is a ply; a throw of the die is not, its outcomes are summed; a game that ended sooner counts for
    nothing.
    """
    if not isinstance(position, Position):
        raise HandleError(f"{position!r} is not a position; make one with game.start() or nogo.position(text)")
    if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= MAX_DEPTH:
        raise ArgumentError(f"depth={depth!r} is not a number of plies; use 0 to {MAX_DEPTH}")
    return _count(position, depth)


def _count(position: Position, depth: int) -> int:
    if depth <= _C_DEPTH:
        return core.perft(position.game.handle, position._c, depth)
    further = depth if position.is_chance else depth - 1
    return sum(_count(position.play(move), further) for move in position.legal_moves())
