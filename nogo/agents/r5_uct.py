"""``r5-uct``: report R5's plain UCT."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "r5-uct",
    "Report R5 (NoGo): plain UCT",
    """R5's score is q + 0.5 sqrt(2 ln N / n); the factor sqrt(2) goes into c here, which is 0.7071. An unvisited child
    comes first; all children are made at a leaf's first visit, and one of them, drawn at random, gets the playout. Win
    1, loss 0. Plays the most visited move; the tree is dropped after it.

    R5 does not say its c; 0.5 is chosen here. Report R5; it plays 1 s a move: --budget time=1s.""",
    games=("nogo",),
    c=0.7071,
    threshold=0,
)
