"""How much an agent may spend on a move: playouts, seconds, or a share of a clock.

A budget is a value with a text that reads back: ``playouts=10000``, ``time=0.5s``, ``clock=60s+1s``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final, NoReturn

from nogo.arguments import nearest, real, shown, whole
from nogo.errors import ArgumentError

if TYPE_CHECKING:
    from nogo.position import Position

MAX_PLAYOUTS: Final = 2**40
LEAST_SECONDS: Final = 1e-6
MOST_SECONDS: Final = 1e7  # four months
UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "": 1.0}
EXAMPLES: Final = "playouts=10000, time=0.5s or clock=60s+1s"

# R2's plan: up to this own move, so many seconds.
R2_PLAN: Final = ((3, 4.0), (8, 7.0), (15, 10.0), (20, 11.0), (25, 9.0), (30, 5.0))
R2_LATER: Final = 3.0


@dataclass(frozen=True)
class Clock:
    """A clock for the whole game, and the plan by which it is shared among the moves."""

    left: float
    """Seconds."""
    increment: float = 0.0
    """Seconds that come back after every move."""
    plan: str = "enhanced"
    """even, enhanced or r2, see `seconds_for`."""
    length: float | None = None
    """even: the game's expected plies; None: as many as the board has points."""
    reserve: float = 4.0
    """even: own moves there always seem to be left, however long the game has lasted."""
    c: float = 10.0
    """enhanced: the moves that the time left is always shared among."""
    max_ply: float = 40.0
    """enhanced: until this ply, one share more for every ply missing: an opening is worth less time."""

    def __post_init__(self) -> None:
        """Refuse what is not a clock."""
        if self.plan not in PLANS:
            hint = nearest(str(self.plan), PLANS)
            raise ArgumentError(f"plan={shown(self.plan)} is unknown; {hint}use one of {', '.join(PLANS)}")
        _seconds("left", self.left, LEAST_SECONDS)
        _seconds("increment", self.increment, 0.0)
        if self.length is not None:
            real("length", self.length, 1, 1e6)
        for name in ("reserve", "c"):
            real(name, getattr(self, name), 1, 1e6)
        real("max_ply", self.max_ply, 0, 1e6)

    def seconds_for(self, position: Position) -> float:
        """Share the time left, by plan; the increment comes on top, and never more than is left.

        even: left / own moves expected. enhanced: left / (c + max(max_ply - ply, 0)), of Huang, Coulom, Lin (2010).
        r2: by own-move number 4 s to the 3rd, 7 s to the 8th, 10 s to the 15th, 11 s to the 20th, 9 s to the 25th,
        5 s to the 30th, then 3 s.
        """
        return min(PLANS[self.plan](self, position) + self.increment, self.left)

    def __str__(self) -> str:
        """Give what `Budget.parse` reads."""
        text = f"{_number(self.left)}s+{_number(self.increment)}s"
        for field in fields(self)[2:]:
            value = getattr(self, field.name)
            if value != field.default:
                text += f",{field.name}={value if field.name == 'plan' else _number(value)}"
        return text


def _even(clock: Clock, position: Position) -> float:
    length = clock.length
    if length is None:
        game = position.game
        length = game.columns * game.rows - len(game.holes)
    return clock.left / max((length - position.ply) / 2, clock.reserve)


def _enhanced(clock: Clock, position: Position) -> float:
    return clock.left / (clock.c + max(clock.max_ply - position.ply, 0.0))


def _r2(clock: Clock, position: Position) -> float:
    own_move = position.ply // 2 + 1
    return next((seconds for last, seconds in R2_PLAN if own_move <= last), R2_LATER)


PLANS: Final[Mapping[str, Callable[[Clock, Position], float]]] = {"even": _even, "enhanced": _enhanced, "r2": _r2}


@dataclass(frozen=True)
class Budget:
    """What a move may cost; exactly one of the three is given."""

    playouts: int | None = None
    seconds: float | None = None
    """For this move."""
    clock: Clock | None = None

    def __post_init__(self) -> None:
        """Refuse none, two at once, and what is no number or out of range."""
        given = [field.name for field in fields(self) if getattr(self, field.name) is not None]
        if len(given) != 1:
            said = " and ".join(given) if given else "nothing"
            raise ArgumentError(f"a budget of {said}; give exactly one of playouts, seconds and clock")
        if self.playouts is not None:
            whole("playouts", self.playouts, 1, MAX_PLAYOUTS)
        if self.seconds is not None:
            _seconds("seconds", self.seconds, LEAST_SECONDS)
        if self.clock is not None and not isinstance(self.clock, Clock):
            raise ArgumentError(f"clock={shown(self.clock)} is not a Clock; use e.g. Clock(left=60)")

    def seconds_for(self, position: Position) -> float | None:
        """Tell the seconds to spend on a move from this position; None when it is counted in playouts."""
        return self.seconds if self.clock is None else self.clock.seconds_for(position)

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Read ``playouts=10000``, ``time=0.5s`` or ``clock=60s+1s,plan=r2``.

        Units are ms, s, m and h; a clock's other settings (plan, length, reserve, c, max_ply) follow after commas.
        """
        if not isinstance(text, str):
            _refuse(text)
        (kind, value), *settings = [_pair(text, part) for part in text.split(",")]
        if kind == "clock":
            return cls(clock=_parse_clock(text, value, dict(settings)))
        if settings:
            raise ArgumentError(f"budget {shown(text)}: only a clock has settings after a comma; use e.g. {EXAMPLES}")
        if kind == "time":
            return cls(seconds=_parse_seconds(text, value))
        if kind != "playouts" or not re.fullmatch(r"-?[0-9][0-9_]{0,30}", value):
            _refuse(text)
        return cls(playouts=int(value.replace("_", "")))

    def __str__(self) -> str:
        """Give the text that `parse` reads."""
        if self.playouts is not None:
            return f"playouts={self.playouts}"
        return f"time={_number(self.seconds)}s" if self.seconds is not None else f"clock={self.clock}"


def _seconds(name: str, value: object, least: float) -> None:
    real(name, value, least, MOST_SECONDS)


def _number(value: float | None) -> str:
    """Write a number so that it reads back exactly, without a trailing .0."""
    return repr(float(value or 0)).removesuffix(".0")


def _refuse(text: object) -> NoReturn:
    raise ArgumentError(f"{shown(text)} is not a budget; write e.g. {EXAMPLES}")


def _pair(text: str, part: str) -> tuple[str, str]:
    key, equals, value = (piece.strip().lower() for piece in part.partition("="))
    if not equals or not value:
        _refuse(text)
    return key, value


def _parse_number(text: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        _refuse(text)


def _parse_seconds(text: str, value: str) -> float:
    match = re.fullmatch(r"(.*?[0-9.]|-?inf|nan)(ms|s|min|m|h|)", value)
    if not match:
        _refuse(text)
    return _parse_number(text, match[1]) * UNITS[match[2]]


def _parse_clock(text: str, value: str, settings: Mapping[str, str]) -> Clock:
    left, _, increment = value.partition("+")
    known = [field.name for field in fields(Clock)[2:]]
    for key in settings:
        if key not in known:
            hint = nearest(key, known)
            raise ArgumentError(f"budget {shown(text)}: a clock has no {key!r}; {hint}it has {', '.join(known)}")
    numbers = {key: _parse_number(text, value) for key, value in settings.items() if key != "plan"}
    return Clock(
        _parse_seconds(text, left),
        _parse_seconds(text, increment) if increment else 0.0,
        settings.get("plan", "enhanced"),
        **numbers,
    )
