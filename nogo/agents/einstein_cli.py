"""``einstein-cli``: an executable of the EinStein course protocol (2023), refereed as an agent of ours.

It is started once and plays one game after another. The protocol can't set up a position: a game is played from its
start, and the executable itself makes all moves of its side.
"""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Mapping
from typing import Any, Final

from nogo.agent import Agent, AgentSpec, Choice, Option, require_move
from nogo.budget import Budget
from nogo.child import Child
from nogo.errors import AgentFailureError, ChildGoneError, ChildLateError, OptionError
from nogo.game import Game
from nogo.position import Position

SQUARES: Final = (((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)), ((3, 6), (4, 5), (4, 6), (5, 4), (5, 5), (5, 6)))
SIDES: Final = "fs"
WRITE_SECONDS: Final = 1.0
GRACE: Final = 1.0
BLANKS: Final = b" \t\r\n"


class EinsteinCli:
    """Plays what an executable plays."""

    def __init__(self, game: Game, command: str, limit: float, memory: int) -> None:
        """Start it, so that it is ready when it is asked."""
        self.game = game
        self._argv = _words(command)
        self._limit = limit
        self._memory = memory
        self._child: Child | None = None
        self._played: list[tuple[Position, int]] = []
        self._told: int | None = None
        """How many of the moves it knows; None before it has been told of the game."""
        self._side = 0
        self._start()

    # ---- what a match asks ----

    def begin(self, seed: int) -> None:
        """Begin a game, in the same process if it has seen the last one to its end."""
        if self._told is not None and not self._goodbye("y"):
            self._stop()
        self._played, self._told = [], None
        if self._child is None:
            self._start()

    def played(self, position: Position, move: int) -> None:
        """Remember a move."""
        self._played.append((position, move))

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Tell it what has been played, and read its move."""
        require_move(self.game, position)
        began = time.monotonic()
        try:
            if self._told is None:
                self._tell_start(position)
            self._tell_moves()
            move = self._read_move(position)
        except ChildGoneError as error:
            raise self._failure("crashed", str(error)) from None
        except ChildLateError:
            spent = time.monotonic() - began
            raise self._failure("stalled", f"the executable made no move within {spent:.1f} s") from None
        return Choice(move)

    def close(self) -> None:
        """End the process, and all that it has started."""
        self._stop(GRACE if self._told is not None and self._goodbye("n") else 0.0)

    # ---- what the executable hears and says ----

    def _start(self) -> None:
        try:
            self._child = Child(self._argv, memory=self._memory or None)
        except ChildGoneError as error:
            raise AgentFailureError("crashed", str(error)) from None

    def _tell_start(self, position: Position) -> None:
        """Say how the game begins and who moves first; it has to be the executable that makes its side's moves."""
        if position.ply != position.turn or len(self._played) != position.ply:
            raise AgentFailureError(
                "refused",
                f"the EinStein protocol of 2023 plays games from their start, and cannot take over at ply"
                f" {position.ply}; use --opening-plies 0",
            )
        start = self._played[0][0] if self._played else position
        self._side = position.turn
        self._say(start_of(start) + SIDES[self._side])
        self._told = 0

    def _tell_moves(self) -> None:
        """Say the opponent's moves; its own it has said itself."""
        for before, move in self._played[self._told :]:
            if before.turn != self._side:
                self._say(self.game.move_name(move))
        self._told = len(self._played)

    def _goodbye(self, word: str) -> bool:
        """Let it see the end of the game, and say what comes then; tell whether it is still in step."""
        before, move = self._played[-1] if self._played else (None, 0)
        if self._child is None or before is None or not before.play(move).is_over:
            return False
        try:
            self._tell_moves()
            self._say(word)
            return not self._child.read(1, 0.0)
        except ChildLateError:
            return True  # as it should be, it has nothing to say
        except ChildGoneError:
            return False

    def _stop(self, grace: float = 0.0) -> None:
        if self._child is not None:
            self._child.close(grace)
            self._child = None

    def _say(self, text: str) -> None:
        if self._child is None:
            raise ChildGoneError("the executable is not running")
        self._child.write(text.encode(), WRITE_SECONDS)

    def _read_move(self, position: Position) -> int:
        deadline, said = time.monotonic() + self._limit, b""
        while len(said) < 2:
            said += self._read(2 - len(said), deadline - time.monotonic())
        name = said.decode("ascii", "replace")
        if not re.fullmatch("[0-5][0-3]", name):
            raise self._failure("illegal", f"the executable said {name!r}, which is no move: cube 0-5, direction 0-3")
        why = position.why_illegal(name)
        if why is not None:
            raise self._failure("illegal", f"the executable said {name}: {why}")
        return self.game.move(name)

    def _read(self, most: int, seconds: float) -> bytes:
        """Read what is no blank."""
        if self._child is None:
            raise ChildGoneError("the executable is not running")
        data = self._child.read(most, max(seconds, 0.0))
        if not data:
            end = self._child.ended(1.0) or "it has closed its output"
            raise ChildGoneError(f"the executable says no more: {end}")
        return data.translate(None, BLANKS)

    def _failure(self, kind: str, reason: str) -> AgentFailureError:
        """Give the reason and what it left behind; it is not played with any more."""
        child, self._child = self._child, None
        if child is None:
            return AgentFailureError(kind, reason)
        child.close()
        return AgentFailureError(kind, reason, child.errors())


def start_of(position: Position) -> str:
    """Write cubes and dice of a position at the start, as the protocol does."""
    cells = position.cells
    cubes = "".join(str((int(cells[square]) - 1) % 6) for side in SQUARES for square in side)
    dice = re.search(r"\bdice=([0-5]{21})\b", position.text)
    return cubes + (dice[1] if dice else "")


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"command={command}: {error}; quote it as for a shell") from None
    if not words:
        raise OptionError("einstein-cli needs a program; say which, e.g. einstein-cli:command=./agent")
    return words


def create(game: Game, options: Mapping[str, Any], seed: int) -> Agent:
    """Make one."""
    if game.name != "einstein":
        raise AgentFailureError("refused", f"einstein-cli plays einstein, the course board of 2023, not {game.name}")
    return EinsteinCli(game, options["command"], options["limit"], options["memory"])


SPEC = AgentSpec(
    name="einstein-cli",
    factory=create,
    options=(
        Option("command", str, "", "the executable and its arguments, quoted as for a shell"),
        Option("limit", float, 2.0, "seconds for a move", least=0.01, most=3600),
        Option("memory", int, 1024, "MiB for the executable; 0 for no limit", least=0, most=2**20),
    ),
    summary="An executable of the EinStein course protocol (2023)",
    explanation="""Starts the executable once and plays one game after another with it: cubes, dice, f or s, then
    moves of two characters; y for another game. It owes a move within the limit; late, dead or illegal it loses the
    game with the exact reason, and is started anew for the next. The protocol begins at the start of a game: use no
    random opening moves.""",
    games=("einstein",),
)
