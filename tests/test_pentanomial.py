"""What pairs of games say: published figures, and bounds that coverage and likelihood give."""

from __future__ import annotations

import math

import pytest

from nogo.match.pentanomial import NELO, strength
from nogo.match.sprt import Sprt

# Stockfish's tests as published: outcomes of pairs, bounds in normalised Elo, and the log likelihood ratio.
PUBLISHED = [
    ((379, 10170, 21828, 10640, 343), (0, 2), 2.946),
    ((365, 16618, 36229, 16974, 390), (0, 2), 2.25),
    ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), 3.01),
    ((13, 37, 50, 25, 3), (0, 4), -0.54912),
]


@pytest.mark.parametrize(("counts", "bounds", "expected"), PUBLISHED)
def test_the_likelihood_ratio_is_the_published_one(counts, bounds, expected):
    assert Sprt(*bounds).ratio(counts) == pytest.approx(expected, abs=0.001)


def test_normalised_elo_is_the_published_one():
    found = strength((379, 10170, 21828, 10640, 343))
    assert f"{found.nelo.value:.2f} ± {found.nelo.error:.2f}" == "3.05 ± 2.31"
    assert strength((13, 37, 50, 25, 3)).nelo.value == pytest.approx(-63.97, abs=0.005)
    assert math.isclose(NELO, 347.43558552260146)
