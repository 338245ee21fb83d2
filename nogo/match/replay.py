"""A recorded game played again, and its texts made fit to be shown: for SGF, the report and the terminal.

What a record says of moves is checked by the rules here; whatever they refuse is a RecordError that names the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nogo.arguments import shown
from nogo.errors import NogoError, RecordError
from nogo.game import game, position
from nogo.match.record import GameRecord
from nogo.position import Position


@dataclass(frozen=True)
class Step:
    """A move, who made it, and the position after it."""

    move: str
    """As the game names it."""
    mover: int
    """FIRST, SECOND or CHANCE."""
    position: Position
    opening: bool = False
    """Whether it was made for the agents, before they took over."""
    seconds: float | None = None
    playouts: int | None = None
    value: float | None = None


def start_of(record: GameRecord) -> Position:
    """Set up the start."""
    try:
        start = position(record.opening.start)
        expected = game(record.game).name
    except NogoError as error:
        raise RecordError(f"game {record.number} has no start: {error}") from None
    if start.game.name != expected:
        raise RecordError(f"game {record.number} is one of {expected}, and starts with {shown(record.opening.start)}")
    return start


def steps(record: GameRecord) -> list[Step]:
    """Play it again, move by move, the opening's moves first."""
    found: list[Step] = []
    before = start_of(record)
    for move, opening, seconds, playouts, value in _lines(record):
        try:
            number = before.game.move(move)
            after = before.play(number)
        except NogoError as error:
            raise RecordError(f"game {record.number}, move {len(found) + 1}: {error}") from None
        found.append(Step(before.game.move_name(number), before.turn, after, opening, seconds, playouts, value))
        before = after
    return found


def _lines(record: GameRecord) -> Iterator[tuple[str, bool, float | None, int | None, float | None]]:
    for move in record.opening.moves:
        yield move, True, None, None, None
    for move, seconds, playouts, value in zip(
        record.moves, record.seconds, record.playouts, record.values, strict=True
    ):
        yield move, False, seconds, playouts, value


def positions(record: GameRecord) -> list[Position]:
    """Give the start, and the position after each move, the opening's moves first."""
    return [start_of(record), *(step.position for step in steps(record))]


def printable(text: object) -> str:
    """Make a text fit to be shown: what cannot be seen, or turns the text around it, becomes a space.

    Names, reasons and output come from agents, and may hold anything; lone surrogates cannot even be written.
    """
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in str(text))


def one_line(text: object) -> str:
    """Make a text fit to be shown in a line: the same without line breaks."""
    return " ".join(printable(text).split())
