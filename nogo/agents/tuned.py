"""``tuned``: UCT with UCB1-Tuned."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "tuned",
    "UCT with UCB1-Tuned: explores where results vary",
    """score = mean + c sqrt(ln N / n * min(c2, variance + c1 sqrt(ln N / n))), c1 = sqrt(2) and c2 = 1/4: the largest
    variance that a reward between 0 and 1 can have.

    Auer, Cesa-Bianchi, Fischer (2002), section 4.""",
    policy="tuned",
    c=1.0,
)
