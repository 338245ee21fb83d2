"""The agents behind the two colours: shown what they have not seen, and begun anew when moves are taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nogo.agent import Choice
from nogo.budget import Budget
from nogo.errors import NogoError
from nogo.position import Position
from nogo.protocols.chair import Chair
from nogo.protocols.gtp_table import PASS, Move, Table
from nogo.protocols.gtp_wire import GtpError
from nogo.registry import Selection


class Side:
    """One colour's agent. One that has failed is let go, and the next move asked of a new one."""

    def __init__(self, selection: Selection, seed: int) -> None:
        """Remember which; nothing is made yet."""
        self.selection = selection
        self._seed = seed
        self._chair: Chair | None = None
        self._start: Position | None = None
        self._seen: list[Move] = []

    def new_game(self) -> None:
        """Begin a game, whatever it looks like."""
        self._start = None

    def close(self) -> None:
        """Let the agent go."""
        self._start = None
        if self._chair is not None:
            self._chair.close()

    def choose(self, table: Table, position: Position, budget: Callable[[], Budget]) -> Choice:
        """Ask for a move in the table's position, or after a forced pass in it.

        The budget is looked at once the agent is ready.
        """
        moves = list(table.moves)
        if position != table.position:
            moves.append(Move(table.game.move(PASS), position, forced=True))
        try:
            chair = self._up_to_date(table.start, moves)
            return chair.choose(position, budget())
        except NogoError as error:
            self.close()
            raise GtpError(f"agent {self.selection} failed: {error}") from error
        except Exception as error:  # whatever a stranger's code raises
            self.close()
            raise GtpError(f"agent {self.selection} crashed: {type(error).__name__}: {error}") from error
        except BaseException:
            self.close()  # it was interrupted, and may not be whole
            raise

    def _up_to_date(self, start: Position, moves: Sequence[Move]) -> Chair:
        """Give the agent, once it has seen all moves so far and no others."""
        if self._chair is None or self._chair.game != start.game:
            self.close()
            self._chair = Chair(self.selection, start.game, self._seed)
        if self._start != start or self._seen != list(moves[: len(self._seen)]):
            self._chair.begin()
            self._start, self._seen = start, []
        self._chair.prepare()
        for move in moves[len(self._seen) :]:
            before = self._seen[-1].after if self._seen else start
            if move.move is not None:
                self._chair.played(before, move.move)
            self._seen.append(move)
        return self._chair
