"""``halving``: sequential halving at the root, random games or small searches below it.

The budget is cut into as many equal rounds as it takes to halve the candidates down to one. In each round every
candidate gets the same share; then the worse half is dropped. What a candidate has been given adds up over the rounds:
random games (below=playouts), or playouts in a search tree of its own (below=search).

Karnin, Koren, Somekh: Almost optimal exploration in multi-armed bandits (2013); Cazenave: Sequential halving applied to
trees (2015).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping
from typing import Any

import nogo
from nogo.agent import require_move
from nogo.hookspecs import hookimpl

PROBE = 64  # playouts to find out how fast they are
IN_TIME = 0.9  # of the seconds: the last call must come back too


class Candidate:
    """A move, the position after it, and what playouts have said of that so far."""

    def __init__(self, position: nogo.Position, move: int, options: nogo.SearchOptions | None) -> None:
        self.move, self.player, self.after = move, position.turn, position.play(move)
        tree = options and not self.after.is_over and not self.after.is_chance
        self.search = nogo.Search(self.after.game, options) if tree and options else None
        self.games, self.reward = 0, 0.0  # the first player's, over all games

    def play(self, games: int, seed: int) -> None:
        """Spend so many playouts on it."""
        if self.after.is_over:
            self.games, self.reward = 1, result(self.after)
        elif self.search is None:
            self.games += games
            self.reward += games * nogo.playouts(self.after, games, seed=seed).mean
        else:
            found = self.search.run(self.after, nogo.Budget(playouts=games), seed=seed)  # goes on with its tree
            mean = float(found.visits @ found.means / max(1, found.visits.sum())) if found.visits.any() else found.value
            self.games += games
            self.reward = self.games * (mean if self.after.turn == nogo.FIRST else 1 - mean)

    @property
    def value(self) -> float:
        """What its player may expect."""
        mean = self.reward / max(1, self.games)
        return mean if self.player == nogo.FIRST else 1 - mean


def result(position: nogo.Position) -> float:
    """Tell the first player's reward at the end of a game."""
    return nogo.playouts(position, 1, seed=0).mean


class Purse:
    """What is left of a budget, in playouts."""

    def __init__(self, budget: nogo.Budget, position: nogo.Position) -> None:
        seconds = budget.seconds_for(position)
        self.left = budget.playouts or 0
        self.deadline = None if seconds is None else time.monotonic() + IN_TIME * seconds
        self.spent, self.began = 0, time.monotonic()

    def share(self, parts: int) -> int:
        """Give one of so many equal parts of what is left; always a playout at least."""
        if self.deadline is not None:
            if not self.spent:
                return PROBE
            now = time.monotonic()
            self.left = int(self.spent / max(1e-6, now - self.began) * (self.deadline - now))
        return max(1, self.left // parts)

    def pay(self, playouts: int) -> bool:
        """Take playouts out; tell whether anything is left."""
        self.left, self.spent = self.left - playouts, self.spent + playouts
        return self.left > 0 if self.deadline is None else time.monotonic() < self.deadline


class Halving:
    """Keeps nothing from move to move."""

    def __init__(self, game: nogo.Game, options: Mapping[str, Any], seed: int) -> None:
        self.game, self.seed = game, seed
        search = nogo.SearchOptions(c=options["c"], reuse=True, memory=16)
        self.options = search if options["below"] == "search" else None

    def choose(self, position: nogo.Position, budget: nogo.Budget) -> nogo.Choice:
        """Halve the legal moves until one is left, or nothing of the budget."""
        position = require_move(self.game, position)
        purse, dice = Purse(budget, position), random.Random(f"{self.seed} {position.key}")
        moves = position.legal_moves()
        dice.shuffle(moves)  # of equals, none is favoured by its place; and all cannot be tried with a tiny budget
        candidates = [Candidate(position, move, self.options) for move in moves[: budget.playouts]]
        for rounds in range(max(1, math.ceil(math.log2(len(candidates)))), 0, -1):
            share = purse.share(rounds * len(candidates))
            for candidate in candidates:
                candidate.play(share, seed=dice.randrange(2**64))
                if not purse.pay(share):
                    break
            candidates.sort(key=lambda candidate: (candidate.games > 0, candidate.value), reverse=True)
            candidates = candidates[: (len(candidates) + 1) // 2]
            if purse.left <= 0:
                break
        return nogo.Choice(candidates[0].move, value=candidates[0].value, playouts=purse.spent)


OPTIONS = (
    nogo.Option("below", str, "search", "what a candidate's playouts are", choices=("playouts", "search")),
    nogo.Option("c", float, 0.5, "below=search: weight of exploration", least=0, most=100),
)


@hookimpl
def nogo_register_agents(register: Any) -> None:
    """Offer it for every game."""
    register(nogo.AgentSpec("halving", Halving, OPTIONS, "Sequential halving at the root", __doc__ or ""))
