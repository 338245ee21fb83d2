"""A match from its plan to its last record: tasks go to an executor; what comes back, to disk, then to whoever looks.

The executor's games are taken by a thread of their own, so that those that end while the disk is busy are synced
together, and the caller can look, or stop, whenever it likes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from queue import Empty, Queue
from threading import Thread
from typing import Final, TypeAlias

from nogo import registry
from nogo.match import schedule
from nogo.match.executors import Executor
from nogo.match.journal import Journal
from nogo.match.outcome import outcome
from nogo.match.record import FORFEITS, VOID, GameRecord
from nogo.match.sprt import Sprt, SprtState
from nogo.match.tally import Tally

TICK: Final = 0.25
"""Seconds after which the caller may look again, whether or not a game has ended."""
BATCH: Final = 512
"""Games that are synced together at most."""

_Arrival: TypeAlias = "GameRecord | BaseException | None"


class Match:
    """A match that is being played: what is known of it, and whether it goes on."""

    def __init__(self, journal: Journal, *, strict: bool = False) -> None:
        """Look at the games that are there; with `strict`, the first one that an agent spoils ends the match."""
        self.plan = journal.plan
        self.strict = strict
        self._sprt = None if self.plan.sprt is None else Sprt.parse(self.plan.sprt)
        self.tally = Tally(self._sprt)
        self.spoilt: GameRecord | None = None
        """The first game that was forfeited or void."""
        self.interrupted = False
        """Whether somebody asked to stop."""
        self._hurried = False
        self._passed_on: bool | None = None
        self._journal = journal
        for record in journal.records():
            self._learn(record)
        self.torn = journal.torn > 0
        """Whether the last of them was written only in part, and dropped."""
        self.resumed = len(journal.played)
        """Games that were there already."""

    @property
    def played(self) -> int:
        """Games on disk."""
        return len(self._journal.played)

    @property
    def test(self) -> tuple[Sprt, SprtState] | None:
        """The plan's sequential test, and how far it has come."""
        state = self.tally.sprt
        return None if self._sprt is None or state is None else (self._sprt, state)

    @property
    def is_decided(self) -> bool:
        """Whether it ends before its last game."""
        tested = self.tally.sprt is not None and self.tally.sprt.verdict is not None
        return tested or (self.strict and self.spoilt is not None)

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to play."""
        return self.played == self.plan.game_count or self.is_decided

    def play(self, executor: Executor) -> Iterator[Sequence[GameRecord]]:
        """Play on, giving games once they are on disk, and nothing every now and then."""
        if self.is_over:
            return
        arrivals: Queue[_Arrival] = Queue(BATCH)
        games = executor.play(schedule.tasks(self.plan, self._journal.played))
        pump = Thread(target=_pump, args=(games, arrivals), name="nogo-match", daemon=True)
        pump.start()
        over = False
        try:
            while not over:
                batch, over, end = _taken(arrivals)
                yield self._published(batch)
                self._heed(executor)
        finally:
            if not over:
                executor.stop(now=True)
                _empty(arrivals)
            pump.join()
        if isinstance(end, BaseException):
            raise end

    def stop(self, now: bool = False) -> None:
        """End before the last game; now: without those in the air. Only notes it, so a signal handler may call it."""
        self.interrupted = True
        self._hurried = self._hurried or now

    def _heed(self, executor: Executor) -> None:
        """Pass on the wish to stop, the caller's or our own, once."""
        now = self._hurried or self.is_decided
        if (self.interrupted or now) and self._passed_on is not now:
            self._passed_on = now
            executor.stop(now)

    def _published(self, records: Sequence[GameRecord]) -> Sequence[GameRecord]:
        if records:
            self._journal.append(records)
        for record in records:
            self._learn(record)
            registry.default().game_finished(json.loads(record.to_line()))
        return records

    def _learn(self, record: GameRecord) -> None:
        self.tally.add(outcome(record))
        if self.spoilt is None and record.end.kind in (*FORFEITS, VOID):
            self.spoilt = record


def _pump(games: Iterator[GameRecord], arrivals: Queue[_Arrival]) -> None:
    """Pass games on, and at the end the error that ended them, or None."""
    end: _Arrival = None
    try:
        for record in games:
            arrivals.put(record)
    except BaseException as error:  # noqa: BLE001, RUF100 - it is raised again where the match is played
        end = error
    arrivals.put(end)


def _taken(arrivals: Queue[_Arrival]) -> tuple[list[GameRecord], bool, _Arrival]:
    """Take all that has arrived, after waiting for the first; with whether it was the last, and its error."""
    batch: list[GameRecord] = []
    try:
        arrival = arrivals.get(timeout=TICK)
        while isinstance(arrival, GameRecord):
            batch.append(arrival)
            if len(batch) == BATCH:
                return batch, False, None
            arrival = arrivals.get_nowait()
    except Empty:
        return batch, False, None
    return batch, True, arrival


def _empty(arrivals: Queue[_Arrival]) -> None:
    while isinstance(arrivals.get(), GameRecord):
        pass
