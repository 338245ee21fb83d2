"""C functions of a plugin, for a search to call in its inner loop: a way to play at random, an evaluation, or both.

The plugin is a cffi extension module that was built against the headers in `nogo.get_include()` and defines a
``nogo_plugin``; csrc/plugin.h and docs/writing-agents.md say what its functions may do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nogo import core
from nogo.arguments import shown
from nogo.errors import ArgumentError, HandleError

if TYPE_CHECKING:
    from nogo.game import Game


class Native:
    """The functions of one ``nogo_plugin``, checked to be of this version of the contract."""

    def __init__(self, ffi: Any, plugin: Any, data: Any = None) -> None:
        """Take a pointer to a ``nogo_plugin``, and one to the data its functions are given, both of this cffi ffi.

        Several threads read the data during a search: it must not be changed then.
        """
        self._keep = (ffi, plugin, data)  # their memory is used for as long as this lives
        address, data_address = _address(ffi, "plugin", plugin), 0 if data is None else _address(ffi, "data", data)
        self._plugin = core.plugin_at(address)
        self._facts = core.plugin_facts(self._plugin)
        self._data = core.data_pointer(data_address)

    @property
    def name(self) -> str:
        """What it calls itself."""
        return self._facts.name

    @property
    def plays(self) -> bool:
        """Whether it has a playout."""
        return self._facts.plays

    @property
    def evaluates(self) -> bool:
        """Whether it has an evaluation."""
        return self._facts.evaluates

    @property
    def settings(self) -> dict[str, Any]:
        """What the engine's search is told; for `Search` only."""
        return {"plugin": self._plugin, "plugin_data": self._data}

    def require(self, game: Game, playout: str, value: str) -> None:
        """Refuse a game it does not know, and settings of a search under which it would not be asked."""
        if self._facts.family not in (None, game.family):
            raise ArgumentError(f"the C functions {self.name!r} are for games of {self._facts.family}, not {game.name}")
        if self.plays and playout != "uniform":
            raise ArgumentError(f"playout={playout}: the C functions {self.name!r} play themselves; leave playout out")
        if not self.plays and value == "playout":
            raise ArgumentError(
                f"value=playout never asks the C functions {self.name!r}, which evaluate; use value=evaluation or plies"
            )
        if not self.evaluates and value != "playout":
            raise ArgumentError(f"value={value} never asks the C functions {self.name!r}, which only play")

    def __repr__(self) -> str:
        """Name it and what it has."""
        has = " and ".join(what for what, there in (("playout", self.plays), ("evaluate", self.evaluates)) if there)
        return f"<nogo.Native {self.name}: {has}>"

    def __reduce__(self) -> Any:
        """Refuse to travel: memory of C stays in its process."""
        raise HandleError(f"{self!r} is memory of this process; make one in each process")


def _address(ffi: Any, what: str, pointer: Any) -> int:
    try:
        if ffi.typeof(pointer).kind in ("pointer", "array"):
            return int(ffi.cast("uintptr_t", pointer))
    except Exception:  # noqa: BLE001, S110, RUF100 - each cffi module has errors of its own; said below
        pass
    raise HandleError(
        f"{what}={shown(pointer)} is not a pointer of {shown(ffi)}; give nogo.Native the ffi of a cffi module,"
        " a pointer to its nogo_plugin and, if its functions read any, one to their data"
    )
