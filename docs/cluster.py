"""Measures what games cost in CPU time, and what a cluster adds: how docs/cluster.md got its figures.

    python docs/cluster.py

Games are played by one worker process; then, over and over, the quickest game there is by way of a cluster of one
thread on this machine, whose scheduler and client share this process. CPU time is counted, so that it matters little
what else runs. Each line ends with what a million such games come to.
"""

from __future__ import annotations

import resource
import sys
import time

import dask
from distributed import LocalCluster

from nogo.match.executors import LocalExecutor, open_executor
from nogo.match.plan import Contestant, Plan
from nogo.match.schedule import tasks

MILLION = 1_000_000
HOUR = 3600
QUICKEST = ("nogo:1x2", "playouts=1")
CASES = [
    ("hollow-nogo", "playouts=1000", 10),
    ("hollow-nogo", "playouts=10000", 4),
    ("othello", "playouts=1000", 10),
    ("einstein:5x5", "playouts=1000", 20),
]


def plan(game: str, budget: str, pairs: int, agents: tuple[str, str] = ("uct", "rave")) -> Plan:
    """Have two agents meet."""
    return Plan(tuple(map(Contestant.parse, agents)), games=(game,), budgets=(budget,), pairs=pairs, opening_plies=0)


def seconds(who: int) -> float:
    """Give the CPU time of this process or its children so far."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def local(of: Plan) -> float:
    """Give the CPU seconds of playing a plan in one worker, its start included."""
    before = seconds(resource.RUSAGE_CHILDREN)
    with LocalExecutor(1) as executor:
        assert len(list(executor.play(tasks(of)))) == of.game_count
    return seconds(resource.RUSAGE_CHILDREN) - before


def cluster(of: Plan) -> tuple[float, float]:
    """Give the CPU seconds of scheduler and client a game, and the seconds that pass, by way of a cluster."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as found,
        open_executor(found.scheduler_address.replace("tcp", "dask"), 1) as executor,
    ):
        list(executor.play(tasks(plan(*QUICKEST, 20, ("random", "random@playouts=2")))))
        busy, begun = seconds(resource.RUSAGE_SELF), time.monotonic()
        games = len(list(executor.play(tasks(of))))
        return (seconds(resource.RUSAGE_SELF) - busy) / games, (time.monotonic() - begun) / games


def main() -> None:
    """Print all figures."""
    start = local(plan(*QUICKEST, 1))
    print(f"a worker's start: {start:.2f} s")
    for game, budget, pairs in CASES:
        each = (local(plan(game, budget, pairs)) - start) / (2 * pairs)
        print(
            f"{game:14} {budget:16} {each:8.3f} core-seconds a game, {each * MILLION / HOUR:8,.0f} core-hours a million"
        )
    busy, passed = cluster(plan(*QUICKEST, 200, ("random", "random@playouts=2")))
    print(f"a cluster adds {1000 * busy:.2f} ms of its scheduler a game, {busy * MILLION / HOUR:.1f} hours a million;")
    print(f"one thread of it plays at most {1 / passed:.0f} games a second, all of them together {1 / busy:.0f}")


if __name__ == "__main__":
    sys.exit(main())
