"""The agents that come with the package: a plugin like any other, one module an agent."""

from __future__ import annotations

from collections.abc import Callable

from nogo.agent import AgentSpec
from nogo.agents import (
    alphabeta,
    easy,
    einstein_cli,
    gtp,
    hard,
    normal,
    pruning,
    r1_root_uct,
    r2_rave,
    r3_pruning,
    r3_ucb,
    r3_uct,
    r4_mcs,
    r4_tuned,
    r5_uct,
    random,
    rave,
    strongest,
    tuned,
    ucb,
    uct,
)
from nogo.hookspecs import hookimpl

MODULES = (
    *(random, ucb, uct, pruning, tuned, rave, alphabeta, strongest),
    *(r1_root_uct, r2_rave, r3_ucb, r3_uct, r3_pruning, r4_mcs, r4_tuned, r5_uct),
    *(easy, normal, hard, einstein_cli, gtp),
)


@hookimpl
def nogo_register_agents(register: Callable[[AgentSpec], None]) -> None:
    """Offer them."""
    for module in MODULES:
        register(module.SPEC)
