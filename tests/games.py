"""Every variant, random games of them, and the engine and the reference played side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import reference
from hypothesis import Phase, settings
from hypothesis import strategies as st

import nogo

MAX_SIDE, MAX_POINTS = 16, 121

# The engine keeps a board in two 64-bit words. It leaves a guard bit after each row where that
# fits, and packs the rows tightly where it does not: two codes, and both must be played. The
# limits between them are 12x10 and 7x16, which just fit, and 13x9, 10x12 and 8x15, which do not.
SMALL_BOARDS = (
    "nogo:1x1",
    "nogo:1x2",
    "nogo:1x7",
    "nogo:7x1",
    "nogo:1x16",
    "nogo:16x1",
    "nogo:2x2",
    "nogo:5x2",
    "nogo:3x3",
    "nogo:4x4",
    "nogo:5x5",
)
LARGE_GUARDED_BOARDS = ("nogo:9x9", "nogo:7x16", "nogo:12x10", "nogo:15x8")
UNGUARDED_BOARDS = (
    "nogo:11x11",
    "nogo:13x9",
    "nogo:16x7",
    "nogo:10x12",
    "nogo:8x15",
)
SMALL_HOLED_BOARDS = (
    "nogo:3x3:B2",
    "nogo:3x3:A2,B1",  # A1 is cut off: nobody may ever play there
    "nogo:5x4:A4,C3,C2,E1",
    "nogo:4x5:B4,B3,B2,B1",  # two parts
)
LARGE_HOLED_BOARDS = ("hollow-nogo", "nogo:11x11:F11,A6,E6,F6,G6,L6,F1", "nogo:7x16:D9,D8,A1,G1")

SMALL_NOGO = (*SMALL_BOARDS, *SMALL_HOLED_BOARDS)
LARGE_NOGO = (*LARGE_GUARDED_BOARDS, *UNGUARDED_BOARDS, *LARGE_HOLED_BOARDS)
NOGO = (*SMALL_NOGO, *LARGE_NOGO)
OTHELLO = ("othello", "othello:6x6", "othello:4x4")
EINSTEIN = ("einstein", "einstein:5x5", "einstein:setdie")
VARIANTS = (*NOGO, *OTHELLO, *EINSTEIN)

# Enough choices for any game to end: at most 121 stones; far fewer moves and throws in the others.
GAME_LENGTH = 140

Side = tuple[nogo.Position, reference.State]
T = TypeVar("T")


@dataclass(frozen=True)
class RandomGame:
    """A start, and at each turn a choice: which of the legal moves, counted around."""

    name: str
    choices: bytes
    setup: dict[str, str] = field(default_factory=dict)

    def start(self) -> nogo.Position:
        return nogo.game(self.name).start(**self.setup)


def examples(count: int) -> settings:
    """So many random examples, each as slow as it likes."""
    return settings(max_examples=count, deadline=None)


def examples_each(count: int) -> settings:
    """The same for each variant, unshrunk: if all of them fail, shrinking would take hours."""
    return settings(examples(count), phases=[Phase.explicit, Phase.reuse, Phase.generate])


def choose(options: Sequence[T], choice: int) -> T:
    return options[choice % len(options)]


# ---- strategies ----


def point_names(columns: int, rows: int) -> list[str]:
    """The points of a NoGo board, from the top left, row by row."""
    return [reference._nogo_name((row, column), rows) for row in range(rows) for column in range(columns)]


@st.composite
def nogo_boards(draw: st.DrawFn, max_points: int = MAX_POINTS) -> str:
    """The name of any NoGo board within the limits, most of them with holes."""
    columns = draw(st.integers(1, min(MAX_SIDE, max_points)))
    rows = draw(st.integers(1, min(MAX_SIDE, max_points // columns)))
    names = point_names(columns, rows)
    holes = draw(st.sets(st.sampled_from(names), max_size=len(names) - 1))
    listed = ",".join(name for name in names if name in holes)
    return f"nogo:{columns}x{rows}:{listed}" if holes else f"nogo:{columns}x{rows}"


def choices() -> st.SearchStrategy[bytes]:
    return st.binary(min_size=GAME_LENGTH, max_size=GAME_LENGTH)


def _orders(digits: str) -> st.SearchStrategy[str]:
    return st.permutations(digits).map("".join)


def setups(name: str) -> st.SearchStrategy[dict[str, str]]:
    """What start() may be given: nothing but in EinStein, where it orders cubes and sets dice."""
    if name not in EINSTEIN:
        return st.just({})
    digits = "012345" if name == "einstein" else "123456"
    orders = {"red": _orders(digits), "blue": _orders(digits)}
    if name == "einstein":
        orders["dice"] = st.text(digits, min_size=21, max_size=21)
    return st.fixed_dictionaries({}, optional=orders)


@st.composite
def random_games(draw: st.DrawFn, name: str) -> RandomGame:
    return RandomGame(name, draw(choices()), draw(setups(name)))


@st.composite
def random_positions(draw: st.DrawFn, name: str) -> nogo.Position:
    """A position from anywhere in a random game, start and end among them."""
    positions = list(play_engine(draw(random_games(name))))
    return positions[draw(st.integers(0, len(positions) - 1))]


# ---- playing ----


def play_engine(game: RandomGame) -> Iterator[nogo.Position]:
    """Every position of a game, by the engine alone."""
    position = game.start()
    yield position
    for choice in game.choices:
        moves = position.legal_moves()
        if not moves:
            return
        position = position.play(choose(moves, choice))
        yield position


def play_both(game: RandomGame) -> Iterator[Side]:
    """Every position of a game, from the engine and from the reference, which picks the moves."""
    yield from play_on(game.start(), reference.start(game.name, **game.setup), game.choices)


def play_on(position: nogo.Position, state: reference.State, choices: bytes) -> Iterator[Side]:
    """Go on from where engine and reference stand."""
    yield position, state
    for choice in choices:
        names = sorted(state.legal())
        if not names:
            return
        name = choose(names, choice)
        position, state = position.play(name), state.play(name)
        yield position, state


def play_names(position: nogo.Position, names: str) -> nogo.Position:
    """Play moves given by name, separated by spaces."""
    for name in names.split():
        position = position.play(name)
    return position


def move_names(position: nogo.Position, moves: list[int]) -> list[str]:
    return [position.game.move_name(move) for move in moves]
