"""``normal``: report R4's opponent of depth 2, and what it shares with the one of depth 8."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nogo.agent import Agent, AgentSpec
from nogo.agents.alphabeta import AlphaBetaAgent
from nogo.game import Game

EXPLANATION = """Alpha-beta to depth {depth}. Evaluation: (opponent's least distance to its goal corner) - (own least
    distance), distance = the larger of the row and column distances, over the pieces left. Of equal moves the first is
    played: lower cube first, directions 0 to 3. With every line lost it plays the first diagonal move (direction 2).

    Report R4 won {won} of 1000 games against it with r4-tuned."""


def opponent(name: str, depth: int, won: int) -> AgentSpec:
    """Declare an opponent of a depth."""

    def create(game: Game, options: Mapping[str, Any], seed: int) -> Agent:
        return AlphaBetaAgent(game, depth, lost_moves=diagonals(game))

    summary = f"Report R4's opponent (EinStein): alpha-beta of depth {depth}"
    return AgentSpec(name, create, (), summary, EXPLANATION.format(depth=depth, won=won), games=("einstein",))


def diagonals(game: Game) -> list[int]:
    """List the moves in direction 2, lower cube first; a step is named by cube and direction."""
    names = ((move, game.move_name(move)) for move in range(game.move_count))
    return [move for move, name in names if name[0].isdigit() and name[1] == "2"]


SPEC = opponent("normal", depth=2, won=957)
