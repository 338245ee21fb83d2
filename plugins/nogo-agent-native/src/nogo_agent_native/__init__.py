"""``native``: UCT for NoGo whose random games and evaluation are C functions of this package."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import nogo
from nogo.agent import require_move
from nogo.hookspecs import hookimpl

C = import_module(f"{__name__}._{nogo.build_info().isa}")  # built for the instruction set that nogo uses
OF_THE_SEARCH = ("c", "value", "parallel", "threads")


class Native:
    """A search that calls our C functions."""

    def __init__(self, game: nogo.Game, options: Mapping[str, Any], seed: int) -> None:
        settings = C.ffi.new("native_settings *", {name: options[name] for name in ("reply", "tempo", "scale")})
        functions = nogo.Native(C.ffi, C.lib.native_plugin(), settings)
        search = nogo.SearchOptions(**{name: options[name] for name in OF_THE_SEARCH})
        self.game, self.seed = game, seed
        self.search = nogo.Search(game, search, native=functions)

    def choose(self, position: nogo.Position, budget: nogo.Budget) -> nogo.Choice:
        """Search within the budget."""
        position = require_move(self.game, position)
        found = self.search.run(position, budget, seed=(self.seed + position.ply) % 2**64)
        return nogo.Choice(found.move, value=found.value, playouts=found.playouts, details=found)


OPTIONS = (
    nogo.Option("reply", float, 0.25, "probability of a random move beside the last one", least=0, most=1),
    nogo.Option("tempo", float, 0.5, "evaluation: what having to move costs, in moves", least=0, most=10),
    nogo.Option("scale", float, 2.4, "evaluation: the lead that makes odds of e to 1", least=0.1, most=100),
    nogo.Option("value", str, "playout", "what a leaf is worth", choices=("playout", "evaluation")),
    nogo.Option("c", float, 0.5, "weight of exploration", least=0, most=100),
    nogo.Option("parallel", str, "root", "how threads share the work", choices=("leaf", "root", "tree")),
    nogo.Option("threads", int, 1, "threads", least=1, most=256),
)


@hookimpl
def nogo_register_agents(register: Any) -> None:
    """Offer it."""
    nogo.Native(
        C.ffi, C.lib.native_plugin()
    )  # built for another version of the contract? Say so when agents are listed
    about = "UCT with random games and an evaluation of its own, in C"
    register(nogo.AgentSpec("native", Native, OPTIONS, about, __doc__ or "", games=("nogo",)))
