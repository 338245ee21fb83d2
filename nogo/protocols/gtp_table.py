"""The game at the table: start, moves made, and what the rules allow; for every wire that says moves by colour."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from nogo.arguments import shown
from nogo.game import Game
from nogo.game import game as get_game
from nogo.position import Position
from nogo.protocols.gtp_wire import GtpError

COLOURS: Final = {"b": 0, "black": 0, "w": 1, "white": 1}
NAMES: Final = ("black", "white")
PASS: Final = "pass"  # noqa: S105 - a move, not a word of entry
LAST_PASSES: Final = 2  # a controller of Go ends a game by two passes; it may do so where ours is over already


@dataclass(frozen=True)
class Move:
    """A move made, and what is known of it."""

    move: int | None
    """None for a pass after the end of the game, which changes nothing."""
    after: Position
    forced: bool = False
    """Whether it is a pass that nobody said, since there was nothing else to do."""
    seconds: float | None = None
    playouts: int | None = None
    value: float | None = None


class Table:
    """A game as it is played. What is refused changes nothing."""

    def __init__(self, start: Position) -> None:
        """Set up a start."""
        self.start = start
        self.moves: list[Move] = []
        self.resigned: int | None = None
        """Who has given the game up."""

    def copy(self) -> Table:
        """Set up the same game at another table."""
        other = Table(self.start)
        other.moves, other.resigned = list(self.moves), self.resigned
        return other

    @property
    def game(self) -> Game:
        """The game."""
        return self.start.game

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.moves[-1].after if self.moves else self.start

    def turn_of(self, colour: int) -> Position:
        """Give the position in which a colour is to move, after the other's forced pass if that is all it needs."""
        position = self.position
        if position.turn != colour and _must_pass(position):
            position = position.play(PASS)
        if position.turn != colour:
            raise GtpError("illegal move: not your turn")
        return position

    def play(
        self,
        colour: int,
        name: str,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        value: float | None = None,
    ) -> None:
        """Make a move by name."""
        if self.position.is_over and name.lower() == PASS and self._passes_left():
            self.moves.append(Move(None, self.position))
            return
        before = self.turn_of(colour)
        why = before.why_illegal(name)
        if why is not None:
            raise GtpError(f"illegal move: {why}")
        forced = [] if before is self.position else [Move(self.game.move(PASS), before, forced=True)]
        move = self.game.move(name)
        self.moves += [*forced, Move(move, before.play(move), False, seconds, playouts, value)]
        self.resigned = None

    def _passes_left(self) -> bool:
        """Allow passes after the end where the game has a pass, but not for ever."""
        made = sum(move.move is None for move in self.moves[-LAST_PASSES:])
        return has_pass(self.game) and made < LAST_PASSES

    def undo(self) -> None:
        """Take the last move back, with the pass that was made for it."""
        if not self.moves:
            raise GtpError("cannot undo")
        self.moves.pop()
        if self.moves and self.moves[-1].forced:
            self.moves.pop()
        self.resigned = None

    @property
    def score(self) -> str:
        """Give the result as GTP writes it."""
        position = self.position
        if self.resigned is not None:
            return "WB"[self.resigned] + "+R"
        if not position.is_over:
            raise GtpError("cannot score: the game is not over")
        if position.winner is None:
            return "0"
        counted = has_pass(self.game)
        return "BW"[position.winner] + (f"+{abs(position.result or 0):.0f}" if counted else "+R")

    def verdict(self) -> str:
        """Say who has won, and why."""
        position = self.position
        if self.resigned is not None:
            return f"{NAMES[1 - self.resigned].capitalize()} wins: {NAMES[self.resigned]} resigned"
        if not position.is_over:
            return "The game is not over"
        if position.winner is None:
            return "Draw"
        winner = NAMES[position.winner].capitalize()
        if has_pass(self.game):
            return f"{winner} wins by {abs(position.result or 0):.0f} discs"
        return f"{winner} wins: {NAMES[1 - position.winner]} has no legal move"


def has_pass(game: Game) -> bool:
    """Tell whether a game has passes, as Othello has."""
    return PASS in game.notation.moves_by_name


def _must_pass(position: Position) -> bool:
    return not position.is_over and has_pass(position.game) and position.legal_moves() == [position.game.move(PASS)]


def colour_of(word: str) -> int:
    """Read a colour."""
    colour = COLOURS.get(word.lower())
    if colour is None:
        raise GtpError(f"invalid color {shown(word)}: write black or white")
    return colour


def vertex(game: Game, move: int) -> str:
    """Name a move as GTP does: points with a capital letter."""
    name = game.move_name(move)
    return name if name == PASS else name.upper()


def sized(game: Game, columns: int, rows: int) -> Game:
    """Give the same game on a board of another size, where there is one."""
    if (columns, rows) == (game.columns, game.rows):
        return game
    family, separator, size = game.name.partition(":")
    plain = not separator or re.fullmatch("[0-9]+x[0-9]+", size)  # a board with holes has the size it was made for
    try:
        other = get_game(f"{family}:{columns}x{rows}") if plain else game
    except ValueError:
        other = game
    if (other.columns, other.rows) != (columns, rows):
        raise GtpError(f"unacceptable size: {game.name} is played on {game.columns}x{game.rows}")
    return other
