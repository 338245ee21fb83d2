"""The hooks a plugin may implement. Each docstring is the contract.

A plugin is a module with functions of these names, marked with `hookimpl`, and an entry point of the group ``nogo``
that names the module. The built-in agents come in by the same door.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import pluggy

from nogo.agent import AgentSpec

GROUP: Final = "nogo"
hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


@hookspec
def nogo_register_agents(register: Callable[[AgentSpec], None]) -> None:
    """Offer agents: call ``register(AgentSpec(...))`` once for each.

    Called once a process, when an agent is first asked for; make it quick: factories may import what is slow. A name
    that another distribution claims too is refused to both. When the function raises, none of its agents is taken.
    """


@hookspec
def nogo_game_finished(record: Mapping[str, object]) -> None:
    """Observe a game that has ended and is on disk: ``record`` is its line of the match's file, read-only.

    Called in the process that runs the match, after each game, in the order in which they end. What it raises is
    shown as a warning that names the plugin, and the match goes on; what it returns is not looked at.
    """
