"""``random``: any legal move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nogo.agent import Agent, AgentSpec, Choice, require_move
from nogo.agents.preset import seed_at
from nogo.budget import Budget
from nogo.game import Game
from nogo.position import Position


class RandomAgent:
    """Draws uniformly from the legal moves."""

    def __init__(self, game: Game, seed: int) -> None:
        """Make it for one game."""
        self.game = game
        self._seed = seed

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Draw a move; the budget is not touched."""
        moves = require_move(self.game, position).legal_moves()
        return Choice(moves[seed_at(self._seed, position) % len(moves)])  # 64 bits: the bias is below 2**-56


def create(game: Game, options: Mapping[str, Any], seed: int) -> Agent:
    """Make one."""
    return RandomAgent(game, seed)


SPEC = AgentSpec(
    name="random",
    factory=create,
    summary="Any legal move, each as likely as the others",
    explanation="Draws uniformly from the legal moves, by the seed and the position. It spends no budget: the floor"
    " under every other agent.",
)
