"""The agents that are installed, by name.

An entry point is called like the agent it offers: then only that plugin is imported when the agent is asked for. All of
them are when an agent is not found so, or when they are listed. A plugin that fails is named with its distribution and
skipped, or with ``strict`` an error.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

import pluggy

from nogo.agent import Agent, AgentSpec, Value
from nogo.arguments import nearest, shown, whole_seed
from nogo.errors import AgentNameError, ArgumentError, OptionError, PluginError
from nogo.game import Game
from nogo.plugins import BLOCK, Blocked, Origin, Plugin, Problem, hook_names, installed, said

__all__ = ["Origin", "Problem", "Registered", "Registry", "Selection", "hook_names"]

_PART: Final = re.compile(r'(?:[^",]|"(?:[^"\\]|\\.)*")*', re.DOTALL)
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_QUOTING: Final = r'write key="value", and \" for a quote in it'


@dataclass(frozen=True)
class Registered:
    """An agent that can be had, and from whom."""

    spec: AgentSpec
    origin: Origin

    @property
    def is_rightful(self) -> bool:
        """Whether it comes with this package or from an entry point of its own name, and so goes before others."""
        return self.origin.is_ours or self.origin.entry_point == self.spec.name


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


class Registry:
    """Agents by name, from the entry points of the distributions on a path (that of Python unless told)."""

    def __init__(self, *, path: Sequence[str] | None = None, strict: bool = False, only: str | None = None) -> None:
        """Remember where to look, and whether at one distribution only; nothing is looked at yet."""
        self._path = path
        self._only = only
        self._strict = strict
        self._blocked = Blocked.read()
        self._lock = threading.RLock()  # of all that follows: two threads that ask first at once load once
        self._found: list[Plugin] | None = None
        self._problems: list[Problem] = []
        self._offers: dict[Plugin, list[Registered]] = {}
        self._observers: list[tuple[Origin, pluggy.PluginManager]] | None = None

    def agents(self) -> list[Registered]:
        """List the agents that can be had, by name."""
        found = [_rightful(offers) for _, offers in sorted(self._by_name().items())]
        return [offers[0] for offers in found if len(offers) == 1]

    def problems(self) -> list[Problem]:
        """List what is installed but cannot be used, and why."""
        offers = self._by_name()
        return [*self._problems, *_disputes(offers)]

    def blocked(self) -> list[str]:
        """List what NOGO_DISABLE_PLUGINS names, each with a word on what has come of it."""
        self._by_name()
        done = {True: f"shut out by {BLOCK}", False: f"nothing is called so, of what {BLOCK} could shut out"}
        return [f"{word}: {done[word in self._blocked.used]}" for word in sorted(self._blocked.words)]

    def get(self, name: str) -> AgentSpec:
        """Find an agent by its plain name."""
        return self.find(name).spec

    def find(self, name: str) -> Registered:
        """Find an agent and where it comes from; no plugin is imported that cannot matter."""
        text = name if isinstance(name, str) else ""
        offers = [] if self._strict else self._near(text)
        offers = offers or _rightful(self._by_name().get(text, []))
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
        for origin, plugin in self._watching():
            try:
                plugin.hook.nogo_game_finished(record=MappingProxyType(dict(record)))
            except Exception as error:  # noqa: BLE001, RUF100 - whatever a stranger's code raises
                warnings.warn(f"{Problem(origin, f'nogo_game_finished failed: {said(error)}')}", stacklevel=2)

    def _unknown(self, name: object) -> str:
        if isinstance(name, str) and name in self._blocked.used:
            return f"agent {name!r} is shut out by {BLOCK}; take it out of that variable of the environment"
        known, failed = [entry.spec.name for entry in self.agents()], len(self.problems())
        text = f"unknown agent {shown(name)}; {nearest(str(name), known)}known: {', '.join(known) or 'none'}"
        return f"{text} (and {failed} plugin problem(s), see: nogo agents)" if failed else text

    # ---- loading ----

    def _plugins(self) -> list[Plugin]:
        if self._found is None:
            found = installed(self._path, self._blocked, self._problems)
            self._found = [plugin for plugin in found if self._only in (None, plugin.origin.distribution)]
        return self._found

    def _near(self, name: str) -> list[Registered]:
        """The offers of an agent by those who go before others; only their plugins are imported."""
        with self._lock:
            near = [plugin for plugin in self._plugins() if plugin.origin.is_ours or plugin.entry_point.name == name]
            offers = [offer for plugin in near for offer in self._take(plugin) if offer.spec.name == name]
            return _rightful([offer for offer in offers if offer.is_rightful])

    def _by_name(self) -> dict[str, list[Registered]]:
        """All offers of every agent, after importing all plugins."""
        with self._lock:
            offers: dict[str, list[Registered]] = {}
            for plugin in self._plugins():
                for offer in self._take(plugin):
                    offers.setdefault(offer.spec.name, []).append(offer)
            self._watching()
            problems = [*self._problems, *_disputes(offers)]
            if self._strict and problems:
                raise PluginError("; ".join(map(str, problems)))
            return offers

    def _take(self, plugin: Plugin) -> list[Registered]:
        """Load a plugin, once, and list its agents: all of them, or none when anything raises."""
        if plugin not in self._offers:
            self._offers[plugin] = [] if plugin.observes else self._ask(plugin)
        return self._offers[plugin]

    def _ask(self, plugin: Plugin) -> list[Registered]:
        specs: list[AgentSpec] = []

        def register(spec: AgentSpec) -> None:
            if not isinstance(spec, AgentSpec):
                raise ArgumentError(f"register() was given {shown(spec)}; give it a nogo.AgentSpec")
            if spec.name in {known.name for known in specs}:
                raise ArgumentError(f"agent {spec.name!r} is registered twice; give each agent a name of its own")
            specs.append(spec)

        try:
            plugin.load().hook.nogo_register_agents(register=register)
        except (Exception, SystemExit) as error:  # whatever a stranger's code raises
            self._problems.append(Problem(plugin.origin, said(error)))
            return []
        offers = [Registered(spec, plugin.origin) for spec in specs]
        return [offer for offer in offers if not self._blocked.has(offer.origin, offer.spec.name)]

    def _watching(self) -> list[tuple[Origin, pluggy.PluginManager]]:
        with self._lock:
            if self._observers is None:
                self._observers = []
                for plugin in self._plugins():
                    if plugin.observes:
                        self._observe(plugin, self._observers)
            return self._observers

    def _observe(self, plugin: Plugin, observers: list[tuple[Origin, pluggy.PluginManager]]) -> None:
        try:
            observers.append((plugin.origin, plugin.load()))
        except (Exception, SystemExit) as error:  # whatever a stranger's code raises
            self._problems.append(Problem(plugin.origin, said(error)))


def _rightful(offers: Sequence[Registered]) -> list[Registered]:
    """Of the offers of one name those that go before the others, if there are such; one for each distribution."""
    best = [offer for offer in offers if offer.is_rightful] or offers
    return list({offer.origin.distribution: offer for offer in best}.values())


def _disputes(offers: Mapping[str, Sequence[Registered]]) -> list[Problem]:
    """Names that several distributions claim, and offers that stand behind another's."""
    problems = []
    for name, all_ in offers.items():
        rightful = _rightful(all_)
        if len(rightful) > 1:
            problems.append(Problem(rightful[-1].origin, _claimed(rightful)))
        owners = {offer.origin.distribution for offer in rightful}
        problems += [
            Problem(offer.origin, f"its agent {name!r} is refused: the name belongs to {rightful[0].origin}")
            for offer in all_
            if offer.origin.distribution not in owners
        ]
    return problems


def _claimed(offers: Sequence[Registered]) -> str:
    origins = " and ".join(str(offer.origin) for offer in offers)
    return f"agent {offers[0].spec.name!r} is offered by {origins}; it is refused until one of them is uninstalled"


def _pairs(agent: str, text: str) -> dict[str, str]:
    """Read ``key=value,...``; an empty text is no options. A value in quotes may hold anything."""
    pairs: dict[str, str] = {}
    for part in _parts(agent, text) if text.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not key or not equals:
            raise OptionError(
                f"agent {agent!r}: {shown(part)} is not key=value; write e.g. {agent}:key=value,key=value"
            )
        if key in pairs:
            raise OptionError(f"agent {agent!r}: option {key!r} is given twice; give it once")
        pairs[key] = _unquoted(agent, value)
    return pairs


def _parts(agent: str, text: str) -> list[str]:
    """Cut at the commas that are not in quotes."""
    parts, at = [], 0
    while True:
        part = _PART.match(text, at)
        end = part.end() if part else at
        parts.append(text[at:end])
        if end == len(text):
            return parts
        if text[end] != ",":
            raise OptionError(f"agent {agent!r}: the quote in {shown(text[at:])} is not closed; {_QUOTING}")
        at = end + 1


def _unquoted(agent: str, value: str) -> str:
    r"""Take a value out of its quotes, in which \" is a quote and \\ a backslash."""
    if '"' not in value:
        return value
    if not _QUOTED.fullmatch(value):
        raise OptionError(f"agent {agent!r}: {shown(value)} is quoted in part; {_QUOTING}")
    return re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL)


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
