"""What pairs of games say: published figures, a second implementation, and simulated matches of known strength."""

from __future__ import annotations

import math
import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matches import SCORES, pair_outcomes
from scipy.optimize import brentq
from scipy.stats import multinomial

from nogo.match.pentanomial import NELO, Strength, elo_of, mean, root, score_of, strength

PAIRS = st.tuples(*[st.one_of(st.integers(0, 30), st.integers(0, 5_000_000))] * 5)


# ---- published ----


def test_normalised_elo_is_the_published_one():
    found = strength((379, 10170, 21828, 10640, 343))
    assert f"{found.nelo.value:.2f} ± {found.nelo.error:.2f}" == "3.05 ± 2.31"
    assert math.isclose(NELO, 347.43558552260146)


def test_elo_and_normalised_elo_of_a_published_test_of_montytest():
    found = strength((13, 37, 50, 25, 3))
    assert found.score.value == 0.4375
    assert found.elo.value == pytest.approx(-43.6578, abs=5e-5)
    assert found.nelo.value == pytest.approx(-63.97, abs=5e-3)


# ---- a second implementation ----


def drop_of(counts: np.ndarray, expected: float) -> float:
    """How much less likely the outcomes are with a mean, by scipy's root finder; the multiplier is Lagrange's."""
    gains = SCORES - expected

    def slope(x: float) -> float:
        return float(np.sum(counts * gains / (1 + x * gains)))

    edge = 1 - 1e-12
    x = brentq(slope, -edge / gains.max(), -edge / gains.min(), xtol=1e-15, rtol=1e-14)
    return float(np.sum(counts * np.log1p(x * gains)))


@pytest.mark.parametrize("seed", range(40))
def test_the_interval_is_where_twice_the_drop_of_the_likelihood_is_the_quantile(seed):
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(rng.integers(1, 300), rng.dirichlet(np.full(5, 0.5)))
    found = strength(tuple(counts.tolist()))
    centre = float((counts + 0.1) @ SCORES / (counts + 0.1).sum())
    for bound, end in ((found.score.low, 1e-9), (found.score.high, 1 - 1e-9)):
        expected = brentq(lambda score: drop_of(counts + 0.1, score) - 3.841458820694124 / 2, centre, end, xtol=1e-14)
        assert bound == pytest.approx(expected, abs=1e-7)
    assert found.elo.low == pytest.approx(400 * math.log10(found.score.low / (1 - found.score.low)))


@pytest.mark.parametrize("counts", [(4, 10, 20, 14, 6), (0, 3, 9, 8, 2), (30, 0, 60, 0, 45), (1, 0, 2, 0, 5)])
def test_the_likelihood_of_superiority_is_near_the_posterior_one(counts):
    """Which is exact for a Dirichlet prior of the same weight, and drawn from it here."""
    drawn = np.random.default_rng(1).dirichlet(np.array(counts) + 0.1, 200_000) @ SCORES
    assert strength(counts).los == pytest.approx(float(np.mean(drawn > 0.5)), abs=0.02)


# ---- whatever is counted ----


@given(PAIRS)
def test_estimates_are_finite_ordered_and_turn_with_the_agents(counts):
    found = strength(counts)
    if not any(counts):
        assert found is None
        return
    turned = strength(counts[::-1])
    for name in ("score", "elo", "nelo"):
        ours, theirs = getattr(found, name), getattr(turned, name)
        assert all(map(math.isfinite, (ours.value, ours.low, ours.high)))
        assert ours.low <= ours.value <= ours.high
        about = 1 if name == "score" else 0
        for here, there in ((ours.value, theirs.value), (ours.low, theirs.high), (ours.high, theirs.low)):
            assert here == pytest.approx(about - there, rel=1e-5, abs=1e-5)
    assert found.score.low >= 0
    assert found.score.high <= 1
    assert found.los == pytest.approx(1 - turned.los, abs=1e-6)


@given(PAIRS.filter(any))
def test_superiority_is_likely_when_the_interval_lies_above_an_even_score(counts):
    found = strength(counts)
    if abs(found.los - 0.975) > 1e-6:
        assert (found.los > 0.975) == (found.score.low > 0.5)


@pytest.mark.parametrize("pairs", [1, 10, 1000, 5_000_000])
def test_a_clean_sweep_says_more_the_longer_it_is_and_stays_finite(pairs):
    swept, longer = strength((0, 0, 0, 0, pairs)), strength((0, 0, 0, 0, 2 * pairs))
    nearly = strength((0, 0, 0, 1, pairs - 1))
    assert nearly.elo.value < swept.elo.value < longer.elo.value < math.inf
    assert swept.elo.low < longer.elo.low
    assert 0.5 < swept.los <= longer.los
    assert swept.score.high < 1 or pairs > 1000


def test_zero_pairs_say_nothing():
    assert strength((0, 0, 0, 0, 0)) is None


@given(st.floats(-3000, 3000))
def test_elo_and_score_are_each_others_inverse(elo):
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-3)


def test_the_root_finder_finds_roots():
    assert root(lambda x: x**3 - 2, 0, 5, 1e-12) == pytest.approx(2 ** (1 / 3))
    assert root(lambda x: 1 - x, 0, 100, 1e-12) == pytest.approx(1)
    assert root(lambda x: math.atan(x - 3), -50, 40, 1e-12) == pytest.approx(3)


# ---- matches of known strength ----


def truths(shares: np.ndarray) -> tuple[float, float]:
    """The score and the normalised Elo that pairs with these outcomes have in truth."""
    score = float(shares @ SCORES)
    return score, (score - 0.5) / math.sqrt(2 * float(shares @ (SCORES - score) ** 2)) * NELO


def covers(found: Strength, score: float, nelo: float) -> tuple[bool, bool, bool]:
    """Whether the intervals hold the truth; and whether superiority is claimed at a risk of 2.5%."""
    return (
        found.score.low <= score <= found.score.high,
        found.nelo.low <= nelo <= found.nelo.high,
        found.los > 0.975,
    )


MATCHES = [
    pytest.param(elo, draws, bias, id=f"{elo} Elo, draws {draws}, bias {bias}")
    for elo in (0, 20, -80, 300, -500)
    for draws in (0, 0.2, 0.5)
    for bias in (0, 200)
]


@pytest.fixture(scope="module")
def ten_pairs() -> list[tuple[int, ...]]:
    """All 1001 ways in which ten pairs can end."""
    return [counts for counts in product(range(11), repeat=5) if sum(counts) == 10]


@pytest.mark.parametrize(("elo", "draws", "bias"), MATCHES)
def test_ten_pairs_are_judged_well_counted_over_all_their_ends(elo, draws, bias, ten_pairs):
    """Exact, so without a tolerance for luck; that it is not 95% throughout is due to how few ends there are."""
    shares = pair_outcomes(elo, draws, bias)
    likely = multinomial.pmf(np.array(ten_pairs), 10, shares)
    score, nelo, superior = likely @ np.array([covers(strength(ends), *truths(shares)) for ends in ten_pairs])
    assert 0.92 < score < 0.99
    assert 0.85 < nelo < 0.99
    assert superior < 0.03 or elo > 0


def check_coverage(shares: np.ndarray, even: bool, matches: int) -> None:
    played = np.random.default_rng(8).multinomial(100, shares, matches)
    held = np.mean([covers(strength(tuple(counts)), *truths(shares)) for counts in played.tolist()], axis=0)
    luck = 4 * math.sqrt(0.95 * 0.05 / matches)
    assert abs(held[0] - 0.95) < 0.02 + luck
    assert abs(held[1] - 0.95) < 0.04 + luck
    if even:
        assert abs(held[2] - 0.025) < 0.005 + 4 * math.sqrt(0.025 * 0.975 / matches)


@pytest.mark.parametrize(("elo", "draws", "bias"), MATCHES)
def test_intervals_hold_the_truth_as_often_as_they_say(elo, draws, bias):
    check_coverage(pair_outcomes(elo, draws, bias), elo == 0, matches=300)


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "draws", "bias"), MATCHES)
def test_intervals_hold_the_truth_in_many_more_matches(elo, draws, bias):
    check_coverage(pair_outcomes(elo, draws, bias), elo == 0, matches=1200)


def test_pairs_know_more_than_their_games_when_openings_are_one_sided():
    """Games counted alone, each with its own luck, would give intervals a third too wide here: pairing is worth it."""
    rng = random.Random(5)
    shares = pair_outcomes(0, 0, 300).tolist()
    drawn = rng.choices(range(5), shares, k=2000)
    counts = tuple(drawn.count(outcome) for outcome in range(5))
    found = strength(counts).score
    wins = round(2 * 2000 * mean(counts))
    alone = 1.96 * math.sqrt(wins * (4000 - wins) / 4000**3)
    assert found.error < 0.75 * alone
