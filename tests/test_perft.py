"""Numbers of move sequences: the published ones, and those of the reference for the rest."""

from __future__ import annotations

import pytest
import reference
from games import EINSTEIN, VARIANTS, examples_each, play_both, random_games
from hypothesis import given
from hypothesis import strategies as st

import nogo

# Sequences of 1, 2, 3 ... plies from the start.
PUBLISHED = {
    "hollow-nogo": [73, 5_256, 373_160, 26_117_840],
    "nogo:9x9": [81, 6_480, 511_912, 39_927_264],
    "nogo:5x5": [25, 600, 13_792, 302_896, 6_339_312, 126_000_720],
    "nogo:4x4": [16, 240, 3_352, 43_264, 511_776],
    "nogo:3x3": [9, 72, 496, 2_832, 12_768, 41_328, 80_352, 43_776],
    "nogo:2x2": [4, 12, 16, 0],
    "othello": [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_056],
}

# How deep the reference counts in well under a second or two.
DEPTHS = {
    "nogo:1x7": 5,
    "nogo:7x1": 5,
    "nogo:1x16": 3,
    "nogo:5x2": 5,
    "nogo:3x3": 5,
    "nogo:3x3:B2": 5,
    "nogo:3x3:A2,B1": 6,
    "nogo:5x4:A4,C3,C2,E1": 3,
    "nogo:4x5:B4,B3,B2,B1": 3,
    "othello:6x6": 5,
    "othello:4x4": 7,
    "einstein": 5,
    "einstein:5x5": 2,
    "einstein:setdie": 3,
}


def count(name: str, depth: int) -> int:
    return nogo.perft(nogo.game(name).start(), depth)


@pytest.mark.parametrize(
    ("name", "depth", "sequences"),
    [
        pytest.param(name, depth, sequences, id=f"{name}-{depth}")
        for name, counts in PUBLISHED.items()
        for depth, sequences in enumerate(counts, start=1)
    ],
)
def test_published_counts(name: str, depth: int, sequences: int) -> None:
    assert count(name, depth) == sequences


@pytest.mark.slow
def test_published_count_of_seven_plies_on_5x5() -> None:
    assert count("nogo:5x5", 7) == 2_371_240_512


@pytest.mark.parametrize("name", VARIANTS)
def test_no_plies_are_one_sequence(name: str) -> None:
    assert count(name, 0) == 1


@pytest.mark.parametrize("name", VARIANTS)
def test_two_plies_count_as_in_the_reference(name: str) -> None:
    assert count(name, 2) == reference.perft(reference.start(name), 2)


@pytest.mark.parametrize(("name", "depth"), DEPTHS.items())
def test_counts_as_in_the_reference(name: str, depth: int) -> None:
    assert count(name, depth) == reference.perft(reference.start(name), depth)


@pytest.mark.parametrize("name", EINSTEIN)
@given(data=st.data())
@examples_each(5)
def test_counts_from_other_einstein_starts_as_in_the_reference(name: str, data: st.DataObject) -> None:
    start, *_ = play_both(data.draw(random_games(name)))
    assert nogo.perft(start[0], 2) == reference.perft(start[1], 2)


@pytest.mark.parametrize("name", ["nogo:3x3", "nogo:5x4:A4,C3,C2,E1", "othello:4x4", *EINSTEIN])
@given(data=st.data())
@examples_each(5)
def test_counts_near_the_end_of_a_game_as_in_the_reference(name: str, data: st.DataObject) -> None:
    """Where sequences are cut short by the end, and Othello passes."""
    for position, state in list(play_both(data.draw(random_games(name))))[-5:]:
        for depth in (1, 2, 3):
            assert nogo.perft(position, depth) == reference.perft(state, depth)


@pytest.mark.parametrize("name", ["nogo:5x5", "nogo:11x11", "othello", *EINSTEIN])
def test_a_count_is_the_sum_over_the_moves(name: str) -> None:
    position = nogo.game(name).start()
    throw = position.turn == nogo.CHANCE
    after = [nogo.perft(position.play(move), 3 if throw else 2) for move in position.legal_moves()]
    assert nogo.perft(position, 3) == sum(after)


@pytest.mark.parametrize("depth", [-1, 1.0, None, True, "2"])
def test_what_is_no_number_of_plies_is_refused(depth: object) -> None:
    with pytest.raises(nogo.errors.ArgumentError):
        nogo.perft(nogo.game("nogo:3x3").start(), depth)
