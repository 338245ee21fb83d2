"""When enough is known: the ratio against published figures and a general optimiser, the risks against simulation."""

from __future__ import annotations

import math
import random
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import SCORES, pair_outcomes
from scipy.optimize import brentq, minimize

from nogo.errors import ArgumentError
from nogo.match.pentanomial import NELO
from nogo.match.sprt import Sprt, SprtRun

# Outcomes of pairs, bounds in normalised Elo, log likelihood ratio as published (fishtest, fastchess, montytest), and
# how exactly: to the digits that were printed, or the last of them where another approximation of it was used.
PUBLISHED = [
    ((379, 10170, 21828, 10640, 343), (0, 2), 2.946, 1e-3),
    ((365, 16618, 36229, 16974, 390), (0, 2), 2.25, 5e-3),
    ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), 3.01, 5e-3),
    ((13, 37, 50, 25, 3), (0, 4), -0.54912, 1e-5),
]

COUNTS = st.tuples(*[st.one_of(st.integers(0, 30), st.integers(0, 5_000_000))] * 5)
BOUNDS = st.tuples(st.floats(-500, 500), st.floats(-500, 500)).filter(lambda pair: pair[0] < pair[1])


@pytest.mark.parametrize(("counts", "bounds", "expected", "error"), PUBLISHED)
def test_the_likelihood_ratio_is_the_published_one(counts, bounds, expected, error):
    assert Sprt(*bounds).ratio(counts) == pytest.approx(expected, abs=error)


def test_the_published_ratio_is_that_of_van_den_bergh_s_closed_form():
    """Good for many pairs: N/2 log((1 + (t - t0)²) / (1 + (t - t1)²)); it rounds to what was printed."""
    counts = np.array(PUBLISHED[0][0])
    shares = counts / counts.sum()
    centre = shares @ SCORES
    t = (centre - 0.5) / math.sqrt(shares @ (SCORES - centre) ** 2)
    bound = 2 * math.sqrt(2) / NELO
    closed = counts.sum() / 2 * math.log((1 + t**2) / (1 + (t - bound) ** 2))
    assert f"{closed:.3f}" == "2.946"
    assert Sprt(0, 2).ratio(tuple(counts.tolist())) == pytest.approx(closed, abs=1e-3)


# ---- a second implementation ----


def greatest_likelihood(counts: np.ndarray, nelo: float, rng: np.random.Generator) -> float:
    """The greatest log likelihood with this normalised Elo, as a general optimiser finds it from several places."""
    shares, t = counts / counts.sum(), nelo * math.sqrt(2) / NELO

    def miss(q: np.ndarray) -> float:
        centre = q @ SCORES
        return centre - 0.5 - t * math.sqrt(max(q @ (SCORES - centre) ** 2, 0))

    best = -math.inf
    for start in (shares, *(0.02 + 0.9 * rng.dirichlet(np.ones(5), 3))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            end = minimize(
                lambda q: -(counts * np.log(np.maximum(q, 1e-300) / shares)).sum() / counts.sum(),
                start,
                jac=lambda q: -counts / np.maximum(q, 1e-300) / counts.sum(),
                constraints=[{"type": "eq", "fun": lambda q: q.sum() - 1}, {"type": "eq", "fun": miss}],
                bounds=[(1e-12, 1)] * 5,
                method="SLSQP",
                options={"ftol": 1e-14, "maxiter": 500},
            )
        if abs(miss(end.x)) < 1e-9 and abs(end.x.sum() - 1) < 1e-9:
            best = max(best, -end.fun * counts.sum())
    return best


@pytest.mark.parametrize("seed", range(40))
def test_the_ratio_is_what_a_general_optimiser_finds(seed):
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(rng.integers(20, 1000), rng.dirichlet(np.ones(5)))
    low, high = sorted(rng.choice([-100, -30, -5, 0, 2, 10, 50, 150], 2, replace=False).tolist())
    seen = np.where(counts == 0, 1e-3, counts)
    likelihoods = [greatest_likelihood(seen, nelo, rng) for nelo in (low, high)]
    assert all(map(math.isfinite, likelihoods)), "the optimiser is lost: choose another seed"
    expected = likelihoods[1] - likelihoods[0]
    assert Sprt(low, high).ratio(tuple(counts.tolist())) == pytest.approx(expected, abs=1e-6, rel=1e-6)


# ---- whatever is counted ----


@given(COUNTS, BOUNDS)
def test_the_ratio_is_finite_and_turns_with_the_agents(counts, bounds):
    ratio = Sprt(*bounds).ratio(counts)
    assert math.isfinite(ratio)
    turned = Sprt(-bounds[1], -bounds[0]).ratio(counts[::-1])
    assert ratio == pytest.approx(-turned, rel=1e-6, abs=1e-6)


@given(st.integers(1, 10**6), st.floats(1, 300))
def test_nothing_but_halves_never_speak_for_a_difference(pairs, elo1):
    assert Sprt(0, elo1).ratio((0, 0, pairs, 0, 0)) <= 0


def test_no_pairs_say_nothing():
    assert Sprt(0, 10).ratio((0, 0, 0, 0, 0)) == 0
    state = SprtRun(Sprt(0, 10)).state
    assert (state.llr, state.pairs, state.verdict) == (0, 0, None)
    assert state.upper == -state.lower == pytest.approx(2.9444, abs=1e-4)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *(("0", "not an SPRT"), ("a,b", "not an SPRT"), ("0,10,0.05,0.05,1", "not an SPRT"), ("5,5", "smaller")),
        *(("0,nan", "smaller"), ("0,501", "-500 to 500"), ("0,5,0", "alpha=0"), ("0,5,0.05,0.5", "beta=0.5")),
    ],
)
def test_bounds_that_decide_nothing_are_refused(text, says):
    with pytest.raises(ArgumentError, match=says):
        Sprt.parse(text)


def test_a_test_is_written_as_it_is_read():
    assert str(Sprt.parse(" 0, 10.5")) == "0,10.5,0.05,0.05"
    for test in (Sprt(-3, 4, 0.1, 0.2), Sprt(0.123456789, 1 / 3), Sprt(-1e-9, 1e-9)):
        assert Sprt.parse(str(test)) == test


# ---- pair by pair ----


@settings(max_examples=40)
@given(st.lists(st.sampled_from([None, 0, 1, 2, 3, 4]), max_size=60), st.randoms(use_true_random=False))
def test_the_verdict_depends_on_the_schedule_not_on_what_ends_first(outcomes, rng):
    ordered, shuffled = SprtRun(Sprt(0, 200, 0.2, 0.2)), SprtRun(Sprt(0, 200, 0.2, 0.2))
    for pair, outcome in enumerate(outcomes):
        ordered.add(pair, outcome)
    pairs = list(enumerate(outcomes))
    rng.shuffle(pairs)
    for pair, outcome in pairs:
        shuffled.add(pair, outcome)
    assert shuffled.state == ordered.state


def test_a_pair_still_being_played_holds_back_those_after_it():
    run = SprtRun(Sprt(0, 100, 0.2, 0.2))
    for pair in range(1, 500):
        run.add(pair, 4)
    assert run.state.pairs == 0
    run.add(0, None)
    assert run.state.verdict == "H1"
    assert 0 < run.state.pairs < 499


def test_after_its_end_a_test_does_not_move():
    run = SprtRun(Sprt(0, 100, 0.2, 0.2))
    pair = 0
    while run.state.verdict is None:
        run.add(pair, 3)
        pair += 1
    end = run.state
    assert end.llr >= end.upper
    assert end.pairs == pair
    for later in range(pair, pair + 100):
        run.add(later, 0)
    assert run.state == end


# ---- risks ----


def outcomes_of(nelo: float, draws: float, bias: float) -> list[float]:
    """How likely a pair's outcomes are between agents that differ by so much normalised Elo."""

    def excess(elo: float) -> float:
        shares = pair_outcomes(elo, draws, bias)
        centre = shares @ SCORES
        return (centre - 0.5) / math.sqrt(2 * shares @ (SCORES - centre) ** 2) * NELO - nelo

    return pair_outcomes(brentq(excess, -800, 800), draws, bias).tolist()


def verdicts(sprt: Sprt, shares: list[float], matches: int) -> tuple[int, float]:
    """How often elo1 is accepted, and after how many pairs a test ends."""
    rng, accepted, pairs = random.Random(3), 0, 0
    for _ in range(matches):
        run = SprtRun(sprt)
        for pair, outcome in enumerate(rng.choices(range(5), shares, k=1000)):
            run.add(pair, outcome)
            if run.state.verdict is not None:
                break
        assert run.state.verdict is not None, "it does not end"
        accepted += run.state.verdict == "H1"
        pairs += run.state.pairs
    return accepted, pairs / matches


def check_risks(sprt: Sprt, draws: float, bias: float, matches: int) -> None:
    wrongly, _ = verdicts(sprt, outcomes_of(sprt.elo0, draws, bias), matches)
    rightly, pairs = verdicts(sprt, outcomes_of(sprt.elo1, draws, bias), matches)
    assert wrongly <= matches * sprt.alpha + 3.5 * math.sqrt(matches * sprt.alpha)
    assert matches - rightly <= matches * sprt.beta + 3.5 * math.sqrt(matches * sprt.beta)
    # Wald's expectation, in t of a pair; what is overshot by the last pair comes on top.
    step = (sprt.elo1 - sprt.elo0) * math.sqrt(2) / NELO
    expected = 2 * ((1 - sprt.beta) * sprt.upper + sprt.beta * sprt.lower) / step**2
    assert 0.7 * expected < pairs < 1.6 * expected


@pytest.mark.parametrize(("draws", "bias"), [(0, 0), (0, 200), (0.5, 0)])
def test_a_test_errs_no_oftener_than_it_may_and_ends_in_time(draws, bias):
    check_risks(Sprt(0, 100, 0.1, 0.1), draws, bias, matches=120)


@pytest.mark.slow
def test_a_finer_test_errs_no_oftener_than_it_may():
    check_risks(Sprt(-20, 40), draws=0.5, bias=200, matches=40)
