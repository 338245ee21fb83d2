"""``r3-ucb``: report R3's flat UCB."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "r3-ucb",
    "Report R3 (Othello): flat UCB1, corners favoured",
    """score = mean + c sqrt(ln N / n), c = 1.414, over the moves of the root; a corner's score counts twice. Win 1,
    draw 0.5, loss 0. Plays the move of highest mean.

    Report R3; Auer, Cesa-Bianchi, Fischer (2002).""",
    games=("othello",),
    flat=True,
    c=1.414,
    choice="mean",
    favour=2.0,
)
