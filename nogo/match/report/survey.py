"""What the page tells, gathered in one reading of the records; of most games only counts are kept."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np

from nogo.core import CHANCE
from nogo.errors import RecordError
from nogo.match.outcome import Outcome, outcome
from nogo.match.pentanomial import Counts, Strength, strength
from nogo.match.plan import Plan
from nogo.match.record import FINISHED, RESIGNED, GameRecord
from nogo.match.replay import Step, steps
from nogo.match.report.games import Encoder, Selection
from nogo.match.sprt import Sprt
from nogo.match.stats import Summary
from nogo.match.tally import Tally

Cell: TypeAlias = tuple[str, str]
"""A game and a budget."""
Pairing: TypeAlias = tuple[str, str]
"""Two agents; results are the first one's."""
POINTS: Final = 150
"""Moments at which a strength is estimated again."""


class Trend:
    """How the pairs of two agents ended, in the order of the schedule."""

    def __init__(self) -> None:
        """Begin with no pair."""
        self._halves: dict[int, float | None] = {}
        self._pairs = array("q")
        self._outcomes = array("b")

    def add(self, game: Outcome) -> None:
        """See a game."""
        # The second game of a pair has the sides swapped.
        swapped = game.number % 2
        points = None if game.points is None else 1 - game.points if swapped else game.points
        if game.pair not in self._halves:
            self._halves[game.pair] = points
            return
        other = self._halves.pop(game.pair)
        if points is not None and other is not None:
            self._pairs.append(game.pair)
            self._outcomes.append(int(2 * (points + other)))

    def strengths(self) -> list[tuple[int, Strength]]:
        """Estimate the strength after more and more games."""
        order = np.argsort(np.array(self._pairs, dtype=np.int64))
        outcomes = np.array(self._outcomes, dtype=np.int64)[order]
        found = []
        for pairs in np.unique(np.linspace(1, len(outcomes), POINTS).astype(int)) if len(outcomes) else ():
            one, two, three, four, five = np.bincount(outcomes[:pairs], minlength=5).tolist()
            counts: Counts = (one, two, three, four, five)
            judged = strength(counts)
            if judged is not None:
                found.append((2 * int(pairs), judged))
        return found


@dataclass
class Thoughts:
    """What an agent's moves took, and what it expected, by how many moves had been made."""

    seconds: dict[int, list[float]] = field(default_factory=dict)
    values: dict[int, list[float]] = field(default_factory=dict)

    def add(self, step: Step) -> None:
        """See a move."""
        if step.seconds is not None:
            self.seconds.setdefault(step.position.ply, []).append(step.seconds)
        if step.value is not None and step.playouts != 0:  # what was not looked at promises nothing
            self.values.setdefault(step.position.ply, []).append(step.value)


@dataclass
class Survey:
    """All that is told."""

    plan: Plan
    summary: Summary
    trends: dict[Cell, dict[Pairing, Trend]]
    lengths: dict[str, Counter[int]]
    """By game."""
    thoughts: dict[Cell, dict[str, Thoughts]]
    """Of the games that are shown."""
    selection: Selection
    encoder: Encoder
    engines: list[str]
    began: tuple[str, str]
    """When the first game began, and the last one."""


def survey(plan: Plan, records: Iterable[GameRecord]) -> Survey:
    """Read all records once, and those that are shown again."""
    tally = Tally(Sprt.parse(plan.sprt) if plan.sprt else None)
    selection = Selection()
    trends: dict[Cell, dict[Pairing, Trend]] = {}
    lengths: dict[str, Counter[int]] = {}
    engines: dict[str, None] = {}
    first, last = "", ""
    for record in records:
        game = outcome(record)
        tally.add(game)
        selection.add(record)
        pairing = game.agents[::-1] if game.number % 2 else game.agents
        trends.setdefault((game.game, game.budget), {}).setdefault(pairing, Trend()).add(game)
        if game.plies is not None:
            lengths.setdefault(game.game, Counter())[game.plies] += 1
        engines[record.engine] = None
        first, last = min(first or record.began, record.began), max(last, record.began)
    encoder, thoughts = _replayed(selection.records())
    return Survey(
        *(plan, tally.summary(), trends, lengths, thoughts, selection, encoder, list(engines), (first, last)),
    )


def _replayed(records: Iterable[GameRecord]) -> tuple[Encoder, dict[Cell, dict[str, Thoughts]]]:
    """Play games again, for the viewer and for what was thought; what cannot be is a problem, not an end."""
    encoder = Encoder()
    thoughts: dict[Cell, dict[str, Thoughts]] = {}
    for record in records:
        try:
            played = steps(record)
            encoder.add(record, played)
        except RecordError as error:
            encoder.problems.append(str(error))
            continue
        if record.end.kind in (FINISHED, RESIGNED):
            cell = thoughts.setdefault((record.game, outcome(record).budget), {})
            for step in played:
                if step.mover != CHANCE and not step.opening:
                    cell.setdefault(record.players[step.mover].name, Thoughts()).add(step)
    return encoder, thoughts
