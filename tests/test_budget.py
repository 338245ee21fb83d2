"""Budgets: what they allow, how a clock is shared, their text, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nogo
from nogo import Budget, Clock
from nogo.errors import ArgumentError

HOLLOW = nogo.game("hollow-nogo").start()


def after(plies: int, position: nogo.Position = HOLLOW) -> nogo.Position:
    for _ in range(plies):
        position = position.play(position.legal_moves()[0])
    return position


def test_a_count_of_playouts_has_no_seconds():
    assert Budget(playouts=10).seconds_for(HOLLOW) is None


def test_seconds_are_spent_as_given():
    assert Budget(seconds=0.5).seconds_for(after(7)) == 0.5


@pytest.mark.parametrize(
    ("plies", "seconds"),
    # By own-move number: 1-3 4 s, -8 7 s, -15 10 s, -20 11 s, -25 9 s, -30 5 s, then 3 s; two plies an own move.
    [
        (0, 4),
        (4, 4),
        (5, 4),
        (6, 7),
        (14, 7),
        (15, 7),
        (16, 10),
        (28, 10),
        (30, 11),
        (38, 11),
        (40, 9),
        (48, 9),
        (50, 5),
    ],
)
def test_r2_goes_by_the_own_move_number(plies, seconds):
    assert Budget(clock=Clock(300, plan="r2")).seconds_for(after(plies)) == seconds


def test_r2_gives_three_seconds_after_the_thirtieth_own_move():
    long = nogo.game("nogo:11x11").start()
    assert Clock(300, plan="r2").seconds_for(after(58, long)) == 5
    assert Clock(300, plan="r2").seconds_for(after(60, long)) == 3


@pytest.mark.parametrize("plan", ["even", "enhanced", "r2"])
def test_no_plan_spends_more_than_is_left(plan):
    assert Clock(0.5, increment=60, plan=plan).seconds_for(HOLLOW) == 0.5


def test_enhanced_shares_what_is_left_by_its_formula():
    clock = Clock(100, c=10, max_ply=40)
    assert clock.seconds_for(HOLLOW) == pytest.approx(100 / (10 + 40))
    assert clock.seconds_for(after(12)) == pytest.approx(100 / (10 + 28))
    assert Clock(100, c=10, max_ply=4).seconds_for(after(12)) == pytest.approx(100 / 10)


def test_even_shares_what_is_left_among_the_own_moves_expected():
    assert Clock(60, plan="even", length=61).seconds_for(after(1)) == pytest.approx(2)
    assert Clock(73, plan="even").seconds_for(HOLLOW) == pytest.approx(2), "73 points, half of them own moves"
    assert Clock(60, plan="even", length=10, reserve=6).seconds_for(after(12)) == pytest.approx(10)


def test_the_increment_comes_on_top():
    assert Clock(100, increment=1.5, c=10, max_ply=0).seconds_for(HOLLOW) == pytest.approx(11.5)


# Text


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("playouts=10000", Budget(playouts=10_000)),
        ("playouts=10_000", Budget(playouts=10_000)),
        (" Playouts = 5 ", Budget(playouts=5)),
        ("time=0.5s", Budget(seconds=0.5)),
        ("time=.5", Budget(seconds=0.5)),
        ("time=250ms", Budget(seconds=0.25)),
        ("time=2m", Budget(seconds=120)),
        ("time=1e-3s", Budget(seconds=0.001)),
        ("clock=60s+1s", Budget(clock=Clock(60, 1))),
        ("clock=5min", Budget(clock=Clock(300))),
        ("clock=300s,plan=r2", Budget(clock=Clock(300, plan="r2"))),
        ("clock=1h+500ms,plan=even,length=70", Budget(clock=Clock(3600, 0.5, plan="even", length=70))),
    ],
)
def test_text_is_read(text, budget):
    assert Budget.parse(text) == budget
    assert Budget.parse(str(budget)) == budget


@pytest.mark.parametrize("text", ["playouts=10000", "time=0.5s", "clock=60s+1s", "clock=60s+0s,plan=r2"])
def test_text_comes_back_as_it_was(text):
    assert str(Budget.parse(text)) == text


seconds = st.floats(1e-6, 1e7)
clocks = st.builds(
    Clock,
    seconds,
    st.floats(0, 1e7),
    st.sampled_from(["even", "enhanced", "r2"]),
    st.none() | st.floats(1, 1e6),
    st.floats(1, 1e6),
    st.floats(1, 1e6),
    st.floats(0, 1e6),
)
budgets = st.one_of(
    st.builds(Budget, playouts=st.integers(1, 2**40)),
    st.builds(Budget, seconds=seconds),
    st.builds(Budget, clock=clocks),
)


@given(budgets)
def test_every_budget_reads_back(budget):
    assert Budget.parse(str(budget)) == budget


@given(clocks, st.integers(0, 40))
def test_every_plan_gives_a_time_that_there_is(clock, plies):
    assert 0 < clock.seconds_for(after(plies)) <= clock.left


# Refused


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "nothing"),
        ({"playouts": 1, "seconds": 1}, "playouts and seconds"),
        ({"seconds": 1, "clock": Clock(1)}, "exactly one"),
        ({"playouts": 0}, "playouts=0"),
        ({"playouts": -5}, "playouts=-5"),
        ({"playouts": 2**41}, "1 to 1099511627776"),
        ({"playouts": 1.5}, "whole number"),
        ({"playouts": True}, "whole number"),
        ({"playouts": "10"}, "whole number"),
        ({"seconds": 0}, "seconds=0"),
        ({"seconds": -1.0}, "seconds=-1"),
        ({"seconds": math.nan}, "seconds=nan"),
        ({"seconds": math.inf}, "seconds=inf"),
        ({"seconds": "1"}, "not a number"),
        ({"seconds": np.bool_(True)}, "not a number"),
        ({"clock": 60}, "Clock(left=60)"),
    ],
)
def test_a_budget_that_is_none_is_refused(given, said):
    with pytest.raises(ArgumentError) as caught:
        Budget(**given)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"left": 0}, "left=0"),
        ({"left": -3.0}, "left=-3"),
        ({"left": math.nan}, "left=nan"),
        ({"left": 1, "increment": -1}, "increment=-1"),
        ({"left": 1, "plan": "evn"}, "did you mean 'even'? use one of even, enhanced, r2"),
        ({"left": 1, "c": 0}, "c=0"),
        ({"left": 1, "length": math.nan}, "length=nan"),
        ({"left": 1, "max_ply": -1}, "max_ply=-1"),
    ],
)
def test_a_clock_that_is_none_is_refused(given, said):
    with pytest.raises(ArgumentError) as caught:
        Clock(**given)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "10000", "playouts", "playouts=", "playouts=ten", "playouts=1e3", "playouts=1.5", "playout=10", "=5"),
        *("time=", "time=s", "time=fast", "time=1x", "time=1s,plan=r2", "clock=", "clock=+1s", "clock=60s+x"),
        *("clock=60s,plan=fast", "clock=60s,spare=4", "clock=60s,c=ten", "clock=60s,c", "playouts=1,time=1s"),
        *("playouts=0", "playouts=-1", "time=0s", "time=-1s", "time=nan", "time=infs", "clock=0s", "clock=60s+-1s"),
        *(None, 5, b"time=1s"),
    ],
)
def test_text_that_is_no_budget_is_refused_with_a_remedy(text):
    with pytest.raises(ArgumentError, match=r"use |write |it has "):
        Budget.parse(text)


@given(st.text(max_size=30) | st.from_regex(r"(playouts|time|clock)=[-+0-9a-z.,=]*", fullmatch=True))
def test_any_text_is_read_or_refused_as_an_argument(text):
    try:
        budget = Budget.parse(text)
    except ArgumentError:
        return
    assert Budget.parse(str(budget)) == budget
