"""Plays two agents against each other in pairs of games and prints the score: how docs/strength.md was measured.

    python docs/strength.py hollow-nogo rave uct --games 400 --budget playouts=10000

A pair is one random opening played twice with the colours swapped; EinStein's cubes and dice are drawn with it. The
interval is a normal one over pairs, whose two games are not independent. Processes are started by spawn.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import nogo
from nogo import registry


def opening(game: str, seed: int, plies: int) -> nogo.Position:
    """Draw a start and some random moves, such that the game is not over."""
    rng = random.Random(seed)
    position = start = nogo.game(game).start(**({"seed": seed} if game.startswith("einstein") else {}))
    for _ in range(plies):
        position = position.play(rng.choice(position.legal_moves()))
    return start if position.is_over else position


def play(position: nogo.Position, names: tuple[str, str], budget: str, seed: int) -> float:
    """Play on to the end and give the first player's points: 1, 0.5 or 0."""
    agents = [registry.create(name, position.game, seed=seed + side) for side, name in enumerate(names)]
    dice = random.Random(seed)
    while not position.is_over:
        if position.is_chance:
            position = position.play(dice.choice(position.legal_moves()))
        else:
            position = position.play(agents[position.turn].choose(position, nogo.Budget.parse(budget)).move)
    return 0.5 if position.winner is None else float(position.winner == nogo.FIRST)


def pair(task: tuple[str, str, str, str, int, int]) -> float:
    """Play one opening twice; give the first agent's points of the two games."""
    game, one, other, budget, plies, number = task
    start = opening(game, number, plies)
    return play(start, (one, other), budget, 10 * number) + 1 - play(start, (other, one), budget, 10 * number + 5)


def report(points: list[float]) -> str:
    """Say the score with its 95% interval."""
    count, mean = len(points), sum(points) / len(points) / 2
    variance = sum((p / 2 - mean) ** 2 for p in points) / max(1, count - 1)
    error = 1.96 * math.sqrt(variance / count) if variance else 1.92 / (count + 1.92)  # all alike: Wilson's bound
    low, high = max(0.0, mean - error), min(1.0, mean + error)
    return f"{sum(points):g} of {2 * count}: {100 * mean:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"


def main() -> None:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--budget", default="playouts=10000")
    parser.add_argument("--plies", type=int, default=2, help="random moves of an opening")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="number of the first opening")
    given = parser.parse_args()
    numbers = range(given.seed, given.seed + (given.games + 1) // 2)
    tasks = [(given.game, given.one, given.other, given.budget, given.plies, number) for number in numbers]
    points: list[float] = []
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn")) as pool:
        for result in pool.map(pair, tasks):
            points.append(result)
            if sys.stderr.isatty():
                print(f"\r{report(points)}  ", end="", file=sys.stderr, flush=True)
    print(f"{given.game} {given.budget} {given.one} over {given.other}: {report(points)}")


if __name__ == "__main__":
    main()
