"""A process that plays games: tasks come in on standard input, what happens and the records go out, a line each.

Started and watched by `nogo.match.executors`. Agents of ours play in this very process, so it may die or hang with
them; what it has told by then is enough to record how the game ended.
"""

from __future__ import annotations

import faulthandler
import gc
from typing import BinaryIO

from nogo.match.flight import line_of
from nogo.match.play import Table
from nogo.match.schedule import Task
from nogo.match.seats import Seats
from nogo.match.wire import take_standard_streams


class Teller:
    """Writes events, moves together with what comes next: one write a turn."""

    def __init__(self, pipe: BinaryIO) -> None:
        """Take the pipe over."""
        self._pipe = pipe
        self._held = ""

    def __call__(self, word: str, *values: object) -> None:
        """Tell an event."""
        self._held += line_of(word, *values)
        if word != "move":
            self.flush()

    def flush(self, line: str = "") -> None:
        """Write what is held, and a line after it."""
        data = memoryview((self._held + line).encode())
        self._held = ""
        while data:
            data = data[self._pipe.write(data) :]


def main() -> None:
    """Play what comes, until nothing more does."""
    tasks, results = take_standard_streams()
    faulthandler.enable()
    tell, seats = Teller(results), Seats()
    gc.freeze()
    for line in tasks:
        task = Task.from_line(line.decode())
        table = Table(task, seats, tell)
        tell.flush(table.play().to_line())
        tell("rest", task.stall)
        table.leave()
    seats.close()
