"""``ucb``: flat Monte-Carlo with UCB1 over the root's moves."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "ucb",
    "Flat UCB1: random games shared among the root's moves, no tree",
    """score = mean + c sqrt(ln N / n), over the moves of the root only; N playouts in all, n of them through the move.
    Plays the move of highest mean.

    Auer, Cesa-Bianchi, Fischer: Finite-time analysis of the multiarmed bandit problem (2002).""",
    flat=True,
    choice="mean",
)
