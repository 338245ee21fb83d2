"""The agents that are installed, by name. Loaded when first asked, then kept.

The entry points are walked here and not by pluggy, which would drop in silence a plugin that fails to import and a
hook that is misspelt: each is named with its distribution and skipped, or with ``strict`` an error.
"""

from __future__ import annotations

import inspect
import re
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import metadata
from types import MappingProxyType

import pluggy

from nogo import hookspecs
from nogo.agent import Agent, AgentSpec, Value
from nogo.arguments import nearest, shown, whole_seed
from nogo.errors import AgentNameError, ArgumentError, NogoError, OptionError, PluginError
from nogo.game import Game


@dataclass(frozen=True)
class Origin:
    """The distribution that something comes from."""

    distribution: str
    version: str
    entry_point: str

    def __str__(self) -> str:
        """Name and version."""
        return f"{self.distribution} {self.version}"


@dataclass(frozen=True)
class Registered:
    """An agent that can be had, and from whom."""

    spec: AgentSpec
    origin: Origin


@dataclass(frozen=True)
class Problem:
    """Why a plugin, or an agent of it, is not there."""

    origin: Origin
    what: str

    def __str__(self) -> str:
        """One line."""
        return f"plugin {self.origin.entry_point!r} of {self.origin}: {self.what}"


@dataclass(frozen=True)
class Selection:
    """An agent with a value for each of its options."""

    spec: AgentSpec
    options: Mapping[str, Value]

    def __str__(self) -> str:
        """Give the shortest text that selects the same."""
        return self.spec.select(self.options)

    def require(self, game: Game) -> None:
        """Refuse a game that the agent does not play."""
        games = self.spec.games
        if games is not None and game.family not in games:
            raise AgentNameError(
                f"agent {self.spec.name!r} does not play {game.name}, only games of {', '.join(games)};"
                " nogo agents lists who plays what"
            )

    def create(self, game: Game, seed: int) -> Agent:
        """Make the agent for a game."""
        self.require(game)
        return self.spec.factory(game, MappingProxyType(dict(self.options)), whole_seed(seed))


@dataclass
class _Loaded:
    """What the walk over the entry points has found."""

    offers: dict[str, list[Registered]] = field(default_factory=dict)
    """By agent name; a name with several offers is refused."""
    problems: list[Problem] = field(default_factory=list)
    plugins: list[tuple[Origin, pluggy.PluginManager]] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names that can be had, sorted."""
        return sorted(name for name, offers in self.offers.items() if len(offers) == 1)


class Registry:
    """Agents by name, from the entry points of the distributions on a path (that of Python unless told)."""

    def __init__(self, *, path: Sequence[str] | None = None, strict: bool = False) -> None:
        """Remember where to look; nothing is loaded yet."""
        self._path = path
        self._strict = strict
        self._lock = threading.RLock()

    def agents(self) -> list[Registered]:
        """List the agents that can be had, by name."""
        contents = self._contents
        return [contents.offers[name][0] for name in contents.names]

    def problems(self) -> list[Problem]:
        """List what is installed but could not be used, and why."""
        return list(self._contents.problems)

    def get(self, name: str) -> AgentSpec:
        """Find an agent by its plain name."""
        return self.find(name).spec

    def find(self, name: str) -> Registered:
        """Find an agent and where it comes from."""
        offers = self._contents.offers.get(name, []) if isinstance(name, str) else []
        if not offers:
            raise AgentNameError(self._unknown(name))
        if len(offers) > 1:
            raise PluginError(_claimed(offers))
        return offers[0]

    def select(self, text: str) -> Selection:
        """Read a selection, e.g. ``rave:c=0.3,threads=2``, and check all of it."""
        if not isinstance(text, str):
            raise AgentNameError(f"{shown(text)} is not an agent; write e.g. 'rave' or 'rave:c=0.3,threads=2'")
        name, _, rest = text.partition(":")
        spec = self.get(name.strip())
        return Selection(spec, MappingProxyType(spec.values(_pairs(spec.name, rest))))

    def create(self, text: str, game: Game, seed: int) -> Agent:
        """Make the agent that a text selects."""
        return self.select(text).create(game, seed)

    def game_finished(self, record: Mapping[str, object]) -> None:
        """Show a finished game to every plugin that observes; one that fails is warned of by name."""
        for origin, plugin in self._contents.plugins:
            try:
                plugin.hook.nogo_game_finished(record=MappingProxyType(dict(record)))
            except Exception as error:  # noqa: BLE001, RUF100 - whatever a stranger's code raises
                warnings.warn(f"{Problem(origin, f'nogo_game_finished failed: {_said(error)}')}", stacklevel=2)

    def _unknown(self, name: object) -> str:
        known, failed = self._contents.names, len(self._contents.problems)
        text = f"unknown agent {shown(name)}; {nearest(str(name), known)}known: {', '.join(known) or 'none'}"
        return f"{text} (and {failed} plugin problem(s), see: nogo agents)" if failed else text

    @property
    def _contents(self) -> _Loaded:
        with self._lock:  # two threads that ask first at once load once
            return self._load

    @cached_property
    def _load(self) -> _Loaded:
        loaded = _Loaded()
        for origin, entry_point in _entry_points(self._path, loaded.problems):
            try:
                _take(loaded, origin, entry_point)
            except (Exception, SystemExit) as error:  # whatever a stranger's code raises
                if self._strict:
                    raise PluginError(str(Problem(origin, _said(error)))) from error
                loaded.problems.append(Problem(origin, _said(error)))
        for offers in loaded.offers.values():
            if len(offers) > 1:
                loaded.problems.append(Problem(offers[-1].origin, _claimed(offers)))
        if self._strict and loaded.problems:
            raise PluginError("; ".join(map(str, loaded.problems)))
        return loaded


def _entry_points(path: Sequence[str] | None, problems: list[Problem]) -> Iterator[tuple[Origin, metadata.EntryPoint]]:
    """Walk our group's entry points. A distribution seen twice on the path counts once, as for an import."""
    seen = set()
    for distribution in metadata.distributions(path=list(sys.path if path is None else path)):
        for origin, entry_point in _ours(distribution, problems):
            key = re.sub(r"[-_.]+", "-", origin.distribution).lower(), origin.entry_point
            if key not in seen:
                seen.add(key)
                yield origin, entry_point


def _ours(distribution: metadata.Distribution, problems: list[Problem]) -> list[tuple[Origin, metadata.EntryPoint]]:
    try:
        if f"[{hookspecs.GROUP}]" not in (distribution.read_text("entry_points.txt") or ""):
            return []  # nearly all of them; parsing would take longer
        return [
            (_origin(distribution, entry_point.name), entry_point)
            for entry_point in distribution.entry_points
            if entry_point.group == hookspecs.GROUP
        ]
    except Exception as error:  # noqa: BLE001, RUF100 - a damaged distribution must not take the others along
        problems.append(Problem(_origin(distribution, "?"), f"its entry_points.txt cannot be read: {_said(error)}"))
        return []


def _origin(distribution: metadata.Distribution, entry_point: str) -> Origin:
    about = distribution.metadata
    return Origin(about["Name"] or "a nameless distribution", about["Version"] or "?", entry_point)


def _take(loaded: _Loaded, origin: Origin, entry_point: metadata.EntryPoint) -> None:
    """Load a plugin and list its agents: all of them, or none when anything raises."""
    plugin = _verified(entry_point)
    specs: list[AgentSpec] = []

    def register(spec: AgentSpec) -> None:
        if not isinstance(spec, AgentSpec):
            raise ArgumentError(f"register() was given {shown(spec)}; give it a nogo.AgentSpec")
        specs.append(spec)

    plugin.hook.nogo_register_agents(register=register)
    loaded.plugins.append((origin, plugin))
    for spec in specs:
        loaded.offers.setdefault(spec.name, []).append(Registered(spec, origin))


def _verified(entry_point: metadata.EntryPoint) -> pluggy.PluginManager:
    """Import a plugin into a manager of its own, so that whatever is wrong can be laid at its door."""
    manager = pluggy.PluginManager(hookspecs.GROUP)
    manager.add_hookspecs(hookspecs)
    module = entry_point.load()
    manager.register(module, entry_point.name)
    known = hook_names()
    misspelt = [caller.name for caller in manager.get_hookcallers(module) or [] if caller.name not in known]
    try:
        manager.check_pending()
    except pluggy.PluginValidationError:
        name = misspelt[0] if misspelt else "?"
        raise PluginError(f"unknown hook {name!r}; {nearest(name, known)}hooks are {', '.join(known)}") from None
    if not manager.get_hookcallers(module):
        raise PluginError(f"it implements no hook; mark one of {', '.join(known)} with nogo.hookspecs.hookimpl")
    return manager


def hook_names() -> list[str]:
    """Name the hooks there are."""
    return [name for name, _ in inspect.getmembers(hookspecs, inspect.isfunction) if name.startswith("nogo_")]


def _said(error: BaseException) -> str:
    """Say an error in one line, with its kind unless it is ours."""
    words = " ".join(str(error).split())
    return words if isinstance(error, NogoError) else f"{type(error).__name__}: {words}"


def _claimed(offers: Sequence[Registered]) -> str:
    origins = " and ".join(str(offer.origin) for offer in offers)
    return f"agent {offers[0].spec.name!r} is offered by {origins}; it is refused until one of them is uninstalled"


def _pairs(agent: str, text: str) -> dict[str, str]:
    """Read ``key=value,...``; an empty text is no options."""
    pairs: dict[str, str] = {}
    for part in text.split(",") if text.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not key or not equals:
            raise OptionError(
                f"agent {agent!r}: {shown(part)} is not key=value; write e.g. {agent}:key=value,key=value"
            )
        if key in pairs:
            raise OptionError(f"agent {agent!r}: option {key!r} is given twice; give it once")
        pairs[key] = value
    return pairs


@cache
def default() -> Registry:
    """Give the registry of this process."""
    return Registry()


def agents() -> list[Registered]:
    """List the installed agents, by name, each with the distribution it comes from."""
    return default().agents()


def get(name: str) -> AgentSpec:
    """Find an installed agent by its plain name."""
    return default().get(name)


def select(text: str) -> Selection:
    """Read a selection, e.g. ``rave:c=0.3,threads=2``, and check all of it."""
    return default().select(text)


def create(text: str, game: Game, seed: int) -> Agent:
    """Make the agent that a text selects, for a game."""
    return default().create(text, game, seed)


def problems() -> list[Problem]:
    """List the plugins that are installed but could not be used, and why."""
    return default().problems()
