"""Records of games that were never searched: random moves, invented times and values. For what reads records."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import nogo
from nogo.match.openings import position_of
from nogo.match.plan import Contestant, Plan
from nogo.match.record import FINISHED, End, GameRecord
from nogo.match.schedule import Task, tasks

FAMILIES = ("hollow-nogo", "othello", "einstein")


def plan(*agents: str, **settings: object) -> Plan:
    return Plan(tuple(map(Contestant.parse, agents or ("uct", "random"))), **settings)  # type: ignore[arg-type]


def sample_records(of: Plan, seed: int = 1, moves: int | None = None) -> list[GameRecord]:
    """Play a plan's games at random, to their ends or so many moves."""
    return list(_played(of, seed, moves))


def _played(of: Plan, seed: int, moves: int | None) -> Iterator[GameRecord]:
    for task in tasks(of):
        yield play_at_random(task, random.Random(f"{seed} {task.number}"), moves)


def play_at_random(task: Task, rng: random.Random, moves: int | None = None) -> GameRecord:
    """Play one game; the players' moves have times, playouts and values, throws have none."""
    position = position_of(task.opening)
    names: list[str] = []
    columns: list[tuple[float | None, int | None, float | None]] = []
    while not position.is_over and (moves is None or len(names) < moves):
        move = rng.choice(position.legal_moves())
        thrown = position.is_chance
        columns.append((None, None, None) if thrown else _invented(rng, len(names)))
        names.append(position.game.move_name(move))
        position = position.play(move)
    seconds, playouts, values = zip(*columns, strict=True) if columns else ((), (), ())
    return GameRecord(
        *(task.number, task.pair, task.game, task.seed, task.players, task.opening),
        *(tuple(names), seconds, playouts, values, end_of(position), "nogo 0.1.0, avx2, Python 3.11"),
        *(f"2026-01-02T03:04:{task.number % 60:02}Z", sum(filter(None, seconds))),
    )


def _invented(rng: random.Random, ply: int) -> tuple[float, int, float]:
    value = 0.5 + min(ply, 60) / 130 * rng.choice((-1, 1)) * rng.random()
    return round(rng.uniform(0.01, 0.6), 4), rng.randrange(100, 20_000), round(value, 4)


def end_of(position: nogo.Position) -> End:
    """End a game as the rules do; one that is not over is taken for drawn."""
    reason = "the game is over" if position.is_over else "enough of it"
    return End(FINISHED, position.winner, reason, position.ply)


def ended(record: GameRecord, kind: str, winner: int | None, reason: str, **more: object) -> GameRecord:
    """Give the game another end."""
    end = End(kind, winner, reason, record.end.ply, **more)  # type: ignore[arg-type]
    return replace(record, end=end)
