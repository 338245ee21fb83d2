"""Games for the page's viewer: replayed here, and written down so shortly that the page needs to know no rules.

A game is its start and what each move changes on the board. A change is three hexadecimal digits: the cell, counted row
by row from the top left, in two, and what stands there afterwards, one of the board's symbols, in the third.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import numpy as np

from nogo.core import CHANCE, HOLE
from nogo.game import Game
from nogo.match.record import ENDS, FINISHED, RESIGNED, GameRecord
from nogo.match.replay import Step, one_line, start_of
from nogo.position import Position

MOST: Final = 1000
"""Games that the viewer holds."""
MOST_SPOILT: Final = 500
"""Games among them that did not end by the rules, whenever they were played."""
_HOLE_DIGIT: Final = 15  # no game has as many things to stand on a cell
_DICE: Final = slice(12, 18)  # of EinStein's planes
_NO_DIE: Final = "-"


@dataclass
class Selection:
    """The games that are shown, of all that there are: the spoilt ones, and the first of the others."""

    count: int = 0
    spoilt_count: int = 0
    spoilt: list[GameRecord] = field(default_factory=list)
    others: list[GameRecord] = field(default_factory=list)

    def add(self, record: GameRecord) -> None:
        """See a game."""
        self.count += 1
        if record.end.kind in (FINISHED, RESIGNED):
            if len(self.others) < MOST:
                self.others.append(record)
            return
        self.spoilt_count += 1
        if len(self.spoilt) < MOST_SPOILT:
            self.spoilt.append(record)

    def records(self) -> list[GameRecord]:
        """Give those that are shown, by number."""
        room = MOST - len(self.spoilt)
        return sorted([*self.spoilt, *self.others[:room]], key=lambda record: record.number)


class Encoder:
    """Collects games in a form that JSON keeps small: what they share is written once."""

    def __init__(self) -> None:
        """Begin without any."""
        self.problems: list[str] = []
        """Which games cannot be replayed, and why."""
        self._boards: dict[str, dict[str, Any]] = {}
        self._names: dict[str, int] = {}
        self._games: list[dict[str, Any]] = []

    def add(self, record: GameRecord, played: list[Step]) -> None:
        """Add a game that was played again."""
        self._games.append(self._game(record, start_of(record), played))

    def to_json(self) -> dict[str, Any]:
        """Give it all as plain values."""
        return {
            "boards": list(self._boards.values()),
            "names": list(self._names),
            "ends": ENDS,
            "games": self._games,
        }

    def _game(self, record: GameRecord, start: Position, played: list[Step]) -> dict[str, Any]:
        of, end = start.game, record.end
        positions = [start, *(step.position for step in played)]
        return {
            "n": record.number,
            "g": self._board(of),
            "p": [self._name(one_line(player.name)) for player in record.players],
            "b": "".join(f"{_digit(cell):x}" for cell in start.cells.flat),
            "d": " ".join(_changes(*pair) for pair in pairwise(positions)),
            "m": " ".join(step.move for step in played),
            "w": "".join("c" if step.mover == CHANCE else str(step.mover) for step in played),
            "z": "".join(_die(each) for each in positions) if of.family == "einstein" else "",
            "o": sum(step.opening for step in played),
            "t": [_rounded(step.seconds, 4) for step in played],
            "k": [step.playouts for step in played],
            "v": [_rounded(step.value, 3) for step in played],
            "e": [ENDS.index(end.kind), end.winner, one_line(end.reason)],
        }

    def _name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def _board(self, of: Game) -> int:
        self._boards.setdefault(of.name, _board(of))
        return list(self._boards).index(of.name)


def _board(of: Game) -> dict[str, Any]:
    """Say what a board looks like."""
    last = 12 if of.family == "einstein" else 2
    return {
        "name": of.name,
        "family": of.family,
        "columns": of.notation.column_labels(),
        "rows": [of.notation.row_label(row) for row in range(of.rows)],
        "players": of.players,
        "symbols": ["", *(of.notation.symbol(cell) for cell in range(1, last + 1))],
    }


def _digit(cell: int) -> int:
    """Number what stands on a cell of `Position.cells`."""
    return _HOLE_DIGIT if cell == HOLE - 256 else int(cell)


def _changes(before: Position, after: Position) -> str:
    """Write what a move has changed; a throw, or a pass, nothing."""
    old, new = before.cells.ravel(), after.cells.ravel()
    found = "".join(f"{cell:02x}{_digit(new[cell]):x}" for cell in np.flatnonzero(old != new))
    return found or "-"


def _die(position: Position) -> str:
    """Name the die in force, as the cubes are numbered."""
    thrown = position.planes()[_DICE, 0, 0]
    if position.is_over or not thrown.any():
        return _NO_DIE
    return position.game.notation.symbol(1 + int(thrown.argmax()))[1:]


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(float(value), digits)
