"""What a match is: who plays whom at what, how often and with how much; checked, written down and compared.

A plan says everything that decides which games are played, and nothing of how they are computed: workers, executors
and displays are no part of it. Two equal plans play the same games.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final

from nogo import registry
from nogo.arguments import nearest, real, shown, whole, whole_seed
from nogo.budget import Budget
from nogo.errors import ArgumentError
from nogo.game import game as get_game
from nogo.match.openings import MAX_PLIES, check_openings
from nogo.match.record import Opening
from nogo.match.sprt import Sprt

FORMATS: Final = ("match", "round-robin", "gauntlet")
MAX_GAMES: Final = 10_000_000
MAX_SECONDS: Final = 1e6
MARGIN: Final = 0.1
STALL: Final = 60.0
LEAST_MEMORY: Final = 256  # MiB; Python, numpy and the engine take 150 of them
MOST_MEMORY: Final = 2**24


@dataclass(frozen=True)
class Contestant:
    """An agent that takes part, and the budget it has for itself, if any."""

    agent: str
    budget: str | None = None

    @property
    def name(self) -> str:
        """What the match calls it."""
        return self.agent if self.budget is None else f"{self.agent}@{self.budget}"

    @classmethod
    def parse(cls, text: str) -> Contestant:
        """Read ``rave:c=0.3`` or ``rave:c=0.3@time=0.5s``; both are written in their shortest form."""
        agent, at, budget = text.rpartition("@") if isinstance(text, str) else ("", "", "")
        if not at or not re.fullmatch(r"\s*(playouts|time|clock)\s*=[^\"]*", budget):
            return cls(str(registry.select(text)))
        return cls(str(registry.select(agent)), str(Budget.parse(budget)))


@dataclass(frozen=True)
class Plan:
    """A match, or a grid of them: every pairing plays at every game with every budget."""

    contestants: tuple[Contestant, ...]
    games: tuple[str, ...] = ("hollow-nogo",)
    budgets: tuple[str, ...] = ("playouts=1000",)
    pairs: int = 50
    """Pairs of games that each pairing plays at each game and budget."""
    format: str = "match"
    seed: int = 1
    opening_plies: int | None = None
    """Random moves that begin a game; None: as many as suit it."""
    openings: tuple[Opening, ...] = ()
    """Openings from a file, taken in turn."""
    sprt: str | None = None
    margin: float = MARGIN
    """Seconds by which a move may be late before it loses."""
    stall: float = STALL
    """Seconds after which an agent that owes no time, or is still being made, counts as stalled."""
    memory: int | None = None
    """MiB that each agent of another distribution may have; None: as much as there is."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played; equal plans are written alike."""
        self._set("games", tuple(get_game(name).name for name in self.games))
        self._set("budgets", tuple(str(Budget.parse(text)) for text in self.budgets))
        self._check_numbers()
        self._check_contestants()
        for name in self.games:
            check_openings(name, self.openings)
            for contestant in self.contestants:
                registry.select(contestant.agent).require(get_game(name))
        if self.sprt is not None:
            if len(self.cells) * len(self.pairings) > 1:
                raise ArgumentError("an SPRT decides between two agents at one game with one budget; leave --sprt out")
            self._set("sprt", str(Sprt.parse(self.sprt)))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_numbers(self) -> None:
        whole("pairs", self.pairs, 1, MAX_GAMES // 2)
        whole_seed(self.seed)
        if self.opening_plies is not None:
            whole("opening-plies", self.opening_plies, 0, MAX_PLIES)
        if self.opening_plies is not None and self.openings:
            raise ArgumentError("openings are named, and random ones asked for as well; leave one of the two out")
        self._set("margin", real("margin", self.margin, 0, MAX_SECONDS))
        self._set("stall", real("stall", self.stall, 0.01, MAX_SECONDS))
        if self.memory is not None:
            whole("memory", self.memory, LEAST_MEMORY, MOST_MEMORY)
        for kind, values in (("game", self.games), ("budget", self.budgets)):
            twice = {value for value in values if values.count(value) > 1}
            if twice or not values:
                raise ArgumentError(f"{kind} {min(twice)!r} is named twice" if twice else f"no {kind}; name one")

    def _check_contestants(self) -> None:
        if self.format not in FORMATS:
            hint = nearest(str(self.format), FORMATS)
            raise ArgumentError(f"format {shown(self.format)} is unknown; {hint}use {', '.join(FORMATS)}")
        count = len(self.contestants)
        if count < 2:
            raise ArgumentError(f"{count} agent(s); name at least two, e.g. uct rave:c=0.2 (nogo agents lists them)")
        if self.format == "match" and count > 2:
            raise ArgumentError(f"a match is between two agents, not {count}; use --format round-robin or gauntlet")
        names = [contestant.name for contestant in self.contestants]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ArgumentError(
                f"agent {twice[0]!r} takes part twice; give one of them another option, or a budget: {twice[0]}@time=1s"
            )
        if len(self.budgets) > 1 and all(contestant.budget for contestant in self.contestants):
            raise ArgumentError(f"{len(self.budgets)} budgets, and nobody without one of its own; name one budget")

    @property
    def cells(self) -> list[tuple[str, str]]:
        """Every game with every budget."""
        return [(game, budget) for game in self.games for budget in self.budgets]

    @property
    def pairings(self) -> list[tuple[Contestant, Contestant]]:
        """Who meets whom."""
        if self.format == "gauntlet":
            return [(self.contestants[0], other) for other in self.contestants[1:]]
        return list(combinations(self.contestants, 2))

    @property
    def game_count(self) -> int:
        """How many games there are to play."""
        return 2 * self.pairs * len(self.cells) * len(self.pairings)

    @cached_property
    def openings_of(self) -> Mapping[str, Sequence[Opening]]:
        """The named openings of each game."""
        found: dict[str, list[Opening]] = {name: [] for name in self.games}
        for opening in self.openings:
            found.setdefault(opening.start.partition(" ")[0], []).append(opening)
        return found

    @cached_property
    def budgets_in_use(self) -> tuple[Budget, ...]:
        """All budgets that somebody has."""
        own = [contestant.budget for contestant in self.contestants]
        shared = self.budgets if None in own else ()
        return tuple(Budget.parse(text) for text in dict.fromkeys([*shared, *filter(None, own)]))

    @property
    def is_timed(self) -> bool:
        """Whether anybody's thinking is measured in time."""
        return any(budget.playouts is None for budget in self.budgets_in_use)

    @property
    def threads(self) -> int:
        """The most threads that an agent uses; by its option of that name."""
        options = (registry.select(contestant.agent).options for contestant in self.contestants)
        counts = [value for value in (option.get("threads") for option in options) if isinstance(value, int)]
        return max(counts, default=1)

    def to_json(self) -> dict[str, Any]:
        """Give plain values."""
        fields = {**asdict(self), "contestants": [contestant.name for contestant in self.contestants]}
        plain: dict[str, Any] = json.loads(json.dumps(fields))
        return plain

    @property
    def digest(self) -> str:
        """A short name for everything in it."""
        text = json.dumps(self.to_json(), sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()

    @property
    def slug(self) -> str:
        """A name for its folder: readable, and another one for another plan."""
        words = [*self.games[:2], *(contestant.agent.partition(":")[0] for contestant in self.contestants[:4])]
        return "-".join([*(re.sub(r"[^a-z0-9.]+", "-", word) for word in words), self.digest])


def plan_from_json(fields: Mapping[str, Any]) -> Plan:
    """Read what `Plan.to_json` gave."""
    known = dict(fields)
    openings = tuple(Opening(opening["start"], tuple(opening["moves"])) for opening in known.pop("openings"))
    return Plan(
        contestants=tuple(map(Contestant.parse, known.pop("contestants"))),
        games=tuple(known.pop("games")),
        budgets=tuple(known.pop("budgets")),
        openings=openings,
        **known,
    )


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Sequence[str]:
    """Say in which settings one plan (as JSON) is not the other."""
    return [
        f"{key}: {_brief(theirs.get(key))} there, {_brief(ours.get(key))} here"
        for key in dict.fromkeys([*ours, *theirs])
        if ours.get(key) != theirs.get(key)
    ]


def _brief(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
