"""Playout rates: one game at a time, in lanes, on all cores, and move by move from Python.

Each figure is the best of a few rounds, and a round visits every game before the next begins: what disturbs a noisy
machine disturbs all alike, and the best round is the one least disturbed.
"""

from __future__ import annotations

import os
import random
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from nogo import core
from nogo.errors import ArgumentError
from nogo.game import game
from nogo.playouts import playouts, single_playouts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from nogo.position import Position

GAMES = ("hollow-nogo", "nogo:9x9", "othello", "einstein", "einstein:5x5")
KINDS = ("single", "batch", "batch_threads")
PYTHON_GAME = "othello"


@dataclass
class Rates:
    """One run of the bench; rates are games a second."""

    isa: str
    openmp: int
    threads: int
    """Of batch_threads: all cores this process may use."""
    playouts: dict[str, dict[str, float | None]]
    """By game and kind; None where there is no OpenMP for threads."""
    python: dict[str, float]
    """Random games played move by move through Position."""

    def as_json(self) -> dict[str, Any]:
        """Give plain values."""
        return asdict(self)

    @staticmethod
    def from_json(data: Any) -> Rates:
        """Read what `as_json` gave, from an earlier run."""
        fields: dict[str, Any] = data if isinstance(data, dict) else {}
        playouts: Any = fields.get("playouts")
        python: Any = fields.get("python", {})
        sound = isinstance(playouts, dict) and playouts and all(_is_rates(figures) for figures in playouts.values())
        if not (sound and _is_rates(python)):
            raise ArgumentError("not a run of the bench; write one with: nogo bench --json")
        return Rates(str(fields.get("isa")), fields.get("openmp", 0), fields.get("threads", 0), playouts, python)


def _is_rates(figures: object) -> bool:
    return isinstance(figures, dict) and all(
        rate is None or (isinstance(rate, (int, float)) and rate >= 0) for rate in figures.values()
    )


def _rate(play: Callable[[int], object], clock: Callable[[], float], seconds: float) -> float:
    """Play ever more games until it takes long enough to measure, then tell the rate of the last run."""
    games = 64
    while True:
        began = clock()
        play(games)
        spent = clock() - began
        if spent >= seconds:
            return games / spent
        games = int(games * min(100.0, max(2.0, 1.2 * seconds / max(spent, 1e-9))))


def _random_games(start: Position, games: int) -> None:
    """Play random games through Position, as a user's first script would."""
    rng = random.Random(1)  # noqa: S311 - a game, not a secret
    choice = rng.choice
    for _ in range(games):
        position = start
        while moves := position.legal_moves():
            position = position.play(choice(moves))


def measure(seconds: float, rounds: int) -> Iterator[tuple[str, Rates]]:
    """Measure in rounds; yield what comes next and the rates so far, and at the end "" and all of them."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = min(cores, core.MAX_THREADS)
    openmp = core.build_info().openmp
    rates = Rates(core.isa_in_use(), openmp, threads, {name: dict.fromkeys(KINDS) for name in GAMES}, {})

    def single(start: Position, n: int) -> None:
        single_playouts(start, n, seed=1)

    def batch(start: Position, n: int) -> None:
        playouts(start, n, seed=1)

    def on_all_cores(start: Position, n: int) -> None:
        playouts(start, n, seed=1, threads=threads)

    plans = [("single", single, time.thread_time), ("batch", batch, time.thread_time)]
    if openmp:
        plans.append(("batch_threads", on_all_cores, time.perf_counter))
    for _ in range(rounds):
        for name in GAMES:
            start, best = game(name).start(), rates.playouts[name]
            for kind, play, clock in plans:
                yield f"{name} {kind}", rates
                rate = _rate(lambda n, play=play, start=start: play(start, n), clock, seconds)  # type: ignore[misc]
                best[kind] = max(best[kind] or 0.0, rate)
        yield f"{PYTHON_GAME} from Python", rates
        start = game(PYTHON_GAME).start()
        rate = _rate(lambda n, start=start: _random_games(start, n), time.thread_time, seconds)  # type: ignore[misc]
        rates.python[PYTHON_GAME] = max(rates.python.get(PYTHON_GAME, 0.0), rate)
    yield "", rates
