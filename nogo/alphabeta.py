"""Alpha-beta search of games without chance: to a fixed depth, deeper and deeper, or to the end.

>>> import nogo
>>> from nogo.alphabeta import AlphaBeta
>>> search = AlphaBeta(nogo.game("nogo:3x3"))
>>> search.solve(nogo.game("nogo:3x3").start()).winner
0
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from nogo import core
from nogo.arguments import shown, whole
from nogo.errors import ArgumentError, BusyError, HandleError
from nogo.position import Position

if TYPE_CHECKING:
    from nogo.game import Game

WIN = core.ALPHABETA_WIN
MAX_DEPTH = core.MAX_DEPTH
MAX_TABLE = 2**20  # MiB
_LEAST_DECIDED = WIN - 2 * MAX_DEPTH  # a win is worth WIN less the plies to it, and evaluations are far smaller

# The engine is called for so long at a time, then Python looks at the clock and for Ctrl-C.
_SLICE_SECONDS = 0.004
_FIRST_SLICE = 1024  # nodes: a millisecond or two in the slowest game


class Limit(Protocol):
    """What a search asks of a budget."""

    @property
    def playouts(self) -> int | None:
        """The most nodes: what a playout is to other searches, a move made is to this one."""

    def seconds_for(self, position: Position) -> float | None:
        """Tell the seconds to spend on a move; None when it is counted in playouts."""


@dataclass(frozen=True)
class AlphaBetaResult:
    """What a search has found."""

    move: int
    value: int
    """The mover's: WIN less the plies to a win, its negative for a loss, else the game's evaluation."""
    proven: bool
    """Whether the value is that of best play: a win, a loss, or every line looked at to its end."""
    winner: int | None
    """Who wins with best play, where that is proven; None for a draw, and where it is not."""
    depth: int
    """The deepest that was completed."""
    nodes: int
    """Moves made."""
    seconds: float
    variation: tuple[int, ...]
    """Best play of both sides, as far as it is known."""
    stopped: str
    """Why it ended: depth, proven, time, nodes."""


class AlphaBeta:
    """A search with its memory: what it learns of a game is still there when it is asked for the next move.

    It works for one thread at a time, and after Ctrl-C as if nothing had happened.
    """

    def __init__(self, game: Game, depth: int | None = None, table: int = 64, lost_moves: Sequence[int] = ()) -> None:
        """Make it for a game.

        With a depth, every position is searched exactly so deep, and of equal moves the first is played; without, it
        deepens until the budget is spent or the outcome is proven. The table takes at most so many MiB. When every
        move loses, the first of lost_moves that is legal is played instead.
        """
        if game.start().is_chance:
            raise ArgumentError(
                f"alpha-beta does not look beyond a throw of the die, as in {game.name};"
                " use a Monte-Carlo search, or a game without chance"
            )
        self.game = game
        self.depth = None if depth is None else whole("depth", depth, 1, MAX_DEPTH)
        self.lost_moves = tuple(whole("lost_moves", move, 0, game.move_count - 1) for move in lost_moves)
        self._c = core.alphabeta_new(game.handle, whole("table", table, 0, MAX_TABLE) << 20)
        self._busy = threading.Lock()

    def run(self, position: Position, budget: Limit | None = None) -> AlphaBetaResult:
        """Find a move within the budget; a fixed depth needs none."""
        if budget is None and self.depth is None:
            raise ArgumentError("a search without a depth needs a budget; give one, or AlphaBeta(game, depth=...)")
        self._check(position)
        return self._search(position, "deepen" if self.depth is None else "fixed", budget)

    def solve(self, position: Position, budget: Limit | None = None) -> AlphaBetaResult:
        """Find out who wins with best play, and nothing else; without a budget, however long it takes."""
        self._check(position)
        return self._search(position, "solve", budget)

    def _check(self, position: Position) -> None:
        if not isinstance(position, Position):
            raise HandleError(f"{shown(position)} is not a position; make one with game.start() or nogo.position(text)")
        if position.game != self.game:
            raise HandleError(f"a position of {position.game.name}, but this search is for {self.game.name}")
        if position.is_over:
            raise ArgumentError(f"the game is over in {position.text!r}; there is no move to look for")

    def _search(self, position: Position, mode: str, budget: Limit | None) -> AlphaBetaResult:
        if not self._busy.acquire(blocking=False):
            raise BusyError("this search is at work for another thread; make one for each")
        try:
            began = time.monotonic()
            core.alphabeta_start(self._c, position._c, mode, self.depth or 0)
            result = core.alphabeta_result_new()
            stopped = self._run_slices(result, _Deadline(position, budget, began))
            return self._report(position, result, stopped or mode, time.monotonic() - began)
        finally:
            self._busy.release()

    def _run_slices(self, result: Any, deadline: _Deadline) -> str:
        """Search until it is finished, or say what has run out."""
        size, spent = _FIRST_SLICE, ""
        while not result.finished and not spent:
            began = time.monotonic()
            core.alphabeta_run(self._c, deadline.limit(size, result.nodes), result)
            size = _next_size(size, time.monotonic() - began)
            spent = deadline.spent(result.nodes)
        return "" if result.finished else spent

    def _report(self, position: Position, result: Any, ended: str, seconds: float) -> AlphaBetaResult:
        proven, value = bool(result.proven), int(result.value)
        decided = proven and abs(value) >= _LEAST_DECIDED
        if ended in ("deepen", "solve", "fixed"):
            ended = "proven" if proven and ended != "fixed" else "depth"
        move = int(result.move) if result.move >= 0 else position.legal_moves()[0]
        if decided and value < 0:
            move = next((lost for lost in self.lost_moves if position.is_legal(lost)), move)
        variation = tuple(core.unpack(result.variation, result.length))
        return AlphaBetaResult(
            move=move,
            value=value,
            proven=proven,
            winner=(position.turn if value > 0 else 1 - position.turn) if decided else None,
            depth=int(result.depth),
            nodes=int(result.nodes),
            seconds=seconds,
            variation=variation if variation[:1] == (move,) else (move,),
            stopped=ended,
        )


class _Deadline:
    """When a budget is spent, in seconds or in nodes."""

    def __init__(self, position: Position, budget: Limit | None, began: float) -> None:
        seconds = None if budget is None else budget.seconds_for(position)
        self.end = None if seconds is None else began + seconds
        self.nodes = None if budget is None else budget.playouts

    def limit(self, size: int, done: int) -> int:
        return size if self.nodes is None else min(size, self.nodes - done)

    def spent(self, done: int) -> str:
        if self.nodes is not None and done >= self.nodes:
            return "nodes"
        return "time" if self.end is not None and time.monotonic() >= self.end else ""


def _next_size(size: int, spent: float) -> int:
    """Choose the next slice so that neither the deadline nor Ctrl-C waits much longer than a slice."""
    if spent < _SLICE_SECONDS / 2:
        return size * 2
    return max(size // 2, _FIRST_SLICE) if spent > _SLICE_SECONDS else size
