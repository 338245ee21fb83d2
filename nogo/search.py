"""Monte-Carlo search of a position: options, and what was found.

>>> import nogo
>>> position = nogo.game("nogo:5x5").start()
>>> result = nogo.search(position, nogo.SearchOptions(c=0.4), nogo.Budget(playouts=1000), seed=1)
>>> result.playouts
1000
"""

from __future__ import annotations

import dataclasses
import math
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from nogo import core
from nogo.arguments import shown, whole, whole_seed
from nogo.errors import ArgumentError, BusyError, HandleError
from nogo.native import Native
from nogo.position import Position

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from nogo.budget import Budget
    from nogo.game import Game

_SLICE_SECONDS = 0.03  # the engine searches for so long at a time, then Python looks for Ctrl-C
MAX_PLAYOUTS = 2**31 - 1


def _option(default: Any, text: str, **limits: Any) -> Any:
    return field(default=default, metadata={"help": text, **limits})


@dataclass(frozen=True)
class SearchOptions:
    """How to search. Every field is checked; each agent is a choice of them."""

    policy: str = _option("ucb1", "rule of selection", choices=("ucb1", "tuned", "rave"))
    c: float = _option(0.5, "weight of exploration", least=0.0, most=1e6)
    c1: float = _option(1.414, "tuned: factor of the term added to the variance", least=0.0, most=1e6)
    c2: float = _option(0.25, "tuned: cap of the variance", least=0.0, most=1e6)
    schedule: str = _option("mse", "rave: how AMAF's weight falls with visits", choices=("mse", "hand", "haha"))
    b: float = _option(0.025, "rave, schedule mse: bias of AMAF", least=0.0, most=1e6)
    k: float = _option(1000.0, "rave, schedule hand: visits at which AMAF still weighs half", least=0.0, most=1e12)
    prior: float = _option(0.0, "rave: AMAF visits that a move starts with, at 0.5", least=0.0, most=1e9)
    fpu: float | None = _option(None, "score of an unvisited move; none: such moves first", least=0.0, most=1e6)
    expand: str = _option(
        "one", "playout from a child of a new node (one), or from the node (all)", choices=("one", "all")
    )
    threshold: int = _option(1, "playouts through a move before it gets a node", least=0, most=10**9)
    playouts: int = _option(1, "playouts a leaf; with leaf=leaves, leaves at once", least=1, most=core.MAX_LEAF)
    leaf: str = _option("single", "how a leaf is played", choices=("single", "lanes", "leaves"))
    value: str = _option("playout", "what a leaf is worth", choices=("playout", "evaluation", "plies"))
    plies: int = _option(4, "value=plies: random moves before the evaluation", least=0, most=1000)
    playout: str = _option("uniform", "how playouts are played", choices=tuple(core.PLAYOUT_WAYS))
    flat: bool = _option(default=False, text="never look below the root's moves")
    graded: bool = _option(default=True, text="EinStein: graded results instead of win and loss")
    margin: float = _option(0.0, "Othello: weight of the disc margin in the reward", least=0.0, most=1.0)
    favour: float = _option(1.0, "factor on the score of the game's favoured moves (corners)", least=0.0, most=1e6)
    solver: bool = _option(default=False, text="back up proven results (MCTS-Solver)")
    shortcuts: bool = _option(default=False, text="play an immediately winning move at once")
    prune: str = _option("none", "progressive pruning at the root", choices=("none", "visits", "statistical"))
    prune_every: int = _option(1000, "playouts between two prunings", least=1, most=10**9)
    prune_samples: int = _option(300, "statistical: visits before a move may be cut", least=1, most=10**9)
    prune_rd: float = _option(1.0, "statistical: deviations between a move and the best", least=0.0, most=1e6)
    prune_sigma: float = _option(0.2, "statistical: the largest deviation that counts as known", least=0.0, most=1e6)
    descent_k: float | None = _option(None, "descend at random, weight exp(k * score)", least=0.0, most=1e6)
    choice: str = _option("visits", "the final move", choices=("visits", "mean", "lower-bound", "temperature"))
    choice_k: float = _option(10.0, "choice=temperature: weight exp(k * mean)", least=0.0, most=1e6)
    choice_z: float = _option(1.0, "choice=lower-bound: standard errors below the mean", least=0.0, most=1e6)
    reuse: bool = _option(default=False, text="keep the tree from move to move")
    parallel: str = _option("none", "how threads share the work", choices=("none", "leaf", "root", "tree"))
    threads: int = _option(1, "threads", least=1, most=core.MAX_THREADS)
    vote: bool = _option(default=False, text="parallel=root: a vote a tree, instead of visits added up")
    memory: int = _option(1024, "MiB for the tree; when they are full, it stops growing", least=1, most=2**20)
    early: float = _option(
        0.0, "EARLY: stop when p of the playouts left cannot change the move; 0 off", least=0.0, most=1e6
    )
    unst: float = _option(
        0.0, "UNST: search on by this part while visits and means disagree; 0 off", least=0.0, most=100.0
    )
    unst_limit: int = _option(2, "UNST: so many times at most", least=0, most=1000)
    close: float = _option(0.0, "CLOSE: search on by this part when two moves are close; 0 off", least=0.0, most=100.0)
    close_ratio: float = _option(0.9, "CLOSE: visits of the second over the first", least=0.0, most=1.0)
    behind: float = _option(0.0, "BEHIND: search on by this part when losing; 0 off", least=0.0, most=100.0)
    behind_mean: float = _option(0.4, "BEHIND: the mean that counts as losing", least=0.0, most=1.0)

    def __post_init__(self) -> None:
        """Check every value, and those that only make sense together."""
        for item in dataclasses.fields(self):
            object.__setattr__(self, item.name, _checked(item, getattr(self, item.name)))
        if self.parallel == "none" and self.threads > 1:
            raise ArgumentError(f"threads={self.threads} with parallel=none; say parallel=root, tree or leaf")
        if self.parallel == "leaf" and self.leaf == "leaves":
            raise ArgumentError("parallel=leaf plays one leaf on all threads; use leaf=single or leaf=lanes with it")
        if self.leaf == "leaves" and self.playouts > core.MAX_LEAVES:
            raise ArgumentError(f"playouts={self.playouts} leaves at once; at most {core.MAX_LEAVES} with leaf=leaves")


def _checked(item: dataclasses.Field[Any], value: Any) -> Any:
    limits, kind = item.metadata, str(item.type)
    if "choices" in limits:
        if value not in limits["choices"]:
            raise ArgumentError(f"{item.name}={shown(value)} is unknown; use {', '.join(limits['choices'])}")
        return str(value)
    if kind == "bool":
        if not isinstance(value, (bool, np.bool_)):
            raise ArgumentError(f"{item.name}={shown(value)} is not true or false")
        return bool(value)
    if kind == "int":
        return whole(item.name, value, limits["least"], limits["most"])
    return None if value is None and "None" in kind else _real(item.name, value, limits["least"], limits["most"])


def _real(name: str, value: Any, least: float, most: float) -> float:
    numeric = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not numeric or not least <= value <= most:  # NaN is in no range
        raise ArgumentError(f"{name}={shown(value)} is not a number from {least:g} to {most:g}")
    return float(value)


def _settings(options: SearchOptions) -> dict[str, float | int]:
    """Spell the options as the engine wants them."""
    settings: dict[str, float | int] = {
        item.name: core.SEARCH_CODES[item.name][getattr(options, item.name)]
        if item.name in core.SEARCH_CODES
        else getattr(options, item.name)
        for item in dataclasses.fields(options)
        if item.name not in {"schedule", "expand", "policy", "memory", "fpu", "descent_k"}
    }
    rule = f"rave-{options.schedule}" if options.policy == "rave" else options.policy
    return settings | {
        "policy": core.POLICIES[rule],
        "expand_all": options.expand == "all",
        "memory": options.memory * 2**20,
        "fpu": -1.0 if options.fpu is None else options.fpu,
        "descent_k": -1.0 if options.descent_k is None else options.descent_k,
    }


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search has found. Arrays have an entry for each legal move; values are the mover's rewards, 0 to 1."""

    position: Position
    move: int
    """The move to make."""
    value: float
    """The expected reward of making it."""
    moves: NDArray[np.int64]
    visits: NDArray[np.int64]
    means: NDArray[np.float64]
    variances: NDArray[np.float64]
    amaf_visits: NDArray[np.int64]
    amaf_means: NDArray[np.float64]
    proven: NDArray[np.str_]
    """Of each move: ``win``, ``loss`` or ``draw`` for the mover, ``cut`` by pruning, or empty."""
    votes: NDArray[np.int64]
    """Root parallel: how many trees would choose it."""
    result: str
    """``win``, ``loss`` or ``draw`` where the position is proven, else empty."""
    variation: tuple[int, ...]
    """The line of play expected."""
    playouts: int
    kept: int
    """Playouts that an earlier search had made through this position."""
    playouts_per_second: float
    depth: int
    mean_depth: float
    nodes: int
    bytes: int
    """Memory in use by the tree."""
    full: bool
    """The tree could not grow any more."""
    extensions: int
    seconds: float
    stopped: str
    """Why: ``playouts``, ``time``, ``early``, ``proven``, ``single move``, ``winning move``, ``interrupted``."""

    def __str__(self) -> str:
        """Draw a table of the moves, the most visited first."""
        name = self.position.game.move_name
        amaf = bool(self.amaf_visits.any())
        lines = [
            f"{name(self.move)}  value {self.value:.3f}  {self.result or 'not proven'}",
            f"{self.playouts:,} playouts in {self.seconds:.3f} s ({self.playouts_per_second:,.0f} a second),"
            f" stopped: {self.stopped}",
            f"depth {self.mean_depth:.1f} on average, {self.depth} at most; {self.nodes:,} nodes in"
            f" {self.bytes / 2**20:.1f} MiB{' (full)' if self.full else ''}",
            "line " + " ".join(name(move) for move in self.variation),
            "",
            "move      visits    mean  deviation" + ("   amaf visits    mean" if amaf else "") + "  proven",
        ]
        for i in np.lexsort((-self.means, -self.visits)):
            deviation = math.sqrt(self.variances[i])
            line = f"{name(int(self.moves[i])):<6}{self.visits[i]:>10,}  {self.means[i]:.4f}     {deviation:.4f}"
            if amaf:
                line += f"  {self.amaf_visits[i]:>12,}  {self.amaf_means[i]:.4f}"
            lines.append(f"{line}  {self.proven[i]}".rstrip())
        return "\n".join(lines)


class Search:
    """A search that keeps its memory, and with ``reuse`` its tree, from one move to the next.

    Used by one thread at a time: a second one gets a BusyError. The C functions of a `Native` take the place of the
    game's own playout, and of its evaluation.
    """

    def __init__(self, game: Game, options: SearchOptions, *, native: Native | None = None) -> None:
        """Take the memory; what this game does not offer is refused here."""
        if not isinstance(options, SearchOptions):
            raise HandleError(f"{shown(options)} are not search options; make them with nogo.SearchOptions(...)")
        if native is not None and not isinstance(native, Native):
            raise HandleError(f"{shown(native)} are no C functions; make them with nogo.Native(ffi, plugin)")
        self.game, self.options, self.native = game, options, native
        self._busy = threading.Lock()
        self._check_offers()
        core.threads_allow(options.threads)
        plugin = native.settings if native else {}
        self._handle = core.search_new(game.handle, _settings(options) | plugin)

    def _check_offers(self) -> None:
        if self.native:
            self.native.require(self.game, self.options.playout, self.options.value)
        offered = core.playout_ways(self.game.handle)
        if self.options.playout not in offered:
            raise ArgumentError(
                f"playout={self.options.playout} is not offered by {self.game.name}; use {', '.join(offered)}"
            )
        evaluates = core.game_evaluates(self.game.handle) or (self.native and self.native.evaluates)
        if self.options.value != "playout" and not evaluates:
            raise ArgumentError(f"value={self.options.value}: {self.game.name} has no evaluation; use value=playout")
        if self.options.margin and not core.game_has_margin(self.game.handle):
            raise ArgumentError(f"margin={self.options.margin}: {self.game.name} has no margin; use margin=0")

    def run(self, position: Position, budget: Budget, *, seed: int) -> SearchResult:
        """Search a position and say which move to make.

        With playouts as the budget, the same seed and threads give the same result (but for parallel=tree).
        """
        if not isinstance(position, Position):
            raise HandleError(f"{shown(position)} is not a position; make one with game.start() or nogo.position(text)")
        if position.game != self.game:
            raise HandleError(f"{position!r} is not of {self.game.name}; make a Search for its game")
        if position.is_over or position.is_chance:
            why = "the game is over" if position.is_over else "a die is to be thrown"
            raise ArgumentError(f"nothing to search in {position.text!r}: {why}")
        seed, seconds = whole_seed(seed), budget.seconds_for(position)
        playouts = 0 if seconds is not None else whole("playouts", budget.playouts, 1, MAX_PLAYOUTS)
        core.threads_allow(self.options.threads)  # this process may have been forked since
        if not self._busy.acquire(blocking=False):
            raise BusyError("this search is in use by another thread; make one for each thread")
        try:
            core.search_begin(self._handle, position._c, playouts, seconds or 0.0, seed)
            while not core.search_run(self._handle, _SLICE_SECONDS):
                pass
            return self._result(position)
        finally:
            self._busy.release()

    def peek(self, position: Position) -> SearchResult:
        """Tell what the kept tree knows of a position, without searching on."""
        with self._busy:
            core.search_begin(self._handle, position._c, 1, 0.0, 0)
            return self._result(position)

    def _result(self, position: Position) -> SearchResult:
        report = core.search_report(self._handle)
        count = report.count
        names = (
            ["", "win", "loss", "draw", "cut"] if position.turn == core.FIRST else ["", "loss", "win", "draw", "cut"]
        )
        words = np.array(names)

        def array(name: str, kind: Any) -> Any:
            return np.array(core.report_array(report, name)).view(kind)[:count]

        moves = array("moves", np.uint8).astype(np.int64)
        means = array("means", np.float64)
        chosen = int(np.flatnonzero(moves == report.move)[0])
        proven = words[array("proven", np.uint8)]
        known = {"win": 1.0, "loss": 0.0, "draw": 0.5}.get(str(proven[chosen]))
        visited = report.visits[chosen] > 0
        return SearchResult(
            position=position,
            move=int(report.move),
            value=float(means[chosen]) if visited else 0.5 if known is None else known,
            moves=moves,
            visits=array("visits", np.int64),
            means=means,
            variances=array("variances", np.float64),
            amaf_visits=array("amaf_visits", np.int64),
            amaf_means=array("amaf_means", np.float64),
            proven=proven,
            votes=array("votes", np.int32).astype(np.int64),
            result=names[report.root_proven],
            variation=tuple(report.line[i] for i in range(report.line_length)),
            playouts=int(report.playouts),
            kept=int(report.kept),
            playouts_per_second=report.playouts / report.seconds if report.seconds > 0 else 0.0,
            depth=int(report.depth),
            mean_depth=report.depth_sum / report.iterations if report.iterations else 0.0,
            nodes=int(report.nodes),
            bytes=int(report.bytes),
            full=bool(report.full),
            extensions=int(report.extensions),
            seconds=float(report.seconds),
            stopped=core.STOPPED[report.stopped],
        )


def search(
    position: Position, options: SearchOptions, budget: Budget, *, seed: int, native: Native | None = None
) -> SearchResult:
    """Search a position once; a `Search` keeps its tree for the next move."""
    if not isinstance(position, Position):
        raise HandleError(f"{shown(position)} is not a position; make one with game.start() or nogo.position(text)")
    return Search(position.game, options, native=native).run(position, budget, seed=seed)
