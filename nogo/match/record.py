"""A game as it is recorded: one JSON object a line, complete in itself, read back and checked.

The record is made where the game was played and is never changed after. What says how long something took stands in
`TIMES`; all the rest is the same whenever the same game is played again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from nogo.agent import Value
from nogo.arguments import shown
from nogo.errors import RecordError

FORMAT: Final = 1
SIDES: Final = ("first", "second")
TIMES: Final = ("seconds", "began", "took")

FINISHED, RESIGNED, ILLEGAL, LATE, CRASHED, STALLED, VOID = ENDS = (
    *("finished", "resigned", "illegal move", "time forfeit", "agent crashed", "engine stalled"),
    "void",
)
_write: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
FORFEITS: Final = (ILLEGAL, LATE, CRASHED, STALLED)


@dataclass(frozen=True)
class Player:
    """One side of a game: who, with which options, from which distribution."""

    name: str
    """What the match calls it: the selection, with ``@budget`` where that is its own."""
    agent: str
    """The selection, e.g. ``rave:c=0.3``."""
    budget: str
    seed: int
    options: Mapping[str, Value]
    distribution: str
    version: str


@dataclass(frozen=True)
class Opening:
    """Where the agents took over: a start, and moves made for them."""

    start: str
    """The text of the position at the start."""
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class End:
    """How a game ended; there is exactly one way."""

    kind: str
    """One of ENDS."""
    winner: int | None
    """0 for the first player, 1 for the second; None for a draw, and when it is void."""
    reason: str
    """One line."""
    ply: int
    """Of the position in which it ended."""
    blame: int | None = None
    """Who is the cause: of a resignation, a forfeit, or a set-up that failed."""
    output: str = ""
    """What the agent left behind: its traceback, or the last of what it printed."""

    @property
    def points(self) -> float | None:
        """The first player's points: 1, 0.5 or 0; None when the game is void."""
        if self.kind == VOID:
            return None
        return 0.5 if self.winner is None else float(self.winner == 0)


@dataclass(frozen=True)
class GameRecord:
    """One game."""

    number: int
    """Its place in the schedule, from 0."""
    pair: int
    """Games of one pair have the same opening, and colours swapped."""
    game: str
    seed: int
    """The match's."""
    players: tuple[Player, Player]
    """The first to move of the start, and the second."""
    opening: Opening
    moves: tuple[str, ...]
    """After the opening, throws of the die among them."""
    seconds: tuple[float | None, ...]
    """What each move took; None for a throw."""
    playouts: tuple[int | None, ...]
    values: tuple[float | None, ...]
    """The mover's own expectation, 0 to 1."""
    end: End
    engine: str
    """Version, instruction set and Python."""
    began: str
    """When, in UTC."""
    took: float
    """Seconds from the first move asked for to the end."""

    @property
    def agents(self) -> tuple[str, str]:
        """Who played: the first player's name, then the second's."""
        return self.players[0].name, self.players[1].name

    def to_line(self) -> str:
        """Write it as one line of JSON, newline included."""
        nested = {
            "players": [{**vars(player), "options": dict(player.options)} for player in self.players],
            "opening": vars(self.opening),
            "end": {**vars(self.end), "winner": _side_name(self.end.winner), "blame": _side_name(self.end.blame)},
        }
        return _write({"format": FORMAT, **vars(self), **nested}) + "\n"  # asdict() would copy every move

    @classmethod
    def from_line(cls, line: str) -> GameRecord:
        """Read a line; whatever is wrong with it is a RecordError that says what."""
        try:
            return _record(json.loads(line))
        except RecordError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
            said = " ".join(str(error).split())
            raise RecordError(
                f"{shown(line.strip())} is not a game's record ({type(error).__name__}: {said})"
            ) from None


def _record(fields: dict[str, Any]) -> GameRecord:
    if fields.pop("format") != FORMAT:
        raise RecordError(f"it is not of format {FORMAT}; read it with the version of nogo that wrote it")
    end = dict(fields.pop("end"))
    end["winner"], end["blame"] = _side_number(end["winner"]), _side_number(end["blame"])
    opening = fields.pop("opening")
    first, second = fields.pop("players")
    columns: dict[str, Any] = {name: tuple(fields.pop(name)) for name in ("moves", "seconds", "playouts", "values")}
    record = GameRecord(
        players=(Player(**first), Player(**second)),
        opening=Opening(opening["start"], tuple(opening["moves"])),
        end=End(**end),
        **columns,
        **fields,
    )
    _check(record)
    return record


def _check(record: GameRecord) -> None:
    """Refuse what no game of ours can be."""
    if record.end.kind not in ENDS:
        raise RecordError(f"end {shown(record.end.kind)} is none of {', '.join(ENDS)}")
    lengths = {len(record.moves), len(record.seconds), len(record.playouts), len(record.values)}
    if len(lengths) != 1:
        raise RecordError("moves, seconds, playouts and values are not of one length")
    for name in ("number", "pair", "seed"):
        if type(getattr(record, name)) is not int:
            raise RecordError(f"{name} {shown(getattr(record, name))} is not a whole number")


def _side_name(side: int | None) -> str | None:
    return None if side is None else SIDES[side]


def _side_number(name: str | None) -> int | None:
    return None if name is None else SIDES.index(name)
