"""A game read from SGF: the main line of a file that `nogo.match.sgf` wrote, or of one from elsewhere.

Files of ours name game and start in XG and XS. In others the stones of the first node are the setup, and the game is
the one that is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nogo.arguments import shown
from nogo.errors import ArgumentError, NogoError, RecordError
from nogo.game import Game, position
from nogo.match.sgf import COLOURS, GAME_NUMBERS, load_grammar
from nogo.position import Position

MAX_BYTES: Final = 1_000_000
SIDES: Final = {name: side for side, name in COLOURS.items()}
PASSES: Final = ("", "pa", "tt")

Node = dict[str, list[bytes]]


@dataclass(frozen=True)
class Reading:
    """What a file holds."""

    start: Position
    moves: tuple[tuple[int, str], ...]
    """Who moves, and the move's name; not checked by the rules yet."""


def from_sgf(data: bytes, of: Game) -> Reading:
    """Read the main line as a game of this kind; whatever is wrong is a RecordError that says what."""
    if of.family not in GAME_NUMBERS:
        raise ArgumentError(f"{of.name} has no SGF")
    if len(data) > MAX_BYTES:
        raise RecordError(f"a file of {len(data):,} bytes is too long for a game; at most {MAX_BYTES:,}")
    nodes = _main_line(data)
    start = _start(nodes[0], of)
    return Reading(start, tuple(move for node in nodes for move in _moves(node, start.game)))


def _main_line(data: bytes) -> list[Node]:
    grammar = load_grammar()
    try:
        tree = grammar.parse_sgf_game(data)
        return list(grammar.main_sequence_iter(tree))
    except ValueError as error:
        raise RecordError(f"it is no SGF file: {error}") from None


def _text(node: Node, name: str) -> str | None:
    values: Sequence[bytes] | None = node.get(name)
    if not values:
        return None
    plain: bytes = load_grammar().simpletext_value(values[0])
    return plain.decode("utf-8", "replace").strip()


def _start(root: Node, of: Game) -> Position:
    """Set up where the game begins."""
    text = _text(root, "XS")
    if text is not None:
        return _own_start(text, of)
    _check_kind(root, of)
    if not any(name in root for name in ("AB", "AW")):
        return of.start()
    turn = (_text(root, "PL") or "B").upper()[:1]
    return _set_up(root, of, SIDES.get(turn, 0))


def _own_start(text: str, of: Game) -> Position:
    try:
        start = position(text)
    except NogoError as error:
        raise RecordError(f"its start is none: {error}") from None
    if start.game != of:
        raise RecordError(f"it is a game of {start.game.name}, not of {of.name}")
    return start


def _check_kind(root: Node, of: Game) -> None:
    """Refuse another game, or one on another board."""
    number, size = _text(root, "GM"), _text(root, "SZ")
    if number is not None and number != str(GAME_NUMBERS[of.family]):
        raise RecordError(f"it is of game number {shown(number)} (GM), not of {of.name}")
    sizes = {f"{of.columns}:{of.rows}"} | ({str(of.columns)} if of.columns == of.rows else set())
    if size is not None and size not in sizes:
        raise RecordError(f"its board is {shown(size)} (SZ), that of {of.name} {of.columns}x{of.rows}")


def _set_up(root: Node, of: Game, turn: int) -> Position:
    """Put the setup's stones on a board."""
    rows = [list(row) for row in of.start().text.split()[1].split("/")]
    rows = [["#" if cell == "#" else "." for cell in row] for row in rows]
    for name, symbol in (("AB", "X"), ("AW", "O")):
        for value in root.get(name, []):
            for column, row in _points(value, of):
                rows[row][column] = symbol
    board = "/".join(map("".join, rows))
    try:
        return of.parse(f"{of.name} {board} {of.players[turn]}")
    except NogoError as error:
        raise RecordError(f"its setup cannot be played on from: {error}") from None


def _points(value: bytes, of: Game) -> list[tuple[int, int]]:
    """Read a point, or a rectangle of them as FF[4] has it: aa:cc."""
    first, _, last = value.decode("latin-1").partition(":")
    left, top = _point(first, of)
    right, bottom = _point(last or first, of)
    return [(column, row) for row in range(top, bottom + 1) for column in range(left, right + 1)]


def _point(text: str, of: Game) -> tuple[int, int]:
    """Find column and row, from the top left."""
    word = text.strip().lower()
    pattern = "[a-h][1-8]" if of.family == "othello" else "[a-z][a-z]"
    if re.fullmatch(pattern, word):
        column = ord(word[0]) - ord("a")
        row = int(word[1]) - 1 if of.family == "othello" else ord(word[1]) - ord("a")
        if column < of.columns and row < of.rows:
            return column, row
    raise RecordError(f"{shown(text)} is no point of {of.name} in SGF")


def _moves(node: Node, of: Game) -> list[tuple[int, str]]:
    return [(side, _move(node[name][0], of)) for name, side in SIDES.items() if node.get(name)]


def _move(value: bytes, of: Game) -> str:
    text = value.decode("latin-1").strip()
    if text.lower() in PASSES:
        return "pass"
    column, row = _point(text, of)
    return of.move_name(row * of.columns + column)
