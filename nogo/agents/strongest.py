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

# By family; where the die is thrown alpha-beta cannot look, and the tree search takes its place.
SEARCHES = {
    "nogo": SearchOptions(policy="rave", c=0.0, expand="all", playout="both-legal", parallel="root"),
    "othello": SearchOptions(value="evaluation", solver=True, parallel="root"),
    "einstein": SearchOptions(value="evaluation", shortcuts=True, solver=True, parallel="root"),
}
OPTIONS = ("threads", "memory")


def create(game: Game, options: Mapping[str, Any], seed: int) -> Agent:
    """Make what is strongest for the game."""
    if game.family == "einstein" and not game.start().is_chance:
        if options["threads"] > 1:
            raise ArgumentError(f"threads={options['threads']}: alpha-beta, strongest at {game.name}, uses one thread")
        return AlphaBetaAgent(game, None, min(options["memory"], 256))
    return SearchAgent(game, dataclasses.replace(SEARCHES[game.family], **options), seed)


SPEC = AgentSpec(
    name="strongest",
    factory=create,
    options=tuple(option for option in search_options(SEARCHES["nogo"]) if option.name in OPTIONS),
    summary="What plays best here: another method for each game",
    explanation="""NoGo: MC-RAVE whose playouts choose among the points that both sides may still play. EinStein:
    alpha-beta with iterative deepening over the distance evaluation; on the board with a thrown die, a tree search with
    that evaluation at its leaves. Othello: UCT with the evaluation at its leaves in place of playouts.

    By self-play at equal time of each method against plain UCT.""",
)
