"""``mobility``: plays where it will have the most moves, and the opponent the fewest, one or two plies ahead."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import nogo
from nogo.agent import require_move
from nogo.hookspecs import hookimpl

WON = 1000  # more than any difference


class Mobility:
    """Looks at every move, and with depth=2 at every answer too."""

    def __init__(self, game: nogo.Game, options: Mapping[str, Any], seed: int) -> None:
        self.game, self.depth = game, options["depth"]

    def choose(self, position: nogo.Position, budget: nogo.Budget) -> nogo.Choice:
        """Choose the move with the best difference; the first of equals."""
        position = require_move(self.game, position)
        seconds = budget.seconds_for(position)
        deadline = None if seconds is None else time.monotonic() + seconds / 2
        worth: dict[int, int] = {}
        for move in position.legal_moves():
            late = deadline is not None and time.monotonic() > deadline
            worth[move] = self.worth(position.play(move), position.turn, 1 if late else self.depth)
        return nogo.Choice(max(worth, key=lambda move: worth[move]))

    def worth(self, position: nogo.Position, player: int, depth: int) -> int:
        """Tell the player's moves less the opponent's, after the opponent's best answer if depth is 2."""
        if position.is_over:
            return 0 if position.winner is None else WON if position.winner == player else -WON
        if depth == 1 or position.turn != 1 - player:
            return len(position.legal_moves(player)) - len(position.legal_moves(1 - player))
        return min(self.worth(position.play(move), player, 1) for move in position.legal_moves())


OPTIONS = (nogo.Option("depth", int, 1, "plies to look ahead", least=1, most=2),)


@hookimpl
def nogo_register_agents(register: Any) -> None:
    """Offer it for the games without dice."""
    register(nogo.AgentSpec("mobility", Mobility, OPTIONS, "Most moves, fewest answers", __doc__, ("nogo", "othello")))
