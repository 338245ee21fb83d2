"""A position as it is shown on a terminal: stones, cubes and holes in colour, the last move in brackets."""

from __future__ import annotations

from typing import Final

import numpy as np
from rich.console import Console
from rich.text import Text

from nogo.position import Position

_GROUNDS: Final = {"nogo": "on #c8a063", "othello": "on #2b7350", "einstein": "on #3a3f45"}
_STONES: Final = {"X": ("●", "#000000"), "O": ("○", "bold #ffffff")}
_CUBES: Final = {"R": "bold #ffffff on #b53a2c", "B": "bold #ffffff on #2c5fb3"}
_EMPTY: Final = "#8a8378"


def board_text(position: Position, before: Position | None, console: Console) -> Text:
    """Draw a position, and mark what the move that led to it from another one has put down."""
    of, placed = position.game, _placed(position, before)
    symbols = [[of.notation.symbol(int(cell) & 0xFF) for cell in row] for row in position.cells]
    width = max(len(symbol) for row in symbols for symbol in row)
    labels = [of.notation.row_label(row) for row in range(of.rows)]
    left = max(map(len, labels))
    header = " " * (left + 1) + "".join(f" {label:>{width}} " for label in of.notation.column_labels())
    shown = Text(f"{header}\n")
    for row, label in enumerate(labels):
        shown.append(f"{label:>{left}} ")
        for column, symbol in enumerate(symbols[row]):
            shown.append_text(_cell(symbol, width, _GROUNDS[of.family], (row, column) in placed, console))
        shown.append(f" {label}\n")
    return shown.append(header)


def _placed(position: Position, before: Position | None) -> set[tuple[int, int]]:
    """Find where a move has put something: a cube on whatever was there, a stone on an empty point.

    The other discs that have changed were only turned over.
    """
    if before is None:
        return set()
    old, new = before.cells, position.cells
    changed = old != new
    moved = bool((new[changed] == 0).any())
    return {(int(row), int(column)) for row, column in np.argwhere(changed & (new != 0 if moved else old == 0))}


def _cell(symbol: str, width: int, ground: str, placed: bool, console: Console) -> Text:
    if symbol == "#":
        return Text(" " * (width + 2))
    glyph, style = symbol, _CUBES.get(symbol[0], _EMPTY)
    if symbol in _STONES:
        round_one, style = _STONES[symbol]
        glyph = round_one if "utf" in console.encoding.lower() else symbol
    left, right = "()" if placed else "  "
    return Text(f"{left}{glyph:>{width}}{right}", f"{style} {ground}" if " on " not in style else style)
