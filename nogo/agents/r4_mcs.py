"""``r4-mcs``: report R4's flat search, its own point of comparison."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "r4-mcs",
    "Report R4 (EinStein): flat Monte-Carlo with r4-tuned's playouts",
    """score = mean + c sqrt(ln N / n * min(variance + c1 sqrt(ln N / n), c2)) over the moves of the root only, 25
    playouts each time; c = 0.6, c1 = 1.414, c2 = 0.25. Shortcuts and graded results as in r4-tuned. Plays the move
    of highest mean.

    Report R4; it plays 1.8 s a move: --budget time=1.8s.""",
    games=("einstein",),
    policy="tuned",
    flat=True,
    c=0.6,
    c1=1.414,
    c2=0.25,
    playouts=25,
    shortcuts=True,
    playout="shortcut",
    choice="mean",
)
