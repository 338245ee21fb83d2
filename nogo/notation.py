"""How games, moves and positions are written: names, the one-line text, the diagram, arrays.

A line is ``GAME ROW/ROW/... TURN [key=value ...]``, rows from the top, e.g. ``nogo:3x3 .X./.O./... black``. A diagram
has the same words in its first line and then the board with its coordinates; both are read back by `Notation.parse`.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nogo.core import CHANCE, DICE, FIRST, HOLE, NO_DIE, SECOND, Layout, Spec
from nogo.errors import ArgumentError, PositionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LETTERS = "ABCDEFGHJKLMNOPQ"  # as in GTP: no I
MAX_PLY = 65535


@dataclass(frozen=True)
class Fields:
    """The parts of a text: rows of cell symbols, and the words around them."""

    rows: list[list[str]]
    turn: str
    options: dict[str, str]


def point_names(columns: int, rows: int) -> list[str]:
    """Name the points as GTP does: letters without I, row 1 at the bottom; listed from the top left."""
    return [f"{LETTERS[column]}{rows - row}" for row in range(rows) for column in range(columns)]


def game_name_of(text: str) -> str:
    """Find the game's name, the first word of a line or diagram."""
    words = text.split(maxsplit=1) if isinstance(text, str) else []
    if not words:
        raise PositionError(f"{text!r} is not a position; write e.g. 'nogo:3x3 .X./.O./... black'")
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
    return list(places.items())


class Notation:
    """What all families write alike; each says its own symbols, moves and words."""

    players: ClassVar[tuple[str, str]]
    symmetry_names: ClassVar[tuple[str, ...]]
    move_examples: str
    move_names: list[str]

    def __init__(self, spec: Spec) -> None:
        """Prepare for a game."""
        self.spec = spec
        self.move_names = self.name_moves()
        self.moves_by_name = {name.lower(): move for move, name in enumerate(self.move_names) if name}

    # ---- for each family to say ----

    def name_moves(self) -> list[str]:
        """Name every move of the move space."""
        raise NotImplementedError

    def symbol(self, cell: int) -> str:
        """Draw a cell in a diagram."""
        raise NotImplementedError

    def read_symbol(self, symbol: str) -> int | None:
        """Read a cell, of a line or a diagram; None when it is none."""
        raise NotImplementedError

    def read_options(self, options: dict[str, str], cells: bytes, turn: str) -> Layout:
        """Complete a layout with what stands after the board."""
        raise NotImplementedError

    def map_moves(self, name: str, points: tuple[int, ...]) -> tuple[int, ...]:
        """Tell where moves go when cells go to points."""
        raise NotImplementedError

    def result(self, outcome: int) -> float:
        """Give `Position.result` of an outcome of the engine."""
        raise NotImplementedError

    def possible(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell which of the results a game can end with."""
        return np.ones(values.shape, dtype=bool)

    def start_layout(self, setup: dict[str, Any]) -> Layout | None:
        """Lay out the start; None for the engine's own."""
        if setup:
            raise ArgumentError(f"{self.spec.name} starts in one way only; start() takes no {', '.join(sorted(setup))}")
        return None

    def cell_text(self, cell: int) -> str:
        """Write a cell in a line: one character."""
        return self.symbol(cell)

    def options_of(self, layout: Layout) -> str:
        """Write what stands after the turn, with a space before each."""
        raise NotImplementedError

    def row_label(self, row: int) -> str:
        """Label a row of a diagram."""
        return str(row + 1)

    def column_labels(self) -> list[str]:
        """Label the columns of a diagram."""
        raise NotImplementedError

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
        return PositionError(f"{text!r} cannot arise: {where}; correct the board, the turn or what stands after it")

    def _read_line(self, line: str) -> Fields:
        words = line.split()
        if len(words) < 3:
            raise PositionError(f"{line!r} lacks a board or a turn; write e.g. {self.example()!r}")
        rows = [list(row) for row in words[1].split("/")]
        return Fields(rows, words[2], self._read_words(words[3:]))

    def _read_diagram(self, lines: list[str]) -> Fields:
        words = lines[0].split()
        if len(words) < 2:
            raise PositionError(f"{lines[0]!r} lacks the turn; write e.g. '{self.spec.name} {self.players[0]}'")
        rows: list[list[str]] = []
        for line in lines[1:]:
            symbols = line.split()
            if len(symbols) == self.spec.columns:
                continue  # the letters above and below the board
            label = self.row_label(len(rows)) if len(rows) < self.spec.rows else None
            if symbols[0] != label or len(symbols) > self.spec.columns + 2:
                raise PositionError(
                    f"{line!r} is not a row of {self.spec.name}: expected"
                    f" {'no further row' if label is None else f'label {label}'} and {self.spec.columns} cells"
                )
            rows.append(symbols[1 : self.spec.columns + 1])
        return Fields(rows, words[1], self._read_words(words[2:]))

    def _read_words(self, words: list[str]) -> dict[str, str]:
        options = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not equals or key in options:
                raise PositionError(f"{word!r} is not a key=value, or its key stands twice")
            options[key] = value
        return options

    def _read_cells(self, rows: list[list[str]]) -> bytes:
        sizes = [len(row) for row in rows]
        if sizes != [self.spec.columns] * self.spec.rows:
            raise PositionError(
                f"{self.spec.name} has {self.spec.rows} rows of {self.spec.columns} cells, not {len(rows)} of {sizes}"
            )
        cells = bytearray()
        for symbol in (symbol for row in rows for symbol in row):
            cell = self.read_symbol(symbol)
            if cell is None:
                row, column = divmod(len(cells), self.spec.columns)
                raise PositionError(
                    f"{symbol!r} in row {row + 1} from the top, column {column + 1} is no cell of {self.spec.name};"
                    f" cells look like {self.cell_examples()}"
                )
            cells.append(cell)
        return bytes(cells)

    def cell_examples(self) -> str:
        """List the symbols of a line."""
        return ". X O #"

    def _read_turn(self, word: str) -> str:
        turn = word.lower()
        if turn not in (*self.players, "throw"):
            raise PositionError(f"{word!r} is not a side of {self.spec.name}; write {' or '.join(self.players)}")
        return turn

    def read_ply(self, options: dict[str, str], default: int) -> int:
        """Take ply= out of the options."""
        text = options.pop("ply", str(default))
        if not re.fullmatch("[0-9]{1,6}", text) or int(text) > MAX_PLY:
            raise PositionError(f"ply={text!r} is not a number of moves; use 0 to {MAX_PLY}")
        return int(text)

    def refuse_options(self, options: dict[str, str]) -> None:
        """Refuse the options that nobody has taken."""
        if options:
            raise PositionError(f"{self.spec.name} has no {', '.join(sorted(options))}; leave it out")


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

    def result(self, outcome: int) -> float:
        """Black's discs less white's."""
        return outcome - self.EVEN

    def possible(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """No margin is larger than the board."""
        return np.abs(values) <= self.spec.columns * self.spec.rows


class EinsteinNotation(Notation):
    """EinStein: cubes R0 to B5 in diagrams; in a line, Red's digits and Blue's letters from a."""

    players = ("red", "blue")
    symmetry_names = ("identity", "transpose")
    COURSE: ClassVar = 0
    CLASSIC: ClassVar = 1
    SETDIE: ClassVar = 2
    COURSE_SQUARES: ClassVar = ((0, 1, 2, 7, 8, 14), (27, 33, 34, 39, 40, 41))
    SMALL_SQUARES: ClassVar = ((0, 1, 2, 5, 6, 10), (24, 23, 22, 19, 18, 14))

    def __init__(self, spec: Spec) -> None:
        """Number the cubes from 0 on the course board, from 1 on the small ones."""
        self.variant = spec.variant
        self.base = 0 if self.variant == self.COURSE else 1
        self.numbers = "".join(str(self.base + i) for i in range(6))
        self.move_examples = {
            self.COURSE: "32 (cube 3, direction 2)",
            self.CLASSIC: "32 (cube 3, direction 2) or d5 (the die shows 5)",
            self.SETDIE: "32=5 (cube 3, direction 2, sets the die to 5) or =5",
        }[self.variant]
        super().__init__(spec)

    def name_moves(self) -> list[str]:
        """Name cube and direction, and what is said of the die."""
        if self.variant == self.SETDIE:
            steps = [f"{cube}{way}={die}" for cube in self.numbers for way in "012" for die in self.numbers]
            return steps + [f"={die}" for die in self.numbers]
        ways = "0123" if self.variant == self.COURSE else "012"
        steps = [f"{cube}{way}" if way in ways else "" for cube in self.numbers for way in "0123"]
        return steps + ([f"d{die}" for die in self.numbers] if self.variant == self.CLASSIC else [])

    def symbol(self, cell: int) -> str:
        """Draw Red's cubes as R0, Blue's as B0."""
        return "." if cell == 0 else "RB"[(cell - 1) // 6] + self.numbers[(cell - 1) % 6]

    def cell_text(self, cell: int) -> str:
        """Write Red's cubes as digits, Blue's as letters."""
        return "." if cell == 0 else (self.numbers + "abcdef")[cell - 1]

    def read_symbol(self, symbol: str) -> int | None:
        """Read both."""
        known = {self.symbol(cell).lower(): cell for cell in range(13)}
        known |= {self.cell_text(cell): cell for cell in range(13)}
        return known.get(symbol.lower())

    def cell_examples(self) -> str:
        """Show them by example."""
        return f". {self.numbers[0]} to {self.numbers[-1]} for red, a to f for blue"

    def example(self) -> str:
        """Show the start."""
        layout = self.start_layout({"red": self.numbers})
        return self.line(layout) if layout else ""

    def row_label(self, row: int) -> str:
        """Count rows from 0 at the top."""
        return str(row)

    def column_labels(self) -> list[str]:
        """Count columns from 0."""
        return [str(column) for column in range(self.spec.columns)]

    def cell_name(self, cell: int) -> str:
        """Name a square as the rules do."""
        row, column = divmod(cell, self.spec.columns)
        return f"({row},{column})"

    def start_layout(self, setup: dict[str, Any]) -> Layout | None:
        """Put the cubes on their start squares."""
        setup = self._drawn(setup) if "seed" in setup else setup
        if not setup:
            return None
        allowed = {"red", "blue", "dice"} if self.variant == self.COURSE else {"red", "blue"}
        if set(setup) - allowed:
            raise ArgumentError(
                f"{self.spec.name} does not take {', '.join(sorted(set(setup) - allowed))};"
                f" it takes {', '.join(sorted(allowed))}, or seed alone"
            )
        cells = bytearray(self.spec.columns * self.spec.rows)
        squares = self.COURSE_SQUARES if self.variant == self.COURSE else self.SMALL_SQUARES
        for player in (FIRST, SECOND):
            numbers = self._permutation(self.players[player], setup.get(self.players[player], self.numbers))
            for square, number in zip(squares[player], numbers, strict=True):
                cells[square] = 1 + 6 * player + self.numbers.index(number)
        turn = CHANCE if self.variant == self.CLASSIC else FIRST
        dice = self._dice(setup.get("dice", (self.numbers * 4)[:DICE]), ArgumentError)
        return Layout(bytes(cells), turn, 0, dice=dice)

    def _drawn(self, setup: dict[str, Any]) -> dict[str, Any]:
        if len(setup) > 1:
            raise ArgumentError("seed draws the numbers and the dice; give it alone, or red, blue and dice without it")
        rng = random.Random(setup["seed"])  # noqa: S311 - a game, not a secret
        drawn = {side: "".join(rng.sample(self.numbers, 6)) for side in self.players}
        if self.variant == self.COURSE:
            drawn["dice"] = "".join(rng.choices(self.numbers, k=DICE))
        return drawn

    def _permutation(self, side: str, numbers: object) -> str:
        if not isinstance(numbers, str) or sorted(numbers) != list(self.numbers):
            raise ArgumentError(f"{side}={numbers!r} is not an order of {self.numbers}; each number once")
        return numbers

    def _dice(self, dice: object, error: type[ValueError]) -> bytes:
        if not isinstance(dice, str) or len(dice) != DICE or set(dice) - set(self.numbers):
            raise error(f"dice={dice!r} is not {DICE} digits from {self.numbers[0]} to {self.numbers[-1]}")
        return bytes(self.numbers.index(die) for die in dice)

    def options_of(self, layout: Layout) -> str:
        """Write the ply, and the dice or the die."""
        text = f" ply={layout.ply}"
        if self.variant == self.COURSE:
            return text + " dice=" + "".join(self.numbers[die] for die in layout.dice)
        return text if layout.die == NO_DIE else f"{text} die={self.numbers[layout.die]}"

    def read_options(self, options: dict[str, str], cells: bytes, turn: str) -> Layout:
        """Take the ply, and the dice or the die."""
        if "ply" not in options:
            raise PositionError(f"{self.spec.name} needs the number of moves made; add e.g. ply=0")
        ply = self.read_ply(options, 0)
        layout = Layout(cells, CHANCE if turn == "throw" else self.players.index(turn), ply)
        if self.variant == self.COURSE:
            layout.dice = self._dice(options.pop("dice", None), PositionError)
        elif "die" in options:
            die = options.pop("die")
            if len(die) != 1 or die not in self.numbers:
                raise PositionError(f"die={die!r} is not {self.numbers[0]} to {self.numbers[-1]}")
            layout.die = self.numbers.index(die)
        self.refuse_options(options)
        return layout

    def map_moves(self, name: str, points: tuple[int, ...]) -> tuple[int, ...]:
        """Turn moves over the diagonal: horizontal and vertical change places."""
        del points
        swap = str.maketrans("01", "10") if name == "transpose" else {}
        mapped = [
            move[:1] + move[1:2].translate(swap) + move[2:] if move[:1].isdigit() else move for move in self.move_names
        ]
        return tuple(self.move_names.index(move) if move else i for i, move in enumerate(mapped))

    def result(self, outcome: int) -> float:
        """Graded in tenths."""
        return outcome / 10

    def possible(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Captured all or reached the corner, for either side."""
        return np.isin(values, (0.0, 0.1, 0.9, 1.0))

    def planes(self, cells: NDArray[np.int8], layout: Layout, legal: list[int]) -> NDArray[np.float32]:
        """Give the planes described in `Position.planes`."""
        del legal
        cubes = [cells == 1 + cube for cube in range(12)]
        dice = [np.full(cells.shape, layout.die == die) for die in range(6)]
        turn = np.full(cells.shape, layout.ply % 2 == SECOND)
        return np.stack([*cubes, *dice, turn]).astype(np.float32)


_FAMILIES: dict[str, type[Notation]] = {
    "nogo": NogoNotation,
    "othello": OthelloNotation,
    "einstein": EinsteinNotation,
}


def of(spec: Spec) -> Notation:
    """Get the notation of a game."""
    return _FAMILIES[spec.family](spec)
