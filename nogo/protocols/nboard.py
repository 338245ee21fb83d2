"""The NBoard protocol, version 2: Othello for the program NBoard and others that speak it.

Commands come a line at a time: nboard, set (game, depth, contempt), move, hint, go, ping, learn, analyze, quit. A line
that is none is ignored, as the protocol wants it. ``ping`` ends a search under way; so does the end of the input, after
a moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

from nogo.agent import RESIGN, Choice
from nogo.arguments import shown
from nogo.budget import MAX_PLAYOUTS, Budget, Clock
from nogo.errors import NogoError, ProtocolError
from nogo.game import game
from nogo.position import Position
from nogo.protocols import ggf
from nogo.protocols.chair import Chair
from nogo.protocols.ggf import GgfGame
from nogo.protocols.lines import MAX_LINE, Interrupted, Lines, interrupted_when
from nogo.protocols.nboard_views import View, is_proven, nodes_of, square, view_after, views
from nogo.registry import Selection

VERSION: Final = 2
DEPTH: Final = 12
MAX_DEPTH: Final = 60
BASE: Final = 1000
"""Playouts at depth 0; every two plies of depth double them."""
GROWTH: Final = 4
"""A search is begun again with so many times the playouts, until it has had all."""
MARGIN: Final = 0.3
"""Seconds of the clock that are kept back at every move."""
LEAST: Final = 0.05
AFTER_END: Final = 5.0
"""Seconds that a search has left when the input ends."""

Send = Callable[[str], None]


class NBoard:
    """A session: a game, a depth, and an agent that is asked of it."""

    def __init__(self, selection: Selection, budget: Budget | None, seed: int, lines: Lines, send: Send) -> None:
        """Begin at the start; a budget of None is what depth and clock allow."""
        self._chair = Chair(selection, game("othello"), seed)
        self._budget = budget
        self._seed = seed
        self._lines = lines
        self._send = send
        self._game = GgfGame(game("othello").start())
        self._depth = DEPTH
        self._ended: float | None = None
        self.done = False

    def run(self) -> None:
        """Take commands until quit or the end of the input."""
        try:
            while not self.done:
                found = self._lines.next()
                if found is None:
                    return
                self._take(*found)
        finally:
            self._chair.close()

    def _take(self, line: bytes, whole: bool) -> None:
        if not whole:
            self._send(f"status Error: a line of more than {MAX_LINE} bytes is not read")
            return
        self.do(line.decode("utf-8", "replace"))

    def do(self, line: str) -> None:
        """Do what a line says; what it does not understand it ignores, and what it refuses changes nothing."""
        word, _, rest = line.strip().partition(" ")
        action = _COMMANDS.get(word)
        if action is None:
            return
        try:
            action(self, rest.strip())
        except NogoError as error:
            self._send(f"status Error: {' '.join(str(error).split())}")

    @property
    def position(self) -> Position:
        """The position that commands relate to."""
        return self._game.line[-1]

    # ---- the commands ----

    def _nboard(self, version: str) -> None:
        if version != str(VERSION):
            raise ProtocolError(f"nboard {version[:20]} is another protocol; this is version {VERSION}")
        self._send(f"set myname {self._name()}")

    def _set(self, text: str) -> None:
        what, _, value = text.partition(" ")
        if what == "game":
            self._set_game(ggf.parse(value))
        elif what == "depth":
            self._depth = _whole("set depth", value.strip(), MAX_DEPTH)
            self._send(f"set myname {self._name()}")
        # contempt is for programs with a book of drawn games

    def _set_game(self, played: GgfGame) -> None:
        if played.start.game != self._chair.game:
            chair = Chair(self._chair.selection, played.start.game, self._seed)
            self._chair.close()
            self._chair = chair
        self._game = played
        self._follow()

    def _follow(self) -> None:
        """Show the agent the game from its beginning."""
        self._chair.begin()
        for before, made in self._game.steps:
            self._chair.played(before, made.move)

    def _move(self, text: str) -> None:
        made = ggf.parse_move(self._chair.game, text)
        before = self.position
        self._game = self._game.play(made)
        self._chair.played(before, made.move)

    def _hint(self, text: str) -> None:
        count = _whole("hint", text, self.position.game.move_count) if text else 1
        self._refuse_over()
        self._thinking(lambda: self._others(self._deepen(count, None), count))

    def _go(self, _: str) -> None:
        self._refuse_over()
        began = time.monotonic()
        choice = self._thinking(lambda: self._deepen(1, self._seconds()))
        if choice is not None:
            view = views(self.position, choice)[0]
            spent = time.monotonic() - began
            self._send(f"=== {square(self.position, view.line[0])}/{view.value:.2f}/{spent:.2f}")

    def _ping(self, number: str) -> None:
        self._send(f"pong {number[:20]}".rstrip())

    def _learn(self, _: str) -> None:
        self._send("learned")  # there is no book

    def _quit(self, _: str) -> None:
        self.done = True

    def _refuse_over(self) -> None:
        if self.position.is_over:
            raise ProtocolError("the game is over; there is no move to look for")

    # ---- thinking ----

    def _thinking(self, search: Callable[[], Choice]) -> Choice | None:
        """Search until it is done, or a ping or the end of the input wants it to end: None then."""
        self._send("status thinking")
        try:
            with interrupted_when(self._unwanted):
                choice = search()
        except Interrupted:
            self._chair.close()  # it may not be whole
            self._follow()
            choice = None
        self._send("status")
        return choice

    def _unwanted(self) -> bool:
        if any(line.split()[:1] == [b"ping"] for line in self._lines.peek()):
            return True
        if self._lines.ended and self._ended is None:
            self._ended = time.monotonic()
        return self._ended is not None and time.monotonic() - self._ended > AFTER_END

    def _deepen(self, count: int, seconds: float | None) -> Choice:
        """Search with more and more playouts, up to the depth's or the seconds', and say what is found on the way."""
        for budget in self._budgets(seconds):
            asked = time.monotonic()
            choice = self._chair.choose(self.position, budget)
            for view in views(self.position, choice)[:count]:
                self._tell(view)
            self._send(f"nodestats {nodes_of(choice)} {time.monotonic() - asked:.2f}")
            if choice.move == RESIGN or is_proven(choice) or nodes_of(choice) == 0:
                break
        return choice

    def _budgets(self, seconds: float | None) -> Iterator[Budget]:
        if self._budget is not None:
            yield self._budget
            return
        began, most = time.monotonic(), self._playouts()
        playouts = min(BASE, most)
        while True:
            asked = time.monotonic()
            yield Budget(playouts=playouts)
            took = time.monotonic() - asked
            left = None if seconds is None else seconds - (time.monotonic() - began)
            if playouts >= most or (left is not None and left < took):
                return
            if left is not None and left < took * GROWTH:
                yield Budget(seconds=max(left, LEAST))
                return
            playouts = min(playouts * GROWTH, most)

    def _playouts(self) -> int:
        return min(BASE << self._depth // 2, MAX_PLAYOUTS)

    def _others(self, choice: Choice, count: int) -> Choice:
        """Value other moves too, for an agent that tells of its choice only: each by what it finds after it."""
        told = [view.line[0] for view in views(self.position, choice)]
        others = [move for move in self.position.legal_moves() if move not in told][: count - len(told)]
        if others and len(told) == 1:
            budget = self._budget or Budget(playouts=max(self._playouts() // len(others), BASE))
            adviser = Chair(self._chair.selection, self._chair.game, self._seed)
            try:
                for move in others:
                    self._tell(view_after(adviser, self.position, move, budget))
            finally:
                adviser.close()
        return choice

    def _tell(self, view: View) -> None:
        position, squares = self.position, []
        for move in view.line:
            squares.append(square(position, move))
            position = position.play(move)
        self._send(f"search {'-'.join(squares)} {view.value:.2f} 0 {view.depth} {view.note}".rstrip())

    def _seconds(self) -> float | None:
        """Share the game's clock, if it has one."""
        side = self.position.turn
        clock = self._game.clocks[side]
        if clock is None:
            return None
        spent = [made.seconds for before, made in self._game.steps if before.turn == side]
        left = max(clock.seconds + clock.increment * len(spent) - sum(spent), LEAST)
        shared = Clock(left, min(clock.increment, left)).seconds_for(self.position)
        return max(min(shared, left - MARGIN), LEAST)

    def _name(self) -> str:
        return f"nogo {self._chair.selection} {self._budget or self._depth}"


_COMMANDS: Final[dict[str, Callable[[NBoard, str], None]]] = {
    "nboard": NBoard._nboard,
    "set": NBoard._set,
    "move": NBoard._move,
    "hint": NBoard._hint,
    "go": NBoard._go,
    "ping": NBoard._ping,
    "learn": NBoard._learn,
    "quit": NBoard._quit,
}


def _whole(what: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise ProtocolError(f"{what} {shown(text)} is no number from 1 to {most}")
    return int(text)
