"""``r3-uct``: report R3's UCT."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "r3-uct",
    "Report R3 (Othello): UCT that keeps its tree, corners favoured",
    """score = mean + c sqrt(ln N / n), c = 1.414, largest on the own turn and smallest on the opponent's (here: the
    mean of the side to move, always the largest: the same). A corner's score counts twice. One child is expanded at a
    time; the tree is kept from move to move.

    Report R3; Kocsis, Szepesvari (2006).""",
    games=("othello",),
    c=1.414,
    favour=2.0,
    reuse=True,
)
