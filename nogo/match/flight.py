"""A game in the air: what is known of it so far, told line by line, so that another process can finish its record.

The process that plays tells every move, and before an agent is asked for anything, who is, and how long that may take.
It tells through a pipe, which keeps what was written when the writer dies. From that alone the supervisor makes the
record of a game whose process has died or does not come back.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cache
from importlib import metadata
from typing import Any, Final, NamedTuple, TypeAlias

from nogo import core
from nogo.match.record import CRASHED, VOID, End, GameRecord
from nogo.match.schedule import Task

OUTPUT_KEPT: Final = 8000  # letters of what a failed agent has left behind
REASON_KEPT: Final = 500

_write: Final = json.JSONEncoder(separators=(",", ":")).encode

Tell: TypeAlias = Callable[..., None]
"""Takes an event: its word, then plain values."""


class Move(NamedTuple):
    """A move as it is recorded."""

    name: str
    seconds: float | None = None
    playouts: int | None = None
    value: float | None = None


class Turn(NamedTuple):
    """An agent is asked for something."""

    side: int
    ply: int
    limit: float
    """Seconds after which it has not come back."""
    kind: str
    """How the game ends then."""
    reason: str

    def late(self, output: str = "") -> End:
        """End the game of an agent that has not come back."""
        return self._lost(self.kind, self.reason, output)

    def crash(self, reason: str, output: str) -> End:
        """End the game of an agent that took its process with it."""
        return self._lost(CRASHED, reason, output)

    def _lost(self, kind: str, reason: str, output: str) -> End:
        winner = None if kind == VOID else 1 - self.side
        return End(kind, winner, reason, self.ply, self.side, output[-OUTPUT_KEPT:])


@dataclass
class Flight:
    """A game while it is played."""

    task: Task
    began: str
    moves: list[Move] = field(default_factory=list)
    turn: Turn | None = None
    """Who is asked; None while it is the referee's own work."""

    def record(self, end: End, took: float) -> GameRecord:
        """Make the record of the game with this end."""
        task = self.task
        names, seconds, playouts, values = zip(*self.moves, strict=True) if self.moves else ((), (), (), ())
        return GameRecord(
            number=task.number,
            pair=task.pair,
            game=task.game,
            seed=task.seed,
            players=task.players,
            opening=task.opening,
            moves=names,
            seconds=seconds,
            playouts=playouts,
            values=values,
            end=end,
            engine=engine(),
            began=self.began,
            took=round(took, 6),
        )


def flight_of(task: Task, lines: Iterable[bytes]) -> Flight | None:
    """Put together what was told of a task's game; None when it had not begun."""
    flight: Flight | None = None
    for line in lines:
        try:
            word, *values = event_of(line)
        except ValueError:  # whatever an agent wrote in between
            continue
        if word == "game":
            flight = Flight(task, values[1]) if values[0] == task.number else None
        elif flight is not None and word == "move":
            flight.moves.append(Move(*values))
        elif flight is not None:
            flight.turn = Turn(*values) if word == "turn" else None
    return flight


def event_of(line: bytes) -> list[Any]:
    """Read an event; a line that is none, for what agents do to the process, is a ValueError."""
    event = json.loads(line)
    if not isinstance(event, list) or not event:
        raise ValueError(f"{line[:80]!r} is no event")
    return event


def line_of(*event: object) -> str:
    """Write an event as a line of JSON."""
    return _write(event) + "\n"


def now() -> str:
    """Tell the time, in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@cache
def engine() -> str:
    """Name what plays the games: version, instruction set and Python."""
    return f"nogo {metadata.version('nogo')}, {core.isa_in_use()}, Python {platform.python_version()}"
