"""GoGui's own commands: ``gogui-rules_*``, by which it plays games it does not know, and what it draws on the board.

Boards are written from the top row, which in GTP is the last: Othello's row 8, where records of Othello have row 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from nogo.agent import RESIGN
from nogo.position import Position
from nogo.protocols.gtp_commands import Command, Words
from nogo.protocols.gtp_session import Found, Session
from nogo.protocols.gtp_table import NAMES, has_pass, vertex

HOLE_COLOUR: Final = "#7f7f7f"
EMPTY: Final = '""'
# Who may play on an empty point: neither, black, white, both.
LEGAL_COLOURS: Final = ("#c03030", "#303030", "#f0f0f0", "#40a040")
LOW, HIGH = (208, 48, 48), (48, 160, 64)
FAINT, STRONG = (224, 232, 240), (32, 64, 160)

# ---- rules ----


def _game_id(session: Session, words: Words) -> str:
    """Give a capital and small letters, which is all that GoGui takes."""
    return re.sub("[^a-z]", "", session.table.game.name.partition(":")[0]).capitalize()


def _board_size(session: Session, words: Words) -> str:
    game = session.table.game
    return str(game.columns) if game.columns == game.rows else f"{game.columns} {game.rows}"


def _board(session: Session, words: Words) -> str:
    """Draw the stones; a hole is a point like the others here, since GoGui passes over what it does not know."""
    symbols = {1: "X", 2: "O"}
    return "\n" + _rows(session.table.position, lambda index, cell: symbols.get(cell, "."))


def _board_gfx(session: Session, words: Words) -> str:
    holes = session.table.game.holes
    return f"COLOR {HOLE_COLOUR} {' '.join(holes)}" if holes else ""


def _legal_moves(session: Session, words: Words) -> str:
    position = session.table.position
    moves = [] if position.is_over else position.legal_moves()
    return " ".join(vertex(position.game, move) for move in moves)


def _side_to_move(session: Session, words: Words) -> str:
    return NAMES[session.table.position.turn]


def _final_result(session: Session, words: Words) -> str:
    return session.table.verdict()


# ---- what an agent finds, in colours ----


def _analyze_commands(session: Session, words: Words) -> str:
    return "\n".join(f"{kind}/{label}/{name}" for name, (kind, label, _) in ANALYSES.items())


def found_here(session: Session) -> Found | None:
    """Give what the agent has found in this position, or let it search; None where there is nothing to choose."""
    position = session.table.position
    if position.is_over:
        return None
    if session.last is None or session.last.position != position:
        session.find(position.turn, lambda: session.budget)
    return session.last


def moves_of(found: Found) -> list[tuple[int, int, float]]:
    """List moves, visits and means of a search's result, the best first; an agent without says its choice only."""
    choice = found.choice
    columns: list[Any] = [getattr(choice.details, name, None) for name in ("moves", "visits", "means")]
    if any(column is None for column in columns):
        value = 0.5 if choice.value is None else choice.value
        return [] if choice.move == RESIGN else [(choice.move, choice.playouts or 1, float(value))]
    rows = [(int(move), int(visits), float(mean)) for move, visits, mean in zip(*columns, strict=True)]
    return sorted(rows, key=lambda row: (row[0] != choice.move, -row[1], -row[2]))


def line_of(found: Found) -> list[int]:
    """Give the play that an agent expects, its choice first."""
    line: Sequence[Any] = getattr(found.choice.details, "variation", ()) or ()
    moves = [int(move) for move in line]
    choice = found.choice.move
    return moves if moves and moves[0] == choice else [] if choice == RESIGN else [choice]


def _visits(session: Session, words: Words) -> str:
    rows = _found_rows(session)
    most = max((visits for _, visits, _ in rows), default=0) or 1
    return _coloured(session, {move: _blend(FAINT, STRONG, visits / most) for move, visits, _ in rows if visits})


def _values(session: Session, words: Words) -> str:
    return _coloured(session, {move: _blend(LOW, HIGH, mean) for move, visits, mean in _found_rows(session) if visits})


def _percent(session: Session, words: Words) -> str:
    return _coloured(session, {move: f"{100 * mean:.0f}" for move, visits, mean in _found_rows(session) if visits})


def _found_rows(session: Session) -> list[tuple[int, int, float]]:
    found = found_here(session)
    return moves_of(found) if found else []


def _variation(session: Session, words: Words) -> str:
    found = found_here(session)
    game = session.table.game
    return " ".join(vertex(game, move) for move in line_of(found)) if found else ""


def _legal(session: Session, words: Words) -> str:
    """Colour the empty points by who may play there."""
    position = session.table.position
    black, white = (set(position.legal_moves(player)) for player in (0, 1))

    def colour(index: int, cell: int) -> str:
        return LEGAL_COLOURS[(index in black) + 2 * (index in white)] if cell == 0 else EMPTY

    return "\n" + _rows(position, colour)


def _coloured(session: Session, words: dict[int, str]) -> str:
    return "\n" + _rows(session.table.position, lambda index, cell: words.get(index, EMPTY))


def _rows(position: Position, word: Callable[[int, int], str]) -> str:
    """Write a word for each point, the top row first; moves are numbered as points are."""
    cells = position.cells
    columns = position.game.columns
    lines = [
        " ".join(word(row * columns + column, int(cell)) for column, cell in enumerate(cells[row]))
        for row in range(len(cells))
    ]
    return "\n".join(reversed(lines) if has_pass(position.game) else lines)


def _blend(low: Sequence[int], high: Sequence[int], part: float) -> str:
    """Mix two colours."""
    share = min(max(part, 0.0), 1.0)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True))


ANALYSES: Final[dict[str, tuple[str, str, Callable[[Session, Words], str]]]] = {
    "nogo-visits": ("cboard", "Visits", _visits),
    "nogo-values": ("cboard", "Values", _values),
    "nogo-percent": ("sboard", "Values in percent", _percent),
    "nogo-variation": ("var", "Expected line", _variation),
    "nogo-legal": ("cboard", "Legal for black, white, both, neither", _legal),
}

COMMANDS: Final = {
    "gogui-rules_game_id": Command(_game_id),
    "gogui-rules_board_size": Command(_board_size),
    "gogui-rules_board": Command(_board),
    "gogui-rules_board_gfx": Command(_board_gfx),
    "gogui-rules_legal_moves": Command(_legal_moves),
    "gogui-rules_side_to_move": Command(_side_to_move),
    "gogui-rules_final_result": Command(_final_result),
    "gogui-analyze_commands": Command(_analyze_commands),
    **{name: Command(run) for name, (_, _, run) in ANALYSES.items()},
}
