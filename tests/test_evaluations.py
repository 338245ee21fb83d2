"""What a game thinks of a position without searching, against a plain computation from the board."""

from __future__ import annotations

import numpy as np
import pytest
from games import EINSTEIN, NOGO, OTHELLO, VARIANTS, examples_each, random_positions
from hypothesis import given
from hypothesis import strategies as st

import nogo

EMPTY, BLACK, WHITE = 0, 1, 2


def nogo_advantage(position: nogo.Position) -> int:
    return len(position.legal_moves(nogo.FIRST)) - len(position.legal_moves(nogo.SECOND))


def einstein_advantage(position: nogo.Position) -> int:
    rows, columns = position.cells.shape
    distances: list[list[int]] = [[], []]
    for (row, column), token in np.ndenumerate(position.cells):
        if 1 <= token <= 6:
            distances[0].append(max(rows - 1 - row, columns - 1 - column))
        elif token >= 7:
            distances[1].append(max(row, column))
    return min(distances[1]) - min(distances[0])


def beside_empty(cells: np.ndarray, row: int, column: int) -> bool:
    return bool((cells[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2] == EMPTY).any())


def othello_side(position: nogo.Position, player: int) -> int:
    cells, last, disc = position.cells, position.game.rows - 1, player + 1
    value = 8 * sum(position.game.move_name(move) != "pass" for move in position.legal_moves(player))
    empty = int((cells == EMPTY).sum())
    for row, column in np.argwhere(cells == disc):
        value += max(12 - empty, 0) - 2 * beside_empty(cells, row, column)
        value += 40 * (row in (0, last) and column in (0, last))
    if last > 3:  # on 4x4 the squares next to the corners are the centre
        for row, column in ((0, 0), (0, last), (last, 0), (last, last)):
            towards_centre = (1 if row == 0 else last - 1, 1 if column == 0 else last - 1)
            value -= 20 * (cells[row, column] == EMPTY and cells[towards_centre] == disc)
    return int(value)


def othello_advantage(position: nogo.Position) -> int:
    return othello_side(position, nogo.FIRST) - othello_side(position, nogo.SECOND)


FAMILIES = {"nogo": nogo_advantage, "othello": othello_advantage, "einstein": einstein_advantage}


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@examples_each(15)
def test_evaluation_agrees_with_the_board(name, data):
    position = data.draw(random_positions(name))
    expected = None if position.is_over else FAMILIES[position.game.family](position)
    assert position.evaluation == expected


@pytest.mark.parametrize("name", [*NOGO, *EINSTEIN[1:], *OTHELLO])
def test_a_symmetric_start_is_even(name):
    position = nogo.game(name).start()
    assert position.evaluation == (None if position.is_over else 0)


def test_a_finished_game_has_no_evaluation():
    position = nogo.game("nogo:1x1").start()
    assert position.is_over
    assert position.evaluation is None


def test_points_for_one_side_alone_are_its_advantage():
    position = nogo.game("nogo:3x3").start()
    for move in ("A2", "C3", "B1", "C2"):
        position = position.play(move)
    # A1 is black's alone, white would have no liberty there; for B3 and the rest both may or neither.
    assert position.is_legal("A1", nogo.FIRST)
    assert not position.is_legal("A1", nogo.SECOND)
    assert position.evaluation == 1
