"""``r3-pruning``: report R3's UCT with pruning by visits."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "r3-pruning",
    "Report R3 (Othello): r3-uct that cuts seldom visited moves",
    """As r3-uct, and every 1000 iterations the moves of the root are cut whose visits are not above
    (iterations / number of moves).

    Report R3.""",
    games=("othello",),
    c=1.414,
    favour=2.0,
    reuse=True,
    prune="visits",
    prune_every=1000,
)
