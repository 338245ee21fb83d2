"""The C functions against the engine's own: the same games when nothing is changed; and what every agent promises."""

import nogo_agent_native as native
import pytest

import nogo
from nogo import registry
from nogo.testing import check_agent

BOARDS = ["hollow-nogo", "nogo:5x5", "nogo:9x9", "nogo:11x11", "nogo:16x7", "nogo:7x16", "nogo:1x3"]


def functions(**settings):
    data = native.C.ffi.new("native_settings *", {"reply": 0.0, "tempo": 0.0, "scale": 2.4, **settings})
    return nogo.Native(native.C.ffi, native.C.lib.native_plugin(), data)


def look(board, functions, **options):
    position = nogo.game(board).start()
    return nogo.search(position, nogo.SearchOptions(**options), nogo.Budget(playouts=3000), seed=7, native=functions)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("policy", ["ucb1", "rave"])
@pytest.mark.parametrize("value", ["playout", "evaluation"])
def test_unchanged_functions_make_the_engine_s_own_search(board, policy, value):
    ours, theirs = (look(board, which, policy=policy, value=value) for which in (functions(), None))
    assert (ours.visits == theirs.visits).all()
    assert (ours.means == theirs.means).all()
    assert (ours.amaf_visits == theirs.amaf_visits).all()


def test_replies_change_the_games():
    assert (look("hollow-nogo", functions(reply=0.5)).visits != look("hollow-nogo", None).visits).any()


def test_having_to_move_costs():
    """After each move the other side is to move, and its lead is the less for it."""
    position = nogo.position("nogo:5x5 ...../...../...../...../..... black")
    options = nogo.SearchOptions(value="evaluation", flat=True)
    found = nogo.search(position, options, nogo.Budget(playouts=25), seed=1, native=functions(tempo=2.4))
    for move, mean in zip(found.moves, found.means, strict=True):
        after = position.play(int(move))
        lead = len(after.legal_moves(nogo.FIRST)) - len(after.legal_moves(nogo.SECOND)) + 2.4
        assert mean == pytest.approx(1 / (1 + 2.718281828459045 ** (-lead / 2.4)), abs=1e-6)


@pytest.mark.parametrize("parallel", ["leaf", "root"])
def test_several_threads_find_the_same_every_time(parallel):
    found = [look("nogo:9x9", functions(reply=0.3), parallel=parallel, threads=2, policy="rave") for _ in range(2)]
    assert (found[0].visits == found[1].visits).all()


def test_it_is_for_nogo_alone():
    with pytest.raises(nogo.NogoError, match="does not play othello"):
        registry.create("native", nogo.game("othello"), seed=1)


@pytest.mark.parametrize("options", ["", "reply=0", "value=evaluation", "threads=2"])
def test_it_keeps_what_an_agent_promises(options):
    report = check_agent(f"native:{options}")
    assert report.passed, report
