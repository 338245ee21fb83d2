"""How often 95% intervals hold the truth: ours, and two that are in common use. `python docs/intervals.py`.

Nothing is drawn at random: every way in which so many pairs can end is judged, and weighs as much as it is likely.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from nogo.match.pentanomial import NELO, strength

SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
Z = 1.959964
PAIRS = 20


def outcomes(elo: float, draws: float, bias: float) -> np.ndarray:
    """Share of each outcome of a pair; half of the openings are worth `bias` Elo to the first player, half cost it."""
    pairs = [np.convolve(game(elo + favour, draws), game(elo - favour, draws)) for favour in (bias, -bias)]
    return np.mean(pairs, axis=0)


def game(elo: float, draws: float) -> np.ndarray:
    score = 1 / (1 + 10 ** (-elo / 400))
    drawn = 4 * draws * score * (1 - score)
    return np.array([1 - score - drawn / 2, drawn, score - drawn / 2])


def ends(pairs: int) -> np.ndarray:
    """All ways in which so many pairs can end: bars among stars."""
    bars = np.array(list(combinations(range(pairs + 4), 4)))
    edges = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), pairs + 4)])
    return np.diff(edges) - 1


def likelihoods(counts: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """The multinomial distribution."""
    factorials = np.array([math.lgamma(n + 1) for n in range(PAIRS + 1)])
    return np.exp(factorials[PAIRS] - factorials[counts].sum(1) + counts @ np.log(np.maximum(shares, 1e-300)))


def main() -> None:
    counts = ends(PAIRS)
    judged = [strength(tuple(row)) for row in counts.tolist()]
    low, high = (np.array([getattr(one.score, name) for one in judged]) for name in ("low", "high"))
    nlow, nhigh = (np.array([getattr(one.nelo, name) for one in judged]) for name in ("low", "high"))
    mean = counts @ SCORES / PAIRS
    deviation = np.sqrt(np.maximum(counts @ SCORES**2 / PAIRS - mean**2, 0))
    t = (mean - 0.5) / np.where(deviation > 0, deviation, 1e-9) / math.sqrt(2) * NELO
    games = 2 * PAIRS
    print("| Elo | draws | opening | ours | mean of pairs | Wilson of games | ours, nElo | constant, nElo |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for elo in (0, 100, 300, 500):
        for draws, bias in ((0, 0), (0, 200), (0.5, 0)):
            shares = outcomes(elo, draws, bias)
            weights, truth = likelihoods(counts, shares), float(shares @ SCORES)
            nelo = (truth - 0.5) / math.sqrt(2 * float(shares @ (SCORES - truth) ** 2)) * NELO
            held = [
                (low <= truth) & (truth <= high),
                abs(mean - truth) <= Z * deviation / math.sqrt(PAIRS),
                abs(mean - truth) <= Z * math.sqrt(truth * (1 - truth) / games),
                (nlow <= nelo) & (nelo <= nhigh),
                abs(t - nelo) <= Z * NELO / math.sqrt(games),
            ]
            print(f"| {elo} | {draws:.0%} | {bias} |", " | ".join(f"{weights @ one:.1%}" for one in held), "|")


if __name__ == "__main__":
    main()
