"""Live analysis as Leela Zero began it and Sabaki, Lizzie and others read it: ``lz-analyze``.

The agent is asked again and again, each time with half as much time more, until anything comes from the controller;
that ends a search within a fraction of a second, however long it still was to last.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from nogo.arguments import shown
from nogo.budget import Budget
from nogo.position import Position
from nogo.protocols.gtp_commands import Words, whole
from nogo.protocols.gtp_gogui import line_of, moves_of
from nogo.protocols.gtp_session import Found, Session, Wire
from nogo.protocols.gtp_sides import Side
from nogo.protocols.gtp_table import COLOURS, vertex
from nogo.protocols.gtp_wire import GtpError, Request, line, opening
from nogo.protocols.lines import Interrupted, interrupted_when

FIRST: Final = 0.1
"""Seconds of the first search; an agent that fails does so in it, and is answered with an error."""
GROWTH: Final = 1.5
LONGEST: Final = 3600.0


@dataclass(frozen=True)
class Wish:
    """What a controller wants to see."""

    colour: int
    interval: float
    """Seconds between two lines, at least."""
    most: int
    """Moves of a line."""


# ---- the commands ----


def _analyze(session: Session, request: Request, wire: Wire) -> bytes:
    """Write lines until something comes in."""
    wish = _wish(session, request.arguments)
    if session.table.position.is_over:
        return opening(request.number) + b"\n\n"
    position = session.table.turn_of(wish.colour)
    side = Side(session.sides[wish.colour].selection, session.seed)
    try:
        found = _search(session, side, position, FIRST)
        wire.write(opening(request.number) + b"\n")
        _deepen(session, side, found, wish, wire)
    finally:
        side.close()
    return b"\n"


def _deepen(session: Session, side: Side, found: Found, wish: Wish, wire: Wire) -> None:
    """Search longer and longer; with nothing left to find, wait."""
    seconds = FIRST
    while True:
        session.last = found
        if text := info(found, wish.most):
            wire.write(line(text) + b"\n")
        finished = found.seconds < seconds / 2
        if wire.lines.waiting(None if finished else max(wish.interval - found.seconds, 0.0)):
            return
        seconds = min(seconds * GROWTH, LONGEST)
        try:
            with interrupted_when(wire.lines.waiting):
                found = _search(session, side, found.position, seconds)
        except Interrupted:
            return


def _search(session: Session, side: Side, position: Position, seconds: float) -> Found:
    began = time.monotonic()
    choice = side.choose(session.table, position, lambda: Budget(seconds=seconds))
    return Found(position, choice, time.monotonic() - began)


def _genmove_analyze(session: Session, request: Request, wire: Wire) -> bytes:
    """Make a move, and show what was found for it."""
    wish = _wish(session, request.arguments)
    found = session.decide(wish.colour)
    if found is None:
        return opening(request.number) + b"\nplay " + line(session.give_up(wish.colour)) + b"\n\n"
    lines = filter(None, (info(found, wish.most), f"play {found.said}"))
    return opening(request.number) + b"\n" + line("\n".join(lines)) + b"\n\n"


def info(found: Found, most: int) -> str:
    """Write a line of analysis: moves, visits, the mover's expectation in 1/10000; empty when nothing was found."""
    game = found.position.game
    rows = [row for row in moves_of(found) if row[1] > 0]
    words = []
    for order, (move, visits, mean) in enumerate(rows[:most]):
        play = line_of(found) if order == 0 else [move]
        value = min(max(round(10000 * mean), 0), 10000)
        pv = " ".join(vertex(game, step) for step in play or [move])
        words.append(f"info move {vertex(game, move)} visits {visits} winrate {value} order {order} pv {pv}")
    return " ".join(words)


# ---- what is asked for ----


def _wish(session: Session, words: Words) -> Wish:
    """Read ``[COLOR] [INTERVAL] [interval CENTISECONDS] [minmoves N] [maxmoves N]``."""
    left = list(words)
    colour, interval, most = session.table.position.turn, 1.0, session.table.game.move_count
    if left and left[0].lower() in COLOURS:
        colour = COLOURS[left.pop(0).lower()]
    if left and left[0].isdigit():
        interval = whole(left.pop(0)) / 100
    while left:
        key, value = left.pop(0), whole(left.pop(0) if left else "")
        if key == "interval":
            interval = value / 100
        elif key == "maxmoves":
            most = max(value, 1)
        elif key != "minmoves":  # every move that was visited is shown anyway
            raise GtpError(f"syntax error: {shown(key)} is unknown; it takes COLOR, interval, minmoves and maxmoves")
    return Wish(colour, interval, most)


COMMANDS: Final = {"lz-analyze": _analyze, "lz-genmove_analyze": _genmove_analyze}
