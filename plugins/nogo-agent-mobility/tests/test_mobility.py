"""The agent against sums done by hand, and against what every agent promises."""

import pytest

import nogo
from nogo import registry
from nogo.testing import check_agent


def choose(text, depth=1):
    position = nogo.position(text)
    choice = registry.create(f"mobility:depth={depth}", position.game, seed=1).choose(position, nogo.Budget(playouts=1))
    return position, choice.move


def difference(position, player):
    if position.is_over:
        return 1000 if position.winner == player else -1000
    return len(position.legal_moves(player)) - len(position.legal_moves(1 - player))


@pytest.mark.parametrize("text", ["nogo:3x3 .../.../... black", "nogo:4x4 X.../..../..../...O black", "othello start"])
@pytest.mark.parametrize("depth", [1, 2])
def test_no_move_has_a_better_difference(text, depth):
    position, move = choose(text, depth) if "start" not in text else choose(nogo.game("othello").start().text, depth)

    def worth(move):
        after = position.play(move)
        if depth == 1 or after.is_over:
            return difference(after, position.turn)
        return min(difference(after.play(answer), position.turn) for answer in after.legal_moves())

    assert worth(move) == max(map(worth, position.legal_moves()))


def test_a_winning_move_is_made():
    position = nogo.position("nogo:3x1 ... black")
    assert position.play(choose(position.text)[1]).winner == nogo.FIRST


@pytest.mark.parametrize(("depth", "games"), [(1, None), (2, ["nogo:5x5", "othello:4x4"])])
def test_it_keeps_what_an_agent_promises(depth, games):
    report = check_agent(f"mobility:depth={depth}", games=games)
    assert report.passed, report
