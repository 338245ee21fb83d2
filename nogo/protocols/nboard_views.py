"""What an agent thinks of the moves of a position, as NBoard shows it.

Values are from the mover's side: the winning rate from -50 to +50; or where the agent knows no rate the discs at the
end of the expected line, estimated by the game's own evaluation while it is not over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from nogo import FIRST
from nogo.agent import RESIGN, Choice
from nogo.budget import Budget
from nogo.position import Position
from nogo.protocols.chair import Chair

RATE: Final = 100.0
UNITS: Final = 8.0
"""Of the evaluation to a disc: what one move more to choose from is worth in it."""
MOST: Final = 64.0
SOLVED: Final = "100%"
SOLVED_WINNER: Final = "100%W"
"""The winner is known, not by how much."""


@dataclass(frozen=True)
class View:
    """What an agent thinks of a move."""

    line: tuple[int, ...]
    """The move, and what is expected after it."""
    value: float
    depth: str
    """Begins with a number; two are words of NBoard's own."""
    note: str = ""


def views(position: Position, choice: Choice) -> list[View]:
    """Tell what is known of the moves, the chosen one first; of an agent that tells only of its choice, that."""
    details = choice.details
    move = position.legal_moves()[0] if choice.move == RESIGN else choice.move  # there is no resignation here
    line = tuple(getattr(details, "variation", ()))
    line = line if line[:1] == (move,) else (move,)
    depth = str(int(getattr(details, "depth", 0)) or len(line))
    return [_best(position, choice, line, depth), *_visited(details, move, depth)]


def _best(position: Position, choice: Choice, line: tuple[int, ...], depth: str) -> View:
    end = position
    for move in line:
        end = end.play(move)
    if is_proven(choice) and end.is_over:
        return View(line, by_the_board(position, end), SOLVED)
    depth = SOLVED_WINNER if is_proven(choice) else depth
    if choice.value is None:
        return View(line, by_the_board(position, end), depth)
    return View(line, RATE * (choice.value - 0.5), depth)


def _visited(details: Any, best: int, depth: str) -> list[View]:
    """Tell of the other moves that a search has visited, the most visited first."""
    columns = [getattr(details, name, ()) for name in ("visits", "moves", "means")]
    rows = sorted(zip(*columns, strict=False), key=lambda row: -int(row[0]))
    return [
        View((int(move),), RATE * (float(mean) - 0.5), depth, f"{visits} visits")
        for visits, move, mean in rows
        if visits and move != best
    ]


def view_after(adviser: Chair, position: Position, move: int, budget: Budget) -> View:
    """Value a move by what an agent finds in the position after it."""
    child = position.play(move)
    if child.is_over:
        return View((move,), by_the_board(position, child), SOLVED)
    view = views(child, adviser.choose(child, budget))[0]
    return View((move, *view.line), -view.value, view.depth)


def by_the_board(position: Position, end: Position) -> float:
    """Value the end of a line for who is to move at its beginning: discs when it is over, else by the evaluation."""
    sign = 1 if position.turn == FIRST else -1
    if end.result is not None:
        return sign * end.result
    return max(min(sign * (end.evaluation or 0) / UNITS, MOST), -MOST)


def nodes_of(choice: Choice) -> int:
    """Tell how much was searched; nothing by an agent that does not search."""
    return int(choice.playouts or getattr(choice.details, "nodes", None) or 0)


def is_proven(choice: Choice) -> bool:
    """Tell whether the agent says that its value is that of best play."""
    return getattr(choice.details, "proven", None) is True or bool(getattr(choice.details, "result", ""))


def square(position: Position, move: int) -> str:
    """Name a move as NBoard does."""
    name = position.game.move_name(move)
    return "PA" if name == "pass" else name.upper()
