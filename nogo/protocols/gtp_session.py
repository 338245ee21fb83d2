"""A controller's conversation: its table, clocks and agents, and how a move is found. It knows no commands."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from nogo.agent import RESIGN, Choice
from nogo.arguments import SEED_LIMIT
from nogo.budget import Budget
from nogo.errors import ArgumentError
from nogo.game import Game
from nogo.position import Position
from nogo.protocols.gtp_clock import Clocks
from nogo.protocols.gtp_sides import Side
from nogo.protocols.gtp_table import PASS, Table, has_pass, vertex
from nogo.protocols.gtp_wire import GtpError, Write
from nogo.protocols.lines import Lines
from nogo.registry import Selection

FAMILIES: Final = ("nogo", "othello")
RESIGNATION: Final = "resign"


@dataclass(frozen=True)
class Found:
    """What an agent has found in a position."""

    position: Position
    choice: Choice
    seconds: float

    @property
    def said(self) -> str:
        """The move as GTP names it."""
        return RESIGNATION if self.choice.move == RESIGN else vertex(self.position.game, self.choice.move)


class Session:
    """What lasts from one command to the next."""

    def __init__(self, game: Game, agents: Sequence[Selection], budget: Budget, seed: int, name: str) -> None:
        """Sit down at a game, with an agent for each colour; they are made when they are first needed."""
        if game.family not in FAMILIES:
            raise ArgumentError(f"{game.name} is not played over GTP; it has games of {' and '.join(FAMILIES)}")
        for selection in agents:
            selection.require(game)
        self.name = name
        self.budget = budget
        self.seed = seed
        self.sides = [Side(selection, (seed + colour) % SEED_LIMIT) for colour, selection in enumerate(agents)]
        self.clocks = Clocks()
        self.table = Table(game.start())
        self.last: Found | None = None
        self.done = False

    def close(self) -> None:
        """Let the agents go."""
        for side in self.sides:
            side.close()

    def begin(self, table: Table) -> None:
        """Begin at a table."""
        for side in self.sides:
            side.selection.require(table.game)
        self.table = table
        self.last = None
        self.clocks.restart()
        for side in self.sides:
            side.new_game()

    def find(self, colour: int, budget: Callable[[], Budget]) -> Found:
        """Let a colour's agent choose a move, without making it."""
        began = time.monotonic()
        position = self.table.turn_of(colour)
        choice = self.sides[colour].choose(self.table, position, budget)
        self.last = Found(position, choice, time.monotonic() - began)
        return self.last

    def decide(self, colour: int) -> Found | None:
        """Choose a move by the clock, if one is set, and make it; None for a side that has nothing to choose."""
        began = time.monotonic()
        if self.without_choice(colour):
            return None
        found = self.find(colour, lambda: self.clocks.budget(colour, time.monotonic() - began) or self.budget)
        self.clocks.spend(colour, found.seconds)
        choice = found.choice
        if choice.move == RESIGN:
            self.table.resigned = colour
        else:
            name = self.table.game.move_name(choice.move)
            self.table.play(colour, name, seconds=found.seconds, playouts=choice.playouts, value=choice.value)
        return found

    def without_choice(self, colour: int) -> str | None:
        """Answer for a side that can only pass or resign, where the game is over."""
        position = self.table.position
        if not position.is_over:
            return None
        if has_pass(position.game):
            return PASS
        if position.turn != colour:
            raise GtpError("the game is over: the other side has no legal move")
        return RESIGNATION

    def give_up(self, colour: int) -> str:
        """Resign, or pass, as a side does that has no move left."""
        word = self.without_choice(colour) or ""
        if word == RESIGNATION:
            self.table.resigned = colour
        return word


@dataclass(frozen=True)
class Wire:
    """The two streams, for the commands that answer while they run."""

    lines: Lines
    write: Write
