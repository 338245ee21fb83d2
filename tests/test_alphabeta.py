"""Alpha-beta against plain negamax over the reference rules, and how it begins, stops and refuses."""

from __future__ import annotations

import signal
import threading
from dataclasses import dataclass

import pytest
import reference
from games import RandomGame, examples_each, play_both, random_games
from hypothesis import given
from hypothesis import strategies as st
from test_evaluations import othello_side

import nogo
from nogo.alphabeta import MAX_DEPTH, WIN, AlphaBeta
from nogo.errors import ArgumentError, BusyError, HandleError

SMALL = ("nogo:3x3", "nogo:4x3", "nogo:3x4:B2", "nogo:4x4", "othello:4x4", "othello:6x6", "einstein", "einstein:setdie")
DIAGONALS = tuple(range(2, 24, 4))


@dataclass
class Limit:
    """A budget, as the search sees one."""

    seconds: float | None = None
    playouts: int | None = None

    def seconds_for(self, position: nogo.Position) -> float | None:
        return self.seconds


# ---- the oracle ----


def evaluate(position: nogo.Position, state: reference.State) -> int:
    """The first player's advantage."""
    if isinstance(state, reference.NogoState):
        return len(state.legal(0)) - len(state.legal(1))
    if isinstance(state, reference.OthelloState):
        return othello_side(position, nogo.FIRST) - othello_side(position, nogo.SECOND)
    red = [max(state.rows - 1 - row, state.columns - 1 - column) for row, column in state._places(0).values()]
    blue = [max(square) for square in state._places(1).values()]
    return min(blue) - min(red)


def negamax(position: nogo.Position, state: reference.State, depth: int, ply: int = 0) -> tuple[int, int | None]:
    """The mover's value and the first of the best moves."""
    if state.is_over():
        winner = state.winner()
        return (0 if winner is None else WIN - ply if winner == state.mover else ply - WIN), None
    if depth == 0:
        advantage = evaluate(position, state)
        return (advantage if state.mover == nogo.FIRST else -advantage), None
    best, best_move = -WIN - 1, None
    for name in sorted(state.legal(), key=position.game.move):
        value = -negamax(position.play(name), state.play(name), depth - 1, ply + 1)[0]
        if value > best:
            best, best_move = value, position.game.move(name)
    return best, best_move


def pick(game: RandomGame, data: st.DataObject) -> tuple[nogo.Position, reference.State]:
    """An unfinished position of a random game."""
    sides = [side for side in play_both(game) if not side[1].is_over()]
    return sides[data.draw(st.integers(0, len(sides) - 1))]


# ---- what it finds ----


@pytest.mark.parametrize("name", SMALL)
@given(data=st.data())
@examples_each(12)
def test_a_fixed_depth_gives_value_and_move_of_plain_negamax(name, data):
    position, state = pick(data.draw(random_games(name)), data)
    most = {"othello:6x6": 3, "nogo:4x4": 3, "einstein:setdie": 2}.get(name, 4)
    depth = data.draw(st.integers(1, most))
    found = AlphaBeta(position.game, depth=depth, table=0).run(position)
    assert (found.value, found.move) == negamax(position, state, depth)
    assert found.variation[0] == found.move
    assert found.depth == depth
    assert found.stopped == "depth"


@pytest.mark.parametrize("name", ["nogo:3x3", "nogo:4x2", "nogo:3x3:B2", "othello:4x4"])
@pytest.mark.parametrize("way", ["solve", "run"])
@given(data=st.data())
@examples_each(15)
def test_an_endgame_is_proven_as_the_reference_solves_it(name, way, data):
    position, state = pick(data.draw(random_games(name)), data)
    while name == "othello:4x4" and list(state.board.values()).count(0) > 6:
        move = position.game.move_name(position.legal_moves()[0])
        position, state = position.play(move), state.play(move)
    if state.is_over():
        return
    search = AlphaBeta(position.game, table=1)
    found = search.solve(position) if way == "solve" else search.run(position, Limit(seconds=60))
    assert found.proven
    assert found.stopped == "proven"
    assert (reference.DRAW if found.winner is None else found.winner) == reference.solve(state)
    after = state.play(position.game.move_name(found.move))
    assert reference.solve(after) == reference.solve(state)  # the move keeps what was won


@pytest.mark.parametrize(
    ("board", "winner"),
    [("1x12", 0), ("2x4", 1), ("2x7", 0), ("3x3", 0), ("3x4", 1), ("3x5", 0), ("4x4", 1)],
)
def test_solving_finds_the_published_winners(board, winner):
    game = nogo.game(f"nogo:{board}")
    assert AlphaBeta(game).solve(game.start()).winner == winner


def test_the_second_player_wins_othello_on_4x4():
    game = nogo.game("othello:4x4")
    assert AlphaBeta(game).solve(game.start()).winner == nogo.SECOND


def test_a_search_is_the_same_however_it_is_cut():
    position = nogo.game("othello:6x6").start()
    whole = AlphaBeta(position.game).run(position, Limit(playouts=50_000))
    again = AlphaBeta(position.game).run(position, Limit(playouts=50_000))
    assert (whole.move, whole.value, whole.nodes, whole.variation) == (
        again.move,
        again.value,
        again.nodes,
        again.variation,
    )
    assert whole.nodes == 50_000
    assert whole.stopped == "nodes"


@given(data=st.data())
@examples_each(25)
def test_when_all_is_lost_the_first_diagonal_is_played(data):
    position, state = pick(data.draw(random_games("einstein")), data)
    found = AlphaBeta(position.game, depth=3, table=0, lost_moves=DIAGONALS).run(position)
    value, move = negamax(position, state, 3)
    diagonals = [legal for legal in position.legal_moves() if legal % 4 == 2]
    assert found.move == (diagonals[0] if value < -WIN // 2 and diagonals else move)


# ---- how it stops ----


def test_a_deadline_ends_the_search_with_the_best_known_move():
    position = nogo.game("othello").start()
    found = AlphaBeta(position.game).run(position, Limit(seconds=0.05))
    assert found.stopped == "time"
    assert 0.05 <= found.seconds < 5
    assert found.depth >= 1
    assert not found.proven
    assert found.variation[0] == found.move
    assert position.is_legal(found.move)


def test_a_deadline_that_is_over_before_a_line_is_read_still_gives_a_legal_move():
    position = nogo.game("hollow-nogo").start()
    found = AlphaBeta(position.game, depth=MAX_DEPTH).run(position, Limit(playouts=1))
    assert found.stopped == "nodes"
    assert found.depth == 0
    assert position.is_legal(found.move)


def test_an_interrupted_search_can_be_used_again(monkeypatch):
    position = nogo.game("othello:6x6").start()
    search = AlphaBeta(position.game, depth=5, table=0)
    expected = search.run(position)
    spent = nogo.alphabeta._Deadline.spent

    def interrupted(deadline, done):
        raise KeyboardInterrupt

    monkeypatch.setattr(nogo.alphabeta._Deadline, "spent", interrupted)
    with pytest.raises(KeyboardInterrupt):
        search.run(position)
    monkeypatch.setattr(nogo.alphabeta._Deadline, "spent", spent)
    again = search.run(position)
    assert (again.move, again.value, again.nodes) == (expected.move, expected.value, expected.nodes)


def test_ctrl_c_ends_a_search():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    position = nogo.game("othello").start()
    search = AlphaBeta(position.game, table=1)
    timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search.solve(position)  # would take years
    timer.join()
    signal.signal(signal.SIGINT, before)
    assert position.is_legal(search.run(position, Limit(playouts=1000)).move)


def test_a_second_thread_is_refused():
    position = nogo.game("othello").start()
    search, refused = AlphaBeta(position.game), []

    class Meanwhile(Limit):
        def seconds_for(self, position):
            def use():
                with pytest.raises(BusyError, match="another thread"):
                    search.run(position, Limit(playouts=10))
                refused.append(True)

            thread = threading.Thread(target=use)
            thread.start()
            thread.join()

    search.run(position, Meanwhile(playouts=10))
    assert refused
    assert search.run(position, Limit(playouts=10)).nodes == 10


# ---- what it refuses ----


def test_a_game_of_chance_is_refused():
    with pytest.raises(ArgumentError, match=r"throw of the die, as in einstein:5x5"):
        AlphaBeta(nogo.game("einstein:5x5"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"depth": 0}, "depth=0"),
        ({"depth": MAX_DEPTH + 1}, "depth=129"),
        ({"depth": 2.5}, "depth=2.5"),
        ({"table": -1}, "table=-1"),
        ({"table": 2**21}, "table=2097152"),
        ({"lost_moves": (24,)}, "lost_moves=24"),
    ],
)
def test_options_out_of_range_are_refused(options, said):
    with pytest.raises(ArgumentError, match=said):
        AlphaBeta(nogo.game("einstein"), **options)


def test_a_table_larger_than_memory_is_an_error():
    with pytest.raises(MemoryError):
        AlphaBeta(nogo.game("othello"), table=2**20)


def test_positions_that_are_none_foreign_or_finished_are_refused():
    search = AlphaBeta(nogo.game("nogo:3x3"), depth=1, table=0)
    with pytest.raises(HandleError, match="not a position"):
        search.run("A1")
    with pytest.raises(HandleError, match="a position of othello"):
        search.run(nogo.game("othello").start())
    with pytest.raises(ArgumentError, match="the game is over"):
        AlphaBeta(nogo.game("nogo:1x1"), depth=1).run(nogo.game("nogo:1x1").start())
    with pytest.raises(ArgumentError, match="needs a budget"):
        AlphaBeta(nogo.game("nogo:3x3")).run(nogo.game("nogo:3x3").start())
