"""All agents of a match on one scale: Bradley-Terry ratings in Elo, with intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from nogo.errors import ArgumentError
from nogo.match.pentanomial import CONFIDENCE, SCORES, SPREAD, Counts, Estimate

ELO: Final = 400 / math.log(10)
_Z: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """An agent's place on the scale, on which the mean of all is 0."""

    name: str
    elo: Estimate


def rate(pairings: Iterable[tuple[str, str, Counts]]) -> tuple[Rating, ...]:
    """Rate agents by the outcomes of their pairs, the strongest first; none as long as some are not linked by pairs.

    As between two agents, each pairing's pairs are taken with half a pair more, spread evenly over the five outcomes.
    """
    met = [pairing for pairing in pairings if any(pairing[2])]
    names = list(dict.fromkeys(name for one, other, _ in met for name in (one, other)))
    place = {name: index for index, name in enumerate(names)}
    smooth = [(place[one], place[other], [count + SPREAD for count in counts]) for one, other, counts in met]
    if not _linked(len(names), [(one, other) for one, other, _ in smooth]):
        return ()
    strengths = _fit(len(names), smooth)
    errors = _Z * ELO * np.sqrt(np.diag(_covariance(strengths, smooth)))
    rated = [
        Rating(name, Estimate(value, value - error, value + error))
        for name, value, error in zip(names, (ELO * strengths).tolist(), errors.tolist(), strict=True)
    ]
    return tuple(sorted(rated, key=lambda rating: -rating.elo.value))


def _linked(agents: int, edges: list[tuple[int, int]]) -> bool:
    """Tell whether everyone met someone who met someone ... who met the first."""
    reached = {0} if agents else set()
    while True:
        further = {agent for edge in edges if reached & set(edge) for agent in edge} - reached
        if not further:
            return bool(agents) and len(reached) == agents
        reached |= further


def _fit(agents: int, pairings: list[tuple[int, int, list[float]]]) -> Matrix:
    """Find the ratings under which the points made are the likeliest; draws count as half a win each."""
    points = np.zeros((agents, agents))
    for one, other, counts in pairings:
        for count, score in zip(counts, SCORES, strict=True):
            points[one, other] += 2 * count * score
            points[other, one] += 2 * count * (1 - score)
    found: Matrix = _choix().ilsr_pairwise_dense(points, max_iter=10_000, tol=1e-9)
    centred: Matrix = found - found.mean()
    return centred


def _covariance(strengths: Matrix, pairings: list[tuple[int, int, list[float]]]) -> Matrix:
    """Say how sure the ratings are: the curvature of the likelihood, corrected by how much pairs in fact vary.

    A game's result is not independent of its pair's other game, so the curvature alone (games at random) is wrong; the
    "sandwich" of it around the pairs' own deviations is right.
    """
    curvature = np.zeros((len(strengths), len(strengths)))
    deviations = np.zeros_like(curvature)
    for one, other, counts in pairings:
        expected = 1 / (1 + math.exp(strengths[other] - strengths[one]))
        edge = np.zeros(len(strengths))
        edge[one], edge[other] = 1, -1
        square = np.outer(edge, edge)
        curvature += 2 * sum(counts) * expected * (1 - expected) * square
        deviations += square * sum(
            count * (2 * (score - expected)) ** 2 for count, score in zip(counts, SCORES, strict=True)
        )
    inverse = np.linalg.pinv(curvature)
    covariance: Matrix = inverse @ deviations @ inverse
    return covariance


def _choix() -> Any:
    try:
        import choix  # noqa: PLC0415 - an extra, imported only where it is used
    except ImportError:
        raise ArgumentError(
            'ratings need the packages choix and scipy; install them with pip install "nogo[stats]"'
        ) from None
    return choix
