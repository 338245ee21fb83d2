"""Ratings of many agents: against an algorithm of our own, and against simulated round-robins of known strengths."""

from __future__ import annotations

import math
import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import SCORES, pair_outcomes

from nogo.errors import ArgumentError
from nogo.match.pentanomial import strength
from nogo.match.ratings import rate

Pairings = list[tuple[str, str, tuple[int, ...]]]


def played(elos: dict[str, float], pairs: int, rng: np.random.Generator, bias: float = 150) -> Pairings:
    """A round-robin between agents of these strengths."""
    return [
        (one, other, tuple(rng.multinomial(pairs, pair_outcomes(elos[one] - elos[other], 0.2, bias)).tolist()))
        for one, other in combinations(elos, 2)
    ]


def minorised(pairings: Pairings) -> dict[str, float]:
    """Hunter's MM algorithm for Bradley-Terry, draws as half a win each, a tenth of a pair more of every outcome."""
    names = sorted({name for one, other, _ in pairings for name in (one, other)})
    wins: dict[str, float] = dict.fromkeys(names, 0.0)
    games: dict[tuple[str, str], float] = {}
    for one, other, counts in pairings:
        smooth = np.array(counts) + 0.1
        wins[one] += 2 * float(smooth @ SCORES)
        wins[other] += 2 * float(smooth @ (1 - SCORES))
        games[one, other] = games[other, one] = 2 * float(smooth.sum())
    strengths = dict.fromkeys(names, 1.0)
    for _ in range(20_000):
        new = {
            name: wins[name]
            / sum(count / (strengths[a] + strengths[b]) for (a, b), count in games.items() if a == name)
            for name in names
        }
        centre = math.exp(sum(map(math.log, new.values())) / len(new))
        new = {name: value / centre for name, value in new.items()}
        if max(abs(math.log(new[name] / strengths[name])) for name in names) < 1e-13:
            break
        strengths = new
    return {name: 400 * math.log10(value) for name, value in strengths.items()}


@pytest.mark.parametrize("seed", range(10))
def test_ratings_are_those_of_another_algorithm(seed):
    rng = np.random.default_rng(seed)
    elos = {name: float(rng.normal(0, 200)) for name in "abcdef"[: rng.integers(3, 7)]}
    pairings = played(elos, int(rng.integers(1, 60)), rng)
    expected = minorised(pairings)
    for rating in rate(pairings):
        assert rating.elo.value == pytest.approx(expected[rating.name], abs=0.01)


def test_a_gauntlet_is_rated_by_its_common_opponent():
    pairings = [("x", name, (4, 6, 10, 6, 4 + more)) for name, more in (("a", 0), ("b", 20), ("c", 60))]
    assert [rating.name for rating in rate(pairings)][-1] == "c"
    expected = minorised(pairings)
    for rating in rate(pairings):
        assert rating.elo.value == pytest.approx(expected[rating.name], abs=0.01)


def test_two_agents_are_rated_as_their_match_is_judged():
    counts = (13, 37, 50, 25, 3)
    ours = strength(counts).elo
    better, worse = rate([("a", "b", counts)])
    assert (better.name, worse.name) == ("b", "a")
    assert worse.elo.value - better.elo.value == pytest.approx(ours.value, abs=0.2)
    # Each differs from their mean by half the difference, and so do the errors.
    assert 2 * worse.elo.error == pytest.approx(ours.error, rel=0.02)


def test_intervals_hold_true_strengths_in_round_robins():
    rng, held = np.random.default_rng(11), []
    elos = {"a": 150.0, "b": 30.0, "c": -20.0, "d": -160.0}
    # With openings that favour a side, scores follow no Bradley-Terry curve exactly; these favour nobody.
    for _ in range(150):
        held += [r.elo.low <= elos[r.name] <= r.elo.high for r in rate(played(elos, 40, rng, bias=0))]
    assert abs(np.mean(held) - 0.95) < 0.015 + 4 * math.sqrt(0.95 * 0.05 / len(held))


def test_agents_that_are_not_linked_are_not_rated():
    assert rate([]) == ()
    assert rate([("a", "b", (0, 0, 0, 0, 0))]) == ()
    apart = [("a", "b", (1, 0, 2, 0, 1)), ("c", "d", (0, 0, 2, 0, 1))]
    assert rate(apart) == ()
    assert len(rate([*apart, ("b", "c", (0, 0, 1, 0, 0))])) == 4


@settings(max_examples=60)
@given(st.lists(st.tuples(*[st.integers(0, 1000)] * 5).filter(any), min_size=6, max_size=6))
def test_ratings_are_finite_and_add_up_to_nothing(results):
    pairings = [(one, other, counts) for (one, other), counts in zip(combinations("abcd", 2), results, strict=True)]
    rated = rate(pairings)
    assert sum(rating.elo.value for rating in rated) == pytest.approx(0, abs=1e-6)
    assert all(
        math.isfinite(rating.elo.low) and rating.elo.low <= rating.elo.value <= rating.elo.high for rating in rated
    )
    assert [r.elo.value for r in rated] == sorted((r.elo.value for r in rated), reverse=True)
    turned = rate([(other, one, counts[::-1]) for one, other, counts in pairings[::-1]])
    assert {r.name: round(r.elo.value, 3) + 0.0 for r in rated} == pytest.approx(
        {r.name: r.elo.value for r in turned}, abs=0.01
    )


def test_clean_sweeps_of_any_length_are_rated():
    swept = [("a", "b", (0, 0, 0, 0, 5_000_000)), ("b", "c", (0, 0, 0, 0, 5_000_000)), ("d", "c", (1, 0, 0, 0, 0))]
    rated = rate(swept)
    assert [rating.name for rating in rated] == list("abcd")
    assert all(math.isfinite(rating.elo.error) for rating in rated)


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(ArgumentError, match=r'pip install "nogo\[stats\]"'):
        rate([("a", "b", (1, 0, 2, 0, 1))])
