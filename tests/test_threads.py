"""What several threads do at once: every kind of parallel search, and playouts. Run under the thread sanitizer too."""

from __future__ import annotations

import pytest

import nogo

pytestmark = pytest.mark.threads

GAMES = ("nogo:5x5", "hollow-nogo", "othello:6x6", "einstein", "einstein:setdie")
KINDS = (
    {},
    {"policy": "tuned"},
    {"policy": "rave"},
    {"policy": "rave", "leaf": "lanes", "playouts": 8},
    {"leaf": "leaves", "playouts": 8},
    {"solver": True, "playouts": 2},
    {"fpu": 0.5, "descent_k": 10.0},
    {"memory": 1, "threshold": 0},
)


def searched(game: str, **options: object) -> nogo.SearchResult:
    position = nogo.game(game).start()
    return nogo.search(position, nogo.SearchOptions(**options), nogo.Budget(playouts=3000), seed=5)


@pytest.fixture(autouse=True)
def _several_threads() -> None:
    if not nogo.build_info().openmp:
        pytest.skip("a build without OpenMP has one thread")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_one_tree_loses_no_visit(game, kind):
    result = searched(game, parallel="tree", threads=3, **kind)
    assert result.visits.sum() == result.playouts
    assert result.playouts >= 3000 or result.stopped == "proven"
    assert 0 <= result.means.min() <= result.means.max() <= 1


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("parallel", ["root", "leaf"])
def test_root_and_leaf_parallel_searches_repeat_bit_for_bit(game, kind, parallel):
    if parallel == "leaf" and kind.get("leaf") == "leaves":
        pytest.skip("one leaf at a time")
    once, again = (searched(game, parallel=parallel, threads=2, **kind) for _ in range(2))
    assert once.move == again.move
    assert once.visits.tolist() == again.visits.tolist()
    assert once.means.tolist() == again.means.tolist()
    assert once.amaf_visits.tolist() == again.amaf_visits.tolist()
    assert once.visits.sum() == once.playouts


def test_root_trees_differ_and_vote():
    alone = searched("nogo:5x5")
    voted = searched("nogo:5x5", parallel="root", threads=4, vote=True)
    assert voted.votes.sum() == 4
    assert voted.votes[voted.moves == voted.move] == voted.votes.max()
    assert voted.visits.tolist() != alone.visits.tolist()


def test_playouts_are_the_same_on_any_number_of_threads():
    position = nogo.game("hollow-nogo").start()
    alone = nogo.playouts(position, 20_000, seed=3, amaf=True)
    assert all(nogo.playouts(position, 20_000, seed=3, threads=n, amaf=True) == alone for n in (2, 3))
