"""``r1-root-uct``: the tournament entry of report R1."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "r1-root-uct",
    "Report R1 (Hollow NoGo): UCT, two trees that vote, UNST and EARLY",
    """score = mean + c sqrt(ln N / n). R1 rewards a win with +1, a loss with -1 and takes c = 0.5; here rewards are 1
    and 0, and 2 q - 1 + 0.5 s = 2 (q + 0.25 s) - 1, so c = 0.25 orders all moves exactly as R1 does.

    One child is expanded an iteration, in random order. threads=2 grows two trees of their own, each votes for its most
    visited move. UNST: when the most visited move is not the one of highest mean, search on for 0.25 of the budget, at
    most twice. EARLY: stop when the second move cannot catch up with 0.75 of the playouts still expected.
    R1's other form is r1-root-uct:parallel=leaf.

    Report R1; Huang, Coulom, Lin (2010); Baier, Winands (2012); Chaslot, Winands, van den Herik (2008).""",
    games=("nogo",),
    c=0.25,
    parallel="root",
    threads=2,
    vote=True,
    unst=0.25,
    unst_limit=2,
    early=0.75,
)
