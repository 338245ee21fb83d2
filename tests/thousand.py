"""A thousand games with an agent that fails in six ways, 3% each: every game has exactly one end, the right one.

    python tests/thousand.py [GAMES] [WORKERS] [RATE] [inside|outside]

The agent decides by its seed whether and how it fails, so that the end of every game is known before it is played.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from faulty import FAULTS, PLUGIN, fault_of
from playing import Stage, plan, play_all

from nogo.match.record import GameRecord


def play(stage: Stage, games: int, workers: int, rate: float, where: str) -> Counter:
    """Play, and count the ends; an AssertionError names the first game whose end is not the right one."""
    name = f"trouble-{where}"
    stage.add(name, PLUGIN, ours=where == "inside")
    of = plan(f"{name}:fault=seed,rate={rate}", "random", pairs=games // 2, stall=3.0)
    return Counter(check(record, rate) for record in play_all(of, workers))


def check(record: GameRecord, rate: float) -> tuple[str, str | None]:
    """See that a game's end is the one that its agent was made for."""
    culprit = next(side for side, player in enumerate(record.players) if player.agent != "random")
    fault = fault_of(record.players[culprit].seed, rate)
    kind, words = FAULTS[fault] if fault else ("finished", "no legal move")
    found = (record.end.kind, record.end.blame)
    assert found == (kind, culprit if fault else None), f"game {record.number}: {record.end}, but it was to {fault}"
    assert words in record.end.reason, f"game {record.number}: {record.end}"
    if fault:
        assert record.end.winner == 1 - culprit
        assert len(record.moves[culprit::2]) == 2
        assert record.end.ply == len(record.opening.moves) + len(record.moves)
    return kind, fault


def main() -> None:
    """Play as asked, and print what came of it."""
    games, workers, rate, where = [*sys.argv[1:], *("1000", "2", "0.03", "outside")[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as monkeypatch:
        counts = play(Stage(Path(folder) / "site", monkeypatch), int(games), int(workers), float(rate), where)
    for (kind, fault), count in sorted(counts.items(), key=lambda item: -item[1]):
        print(f"{count:6} {kind:16} {fault or ''}")
    print(f"{sum(counts.values()):6} games, each with exactly one end, the right one")


if __name__ == "__main__":
    main()
