"""What games say of the agents that played them: the values that are shown, and all of them as JSON.

`nogo.match.tally` counts games and gives these. Estimates rest on complete pairs alone: the games of pairs that are
still being played, or of which one is void, are shown and not judged. Otherwise what ends early (the first game of each
pair, the shorter games) would weigh more.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from nogo.errors import ArgumentError
from nogo.match.outcome import Effort
from nogo.match.pentanomial import Counts, Strength
from nogo.match.ratings import Rating, rate
from nogo.match.sprt import SprtState


@dataclass(frozen=True)
class Results:
    """Games counted."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Draws count half."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float | None:
        """The points of a game, on average; None without games."""
        return self.points / self.games if self.games else None

    @property
    def turned(self) -> Results:
        """The opponent's."""
        return Results(self.losses, self.draws, self.wins)

    def __add__(self, other: Results) -> Results:
        """Take both together."""
        return Results(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True)
class Lengths:
    """How long games were that were played out, in plies; throws of the die count."""

    mean: float
    median: float
    least: int
    most: int


@dataclass(frozen=True)
class Side:
    """One of two agents, in the games against the other."""

    name: str
    forfeits: dict[str, int]
    """Games it lost by its own fault, by the kind of the end."""
    resignations: int
    effort: Effort


@dataclass(frozen=True)
class Matchup:
    """Two agents, in one game with one budget, or in all of them. Results are those of the first of the two."""

    sides: tuple[Side, Side]
    game: str | None
    """None: all that they played."""
    budget: str | None
    moving_first: Results
    moving_second: Results
    voids: int
    """Games that could not be played: they count for nothing else."""
    pentanomial: Counts
    """Complete pairs in which it made 0, 1/2, 1, 3/2 and 2 points."""
    strength: Strength | None
    """None without a complete pair."""
    distinct: int
    """Games that are not the same as another one, move by move."""
    lengths: Lengths | None

    @property
    def one(self) -> str:
        """The agent whose results these are."""
        return self.sides[0].name

    @property
    def other(self) -> str:
        """The agent it met."""
        return self.sides[1].name

    @property
    def results(self) -> Results:
        """Of all games that count."""
        return self.moving_first + self.moving_second

    @property
    def games(self) -> int:
        """How many count."""
        return self.results.games

    @property
    def pairs(self) -> int:
        """How many are complete."""
        return sum(self.pentanomial)

    @property
    def unpaired(self) -> int:
        """Games that count, and whose pair is not complete."""
        return self.games - 2 * self.pairs

    @property
    def first_player(self) -> float | None:
        """The share of the points made by who moved first, whoever it was."""
        return (self.moving_first + self.moving_second.turned).share


@dataclass(frozen=True)
class Standing:
    """An agent, in all its games."""

    name: str
    results: Results
    forfeits: dict[str, int]
    resignations: int
    effort: Effort


@dataclass(frozen=True)
class CrossRow:
    """A row of the cross table."""

    name: str
    results: Results
    against: tuple[Results | None, ...]
    """By agent, in the order of the rows; None where they did not meet."""


@dataclass(frozen=True)
class Summary:
    """Everything at one moment."""

    games: int
    """Games that count."""
    voids: int
    matchups: tuple[Matchup, ...]
    """By pair of agents, game and budget."""
    pairings: tuple[Matchup, ...]
    """By pair of agents."""
    standings: tuple[Standing, ...]
    """By agent."""
    sprt: SprtState | None

    def ratings(self) -> tuple[Rating, ...]:
        """Rate all agents on one scale, the strongest first; none as long as not all of them are linked by pairs.

        An ArgumentError says so where the packages for it are not installed.
        """
        return rate((pairing.one, pairing.other, pairing.pentanomial) for pairing in self.pairings)

    def cross_table(self) -> tuple[CrossRow, ...]:
        """Give who did what against whom, the best first."""
        met = {(pairing.one, pairing.other): pairing.results for pairing in self.pairings}
        met |= {(other, one): results.turned for (one, other), results in met.items()}
        best = sorted(self.standings, key=lambda standing: -(standing.results.share or 0))
        names = [standing.name for standing in best]
        return tuple(
            CrossRow(standing.name, standing.results, tuple(met.get((standing.name, name)) for name in names))
            for standing in best
        )

    def to_json(self) -> dict[str, Any]:
        """Give everything as plain values."""
        plain: dict[str, Any] = {
            "games": self.games,
            "voids": self.voids,
            "sprt": self.sprt and asdict(self.sprt),
            "matchups": [_matchup_json(matchup) for matchup in self.matchups],
            "pairings": [_matchup_json(pairing) for pairing in self.pairings],
            "agents": [_side_json(standing) | {"results": asdict(standing.results)} for standing in self.standings],
        }
        return plain | (self._table_json() if len(self.standings) > 2 else {})

    def _table_json(self) -> dict[str, Any]:
        table: dict[str, Any] = {"cross_table": [asdict(row) for row in self.cross_table()]}
        try:
            return table | {"ratings": [asdict(rating) for rating in self.ratings()]}
        except ArgumentError as error:
            return table | {"ratings": None, "ratings_missing": str(error)}


def _matchup_json(matchup: Matchup) -> dict[str, Any]:
    derived = ("games", "pairs", "unpaired", "first_player")
    plain = asdict(matchup) | {name: getattr(matchup, name) for name in derived}
    return plain | {"sides": [_side_json(side) for side in matchup.sides]}


def _side_json(side: Side | Standing) -> dict[str, Any]:
    effort = side.effort
    derived = ("seconds_a_move", "playouts_a_move", "playouts_a_second")
    return {
        "name": side.name,
        "forfeits": dict(side.forfeits),
        "resignations": side.resignations,
        "effort": asdict(effort) | {name: getattr(effort, name) for name in derived},
    }
