"""When enough is known: the sequential probability ratio test on pairs of games, in normalised Elo.

Pairs are taken in the order of the schedule, whatever the order in which they end. So the verdict depends on the games
alone: not on how many were played at once, nor on how long they took.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from nogo.arguments import shown
from nogo.errors import ArgumentError
from nogo.match.pentanomial import NELO, SCORES, Counts, mean, multiplier, root, tilted_likelihood

MOST_ELO: Final = 500
"""Beyond it there is hardly a game to lose: all bounds look alike."""
SCAN: Final = 10
"""Intervals in which the greatest likelihood is looked for."""
LEAST_T: Final = 1e-9
"""Differences below it are taken for none."""
UNSEEN: Final = 1e-3
"""Pairs that stand for an outcome not seen yet, so that it is not thought impossible."""

_HALVES: Final = tuple(score - 0.5 for score in SCORES)


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test between two differences in normalised Elo."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often elo1 may be accepted where elo0 is true."""
    beta: float = 0.05
    """How often elo0 may be accepted where elo1 is true."""

    def __post_init__(self) -> None:
        """Refuse bounds and risks that decide nothing."""
        if not all(math.isfinite(value) for value in (self.elo0, self.elo1)) or not self.elo0 < self.elo1:
            raise ArgumentError(f"an SPRT between {self.elo0:g} and {self.elo1:g} Elo; the first is to be the smaller")
        if max(abs(self.elo0), abs(self.elo1)) > MOST_ELO:
            raise ArgumentError(
                f"an SPRT between {self.elo0:g} and {self.elo1:g} normalised Elo; use -{MOST_ELO} to {MOST_ELO}"
            )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ArgumentError(f"{name}={getattr(self, name):g} of an SPRT; use more than 0 and less than 0.5")

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Read ``elo0,elo1`` or ``elo0,elo1,alpha,beta``."""
        try:
            numbers = [float(part) for part in str(text).split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 3, 4):
            raise ArgumentError(f"{shown(text)} is not an SPRT; write elo0,elo1 or elo0,elo1,alpha,beta, e.g. 0,10")
        return cls(*numbers)

    def __str__(self) -> str:
        """Give what `parse` reads."""
        numbers = (self.elo0, self.elo1, self.alpha, self.beta)
        return ",".join(repr(float(number)).removesuffix(".0") for number in numbers)

    @property
    def lower(self) -> float:
        """The ratio at which elo0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The ratio at which elo1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Counts) -> float:
        """Give the log likelihood ratio of elo1 to elo0, all else being as likely as each of them allows."""
        if not any(counts):
            return 0.0
        seen = [count or UNSEEN for count in counts]
        return _likelihood(seen, self.elo1) - _likelihood(seen, self.elo0)


@dataclass(frozen=True)
class SprtState:
    """How far a test has come."""

    llr: float
    """The log likelihood ratio; where the test ended, that of its end."""
    lower: float
    upper: float
    pairs: int
    """Pairs it has looked at: those before the first pair that is still being played, and none after its end."""
    verdict: str | None
    """``H0`` (elo0 is accepted), ``H1`` (elo1 is), or None: go on."""


class SprtRun:
    """A test on its way; pairs may come in any order and are looked at in that of the schedule."""

    def __init__(self, sprt: Sprt) -> None:
        """Begin, knowing nothing."""
        self.sprt = sprt
        self.state = SprtState(0.0, sprt.lower, sprt.upper, 0, None)
        self._counts = [0] * 5
        self._next = 0
        self._early: dict[int, int | None] = {}

    def add(self, pair: int, outcome: int | None) -> None:
        """Take the outcome (0 to 4) of a pair that is over; None when it is void, which says nothing."""
        if self.state.verdict is not None:
            return
        self._early[pair] = outcome
        while self._next in self._early and self.state.verdict is None:
            following = self._early.pop(self._next)
            self._next += 1
            if following is not None:
                self._look(following)

    def _look(self, outcome: int) -> None:
        self._counts[outcome] += 1
        one, two, three, four, five = self._counts
        llr = self.sprt.ratio((one, two, three, four, five))
        verdict = "H1" if llr >= self.sprt.upper else "H0" if llr <= self.sprt.lower else None
        self.state = SprtState(llr, self.sprt.lower, self.sprt.upper, sum(self._counts), verdict)


def _likelihood(counts: list[float], nelo: float) -> float:
    """Give the greatest log likelihood with a normalised Elo, less that of the outcomes as they were seen.

    With b = score - 1/2 and t = mean / deviation of b, t is given where E[b] = c sqrt(E[b²]), c = t / sqrt(1 + t²).
    That is the linear E[b] = c (s + E[b²] / s) / 2 for the right s, s² = E[b²]: s is what is searched for.
    """
    t = abs(nelo) * math.sqrt(2) / NELO
    seen = counts if nelo >= 0 else counts[::-1]
    if t < LEAST_T:
        return tilted_likelihood(seen, _HALVES)
    c = t / math.sqrt(1 + t * t)

    def gains(s: float) -> list[float]:
        return [b - c * (s + b * b / s) / 2 for b in _HALVES]

    def miss(s: float) -> float:
        linear = gains(s)
        x = multiplier(seen, linear)
        return _deviation([count / (1 + x * gain) for count, gain in zip(seen, linear, strict=True)]) - s

    # At the least s only three quarters of the points would do (then E[b²] > s²); at a half, all bs are at most s.
    least = c / (1 + math.sqrt(1 - c * c)) / 4 * (1 + 1e-9)
    # Outcomes with at most this Elo are a convex set, which has one likeliest point; the others may have two.
    parts = 1 if mean(seen) - 0.5 >= c * _deviation(seen) else SCAN
    ends = [least * (0.5 / least) ** (part / parts) for part in range(parts)] + [0.5]
    misses = [miss(s) for s in ends]
    return max(
        # The likelihood is level in s where it is greatest, so a small error of s is none of it.
        tilted_likelihood(seen, gains(root(miss, ends[part], ends[part + 1], 1e-8)))
        for part in range(parts)
        if misses[part] > 0 >= misses[part + 1]
    )


def _deviation(counts: list[float]) -> float:
    """Give the root of the mean square distance from an even score."""
    return math.sqrt(sum(count * b * b for count, b in zip(counts, _HALVES, strict=True)) / sum(counts))
