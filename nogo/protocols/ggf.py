"""GGF, the Generic Game Format, for Othello: as NBoard sends it and as its users keep games.

A game is ``(;GM[Othello]...BO[8 <64 squares> *]B[F5/2.00/1.5]W[...];)``: properties, then moves with an evaluation and
seconds where they are known. A value ends at the first ``]``; there is no escape. A pass is ``PA``; one that was left
out where it is forced is put in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from nogo.arguments import shown
from nogo.errors import ArgumentError, NogoError, ProtocolError
from nogo.game import Game, game
from nogo.match.record import GameRecord
from nogo.match.replay import one_line, start_of, steps
from nogo.position import Position

MAX_TEXT: Final = 65536
"""Characters of a game."""
MAX_MOVES: Final = 256
MAX_NAME: Final = 200
COLOURS: Final = ("B", "W")
BOARDS: Final = {8: "othello", 6: "othello:6x6", 4: "othello:4x4"}
_PROPERTY: Final = re.compile(r"\s*([A-Za-z]{1,4})\s*\[([^\]]*)\]")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,6}(\.[0-9]{0,6})?")


@dataclass(frozen=True)
class GgfMove:
    """A move, and what is known of it."""

    move: int
    value: float | None = None
    """The mover's evaluation, as its program has it."""
    seconds: float = 0.0


@dataclass(frozen=True)
class GgfClock:
    """The time of a side."""

    seconds: float
    increment: float = 0.0


@dataclass(frozen=True)
class GgfGame:
    """A game."""

    start: Position
    moves: tuple[GgfMove, ...] = ()
    names: tuple[str, str] = ("", "")
    clocks: tuple[GgfClock | None, GgfClock | None] = (None, None)
    result: str = "?"
    place: str = ""
    date: str = ""
    line: tuple[Position, ...] = field(init=False, compare=False)
    """The start and the position after each move."""

    def __post_init__(self) -> None:
        """Play it through; what is illegal is refused."""
        line = [self.start]
        for made in self.moves:
            line.append(line[-1].play(made.move))
        object.__setattr__(self, "line", tuple(line))

    @property
    def steps(self) -> list[tuple[Position, GgfMove]]:
        """Each move, with the position it was made in."""
        return list(zip(self.line[:-1], self.moves, strict=True))

    def play(self, made: GgfMove) -> GgfGame:
        """Make a move."""
        return replace(self, moves=(*self.moves, made))


# ---- reading ----


def parse(text: str) -> GgfGame:
    """Read a game; whatever is wrong with it is a ProtocolError."""
    try:
        return _game(_properties(text))
    except ProtocolError:
        raise
    except NogoError as error:
        raise ProtocolError(f"the GGF {shown(text)} is no game of Othello: {error}") from None


def _properties(text: str) -> list[tuple[str, str]]:
    if len(text) > MAX_TEXT:
        raise ProtocolError(f"a GGF of {len(text):,} characters is too long; at most {MAX_TEXT:,}")
    body = text.strip()
    if not body.startswith("(;") or not body.endswith(";)") or len(body) < 4:
        raise ProtocolError(f"{shown(text)} is no GGF: it is one game, (; at its beginning and ;) at its end")
    found, at, end = [], 2, len(body) - 2
    while body[at:end].strip():
        match = _PROPERTY.match(body, at, end)
        if not match:
            raise ProtocolError(f"{shown(body[at : min(at + 20, end)])} in a GGF is no property; write NAME[value]")
        found.append((match[1].upper(), match[2]))
        at = match.end()
    return found


def _game(properties: Sequence[tuple[str, str]]) -> GgfGame:
    facts = {name: value for name, value in reversed(properties) if name not in COLOURS}
    if facts.get("GM", "Othello").strip().lower() != "othello":
        raise ProtocolError(f"a GGF of {shown(facts['GM'])}; only games of Othello are read")
    start = _start(facts)
    both = facts.get("TI", "")
    return GgfGame(
        start=start,
        moves=_moves(start, [(name, value) for name, value in properties if name in COLOURS]),
        names=(one_line(facts.get("PB", "")), one_line(facts.get("PW", ""))),
        clocks=(parse_clock(facts.get("TB", both)), parse_clock(facts.get("TW", both))),
        result=one_line(facts.get("RE", "?")),
        place=one_line(facts.get("PC", "")),
        date=one_line(facts.get("DT", "")),
    )


def _start(facts: dict[str, str]) -> Position:
    if "BO" not in facts:
        return game("othello").start()
    size, *rest = facts["BO"].split() or [""]
    board = "".join(rest)
    known = next((side for side in BOARDS if size == str(side)), None)
    if known is None or len(board) != known * known + 1 or board[-1] not in "*O":
        raise ProtocolError(
            f"BO[{one_line(facts['BO'])[:80]}] is no board: a size of 8, 6 or 4, so many rows of - * O, and who moves"
        )
    rows = "/".join(board[at : at + known] for at in range(0, known * known, known))
    return game(BOARDS[known]).parse(f"{BOARDS[known]} {rows} {'black' if board[-1] == '*' else 'white'}")


def _moves(start: Position, tagged: Sequence[tuple[str, str]]) -> tuple[GgfMove, ...]:
    if len(tagged) > MAX_MOVES:
        raise ProtocolError(f"a GGF of {len(tagged)} moves; a game of Othello has fewer than {MAX_MOVES}")
    position, found = start, []
    for colour, text in tagged:
        if COLOURS[position.turn] != colour and not position.is_over and forced_pass(position) is not None:
            found.append(GgfMove(position.legal_moves()[0]))
            position = position.play(found[-1].move)
        if COLOURS[position.turn] != colour:
            raise ProtocolError(f"{colour}[{text[:20]}] in a GGF: it is the other side's turn in {position.text!r}")
        found.append(parse_move(position.game, text))
        position = position.play(found[-1].move)
    return tuple(found)


def parse_move(of: Game, text: str) -> GgfMove:
    """Read ``F5``, ``F5/2.50`` or ``F5/2.50/1.5``: square, evaluation, seconds."""
    square, *numbers = (part.strip() for part in text.split("/"))
    name = "pass" if square.upper() in ("PA", "PASS") else square
    value = numbers[0] if numbers else ""
    seconds = _number(numbers[1]) if len(numbers) > 1 else None
    return GgfMove(of.move(name), _number(value), max(seconds or 0.0, 0.0))


def forced_pass(position: Position) -> int | None:
    """Give the pass, if it is all that can be played."""
    moves = position.legal_moves()
    return moves[0] if len(moves) == 1 and position.game.move_name(moves[0]) == "pass" else None


def parse_clock(text: str) -> GgfClock | None:
    """Read ``15:00``, ``15:00/00:05`` or ``1:00:00//02:00``: time, increment, extra time; None for what is no clock."""
    parts = [_seconds(part) for part in text.split("/")]
    if not parts[0]:
        return None
    return GgfClock(parts[0], (parts[1] or 0.0) if len(parts) > 1 else 0.0)


def _seconds(text: str) -> float | None:
    """Read hours, minutes and seconds; a single number is minutes."""
    numbers = [_number(part.strip()) for part in text.split(":")]
    if len(numbers) > 3 or any(number is None or number < 0 for number in numbers):
        return None
    whole = [number or 0.0 for number in numbers]
    if len(whole) == 1:
        whole.append(0.0)
    return sum(number * unit for unit, number in zip((1, 60, 3600), reversed(whole), strict=False))


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


# ---- writing ----


def write(played: GgfGame) -> str:
    """Write a game as one line that `parse` reads back."""
    size = played.start.game.columns
    facts = {
        "GM": "Othello",
        "PC": _value(played.place),
        "DT": _value(played.date),
        "PB": _value(played.names[0]),
        "PW": _value(played.names[1]),
        "RE": _value(played.result),
        "TB": _clock(played.clocks[0]),
        "TW": _clock(played.clocks[1]),
        "TY": str(size),
        "BO": f"{size} {_board(played.start)}",
    }
    head = "".join(f"{name}[{value}]" for name, value in facts.items() if value)
    moves = (f"{COLOURS[before.turn]}[{_move(before.game, made)}]" for before, made in played.steps)
    return f"(;{head}{''.join(moves)};)"


def from_record(record: GameRecord) -> GgfGame:
    """Make a game of a record; evaluations are the mover's winning rate, from -50 to +50."""
    start = start_of(record)
    if start.game.family != "othello":
        raise ArgumentError(f"{record.game} has no GGF; it is written for games of Othello")
    played = steps(record)
    moves = tuple(
        GgfMove(start.game.move(step.move), None if step.value is None else 100 * step.value - 50, step.seconds or 0.0)
        for step in played
    )
    result = (played[-1].position if played else start).result
    names = (record.players[0].name, record.players[1].name)
    return GgfGame(start, moves, names, result="?" if result is None else f"{result:+.2f}", place="nogo")


def _value(text: str) -> str:
    """Make a text fit to stand in brackets."""
    return one_line(text.replace("[", "(").replace("]", ")"))[:MAX_NAME]


def _clock(clock: GgfClock | None) -> str:
    if clock is None:
        return ""
    return _time(clock.seconds) + (f"/{_time(clock.increment)}" if clock.increment else "")


def _time(seconds: float) -> str:
    minutes, left = divmod(round(seconds), 60)
    return f"{minutes:02}:{left:02}"


def _board(position: Position) -> str:
    rows = ("".join("-*O"[cell] for cell in row) for row in position.cells)
    return f"{' '.join(rows)} {'*O'[position.turn]}"


def _move(of: Game, made: GgfMove) -> str:
    name = of.move_name(made.move)
    square = "PA" if name == "pass" else name.upper()
    value = "" if made.value is None else f"{made.value:.2f}"
    if made.seconds:
        return f"{square}/{value}/{made.seconds:.2f}"
    return f"{square}/{value}" if value else square
