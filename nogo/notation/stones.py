"""NoGo and Othello: stones of two colours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from nogo.core import FIRST, HOLE, OFF_BOARD, REASONS, Layout
from nogo.errors import PositionError
from nogo.notation.board import LETTERS, Notation, board_maps, plain, point_names

if TYPE_CHECKING:
    from numpy.typing import NDArray


class StoneNotation(Notation):
    """NoGo and Othello: stones of two colours."""

    players = ("black", "white")
    symmetry_names = tuple(name for name, _ in board_maps(2, 2))
    SYMBOLS: ClassVar[dict[int, str]] = {0: ".", 1: "X", 2: "O", HOLE: "#"}
    CELLS: ClassVar[dict[str, int]] = {".": 0, "-": 0, "X": 1, "*": 1, "O": 2, "#": HOLE}

    def symbol(self, cell: int) -> str:
        """Draw black as X, white as O, a hole as #."""
        return self.SYMBOLS[cell]

    def read_symbol(self, symbol: str) -> int | None:
        """Read either case, and - for empty and * for black as other programs write."""
        return self.CELLS.get(symbol.upper())

    def diagram_symbols(self) -> set[str]:
        """Diagrams have the line's symbols."""
        return {symbol.lower() for symbol in self.CELLS}

    def why_no_move(self, name: object) -> str:
        """Tell a point that lies outside from what is no point at all."""
        outside = re.fullmatch("[a-z][0-9]{1,3}", plain(name))
        return REASONS[OFF_BOARD] if outside else super().why_no_move(name)

    def _side(self, turn: str) -> int:
        if turn not in self.players:
            raise PositionError(f"{self.spec.name} has no die to {turn}; write {' or '.join(self.players)}")
        return self.players.index(turn)


class NogoNotation(StoneNotation):
    """NoGo: points as in GTP."""

    move_examples = "D4"

    def name_moves(self) -> list[str]:
        """Name the points."""
        return point_names(self.spec.columns, self.spec.rows)

    def row_label(self, row: int) -> str:
        """Count rows from the bottom."""
        return str(self.spec.rows - row)

    def column_labels(self) -> list[str]:
        """Letter the columns, without I."""
        return list(LETTERS[: self.spec.columns])

    def example(self) -> str:
        """Show the holes too."""
        cells = bytearray(self.spec.columns * self.spec.rows)
        for hole in self.spec.holes:
            cells[hole] = HOLE
        return self.line(Layout(bytes(cells), FIRST, 0))

    def options_of(self, layout: Layout) -> str:
        """Write nothing: the stones say it all."""
        del layout
        return ""

    def read_options(self, options: dict[str, str], cells: bytes, turn: str) -> Layout:
        """Count the ply from the stones."""
        self.refuse_options(options)
        return Layout(cells, self._side(turn), sum(cell in (1, 2) for cell in cells))

    def map_moves(self, name: str, points: tuple[int, ...]) -> tuple[int, ...]:
        """Moves are points."""
        del name
        return points

    def ending(self, result: float) -> str:
        """There is only one way."""
        del result
        return "no legal move"

    def result(self, outcome: int) -> float:
        """Won or lost."""
        return float(outcome)


class OthelloNotation(StoneNotation):
    """Othello: squares a1 (top left) to h8, and pass."""

    move_examples = "f5 or pass"
    EVEN: ClassVar = 64

    def name_moves(self) -> list[str]:
        """Name the squares, then the pass."""
        size = self.spec.columns
        return [f"{LETTERS[column].lower()}{row + 1}" for row in range(size) for column in range(size)] + ["pass"]

    def column_labels(self) -> list[str]:
        """Letter the columns."""
        return list(LETTERS[: self.spec.columns].lower())

    def example(self) -> str:
        """Show the start."""
        size, half = self.spec.columns, self.spec.columns // 2
        cells = bytearray(size * size)
        for row, column, disc in ((-1, -1, 2), (-1, 0, 1), (0, -1, 1), (0, 0, 2)):
            cells[(half + row) * size + half + column] = disc
        return self.line(Layout(bytes(cells), FIRST, 0))

    def _least_ply(self, cells: bytes, turn: int) -> int:
        """Count one move for each disc beyond four, and a pass if the turn needs one."""
        moves = sum(cell in (1, 2) for cell in cells) - 4
        return max(moves + ((moves ^ turn) & 1), 0)

    def options_of(self, layout: Layout) -> str:
        """Write the ply where discs and turn do not tell it: after passes."""
        return "" if layout.ply == self._least_ply(layout.cells, layout.turn) else f" ply={layout.ply}"

    def read_options(self, options: dict[str, str], cells: bytes, turn: str) -> Layout:
        """Take the ply, or count it."""
        side = self._side(turn)
        ply = self.read_ply(options, self._least_ply(cells, side))
        self.refuse_options(options)
        return Layout(cells, side, ply)

    def map_moves(self, name: str, points: tuple[int, ...]) -> tuple[int, ...]:
        """Moves are squares; a pass stays one."""
        del name
        return (*points, len(points))

    def ending(self, result: float) -> str:
        """Tell who has how many discs more."""
        discs = int(abs(result))
        leader = self.players[0 if result > 0 else 1]
        return f"{leader} has {discs} disc{'s' if discs > 1 else ''} more" if discs else "equal discs"

    def result(self, outcome: int) -> float:
        """Black's discs less white's."""
        return outcome - self.EVEN

    def possible(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """No margin is larger than the board."""
        return np.abs(values) <= self.spec.columns * self.spec.rows
