"""The EinStein course protocol of 2023: an executable that plays, ``nogo-einstein-agent``.

A referee starts it without arguments and talks to it character by character, with no separators: twelve digits, the
cubes on Red's then Blue's start squares; twenty-one digits, the dice; ``f`` or ``s``, whether it moves first; then
moves of two digits, cube and direction, from either side in turn. After a game ``y`` begins another one, and anything
else ends. A move may take 2 s, the first one from the moment in which the program was started.

NOGO_AGENT says which agent plays, e.g. ``uct:c=0.3``, else ``strongest``; NOGO_BUDGET a budget counted in playouts
instead of time.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from nogo import registry
from nogo.agent import RESIGN
from nogo.arguments import shown
from nogo.budget import Budget
from nogo.errors import ArgumentError, NogoError, ProtocolError
from nogo.game import game
from nogo.position import Position
from nogo.protocols.chair import Chair
from nogo.registry import Selection

MOVE_SECONDS: Final = 2.0
MARGIN: Final = 0.6
"""Seconds of a move that are not spent: for the way to the referee and back, and a machine that is busy."""
LEAST: Final = 0.02
MEMORY: Final = 512
"""MiB that a search may take of the 1024 allowed."""
CUBES: Final = 6
DICE: Final = 21
BLANKS: Final = b" \t\r\n"
USAGE: Final = (
    "nogo-einstein-agent takes no arguments: a referee of the EinStein course protocol (2023) starts it and talks to it"
    " over standard input and output. NOGO_AGENT selects who plays, e.g. NOGO_AGENT=uct:c=0.3 (else strongest)."
)

Read = Callable[[], bytes]
Write = Callable[[bytes], None]


class Wire:
    """Characters in, moves out; blanks and line ends between them do not matter."""

    def __init__(self, read: Read, write: Write) -> None:
        """Read gives the next byte, or nothing at the end."""
        self._read = read
        self.write = write

    def character(self) -> str:
        """Wait for a character; empty at the end of input."""
        while True:
            byte = self._read()
            if not byte or byte not in BLANKS:
                return byte.decode("latin-1")

    def digits(self, what: str, count: int, most: str) -> str:
        """Read so many digits up to `most`."""
        found = ""
        while len(found) < count:
            digit = self.character()
            if not digit:
                raise ProtocolError(f"the input ended after {len(found)} of {count} digits of {what}")
            if not "0" <= digit <= most:
                raise ProtocolError(f"{shown(digit)} in {what}, after {shown(found)}; it is {count} digits 0 to {most}")
            found += digit
        return found


class EinsteinPlayer:
    """Plays games over a wire, one after another."""

    def __init__(self, wire: Wire, chair: Chair, budget: Budget | None, started: float) -> None:
        """Take a seat; a budget of None is what is left of a move's time, and the first begins with the program."""
        self._wire = wire
        self._chair = chair
        self._budget = budget
        self._turn_began = started

    def run(self) -> None:
        """Play until the referee says anything but y, or no more."""
        wanted = self._wire.character()
        while wanted:
            self._play(wanted)
            wanted = self._wire.character()
            if wanted != "y":
                return
            self._turn_began = time.monotonic()
            wanted = self._wire.character()

    def _play(self, first_digit: str) -> None:
        position, own = self._set_up(first_digit)
        self._chair.begin()
        self._chair.prepare()
        while not position.is_over:
            move = self._choose(position) if position.turn == own else self._listen(position)
            self._chair.played(position, move)
            position = position.play(move)

    def _set_up(self, first_digit: str) -> tuple[Position, int]:
        """Read the start, of which one character has come; say whom we play."""
        wire = Wire(_after(first_digit, self._wire.character), self._wire.write)
        cubes = wire.digits("the cubes", 2 * CUBES, "5")
        dice = wire.digits("the dice", DICE, "5")
        side = wire.character()
        if side not in ("f", "s"):
            raise ProtocolError(f"{shown(side)} instead of f (first) or s (second)")
        try:
            start = game("einstein").start(red=cubes[:CUBES], blue=cubes[CUBES:], dice=dice)
        except ArgumentError as error:
            raise ProtocolError(f"the cubes {shown(cubes)} are no start: {error}") from None
        return start, "fs".index(side)

    def _listen(self, position: Position) -> int:
        said = self._wire.digits("a move", 2, "5")
        self._turn_began = time.monotonic()
        why = position.why_illegal(said)
        if why is not None:
            raise ProtocolError(f"the opponent's move {said} is refused: {why}, in {position.text!r}")
        return position.game.move(said)

    def _choose(self, position: Position) -> int:
        budget = self._budget or Budget(seconds=self._seconds_left())
        chosen = self._chair.choose(position, budget).move
        move = position.legal_moves()[0] if chosen == RESIGN else chosen  # the protocol has no resignation: play on
        self._wire.write(position.game.move_name(move).encode())
        return move

    def _seconds_left(self) -> float:
        return max(MOVE_SECONDS - MARGIN - (time.monotonic() - self._turn_began), LEAST)


def _after(first: str, character: Callable[[], str]) -> Read:
    """Read one character that has come already, then the others."""
    waiting = [first]
    return lambda: (waiting.pop() if waiting else character()).encode("latin-1")


def selection_of(text: str) -> Selection:
    """Select an agent, and keep its memory within what the referee allows."""
    selection = registry.select(text)
    memory = selection.options.get("memory")
    if not isinstance(memory, int) or memory <= MEMORY:
        return selection
    return replace(selection, options=MappingProxyType({**selection.options, "memory": MEMORY}))


def budget_of(text: str) -> Budget | None:
    """Read NOGO_BUDGET: playouts, or nothing; the protocol itself says how much time there is."""
    if not text:
        return None
    budget = Budget.parse(text)
    if budget.playouts is None:
        raise ArgumentError(
            f"NOGO_BUDGET={text}: a move has {MOVE_SECONDS:g} s by the protocol; use playouts=N, or none"
        )
    return budget


def process_age() -> float:
    """Tell for how many seconds this process has been running; on systems that do not say, since Python could look."""
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:
            started = int(file.read().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return max(time.clock_gettime(time.CLOCK_BOOTTIME) - started, 0.0)
    except (OSError, ValueError, IndexError, AttributeError):
        return time.process_time()


def serve(arguments: list[str], environ: Mapping[str, str]) -> None:
    """Play over standard input and output, as the environment says."""
    if arguments:
        raise ArgumentError(USAGE)
    started = time.monotonic() - process_age()
    budget = budget_of(environ.get("NOGO_BUDGET", ""))
    chair = Chair(selection_of(environ.get("NOGO_AGENT") or "strongest"), game("einstein"), 1)
    wire = Wire(lambda: os.read(sys.stdin.fileno(), 1), lambda data: _write_all(sys.stdout.fileno(), data))
    try:
        EinsteinPlayer(wire, chair, budget, started).run()
    finally:
        chair.close()


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def main() -> None:
    """Be ``nogo-einstein-agent``."""
    try:
        serve(sys.argv[1:], os.environ)
    except (NogoError, BrokenPipeError) as error:
        raise SystemExit(f"nogo-einstein-agent: {error}") from None
