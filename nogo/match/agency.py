"""An agent at work: made for a game, told of moves, asked for one; whatever it does comes back as a plain answer.

It is the same wherever the agent sits. How it fails is an AgentFailureError: what it raises is ``crashed``, with its
traceback; what it returns that is no Choice is ``illegal``; a set-up that it refuses, with an error of ours, is
``refused``.
"""

from __future__ import annotations

import contextlib
import operator
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from nogo.agent import RESIGN, Agent, Choice, Follower, Lasting
from nogo.arguments import shown
from nogo.budget import Budget
from nogo.errors import AgentFailureError, NogoError
from nogo.game import game as get_game
from nogo.position import Position
from nogo.registry import Registry

MOST: Final = 2**63 - 1  # of a number that goes into a record


class Order(NamedTuple):
    """What an agent is made from."""

    agent: str
    """The selection."""
    distribution: str
    """The only one whose plugins are imported for it."""
    version: str
    """Of the distribution: a match is between agents of one version."""
    game: str


class Answer(NamedTuple):
    """What an agent has chosen, as plain values."""

    move: int
    value: float | None
    playouts: int | None


class Agency:
    """Has the agent of one order at a time: made anew for each game, or begun again when it is one that lasts."""

    def __init__(self) -> None:
        """Begin with none."""
        self._order: Order | None = None
        self._agent: Any = None
        self.follows = False
        """Whether the agent wants to see the moves."""
        self._lasts = False

    def begin(self, order: Order, seed: int) -> None:
        """Have the agent ready for a game."""
        if self._order != order or not self._lasts:
            self.close()
            with _failing(refusing=True):
                self._agent = _made(order, seed)
            self._order = order
            self.follows, self._lasts = isinstance(self._agent, Follower), isinstance(self._agent, Lasting)
        if self._lasts:
            with _failing(refusing=True):
                self._agent.begin(seed)

    def follow(self, moves: Sequence[tuple[Position, int]]) -> None:
        """Tell the agent, if it follows, of moves and the positions they were made in."""
        if self.follows:
            with _failing():
                for position, move in moves:
                    self._agent.played(position, move)

    def choose(self, position: Position, budget: Budget) -> Answer:
        """Ask for a move."""
        if self._agent is None:
            raise AgentFailureError("crashed", "it is not there any more")
        with _failing():
            return answer_of(self._agent.choose(position, budget), position)

    def close(self) -> None:
        """Let the agent go."""
        agent, lasts = self._agent, self._lasts
        self._agent, self._order, self.follows, self._lasts = None, None, False, False
        if lasts:
            with contextlib.suppress(BaseException):  # its last game is over: there is nothing left to lose
                agent.close()


def _made(order: Order, seed: int) -> Agent:
    known = _registry_of(order.distribution)
    selection = known.select(order.agent)
    origin = known.find(selection.spec.name).origin
    if origin.version != order.version:
        raise AgentFailureError(
            "refused", f"agent {order.agent!r} is of {origin} here, and of version {order.version} in the plan"
        )
    agent: Any = selection.create(get_game(order.game), seed)
    if not callable(getattr(agent, "choose", None)):
        raise AgentFailureError("crashed", f"its factory made {shown(agent)}, which has no choose()")
    return agent  # type: ignore[no-any-return]


@cache
def _registry_of(distribution: str) -> Registry:
    return Registry(only=distribution)


@contextmanager
def _failing(*, refusing: bool = False) -> Iterator[None]:
    """Turn whatever is raised into an AgentFailureError; while refusing, an error of ours refuses the set-up."""
    try:
        yield
    except AgentFailureError:
        raise
    except BaseException as error:
        kind = "refused" if refusing and isinstance(error, NogoError) else "crashed"
        raise AgentFailureError(kind, _said(error), traceback.format_exc()) from None


def _said(error: BaseException) -> str:
    words = " ".join(str(error).split())
    if isinstance(error, NogoError):
        return words
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def answer_of(choice: object, position: Position) -> Answer:
    """Read what an agent returned; its opinions count only where they are numbers that a record can hold."""
    if not isinstance(choice, Choice):
        raise AgentFailureError("illegal", f"it returned {shown(choice)}, not a Choice")
    move = None if isinstance(choice.move, bool) else _whole(choice.move)
    if move is None:
        raise AgentFailureError("illegal", f"it chose {shown(choice.move)}, which is no move's number")
    if move != RESIGN and not 0 <= move < position.game.move_count:
        raise AgentFailureError(
            "illegal",
            f"it chose {shown(move)}, which is not a move of {position.game.name}: 0 to {position.game.move_count - 1}",
        )
    return Answer(move, _expectation(choice.value), _count(choice.playouts))


def _whole(value: Any) -> int | None:
    try:
        return operator.index(value)
    except TypeError:
        return None


def _expectation(value: Any) -> float | None:
    if not isinstance(value, (int, float, np.integer, np.floating)) or not 0 <= value <= 1:  # nan fails too
        return None
    return float(value)


def _count(value: Any) -> int | None:
    number = _whole(value)
    return number if number is not None and 0 <= number <= MOST else None
