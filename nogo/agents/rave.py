"""``rave``: UCT that learns from all moves of a playout as if they had come first."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "rave",
    "MC-RAVE: every move of a random game counts as if it had come first",
    """score = (1 - beta) mean + beta mean_amaf + c sqrt(ln N / (n + 1)); n visits, m AMAF visits of the child.
    schedule=mse: beta = m / (n + m + 4 n m b^2). schedule=hand: beta = sqrt(k / (3 n + k)). schedule=haha: the formula
    of HaHaNoGo, (r m + q n + c sqrt(ln N * n)) / (n + m), to be used with prior=20 and c=0.25.

    Gelly, Silver: Monte-Carlo tree search and rapid action value estimation in computer Go (2011).""",
    policy="rave",
    c=0.0,
    expand="all",
)
