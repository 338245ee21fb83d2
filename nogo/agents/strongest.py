"""``strongest``: what plays each game best here."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from nogo.agent import Agent, AgentSpec
from nogo.agents.alphabeta import AlphaBetaAgent
from nogo.agents.preset import SearchAgent, search_options
from nogo.errors import ArgumentError
from nogo.game import Game
from nogo.search import SearchOptions

# Where the die is thrown alpha-beta cannot look, and a tree search takes its place.
SEARCHES = {
    "nogo": SearchOptions(policy="rave", c=0.0, expand="all", playout="both-legal", parallel="root"),
    "einstein": SearchOptions(value="evaluation", shortcuts=True, solver=True, parallel="root"),
}
TABLE = 16  # MiB: a larger one is touched for the first time move by move, and that takes longer than it saves
OPTIONS = ("threads", "memory")


def create(game: Game, options: Mapping[str, Any], seed: int) -> Agent:
    """Make what is strongest for the game."""
    if game.family == "nogo" or game.start().is_chance:
        return SearchAgent(game, dataclasses.replace(SEARCHES[game.family], **options), seed)
    if options["threads"] > 1:
        raise ArgumentError(f"threads={options['threads']}: alpha-beta, strongest at {game.name}, uses one thread")
    return AlphaBetaAgent(game, None, TABLE)


SPEC = AgentSpec(
    name="strongest",
    factory=create,
    options=tuple(option for option in search_options(SEARCHES["nogo"]) if option.name in OPTIONS),
    summary="What plays best here: another method for each game",
    explanation="""NoGo: MC-RAVE whose playouts choose among the points that both sides may still play. Othello and
    EinStein: alpha-beta with iterative deepening over the game's evaluation; on the board with a thrown die, a tree
    search with that evaluation at its leaves. docs/strength.md has the matches that chose them.""",
)
