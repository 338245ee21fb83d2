"""Positions: immutable values, each with its game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nogo import core
from nogo.arguments import shown, whole
from nogo.errors import ArgumentError, HandleError, IllegalMoveError, InvalidMoveError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from nogo.game import Game, Symmetry

# Looked up once: these are called for every move.
_play = core.position_play
_new = core.position_allocate
_POSITION = core.POSITION
_unpack = core.unpack


class Position:
    """A position of a game: immutable, hashable, picklable.

    Get one from ``game.start()``, ``game.parse(text)``, ``nogo.position(text)`` or another position's `play`.
    Two are equal when game, board, turn, die and ply are.
    """

    __slots__ = ("_c", "_game")

    def __init__(self, game: Game, c: Any) -> None:
        """Only for the package's own use: c is a position of the engine that nothing writes any more."""
        if not c:
            raise HandleError(f"a position is not made of {shown(c)}; use game.start() or nogo.position(text)")
        self._game = game
        self._c = c

    def __getattr__(self, name: str) -> Any:
        """Refuse a position that __init__ has not seen; what is simply unknown is an AttributeError as ever."""
        if name in Position.__slots__:
            raise HandleError("this position was not made by nogo; use game.start() or nogo.position(text)")
        raise AttributeError(f"positions have no {name!r}")

    @property
    def game(self) -> Game:
        """The game it belongs to."""
        return self._game

    # ---- whose turn, and is it over ----

    @property
    def turn(self) -> int:
        """FIRST (0), SECOND (1), or CHANCE (-1) when a die is to be thrown; when it is over, who would be next."""
        return core.turn_of(self._c)

    @property
    def is_chance(self) -> bool:
        """Whether a die is to be thrown: play one of `chance_outcomes`."""
        return core.turn_of(self._c) == core.CHANCE

    @property
    def ply(self) -> int:
        """Moves made since the start; a pass counts, a throw of the die does not."""
        ply: int = self._c.state.ply
        return ply

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        outcome: int = self._c.state.outcome
        return outcome != core.UNFINISHED

    @property
    def winner(self) -> int | None:
        """FIRST or SECOND; None for a draw, and while the game goes on."""
        outcome = self._c.state.outcome
        return None if outcome == core.UNFINISHED else self._game.outcomes[outcome][0]

    @property
    def result(self) -> float | None:
        """None while the game goes on; then, from the first player's side:

        NoGo 1.0 or 0.0; EinStein 1.0 (captured all), 0.9 (reached the corner), 0.1 or 0.0 (the same by the
        opponent); Othello black's discs less white's.
        """
        outcome = self._c.state.outcome
        return None if outcome == core.UNFINISHED else self._game.outcomes[outcome][1]

    @property
    def evaluation(self) -> int | None:
        """The first player's advantage as the game itself judges it, without searching; None when it is over.

        NoGo: the first player's legal points less the second's. Othello: mobility, frontier, corners, near the end
        discs. EinStein: how many steps fewer the first player's nearest cube has to its corner.
        """
        if self.is_over or not core.game_evaluates(self._game.handle):
            return None
        return core.position_evaluate(self._game.handle, self._c)

    # ---- moves ----

    def legal_moves(self, player: int | None = None) -> list[int]:
        """List the legal moves, ascending; none when the game is over, the die's outcomes when it is to be thrown.

        With a player, list what that player could do were it its turn with the same die.
        """
        if player is None:
            c = self._c
            moves: list[int] = _unpack(c.moves, c.move_count)
            return moves
        player = whole("player", player, core.FIRST, core.SECOND)
        if self.is_chance:
            return self.legal_moves()
        return core.position_moves(self._game.handle, self._c, player)

    def is_legal(self, move: int | str, player: int | None = None) -> bool:
        """Tell whether player, or else whose turn it is, may make the move."""
        return self.why_illegal(move, player) is None

    def why_illegal(self, move: int | str, player: int | None = None) -> str | None:
        """Say why a move is refused, e.g. ``suicide``; None when it is legal."""
        who = self.turn if player is None else whole("player", player, core.CHANCE, core.SECOND)
        try:
            number = self._number(move)
        except InvalidMoveError:
            return self._game.notation.why_no_move(move)
        reason = core.move_check(self._game.handle, self._c, number, who)
        return None if reason == core.LEGAL else core.REASONS[reason]

    def play(self, move: int | str) -> Position:
        """Make a move, by number or name, and give the position after it."""
        number = move if type(move) is int else self._number(move)
        child = _new(_POSITION)
        try:
            if _play(self._game.handle, self._c, number, child):
                raise self._refusal(number)
        except OverflowError:
            raise self._refusal(number) from None
        return Position(self._game, child)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List the die's outcomes as moves, with their probabilities; empty when it is not chance's turn."""
        outcomes = self.legal_moves() if self.is_chance else []
        return [(move, 1 / len(outcomes)) for move in outcomes]

    def _number(self, move: Any) -> int:
        if isinstance(move, str):
            return self._game.move(move)
        try:
            return whole("move", move, 0, self._game.move_count - 1)
        except ArgumentError:
            raise self._no_such(move) from None

    def _no_such(self, move: object) -> InvalidMoveError:
        game = self._game
        return InvalidMoveError(
            f"{shown(move)} is not a move of {game.name}; moves are 0 to {game.move_count - 1},"
            f" or names like {game.notation.move_examples}"
        )

    def _refusal(self, move: Any) -> Exception:
        if not 0 <= move < self._game.move_count:
            return self._no_such(move)
        why = self.why_illegal(move)
        if why is None:
            return HandleError("this position does not belong to its game any more")
        return IllegalMoveError(
            f"illegal move {self._game.move_name(move)}: {why}, in {self.text!r}; legal_moves() lists what is allowed"
        )

    # ---- what it looks like ----

    def _layout(self) -> core.Layout:
        return core.position_get(self._game.handle, self._c, self._game.columns * self._game.rows)

    @property
    def text(self) -> str:
        """One line that `nogo.position` reads back."""
        return self._game.notation.line(self._layout())

    @property
    def diagram(self) -> str:
        """A board to look at, which `nogo.position` reads back too."""
        return self._game.notation.diagram(self._layout())

    def __str__(self) -> str:
        """Draw the diagram."""
        return self.diagram

    def __repr__(self) -> str:
        """Show the one-line text."""
        return f"nogo.position({self.text!r})"

    @property
    def cells(self) -> NDArray[np.int8]:
        """The board as (rows, columns), top row first: 0 empty, 1 first, 2 second, -1 a hole.

        EinStein: 1 to 6 are the first player's cubes in the order of their numbers, 7 to 12 the second's.
        """
        flat = np.frombuffer(self._layout().cells, dtype=np.uint8).astype(np.int8)
        return flat.reshape(self._game.rows, self._game.columns)

    def planes(self) -> NDArray[np.float32]:
        """Give the position as (planes, rows, columns) of zeros and ones.

        NoGo, Othello: the first player's stones, the second's, the points of the board, the legal moves of the
        side to move, and a plane of ones when the second player is to move. EinStein: a plane for each cube (six
        of the first player, six of the second), six for the die in force, and the plane of the turn.
        """
        return self._game.notation.planes(self.cells, self._layout(), self.legal_moves())

    # ---- symmetry, identity ----

    def transform(self, symmetry: Symmetry) -> Position:
        """Turn or mirror the board by one of ``game.symmetries``."""
        known = self._game.symmetries
        if type(symmetry) is not type(known[0]) or symmetry not in known:
            raise ArgumentError(f"{shown(symmetry)} is not a symmetry of {self._game.name}; see game.symmetries")
        layout = self._layout()
        cells = bytearray(len(layout.cells))
        for source, target in enumerate(symmetry.points):
            cells[target] = layout.cells[source]
        layout.cells = bytes(cells)
        return Position(self._game, core.position_set(self._game.handle, layout))

    def symmetries(self) -> list[Position]:
        """Give the position under each of ``game.symmetries``, itself first."""
        return [self.transform(symmetry) for symmetry in self._game.symmetries]

    @property
    def key(self) -> int:
        """A 64-bit hash of board, turn and dice to come: equal for equal positions, on every machine."""
        return core.position_key(self._game.handle, self._c)

    def __hash__(self) -> int:
        """Hash by `key`."""
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        """Compare game and state."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._game.name == other._game.name and core.position_state(self._c) == core.position_state(other._c)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Pickle as text: memory of the engine does not travel."""
        from nogo.game import position  # noqa: PLC0415 - game imports this module

        return position, (self.text,)
