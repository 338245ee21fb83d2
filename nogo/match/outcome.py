"""What statistics need of a game: a light value made once of its record."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle

from nogo.core import CHANCE
from nogo.match.openings import position_of
from nogo.match.record import FINISHED, RESIGNED, GameRecord, Opening
from nogo.position import Position


@dataclass(frozen=True)
class Effort:
    """What an agent's moves cost it."""

    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    """Seconds of the move that took longest."""
    searched: int = 0
    """Moves of which the playouts are known."""
    playouts: int = 0
    searching: float = 0.0
    """Seconds of those moves."""

    def __add__(self, other: Effort) -> Effort:
        """Take both together."""
        return Effort(
            self.moves + other.moves,
            self.seconds + other.seconds,
            max(self.slowest, other.slowest),
            self.searched + other.searched,
            self.playouts + other.playouts,
            self.searching + other.searching,
        )

    @property
    def seconds_a_move(self) -> float | None:
        """The mean; None when there was no move."""
        return self.seconds / self.moves if self.moves else None

    @property
    def playouts_a_move(self) -> float | None:
        """The mean of those moves of which it is known; None when it is of none."""
        return self.playouts / self.searched if self.searched else None

    @property
    def playouts_a_second(self) -> float | None:
        """Over the moves of which the playouts are known; None when they took no time."""
        return self.playouts / self.searching if self.searching > 0 else None


@dataclass(frozen=True)
class Outcome:
    """A game, as far as statistics go. Sides are 0 for the first player and 1 for the second."""

    number: int
    pair: int
    game: str
    budget: str
    """The match's for this game; where both agents have their own: both of them."""
    agents: tuple[str, str]
    points: float | None
    """The first player's, 0 to 1; None when the game is void."""
    end: str
    """One of record.ENDS."""
    blame: int | None
    """The side that caused the end."""
    plies: int | None
    """Its length; None when it was not played out."""
    digest: int
    """Of its start and moves: games that are the same have the same."""
    efforts: tuple[Effort, Effort]


def outcome(record: GameRecord) -> Outcome:
    """Take from a record what statistics need."""
    return Outcome(
        number=record.number,
        pair=record.pair,
        game=record.game,
        budget=_budget(record),
        agents=record.agents,
        points=record.end.points,
        end=record.end.kind,
        blame=record.end.blame,
        plies=record.end.ply if record.end.kind in (FINISHED, RESIGNED) else None,
        digest=_digest(record),
        efforts=_efforts(record),
    )


def _budget(record: GameRecord) -> str:
    """Find the match's budget: that of a player who has none in its name."""
    shared = [player.budget for player in record.players if player.name == player.agent]
    return shared[0] if shared else " / ".join(sorted({player.budget for player in record.players}))


def _digest(record: GameRecord) -> int:
    text = "\n".join((record.opening.start, *record.opening.moves, *record.moves))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _efforts(record: GameRecord) -> tuple[Effort, Effort]:
    rows = list(zip(_movers(record), record.seconds, record.playouts, strict=False))
    return _effort(rows, 0), _effort(rows, 1)


def _effort(rows: list[tuple[int, float | None, int | None]], side: int) -> Effort:
    taken = [seconds for mover, seconds, _ in rows if mover == side and seconds is not None]
    searched = [(s, n) for mover, s, n in rows if mover == side and s is not None and n is not None]
    return Effort(
        moves=len(taken),
        seconds=sum(taken),
        slowest=max(taken, default=0.0),
        searched=len(searched),
        playouts=sum(playouts for _, playouts in searched),
        searching=sum(seconds for seconds, _ in searched),
    )


def _movers(record: GameRecord) -> Iterator[int]:
    """Give who made each move, CHANCE for throws: players alternate, and throws with them where a die is thrown."""
    if not record.moves:
        return iter(())
    before = _taken_over(record.opening)
    after = before.play(record.moves[0])
    if before.turn == CHANCE:
        return cycle((CHANCE, after.turn, CHANCE, 1 - after.turn))
    if after.turn == CHANCE:
        return cycle((before.turn, CHANCE, 1 - before.turn, CHANCE))
    return cycle((before.turn, 1 - before.turn))


@lru_cache(maxsize=64)
def _taken_over(opening: Opening) -> Position:
    """Set an opening up once for all games that begin with it."""
    return position_of(opening)
