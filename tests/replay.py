"""The engine's random games once more, slow and plain: its generators, and who draws what from them.

With the rules of reference.py this predicts the totals of a batch or of single playouts exactly. Nothing here
comes from the engine; what has to agree is the published scheme:

A stream is sfc64, its state filled by splitmix64, and is named by a seed and a number. Single playouts give
each game the stream of its own number. In a batch four lanes share a stream: at every step it gives one word,
whose four 16-bit slices are the four lanes' draws. A draw that would favour some moves is made again, out of the
stream's next word, and that moves the stream on for the other three lanes too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from reference import (
    CLASSIC,
    COURSE,
    FIRST,
    PASS,
    SECOND,
    SETDIE,
    EinsteinState,
    NogoState,
    OthelloState,
    State,
    _nogo_point,
)

WORD = 2**64
SPLITMIX_STEP = 0x9E3779B97F4A7C15
LANES = 4  # that share a stream
BLOCK = 4096  # games; EinStein deals them to its lanes block by block
EINSTEIN_LANES = 64  # a block
DIE_SIDES = 6
TWELVE = 12  # a common multiple of 1, 2, 3, 4 and 6, the numbers of steps there can be on 5x5

Played = list[tuple[int, str]]  # (player, move) in the order played; no passes, no throws


# Generators


def splitmix(z: int) -> int:
    """The output function of splitmix64."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


class Stream:
    """Stream of a number: sfc64 on three successive words of the seed's splitmix64."""

    def __init__(self, seed: int, number: int) -> None:
        base = splitmix((seed + SPLITMIX_STEP) % WORD)
        first = 3 * number + 1
        self.a, self.b, self.c = (splitmix((base + i * SPLITMIX_STEP) % WORD) for i in range(first, first + 3))
        self.counter = 1
        self.redraws = 0

    def word(self) -> int:
        out = (self.a + self.b + self.counter) % WORD
        self.counter += 1
        self.a = self.b ^ (self.b >> 11)
        self.b = (self.c + (self.c << 3)) % WORD
        self.c = ((self.c << 24 | self.c >> 40) + out) % WORD
        return out

    def below(self, bound: int) -> int:
        """A draw for a game on its own, from the upper half of a word."""
        while True:
            quotient, rest = divmod((self.word() >> 32) * bound, 2**32)
            if rest >= 2**32 % bound:
                return quotient
            self.redraws += 1

    def deal(self, bounds: list[int]) -> list[int]:
        """A draw for each lane, each below its own bound; 0 where the bound is 0."""
        word = self.word()
        return [self._lane_draw(word, lane, bound) for lane, bound in enumerate(bounds)]

    def _lane_draw(self, word: int, lane: int, bound: int) -> int:
        while True:
            quotient, rest = divmod((word >> 16 * lane) % 2**16 * bound, 2**16)
            if bound == 0 or rest >= 2**16 % bound:
                return quotient
            self.redraws += 1
            word = self.word()


# Sums


def reward(end: State) -> Fraction:
    """What a finished game is worth to the first player, from 0 to 1."""
    if isinstance(end, OthelloState):
        winner = end.winner()
        return Fraction(1, 2) if winner is None else Fraction(winner == FIRST)
    return Fraction(str(end.result()))


@dataclass
class Totals:
    """What the engine reports of playouts, and how often a draw was made again."""

    games: int = 0
    moves: int = 0
    results: Counter[float] = field(default_factory=Counter)
    amaf_games: Counter[tuple[int, str]] = field(default_factory=Counter)
    amaf_rewards: Counter[tuple[int, str]] = field(default_factory=Counter)
    redraws: int = 0

    def add(self, end: State, played: Played) -> None:
        result = end.result()
        assert result is not None
        self.games += 1
        self.moves += len(played)
        self.results[result] += 1
        for move in set(played):
            self.amaf_games[move] += 1
            self.amaf_rewards[move] += reward(end)


# Lanes: a game that asks for draws below a bound, one a step


class Lane(ABC):
    """A game in the playing. Moves are known to be legal, so they are made by _after()."""

    def __init__(self, start: State) -> None:
        self.state = start
        self.played: Played = []

    @abstractmethod
    def bound(self) -> int:
        """How many choices there are at this step; 0 when nothing is to be drawn."""

    @abstractmethod
    def step(self, pick: int) -> None:
        """Go on with a choice."""

    @abstractmethod
    def is_over(self) -> bool: ...

    def _make(self, name: str) -> None:
        self.played.append((self.state.mover, name))
        self.state = self.state._after(name)


class NogoLane(Lane):
    """Draws from the points not yet known to be illegal, row by row from the top left.

    A point that proves illegal is struck out for its colour, and the step is over.
    """

    state: NogoState

    def __init__(self, start: NogoState) -> None:
        super().__init__(start)
        self.open = {player: self._in_order(start.legal(player)) for player in (FIRST, SECOND)}

    @staticmethod
    def _in_order(names: set[str]) -> list[str]:
        return sorted(names, key=lambda name: (-int(name[1:]), name[0]))

    def bound(self) -> int:
        return len(self.open[self.state.mover])

    def step(self, pick: int) -> None:
        if self.is_over():
            return
        mover = self.state.mover
        name = self.open[mover].pop(pick)
        if self.state._allows(_nogo_point(name, self.state.rows), mover):
            others = self.open[1 - mover]
            if name in others:
                others.remove(name)
            self._make(name)

    def is_over(self) -> bool:
        return self.bound() == 0


class OthelloLane(Lane):
    """Draws from the legal squares, row by row from the top left; a pass takes a step and no draw."""

    def __init__(self, start: OthelloState) -> None:
        super().__init__(start)
        self._look()

    def _look(self) -> None:
        self.moves = sorted(self.state.legal(), key=lambda name: (name[1:], name[0]))

    def bound(self) -> int:
        return 0 if self.moves == [PASS] else len(self.moves)

    def step(self, pick: int) -> None:
        if self.is_over():
            return
        if self.moves == [PASS]:
            self.state = self.state._after(PASS)
        else:
            self._make(self.moves[pick])
        self._look()

    def is_over(self) -> bool:
        return not self.moves


class EinsteinLane(Lane):
    """Plays a fixed number of games in a row, and then others which do not count but draw on."""

    state: EinsteinState

    def __init__(self, start: EinsteinState, games: int, totals: Totals) -> None:
        super().__init__(start)
        self.start, self.games, self.totals = start, games, totals

    def is_over(self) -> bool:
        return self.games == 0

    def _end_game(self) -> None:
        if self.games:
            self.games -= 1
            self.totals.add(self.state, self.played)


class CourseLane(EinsteinLane):
    """Draws from the legal moves: the smaller cube first, directions ascending."""

    def bound(self) -> int:
        return len(self.state.legal())

    def step(self, pick: int) -> None:
        self._make(sorted(self.state.legal())[pick])
        if self.state.is_over():
            self._end_game()
            self.state, self.played = self.start, []


class SmallLane(EinsteinLane):
    """Draws a step and the next die at once, below 6 * 12, whether the die is thrown or set.

    The first draw is for a die only. A game's first die is the last one drawn, if the start shows none.
    """

    def __init__(self, start: EinsteinState, games: int, totals: Totals) -> None:
        super().__init__(start, games, totals)
        self.begun = False

    def bound(self) -> int:
        return DIE_SIDES * TWELVE

    def step(self, pick: int) -> None:
        next_die, twelfth = divmod(pick, TWELVE)
        if not self.begun:
            self._begin(next_die)
            return
        steps = cube_steps(self.state)
        step = steps[twelfth * len(steps) // TWELVE]
        self.state, name = cube_moved(self.state, step, next_die)
        self.played.append((1 - self.state.mover, name))
        if self.state.is_over():
            self._end_game()
            self._begin(next_die)
        elif self.state.variant == CLASSIC:
            self.state = self.state._after("d" + self.state._digit(next_die))

    def _begin(self, die: int) -> None:
        self.begun = True
        self.state, self.played = die_known(self.start, die)


def cube_steps(state: EinsteinState) -> list[str]:
    """Cube and direction of the legal moves, without what they set the die to."""
    return sorted({name[:2] for name in state.legal()})


def cube_moved(state: EinsteinState, step: str, next_die: int) -> tuple[EinsteinState, str]:
    """The position after a step that, in that variant, also sets the die; and the move's name."""
    name = f"{step}={state._digit(next_die)}" if state.variant == SETDIE else step
    return state._after(name), name


def die_known(start: EinsteinState, die: int) -> tuple[EinsteinState, Played]:
    """The start of a game with this die, unless it shows one already; and what was played for it."""
    if start.die is not None:
        return start, []
    if start.variant == CLASSIC:
        return start._after("d" + start._digit(die)), []
    name = "=" + start._digit(die)
    return start._after(name), [(start.mover, name)]


# Batches


def batch(start: State, games: int, seed: int) -> Totals:
    """Predict nogo.playouts() from an unfinished position."""
    if isinstance(start, EinsteinState):
        return _einstein_batch(start, games, seed)
    totals = Totals()
    for number, members in _deal(start, games):
        stream = Stream(seed, number)
        lanes = [_lane(start) for _ in members]
        _play(stream, lanes, totals)
        for member, lane in zip(members, lanes, strict=True):
            if member < games:
                totals.add(lane.state, lane.played)
    return totals


def _lane(start: State) -> Lane:
    return NogoLane(start) if isinstance(start, NogoState) else OthelloLane(start)


def _play(stream: Stream, lanes: list[Lane], totals: Totals) -> None:
    while not all(lane.is_over() for lane in lanes):
        picks = stream.deal([lane.bound() for lane in lanes])
        for lane, pick in zip(lanes, picks, strict=True):
            lane.step(pick)
    totals.redraws += stream.redraws


def _deal(start: State, games: int) -> Iterator[tuple[int, range]]:
    """The streams' numbers, each with the four games it serves; the last need not count."""
    if isinstance(start, NogoState):
        for number, first in enumerate(range(0, games, LANES)):
            yield number, range(first, first + LANES)
    else:
        yield from _pairs(games)


def _pairs(games: int) -> Iterator[tuple[int, range]]:
    """Two streams for every eight games: one for the even, one for the odd."""
    for pair, first in enumerate(range(0, games, 2 * LANES)):
        for odd in (0, 1):
            yield 2 * pair + odd, range(first + odd, first + 2 * LANES, 2)


def _einstein_batch(start: EinsteinState, games: int, seed: int) -> Totals:
    totals = Totals()
    kind = CourseLane if start.variant == COURSE else SmallLane
    for first in range(0, games, BLOCK):
        each, more = divmod(min(BLOCK, games - first), EINSTEIN_LANES)
        for number, members in _pairs(EINSTEIN_LANES):
            lanes = [kind(start, each + (member < more), totals) for member in members]
            # The lanes of a block have the streams of its first 64 games.
            _play(Stream(seed, first // LANES + number), lanes, totals)
    return totals


# Games one at a time


def single(start: State, games: int, seed: int) -> Totals:
    """Predict single_playouts() from an unfinished position."""
    totals = Totals()
    for number in range(games):
        stream = Stream(seed, number)
        if isinstance(start, EinsteinState):
            totals.add(*_einstein_single(start, stream))
        else:
            lane = _lane(start)
            while not lane.is_over():
                lane.step(stream.below(lane.bound()) if lane.bound() else 0)
            totals.add(lane.state, lane.played)
        totals.redraws += stream.redraws
    return totals


def _einstein_single(state: EinsteinState, stream: Stream) -> tuple[EinsteinState, Played]:
    """A die is drawn when it is thrown or set: before the step that needs it, or with one that sets it."""
    played: Played = []
    while not state.is_over():
        if state.die is None:
            state, setting = die_known(state, stream.below(DIE_SIDES))
            played += setting
        steps = cube_steps(state)
        step = steps[stream.below(len(steps))]
        next_die = stream.below(DIE_SIDES) if state.variant == SETDIE else 0
        mover = state.mover
        state, name = cube_moved(state, step, next_die)
        played.append((mover, name))
    return state, played
