"""Playout rates: one game at a time, in lanes, on all cores, in searches, and move by move from Python.

Each figure is the best of a few rounds, and a round visits every game before the next begins: what disturbs a noisy
machine disturbs all alike, and the best round is the one least disturbed.
"""

from __future__ import annotations

import os
import random
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from nogo import core, registry
from nogo.budget import Budget
from nogo.errors import ArgumentError
from nogo.game import game
from nogo.playouts import playouts, single_playouts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from nogo.position import Position

GAMES = ("hollow-nogo", "nogo:9x9", "othello", "einstein", "einstein:5x5")
KINDS = ("single", "batch", "batch_threads")
PYTHON_GAME = "othello"
SEARCH_PLAYOUTS = 100_000
SEARCHES = (
    ("hollow-nogo", "uct"),
    ("hollow-nogo", "uct:leaf=lanes,playouts=32"),
    ("hollow-nogo", "uct:parallel=root,threads=2"),
    ("hollow-nogo", "uct:parallel=tree,threads=2"),
    ("hollow-nogo", "rave"),
    ("othello", "uct"),
    ("einstein", "r4-tuned"),
)


@dataclass
class Rates:
    """One run of the bench; rates are games a second."""

    isa: str
    openmp: int
    threads: int
    """Of batch_threads: all cores this process may use."""
    playouts: dict[str, dict[str, float | None]]
    """By game and kind; None where there is no OpenMP for threads."""
    search: dict[str, dict[str, float]]
    """By game and agent: playouts a second of a search of the start."""
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
        searches: Any = fields.get("search", {})
        python: Any = fields.get("python", {})
        sound = isinstance(playouts, dict) and playouts and all(_is_rates(figures) for figures in playouts.values())
        sound = sound and isinstance(searches, dict) and all(_is_rates(figures) for figures in searches.values())
        if not (sound and _is_rates(python)):
            raise ArgumentError("not a run of the bench; write one with: nogo bench --json")
        openmp, threads = fields.get("openmp", 0), fields.get("threads", 0)
        return Rates(str(fields.get("isa")), openmp, threads, playouts, searches, python)


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


def plans_of() -> list[tuple[str, str, str]]:
    """List what a round measures: section, game, kind."""
    openmp = core.build_info().openmp
    kinds = KINDS if openmp else KINDS[:2]
    searches = [(name, agent) for name, agent in SEARCHES if openmp or "threads" not in agent]
    return [
        *(("playouts", name, kind) for name in GAMES for kind in kinds),
        *(("search", name, agent) for name, agent in searches),
        ("python", PYTHON_GAME, ""),
    ]


def measure(seconds: float, rounds: int) -> Iterator[tuple[str, Rates]]:
    """Measure in rounds; yield what comes next and the rates so far, and at the end "" and all of them."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = min(cores, core.MAX_THREADS)
    rates = Rates(core.isa_in_use(), core.build_info().openmp, threads, {}, {}, {})
    rates.playouts.update((name, dict.fromkeys(KINDS)) for name in GAMES)
    for _ in range(rounds):
        for section, name, kind in plans_of():
            yield f"{name} {kind or 'from Python'}", rates
            rate = _measure_one(section, name, kind, threads, seconds)
            figures = rates.python if section == "python" else getattr(rates, section).setdefault(name, {})
            figures[kind or name] = max(figures.get(kind or name) or 0.0, rate)
    yield "", rates


def _measure_one(section: str, name: str, kind: str, threads: int, seconds: float) -> float:
    start = game(name).start()
    clock = time.perf_counter if "threads" in kind else time.thread_time
    if section == "search":
        return _search_rate(start, kind, clock, seconds)
    if section == "python":
        return _rate(lambda n: _random_games(start, n), clock, seconds)
    if kind == "single":
        return _rate(lambda n: single_playouts(start, n, seed=1), clock, seconds)
    used = threads if kind == "batch_threads" else 1
    return _rate(lambda n: playouts(start, n, seed=1, threads=used), clock, seconds)


def _search_rate(start: Position, agent_name: str, clock: Callable[[], float], seconds: float) -> float:
    """Search the start again and again with one agent: its memory is touched once, as in a game."""
    agent = registry.create(agent_name, start.game, seed=1)
    budget, made = Budget(playouts=SEARCH_PLAYOUTS), 0
    agent.choose(start, budget)
    began = clock()
    while made == 0 or clock() - began < seconds:
        made += agent.choose(start, budget).playouts or 0
    return made / (clock() - began)
