"""The rules of every game once more, slow and plain: the oracle the engine is tested against.

Nothing here comes from the engine, and nothing here is meant to be fast. A board is a dictionary
from (row, column), row 0 at the top, to a token; a square that is not a key is not on the board,
which is also how a hole is represented. The common language with the engine is the names of moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cache

FIRST, SECOND, CHANCE = 0, 1, -1
DRAW = 2  # only as an answer of solve()
EMPTY = 0

Point = tuple[int, int]
Board = dict[Point, int]


def start(game_name: str, **setup: str) -> State:
    """The first position of a game. Only EinStein takes a setup: red=, blue=, dice=."""
    family, _, rest = game_name.partition(":")
    if family == "einstein":
        return _einstein_start(rest, **setup)
    if setup:
        raise ValueError(f"{game_name} takes no setup")
    if family == "hollow-nogo" and not rest:
        return _nogo_start("9x9", "E2,E3,E7,E8,B5,C5,G5,H5")
    if family == "nogo":
        size, _, holes = rest.partition(":")
        return _nogo_start(size or "9x9", holes)
    if family == "othello":
        return _othello_start(rest or "8x8")
    raise ValueError(f"no such game: {game_name}")


def _squares(rows: int, columns: int) -> list[Point]:
    return [(row, column) for row in range(rows) for column in range(columns)]


def _stone(player: int) -> int:
    """The token of a NoGo stone or an Othello disc: 1 of the first player, 2 of the second."""
    return player + 1


def _opponent(player: int) -> int:
    return 1 - player


@dataclass(frozen=True, eq=False)
class State(ABC):
    """One position. The board must not be changed once it is in a state."""

    rows: int
    columns: int
    board: Board
    mover: int  # the player who moves next, also while the die for that move is yet to be thrown
    ply: int

    # Written out because a dictionary has no hash of its own, and solve() remembers states.
    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((frozenset(self.board.items()), self.mover, self.ply))

    @property
    def turn(self) -> int:
        return self.mover

    @abstractmethod
    def legal(self, player: int | None = None) -> set[str]:
        """Names of the moves of the player (by default the mover) were it that player's turn."""

    @abstractmethod
    def _after(self, name: str) -> State:
        """The position after a move known to be legal."""

    @abstractmethod
    def winner(self) -> int | None:
        """0 or 1; None for a draw, or while the game goes on."""

    @abstractmethod
    def result(self) -> float | int | None:
        """The result in the terms of the game; None while the game goes on."""

    def play(self, name: str) -> State:
        if name not in self.legal():
            raise ValueError(f"illegal move: {name}")
        return self._after(name)

    def is_over(self) -> bool:
        return not self.legal()

    def cells(self) -> list[list[int]]:
        return [[self.board.get((row, column), -1) for column in range(self.columns)] for row in range(self.rows)]

    def _next_turn(self, changes: dict[Point, int]) -> State:
        """This position with some squares changed and the other player to move, a ply later."""
        return replace(
            self,
            board={**self.board, **changes},
            mover=_opponent(self.mover),
            ply=self.ply + 1,
        )


# NoGo and Hollow NoGo


NOGO_COLUMNS = "ABCDEFGHJKLMNOPQ"  # no I


def _nogo_start(size: str, holes: str) -> NogoState:
    columns, rows = (int(side) for side in size.split("x"))
    walls = {_nogo_point(name, rows) for name in holes.split(",") if name}
    board = {point: EMPTY for point in _squares(rows, columns) if point not in walls}
    return NogoState(rows, columns, board, mover=FIRST, ply=0)


def _nogo_point(name: str, rows: int) -> Point:
    return rows - int(name[1:]), NOGO_COLUMNS.index(name[0])


def _nogo_name(point: Point, rows: int) -> str:
    row, column = point
    return f"{NOGO_COLUMNS[column]}{rows - row}"


def _neighbours(board: Board, point: Point) -> list[Point]:
    row, column = point
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [near for near in around if near in board]


def _has_liberty(board: Board, stone: Point) -> bool:
    """Whether the group of this stone touches an empty point: a flood fill over its colour."""
    seen = {stone}
    to_visit = [stone]
    while to_visit:
        for near in _neighbours(board, to_visit.pop()):
            if board[near] == EMPTY:
                return True
            if board[near] == board[stone] and near not in seen:
                seen.add(near)
                to_visit.append(near)
    return False


@dataclass(frozen=True, eq=False)
class NogoState(State):
    def legal(self, player: int | None = None) -> set[str]:
        movers = self._names(self.mover)
        if not movers or player is None or player == self.mover:
            return movers  # none: the game is over, and nobody moves
        return self._names(player)

    def _names(self, player: int) -> set[str]:
        return {_nogo_name(point, self.rows) for point in self.board if self._allows(point, player)}

    def _allows(self, point: Point, player: int) -> bool:
        if self.board[point] != EMPTY:
            return False
        board = {**self.board, point: _stone(player)}
        # Every group must keep a liberty; only the new stone's group and those next to it can have
        # lost one.
        touched = [near for near in _neighbours(board, point) if board[near] != EMPTY]
        return all(_has_liberty(board, stone) for stone in [point, *touched])

    def _after(self, name: str) -> State:
        return self._next_turn({_nogo_point(name, self.rows): _stone(self.mover)})

    def winner(self) -> int | None:
        return _opponent(self.mover) if self.is_over() else None

    def result(self) -> float | None:
        winner = self.winner()
        return None if winner is None else float(winner == FIRST)


# Othello


OTHELLO_COLUMNS = "abcdefgh"
PASS = "pass"
EIGHT_DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def _othello_start(size: str) -> OthelloState:
    if size not in ("4x4", "6x6", "8x8"):
        raise ValueError(f"no such board: {size}")
    side = int(size[0])
    low, high = side // 2 - 1, side // 2
    board = dict.fromkeys(_squares(side, side), EMPTY)
    board[low, high] = board[high, low] = _stone(FIRST)  # black: north-east and south-west
    board[low, low] = board[high, high] = _stone(SECOND)
    return OthelloState(side, side, board, mover=FIRST, ply=0)


def _othello_square(name: str) -> Point:
    return int(name[1:]) - 1, OTHELLO_COLUMNS.index(name[0])


def _othello_name(square: Point) -> str:
    row, column = square
    return f"{OTHELLO_COLUMNS[column]}{row + 1}"


def _enclosed(board: Board, square: Point, direction: Point, player: int) -> list[Point]:
    """The opponent's discs between this square and the player's next disc that way."""
    run: list[Point] = []
    row, column = square[0] + direction[0], square[1] + direction[1]
    while board.get((row, column)) == _stone(_opponent(player)):
        run.append((row, column))
        row, column = row + direction[0], column + direction[1]
    return run if board.get((row, column)) == _stone(player) else []


def _flips(board: Board, square: Point, player: int) -> list[Point]:
    return [disc for direction in EIGHT_DIRECTIONS for disc in _enclosed(board, square, direction, player)]


@dataclass(frozen=True, eq=False)
class OthelloState(State):
    def legal(self, player: int | None = None) -> set[str]:
        player = self.mover if player is None else player
        own = self._placements(player)
        if own:
            return own
        return {PASS} if self._placements(_opponent(player)) else set()

    def _placements(self, player: int) -> set[str]:
        return {
            _othello_name(square)
            for square, token in self.board.items()
            if token == EMPTY and _flips(self.board, square, player)
        }

    def _after(self, name: str) -> State:
        if name == PASS:
            return self._next_turn({})
        square = _othello_square(name)
        discs = [square, *_flips(self.board, square, self.mover)]
        return self._next_turn({disc: _stone(self.mover) for disc in discs})

    def _margin(self) -> int:
        """Black discs less white discs."""
        tokens = list(self.board.values())
        return tokens.count(_stone(FIRST)) - tokens.count(_stone(SECOND))

    def winner(self) -> int | None:
        if not self.is_over() or self._margin() == 0:
            return None
        return FIRST if self._margin() > 0 else SECOND

    def result(self) -> int | None:
        return self._margin() if self.is_over() else None


# EinStein wuerfelt nicht
#
# A cube's index runs from 0 on every board, so that its token is 1 + index for the first player
# and 7 + index for the second. The digit written for it is the index on the course board, and one
# more on the 5x5 boards, whose cubes and dice run from 1 to 6.


CUBES = range(6)
DEFAULT_DICE = "012345012345012345012"
COURSE, CLASSIC, SETDIE = "", "5x5", "setdie"
RED_SQUARES = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)]
COURSE_BLUE_SQUARES = [(3, 6), (4, 5), (4, 6), (5, 4), (5, 5), (5, 6)]
# Red's steps in the order of the digits which name them; Blue's are the opposite ones. The fourth,
# up and to the right, exists on the course board only.
RED_STEPS = [(0, 1), (1, 0), (1, 1), (-1, 1)]


def _einstein_start(
    variant: str, red: str | None = None, blue: str | None = None, dice: str | None = None
) -> EinsteinState:
    if variant == COURSE:
        rows, columns, digits = 6, 7, "012345"
        blue_squares = COURSE_BLUE_SQUARES
        dice = DEFAULT_DICE if dice is None else dice
        if len(dice) != len(DEFAULT_DICE) or not set(dice) <= set(digits):
            raise ValueError(f"not 21 numbers from 0 to 5: {dice}")
    elif variant in (CLASSIC, SETDIE):
        rows, columns, digits = 5, 5, "123456"
        blue_squares = [(4 - row, 4 - column) for row, column in RED_SQUARES]
        if dice is not None:
            raise ValueError("only the course board has known dice")
    else:
        raise ValueError(f"no such game: einstein:{variant}")

    board = dict.fromkeys(_squares(rows, columns), EMPTY)
    for player, given, squares in [(FIRST, red, RED_SQUARES), (SECOND, blue, blue_squares)]:
        order = digits if given is None else given
        if sorted(order) != list(digits):
            raise ValueError(f"not an order of the cubes {digits}: {order}")
        for digit, square in zip(order, squares, strict=True):
            board[square] = _cube_token(player, digits.index(digit))
    return EinsteinState(rows, columns, board, FIRST, 0, variant, dice or "", set_die=None)


def _cube_token(player: int, index: int) -> int:
    return 1 + index + 6 * player


@dataclass(frozen=True, eq=False)
class EinsteinState(State):
    variant: str
    dice: str  # the known cycle of the course board
    set_die: int | None  # 5x5 boards: the index thrown or set for the mover; None: not yet

    @property
    def die(self) -> int | None:
        """The index of the cube the mover should move; None when there is no die yet."""
        if self.variant == COURSE:
            return int(self.dice[self.ply % len(self.dice)])
        return self.set_die

    @property
    def turn(self) -> int:
        to_throw = self.variant == CLASSIC and self.die is None and not self.is_over()
        return CHANCE if to_throw else self.mover

    def legal(self, player: int | None = None) -> set[str]:
        if self.is_over():
            return set()
        if self.die is None:
            # Before there is a die nobody can move a cube, whichever player is asked for: the
            # classic die is thrown, and the first turn of the other variant sets it.
            sign = "d" if self.variant == CLASSIC else "="
            return {sign + self._digit(index) for index in CUBES}
        player = self.mover if player is None else player
        steps = {
            f"{self._digit(index)}{direction}"
            for index in self._movable(player, self.die)
            for direction in range(self._step_count())
            if self._target(player, index, direction) in self.board
        }
        if self.variant == SETDIE:
            return {f"{step}={self._digit(index)}" for step in steps for index in CUBES}
        return steps

    def _digit(self, index: int) -> str:
        return str(index if self.variant == COURSE else index + 1)

    def _index(self, digit: str) -> int:
        return int(digit) if self.variant == COURSE else int(digit) - 1

    def _step_count(self) -> int:
        return 4 if self.variant == COURSE else 3

    def _places(self, player: int) -> dict[int, Point]:
        """Where the player's remaining cubes stand, by index."""
        squares = {token: square for square, token in self.board.items() if token != EMPTY}
        tokens = {index: _cube_token(player, index) for index in CUBES}
        return {index: squares[token] for index, token in tokens.items() if token in squares}

    def _movable(self, player: int, die: int) -> list[int]:
        """The cube of the die's number, or else its nearest neighbours among those left."""
        left = self._places(player)
        if die in left:
            return [die]
        smaller = [index for index in left if index < die]
        larger = [index for index in left if index > die]
        return sorted(smaller)[-1:] + sorted(larger)[:1]

    def _target(self, player: int, index: int, direction: int) -> Point:
        row, column = self._places(player)[index]
        down, right = RED_STEPS[direction]
        return (row + down, column + right) if player == FIRST else (row - down, column - right)

    def _after(self, name: str) -> State:
        if name.startswith("d"):
            return replace(self, set_die=self._index(name[1]))  # a throw is not a ply
        step, _, next_die = name.partition("=")
        changes = self._moved(self._index(step[0]), int(step[1])) if step else {}
        set_die = self._index(next_die) if next_die else None
        return replace(self, set_die=set_die)._next_turn(changes)

    def _moved(self, index: int, direction: int) -> dict[Point, int]:
        """The squares changed by a step; what stood on the target, of either colour, is gone."""
        origin = self._places(self.mover)[index]
        target = self._target(self.mover, index, direction)
        return {origin: EMPTY, target: _cube_token(self.mover, index)}

    def is_over(self) -> bool:
        # A cube short of its corner always has a step, along its row or its column: so a mover
        # with cubes has a move, and the rule for one who has none needs no line here.
        return self.winner() is not None

    def winner(self) -> int | None:
        for player in (FIRST, SECOND):
            corner = (self.rows - 1, self.columns - 1) if player == FIRST else (0, 0)
            if corner in self._places(player).values() or not self._places(_opponent(player)):
                return player
        return None

    def result(self) -> float | None:
        winner = self.winner()
        if winner is None:
            return None
        captured_all = not self._places(_opponent(winner))
        if winner == FIRST:
            return 1.0 if captured_all else 0.9
        return 0.0 if captured_all else 0.1


# Counting and solving


def perft(state: State, depth: int) -> int:
    """How many sequences of exactly this many plies there are; throwing a die is not a ply."""
    if depth == 0:
        return 1
    throw = state.turn == CHANCE
    if depth == 1 and not throw:
        return len(state.legal())
    left = depth if throw else depth - 1
    return sum(perft(state.play(name), left) for name in state.legal())


@cache
def solve(state: State) -> int:
    """Who wins with best play: 0, 1, or 2 for a draw. For small boards without chance."""
    if state.turn == CHANCE:
        raise ValueError("a game of chance has no winner with best play")
    if state.is_over():
        winner = state.winner()
        return DRAW if winner is None else winner
    best = _opponent(state.turn)
    for name in sorted(state.legal()):
        outcome = solve(state.play(name))
        if outcome == state.turn:
            return outcome
        if outcome == DRAW:
            best = DRAW
    return best


@cache
def solve_margin(state: State) -> int:
    """Black discs less white discs at the end, when each side plays for the most discs."""
    if not isinstance(state, OthelloState):
        raise TypeError("only Othello has a margin")
    margin = state.result()
    if margin is not None:
        return margin
    outcomes = [solve_margin(state.play(name)) for name in state.legal()]
    return max(outcomes) if state.turn == FIRST else min(outcomes)
