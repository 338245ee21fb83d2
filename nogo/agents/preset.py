"""Agents out of settings of the search: what most of the agents here are made of.

An agent fixes some fields of SearchOptions and offers the others as options, declared from the fields themselves, so
that types, ranges and help are written once.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from types import NoneType
from typing import Any

import numpy as np

from nogo.agent import Agent, AgentSpec, Choice, Option, require_move
from nogo.budget import Budget
from nogo.game import Game
from nogo.position import Position
from nogo.search import Search, SearchOptions

# What makes an agent the one it is cannot be an option of it.
IDENTITY = ("policy", "flat")
# Fields that mean something under one policy, or below the root's children, only.
OF_POLICY = {"tuned": ("c1", "c2"), "rave": ("schedule", "b", "k", "prior")}
OF_TREE = ("expand", "threshold", "solver", "reuse", "descent_k")
# With one thread root parallelism is a plain search, and threads=2 alone is then enough to use two.
THREADS_READY = {"parallel": "root"}


class SearchAgent:
    """Plays the move that a search with these options finds best; keeps one search for the whole game."""

    def __init__(self, game: Game, options: SearchOptions, seed: int) -> None:
        """Make it for one game."""
        self.game = game
        self.options = options
        self._seed = seed
        self._search = Search(game, options)

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Search within the budget."""
        position = require_move(self.game, position)
        found = self._search.run(position, budget, seed=seed_at(self._seed, position))
        return Choice(move=found.move, value=found.value, playouts=found.playouts, details=found)


def seed_at(seed: int, position: Position) -> int:
    """Mix a seed with the position, so that an agent asked in the middle of a game draws as it did in the game."""
    words = [half for number in (seed, position.key) for half in _halves(number)]
    # default_rng((seed, key)) draws the same, in twice the time.
    return int(np.random.PCG64(np.random.SeedSequence(np.array(words, dtype=np.uint32))).random_raw())


def _halves(number: int) -> tuple[int, ...]:
    return (number & 0xFFFFFFFF, number >> 32) if number >> 32 else (number,)


def preset(
    name: str,
    summary: str,
    explanation: str,
    *,
    games: tuple[str, ...] | None = None,
    options: tuple[str, ...] | None = None,
    **settings: Any,
) -> AgentSpec:
    """Declare an agent by the settings that differ from the search's own defaults.

    Offered as options are the fields named, or else all that mean something with these settings.
    """
    base = SearchOptions(**THREADS_READY | settings)
    offered = _meaningful(base) if options is None else options

    def factory(game: Game, values: Mapping[str, Any], seed: int) -> Agent:
        return SearchAgent(game, dataclasses.replace(base, **values), seed)

    declared = tuple(option for option in search_options(base) if option.name in offered)
    return AgentSpec(name, factory, declared, summary, explanation, games)


def search_options(base: SearchOptions) -> tuple[Option, ...]:
    """Declare every field of SearchOptions as an option, with base's values as defaults."""
    hints = typing.get_type_hints(SearchOptions)
    return tuple(_option(field, hints[field.name], getattr(base, field.name)) for field in dataclasses.fields(base))


def _option(field: dataclasses.Field[Any], hint: Any, default: Any) -> Option:
    kinds = typing.get_args(hint) or (hint,)
    return Option(
        name=field.name,
        type=next(kind for kind in kinds if kind is not NoneType),
        default=default,
        help=field.metadata["help"],
        least=field.metadata.get("least"),
        most=field.metadata.get("most"),
        choices=field.metadata.get("choices"),
        optional=NoneType in kinds,
    )


def _meaningful(base: SearchOptions) -> tuple[str, ...]:
    idle = {name for policy, names in OF_POLICY.items() if policy != base.policy for name in names}
    idle.update(IDENTITY, OF_TREE if base.flat else ())
    return tuple(field.name for field in dataclasses.fields(base) if field.name not in idle)
