"""``pruning``: UCT that gives up hopeless moves of the root."""

from __future__ import annotations

from nogo.agents.preset import preset

SPEC = preset(
    "pruning",
    "UCT with progressive pruning: hopeless moves of the root are cut",
    """UCT; a move of the root is cut when its mean + prune_rd sigma lies below another's mean - prune_rd sigma, each
    after prune_samples playouts and once sigma is below prune_sigma. prune=visits cuts by visit counts instead, every
    prune_every playouts. The best move is never cut.

    Bouzy: Move-pruning techniques for Monte-Carlo Go (2005).""",
    prune="statistical",
)
