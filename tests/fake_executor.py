"""An executor that plays at random, in this process: for tests of what is around it."""

from __future__ import annotations

import random
import threading

from match_samples import ended, play_at_random


class Fake:
    """Plays one game at a time, a few moves long; some of them end otherwise, or not at all."""

    def __init__(self, ends=None, *, fails_after=None, held=None, on_game=None):
        self.ends, self.fails_after, self.held, self.on_game = ends or {}, fails_after, held, on_game
        self.stopped = threading.Event()
        self.wishes: list[bool] = []
        self.given: list[int] = []
        self.closed = False

    def play(self, tasks):
        for task in tasks:
            if self.stopped.is_set():
                return
            if len(self.given) == self.fails_after:
                raise RuntimeError("the cluster is gone")
            record = play_at_random(task, random.Random(task.number), 5)
            self.given.append(task.number)
            yield ended(record, *self.ends[task.number]) if task.number in self.ends else record
            if self.on_game:
                self.on_game(task.number)
            if self.held == len(self.given):
                assert self.stopped.wait(60)

    def stop(self, now=False):
        self.wishes.append(now)
        self.stopped.set()

    def close(self):
        self.closed = True
