"""One game, from a task to its one end: the referee.

It keeps the clocks, throws the dice, makes the moves, and tells all of it as it happens (see `nogo.match.flight`). A
move in time is one within its budget and the margin; an agent that owes no time has until the plan's ``stall``. Agents
that follow are told of moves off the clock, before their own turn.

A set-up that an agent refuses (an error of ours from its factory, or an AgentFailureError of kind ``refused`` before
it is first asked for a move) makes a game void; later on, refusing is a crash like any other.
"""

from __future__ import annotations

import dataclasses
import random
import time
from dataclasses import dataclass
from typing import Final

from nogo.agent import RESIGN
from nogo.budget import LEAST_SECONDS, Budget
from nogo.errors import AgentFailureError, ChildLateError, NogoError
from nogo.match.agency import Answer, Order
from nogo.match.flight import OUTPUT_KEPT, REASON_KEPT, Flight, Move, Tell, now
from nogo.match.openings import position_of
from nogo.match.record import CRASHED, FINISHED, ILLEGAL, LATE, RESIGNED, STALLED, VOID, End, GameRecord, Player
from nogo.match.schedule import Task
from nogo.match.seats import START, Seat, Seats
from nogo.position import Position

Failure = (AgentFailureError, ChildLateError)
KINDS: Final = {"illegal": ILLEGAL, "refused": VOID}
"""What an agent's failure is to a game; having stalled is being late, and all others are crashes."""


@dataclass
class Side:
    """A player at the table."""

    number: int
    player: Player
    seat: Seat
    budget: Budget
    told: int = 0
    """Moves that its agent knows of."""
    ready: bool = False
    asked: bool = False
    """Whether it has been asked for a move."""
    failed: bool = False

    @property
    def seconds(self) -> float | None:
        """What it has for a move at most; None when its budget is no time."""
        return self.budget.seconds if self.budget.clock is None else self.budget.clock.left

    def spend(self, seconds: float) -> None:
        """Take a move's time off the clock, and give the increment."""
        clock = self.budget.clock
        if clock is not None:
            left = max(clock.left - seconds, LEAST_SECONDS) + clock.increment
            self.budget = Budget(clock=dataclasses.replace(clock, left=left))


class Table:
    """A game, and those who play it."""

    def __init__(self, task: Task, seats: Seats, tell: Tell) -> None:
        """Sit down; nobody is asked for anything yet."""
        self._task = task
        self._pool = seats
        self._tell = tell
        self._sides = [
            Side(number, player, seats.take(player, task.memory), Budget.parse(player.budget))
            for number, player in enumerate(task.players)
        ]
        self._late = (STALLED, "")
        """How the game ends when the agent asked last is late."""
        self._dice = random.Random(task.dice)  # noqa: S311 - a game, not a secret
        self._news: list[tuple[Position, int]] = []
        self._flight = Flight(task, now())

    def play(self) -> GameRecord:
        """Play the game to its end."""
        self._tell("game", self._task.number, self._flight.began)
        try:
            self._position = position_of(self._task.opening)
        except NogoError as error:
            return self._flight.record(End(VOID, None, f"the opening cannot be set up: {error}", 0), 0.0)
        begun = time.monotonic()
        end = self._played()
        return self._flight.record(end, time.monotonic() - begun)

    def leave(self) -> None:
        """Tell those who follow of the last moves, and keep the seats of those who have not failed."""
        for side in self._sides:
            try:
                self._inform(side)
            except Failure:  # the game is over, but the next one begins with a new one
                side.failed = True
            if side.failed:
                side.seat.close(failed=True)
            else:
                self._pool.give_back(side.player, self._task.memory, side.seat)

    # ---- the course of the game ----

    def _played(self) -> End:
        end = self._begin()
        while end is None and not self._position.is_over:
            if self._position.is_chance:
                self._throw()
            else:
                end = self._turn()
        return end or self._finished()

    def _begin(self) -> End | None:
        """Have both agents ready, and the opening's moves among the news."""
        task = self._task
        for side in self._sides:
            player = side.player
            try:
                self._ask(side, 2 * START, VOID, f"its process does not start within {START:g} s")
                side.seat.open()
                self._ask(side, task.stall, STALLED, f"not ready within {task.stall:g} s")
                order = Order(player.agent, player.distribution, player.version, task.game)
                side.seat.begin(order, player.seed, task.stall)
            except Failure as failure:
                return self._failure(side, failure)
            side.ready = True
        self._news = _moves_of(task)
        return None

    def _throw(self) -> None:
        """Throw the die: the n-th throw of a task's seed is the same face whatever has been played."""
        faces = self._position.legal_moves()
        self._make(Move(self._name(face := faces[int(self._dice.random() * len(faces))])), face)

    def _turn(self) -> End | None:
        """Ask who is to move, and make the move."""
        side = self._sides[self._position.turn]
        own, margin = side.seconds, self._task.margin
        limit = self._task.stall if own is None else own + margin
        try:
            self._inform(side)
            if own is None:
                self._ask(side, limit, STALLED, f"no move within {limit:g} s")
            else:
                self._ask(side, limit, LATE, f"no move within {own:.4g} s and a margin of {margin:g} s")
            side.asked, begun = True, time.monotonic()
            answer = side.seat.choose(self._position, side.budget, limit)
        except Failure as failure:
            return self._failure(side, failure)
        took = time.monotonic() - begun
        return self._lost(side, *self._late) if took > limit else self._answered(side, answer, took)

    def _answered(self, side: Side, answer: Answer, took: float) -> End | None:
        if answer.move == RESIGN:
            colour = self._position.game.players[side.number]
            return End(RESIGNED, 1 - side.number, f"{colour} gives up", self._position.ply, side.number)
        why = self._position.why_illegal(answer.move)
        if why is not None:
            return self._lost(side, ILLEGAL, f"it chose {self._name(answer.move)}: {why}")
        side.spend(took)
        self._make(Move(self._name(answer.move), round(took, 6), answer.playouts, answer.value), answer.move)
        return None

    def _make(self, move: Move, number: int) -> None:
        self._flight.moves.append(move)
        self._tell("move", *move)
        self._news.append((self._position, number))
        self._position = self._position.play(number)

    def _finished(self) -> End:
        position = self._position
        result = 0.0 if position.result is None else position.result
        return End(FINISHED, position.winner, position.game.notation.ending(result), position.ply)

    # ---- the agents ----

    def _ask(self, side: Side, limit: float, kind: str, reason: str) -> None:
        """Tell that an agent is about to be asked, and how the game ends when it does not come back."""
        self._late = (kind, reason)
        self._tell("turn", side.number, self._position.ply, limit, kind, reason)

    def _inform(self, side: Side) -> None:
        """Tell an agent that follows of what it has not seen."""
        news = self._news[side.told :]
        if news and side.ready and not side.failed and side.seat.follows:
            stall = self._task.stall
            self._ask(side, stall, STALLED, f"it has not taken a move in within {stall:g} s")
            side.seat.follow(news, stall)
            side.told = len(self._news)

    def _failure(self, side: Side, failure: AgentFailureError | ChildLateError) -> End:
        """End the game of an agent that is late, or has failed as it or its seat says."""
        if isinstance(failure, ChildLateError):
            return self._lost(side, *self._late)
        kind = self._late[0] if failure.kind == "stalled" else KINDS.get(failure.kind, CRASHED)
        if kind == VOID and side.asked:
            kind = CRASHED
        return self._lost(side, kind, str(failure), failure.output)

    def _lost(self, side: Side, kind: str, reason: str, output: str = "") -> End:
        """End the game of an agent whose fault it is."""
        side.failed = True
        left_behind = "\n".join(text for text in (output, side.seat.output()) if text.strip())
        line = " ".join(reason.split())[:REASON_KEPT]
        winner = None if kind == VOID else 1 - side.number
        return End(kind, winner, line, self._position.ply, side.number, left_behind[-OUTPUT_KEPT:])

    def _name(self, move: int) -> str:
        return self._position.game.move_name(move)


def _moves_of(task: Task) -> list[tuple[Position, int]]:
    """Give the opening's moves, each with the position it was made in."""
    position = position_of(dataclasses.replace(task.opening, moves=()))
    moves = []
    for name in task.opening.moves:
        moves.append((position, position.game.move(name)))
        position = position.play(name)
    return moves
