"""How games, moves and positions are written: names, the one-line text, the diagram, arrays.

A line is ``GAME ROW/ROW/... TURN [key=value ...]``, rows from the top, e.g. ``nogo:3x3 .X./.O./... black``. A diagram
has the same words in its first line and then the board with its coordinates; both are read back by `Notation.parse`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nogo.arguments import shown
from nogo.core import CHANCE, NOT_A_MOVE, REASONS, SECOND, Layout, Spec
from nogo.errors import ArgumentError, PositionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LETTERS = "ABCDEFGHJKLMNOPQ"  # as in GTP: no I
MAX_PLY = 65535  # what the engine can count; it knows closer bounds


@dataclass(frozen=True)
class Fields:
    """The parts of a text: rows of cell symbols, and the words around them."""

    rows: list[list[str]]
    turn: str
    options: dict[str, str]


def point_names(columns: int, rows: int) -> list[str]:
    """Name the points as GTP does: letters without I, row 1 at the bottom; listed from the top left."""
    return [f"{LETTERS[column]}{rows - row}" for row in range(rows) for column in range(columns)]


def plain(word: object) -> str:
    """Fold a word for comparison: case and spaces around it do not matter; what is not ASCII matches nothing."""
    return word.strip().lower() if isinstance(word, str) and word.isascii() else ""


def game_name_of(text: str) -> str:
    """Find the game's name, the first word of a line or diagram."""
    words = text.split(maxsplit=1) if isinstance(text, str) else []
    if not words:
        raise PositionError(f"{shown(text)} is not a position; write e.g. 'nogo:3x3 .X./.O./... black'")
    return words[0]


def board_maps(columns: int, rows: int) -> list[tuple[str, tuple[int, ...]]]:
    """List the turns and mirrorings of a rectangle onto itself: names, and where each cell goes."""
    last_row, last_column = rows - 1, columns - 1
    maps: dict[str, Callable[[int, int], tuple[int, int]]] = {
        "identity": lambda r, c: (r, c),
        "rotate180": lambda r, c: (last_row - r, last_column - c),
        "mirror-columns": lambda r, c: (r, last_column - c),
        "mirror-rows": lambda r, c: (last_row - r, c),
    }
    if rows == columns:
        maps |= {
            "rotate90": lambda r, c: (c, last_row - r),
            "rotate270": lambda r, c: (last_column - c, r),
            "transpose": lambda r, c: (c, r),
            "anti-transpose": lambda r, c: (last_column - c, last_row - r),
        }
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    places = {name: tuple(r * columns + c for r, c in (where(*cell) for cell in cells)) for name, where in maps.items()}
    names = {points: name for name, points in reversed(places.items())}  # on a thin board some are the same
    return [(name, points) for name, points in places.items() if names[points] == name]


class Notation(ABC):
    """What all families write alike; each says its own symbols, moves and words."""

    players: ClassVar[tuple[str, str]]
    symmetry_names: ClassVar[tuple[str, ...]]
    move_examples: str
    move_names: list[str]

    def __init__(self, spec: Spec) -> None:
        """Prepare for a game."""
        self.spec = spec
        self.move_names = self.name_moves()
        self.moves_by_name = {name.lower(): move for move, name in enumerate(self.move_names)}

    # ---- for each family to say ----

    @abstractmethod
    def name_moves(self) -> list[str]:
        """Name every move of the move space."""

    @abstractmethod
    def symbol(self, cell: int) -> str:
        """Draw a cell in a diagram."""

    @abstractmethod
    def read_symbol(self, symbol: str) -> int | None:
        """Read a cell, of a line or a diagram; None when it is none."""

    @abstractmethod
    def read_options(self, options: dict[str, str], cells: bytes, turn: str) -> Layout:
        """Complete a layout with what stands after the board."""

    @abstractmethod
    def map_moves(self, name: str, points: tuple[int, ...]) -> tuple[int, ...]:
        """Tell where moves go when cells go to points."""

    @abstractmethod
    def ending(self, result: float) -> str:
        """Say in a few words how a game with this result has ended."""

    @abstractmethod
    def result(self, outcome: int) -> float:
        """Give `Position.result` of an outcome of the engine."""

    def possible(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell which of the results a game can end with."""
        return np.ones(values.shape, dtype=bool)

    def start_layout(self, setup: dict[str, Any]) -> Layout | None:
        """Lay out the start; None for the engine's own."""
        if setup:
            raise ArgumentError(f"{self.spec.name} starts in one way only; start() takes no {', '.join(sorted(setup))}")
        return None

    @abstractmethod
    def diagram_symbols(self) -> set[str]:
        """List the symbols a diagram may have, in lower case."""

    def cell_text(self, cell: int) -> str:
        """Write a cell in a line: one character."""
        return self.symbol(cell)

    def why_no_move(self, name: object) -> str:
        """Say why a name is not a move of this game."""
        return "pass" if plain(name) == "pass" else REASONS[NOT_A_MOVE]

    @abstractmethod
    def options_of(self, layout: Layout) -> str:
        """Write what stands after the turn, with a space before each."""

    def row_label(self, row: int) -> str:
        """Label a row of a diagram."""
        return str(row + 1)

    @abstractmethod
    def column_labels(self) -> list[str]:
        """Label the columns of a diagram."""

    def cell_name(self, cell: int) -> str:
        """Name a cell in an error."""
        return self.move_names[cell]

    # ---- writing ----

    def turn_word(self, turn: int) -> str:
        """Write whose turn it is."""
        return "throw" if turn == CHANCE else self.players[turn]

    def grid(self, cells: bytes) -> list[bytes]:
        """Cut cells into rows."""
        return [cells[start : start + self.spec.columns] for start in range(0, len(cells), self.spec.columns)]

    def line(self, layout: Layout) -> str:
        """Write the one-line text."""
        rows = "/".join("".join(self.cell_text(cell) for cell in row) for row in self.grid(layout.cells))
        return f"{self.spec.name} {rows} {self.turn_word(layout.turn)}{self.options_of(layout)}"

    def diagram(self, layout: Layout) -> str:
        """Draw the board, with the words of the line above it."""
        labels = [self.row_label(row) for row in range(self.spec.rows)]
        left = max(len(label) for label in labels)
        width = max(len(self.symbol(cell)) for cell in (*layout.cells, 0))
        columns = " ".join(label.rjust(width) for label in self.column_labels())
        header = f"{' ' * left} {columns}"
        rows = [
            f"{label.rjust(left)} {' '.join(self.symbol(cell).rjust(width) for cell in row)} {label}"
            for label, row in zip(labels, self.grid(layout.cells), strict=True)
        ]
        words = f"{self.spec.name} {self.turn_word(layout.turn)}{self.options_of(layout)}"
        return "\n".join([words, header, *rows, header])

    def planes(self, cells: NDArray[np.int8], layout: Layout, legal: list[int]) -> NDArray[np.float32]:
        """Give the planes described in `Position.planes`."""
        turn = np.full(cells.shape, layout.turn == SECOND)
        moves = np.zeros(cells.size, dtype=bool)
        moves[[move for move in legal if move < cells.size]] = True
        planes = [cells == 1, cells == 2, cells >= 0, moves.reshape(cells.shape), turn]
        return np.stack(planes).astype(np.float32)

    # ---- reading ----

    def parse(self, text: str) -> Layout:
        """Read a line or a diagram, whose first word is the game's name."""
        lines = [line for line in text.splitlines() if line.strip()]
        fields = self._read_line(lines[0]) if len(lines) == 1 else self._read_diagram(lines)
        cells = self._read_cells(fields.rows)
        return self.read_options(fields.options, cells, self._read_turn(fields.turn))

    def example(self) -> str:
        """Write an empty board, as a pattern for errors."""
        rows = "/".join(["." * self.spec.columns] * self.spec.rows)
        return f"{self.spec.name} {rows} {self.players[0]}"

    def fault(self, text: str, what: str, cell: int) -> PositionError:
        """Say what is wrong with a layout, and where."""
        where = f"{self.cell_name(cell)} {what}" if cell >= 0 else what
        return PositionError(
            f"{shown(text)} cannot arise: {where}; correct the board, the turn or what stands after it"
        )

    def _read_line(self, line: str) -> Fields:
        words = line.split()
        if len(words) < 3:
            raise PositionError(f"{shown(line)} lacks a board or a turn; write e.g. {self.example()!r}")
        rows = [list(row) for row in words[1].split("/")]
        return Fields(rows, words[2], self._read_words(words[3:]))

    def _read_diagram(self, lines: list[str]) -> Fields:
        words = lines[0].split()
        if len(words) < 2:
            raise PositionError(f"{shown(lines[0])} lacks the turn; write e.g. '{self.spec.name} {self.players[0]}'")
        columns = [label.lower() for label in self.column_labels()]
        boards = [line.split() for line in lines[1:] if line.lower().split() != columns]
        if len(boards) != self.spec.rows:
            raise PositionError(
                f"{self.spec.name} has {self.spec.rows} rows, this diagram {len(boards)};"
                f" each begins with its label, e.g. '{self.row_label(0)} . . .'"
            )
        rows = [self._read_diagram_row(self.row_label(row), symbols) for row, symbols in enumerate(boards)]
        return Fields(rows, words[1], self._read_words(words[2:]))

    def _read_diagram_row(self, label: str, symbols: list[str]) -> list[str]:
        cells = symbols[1 : self.spec.columns + 1]
        if symbols not in ([label, *cells], [label, *cells, label]) or len(cells) != self.spec.columns:
            raise PositionError(
                f"{shown(' '.join(symbols))} is not the row labelled {label} of {self.spec.name}:"
                f" the label, {self.spec.columns} cells, and the label again if you like"
            )
        for cell in cells:
            if cell.lower() not in self.diagram_symbols():
                raise self._no_cell(cell, f"in the row labelled {label}")
        return cells

    def _read_words(self, words: list[str]) -> dict[str, str]:
        options = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not (equals and key) or key in options:
                raise PositionError(
                    f"{shown(word)} is not a key=value, or its key stands twice;"
                    " after the turn come ply=, die= or dice="
                )
            options[key] = value
        return options

    def _read_cells(self, rows: list[list[str]]) -> bytes:
        sizes = [len(row) for row in rows]
        if sizes != [self.spec.columns] * self.spec.rows:
            raise PositionError(
                f"{self.spec.name} has {self.spec.rows} rows of {self.spec.columns} cells,"
                f" not {len(rows)} of {shown(sizes)}"
            )
        cells = bytearray()
        for symbol in (symbol for row in rows for symbol in row):
            cell = self.read_symbol(symbol)
            if cell is None:
                row, column = divmod(len(cells), self.spec.columns)
                raise self._no_cell(symbol, f"in row {row + 1} from the top, column {column + 1}")
            cells.append(cell)
        return bytes(cells)

    def _no_cell(self, symbol: str, place: str) -> PositionError:
        return PositionError(
            f"{shown(symbol)} {place} is no cell of {self.spec.name}; cells look like {self.cell_examples()}"
        )

    def cell_examples(self) -> str:
        """List the symbols of a line."""
        return ". X O #"

    def _read_turn(self, word: str) -> str:
        turn = plain(word)
        if turn not in (*self.players, "throw"):
            raise PositionError(f"{shown(word)} is not a side of {self.spec.name}; write {' or '.join(self.players)}")
        return turn

    def read_ply(self, options: dict[str, str], default: int) -> int:
        """Take ply= out of the options."""
        text = options.pop("ply", str(default))
        if not re.fullmatch("[0-9]{1,6}", text) or int(text) > MAX_PLY:
            raise PositionError(f"ply={shown(text)} is not a number of moves; use 0 to {MAX_PLY}")
        return int(text)

    def refuse_options(self, options: dict[str, str]) -> None:
        """Refuse the options that nobody has taken."""
        if options:
            raise PositionError(f"{self.spec.name} has no {shown(', '.join(sorted(options)))}; leave it out")
