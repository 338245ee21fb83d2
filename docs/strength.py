"""Plays two agents against each other in pairs of games and prints the score: how docs/strength.md was measured.

    python docs/strength.py hollow-nogo rave uct --games 400 --budget playouts=10000

A pair is one random opening played twice with the colours swapped; EinStein's cubes and dice are drawn with it. The
interval is a normal one over pairs, whose two games are not independent. The mean time a move of both is printed too;
--other-budget gives the second agent another budget, to make them equal. Processes are started by spawn.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
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


class Player:
    """An agent with its budget, and the time it has taken."""

    def __init__(self, name: str, budget: str) -> None:
        self.name, self.budget = name, nogo.Budget.parse(budget)
        self.moves, self.seconds = 0, 0.0

    def begin(self, game: nogo.Game, seed: int) -> None:
        """Start a game."""
        self.agent = registry.create(self.name, game, seed=seed)

    def choose(self, position: nogo.Position) -> int:
        """Choose a move, and time it."""
        began = time.perf_counter()
        move = self.agent.choose(position, self.budget).move
        self.seconds += time.perf_counter() - began
        self.moves += 1
        return move


def play(position: nogo.Position, players: tuple[Player, Player], seed: int) -> float:
    """Play on to the end and give the first player's points: 1, 0.5 or 0."""
    for side, player in enumerate(players):
        player.begin(position.game, seed + side)
    dice = random.Random(seed)
    while not position.is_over:
        if position.is_chance:
            position = position.play(dice.choice(position.legal_moves()))
        else:
            position = position.play(players[position.turn].choose(position))
    return 0.5 if position.winner is None else float(position.winner == nogo.FIRST)


def pair(task: tuple[str, tuple[str, str], tuple[str, str], int, int]) -> tuple[float, list[tuple[int, float]]]:
    """Play one opening twice; give the first agent's points of the two games, and what time was taken."""
    game, names, budgets, plies, number = task
    start = opening(game, number, plies)
    one, other = (Player(name, budget) for name, budget in zip(names, budgets, strict=True))
    points = play(start, (one, other), 10 * number) + 1 - play(start, (other, one), 10 * number + 5)
    return points, [(player.moves, player.seconds) for player in (one, other)]


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
    parser.add_argument("--other-budget", help="of the second agent, where it differs")
    parser.add_argument("--plies", type=int, default=2, help="random moves of an opening")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="number of the first opening")
    given = parser.parse_args()
    numbers = range(given.seed, given.seed + (given.games + 1) // 2)
    names, budgets = (given.one, given.other), (given.budget, given.other_budget or given.budget)
    tasks = [(given.game, names, budgets, given.plies, number) for number in numbers]
    points: list[float] = []
    times: list[list[tuple[int, float]]] = []
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn")) as pool:
        for result, taken in pool.map(pair, tasks):
            points.append(result)
            times.append(taken)
            if sys.stderr.isatty():
                print(f"\r{report(points)}  ", end="", file=sys.stderr, flush=True)
    means = (sum(t[side][1] for t in times) / sum(t[side][0] for t in times) for side in (0, 1))
    print(
        f"{given.game} {' / '.join(dict.fromkeys(budgets))} {given.one} over {given.other}: {report(points)},",
        " and ".join(f"{1000 * mean:.1f}" for mean in means),
        "ms a move",
    )


if __name__ == "__main__":
    main()
