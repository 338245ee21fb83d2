"""What an agent is, and what it says of itself: the names a plugin needs, with nothing behind them.

An agent is chosen by ``name:key=value,...``; its options are declared, so that they can be listed and checked
before anything is built.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np

from nogo.arguments import nearest, shown
from nogo.errors import ArgumentError, HandleError, OptionError
from nogo.position import Position

if TYPE_CHECKING:
    from nogo.budget import Budget
    from nogo.game import Game

RESIGN: Final = -1
"""The move of a `Choice` that gives the game up."""

Value: TypeAlias = int | float | bool | str | None
WORDS = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}
_AGENT_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_OPTION_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_QUOTED_FOR = re.compile(r'[,@"\\]')
_ARTICLES = {int: "a whole number", float: "a number", bool: "yes or no", str: "a word"}


@dataclass(frozen=True)
class Choice:
    """A move, and what the agent knows of it."""

    move: int
    """A legal move, or RESIGN."""
    value: float | None = None
    """The mover's expected reward, 0 to 1; None when the agent has no opinion."""
    playouts: int | None = None
    details: Any = None
    """What the agent's search found, e.g. a SearchResult; str() shows it."""


class Agent(Protocol):
    """One side of a game, for as long as the game lasts. Only `choose` is required; see `Follower`, `Lasting`."""

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Choose a legal move within the budget; the position is not over, and no die is to be thrown.

        ``Choice(RESIGN)`` gives the game up. An `AgentFailureError` says how it failed; whatever else it raises is a
        crash.
        """
        ...


@runtime_checkable
class Follower(Protocol):
    """An agent that wants to see every move, not only the positions in which it is asked."""

    def played(self, position: Position, move: int) -> None:
        """Learn of a move made in the position: the opening's, throws of the die, the opponent's, and its own."""
        ...


@runtime_checkable
class Lasting(Protocol):
    """An agent that stays for the next game of the same kind; all others are made anew for each game."""

    def begin(self, seed: int) -> None:
        """Begin a game; called before every game, the first one too."""
        ...

    def close(self) -> None:
        """End for good, and let go of what it holds."""
        ...


@dataclass(frozen=True)
class Option:
    """An option of an agent: what it may be, what it is unless told, and one line of help."""

    name: str
    type: type[int] | type[float] | type[bool] | type[str]
    default: Value
    help: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] | None = None
    optional: bool = False
    """Whether ``none`` is a value too."""

    def __post_init__(self) -> None:
        """Refuse a declaration that contradicts itself."""
        if not isinstance(self.name, str) or not _OPTION_NAME.fullmatch(self.name):
            raise ArgumentError(f"option name {shown(self.name)}: use small letters, digits and _, a letter first")
        if self.type not in _ARTICLES:
            raise ArgumentError(f"option {self.name}: type {shown(self.type)} is none of int, float, bool and str")
        if not self.help or "\n" in self.help:
            raise ArgumentError(f"option {self.name}: help {shown(self.help)} is not one line; say what it does")
        object.__setattr__(self, "choices", self.choices and tuple(self.choices))
        try:
            object.__setattr__(self, "default", self.check(self.default))
        except OptionError as error:
            raise ArgumentError(f"the default of an option is refused: {error}") from None

    @property
    def domain(self) -> str:
        """What it may be, in words, e.g. ``0 to 10`` or ``ucb1, tuned or rave``."""
        words = _ARTICLES[self.type]
        if self.choices:
            words = _either(self.choices)
        elif self.least is not None and self.most is not None:
            words = f"{self.least:.12g} to {self.most:.12g}"
        elif self.least is not None:
            words = f"{self.least:.12g} or more"
        elif self.most is not None:
            words = f"{self.most:.12g} or less"
        return f"{words}, or none" if self.optional else words

    def parse(self, text: str) -> Value:
        """Read a value from its text; nothing of it is evaluated."""
        word = text.strip()
        if self.optional and word.lower() == "none":
            return None
        return self.check(self._convert(word))

    def _convert(self, word: str) -> Value:
        try:
            return WORDS[word.lower()] if self.type is bool else self.type(word)
        except (ValueError, KeyError):
            raise self._refusal(word) from None

    def check(self, value: object) -> Value:
        """Accept a value of the type and range, as Python's own type."""
        if value is None and self.optional:
            return None
        plain = value.item() if isinstance(value, np.generic) else value
        if self.type is float and type(plain) is int:
            plain = float(plain) if abs(plain) < 2**1000 else math.inf
        if type(plain) is not self.type or not self._in_range(plain):
            raise self._refusal(value)
        return plain

    def _in_range(self, value: Any) -> bool:
        if self.choices and value not in self.choices:
            return False
        if self.type not in (int, float):
            return True
        least = -math.inf if self.least is None else self.least
        most = math.inf if self.most is None else self.most
        return math.isfinite(value) and least <= value <= most

    def _refusal(self, value: object) -> OptionError:
        said = value if isinstance(value, str) and len(value) < 80 else shown(value)
        hint = nearest(str(value), self.choices) if self.choices else ""
        return OptionError(f"{self.name}={said} is refused; {hint}use {self.domain}")

    def show(self, value: Value) -> str:
        """Write a value as a selection has it; a text that would be misread there is put in quotes."""
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str) and (not value or value != value.strip() or _QUOTED_FOR.search(value)):
            return '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
        return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _either(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


Factory: TypeAlias = "Callable[[Game, Mapping[str, Any], int], Agent]"


@dataclass(frozen=True)
class AgentSpec:
    """An agent to be had: its name, how to make one, and its options."""

    name: str
    factory: Factory
    """Makes one for a game, with a value for every option, and a seed."""
    options: tuple[Option, ...] = ()
    summary: str = ""
    """One line."""
    explanation: str = ""
    """Its formula and where it comes from; paragraphs with an empty line between them."""
    games: tuple[str, ...] | None = None
    """The families it plays, of nogo, othello and einstein; None for all."""

    def __post_init__(self) -> None:
        """Refuse a declaration that nobody could select."""
        if not isinstance(self.name, str) or not _AGENT_NAME.fullmatch(self.name):
            raise ArgumentError(
                f"agent name {shown(self.name)}: use small letters, digits, '-', '.' and '_', at most 40, e.g. my-agent"
            )
        if not callable(self.factory):
            raise ArgumentError(f"agent {self.name!r}: factory {shown(self.factory)} cannot be called")
        object.__setattr__(self, "options", tuple(self.options))
        object.__setattr__(self, "games", self.games and tuple(self.games))
        names = [option.name for option in self.options]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ArgumentError(f"agent {self.name!r}: option {min(twice)!r} is declared twice; name it once")

    def values(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Give a value to every option: what is given, read if it is text, or else the default."""
        known = {option.name: option for option in self.options}
        for key in given:
            if key not in known:
                raise OptionError(
                    f"unknown option {key!r} for agent {self.name!r}; "
                    + (f"{nearest(key, known)}expected: {', '.join(known)}" if known else "it has no options")
                )
        try:
            return {name: _value(option, given) for name, option in known.items()}
        except OptionError as error:
            raise OptionError(f"agent {self.name!r}: {error}") from None

    def select(self, values: Mapping[str, object]) -> str:
        """Write the selection, e.g. ``rave:c=0.3``, with the options that are not at their defaults."""
        changed = self.values(values)
        said = [f"{o.name}={o.show(changed[o.name])}" for o in self.options if changed[o.name] != o.default]
        return f"{self.name}:{','.join(said)}" if said else self.name


def _value(option: Option, given: Mapping[str, object]) -> Value:
    value = given.get(option.name, option.default)
    return option.parse(value) if isinstance(value, str) else option.check(value)


def require_move(game: Game, position: object) -> Position:
    """Accept a position of the game in which a player is to move; what every agent asks first."""
    if not isinstance(position, Position):
        raise HandleError(f"{shown(position)} is not a position; make one with game.start() or nogo.position(text)")
    if position.game != game:
        raise HandleError(
            f"a position of {position.game.name} for an agent of {game.name}; make an agent for each game"
        )
    if position.is_over:
        raise ArgumentError(f"the game is over in {position.text!r}: there is no move to choose; ask before it ends")
    if position.is_chance:
        raise ArgumentError(
            f"the die is to be thrown in {position.text!r}; play one of chance_outcomes() first,"
            f" e.g. {game.move_name(position.legal_moves()[0])}"
        )
    return position
