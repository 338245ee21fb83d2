"""``alphabeta``: alpha-beta over the game's own evaluation, deeper and deeper or to a fixed depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nogo.agent import Agent, AgentSpec, Choice, Option, require_move
from nogo.alphabeta import MAX_DEPTH, MAX_TABLE, AlphaBeta, AlphaBetaResult
from nogo.budget import Budget
from nogo.game import Game
from nogo.position import Position


class AlphaBetaAgent:
    """Plays the move that alpha-beta finds best; what it has learnt stays for the next move."""

    def __init__(self, game: Game, depth: int | None, table: int = 64, lost_moves: Sequence[int] = ()) -> None:
        """Make it for one game."""
        self.game = game
        self._search = AlphaBeta(game, depth, table, lost_moves)

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Search within the budget; a fixed depth minds the clock only, its nodes are not playouts."""
        position = require_move(self.game, position)
        fixed = self._search.depth is not None and budget.playouts is not None
        found = self._search.run(position, None if fixed else budget)
        return Choice(found.move, value=_reward(position, found), details=found)


def _reward(position: Position, found: AlphaBetaResult) -> float | None:
    """Give the mover's reward where it is proven; an evaluation is not an expected reward."""
    if not found.proven:
        return None
    return 0.5 if found.winner is None else float(found.winner == position.turn)


def create(game: Game, options: Mapping[str, Any], seed: int) -> Agent:
    """Make one; nothing in it is random."""
    return AlphaBetaAgent(game, options["depth"], options["table"])


SPEC = AgentSpec(
    name="alphabeta",
    factory=create,
    options=(
        Option("depth", int, None, "search exactly so deep; none: deeper and deeper", 1, MAX_DEPTH, optional=True),
        Option("table", int, 64, "MiB for the transposition table", 0, MAX_TABLE),
    ),
    summary="Alpha-beta with a transposition table, for games without chance",
    explanation="""Negamax with alpha-beta bounds over the game's own evaluation, iterative deepening and a
    transposition table. A budget of playouts counts moves made; with a fixed depth, of equal moves the first is played,
    and only time can cut it short. The value is shown where it is proven.

    Knuth, Moore: An analysis of alpha-beta pruning (1975).""",
)
