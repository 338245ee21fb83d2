"""What pairs of games say of the difference between two agents.

A pair is two games from one opening with the colours swapped: its two results lean on each other, so the pair, not the
game, is what is counted. It has five outcomes (the pentanomial): the first agent's 0, 1/2, 1, 3/2 or 2 points.
Everything here is a pure function of how often each was seen; docs/statistics.md derives the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Final, TypeAlias

Counts: TypeAlias = tuple[int, int, int, int, int]

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The share of a pair's points, outcome by outcome."""
CONFIDENCE: Final = 0.95
NELO: Final = 800 / math.log(10)
"""Normalised Elo of one standard deviation of a game: without draws, small differences are the same in both Elos."""
SPREAD: Final = 0.1
"""Pairs added to each of the five outcomes: after a clean sweep the estimates are finite, and few pairs are not
over-read. It is half a pair in all, which many pairs drown."""

_NORMAL: Final = NormalDist()
_Z: Final = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True)
class Estimate:
    """A value and its 95% interval."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Strength:
    """How one agent does against another."""

    score: Estimate
    """Share of the points, 0 to 1."""
    elo: Estimate
    """The difference that would let one expect this score."""
    nelo: Estimate
    """The difference in standard deviations of a game, in normalised Elo."""
    los: float
    """Likelihood of superiority, 0 to 1."""


@lru_cache(maxsize=4096)
def strength(counts: Counts) -> Strength | None:
    """Judge how often each outcome of a pair was seen; nothing can be said of no pairs."""
    pairs = sum(counts)
    if not pairs:
        return None
    smooth = [count + SPREAD for count in counts]
    score = mean(counts)
    if score in (0, 1):
        score = mean(smooth)
    value, low, high = elo_of(score), _bound(smooth, -1), _bound(smooth, +1)
    elo = Estimate(value, min(low, value), max(high, value))
    return Strength(
        score=Estimate(score, *(score_of(bound) for bound in (elo.low, elo.high))),
        elo=elo,
        nelo=_normalised(counts, smooth),
        los=_NORMAL.cdf(_surprise(smooth, 0.5)),
    )


def mean(counts: Sequence[float]) -> float:
    """Give the mean score of counted pairs."""
    return sum(count * score for count, score in zip(counts, SCORES, strict=True)) / sum(counts)


def elo_of(score: float) -> float:
    """Turn an expected score between 0 and 1, both excluded, into a difference in Elo."""
    return 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    """Turn a difference in Elo into an expected score."""
    return 1 / (1 + 10 ** (-elo / 400))


def _bound(counts: Sequence[float], side: int) -> float:
    """Give the Elo above (+1) or below (-1) all that the results do not contradict."""
    best, step = elo_of(mean(counts)), 50.0

    def excess(distance: float) -> float:
        return abs(_surprise(counts, score_of(best + side * distance))) - _Z

    while excess(step) < 0:
        step *= 2
    return best + side * root(excess, 0, step, 1e-9)


def _surprise(counts: Sequence[float], score: float) -> float:
    """Say by how many standard deviations the results exceed an expected score.

    It is the signed root of the likelihood ratio: the likeliest outcomes with this mean are compared with the likeliest
    of all, which are those that were seen.
    """
    drop = max(0.0, -tilted_likelihood(counts, [outcome - score for outcome in SCORES]))
    return math.copysign(math.sqrt(2 * drop), mean(counts) - score)


def _normalised(counts: Sequence[float], smooth: Sequence[float]) -> Estimate:
    """Estimate the normalised Elo: its error grows with the difference, by the skew and kurtosis of the outcomes.

    The interval is even in asinh(t): where hardly a game is lost, t itself is far too skewed.
    """
    variance, third, fourth = (_moment(smooth, power) for power in (2, 3, 4))
    t = _t(smooth)
    spread = 1 - t * third / variance**1.5 + t * t / 4 * (fourth / variance**2 - 1)
    error = _Z * math.sqrt(max(0.0, spread) / sum(smooth) / (1 + t * t))
    low, high = (math.sinh(math.asinh(t) + step) for step in (-error, error))
    value = _t(counts) if len(counts) - list(counts).count(0) > 1 else t
    # A game deviates sqrt(2) times as much from its mean as the mean of two.
    return Estimate(*(NELO / math.sqrt(2) * number for number in (value, min(low, value), max(high, value))))


def _t(counts: Sequence[float]) -> float:
    """Give the distance of the mean from an even score, in standard deviations."""
    return (mean(counts) - 0.5) / math.sqrt(_moment(counts, 2))


def _moment(counts: Sequence[float], power: int) -> float:
    centre = mean(counts)
    total = sum(count * (score - centre) ** power for count, score in zip(counts, SCORES, strict=True))
    return total / sum(counts)


def tilted_likelihood(counts: Sequence[float], gains: Sequence[float]) -> float:
    """Give the most likely outcomes whose mean gain is 0: their log likelihood, less that of the outcomes seen.

    By Lagrange's rule they are ``p / (1 + x gain)``, p being the shares seen. Some gain must be below 0, some above.
    """
    x = multiplier(counts, gains)
    return -sum(count * math.log1p(x * gain) for count, gain in zip(counts, gains, strict=True))


def multiplier(counts: Sequence[float], gains: Sequence[float]) -> float:
    """Find the x that makes the mean gain of the tilted outcomes 0; by Newton's steps, halving where they leave."""
    low, high, x = -1 / max(gains), -1 / min(gains), 0.0
    for _ in range(200):
        value = slope = 0.0
        for count, gain in zip(counts, gains, strict=True):
            ratio = gain / (1 + x * gain)
            value += count * ratio
            slope += count * ratio * ratio
        low, high = (x, high) if value > 0 else (low, x)
        before, x = x, x + value / slope
        if not low < x < high:
            x = (low + high) / 2
        if abs(x - before) <= 1e-9 * (1 + abs(x)):
            break
    return x


def root(function: Callable[[float], float], low: float, high: float, precision: float) -> float:
    """Find where a function changes its sign: false position, with the Illinois rule against a stuck end."""
    at_low, at_high, kept = function(low), function(high), 0
    for _ in range(200):
        if at_low == at_high:
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = function(middle)
        if abs(value) < precision:
            return middle
        if (value < 0) == (at_low < 0):
            low, at_low, at_high, kept = middle, value, at_high / 2 if kept == -1 else at_high, -1
        else:
            high, at_high, at_low, kept = middle, value, at_low / 2 if kept == 1 else at_low, 1
    return high if abs(at_high) < abs(at_low) else low
