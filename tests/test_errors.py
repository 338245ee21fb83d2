"""Bad input: each an error of ours that names the value and the remedy, and changes nothing."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nogo
from nogo import core, errors
from nogo.errors import (
    ArgumentError,
    ForkError,
    GameNameError,
    HandleError,
    IllegalMoveError,
    InstructionSetError,
    InvalidMoveError,
    NogoError,
    PositionError,
)
from nogo.playouts import single_playouts

game_for = importlib.import_module("nogo.game")._game  # nogo.game is the function of that name

GAMES = [
    *("hollow-nogo", "nogo:3x3", "nogo:11x11", "othello", "othello:6x6", "othello:4x4"),
    *("einstein", "einstein:5x5", "einstein:setdie"),
]
every_game = pytest.mark.parametrize("name", GAMES)
both_ways = pytest.mark.parametrize("run", [nogo.playouts, single_playouts])
NOT_WHOLE_NUMBERS = [1.0, 2.5, "5", None, True, [3], b"3", np.float64(3), np.bool_(True)]
WHOLE_NUMBER_TYPES = [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64]


def assert_refused(error: type[NogoError], call: Callable[[], object], *said: str) -> None:
    """The call raises just this error, and each of these words is in its message."""
    with pytest.raises(error) as caught:
        call()
    assert caught.type is error
    for words in said:
        assert words in str(caught.value)


# The classes


@pytest.mark.parametrize(
    ("error", "also"),
    [
        (GameNameError, ValueError),
        (PositionError, ValueError),
        (InvalidMoveError, ValueError),
        (IllegalMoveError, ValueError),
        (ArgumentError, ValueError),
        (ForkError, RuntimeError),
        (HandleError, Exception),
        (InstructionSetError, Exception),
    ],
)
def test_each_error_is_one_of_ours_and_one_of_python_s(error, also):
    assert issubclass(error, NogoError)
    assert issubclass(error, also)


def test_the_list_of_errors_is_complete():
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    assert {value.__name__ for value in classes} == set(errors.__all__)
    assert all(issubclass(value, NogoError) for value in classes)
    assert nogo.NogoError is NogoError


# Games


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("othelo", "othello"),
        ("hollow", "hollow-nogo"),
        ("hollow-nogo:9x9", "hollow-nogo"),
        ("einstien", "einstein"),
        ("einstein:6x6", "einstein:5x5"),
        ("einstein:set-die", "einstein:setdie"),
    ],
)
def test_an_unknown_game_is_answered_with_the_nearest(name, nearest):
    assert_refused(GameNameError, lambda: nogo.game(name), repr(name), f"did you mean {nearest!r}?")


@pytest.mark.parametrize("name", ["", "chess", "x" * 5000, "\u0433o", None, 5, b"nogo", ["nogo"], 1.5])
def test_an_unknown_game_is_answered_with_the_known_ones(name):
    said = (repr(name)[:30], "known: hollow-nogo, nogo:WxH")
    assert_refused(GameNameError, lambda: nogo.game(name), *said)


@pytest.mark.parametrize("size", ["0x5", "5x0", "17x1", "1x17", "999999999x1"])
def test_a_side_out_of_range_is_refused(size):
    name = f"nogo:{size}"
    assert_refused(GameNameError, lambda: nogo.game(name), repr(name), size, "1 to 16")


@pytest.mark.parametrize(("size", "points"), [("12x11", 132), ("16x8", 128), ("16x16", 256)])
def test_more_than_121_points_are_refused(size, points):
    name = f"nogo:{size}"
    said = (repr(name), f"{points} points", "at most 121")
    assert_refused(GameNameError, lambda: nogo.game(name), *said)


@pytest.mark.parametrize("size", ["11x11", "16x7", "7x16", "1x16", "16x1", "1x1"])
def test_the_largest_and_smallest_boards_are_games(size):
    assert nogo.game(f"nogo:{size}").name == f"nogo:{size}"


@pytest.mark.parametrize("rest", ["axb", "9", "-3x3", "3.5x3", "3x", "", "9x9x9", " 9x9", "\u0663x\u0663"])
def test_a_size_of_the_wrong_form_is_refused(rest):
    name = f"nogo:{rest}"
    assert_refused(GameNameError, lambda: nogo.game(name), repr(name), "nogo:WxH")


@pytest.mark.parametrize("size", ["5x5", "8x6", "10x10", "8", ""])
def test_othello_on_another_board_is_refused(size):
    name = f"othello:{size}"
    assert_refused(GameNameError, lambda: nogo.game(name), repr(name), "othello:6x6", "othello:4x4")


@pytest.mark.parametrize("hole", ["Z9", "I5", "K1", "A10", "A0", "", "5E", "E"])
def test_a_hole_off_the_board_is_refused(hole):
    name = f"nogo:9x9:E5,{hole}"
    said = (repr(name), repr(hole.lower()), "A1 to J9")
    assert_refused(GameNameError, lambda: nogo.game(name), *said)


def test_a_hole_given_twice_is_refused():
    assert_refused(GameNameError, lambda: nogo.game("nogo:9x9:A1,B2,a1"), "'a1'", "twice", "once")


@pytest.mark.parametrize("name", ["nogo:1x1:A1", "nogo:2x2:A1,A2,B1,B2"])
def test_holes_everywhere_are_refused(name):
    assert_refused(GameNameError, lambda: nogo.game(name), repr(name), "every point", "at least one")


def game_or_refusal(text: str) -> nogo.Game | str:
    try:
        return nogo.game(text)
    except GameNameError as error:
        return str(error)


@given(st.text(max_size=30) | st.text(alphabet="nogthelisx:0123456789,ABJ- ", max_size=30))
def test_any_text_is_a_game_or_a_game_name_error(text):
    found = game_or_refusal(text)
    assert repr(text) in found if isinstance(found, str) else nogo.game(found.name) is found


# Texts


@pytest.mark.parametrize("text", [None, 5, "", "   ", "\n\n", b"nogo:3x3 .../.../... black"])
def test_what_is_no_text_of_a_position_is_refused_with_an_example(text):
    assert_refused(PositionError, lambda: nogo.position(text), repr(text), "write e.g.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nogo:3x3", ["'nogo:3x3' lacks", "write e.g.", "nogo:3x3 .../.../... black"]),
        ("nogo:3x3 .../.../...", ["lacks", "write e.g."]),
        ("nogo:3x3 .../... black", ["3 rows of 3", "2 of"]),
        ("nogo:3x3 .../.../.../... black", ["3 rows of 3", "4 of"]),
        ("nogo:3x3 ..../.../... black", ["3 rows of 3", "[4, 3, 3]"]),
        ("nogo:3x3 .../..?/... black", ["'?'", "row 2", "column 3", "cells look like . X O #"]),
        ("nogo:3x3 .../.../... red", ["'red'", "write black or white"]),
        ("nogo:3x3 .../.../... throw", ["throw", "write black or white"]),
        ("nogo:3x3 .../.../... black ply=0", ["ply", "leave it out"]),
        ("nogo:3x3 .../.../... black x", ["'x'", "key=value"]),
        ("othello:4x4 ..../.OX./.XO./.... black ply=0 ply=0", ["'ply=0'", "twice"]),
        ("othello:4x4 ..../.OX./.XO./.... black ply=-1", ["'-1'", "use 0 to"]),
        ("othello:4x4 ..../.OX./.XO./.... black ply=99999", ["'99999'", "use 0 to"]),
        ("othello:4x4 ..../.OX./.XO./.... black ply=", ["''", "use 0 to"]),
        ("othello:4x4 ..../.OX./.XO./.... black die=1", ["die", "leave it out"]),
        ("einstein:5x5 123../45.../6...f/...ed/..cba throw", ["add e.g. ply=0"]),
        ("einstein:5x5 123../45.../6...f/...ed/..cba black ply=0", ["'black'", "red or blue"]),
        ("einstein:5x5 023../45.../6...f/...ed/..cba throw ply=0", ["'0'", "1 to 6 for red"]),
        ("einstein:5x5 123../45.../6...f/...ed/..cba red ply=0 die=7", ["'7'", "1 to 6"]),
        ("einstein:5x5 123../45.../6...f/...ed/..cba red ply=0 die=0", ["'0'", "1 to 6"]),
        ("einstein:5x5 123../45.../6...f/...ed/..cba red ply=0 die=12", ["'12'", "1 to 6"]),
        ("einstein:5x5 123../45.../6...f/...ed/..cba throw ply=0 dice=1", ["dice", "leave it out"]),
    ],
)
def test_a_malformed_line_is_refused(text, said):
    assert_refused(PositionError, lambda: nogo.position(text), *said)


COURSE_BOARD = "012..../34...../5....../......a/.....bc/....def"
GOOD_DICE = "012345012345012345012"


@pytest.mark.parametrize("dice", ["0123", GOOD_DICE + "0", "6" + GOOD_DICE[1:], "x" * 21])
def test_a_dice_cycle_of_the_wrong_form_is_refused(dice):
    text = f"einstein {COURSE_BOARD} red ply=0 dice={dice}"
    assert_refused(PositionError, lambda: nogo.position(text), repr(dice), "21 digits from 0 to 5")


def test_a_course_board_without_dice_is_refused():
    text = f"einstein {COURSE_BOARD} red ply=0"
    assert_refused(PositionError, lambda: nogo.position(text), "dice", "21 digits from 0 to 5")


def test_a_course_board_with_one_die_is_refused():
    text = f"einstein {COURSE_BOARD} red ply=0 die=1 dice={GOOD_DICE}"
    assert_refused(PositionError, lambda: nogo.position(text), "einstein", "die", "leave it out")


def diagram(*rows: str) -> str:
    return "\n".join(["nogo:3x3 black", "  A B C", *rows, "  A B C"])


EMPTY_ROWS = ["3 . . . 3", "2 . . . 2", "1 . . . 1"]


def test_the_diagram_that_the_malformed_ones_are_made_of_is_good():
    assert nogo.position(diagram(*EMPTY_ROWS)) == nogo.game("nogo:3x3").start()


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(["3 . . . 3", "2 . . . 2"], id="a row is missing"),
        pytest.param([*EMPTY_ROWS, "1 . . . 1"], id="a row too many"),
        pytest.param(["2 . . . 2", "3 . . . 3", "1 . . . 1"], id="rows out of order"),
        pytest.param(["3 . . . 3", "2 . . 2", "1 . . . 1"], id="a cell is missing"),
        pytest.param(["3 . . . 3", "2 . .", "1 . . . 1"], id="a cell and a label are missing"),
        pytest.param(["3 . . . . 3", "2 . . . 2", "1 . . . 1"], id="a cell too many"),
        pytest.param(["3 . . . X", "2 . . . 2", "1 . . . 1"], id="a cell for a label"),
        pytest.param(["3 . ? . 3", "2 . . . 2", "1 . . . 1"], id="no such cell"),
        pytest.param(["9 . . . 9", "2 . . . 2", "1 . . . 1"], id="no such row"),
        pytest.param(["...", "...", "..."], id="no labels"),
        pytest.param([*EMPTY_ROWS, "and so on"], id="words after the board"),
    ],
)
def test_a_malformed_diagram_is_refused(rows):
    assert_refused(PositionError, lambda: nogo.position(diagram(*rows)), "nogo:3x3")


def test_a_diagram_without_a_turn_is_refused():
    text = "\n".join(["nogo:3x3", "  A B C", *EMPTY_ROWS])
    assert_refused(PositionError, lambda: nogo.position(text), "lacks the turn", "nogo:3x3 black")


def test_a_text_of_an_unknown_game_is_refused():
    assert_refused(GameNameError, lambda: nogo.position("othelo 8/8 black"), "'othelo'", "'othello'")


def test_a_text_of_another_game_is_refused():
    text = nogo.game("nogo:4x4").start().text
    said = ("nogo:4x4", "not of nogo:3x3", "nogo.position()")
    assert_refused(PositionError, lambda: nogo.game("nogo:3x3").parse(text), *said)


def position_or_nothing(text: str) -> nogo.Position | None:
    """None when the text is refused as it should be; any other error is the test's failure."""
    try:
        return nogo.position(text)
    except (PositionError, GameNameError):
        return None


@given(st.data())
@settings(max_examples=300)
def test_a_damaged_text_is_refused_or_is_another_position(data):
    start = nogo.game(data.draw(st.sampled_from(GAMES))).start()
    text = data.draw(st.sampled_from([start.text, start.diagram]))
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(begin + 4, len(text))))
    patch = data.draw(st.one_of(st.text(max_size=4), st.text("XO.#/= \n0159abBR", max_size=4)))
    position = position_or_nothing(text[:begin] + patch + text[end:])
    if position is not None:
        assert nogo.position(position.text) == position


# Positions that cannot arise


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nogo:3x3 XO./O../.X. black", ["A3", "without a liberty"]),
        ("nogo:3x3 OX./XX./O.O white", ["A3", "without a liberty"]),
        ("nogo:3x3 XX./.../... white", ["numbers of stones"]),
        ("nogo:3x3 O../.../... black", ["numbers of stones"]),
        ("nogo:3x3 .../.../... white", ["to move"]),
        ("nogo:3x3 X../.../... black", ["to move"]),
        ("nogo:3x3 #../.../... black", ["A3", "cannot stand there"]),
        ("nogo:3x3:B2 .../.../... black", ["B2", "cannot stand there"]),
        ("nogo:3x3:B2 .../.X./... white", ["B2", "cannot stand there"]),
        ("othello:4x4 ..../.O../.XO./.... black", ["c2", "centre"]),
        ("othello:4x4 ..../..../..../.... black", ["b2", "centre"]),
        ("othello:4x4 ..../.OX./.XO./...# black", ["d4", "cannot stand there"]),
        ("othello:6x6 X...../....../..OX../..XO../....../...... white", ["a1"]),
        ("othello:4x4 ..../.OX./.XO./.... black ply=1", ["to move"]),
        ("othello:4x4 ..../.OX./.XO./...X black ply=0", []),
    ],
)
def test_a_board_that_cannot_arise_is_refused(text, said):
    said = [repr(text), "cannot arise", "correct", *said]
    assert_refused(PositionError, lambda: nogo.position(text), *said)


SMALL_BOARD = "123../45.../6...f/...ed/..cba"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("einstein:5x5 113../45.../6...f/...ed/..cba throw ply=0", ["(0,1)", "cannot stand there"]),
        ("einstein:5x5 123../45.../6...f/...ed/..cbb throw ply=0", ["(4,4)", "cannot stand there"]),
        ("einstein:5x5 a23../45.../6...f/...ed/..cb1 throw ply=2", ["both sides have won"]),
        ("einstein:5x5 ...../...../...../...../..... throw ply=2", ["nobody is left"]),
        ("einstein:5x5 a23../45.../6...f/...ed/..cb. blue ply=2", ["to move"]),
        ("einstein:5x5 a23../45.../6...f/...ed/..cb. blue ply=3", ["to move"]),
        ("einstein:5x5 123../45.../6..../...../..... red ply=2", ["to move"]),
        (f"einstein:5x5 {SMALL_BOARD} throw ply=0 die=3", []),
        (f"einstein:5x5 {SMALL_BOARD} red ply=0", []),
        (f"einstein:5x5 {SMALL_BOARD} blue ply=0 die=1", ["to move"]),
        ("einstein:5x5 a23../45.../6...f/...ed/..cb. red ply=2 die=3", ["the die"]),
        (f"einstein:setdie {SMALL_BOARD} red ply=0 die=2", ["the die"]),
        (f"einstein:setdie {SMALL_BOARD} blue ply=1", ["the die is missing"]),
        (f"einstein:setdie {SMALL_BOARD} throw ply=1 die=4", ["to move"]),
        (f"einstein {COURSE_BOARD} throw ply=0 dice={GOOD_DICE}", ["to move"]),
        (f"einstein {COURSE_BOARD} blue ply=0 dice={GOOD_DICE}", ["to move"]),
        (f"einstein {COURSE_BOARD[:-1]}0 red ply=0 dice={GOOD_DICE}", ["(5,6)", "cannot stand"]),
    ],
)
def test_cubes_and_dice_that_cannot_arise_are_refused(text, said):
    said = [repr(text), "cannot arise", "correct", *said]
    assert_refused(PositionError, lambda: nogo.position(text), *said)


@pytest.mark.parametrize(
    "text",
    [
        f"einstein {COURSE_BOARD} blue ply=65535 dice={GOOD_DICE}",
        "othello:4x4 ..../.OX./.XO./.... white ply=65535",
    ],
)
def test_the_count_of_moves_never_starts_again_from_zero(text):
    with pytest.raises(NogoError):
        nogo.position(text).play(nogo.position(text).legal_moves()[0])


# Moves

NOT_MOVES = [
    *(True, np.bool_(True), 1.0, np.float64(1), None, ..., {}, [1], (1,), b"A1", np.array([4])),
    *(-1, 1000, 2**31, 2**63, 2**64, 10**30, -(2**31) - 1, -(10**30)),
    *(np.int8(-1), np.uint64(2**63)),
    *("", "z99", "I1", "A0", "A01", "99", "d0", "=0", "00=0", "a\u0661"),
]


@every_game
@pytest.mark.parametrize("move", NOT_MOVES, ids=repr)
def test_what_is_no_move_of_the_game_is_invalid(name, move):
    position = nogo.game(name).start()
    before = position.text
    assert_refused(InvalidMoveError, lambda: position.play(move), repr(move), name, "moves")
    assert position.why_illegal(move)
    assert not position.is_legal(move)
    assert position.text == before


@pytest.mark.parametrize(
    ("name", "move", "example"),
    [
        ("nogo:3x3", "D4", "D4"),
        ("nogo:3x3", "pass", "D4"),
        ("othello", "e9", "f5"),
        ("othello:4x4", "f5", "f5"),
        ("einstein", "60", "32"),
        ("einstein", "d1", "32"),
        ("einstein:5x5", "33", "32"),
        ("einstein:5x5", "01", "32"),
        ("einstein:5x5", "=1", "d5"),
        ("einstein:setdie", "32", "32=5"),
        ("einstein:setdie", "33=1", "32=5"),
        ("einstein:setdie", "d1", "=5"),
    ],
)
def test_a_move_of_another_game_is_invalid_and_a_right_one_is_shown(name, move, example):
    game = nogo.game(name)
    for call in (lambda: game.move(move), lambda: game.start().play(move)):
        assert_refused(InvalidMoveError, call, repr(move), name, example)


@every_game
def test_every_number_below_the_move_count_is_a_move_with_a_name_of_its_own(name):
    game = nogo.game(name)
    assert [game.move(game.move_name(move)) for move in range(game.move_count)] == list(range(game.move_count))


@pytest.mark.parametrize("move", [-1, 9, 10**30, 1.0, None, "A1"])
def test_only_a_move_s_number_has_a_name(move):
    game = nogo.game("nogo:3x3")
    assert_refused(InvalidMoveError, lambda: game.move_name(move), repr(move), "0 to 8")


def test_a_truth_value_has_no_move_name():
    assert_refused(InvalidMoveError, lambda: nogo.game("nogo:3x3").move_name(True), "True")


@pytest.mark.parametrize("name", [None, 5, 1.0, b"A1", ["A1"]])
def test_only_text_names_a_move(name):
    assert_refused(InvalidMoveError, lambda: nogo.game("nogo:3x3").move(name), repr(name), "D4")


@pytest.mark.parametrize("kind", WHOLE_NUMBER_TYPES)
def test_whole_numbers_of_numpy_are_moves(kind):
    position = nogo.game("nogo:3x3").start()
    assert position.play(kind(4)) == position.play(4)
    assert position.is_legal(kind(4))


@pytest.mark.parametrize("kind", WHOLE_NUMBER_TYPES)
def test_whole_numbers_of_numpy_have_move_names(kind):
    assert nogo.game("nogo:3x3").move_name(kind(4)) == "B2"


@pytest.mark.parametrize(
    ("text", "move", "why"),
    [
        ("nogo:3x3 .X./.../... white", "B3", "not empty"),
        ("nogo:3x3 X.X/OX./.O. white", "B3", "capture"),
        ("nogo:3x3 .O./O../XX. black", "A3", "suicide"),
        ("nogo:3x3:B2 .../.#./... black", "B2", "off the board"),
        ("othello:4x4 ..../.OX./.XO./.... black", "pass", "pass"),
        ("othello:4x4 ..../.OX./.XO./.... black", "d4", "flips nothing"),
        ("othello:4x4 ..../.OX./.XO./.... black", "b2", "not empty"),
        (f"einstein {COURSE_BOARD} red ply=0 dice={GOOD_DICE}", "50", "another cube"),
        (f"einstein {COURSE_BOARD} red ply=0 dice={GOOD_DICE}", "03", "off the board"),
        (f"einstein:5x5 {SMALL_BOARD} throw ply=0", "10", "the die comes first"),
        (f"einstein:5x5 {SMALL_BOARD} red ply=0 die=1", "d1", "the die is known already"),
        (f"einstein:setdie {SMALL_BOARD} red ply=0", "10=1", "the die comes first"),
        ("einstein:5x5 .23../45.../6...f/...ed/..cba red ply=8 die=1", "10", "the cube is gone"),
        ("einstein:5x5 a23../45.../6...f/...ed/..cb. red ply=2", "20", "the game is over"),
    ],
)
def test_a_move_against_the_rules_is_illegal_and_the_reason_is_said(text, move, why):
    position = nogo.position(text)
    said = (move, why, repr(text), "legal_moves()")
    assert_refused(IllegalMoveError, lambda: position.play(move), *said)
    assert position.text == text


@every_game
def test_exactly_the_moves_not_listed_are_refused(name):
    position = nogo.game(name).start()
    legal = set(position.legal_moves())
    for move in set(range(position.game.move_count)) - legal:
        with pytest.raises((IllegalMoveError, InvalidMoveError)):
            position.play(move)
    assert legal
    assert all(position.play(move) is not None for move in legal)


@pytest.mark.parametrize("player", [-1, 2, 7, 2**70, "black", 0.5])
def test_moves_of_a_player_who_is_none_are_refused(player):
    position = nogo.game("nogo:3x3").start()
    said = (f"player={player!r}", "0", "1")
    assert_refused(ArgumentError, lambda: position.legal_moves(player), *said)


@pytest.mark.parametrize("player", [2**70, "black", 0.5])
def test_legality_for_a_player_who_is_none_is_refused(player):
    position = nogo.game("nogo:3x3").start()
    for ask in (position.is_legal, position.why_illegal):
        with pytest.raises(ArgumentError, match="player"):
            ask("A1", player)


@given(
    name=st.sampled_from(GAMES),
    move=st.one_of(st.integers(), st.text(max_size=5), st.floats(), st.none(), st.booleans()),
)
def test_anything_played_is_a_move_or_an_error_of_ours(name, move):
    position = nogo.game(name).start()
    before = position.text
    try:
        child = position.play(move)
    except (InvalidMoveError, IllegalMoveError):
        assert not position.is_legal(move)
    else:
        assert child != position
    assert position.text == before


# Numbers


@both_ways
@pytest.mark.parametrize("games", [0, -1, -(2**70), 2**40 + 1, 2**64, 10**30])
def test_a_number_of_games_out_of_range_is_refused(games, run):
    position = nogo.game("nogo:3x3").start()
    said = (f"n={games}", f"use 1 to {2**40}")
    assert_refused(ArgumentError, lambda: run(position, games, seed=1), *said)


@both_ways
@pytest.mark.parametrize("games", NOT_WHOLE_NUMBERS, ids=repr)
def test_a_number_of_games_that_is_not_whole_is_refused(games, run):
    position = nogo.game("nogo:3x3").start()
    said = (f"n={games!r}", "whole number", "use 1 to")
    assert_refused(ArgumentError, lambda: run(position, games, seed=1), *said)


SEEDED = {
    "playouts": lambda seed: nogo.playouts(nogo.game("nogo:3x3").start(), 5, seed=seed),
    "single": lambda seed: single_playouts(nogo.game("nogo:3x3").start(), 5, seed=seed),
    "start": lambda seed: nogo.game("einstein").start(seed=seed),
}


@pytest.mark.parametrize("what", SEEDED)
@pytest.mark.parametrize("seed", [-1, 2**64, 10**30, -(10**30)])
def test_a_seed_out_of_range_is_refused(what, seed):
    said = (f"seed={seed}", "use 0 to")
    assert_refused(ArgumentError, lambda: SEEDED[what](seed), *said)


@pytest.mark.parametrize("what", SEEDED)
@pytest.mark.parametrize("seed", NOT_WHOLE_NUMBERS, ids=repr)
def test_a_seed_that_is_not_whole_is_refused(what, seed):
    said = (f"seed={seed!r}", "whole number", "use 0 to")
    assert_refused(ArgumentError, lambda: SEEDED[what](seed), *said)


@pytest.mark.parametrize("what", SEEDED)
@pytest.mark.parametrize("seed", [0, 2**63, 2**64 - 1])
def test_the_least_and_the_greatest_seeds_are_accepted(what, seed):
    assert SEEDED[what](seed) is not None


@pytest.mark.parametrize("threads", [0, -1, 257, 2**40, 10**30])
def test_a_number_of_threads_out_of_range_is_refused(threads):
    position = nogo.game("nogo:3x3").start()
    said = (f"threads={threads}", "use 1 to 256")
    assert_refused(ArgumentError, lambda: nogo.playouts(position, 5, seed=1, threads=threads), *said)


@pytest.mark.parametrize("threads", NOT_WHOLE_NUMBERS, ids=repr)
def test_a_number_of_threads_that_is_not_whole_is_refused(threads):
    position = nogo.game("nogo:3x3").start()
    said = (f"threads={threads!r}", "whole number", "use 1 to")
    assert_refused(ArgumentError, lambda: nogo.playouts(position, 5, seed=1, threads=threads), *said)


@pytest.mark.parametrize("kind", WHOLE_NUMBER_TYPES)
def test_whole_numbers_of_numpy_are_counts(kind):
    position = nogo.game("nogo:3x3").start()
    expected = nogo.playouts(position, 100, seed=1)
    found = nogo.playouts(position, kind(100), seed=1, threads=kind(1))
    assert found.counts.tolist() == expected.counts.tolist()


@pytest.mark.parametrize("depth", [-1, 1001, 2**70, *NOT_WHOLE_NUMBERS], ids=repr)
def test_a_depth_out_of_range_or_not_whole_is_refused(depth):
    position = nogo.game("nogo:3x3").start()
    said = (f"depth={depth!r}", "use 0 to 1000")
    assert_refused(ArgumentError, lambda: nogo.perft(position, depth), *said)


def test_playouts_without_a_seed_are_refused_by_python_itself():
    with pytest.raises(TypeError, match="seed"):
        nogo.playouts(nogo.game("nogo:3x3").start(), 5)


# Starts


@pytest.mark.parametrize(
    ("name", "setup", "said"),
    [
        ("nogo:3x3", {"red": "012345"}, ["nogo:3x3", "takes no red"]),
        ("othello", {"seed": 1}, ["othello", "takes no seed"]),
        ("einstein", {"red": "012344"}, ["red='012344'", "012345", "each number once"]),
        ("einstein", {"blue": "01234"}, ["blue='01234'", "012345"]),
        ("einstein", {"blue": "0123456"}, ["blue='0123456'", "012345"]),
        ("einstein", {"red": "123456"}, ["red='123456'", "012345"]),
        ("einstein", {"red": 12345}, ["red=12345", "012345"]),
        ("einstein", {"red": None}, ["red=None", "012345"]),
        ("einstein", {"red": list("012345")}, ["red=['0'", "012345"]),
        ("einstein", {"dice": "012"}, ["dice='012'", "21 digits from 0 to 5"]),
        ("einstein", {"dice": 5}, ["dice=5", "21 digits"]),
        ("einstein", {"dice": "6" * 21}, ["dice='666", "21 digits"]),
        ("einstein", {"seed": 1, "red": "012345"}, ["seed", "alone"]),
        ("einstein", {"colour": "red"}, ["colour", "it takes blue, dice, red, or seed alone"]),
        ("einstein:5x5", {"dice": GOOD_DICE}, ["dice", "it takes blue, red, or seed alone"]),
        ("einstein:5x5", {"red": "012345"}, ["red='012345'", "123456"]),
        ("einstein:setdie", {"dice": "1" * 21}, ["dice", "it takes blue, red, or seed alone"]),
    ],
)
def test_a_start_of_the_wrong_arguments_is_refused(name, setup, said):
    assert_refused(ArgumentError, lambda: nogo.game(name).start(**setup), *said)


@every_game
def test_a_start_takes_no_positional_arguments(name):
    with pytest.raises(TypeError):
        nogo.game(name).start("012345")


# Symmetries


@pytest.mark.parametrize("symmetry", ["identity", None, 5])
def test_what_is_no_symmetry_is_refused(symmetry):
    position = nogo.game("nogo:3x3").start()
    said = (repr(symmetry), "nogo:3x3", "game.symmetries")
    assert_refused(ArgumentError, lambda: position.transform(symmetry), *said)


def test_a_symmetry_of_another_board_is_refused():
    other = nogo.game("nogo:4x4").symmetries[1]
    position = nogo.game("nogo:3x3").start()
    assert_refused(ArgumentError, lambda: position.transform(other), other.name, "nogo:3x3")


# Handles: memory that is not what it should be

JOB = (1, 0, 5, 1, False)


def engine_calls(handle: object, c: object) -> dict[str, Callable[[], object]]:
    """Every call of the engine on a position."""
    child, totals = core.ffi.new("nogo_position *"), core.totals_new()
    return {
        "get": lambda: core.position_get(handle, c, 9),
        "moves": lambda: core.position_moves(handle, c, 0),
        "key": lambda: core.position_key(handle, c),
        "check": lambda: core.move_check(handle, c, 0, 0),
        "perft": lambda: core.perft(handle, c, 1),
        "play": lambda: core.check(core.position_play(handle, c, 0, child)),
        "playouts": lambda: core.playouts_run(handle, c, totals, JOB),
        "single": lambda: core.playouts_run(handle, c, totals, JOB, single=True),
    }


CALLS = list(engine_calls(None, None))


@pytest.mark.parametrize("call", CALLS)
def test_the_calls_accept_a_position_of_the_game_and_only_that(call):
    position = nogo.game("nogo:3x3").start()
    engine_calls(position.game.handle, position._c)[call]()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("other", ["nogo:4x4", "nogo:3x3:B2", "othello", "einstein"])
def test_a_position_of_another_game_is_refused(call, other):
    position, handle = nogo.game("nogo:3x3").start(), nogo.game(other).handle
    calls = engine_calls(handle, position._c)
    assert_refused(HandleError, calls[call], "another game", "game.start()")


@pytest.mark.parametrize("call", CALLS)
def test_a_zeroed_position_is_refused(call):
    calls = engine_calls(nogo.game("nogo:3x3").handle, core.ffi.new("nogo_position *"))
    assert_refused(HandleError, calls[call], "not made by nogo", "game.start()")


@pytest.mark.parametrize("call", CALLS)
def test_a_null_game_and_a_null_position_are_refused(call):
    position, null = nogo.game("nogo:3x3").start(), core.ffi.NULL
    assert_refused(HandleError, engine_calls(null, position._c)[call])
    assert_refused(HandleError, engine_calls(position.game.handle, null)[call])


def test_a_null_game_starts_nothing_and_has_nothing():
    null = core.ffi.NULL
    assert_refused(HandleError, lambda: core.position_start(null))
    assert_refused(HandleError, lambda: core.position_set(null, core.Layout(bytes(9), 0, 0)))
    assert core.game_move_count(null) == 0
    assert core.game_outcomes(null) == ()


def test_a_position_under_another_instruction_set_is_of_the_same_game():
    isas = nogo.build_info().isas_here
    position = game_for("nogo:3x3", isas[0]).start()
    totals = core.totals_new()
    core.playouts_run(game_for("nogo:3x3", isas[-1]).handle, position._c, totals, JOB)
    assert totals.games == 5


@pytest.mark.parametrize("call", [nogo.playouts, single_playouts])
@pytest.mark.parametrize("what", [None, "nogo:3x3 .../.../... black", 5])
def test_playouts_of_what_is_no_position_are_refused(call, what):
    said = (repr(what), "not a position", "game.start()", "nogo.position(text)")
    assert_refused(HandleError, lambda: call(what, 5, seed=1), *said)


@pytest.mark.parametrize("what", [None, "nogo:3x3 .../.../... black", 5])
def test_perft_of_what_is_no_position_is_refused(what):
    said = (repr(what), "not a position", "game.start()", "nogo.position(text)")
    assert_refused(HandleError, lambda: nogo.perft(what, 1), *said)


def test_a_game_is_no_position_either():
    assert_refused(HandleError, lambda: nogo.perft(nogo.game("nogo:3x3"), 1), "not a position")


# Nothing half-changed


@pytest.mark.parametrize(
    "job",
    [
        pytest.param((1, 1, 5, 1, True), id="does not begin at a block"),
        pytest.param((1, 0, 2**40 + 1, 1, True), id="too many games"),
        pytest.param((1, 0, 5, 0, True), id="no threads"),
        pytest.param((1, 0, 5, -1, True), id="negative threads"),
        pytest.param((1, 0, 5, 257, True), id="too many threads"),
    ],
)
@pytest.mark.parametrize("single", [False, True])
def test_a_refused_job_leaves_the_totals_as_they_were(job, single):
    position, totals = nogo.game("nogo:3x3").start(), core.totals_new()
    core.playouts_run(position.game.handle, position._c, totals, JOB, single=single)
    before = bytes(core.ffi.buffer(totals))
    with pytest.raises(ArgumentError):
        core.playouts_run(position.game.handle, position._c, totals, job, single=single)
    assert bytes(core.ffi.buffer(totals)) == before


def filled_with_marks(kind: str) -> object:
    memory = core.ffi.new(kind)
    core.ffi.memmove(memory, b"\xa5" * core.ffi.sizeof(memory[0]), core.ffi.sizeof(memory[0]))
    return memory


def test_a_refused_move_leaves_the_child_as_it_was():
    position = nogo.position("nogo:3x3 .X./.../... white")
    child = filled_with_marks("nogo_position *")
    before = bytes(core.ffi.buffer(child))
    for move in (1, -1, 9, 2**31 - 1):
        assert core.position_play(position.game.handle, position._c, move, child) != core.lib.NOGO_OK
    assert bytes(core.ffi.buffer(child)) == before


def test_a_refused_layout_leaves_the_position_as_it_was():
    game, layout = nogo.game("nogo:3x3"), core.ffi.new("nogo_layout *")
    layout.turn = nogo.SECOND  # on the empty board
    position, cell = filled_with_marks("nogo_position *"), core.ffi.new("int *")
    before = bytes(core.ffi.buffer(position))
    status = core.lib.nogo_position_set(game.handle, layout, cell, position)
    assert status == core.lib.NOGO_E_TURN
    assert bytes(core.ffi.buffer(position)) == before


@pytest.mark.parametrize(
    ("family", "columns", "rows", "holes"),
    [
        ("nogo", 0, 5, []),
        ("nogo", 17, 1, []),
        ("nogo", 12, 11, []),
        ("nogo", 3, 3, [9]),
        ("nogo", 2, 1, [0, 1]),
        ("othello", 5, 5, []),
        ("othello", 8, 6, []),
        ("othello", 8, 8, [0]),
        ("einstein", 5, 5, []),
    ],
)
def test_the_engine_makes_no_game_that_cannot_be(family, columns, rows, holes):
    spec, out = core.ffi.new("nogo_spec *"), core.ffi.new("nogo_game **")
    spec.family, spec.columns, spec.rows = core.FAMILIES[family], columns, rows
    spec.hole_count, spec.holes[0 : len(holes)] = len(holes), holes
    status = core.lib.nogo_game_new(spec, 0, out)
    assert_refused(ArgumentError, lambda: core.check(status), "out of range")
    assert out[0] == core.ffi.NULL


@pytest.mark.parametrize("isa", [-1, 99])
def test_the_engine_makes_no_game_for_an_unknown_instruction_set(isa):
    spec, out = core.ffi.new("nogo_spec *"), core.ffi.new("nogo_game **")
    spec.family, spec.columns, spec.rows = core.FAMILIES["nogo"], 3, 3
    status = core.lib.nogo_game_new(spec, isa, out)
    assert_refused(InstructionSetError, lambda: core.check(status), "not built")
    assert out[0] == core.ffi.NULL


def test_a_status_nobody_expects_is_an_error_too():
    assert_refused(NogoError, lambda: core.check(999), "999")


# NOGO_ISA


def test_an_unknown_instruction_set_is_refused(monkeypatch):
    monkeypatch.setenv("NOGO_ISA", "mmx")
    said = ("NOGO_ISA='mmx'", "unknown", "plain", "unset")
    assert_refused(InstructionSetError, lambda: nogo.game("nogo:3x3"), *said)
    assert_refused(InstructionSetError, nogo.build_info, *said)


def test_an_empty_nogo_isa_is_none(monkeypatch):
    monkeypatch.delenv("NOGO_ISA", raising=False)
    best = nogo.build_info().isa
    monkeypatch.setenv("NOGO_ISA", "")
    assert nogo.build_info().isa == best


def test_an_unknown_instruction_set_is_refused_in_a_new_process(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "import nogo; nogo.game('nogo:3x3')"],
        env={**os.environ, "NOGO_ISA": "avx1024"},
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    last_line = done.stderr.strip().splitlines()[-1]
    assert last_line.startswith("nogo.errors.InstructionSetError: NOGO_ISA='avx1024' is unknown")
    assert "plain" in last_line
