"""``uct``: UCB1 at every node of a tree."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "uct",
    "UCT: a tree of UCB1 choices, a random game from each leaf",
    """score = mean + c sqrt(ln N / n), at every node from the view of the side to move; N visits of the node, n of the
    child. Plays the most visited move.

    Kocsis, Szepesvari: Bandit based Monte-Carlo planning (2006).""",
)
