"""Every error the package raises on purpose. Each names the value, the place and the remedy."""

from __future__ import annotations

__all__ = [
    "AgentFailureError",
    "AgentNameError",
    "ArgumentError",
    "BusyError",
    "ChildGoneError",
    "ChildLateError",
    "ForkError",
    "GameNameError",
    "HandleError",
    "IllegalMoveError",
    "InstructionSetError",
    "InvalidMoveError",
    "NogoError",
    "OptionError",
    "PluginError",
    "PositionError",
    "ProtocolError",
    "RecordError",
    "WorkerError",
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


class BusyError(NogoError, RuntimeError):
    """An object that works for one thread at a time, used by a second one."""


class AgentNameError(NogoError, ValueError):
    """No agent has this name, it does not play this game, or its selection is not of the form name:key=value."""


class OptionError(NogoError, ValueError):
    """An option that the agent does not have, or a value out of its range."""


class PluginError(NogoError, RuntimeError):
    """A plugin that does not load, or two that claim one agent name."""


class RecordError(NogoError, ValueError):
    """A record of games that cannot be read, written, or continued by this command."""


class ProtocolError(NogoError, ValueError):
    """What another program has said, or failed to say, is against the protocol."""


class AgentFailureError(NogoError, RuntimeError):
    """What an agent raises to say itself how it failed, e.g. for an engine behind it."""

    def __init__(self, kind: str, reason: str, output: str = "") -> None:
        """Say how, why in one line, and what it left behind."""
        super().__init__(reason)
        self.kind = kind
        """``crashed``, ``stalled``, ``illegal`` (it chose what is no legal move), or ``refused`` (it does not play
        this game: it is void)."""
        self.output = output


class ChildGoneError(NogoError, RuntimeError):
    """A program of ours that cannot be started, or that has ended or closed its input while it was needed."""


class ChildLateError(NogoError, RuntimeError):
    """A program of ours that has not read, or has not answered, in time."""


class WorkerError(NogoError, RuntimeError):
    """Workers that play games cannot be had: they do not start, or are out of reach."""
