"""``easy``: the weakest of report R4's opponents."""

from __future__ import annotations

from nogo.agent import AgentSpec
from nogo.agents.random import create

SPEC = AgentSpec(
    name="easy",
    factory=create,
    summary="Report R4's opponent (EinStein): any legal move",
    explanation="Uniformly random. Report R4 won 990 of 1000 games against it with r4-tuned.",
    games=("einstein",),
)
