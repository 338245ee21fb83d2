"""The engine plays by the rules: random games beside the reference, and each refusal by hand."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from games import (
    EINSTEIN,
    LARGE_NOGO,
    NOGO,
    OTHELLO,
    SMALL_NOGO,
    VARIANTS,
    RandomGame,
    Side,
    choices,
    choose,
    examples,
    examples_each,
    move_names,
    nogo_boards,
    play_both,
    play_engine,
    play_names,
    play_on,
    random_games,
    random_positions,
)
from hypothesis import assume, given
from hypothesis import strategies as st

import nogo
from nogo.errors import IllegalMoveError, InvalidMoveError

REFUSALS = (IllegalMoveError, InvalidMoveError)
PLAYERS = (nogo.FIRST, nogo.SECOND)

# ---- the same game twice ----


def facts_of_engine(position: nogo.Position) -> dict[str, object]:
    return {
        "turn": position.turn,
        "ply": position.ply,
        "is_over": position.is_over,
        "winner": position.winner,
        "result": position.result,
        "cells": position.cells.tolist(),
        "legal": set(move_names(position, position.legal_moves())),
        "legal for each": [set(move_names(position, position.legal_moves(player))) for player in PLAYERS],
        "chances": {position.game.move_name(move): chance for move, chance in position.chance_outcomes()},
    }


def facts_of_reference(state: reference.State) -> dict[str, object]:
    thrown = state.legal() if state.turn == reference.CHANCE else set()
    return {
        "turn": state.turn,
        "ply": state.ply,
        "is_over": state.is_over(),
        "winner": state.winner(),
        "result": state.result(),
        "cells": state.cells(),
        "legal": state.legal(),
        "legal for each": [state.legal(player) for player in PLAYERS],
        "chances": {name: pytest.approx(1 / 6) for name in thrown},
    }


def assert_moves_ascend(position: nogo.Position) -> None:
    for moves in [position.legal_moves(), *map(position.legal_moves, PLAYERS)]:
        assert moves == sorted(set(moves))


def assert_same_game(sides: list[Side]) -> None:
    for position, state in sides:
        assert facts_of_engine(position) == facts_of_reference(state)
        assert_moves_ascend(position)
    assert sides[-1][0].is_over


@pytest.mark.parametrize("name", [*SMALL_NOGO, *OTHELLO, *EINSTEIN])
@given(data=st.data())
@examples_each(15)
def test_random_games_go_as_in_the_reference(name: str, data: st.DataObject) -> None:
    assert_same_game(list(play_both(data.draw(random_games(name)))))


@pytest.mark.parametrize("name", LARGE_NOGO)
@given(data=st.data())
@examples_each(4)
def test_random_games_on_large_boards_go_as_in_the_reference(name: str, data: st.DataObject) -> None:
    assert_same_game(list(play_both(data.draw(random_games(name)))))


@given(board=nogo_boards(max_points=40), choices=choices())
@examples(60)
def test_random_games_on_boards_with_holes_go_as_in_the_reference(board: str, choices: bytes) -> None:
    assert_same_game(list(play_both(RandomGame(board, choices))))


@given(board=nogo_boards(), choices=choices())
@examples(20)
def test_random_games_on_any_board_end_as_in_the_reference(board: str, choices: bytes) -> None:
    *_, end = play_both(RandomGame(board, choices))
    assert_same_game([end])


# ---- positions that random games from the start seldom reach ----


def rows_of(cells: str, columns: int) -> str:
    return "/".join(cells[i : i + columns] for i in range(0, len(cells), columns))


@st.composite
def stone_boards(draw: st.DrawFn) -> reference.NogoState:
    """Any stones on a small board, at the turn that their numbers give; it may be impossible."""
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    size = columns * rows
    cells = draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=size, max_size=size))
    board = dict(zip(reference._squares(rows, columns), cells, strict=True))
    black, white = cells.count(1), cells.count(2)
    return reference.NogoState(rows, columns, board, int(black > white), black + white)


def can_arise(state: reference.NogoState) -> bool:
    """Turns alternate and nothing was captured. Any order of the stones is then a legal game."""
    tokens = list(state.board.values())
    if tokens.count(1) - tokens.count(2) not in (0, 1):
        return False
    stones = [point for point, token in state.board.items() if token != reference.EMPTY]
    return all(reference._has_liberty(state.board, stone) for stone in stones)


def nogo_text(state: reference.NogoState) -> str:
    cells = "".join(".XO"[token] for token in state.board.values())
    turn = ("black", "white")[state.mover]
    return f"nogo:{state.columns}x{state.rows} {rows_of(cells, state.columns)} {turn}"


@given(state=stone_boards(), choices=choices())
@examples(150)
def test_any_nogo_board_is_read_if_it_can_arise_and_then_played_as_in_the_reference(
    state: reference.NogoState, choices: bytes
) -> None:
    if can_arise(state):
        assert_same_game(list(play_on(nogo.position(nogo_text(state)), state, choices)))
    else:
        with pytest.raises(nogo.errors.PositionError):
            nogo.position(nogo_text(state))


@st.composite
def edged_othello_boards(draw: st.DrawFn) -> reference.OthelloState:
    """An Othello board full but for its edge, so that every disc hangs together with the centre."""
    size = draw(st.sampled_from([4, 6, 8]))
    board = {
        (row, column): draw(st.integers(0 if {row, column} & {0, size - 1} else 1, 2))
        for row, column in reference._squares(size, size)
    }
    mover = draw(st.integers(0, 1))
    moves = sum(token != reference.EMPTY for token in board.values()) - 4
    assume(moves >= 2)  # enough that a pass may have been among them
    return reference.OthelloState(size, size, board, mover, moves + (moves + mover) % 2)


@given(state=edged_othello_boards(), choices=choices())
@examples(60)
def test_othello_games_from_full_boards_go_as_in_the_reference(state: reference.OthelloState, choices: bytes) -> None:
    cells = "".join(".XO"[token] for token in state.board.values())
    turn = ("black", "white")[state.mover]
    text = f"othello:{state.rows}x{state.rows} {rows_of(cells, state.rows)} {turn}"
    assert_same_game(list(play_on(nogo.position(text), state, choices)))


@st.composite
def sparse_einstein_boards(draw: st.DrawFn, variant: str) -> reference.EinsteinState:
    """A few cubes of each side anywhere but in the corners where games end."""
    start = reference.start(variant)
    squares = list(start.board)[1:-1]
    tokens = [
        *draw(st.sets(st.integers(1, 6), min_size=1)),
        *draw(st.sets(st.integers(7, 12), min_size=1)),
    ]
    places = draw(st.permutations(squares))[: len(tokens)]
    board = dict.fromkeys(start.board, reference.EMPTY) | dict(zip(places, tokens, strict=True))
    gone = 12 - len(tokens)
    moves = draw(st.integers(max(gone, 1), max(8 * gone, 8)))  # each captures one cube at the most, and moves one on
    ply = moves + (variant == "einstein:setdie")
    dice = draw(st.text("012345", min_size=21, max_size=21)) if start.dice else ""
    die = None if start.dice else draw(st.integers(0, 5))
    return reference.EinsteinState(start.rows, start.columns, board, ply % 2, ply, start.variant, dice, die)


def einstein_text(name: str, state: reference.EinsteinState) -> str:
    digits = "012345" if name == "einstein" else "123456"
    cells = "".join(f".{digits}abcdef"[token] for token in state.board.values())
    die = f"dice={state.dice}" if state.dice else f"die={digits[state.die]}"
    turn = ("red", "blue")[state.mover]
    return f"{name} {rows_of(cells, state.columns)} {turn} ply={state.ply} {die}"


@pytest.mark.parametrize("name", EINSTEIN)
@given(data=st.data())
@examples_each(60)
def test_einstein_games_from_sparse_boards_go_as_in_the_reference(name: str, data: st.DataObject) -> None:
    state = data.draw(sparse_einstein_boards(name))
    position = nogo.position(einstein_text(name, state))
    assert_same_game(list(play_on(position, state, data.draw(choices()))))


# ---- refusals ----


def looks_of(position: nogo.Position) -> tuple[object, ...]:
    moves = [position.legal_moves(), *map(position.legal_moves, PLAYERS)]
    return position.text, position.key, position.ply, position.turn, position.is_over, moves


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(5)
def test_every_move_number_is_either_legal_or_refused(name: str, data: st.DataObject) -> None:
    position = data.draw(random_positions(name))
    before, legal = looks_of(position), position.legal_moves()
    for move in range(position.game.move_count):
        assert position.is_legal(move) == (move in legal)
        assert (position.why_illegal(move) is None) == (move in legal)
        if move in legal:
            position.play(move)
        else:
            with pytest.raises(REFUSALS):
                position.play(move)
    assert looks_of(position) == before


@pytest.mark.parametrize("name", VARIANTS)
def test_numbers_outside_the_move_space_are_no_moves(name: str) -> None:
    position = nogo.game(name).start()
    before = looks_of(position)
    for move in (-1, position.game.move_count, 255, 2**31, 2**64, -(2**31) - 1, -(2**70)):
        with pytest.raises(InvalidMoveError):
            position.play(move)
        assert not position.is_legal(move)
        with pytest.raises(InvalidMoveError):
            position.game.move_name(move)
    assert looks_of(position) == before


@pytest.mark.parametrize("junk", [None, 1.0, True, "", "J9", "pass pass", b"A1", [0], "A1\0", "²"])
def test_what_is_no_move_at_all_is_refused(junk: object) -> None:
    position = nogo.game("nogo:3x3").start()
    with pytest.raises(InvalidMoveError):
        position.play(junk)
    assert not position.is_legal(junk)


def test_a_numpy_integer_is_a_move() -> None:
    position = nogo.game("nogo:3x3").start()
    assert position.play(np.int64(4)) == position.play(4)


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(5)
def test_a_legal_move_of_the_other_player_is_not_its_turn(name: str, data: st.DataObject) -> None:
    position = data.draw(random_positions(name))
    assume(position.turn != nogo.CHANCE)
    other = 1 - position.turn
    for move in position.legal_moves(other):
        assert position.why_illegal(move, player=other) == "not your turn"
        assert not position.is_legal(move, player=other)


def reasons_for(state: reference.NogoState, name: str) -> set[str]:
    """Every reason against a move. A move may both capture and be suicide: either will do."""
    point = reference._nogo_point(name, state.rows)
    if point not in state.board:
        return {"off the board"}
    if state.board[point] != reference.EMPTY:
        return {"not empty"}
    board = {**state.board, point: reference._stone(state.mover)}
    reasons = set() if reference._has_liberty(board, point) else {"suicide"}
    beside = [near for near in reference._neighbours(board, point) if board[near]]
    if not all(reference._has_liberty(board, near) for near in beside if board[near] != board[point]):
        reasons.add("capture")
    return reasons or {None}


@given(board=nogo_boards(max_points=30), choices=choices())
@examples(60)
def test_nogo_gives_the_right_reason_for_every_point(board: str, choices: bytes) -> None:
    for position, state in play_both(RandomGame(board, choices)):
        for move in range(position.game.move_count):
            name = position.game.move_name(move)
            assert position.why_illegal(move) in reasons_for(state, name)


def assert_refused(position: nogo.Position, name: str, reason: str) -> None:
    assert position.why_illegal(name) == reason
    assert not position.is_legal(name)
    before = looks_of(position)
    with pytest.raises(IllegalMoveError, match=reason):
        position.play(name)
    with pytest.raises(IllegalMoveError, match=reason):
        position.play(position.game.move(name))
    assert looks_of(position) == before


@pytest.mark.parametrize(
    ("name", "moves", "refused", "reason"),
    [
        pytest.param("hollow-nogo", "", "E2", "off the board", id="nogo-hole"),
        pytest.param("nogo:3x3", "B2", "B2", "not empty", id="nogo-on-the-opponent"),
        pytest.param("nogo:3x3", "B2 A1", "B2", "not empty", id="nogo-on-oneself"),
        pytest.param("nogo:3x3", "C3 A2 C2 B1", "A1", "suicide", id="nogo-suicide"),
        pytest.param("nogo:3x3", "A1 B1 C3 B2 C2 A3", "A2", "suicide", id="nogo-group-suicide"),
        pytest.param("nogo:3x3", "A2 A1", "B1", "capture", id="nogo-capture"),
        pytest.param("nogo:3x3", "A3 A1 B2 A2", "B1", "capture", id="nogo-group-capture"),
        pytest.param("nogo:3x3:A2,B1", "", "A1", "suicide", id="nogo-point-cut-off"),
        pytest.param("nogo:1x1", "", "A1", "suicide", id="nogo-only-point"),
        pytest.param("othello", "", "d4", "not empty", id="othello-on-a-disc"),
        pytest.param("othello", "", "a1", "flips nothing", id="othello-far-away"),
        pytest.param("othello", "", "c3", "flips nothing", id="othello-beside-a-disc"),
        pytest.param("othello", "", "pass", "pass", id="othello-pass-with-a-move"),
        pytest.param("othello:4x4", "a2 a3 c4 a1", "d1", "flips nothing", id="othello-must-pass"),
        pytest.param("othello", "e6 f4 e3 f6 g5 d6 e7 f5 c5", "a1", "the game is over", id="othello-over"),
        pytest.param("othello", "e6 f4 e3 f6 g5 d6 e7 f5 c5", "pass", "the game is over", id="othello-end"),
        pytest.param("einstein", "", "10", "the die calls for another cube", id="course-cube"),
        pytest.param("einstein", "", "03", "off the board", id="course-edge"),
        pytest.param("einstein", "00 10", "10", "the cube is gone", id="course-own-cube-gone"),
        pytest.param("einstein:5x5", "", "10", "the die comes first", id="classic-unthrown"),
        pytest.param("einstein:5x5", "d1", "d2", "the die is known already", id="classic-thrown"),
        pytest.param("einstein:5x5", "d1", "20", "the die calls for another cube", id="classic"),
        pytest.param("einstein:setdie", "", "10=1", "the die comes first", id="setdie-first"),
        pytest.param("einstein:setdie", "=3", "=3", "the die is known already", id="setdie-again"),
        pytest.param("einstein:setdie", "=3", "40=1", "the die calls for another cube", id="setdie"),
    ],
)
def test_refusal_by_hand(name: str, moves: str, refused: str, reason: str) -> None:
    assert_refused(play_names(nogo.game(name).start(), moves), refused, reason)


def test_a_cube_on_the_far_edge_cannot_step_off_the_board() -> None:
    position = nogo.position("einstein:5x5 ....1/...../...../a..../..... red ply=10 die=1")
    assert_refused(position, "10", "off the board")
    assert_refused(position, "12", "off the board")
    assert position.is_legal("11")


def test_a_finished_einstein_game_refuses_every_move() -> None:
    position = nogo.position("einstein:5x5 ...../...../...../a..../....1 blue ply=11")
    assert position.is_over
    for name in ("10", "d1"):
        assert_refused(position, name, "the game is over")


def test_nogo_has_no_pass() -> None:
    position = nogo.game("nogo:3x3").start()
    assert position.why_illegal("pass") == "pass"
    assert not position.is_legal("PASS")
    with pytest.raises(REFUSALS):
        position.play("pass")


def test_a_point_that_the_board_does_not_have_is_no_move() -> None:
    position = nogo.game("nogo:3x3").start()
    for name in ("D1", "A4", "I1", "A0"):
        assert not position.is_legal(name)
        with pytest.raises(InvalidMoveError):
            position.play(name)


@pytest.mark.parametrize("name", ["nogo:3x3", "othello", "einstein"])
def test_the_second_player_cannot_begin(name: str) -> None:
    position = nogo.game(name).start()
    for move in position.legal_moves(nogo.SECOND):
        assert position.why_illegal(move, player=nogo.SECOND) == "not your turn"


def test_nobody_moves_while_the_die_is_to_be_thrown() -> None:
    position = nogo.game("einstein:5x5").start()
    for player in PLAYERS:
        assert position.why_illegal("10", player=player) == "not your turn"
        assert position.why_illegal("d1", player=player) == "not your turn"


# ---- what the rules say in words ----


def test_othello_passes_only_when_it_must_and_plays_on() -> None:
    position = play_names(nogo.game("othello:4x4").start(), "a2 a3 c4 a1")
    assert move_names(position, position.legal_moves()) == ["pass"]
    passed = position.play("pass")
    assert (passed.turn, passed.ply) == (1 - position.turn, position.ply + 1)
    assert passed.cells.tolist() == position.cells.tolist()
    assert "pass" not in move_names(passed, passed.legal_moves())


@pytest.mark.parametrize("name", NOGO)
@given(data=st.data())
@examples_each(8)
def test_a_point_once_illegal_for_a_colour_stays_illegal(name: str, data: st.DataObject) -> None:
    allowed = [set(range(nogo.game(name).move_count))] * 2
    for position in play_engine(data.draw(random_games(name))):
        now = [set(position.legal_moves(player)) for player in PLAYERS]
        assert all(after <= before for after, before in zip(now, allowed, strict=True))
        allowed = now


@pytest.mark.parametrize(
    ("text", "move", "result"),
    [
        pytest.param("1..../...../...../...../...a. red ply=10 die=1", None, None, id="goes-on"),
        pytest.param("...../...../...../...1./..a.. red ply=10 die=1", "12", 0.9, id="red-corner"),
        pytest.param("...../.a.../...../...1./..... blue ply=11 die=1", "12", 0.1, id="blue-corner"),
        pytest.param("...../.1.../.a.../...../..... red ply=10 die=1", "11", 1.0, id="red-takes-all"),
        pytest.param("...../.1.../.a.../...../..... blue ply=11 die=1", "11", 0.0, id="blue-all"),
        pytest.param("...../...../...../...1./....a red ply=10 die=1", "12", 1.0, id="all-in-corner"),
        pytest.param("...../.12../.a.../...../..... red ply=10 die=1", "10", None, id="own-cube"),
    ],
)
def test_einstein_results_are_graded(text: str, move: str | None, result: float | None) -> None:
    position = nogo.position(f"einstein:5x5 {text}")
    end = position.play(move) if move else position
    assert end.result == result
    assert end.is_over == (result is not None)
    assert end.winner == (None if result is None else int(result < 0.5))


@given(data=st.data())
@examples(20)
def test_the_dice_of_the_course_board_go_round_after_21_plies(data: st.DataObject) -> None:
    """With every cube in place the mover has exactly the cube of dice[ply mod 21]."""
    dice = data.draw(st.text("012345", min_size=21, max_size=21))
    ply = data.draw(st.integers(0, 24))  # no more moves are possible with every cube near its start
    rows = "012..../34...../5....../......a/.....bc/....def"
    turn = ("red", "blue")[ply % 2]
    position = nogo.position(f"einstein {rows} {turn} ply={ply} dice={dice}")
    cubes = {name[0] for name in move_names(position, position.legal_moves())}
    assert cubes == {dice[ply % 21]}


def test_a_missing_cube_calls_for_its_nearest_neighbours() -> None:
    rows = "1.2../..6../..b../d.e../....."
    red = nogo.position(f"einstein:5x5 {rows} red ply=8 die=4")
    assert {name[0] for name in move_names(red, red.legal_moves())} == {"2", "6"}
    blue = nogo.position(f"einstein:5x5 {rows} blue ply=9 die=1")
    assert {name[0] for name in move_names(blue, blue.legal_moves())} == {"2"}
    high = nogo.position(f"einstein:5x5 {rows} blue ply=9 die=6")
    assert {name[0] for name in move_names(high, high.legal_moves())} == {"5"}


@given(seed=st.integers(0, 2**64 - 1), choice=st.integers(0, 255))
@examples(20)
def test_a_seeded_einstein_start_is_a_start(seed: int, choice: int) -> None:
    for name in EINSTEIN:
        position = nogo.game(name).start(seed=seed)
        assert position == nogo.game(name).start(seed=seed)
        cells = position.cells
        plain = np.array(reference.start(name).cells())
        assert sorted(cells[cells > 0]) == list(range(1, 13))
        assert ((cells > 6) == (plain > 6)).all()
        assert ((cells == 0) == (plain == 0)).all()
        assert position.play(choose(position.legal_moves(), choice)).turn in (0, 1)
