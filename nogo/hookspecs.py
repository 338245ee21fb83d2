"""The hooks a plugin may implement. Each docstring is the contract.

A plugin is a module with functions of these names, marked with `hookimpl`, and an entry point that names the module: in
the group ``nogo``, and called like the agent, for each agent that it offers; in the group ``nogo.observers`` when it
observes games. The built-in agents come in by the same door.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import pluggy

from nogo.agent import AgentSpec

GROUP: Final = "nogo"
OBSERVERS: Final = "nogo.observers"
hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


@hookspec
def nogo_register_agents(register: Callable[[AgentSpec], None]) -> None:
    """Offer agents: call ``register(AgentSpec(...))`` once for each.

    For entry points of the group ``nogo``. Called once a process: when an agent is asked for that an entry point of the
    module is called like, or one that none is called like, or when all agents are listed. Make it quick: factories may
    import what is slow. When it raises, none of its agents is taken.

    A name that entry points of two distributions have is refused to both. Of other claims to one name, the one of this
    package and the one of an entry point called so go before the others, which are refused.
    """


@hookspec
def nogo_game_finished(record: Mapping[str, object]) -> None:
    """Observe a game that has ended and is on disk: ``record`` is its line of the match's file, read-only.

    For entry points of the group ``nogo.observers``. Called in the process that runs the match, after each game, in the
    order in which they end. What it raises is shown as a warning that names the plugin, and the match goes on; what it
    returns is not looked at.
    """
