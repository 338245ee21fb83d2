"""Games by name, and what is true of all their positions."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NoReturn

from nogo import core, notation
from nogo.arguments import shown, whole, whole_seed
from nogo.core import Spec
from nogo.errors import ArgumentError, GameNameError, InvalidMoveError, PositionError
from nogo.position import Position

HOLLOW_HOLES = "E2,E3,E7,E8,B5,C5,G5,H5"
NAMES = (
    "hollow-nogo",
    "nogo:WxH",
    "nogo:WxH:HOLE,HOLE,...",
    "othello",
    "othello:6x6",
    "othello:4x4",
    "einstein",
    "einstein:5x5",
    "einstein:setdie",
)


@dataclass(frozen=True)
class Symmetry:
    """A way to turn or mirror the board under which the rules stay the same."""

    name: str
    points: tuple[int, ...]
    """Where each cell goes, cells counted row by row from the top left."""
    moves: tuple[int, ...]
    """Where each move goes."""


class Game:
    """A game by name; get one from `nogo.game`. Games of one name are equal."""

    def __init__(self, spec: Spec, isa: str) -> None:
        """Make it of a parsed name, for an instruction set."""
        self.name = spec.name
        self.family = spec.family
        self.columns = spec.columns
        self.rows = spec.rows
        self.isa = isa
        self.notation = notation.of(spec)
        self.players = self.notation.players
        self.holes = tuple(self.notation.move_names[cell] for cell in spec.holes)
        self.handle: Any = core.game_new(spec, isa)
        self.move_count = core.game_move_count(self.handle)
        self._spec = spec

    def __repr__(self) -> str:
        """Show how to get it."""
        return f"nogo.game({self.name!r})"

    def __eq__(self, other: object) -> bool:
        """Compare by name."""
        return self.name == other.name if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        """Hash by name."""
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Pickle by name: memory of the engine does not travel."""
        return game, (self.name,)

    def start(self, **setup: Any) -> Position:
        """Begin a game.

        EinStein takes ``red`` and ``blue``, the cubes' numbers on the start squares, and on the course board
        ``dice``, the cycle of 21; or ``seed``, which draws them all. The other games take nothing.
        """
        if "seed" in setup:
            setup["seed"] = whole_seed(setup["seed"])
        layout = self.notation.start_layout(setup)
        if layout is None:
            return Position(self, core.position_start(self.handle))
        return Position(self, core.position_set(self.handle, layout))

    def parse(self, text: str) -> Position:
        """Read a position from its one-line text or its diagram."""
        name = notation.game_name_of(text)
        if game(name).name != self.name:
            raise PositionError(
                f"{shown(text)} is a position of {name}, not of {self.name}; nogo.position() reads any game's"
            )
        layout = self.notation.parse(text)
        try:
            return Position(self, core.position_set(self.handle, layout))
        except core.LayoutFault as fault:
            raise self.notation.fault(text, fault.what, fault.cell) from None

    def move(self, name: str) -> int:
        """Find a move by its name, in either case."""
        move = self.notation.moves_by_name.get(notation.plain(name))
        if move is None:
            raise InvalidMoveError(
                f"{shown(name)} is not a move of {self.name} ({self.notation.why_no_move(name)});"
                f" moves look like {self.notation.move_examples}"
            )
        return move

    def move_name(self, move: int) -> str:
        """Name a move."""
        try:
            return self.notation.move_names[whole("move", move, 0, self.move_count - 1)]
        except ArgumentError:
            raise InvalidMoveError(
                f"{shown(move)} is not a move of {self.name}; moves are 0 to {self.move_count - 1}"
            ) from None

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The ways to turn or mirror the board under which the rules stay the same, identity first."""
        found = []
        for name, points in notation.board_maps(self.columns, self.rows):
            if name in self.notation.symmetry_names and self._keeps_holes(points):
                found.append(Symmetry(name, points, self.notation.map_moves(name, points)))
        return tuple(found)

    def _keeps_holes(self, points: tuple[int, ...]) -> bool:
        holes = set(self._spec.holes)
        return {points[hole] for hole in holes} == holes

    @cached_property
    def outcomes(self) -> tuple[tuple[int | None, float, float], ...]:
        """By outcome of the engine: winner, `Position.result`, and the first player's reward in [0, 1]."""
        unit = core.game_reward_unit(self.handle)
        return tuple(
            (winner, self.notation.result(outcome), reward / unit)
            for outcome, (winner, reward) in enumerate(core.game_outcomes(self.handle))
        )


def game(name: str) -> Game:
    """Get a game by name, e.g. ``hollow-nogo``, ``nogo:7x7:D4,C3``, ``othello:6x6``, ``einstein``."""
    if not isinstance(name, str):
        _refuse(name)
    return _game(name, core.isa_in_use())


@lru_cache(maxsize=256)
def _game(name: str, isa: str) -> Game:
    spec = _parse_name(name)
    return Game(spec, isa) if spec.name == name else _game(spec.name, isa)


def position(text: str) -> Position:
    """Read a position of any game from its one-line text or diagram, which begin with the game's name."""
    return game(notation.game_name_of(text)).parse(text)


def _refuse(name: object) -> NoReturn:
    near = difflib.get_close_matches(str(name)[:40], [*_FIXED, "nogo:9x9"], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise GameNameError(f"unknown game {shown(name)}; {hint}known: {', '.join(NAMES)}")


def _parse_name(name: str) -> Spec:
    key = notation.plain(name)
    if key == "nogo":
        key = "nogo:9x9"
    if key in _FIXED:
        return _FIXED[key]
    match = re.fullmatch(r"nogo:([0-9]{1,9})x([0-9]{1,9})(?::(.*))?", key)
    if match:
        return _nogo_spec(name, match)
    if key.startswith("othello:"):
        raise GameNameError(f"{shown(name)}: Othello's boards are othello, othello:6x6 and othello:4x4")
    if key.startswith("nogo:"):
        raise GameNameError(
            f"{shown(name)} is not of the form nogo:WxH or nogo:WxH:HOLE,HOLE, e.g. nogo:9x9 or nogo:7x7:D4,C3"
        )
    _refuse(name)


def _nogo_spec(name: str, match: re.Match[str]) -> Spec:
    columns, rows = int(match[1]), int(match[2])
    if not (1 <= columns <= core.MAX_SIDE and 1 <= rows <= core.MAX_SIDE):
        raise GameNameError(
            f"{shown(name)}: a board of {columns}x{rows} is out of range; sides are 1 to {core.MAX_SIDE}"
        )
    if columns * rows > core.MAX_POINTS:
        raise GameNameError(
            f"{shown(name)}: {columns}x{rows} has {columns * rows} points; at most {core.MAX_POINTS}, e.g. nogo:11x11"
        )
    holes = _holes(name, match[3], columns, rows) if match[3] is not None else ()
    canonical = f"nogo:{columns}x{rows}"
    if holes:
        names = notation.point_names(columns, rows)
        canonical += ":" + ",".join(names[hole] for hole in holes)
    return Spec(canonical, "nogo", columns, rows, holes=holes)


def _holes(name: str, text: str, columns: int, rows: int) -> tuple[int, ...]:
    points = {point.lower(): i for i, point in enumerate(notation.point_names(columns, rows))}
    holes: list[int] = []
    for part in text.split(","):
        hole = points.get(part.strip().lower())
        if hole is None:
            raise GameNameError(
                f"{shown(name)}: hole {shown(part)} is not on a board of {columns} columns and {rows} rows;"
                f" points go from {notation.point_names(columns, rows)[-columns]}"
                f" to {notation.point_names(columns, rows)[columns - 1]}"
            )
        if hole in holes:
            raise GameNameError(f"{shown(name)}: hole {shown(part)} is given twice; name it once")
        holes.append(hole)
    if len(holes) == columns * rows:
        raise GameNameError(f"{shown(name)}: every point is a hole; leave at least one to play on")
    return tuple(sorted(holes))


_FIXED = {
    "hollow-nogo": Spec("hollow-nogo", "nogo", 9, 9, holes=_holes("hollow-nogo", HOLLOW_HOLES, 9, 9)),
    "othello": Spec("othello", "othello", 8, 8),
    "othello:8x8": Spec("othello", "othello", 8, 8),
    "othello:6x6": Spec("othello:6x6", "othello", 6, 6),
    "othello:4x4": Spec("othello:4x4", "othello", 4, 4),
    "einstein": Spec("einstein", "einstein", 7, 6, variant=0),
    "einstein:5x5": Spec("einstein:5x5", "einstein", 5, 5, variant=1),
    "einstein:setdie": Spec("einstein:setdie", "einstein", 5, 5, variant=2),
}
