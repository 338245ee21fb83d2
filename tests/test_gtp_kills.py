"""GTP engines of a match, each killed with -9 during its game: every end exact, nothing left, the match completed.

``NOGO_TEST_KILLS=50`` makes it a match of 50 games.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

from processes import mark, marked, vanish

from nogo import registry
from nogo.match import schedule
from nogo.match.executors import LocalExecutor
from nogo.match.plan import Contestant, Plan
from nogo.match.record import CRASHED

DOUBLE = Path(__file__).parent / "gtp_double.py"
GAMES = int(os.environ.get("NOGO_TEST_KILLS", "6"))


class Killer(threading.Thread):
    """Kills every process with the word once, a random moment after it has appeared."""

    def __init__(self, word: str) -> None:
        super().__init__(daemon=True)
        self.word, self.over, self.noise = word, threading.Event(), random.Random(4)
        self.killed: set[int] = set()

    def run(self) -> None:
        while not self.over.wait(0.01):
            for pid in self.engines():
                time.sleep(self.noise.uniform(0.0, 0.2))
                os.kill(pid, signal.SIGKILL)
                self.killed.add(pid)

    def engines(self) -> list[int]:
        """Processes that are the engine by their command line's second word; guards have it further on."""
        return [pid for pid in marked(self.word) if pid not in self.killed and words_of(pid)[1:2] == [str(DOUBLE)]]


def words_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    except OSError:
        return []


def test_an_engine_killed_in_every_game_costs_that_game_and_no_more():
    word = mark()
    engine = registry.get("gtp").select({"command": f"{sys.executable} {DOUBLE} nogo:9x9 slow {word}"})
    plan = Plan((Contestant(engine), Contestant("random")), ("nogo:9x9",), ("playouts=10",), pairs=GAMES // 2)
    killer = Killer(word)
    killer.start()
    with LocalExecutor(2) as executor:
        records = list(executor.play(schedule.tasks(plan)))
    killer.over.set()
    killer.join()
    assert vanish(word), "no process is left"
    assert sorted(record.number for record in records) == list(range(GAMES))
    assert len(killer.killed) == GAMES, "each game had an engine of its own"
    for record in records:
        name = Path(sys.executable).name
        assert record.end.kind == CRASHED
        assert record.end.reason.startswith(f"{name} has died, killed by signal 9 (SIGKILL), before it answered ")
        assert record.players[record.end.blame].agent == engine
        assert record.end.winner == 1 - record.end.blame
