"""Positions and moves as text, arrays, keys and mirror images: what goes out comes back."""

from __future__ import annotations

import copy
import pickle
import random
import re
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
import reference
from games import (
    EINSTEIN,
    OTHELLO,
    SMALL_NOGO,
    VARIANTS,
    RandomGame,
    Side,
    choices,
    choose,
    examples,
    examples_each,
    nogo_boards,
    play_both,
    play_engine,
    play_names,
    point_names,
    random_games,
    random_positions,
)
from hypothesis import given
from hypothesis import strategies as st

import nogo
from nogo.errors import (
    ArgumentError,
    GameNameError,
    InvalidMoveError,
    NogoError,
    PositionError,
)

PLAYERS = (nogo.FIRST, nogo.SECOND)


def looks_of(position: nogo.Position) -> dict[str, object]:
    return {
        "game": position.game.name,
        "text": position.text,
        "diagram": position.diagram,
        "key": position.key,
        "hash": hash(position),
        "ply": position.ply,
        "turn": position.turn,
        "result": position.result,
        "cells": position.cells.tolist(),
        "moves": [position.legal_moves(), *map(position.legal_moves, PLAYERS)],
    }


def assert_same_position(again: nogo.Position, position: nogo.Position) -> None:
    assert again == position
    assert looks_of(again) == looks_of(position)


# ---- text and diagram ----


def assert_text_comes_back(position: nogo.Position) -> None:
    assert len(position.text.splitlines()) == 1
    assert str(position) == position.diagram
    for text in (position.text, position.diagram):
        assert_same_position(nogo.position(text), position)
        assert nogo.game(position.game.name).parse(text) == position


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(4)
def test_text_and_diagram_come_back_at_every_ply(name: str, data: st.DataObject) -> None:
    for position in play_engine(data.draw(random_games(name))):
        assert_text_comes_back(position)


@given(board=nogo_boards(), choices=choices())
@examples(30)
def test_text_and_diagram_come_back_on_boards_with_holes(board: str, choices: bytes) -> None:
    *_, end = play_engine(RandomGame(board, choices))
    assert_text_comes_back(end)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("nogo:3x3 .X./.O./... black", [[0, 1, 0], [0, 2, 0], [0, 0, 0]]),
        ("nogo:3x2:B2 X#./..O black", [[1, -1, 0], [0, 0, 2]]),
        (
            "othello:4x4 .X../.XX./.OO./.O.. black ply=4",
            [[0, 1, 0, 0], [0, 1, 1, 0], [0, 2, 2, 0], [0, 2, 0, 0]],
        ),
        (
            "einstein:5x5 ....6/1..../...../..c../a...b red ply=8 die=4",
            [[0, 0, 0, 0, 6], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 9, 0, 0], [7, 0, 0, 0, 8]],
        ),
        (
            "einstein:setdie ....6/1..../...../..c../a...b blue ply=9 die=5",
            [[0, 0, 0, 0, 6], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 9, 0, 0], [7, 0, 0, 0, 8]],
        ),
        (
            "einstein 0....../......./..5..../......f/......./.a..... blue ply=9 dice=343242404031241152042",
            [
                [1, 0, 0, 0, 0, 0, 0],
                [0, 0, 0, 0, 0, 0, 0],
                [0, 0, 6, 0, 0, 0, 0],
                [0, 0, 0, 0, 0, 0, 12],
                [0, 0, 0, 0, 0, 0, 0],
                [0, 7, 0, 0, 0, 0, 0],
            ],
        ),
    ],
)
def test_a_line_is_read_as_its_picture(text: str, cells: list[list[int]]) -> None:
    position = nogo.position(text)
    assert position.cells.tolist() == cells
    assert position.text == text


def test_a_diagram_is_read_as_its_picture() -> None:
    diagram = """nogo:3x2:B1 white
      A B C
    2 . X . 2
    1 . # . 1
      A B C"""
    assert nogo.position(diagram) == nogo.game("nogo:3x2:B1").start().play("B2")


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(3)
def test_case_and_spaces_of_a_line_do_not_matter(name: str, data: st.DataObject) -> None:
    position = data.draw(random_positions(name))
    game, board, turn, *options = position.text.split()
    for change in (str.upper, str.lower):
        words = [change(game), change(board), change(turn), *options]
        assert nogo.position(f"  {'   '.join(words)} \n") == position


# Number 40 of the FFO endgame test, as its file has it.
FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"
FFO_ROWS = [FFO_40[start : start + 8] for start in range(0, 64, 8)]


def test_othello_boards_of_other_programs_can_be_pasted() -> None:
    cells = [["-XO".index(symbol) for symbol in row] for row in FFO_ROWS]
    rows = "/".join(FFO_ROWS)
    drawing = "\n".join(f"{number} {' '.join(row)}" for number, row in enumerate(FFO_ROWS, 1))
    texts = [
        f"othello {rows} black",
        f"othello {rows.replace('X', '*')} black",
        f"othello {rows.replace('-', '.')} black",
        f"othello {rows.lower()} black",
        f"othello black\n  a b c d e f g h\n{drawing}",
        f"othello black\n  a b c d e f g h\n{drawing.replace('X', '*')}\n  a b c d e f g h\n",
    ]
    positions = [nogo.position(text) for text in texts]
    assert [position.cells.tolist() for position in positions] == [cells] * len(texts)
    assert len(set(positions)) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("nogo:3x3", id="name-only"),
        pytest.param("nogo:3x3 .../.../...", id="no-turn"),
        pytest.param("nogo:3x3 .../... black", id="row-missing"),
        pytest.param("nogo:3x3 .../.../.../... black", id="row-too-many"),
        pytest.param("nogo:3x3 .../..../... black", id="row-too-long"),
        pytest.param("nogo:3x3 .../.?./... black", id="no-such-cell"),
        pytest.param("nogo:3x3 .../.../... red", id="no-such-side"),
        pytest.param("nogo:3x3 .../.../... white", id="white-cannot-begin"),
        pytest.param("nogo:3x3 .X./.../... black", id="not-black-again"),
        pytest.param("nogo:3x3 .X./X../... white", id="two-black-stones"),
        pytest.param("nogo:3x3 .O./.../... black", id="a-white-stone-alone"),
        pytest.param("nogo:3x3 XO./OX./... black", id="no-liberty"),
        pytest.param("nogo:3x3 .#./.../... black", id="hole-on-a-plain-board"),
        pytest.param("nogo:3x3:B2 .../.../... black", id="hole-left-out"),
        pytest.param("nogo:3x3:B2 .../.X./... white", id="stone-in-a-hole"),
        pytest.param("nogo:3x3 .../.../... black ply=0", id="nogo-has-no-ply"),
        pytest.param("nogo:3x3 .../.../... throw", id="nogo-has-no-die"),
        pytest.param("othello:4x4 ..../.OX./.X../.... black", id="centre-empty"),
        pytest.param("othello:4x4 X.../.OX./.XO./...# white", id="othello-has-no-holes"),
        pytest.param("othello:6x6 X...../....../..OX../..XO../....../...... white", id="disc-far-away"),
        pytest.param("othello:4x4 ..../.OX./.XO./.... black ply=1", id="ply-of-the-other-side"),
        pytest.param("othello:4x4 .X../.XX./.XO./.... white ply=-1", id="negative-ply"),
        pytest.param("othello:4x4 XX../XXX./.XO./.... white ply=1", id="more-discs-than-plies"),
        pytest.param("einstein:5x5 1..../...../...../...../...a. red die=1", id="no-ply"),
        pytest.param("einstein:5x5 1...1/...../...../...../...a. red ply=2 die=1", id="cube-twice"),
        pytest.param("einstein:5x5 0..../...../...../...../...a. red ply=2 die=1", id="cube-zero"),
        pytest.param("einstein:5x5 1..../...../...../...../...a. red ply=2 die=0", id="die-zero"),
        pytest.param("einstein:5x5 1..../...../...../...../...a. red ply=2 die=7", id="die-seven"),
        pytest.param("einstein:5x5 1..../...../...../...../...a. blue ply=2 die=1", id="parity"),
        pytest.param("einstein:5x5 1..../...../...../...../...a. throw ply=2 die=1", id="thrown"),
        pytest.param("einstein:5x5 1..../...../...../...../...a. red ply=2", id="not-thrown"),
        pytest.param("einstein:5x5 a..../...../...../...../....1 red ply=2", id="both-won"),
        pytest.param("einstein:5x5 ...../...../...../...../..... red ply=2", id="nobody-left"),
        pytest.param("einstein:5x5 ...a./...../...../...../....1 red ply=2", id="winner-to-move"),
        pytest.param("einstein:setdie 1..../...../...../...../...a. blue ply=1", id="die-not-set"),
        pytest.param("einstein:setdie 1..../...../...../...../...a. red ply=0 die=1", id="set-yet"),
        pytest.param("einstein 0....../......./......./......./......./.....a. red ply=2", id="no-dice"),
        pytest.param(
            "einstein 0....../......./......./......./......./.....a. red ply=2 dice=01234",
            id="too-few-dice",
        ),
    ],
)
def test_a_text_that_is_no_possible_position_is_refused(text: str) -> None:
    with pytest.raises(PositionError):
        nogo.position(text)


@pytest.mark.parametrize("junk", ["", "   ", "\n", None, 7, b"nogo:3x3 .../.../... black"])
def test_what_names_no_game_is_no_position(junk: object) -> None:
    with pytest.raises(NogoError):
        nogo.position(junk)


def test_a_game_does_not_read_positions_of_another() -> None:
    with pytest.raises(PositionError):
        nogo.game("nogo:3x3").parse("nogo:3x4 .../.../.../... black")


def test_a_game_reads_its_text_however_many_games_were_made_since() -> None:
    game = nogo.game("nogo:3x3")
    for holes in product(range(1, 8), repeat=3):
        nogo.game("nogo:7x7:A{},C{},E{}".format(*holes))
    assert game.parse(game.start().text) == game.start()


@pytest.mark.parametrize("ply", [65533, 65535])
@pytest.mark.parametrize("name", ["othello", "einstein:5x5"])
def test_a_ply_that_is_read_can_be_counted_on(name: str, ply: int) -> None:
    """A number of moves too large to go on from must be refused."""
    board = nogo.game(name).start().text.split()[1]
    words = {"othello": f"white ply={ply}", "einstein:5x5": f"blue ply={ply} die=1"}[name]
    try:
        position = nogo.position(f"{name} {board} {words}")
    except PositionError:
        return
    assert position.play(position.legal_moves()[0]).ply == ply + 1


# ---- any text at all ----


def assert_read_or_refused(text: str) -> None:
    """Either it is a position whose own text comes back, or the package refuses it by name."""
    try:
        position = nogo.position(text)
    except NogoError:
        return
    assert_same_position(nogo.position(position.text), position)
    assert_same_position(nogo.position(position.diagram), position)


@given(text=st.text())
@examples(200)
def test_any_text_is_read_or_refused(text: str) -> None:
    assert_read_or_refused(text)


INSERTIONS = st.one_of(
    st.text(".XO#-*/ \n=0123456789abcdefR", max_size=3),
    st.sampled_from(["ply=", " die=1", " dice=", "throw", "black", "white", "red", "\x85", "\x1f"]),
    st.text(max_size=2),
)


@st.composite
def damaged_texts(draw: st.DrawFn) -> str:
    """The text or diagram of a position with a few pieces cut out and others put in."""
    position = draw(st.sampled_from(VARIANTS).flatmap(random_positions))
    text = draw(st.sampled_from([position.text, position.diagram]))
    for _ in range(draw(st.integers(1, 3))):
        at, cut = draw(st.integers(0, len(text))), draw(st.integers(0, 3))
        text = text[:at] + draw(INSERTIONS) + text[at + cut :]
    return text


@given(text=damaged_texts())
@examples(300)
def test_any_damaged_text_is_read_or_refused(text: str) -> None:
    assert_read_or_refused(text)


@st.composite
def assembled_texts(draw: st.DrawFn) -> str:
    """Words that each look right, on boards of the right size."""
    game = nogo.game(draw(st.one_of(st.sampled_from(VARIANTS), nogo_boards(max_points=12))))
    symbols = "...123456abcdef0" if game.family == "einstein" else "..XO#-*xo"
    row = st.text(symbols, min_size=game.columns, max_size=game.columns)
    rows = draw(st.lists(row, min_size=game.rows, max_size=game.rows))
    turn = draw(st.sampled_from([*game.players, "throw", "Black", "none"]))
    options = draw(
        st.lists(
            st.one_of(
                st.integers(-1, 2**17).map("ply={}".format),
                st.integers(0, 7).map("die={}".format),
                st.text("0123456", min_size=20, max_size=21).map("dice={}".format),
                st.sampled_from(["=", "ply", "ply=", "ply=²", "die=", "dice=", "x=y"]),
            ),
            max_size=3,
        )
    )
    return " ".join([game.name, "/".join(rows), turn, *options])


@given(text=assembled_texts())
@examples(300)
def test_any_assembled_text_is_read_or_refused(text: str) -> None:
    assert_read_or_refused(text)


# ---- names of games ----


@pytest.mark.parametrize("name", VARIANTS)
def test_names_of_games_are_canonical_in_either_case(name: str) -> None:
    game = nogo.game(name)
    assert game.name == name
    assert nogo.game(name.upper()).name == name
    assert nogo.game(f" {name} ").name == name
    state = reference.start(name)
    assert (game.columns, game.rows) == (state.columns, state.rows)


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("nogo", "nogo:9x9"),
        ("othello:8x8", "othello"),
        ("nogo:3x3:c1,A2", "nogo:3x3:A2,C1"),
        ("nogo:3x3:B1,A1,A3", "nogo:3x3:A3,A1,B1"),
    ],
)
def test_other_names_give_the_canonical_game(short: str, name: str) -> None:
    assert nogo.game(short).name == name


@given(board=nogo_boards())
@examples(50)
def test_any_board_within_the_limits_is_a_game_with_its_holes(board: str) -> None:
    game = nogo.game(board)
    _, _, holes = board[len("nogo:") :].partition(":")
    assert game.name == board
    assert ",".join(game.holes) == holes
    assert game.move_count == game.columns * game.rows


NAME_PARTS = ["nogo", "hollow-nogo", "othello", "einstein", ":", "x", ",", "-1", "0", "1", "3", "9"]
NAME_PARTS += ["11", "16", "17", "121", "A1", "B2", "I1", "Q16", "5x5", "setdie", " ", "٣", "²"]


@given(name=st.one_of(st.text(), st.lists(st.sampled_from(NAME_PARTS), max_size=9).map("".join)))
@examples(300)
def test_any_name_is_a_game_or_refused(name: str) -> None:
    try:
        game = nogo.game(name)
    except GameNameError:
        return
    assert nogo.game(game.name).name == game.name
    assert nogo.position(game.start().text) == game.start()


@pytest.mark.parametrize(
    "name",
    [
        "nogo:0x5",
        "nogo:17x1",
        "nogo:1x17",
        "nogo:11x12",
        "nogo:16x8",
        "nogo:3x3:D1",
        "nogo:3x3:A1,A1",
        "nogo:3x3:",
        "nogo:1x1:A1",
        "nogo:9",
        "othello:5x5",
        "einstein:6x7",
        "chess",
        "",
        None,
        9,
    ],
)
def test_boards_that_do_not_exist_are_refused(name: object) -> None:
    with pytest.raises(GameNameError):
        nogo.game(name)


# ---- names of moves ----


def expected_move_names(game: nogo.Game) -> set[str]:
    if game.family == "nogo":
        return set(point_names(game.columns, game.rows))
    if game.family == "othello":
        squares = reference._squares(game.rows, game.columns)
        return {reference.PASS, *map(reference._othello_name, squares)}
    digits, ways = ("012345", "0123") if game.name == "einstein" else ("123456", "012")
    steps = {cube + way for cube in digits for way in ways}
    if game.name == "einstein:setdie":
        return {f"{step}={die}" for step in steps for die in digits} | {f"={die}" for die in digits}
    return steps | {f"d{die}" for die in digits if game.name == "einstein:5x5"}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_move_has_one_name_read_in_either_case(name: str) -> None:
    game = nogo.game(name)
    names = {move: game.move_name(move) for move in range(game.move_count)}
    assert sorted(names.values()) == sorted(expected_move_names(game))
    for move, move_name in names.items():
        for spelling in (move_name, move_name.upper(), move_name.lower(), f" {move_name} "):
            assert game.move(spelling) == move


@pytest.mark.parametrize("name", VARIANTS)
@given(text=st.one_of(st.text(max_size=4), st.from_regex(r"\A[a-z=]?[0-9]{0,2}=?[0-9]?\Z")))
@examples_each(30)
def test_any_text_is_a_move_by_name_or_refused(name: str, text: str) -> None:
    game = nogo.game(name)
    expected = {known.lower() for known in expected_move_names(game)}
    if text.strip().lower() in expected:
        assert game.move_name(game.move(text)).lower() == text.strip().lower()
    else:
        with pytest.raises(InvalidMoveError):
            game.move(text)


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(3)
def test_a_move_by_name_is_the_move_by_number(name: str, data: st.DataObject) -> None:
    position = data.draw(random_positions(name))
    for move in position.legal_moves():
        assert position.play(position.game.move_name(move)) == position.play(move)


# ---- copies, and that nothing changes ----


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(3)
def test_copies_and_pickles_are_the_same_position(name: str, data: st.DataObject) -> None:
    position = data.draw(random_positions(name))
    pickles = [pickle.dumps(position, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for again in [copy.copy(position), copy.deepcopy(position), *map(pickle.loads, pickles)]:
        assert_same_position(again, position)
    assert pickle.loads(pickle.dumps(position.game)).name == name


@pytest.mark.parametrize("name", ["nogo:3x3", "othello", "einstein:5x5"])
@pytest.mark.parametrize("attribute", ["game", "turn", "ply", "key", "text", "new"])
def test_a_position_cannot_be_written_to(name: str, attribute: str) -> None:
    position = nogo.game(name).start()
    before = looks_of(position)
    with pytest.raises(AttributeError):
        setattr(position, attribute, 1)
    with pytest.raises(AttributeError):
        delattr(position, attribute)
    assert looks_of(position) == before


@pytest.mark.parametrize("name", VARIANTS)
def test_what_a_position_hands_out_is_not_part_of_it(name: str) -> None:
    position = nogo.game(name).start()
    before, planes = looks_of(position), position.planes().tolist()
    position.cells[:] = 1
    position.planes()[:] = 7
    position.legal_moves().append(0)
    position.legal_moves(nogo.FIRST).clear()
    position.chance_outcomes().append((0, 1.0))
    assert looks_of(position) == before
    assert position.planes().tolist() == planes


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(3)
def test_playing_leaves_the_position_as_it_was(name: str, data: st.DataObject) -> None:
    position = data.draw(random_positions(name))
    before = looks_of(position)
    for move in position.legal_moves():
        assert position.play(move) != position
    assert looks_of(position) == before


def test_positions_are_told_apart_in_sets() -> None:
    starts = [nogo.game(name).start() for name in VARIANTS]
    assert len(set(starts)) == len(VARIANTS)
    assert len({*starts, *(nogo.game(name).start() for name in VARIANTS)}) == len(VARIANTS)
    assert nogo.position(starts[0].text) in set(starts)
    assert starts[0] != starts[0].text


# ---- keys ----


def identity_of(position: nogo.Position) -> tuple[object, ...]:
    """What a key may depend on: board, turn and dice to come, and else not the ply.

    A ply tells whose turn it is, and on the course board where in the cycle of 21 the dice are.
    """
    matters = {"einstein": 2 * 21, "einstein:5x5": 2, "einstein:setdie": 2}
    ply = position.ply % matters.get(position.game.name, 1)
    return re.sub(" ply=[0-9]+", "", position.text), ply


def test_keys_are_distinct_over_many_positions() -> None:
    rng = random.Random(20)
    keys: dict[tuple[object, ...], int] = {}
    while len(keys) < 20_000:
        for name in VARIANTS:
            for position in play_engine(RandomGame(name, rng.randbytes(140))):
                assert keys.setdefault(identity_of(position), position.key) == position.key
    assert len(set(keys.values())) == len(keys)
    assert all(0 <= key < 2**64 for key in keys.values())


def sides_after(name: str, plies: int, setup: dict[str, str]) -> list[Side]:
    """The end of every sequence of so many moves and throws."""
    sides = [(nogo.game(name).start(**setup), reference.start(name, **setup))]
    for _ in range(plies):
        sides = [(position.play(move), state.play(move)) for position, state in sides for move in sorted(state.legal())]
    return sides


@pytest.mark.parametrize(
    ("name", "plies", "setup"),
    [
        ("nogo:3x3", 4, {}),
        ("nogo:4x2:B2", 5, {}),
        ("othello", 5, {}),
        ("othello:4x4", 6, {}),
        ("einstein", 5, {"dice": "5" * 21}),
        ("einstein:5x5", 6, {}),
    ],
)
def test_keys_are_equal_exactly_for_transpositions(name: str, plies: int, setup: dict[str, str]) -> None:
    sides = sides_after(name, plies, setup)
    states = {state: position for position, state in sides}
    assert len(states) < len(sides), "no transposition: the test needs more plies"
    for position, state in sides:
        assert position == states[state]
        assert (position.key, hash(position)) == (states[state].key, hash(states[state]))
    assert len({position.key for position in states.values()}) == len(states)


@given(board=nogo_boards(), data=st.data())
@examples(40)
def test_nogo_stones_may_come_in_any_order(board: str, data: st.DataObject) -> None:
    """Fewer stones have no fewer liberties, so every order of a legal game's stones is legal."""
    position = data.draw(random_positions(board))
    cells = position.cells.ravel()
    black, white = (data.draw(st.permutations(np.flatnonzero(cells == stone).tolist())) for stone in (1, 2))
    again = nogo.game(board).start()
    for ply in range(position.ply):
        again = again.play((black, white)[ply % 2][ply // 2])
    assert_same_position(again, position)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("othello", "c4 c3 d3 c5", "d3 c3 c4 c5"),
        ("einstein:setdie", "=6 60=6 60=6 61=6", "=6 61=6 60=6 60=6"),
    ],
)
def test_transposition_by_hand(name: str, one: str, other: str) -> None:
    start = nogo.game(name).start()
    assert_same_position(play_names(start, one), play_names(start, other))


def test_the_dice_to_come_are_part_of_a_key() -> None:
    game = nogo.game("einstein")
    keys = {game.start(dice="0" * ply + "1" + "0" * (20 - ply)).key for ply in range(21)}
    assert len(keys) == 21


# ---- arrays ----


@pytest.mark.parametrize("name", VARIANTS)
def test_arrays_have_their_documented_shapes(name: str) -> None:
    position = nogo.game(name).start()
    shape = (position.game.rows, position.game.columns)
    assert (position.cells.dtype, position.cells.shape) == (np.int8, shape)
    planes = position.planes()
    assert (planes.dtype, planes.shape) == (np.float32, (len(planes), *shape))


@pytest.mark.parametrize("name", [*SMALL_NOGO, "hollow-nogo", "nogo:11x11", *OTHELLO])
@given(data=st.data())
@examples_each(3)
def test_planes_of_stones_show_stones_board_moves_and_turn(name: str, data: st.DataObject) -> None:
    for position, state in play_both(data.draw(random_games(name))):
        cells = np.array(state.cells())
        names = np.array([position.game.move_name(move) for move in range(cells.size)])
        legal = np.isin(names, list(state.legal())).reshape(cells.shape)
        turn = np.full(cells.shape, state.mover == reference.SECOND)
        expected = np.array([cells == 1, cells == 2, cells >= 0, legal, turn])
        assert (position.planes() == expected).all()


@pytest.mark.parametrize("name", EINSTEIN)
@given(data=st.data())
@examples_each(5)
def test_planes_of_einstein_show_cubes_die_and_turn(name: str, data: st.DataObject) -> None:
    for position, state in play_both(data.draw(random_games(name))):
        cells = np.array(state.cells())
        planes = position.planes()
        assert planes.shape[0] == 19
        assert (planes[:12] == [cells == token for token in range(1, 13)]).all()
        assert (planes[18] == (state.mover == reference.SECOND)).all()
        if not state.is_over():
            assert (planes[12:18] == np.equal(state.die, range(6))[:, None, None]).all()


# ---- symmetries ----

TURNS: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "identity": lambda row, column, rows, columns: (row, column),
    "rotate180": lambda row, column, rows, columns: (rows - 1 - row, columns - 1 - column),
    "mirror-columns": lambda row, column, rows, columns: (row, columns - 1 - column),
    "mirror-rows": lambda row, column, rows, columns: (rows - 1 - row, column),
    "rotate90": lambda row, column, rows, columns: (column, rows - 1 - row),
    "rotate270": lambda row, column, rows, columns: (columns - 1 - column, row),
    "transpose": lambda row, column, rows, columns: (column, row),
    "anti-transpose": lambda row, column, rows, columns: (columns - 1 - column, rows - 1 - row),
}


def turns_onto_itself(state: reference.State) -> dict[str, tuple[int, ...]]:
    """The turns of a board that keep its shape and its holes, as where each cell goes."""
    rows, columns = state.rows, state.columns
    found = {}
    for name, turn in TURNS.items():
        goes = {square: turn(*square, rows, columns) for square in reference._squares(rows, columns)}
        keeps_shape = set(goes.values()) == set(goes)
        if keeps_shape and {goes[square] for square in state.board} == set(state.board):
            found[name] = tuple(row * columns + column for row, column in goes.values())
    return found


def expected_symmetries(name: str) -> dict[str, tuple[int, ...]]:
    """On EinStein's small boards only the diagonal keeps both corners, on the other nothing."""
    found = turns_onto_itself(reference.start(name))
    kept = {"einstein": ["identity"], "einstein:5x5": ["identity", "transpose"]}
    kept["einstein:setdie"] = kept["einstein:5x5"]
    return {turn: found[turn] for turn in kept.get(name, found)}


def assert_symmetries(name: str) -> None:
    """All the turns there are, under their names; those that are the same on a thin board only once."""
    symmetries, expected = nogo.game(name).symmetries, expected_symmetries(name)
    assert all(expected[symmetry.name] == symmetry.points for symmetry in symmetries)
    assert sorted(symmetry.points for symmetry in symmetries) == sorted(set(expected.values()))
    assert symmetries[0].name == "identity"


@pytest.mark.parametrize("name", VARIANTS)
def test_symmetries_are_the_turns_that_keep_board_and_rules(name: str) -> None:
    assert_symmetries(name)


@given(board=nogo_boards(max_points=25))
@examples(100)
def test_symmetries_of_any_board_keep_its_holes(board: str) -> None:
    assert_symmetries(board)


@pytest.mark.parametrize("name", VARIANTS)
def test_symmetries_are_a_group_of_permutations(name: str) -> None:
    game = nogo.game(name)
    pairs = {(symmetry.points, symmetry.moves) for symmetry in game.symmetries}
    identity = tuple(range(game.rows * game.columns)), tuple(range(game.move_count))
    assert identity in pairs
    for points, moves in pairs:
        assert (tuple(sorted(points)), tuple(sorted(moves))) == identity
    for (points, moves), (more_points, more_moves) in product(pairs, pairs):
        both = tuple(more_points[i] for i in points), tuple(more_moves[m] for m in moves)
        assert both in pairs


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(4)
def test_a_transformed_position_is_the_same_game_turned(name: str, data: st.DataObject) -> None:
    position = data.draw(random_positions(name))
    for symmetry in position.game.symmetries:
        turned = position.transform(symmetry)
        assert turned.cells.ravel()[list(symmetry.points)].tolist() == (position.cells.ravel().tolist())
        for player in PLAYERS:
            mapped = sorted(symmetry.moves[move] for move in position.legal_moves(player))
            assert turned.legal_moves(player) == mapped
        assert (turned.ply, turned.turn) == (position.ply, position.turn)
        assert (turned.is_over, turned.winner, turned.result) == (
            position.is_over,
            position.winner,
            position.result,
        )


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(3)
def test_turning_after_the_game_is_playing_the_turned_moves(name: str, data: st.DataObject) -> None:
    game = data.draw(random_games(name))
    starts = game.start().symmetries()
    for turned, symmetry in zip(starts, nogo.game(name).symmetries, strict=True):
        position = game.start()
        for choice in game.choices:
            if position.is_over:
                break
            move = choose(position.legal_moves(), choice)
            position, turned = position.play(move), turned.play(symmetry.moves[move])  # noqa: PLW2901
        assert_same_position(position.transform(symmetry), turned)
        assert position.transform(symmetry).key == turned.key


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(2)
def test_symmetries_of_a_position_begin_with_itself(name: str, data: st.DataObject) -> None:
    position = data.draw(random_positions(name))
    images = position.symmetries()
    assert images[0] == position
    assert images == [position.transform(symmetry) for symmetry in position.game.symmetries]


def test_a_symmetry_of_another_board_is_refused() -> None:
    foreign = nogo.game("nogo:4x4").symmetries[-1]
    with pytest.raises(ArgumentError):
        nogo.game("nogo:3x3").start().transform(foreign)
