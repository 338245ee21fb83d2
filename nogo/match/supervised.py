"""A worker process as its supervisor sees it: what it was given, what it told, and whether it is still to be believed.

Whatever becomes of the process, each task given to it comes back exactly once: as a record, or as a task that it has
not played.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Final

from nogo.child import Child, own_command
from nogo.errors import ChildGoneError, ChildLateError, RecordError
from nogo.match.flight import Turn, event_of, flight_of
from nogo.match.record import GameRecord
from nogo.match.schedule import Task

START: Final = 120.0  # seconds until a new process must have begun, on the slowest machine
GRACE: Final = 1.0  # seconds for the process to find out itself that an agent is late
GOODBYE: Final = 5.0  # seconds for agents that last to close
AHEAD: Final = 0.05  # seconds of games that a process is given at a time, so that it never waits for the next
MOST_AHEAD: Final = 32  # tasks
CHUNK: Final = 2**16
QUICKEST: Final = 1e-4  # seconds


class Worker:
    """A process that plays games."""

    def __init__(self) -> None:
        """Start it."""
        self._child = Child(own_command("nogo.match.worker"))
        self._tasks: deque[Task] = deque()
        self._told: list[bytes] = []
        """Events since the last record."""
        self._part = b""
        """A line that is still being written."""
        self._quick = 0.0
        """Seconds that its last game took."""
        self._begun = time.monotonic()
        self._due = self._begun + START
        self.is_silent = True
        """Whether nothing has come from it yet."""
        self.is_over = False
        """Whether nothing more will come from it."""

    @property
    def filenos(self) -> list[int]:
        """What to poll for news of it."""
        return self._child.filenos

    @property
    def is_busy(self) -> bool:
        """Whether it has something to play."""
        return bool(self._tasks)

    @property
    def has_room(self) -> bool:
        """Whether to give it another task: one at a time, but more of those that are over in no time."""
        ahead = int(AHEAD / self._quick) if self._quick else 0
        return not self.is_over and len(self._tasks) < 1 + min(ahead, MOST_AHEAD)

    @property
    def due(self) -> float:
        """When to look after it, by the monotonic clock."""
        return self._due if self._tasks else float("inf")

    @property
    def is_late(self) -> bool:
        """Whether it should have come back by now; ask only after `take_in`."""
        return time.monotonic() > self.due

    def give(self, task: Task) -> None:
        """Give it a game to play."""
        if not self._tasks:
            self._due = max(self._due, time.monotonic() + START)
        self._tasks.append(task)
        try:
            self._child.write(task.to_line().encode(), START)
        except (ChildGoneError, ChildLateError):
            self.is_over = True

    # ---- what it tells ----

    def take_in(self) -> list[GameRecord]:
        """Take what it has told, and give the games that have ended."""
        try:
            data = self._child.read(CHUNK, 0.0)
        except ChildLateError:
            return []
        self.is_over = self.is_over or not data
        self.is_silent = self.is_silent and not data
        *lines, self._part = (self._part + data).split(b"\n")
        records: list[GameRecord] = []
        try:
            for line in lines:
                self._read(line, records)
            self._learn()
        except (ValueError, TypeError, RecordError):  # an agent has written where it should not
            self.is_over = True
        return records

    def _read(self, line: bytes, records: list[GameRecord]) -> None:
        if not line.startswith(b"{"):
            self._told.append(line)
            return
        record = GameRecord.from_line(line.decode())
        if not self._tasks or record.number != self._tasks[0].number:
            raise RecordError(f"game {record.number} was not asked for")
        self._tasks.popleft()
        self._told.clear()
        self._begun = time.monotonic()
        self._quick = max(record.took, QUICKEST)
        records.append(record)

    def _learn(self) -> None:
        """See what it is about, and until when it is to come back."""
        if not self._told:
            return
        word, *values = event_of(self._told[-1])
        limit = START
        if word == "turn":
            limit = Turn(*values).limit + GRACE
        elif word == "rest":
            limit = float(values[0]) + GRACE
        self._due = time.monotonic() + limit

    # ---- its end ----

    def end(self) -> tuple[GameRecord | None, list[Task]]:
        """End it; give the record of the game it was in, if an agent is to blame, and the tasks it has not played."""
        ended = self._child.ended(GRACE) if self.is_over else None
        self._child.close(0.0 if self.is_busy or self.is_over else GOODBYE)
        flight = flight_of(self._tasks[0], self._told) if self._tasks else None
        if flight is None or flight.turn is None:
            return None, list(self._tasks)
        self._tasks.popleft()
        if self.is_over:
            end = flight.turn.crash(f"its process ended: {ended or 'it wrote where it should not'}", self.output())
        else:
            end = flight.turn.late(self.output())
        return flight.record(end, time.monotonic() - self._begun), list(self._tasks)

    def output(self) -> str:
        """Give the last of what it has printed."""
        return self._child.errors()

    def how(self) -> str:
        """Say in a line how it ended."""
        lines = self.output().strip().splitlines()
        return f"{self._child.ended() or 'no answer'}{f': {lines[-1]}' if lines else ''}"
