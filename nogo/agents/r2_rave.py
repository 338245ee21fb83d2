"""``r2-rave``: report R2's MC-RAVE."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "r2-rave",
    "Report R2 (Hollow NoGo): MC-RAVE, minimum-MSE schedule",
    """score = (1 - beta) q + beta q_amaf + c sqrt(ln N / (n + 1)), from the view of the side to move;
    beta = m / (n + m + 4 n m b^2), n visits, m AMAF visits, b = 0.025. All children are expanded at once, the most
    visited move is played. R2 does not say its c; 0.25 is chosen here, R1's constant for the same game.

    R2 plays on a clock of 300 s with a plan by own-move number: --budget clock=300s,plan=r2.

    Report R2; Gelly, Silver (2011).""",
    games=("nogo",),
    policy="rave",
    schedule="mse",
    b=0.025,
    c=0.25,
    expand="all",
)
