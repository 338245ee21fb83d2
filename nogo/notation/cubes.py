"""EinStein: numbered cubes, and what is known of the die."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nogo.arguments import shown
from nogo.core import CHANCE, DICE, FIRST, NO_DIE, SECOND, Layout, Spec
from nogo.errors import ArgumentError, PositionError
from nogo.notation.board import Notation

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
        steps = [f"{cube}{way}" for cube in self.numbers for way in ("0123" if self.variant == self.COURSE else "012")]
        if self.variant == self.COURSE:
            return steps
        if self.variant == self.CLASSIC:
            return steps + [f"d{die}" for die in self.numbers]
        return [f"{step}={die}" for step in steps for die in self.numbers] + [f"={die}" for die in self.numbers]

    def symbol(self, cell: int) -> str:
        """Draw Red's cubes as R0, Blue's as B0."""
        return "." if cell == 0 else "RB"[(cell - 1) // 6] + self.numbers[(cell - 1) % 6]

    def diagram_symbols(self) -> set[str]:
        """Diagrams name the side: a bare digit there is a row's label."""
        return {self.symbol(cell).lower() for cell in range(13)}

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
        return self.line(self._layout_of({"red": self.numbers}))

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
        return self._layout_of(setup) if setup else None

    def _layout_of(self, setup: dict[str, Any]) -> Layout:
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
            raise ArgumentError(f"{side}={shown(numbers)} is not an order of {self.numbers}; each number once")
        return numbers

    def _dice(self, dice: object, error: type[ValueError]) -> bytes:
        if not isinstance(dice, str) or len(dice) != DICE or set(dice) - set(self.numbers):
            raise error(f"dice={shown(dice)} is not {DICE} digits from {self.numbers[0]} to {self.numbers[-1]}")
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
                raise PositionError(f"die={shown(die)} is not {self.numbers[0]} to {self.numbers[-1]}")
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
        return tuple(self.move_names.index(move) for move in mapped)

    def ending(self, result: float) -> str:
        """Tell the grades apart."""
        return "all cubes captured" if result in (0.0, 1.0) else "corner reached"

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
