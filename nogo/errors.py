"""Every error the package raises on purpose. Each names the value, the place and the remedy."""

from __future__ import annotations

__all__ = [
    "ArgumentError",
    "ForkError",
    "GameNameError",
    "HandleError",
    "IllegalMoveError",
    "InstructionSetError",
    "InvalidMoveError",
    "NogoError",
    "PositionError",
]


class NogoError(Exception):
    """The base of all errors of this package."""


class GameNameError(NogoError, ValueError):
    """No game has this name, or its size or holes are out of range."""


class PositionError(NogoError, ValueError):
    """A text that does not describe a position, or one that cannot arise."""


class InvalidMoveError(NogoError, ValueError):
    """Not a move of this game in any position."""


class IllegalMoveError(NogoError, ValueError):
    """A move of this game that the rules refuse in this position."""


class ArgumentError(NogoError, ValueError):
    """A number or option out of its range."""


class HandleError(NogoError, TypeError):
    """An object that does not belong to the game it was used with, or was not made by this package."""


class ForkError(NogoError, RuntimeError):
    """Several threads asked for in a process forked after threads were used: OpenMP would hang there."""


class InstructionSetError(NogoError, RuntimeError):
    """An instruction set that is not built, or that this machine does not have."""
