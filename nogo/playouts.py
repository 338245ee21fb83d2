"""Random games from a position, many at a time."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nogo import core
from nogo.arguments import shown, whole, whole_seed
from nogo.errors import ArgumentError, HandleError
from nogo.position import Position

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from nogo.game import Game

MAX_GAMES = 2**40
_SLICE_SECONDS = 0.03  # the engine is called for about so long at a time, then Python looks for Ctrl-C


@dataclass(frozen=True, eq=False)
class Amaf:
    """All moves as first: sums over the games in which a player made a move, whenever it did.

    Othello's pass is not counted.
    """

    games: NDArray[np.int64]
    """[player, move]: how many games."""
    rewards: NDArray[np.float64]
    """[player, move]: the first player's rewards in them, added up."""


@dataclass(frozen=True, eq=False)
class Playouts:
    """Results of random games; equal when all sums are."""

    games: int
    values: NDArray[np.float64]
    """The results there can be (as `Position.result`), ascending."""
    counts: NDArray[np.int64]
    """How many games ended with each."""
    mean: float
    """The first player's mean reward: win 1, draw 0.5, loss 0; EinStein graded."""
    wins: int
    """Of the first player, as are draws and losses."""
    draws: int
    losses: int
    mean_length: float
    """Moves a game; passes and throws of the die do not count."""
    amaf: Amaf | None

    def __eq__(self, other: object) -> bool:
        """Compare all sums."""
        if not isinstance(other, Playouts):
            return NotImplemented
        return self._sums() == other._sums()

    def __hash__(self) -> int:
        """Hash the sums."""
        return hash(self._sums())

    def _sums(self) -> tuple[Any, ...]:
        amaf = self.amaf and (self.amaf.games.tobytes(), self.amaf.rewards.tobytes())
        return self.values.tobytes(), self.counts.tobytes(), self.mean_length, amaf


def playouts(
    position: Position, n: int, *, seed: int, threads: int = 1, amaf: bool = False, playout: str = "uniform"
) -> Playouts:
    """Play n random games from a position, every move uniform over the legal ones unless playout says otherwise.

    ``both-legal`` (NoGo): uniform over the points that both sides may play; if there are none, over the mover's.
    ``shortcut`` (EinStein): a move that wins at once is made, the first if there are several; else uniform.
    ``corners`` (Othello): uniform over the corners that can be taken; else over all moves but those diagonally next
    to a corner; else over all.

    The same position, n and seed give the same answer on every machine, whatever the threads. Ctrl-C stops it.
    """
    return _collect(position, n, seed, threads, _Kind(playout, single=False), amaf=bool(amaf))


def single_playouts(position: Position, n: int, *, seed: int, amaf: bool = False, playout: str = "uniform") -> Playouts:
    """Do the same one game at a time, as a tree search does, on one thread; other games, equally random."""
    return _collect(position, n, seed, 1, _Kind(playout, single=True), amaf=bool(amaf))


@dataclass(frozen=True)
class _Kind:
    """How games are played: in which way, and whether one at a time."""

    way: str
    single: bool


def _check_way(game: Game, way: object) -> None:
    ways = core.playout_ways(game.handle)
    if way not in ways:
        raise ArgumentError(f"playout={shown(way)} is not a way to play {game.name} at random; use {' or '.join(ways)}")


def _collect(position: Position, n: int, seed: int, threads: int, kind: _Kind, *, amaf: bool) -> Playouts:
    if not isinstance(position, Position):
        raise HandleError(f"{shown(position)} is not a position; make one with game.start() or nogo.position(text)")
    n, threads = whole("n", n, 1, MAX_GAMES), whole("threads", threads, 1, core.MAX_THREADS)
    seed = whole_seed(seed)
    _check_way(position.game, kind.way)
    core.threads_allow(threads)
    totals = core.totals_new()
    done, size = 0, core.BLOCK
    while done < n:
        count, began = min(size, n - done), time.monotonic()
        job = (seed, done, count, threads, amaf)
        core.playouts_run(position.game.handle, position._c, totals, job, way=kind.way, single=kind.single)
        done += count
        size = _next_size(size, time.monotonic() - began)
    return _report(position.game, totals, amaf=amaf)


def _next_size(size: int, spent: float) -> int:
    """Choose the next slice near the time that Ctrl-C may wait; always whole blocks, as the engine asks."""
    if spent < _SLICE_SECONDS / 2:
        return size * 2
    return max(size // 2, core.BLOCK) if spent > _SLICE_SECONDS else size


def _report(game: Game, totals: Any, *, amaf: bool) -> Playouts:
    outcomes = np.array(core.totals_array(totals, "outcomes")).view(np.int64)[: len(game.outcomes)]
    winners = np.array([-1 if winner is None else winner for winner, _, _ in game.outcomes])
    rewards = np.array([reward for _, _, reward in game.outcomes])
    values = np.array([value for _, value, _ in game.outcomes], dtype=np.float64)
    possible = game.notation.possible(values)
    games = int(totals.games)
    return Playouts(
        games=games,
        values=values[possible],
        counts=outcomes[possible],
        mean=float(outcomes @ rewards) / games,
        wins=int(outcomes[winners == core.FIRST].sum()),
        draws=int(outcomes[winners == -1].sum()),
        losses=int(outcomes[winners == core.SECOND].sum()),
        mean_length=totals.moves / games,
        amaf=_amaf(game, totals) if amaf else None,
    )


def _amaf(game: Game, totals: Any) -> Amaf:
    games, rewards = (
        np.array(core.totals_array(totals, field)).view(np.int64).reshape(2, -1)[:, : game.move_count].copy()
        for field in ("amaf_games", "amaf_reward")
    )
    return Amaf(games, rewards / core.game_reward_unit(game.handle))
