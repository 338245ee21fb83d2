"""Counting games as they come: what was counted can be judged at any time.

A `Tally` keeps counts, never games, so a million of them take little more room than a thousand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from nogo.match.distinct import Distinct
from nogo.match.outcome import Effort, Outcome
from nogo.match.pentanomial import strength
from nogo.match.record import FORFEITS, RESIGNED
from nogo.match.sprt import Sprt, SprtRun, SprtState
from nogo.match.stats import Lengths, Matchup, Results, Side, Standing, Summary


@dataclass
class _Cell:
    """Two agents at one game with one budget, counted."""

    agents: tuple[str, str]
    game: str
    budget: str
    first: int
    """Number of the first game."""
    results: Counter[tuple[int, float]] = field(default_factory=Counter)
    """By the side on which the first agent sat, and its points."""
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    voids: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    blamed: Counter[tuple[int, str]] = field(default_factory=Counter)
    """By agent (0 or 1), and the kind of the end that it caused."""
    efforts: list[Effort] = field(default_factory=lambda: [Effort(), Effort()])
    distinct: Distinct = field(default_factory=Distinct)

    def add(self, game: Outcome, seat: int) -> float | None:
        """Count a game in which the first agent sat on this side; give its points."""
        self.first = min(self.first, game.number)
        if game.points is None:
            self.voids += 1
            return None
        points = game.points if seat == 0 else 1 - game.points
        self.results[seat, points] += 1
        if game.blame is not None:
            self.blamed[game.blame ^ seat, game.end] += 1
        if game.plies is not None:
            self.lengths[game.plies] += 1
        for side, effort in enumerate(game.efforts):
            self.efforts[side ^ seat] += effort
        self.distinct.add(game.digest)
        return points


class Tally:
    """Counts games as they come, in any order; each is to be given once."""

    def __init__(self, sprt: Sprt | None = None) -> None:
        """Begin with no game; a test is for a match of two agents at one game with one budget."""
        self._sprt = None if sprt is None else SprtRun(sprt)
        self._cells: dict[tuple[str, str, str, str], _Cell] = {}
        self._halves: dict[int, float | None] = {}
        self._names: dict[str, tuple[int, int]] = {}

    def add(self, game: Outcome) -> None:
        """Count a game."""
        # The second game of a pair has the sides swapped.
        seat = game.number % 2
        agents = game.agents[::-1] if seat else game.agents
        cell = self._cells.setdefault(
            (*agents, game.game, game.budget), _Cell(agents, game.game, game.budget, game.number)
        )
        for place, name in enumerate(agents):
            self._names[name] = min(self._names.get(name, (game.number, place)), (game.number, place))
        points = cell.add(game, seat)
        if game.pair in self._halves:
            self._complete(cell, game.pair, self._halves.pop(game.pair), points)
        else:
            self._halves[game.pair] = points

    def _complete(self, cell: _Cell, pair: int, one: float | None, other: float | None) -> None:
        outcome = None if one is None or other is None else int(2 * (one + other))
        if outcome is not None:
            cell.pairs[outcome] += 1
        if self._sprt is not None:
            self._sprt.add(pair, outcome)

    @property
    def sprt(self) -> SprtState | None:
        """How far the test has come; None when there is none."""
        return None if self._sprt is None else self._sprt.state

    @property
    def games(self) -> int:
        """Games that count."""
        return sum(sum(cell.results.values()) for cell in self._cells.values())

    @property
    def voids(self) -> int:
        """Games that could not be played."""
        return sum(cell.voids for cell in self._cells.values())

    def matchups(self) -> tuple[Matchup, ...]:
        """Judge each pair of agents at each game with each budget."""
        return tuple(_matchup([cell], cell.game, cell.budget) for cell in self._ordered())

    def pairings(self) -> tuple[Matchup, ...]:
        """Judge each pair of agents over all that they played."""
        groups: dict[tuple[str, str], list[_Cell]] = {}
        for cell in self._ordered():
            groups.setdefault(cell.agents, []).append(cell)
        return tuple(_matchup(cells) for cells in groups.values())

    def standings(self) -> tuple[Standing, ...]:
        """Count each agent's games against all others, in the order of the schedule."""
        pairings = self.pairings()
        return tuple(_standing(name, pairings) for name in sorted(self._names, key=self._names.__getitem__))

    def summary(self) -> Summary:
        """Give everything."""
        return Summary(self.games, self.voids, self.matchups(), self.pairings(), self.standings(), self.sprt)

    def _ordered(self) -> list[_Cell]:
        return sorted(self._cells.values(), key=lambda cell: cell.first)


def _matchup(cells: list[_Cell], game: str | None = None, budget: str | None = None) -> Matchup:
    one, two, three, four, five = (sum(cell.pairs[outcome] for cell in cells) for outcome in range(5))
    counts = (one, two, three, four, five)
    return Matchup(
        sides=(_side(cells, 0), _side(cells, 1)),
        game=game,
        budget=budget,
        moving_first=_results(cells, 0),
        moving_second=_results(cells, 1),
        voids=sum(cell.voids for cell in cells),
        pentanomial=counts,
        strength=strength(counts),
        distinct=sum(len(cell.distinct) for cell in cells),
        lengths=_lengths(sum((cell.lengths for cell in cells), Counter())),
    )


def _side(cells: list[_Cell], which: int) -> Side:
    blamed = _blamed(cells, which)
    return Side(
        name=cells[0].agents[which],
        forfeits={kind: blamed[kind] for kind in FORFEITS if blamed[kind]},
        resignations=blamed[RESIGNED],
        effort=sum((cell.efforts[which] for cell in cells), Effort()),
    )


def _blamed(cells: list[_Cell], which: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for cell in cells:
        for (agent, kind), count in cell.blamed.items():
            if agent == which:
                found[kind] += count
    return found


def _results(cells: list[_Cell], seat: int) -> Results:
    wins, draws, losses = (sum(cell.results[seat, points] for cell in cells) for points in (1.0, 0.5, 0.0))
    return Results(wins, draws, losses)


def _lengths(counts: Counter[int]) -> Lengths | None:
    games = counts.total()
    if not games:
        return None
    total = sum(plies * count for plies, count in counts.items())
    middle = (_ranked(counts, (games - 1) // 2) + _ranked(counts, games // 2)) / 2
    return Lengths(total / games, middle, min(counts), max(counts))


def _ranked(counts: Counter[int], rank: int) -> int:
    for plies in sorted(counts):
        rank -= counts[plies]
        if rank < 0:
            return plies
    raise IndexError(rank)


def _standing(name: str, pairings: Iterable[Matchup]) -> Standing:
    results, forfeits, resignations, effort = Results(), Counter[str](), 0, Effort()
    for pairing in pairings:
        for place, side in enumerate(pairing.sides):
            if side.name == name:
                ours = pairing.results
                results += ours if place == 0 else ours.turned
                forfeits.update(side.forfeits)
                resignations += side.resignations
                effort += side.effort
    return Standing(name, results, dict(forfeits), resignations, effort)
