"""``r4-tuned``: report R4's UCB1-Tuned tree search with shortcuts."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "r4-tuned",
    "Report R4 (EinStein): UCB1-Tuned, shortcuts, 25 playouts a leaf",
    """score = mean + c sqrt(ln N / n * min(variance + c1 sqrt(ln N / n), c2)), c = 0.6, c1 = 1.414, c2 = 0.25. Graded
    results: 1.0 for capturing all, 0.9 for the corner, 0.1 and 0.0 for the same by the opponent.

    Shortcuts at the root and in every playout: a single legal move and an immediately winning one are played at once.
    25 playouts whenever a leaf is reached; a leaf gets children after 200 playouts through it. Plays the move of
    highest mean. R4's temperatures are descent_k, and choice=temperature with choice_k, K = 1 / T.

    Report R4; it plays 1.8 s a move: --budget time=1.8s.""",
    games=("einstein",),
    policy="tuned",
    c=0.6,
    c1=1.414,
    c2=0.25,
    threshold=200,
    playouts=25,
    shortcuts=True,
    playout="shortcut",
    choice="mean",
    memory=1024,
)
