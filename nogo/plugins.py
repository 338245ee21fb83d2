"""The plugins that are installed: found by their entry points, blocked by the environment, and imported one by one.

The entry points are walked here and not by pluggy, which would drop in silence a plugin that fails to import and a
hook that is misspelt: each is an error that can be laid at its distribution's door.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any, Final

import pluggy

from nogo import hookspecs
from nogo.arguments import nearest
from nogo.errors import NogoError, PluginError

OURS: Final = "nogo"  # the distribution of the built-in agents
BLOCK: Final = "NOGO_DISABLE_PLUGINS"


@dataclass(frozen=True)
class Origin:
    """The distribution that something comes from."""

    distribution: str
    version: str
    entry_point: str

    def __str__(self) -> str:
        """Name and version."""
        return f"{self.distribution} {self.version}"

    @property
    def is_ours(self) -> bool:
        """Whether it comes with this package."""
        return _normal(self.distribution) == OURS


@dataclass(frozen=True)
class Problem:
    """Why a plugin, or an agent of it, is not there."""

    origin: Origin
    what: str

    def __str__(self) -> str:
        """One line."""
        return f"plugin {self.origin.entry_point!r} of {self.origin}: {self.what}"


@dataclass(frozen=True)
class Plugin:
    """An entry point of ours, not imported yet."""

    origin: Origin
    entry_point: metadata.EntryPoint

    @property
    def observes(self) -> bool:
        """Whether it observes games; else it offers agents."""
        return self.entry_point.group == hookspecs.OBSERVERS

    def load(self) -> pluggy.PluginManager:
        """Import it into a manager of its own, so that whatever is wrong is known to be its fault."""
        manager = pluggy.PluginManager(hookspecs.GROUP)
        manager.add_hookspecs(hookspecs)
        module = self.entry_point.load()
        manager.register(module, self.entry_point.name)
        try:
            manager.check_pending()
        except pluggy.PluginValidationError:
            raise PluginError(_misspelt(manager, module)) from None
        needed = "nogo_game_finished" if self.observes else "nogo_register_agents"
        if needed not in {caller.name for caller in manager.get_hookcallers(module) or []}:
            raise PluginError(
                f"it has no {needed}, which the entry points of the group {self.entry_point.group} are for;"
                " mark a function of this name with nogo.hookspecs.hookimpl"
            )
        return manager


def hook_names() -> list[str]:
    """Name the hooks there are."""
    return [name for name, _ in inspect.getmembers(hookspecs, inspect.isfunction) if name.startswith("nogo_")]


def _misspelt(manager: pluggy.PluginManager, module: Any) -> str:
    known = hook_names()
    name = next(caller.name for caller in manager.get_hookcallers(module) or [] if caller.name not in known)
    return f"unknown hook {name!r}; {nearest(name, known)}hooks are {', '.join(known)}"


# ---- what the user does not want ----


@dataclass
class Blocked:
    """Plugins and agents that NOGO_DISABLE_PLUGINS shuts out: ``all``, or names of distributions and agents.

    What comes with the package is never shut out.
    """

    words: frozenset[str]
    used: set[str] = field(default_factory=set)

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Blocked:
        """Read it from the environment."""
        words = re.split(r"[,\s]+", environment.get(BLOCK, ""))
        return cls(frozenset(_normal(word) for word in words if word))

    def has(self, origin: Origin, agent: str | None = None) -> bool:
        """Tell whether a distribution, or an agent of it, is shut out."""
        if origin.is_ours:
            return False
        names = {"all", _normal(origin.distribution) if agent is None else _normal(agent)}
        self.used |= names & self.words
        return bool(names & self.words)


# ---- what is installed ----


def installed(path: Sequence[str] | None, blocked: Blocked, problems: list[Problem]) -> list[Plugin]:
    """List the plugins on a path (that of Python unless told), without importing any.

    A distribution that is seen twice counts once, as for an import.
    """
    seen: dict[tuple[str, str, str], Plugin] = {}
    for distribution in metadata.distributions(path=list(sys.path if path is None else path)):
        for plugin in _of(distribution, problems):
            entry = plugin.entry_point
            seen.setdefault((_normal(plugin.origin.distribution), entry.group, entry.name), plugin)
    return [plugin for plugin in seen.values() if not blocked.has(plugin.origin)]


def _of(distribution: metadata.Distribution, problems: list[Problem]) -> list[Plugin]:
    try:
        if f"[{hookspecs.GROUP}" not in (distribution.read_text("entry_points.txt") or ""):
            return []  # nearly all of them; parsing would take longer
        return list(_plugins(distribution))
    except Exception as error:  # noqa: BLE001, RUF100 - a damaged distribution must not take the others along
        problems.append(Problem(_origin(distribution, "?"), f"its entry_points.txt cannot be read: {said(error)}"))
        return []


def _plugins(distribution: metadata.Distribution) -> Iterator[Plugin]:
    for entry_point in distribution.entry_points:
        if entry_point.group in (hookspecs.GROUP, hookspecs.OBSERVERS):
            yield Plugin(_origin(distribution, entry_point.name), entry_point)


def _origin(distribution: metadata.Distribution, entry_point: str) -> Origin:
    about = distribution.metadata
    return Origin(about["Name"] or "a nameless distribution", about["Version"] or "?", entry_point)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def said(error: BaseException) -> str:
    """Say an error in one line, with its kind unless it is ours."""
    words = " ".join(str(error).split())
    return words if isinstance(error, NogoError) else f"{type(error).__name__}: {words}"
