"""Where agents sit: our own in the process that plays the game, those of other distributions each in one of its own.

A seat outside (`Outside`) has its deadlines, its memory limit, and an end that takes all its processes with it. What an
agent inside does to the process is for the supervisor to see: a seat inside (`Inside`) heeds no deadline.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final, Protocol

from nogo.agent import Choice
from nogo.arguments import shown
from nogo.budget import Budget
from nogo.child import Child, own_command
from nogo.errors import AgentFailureError, ChildGoneError, ChildLateError
from nogo.match.agency import Agency, Answer, Order, answer_of
from nogo.match.record import Player
from nogo.plugins import OURS
from nogo.position import Position

MOST_ANSWER: Final = 64 * 1024  # bytes
START: Final = 60.0  # seconds for a process to begin, on the slowest machine
GOODBYE: Final = 2.0  # seconds for an agent that lasts to close
IDLE: Final = 8  # seats kept for later games


class Seat(Protocol):
    """An agent's place; whatever goes wrong there is an AgentFailureError, or a ChildLateError after the seconds."""

    follows: bool
    """Whether the agent is to be told of the moves."""

    def open(self) -> None:
        """Have the place itself ready, within START seconds."""
        ...

    def begin(self, order: Order, seed: int, seconds: float) -> None:
        """Have the agent ready for a game."""
        ...

    def follow(self, moves: Sequence[tuple[Position, int]], seconds: float) -> None:
        """Tell it of moves, and of the positions they were made in."""
        ...

    def choose(self, position: Position, budget: Budget, seconds: float) -> Answer:
        """Ask it for a move."""
        ...

    def output(self) -> str:
        """Give what it has printed in this game, the last of it."""
        ...

    def close(self, *, failed: bool = False) -> None:
        """End it: at once if it has failed, or else by letting the agent say goodbye."""
        ...


class Inside:
    """A seat in this process."""

    def __init__(self) -> None:
        """Begin empty."""
        self._agency = Agency()
        self.follows = False

    def open(self) -> None:
        """Nothing: it is here."""

    def begin(self, order: Order, seed: int, seconds: float) -> None:
        """Have the agent ready for a game."""
        del seconds
        self._agency.begin(order, seed)
        self.follows = self._agency.follows

    def follow(self, moves: Sequence[tuple[Position, int]], seconds: float) -> None:
        """Tell it of moves."""
        del seconds
        self._agency.follow(moves)

    def choose(self, position: Position, budget: Budget, seconds: float) -> Answer:
        """Ask it for a move."""
        del seconds
        return self._agency.choose(position, budget)

    def output(self) -> str:
        """Nothing: what it prints goes with what the process prints."""
        return ""

    def close(self, *, failed: bool = False) -> None:
        """Let the agent go."""
        del failed
        self._agency.close()


class Outside:
    """A seat in a process of its own."""

    def __init__(self, memory: int | None) -> None:
        """Begin with no process."""
        self._memory = memory
        self._child: Child | None = None
        self._count = 0
        self.follows = False

    def open(self) -> None:
        """Have a process: that of the last game, or a new one."""
        if self._child is None:
            self._child = self._started()
        self._child.forget_errors()

    def begin(self, order: Order, seed: int, seconds: float) -> None:
        """Have the agent ready for a game."""
        self.follows = self._ask(seconds, "begin", order=order, seed=seed) is True

    def follow(self, moves: Sequence[tuple[Position, int]], seconds: float) -> None:
        """Tell it of moves."""
        self._ask(seconds, "follow", moves=[(position.text, move) for position, move in moves])

    def choose(self, position: Position, budget: Budget, seconds: float) -> Answer:
        """Ask it for a move."""
        said = self._ask(seconds, "choose", text=position.text, budget=str(budget))
        if not isinstance(said, list) or len(said) != len(Answer._fields):
            raise _nonsense(said)
        return answer_of(Choice(*said), position)

    def output(self) -> str:
        """Give the last of its standard output and errors."""
        return "" if self._child is None else self._child.errors()

    def close(self, *, failed: bool = False) -> None:
        """End the process."""
        if self._child is not None:
            self._child.close(0.0 if failed else GOODBYE)

    def _started(self) -> Child:
        limit = "" if self._memory is None else f", with {self._memory} MiB of memory"
        try:
            child = Child(own_command("nogo.match.host"), memory=self._memory)
        except ChildGoneError as error:
            raise AgentFailureError("refused", f"its process does not start: {error}") from None
        try:
            if child.read_line(START, MOST_ANSWER) == b"{}\n":
                return child
            why = child.ended(GOODBYE) or "it does not say that it has"
        except ChildLateError as error:
            why = str(error)
        child.close()
        raise AgentFailureError("refused", f"its process does not start{limit}: {why}", child.errors())

    def _ask(self, seconds: float, deed: str, **details: Any) -> Any:
        """Have it answer a request."""
        self._count += 1
        request = {"id": self._count, "deed": deed, **details}
        said = self._answer(json.dumps(request, separators=(",", ":")).encode() + b"\n", seconds)
        if said.get("id") != self._count:
            raise _nonsense(said)
        if "failed" in said:
            raise _failure(said["failed"])
        return said.get("said")

    def _answer(self, request: bytes, seconds: float) -> dict[str, Any]:
        if self._child is None:
            raise AgentFailureError("crashed", "its process is not there")
        try:
            self._child.write(request, seconds)
            line = self._child.read_line(seconds, MOST_ANSWER)
        except ChildGoneError:
            line = b""
        if not line.endswith(b"\n") and (ended := self._child.ended(1.0)):
            raise AgentFailureError("crashed", f"its process ended: {ended}")
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            raise _nonsense(line) from None
        if not isinstance(said, dict):
            raise _nonsense(said)
        return said


def _nonsense(said: object) -> AgentFailureError:
    return AgentFailureError("crashed", f"its process wrote what is no answer: {shown(said)}")


def _failure(said: object) -> AgentFailureError:
    """Read how an agent has failed; the process may have written anything."""
    if not isinstance(said, list) or len(said) != 3 or not all(isinstance(text, str) for text in said):
        return _nonsense(said)
    return AgentFailureError(*said)


class Seats:
    """The seats of a process, kept from game to game: for those that last, and for what it takes to start one."""

    def __init__(self) -> None:
        """Begin with none."""
        self._idle: OrderedDict[tuple[str, str, int | None], Seat] = OrderedDict()

    def take(self, player: Player, memory: int | None) -> Seat:
        """Give a player the seat it had before, or a new one."""
        idle = self._idle.pop(_key(player, memory), None)
        return idle or (Inside() if player.distribution == OURS else Outside(memory))

    def give_back(self, player: Player, memory: int | None, seat: Seat) -> None:
        """Keep a seat for a later game, and give up the one that has been idle for longest."""
        self._idle[_key(player, memory)] = seat
        if len(self._idle) > IDLE:
            self._idle.popitem(last=False)[1].close()

    def close(self) -> None:
        """End them all."""
        while self._idle:
            self._idle.popitem()[1].close()


def _key(player: Player, memory: int | None) -> tuple[str, str, int | None]:
    return player.name, player.distribution, memory
