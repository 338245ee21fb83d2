"""What halving does with its budget, what it finds, and what every agent promises."""

from itertools import pairwise

import nogo_agent_halving as halving
import pytest

import nogo
from nogo import registry
from nogo.testing import check_agent


def make(game, **options):
    said = ",".join(f"{key}={value}" for key, value in options.items())
    return registry.create(f"halving:{said}", nogo.game(game) if isinstance(game, str) else game, seed=1)


@pytest.mark.parametrize("below", ["playouts", "search"])
@pytest.mark.parametrize("playouts", [1, 5, 24, 100, 1000, 10_000])
def test_the_playouts_are_spent_and_no_more(below, playouts):
    position = nogo.game("nogo:5x5").start()
    choice = make("nogo:5x5", below=below).choose(position, nogo.Budget(playouts=playouts))
    assert playouts // 2 <= choice.playouts <= playouts + 25


@pytest.mark.parametrize("below", ["playouts", "search"])
def test_every_round_gives_all_that_are_left_the_same_and_drops_the_worse_half(below, monkeypatch):
    spent = []
    play = halving.Candidate.play

    def noted(candidate, games, seed):
        spent.append((candidate.move, games))
        play(candidate, games, seed)

    monkeypatch.setattr(halving.Candidate, "play", noted)
    make("nogo:3x3", below=below).choose(nogo.game("nogo:3x3").start(), nogo.Budget(playouts=3600))
    rounds, at = [], 0
    for count in (9, 5, 3, 2):
        rounds.append(spent[at : at + count])
        at += count
    assert at == len(spent)
    for earlier, later in pairwise(rounds):
        assert {move for move, _ in later} < {move for move, _ in earlier}
    assert all(len({games for _, games in given}) == 1 for given in rounds)
    assert [given[0][1] for given in rounds] == [100, 180, 300, 450]  # a quarter of 3600 each


@pytest.mark.parametrize("below", ["playouts", "search"])
@pytest.mark.parametrize("text", ["nogo:3x3 .X./O.O/.X. black", "othello:4x4"])
def test_a_won_position_is_won(below, text):
    """Played on against the solver's own best defence, a proven win is kept."""
    position = nogo.position(text) if " " in text else nogo.game(text).start()
    solver = nogo.SearchOptions(solver=True)
    winner = nogo.search(position, solver, nogo.Budget(playouts=30_000), seed=1)
    me = position.turn if winner.result == "win" else 1 - position.turn
    agent = make(position.game, below=below)
    while not position.is_over:
        if position.turn == me:
            position = position.play(agent.choose(position, nogo.Budget(playouts=5_000)).move)
        else:
            position = position.play(nogo.search(position, solver, nogo.Budget(playouts=10_000), seed=1).move)
    assert position.winner == me


@pytest.mark.parametrize("below", ["playouts", "search"])
def test_it_keeps_what_an_agent_promises(below):
    report = check_agent(f"halving:below={below}")
    assert report.passed, report
