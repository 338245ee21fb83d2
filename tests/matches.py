"""Matches between agents of known strength, for tests of statistics."""

from __future__ import annotations

import numpy as np

SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def game_outcomes(elo: float, draws: float) -> np.ndarray:
    """How likely a loss, a draw and a win are for who is this much stronger; draws are rarer between unequals."""
    score = 1 / (1 + 10 ** (-elo / 400))
    drawn = 4 * draws * score * (1 - score)
    return np.array([1 - score - drawn / 2, drawn, score - drawn / 2])


def pair_outcomes(elo: float, draws: float, bias: float) -> np.ndarray:
    """How likely a pair's five outcomes are: half of the openings favour the first player by this many Elo, half the
    second, so that the two games of a pair lean on each other."""
    pairs = [
        np.convolve(game_outcomes(elo + favour, draws), game_outcomes(elo - favour, draws)) for favour in (bias, -bias)
    ]
    return np.mean(pairs, axis=0)
