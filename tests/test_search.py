"""The search against a tiny one in Python, exact values, and its own invariants; how it begins, stops and refuses."""

from __future__ import annotations

import random

import numpy as np
import pytest
import reference
from games import RandomGame, play_both
from reference import CHANCE
from tiny_search import CUT, OPEN, Node, TinySearch, exp

import nogo
from nogo.budget import Budget
from nogo.search import Search, SearchOptions, SearchResult

# ---- positions ----


def sides(name: str, ply: int, seed: int = 0) -> tuple[nogo.Position, reference.State]:
    """The same position from the engine and the reference: the first with a choice from this ply of a random game."""
    choices = random.Random(seed).randbytes(140)
    for position, state in play_both(RandomGame(name, choices)):
        if state.ply >= ply and state.turn != CHANCE and len(state.legal()) > 1:
            return position, state
    raise ValueError(f"game {seed} of {name} has no choice after {ply} plies")


def late(name: str, back: int, seed: int = 0) -> tuple[nogo.Position, reference.State]:
    """The last position with a choice at least so many plies before the end of a random game."""
    game = list(play_both(RandomGame(name, random.Random(seed).randbytes(140))))
    last = game[-1][1].ply - back
    return [side for side in game if side[1].ply <= last and side[1].turn != CHANCE and len(side[1].legal()) > 1][-1]


# ---- the tiny search ----

SCALES = {"nogo": 2.4, "einstein": 3.1, "einstein:5x5": 2.75, "einstein:setdie": 2.5}


def chance_of_winning(name: str):
    scale = SCALES.get(name, SCALES["nogo"])

    def judge(state: reference.State) -> float:
        if isinstance(state, reference.NogoState):
            advantage = len(state.legal(0)) - len(state.legal(1))
        else:
            rows, columns = state.rows - 1, state.columns - 1
            red = min(max(rows - row, columns - column) for row, column in state._places(0).values())
            advantage = min(max(square) for square in state._places(1).values()) - red
        return 1 / (1 + exp(-advantage / scale))

    return judge


def corners(game: nogo.Game) -> frozenset[str]:
    if game.family != "othello":
        return frozenset()
    last = game.rows
    return frozenset({"a1", f"{'abcdefgh'[last - 1]}1", f"a{last}", f"{'abcdefgh'[last - 1]}{last}"})


def tiny(game: nogo.Game, options: SearchOptions) -> TinySearch:
    return TinySearch(options, game.move, chance_of_winning(game.name), corners(game))


def known_names(root: Node) -> list[str]:
    names = {OPEN: "", CUT: "cut", reference.DRAW: "draw", root.turn: "win", 1 - root.turn: "loss"}
    return [names[known] for known in root.known]


def assert_same(result: SearchResult, root: Node, *, amaf: bool) -> None:
    names = [result.position.game.move_name(int(move)) for move in result.moves]
    assert names == root.names
    assert result.visits.tolist() == root.visits.tolist()
    assert result.means == pytest.approx(root.means, abs=1e-9)
    n = np.maximum(root.visits, 1)
    assert result.variances == pytest.approx(np.maximum(root.squares / (1e7 * n) - root.means**2, 0), abs=1e-6)
    assert result.proven.tolist() == known_names(root)
    if amaf:
        assert result.amaf_visits.tolist() == root.amaf_visits.tolist()
        m = np.maximum(root.amaf_visits, 1)
        assert result.amaf_means == pytest.approx(root.amaf_sums / (20 * m), abs=1e-9)


def compare(side: tuple[nogo.Position, reference.State], options: dict[str, object], playouts: int, seed: int) -> None:
    position, state = side
    given = SearchOptions(**options)
    search = Search(position.game, given)
    result = search.run(position, Budget(playouts=playouts), seed=seed)
    oracle = tiny(position.game, given)
    root = oracle.run(state, playouts, seed)
    assert_same(result, root, amaf=given.policy == "rave")
    assert result.nodes == root.count()
    assert result.playouts == oracle.made == root.playouts


SMALL = {
    "nogo": sides("nogo:3x3", 0),
    "nogo late": sides("nogo:4x4", 5),
    "othello": sides("othello:4x4", 0),
    "othello late": late("othello:4x4", 4, seed=3),
    "einstein": late("einstein", 6),
    "einstein:5x5": late("einstein:5x5", 5),
    "einstein:setdie": late("einstein:setdie", 3),
}

OPTIONS = {
    "ucb1": {},
    "ucb1, much exploration": {"c": 1.5},
    "tuned": {"policy": "tuned", "c": 0.6},
    "tuned, a small cap": {"policy": "tuned", "c": 1.0, "c1": 0.3, "c2": 0.1},
    "rave mse": {"policy": "rave", "c": 0.2},
    "rave mse, all children": {"policy": "rave", "b": 0.1, "c": 0.0, "fpu": 0.0, "expand": "all"},
    "rave hand": {"policy": "rave", "schedule": "hand", "k": 50.0, "c": 0.1},
    "rave hand, prior": {"policy": "rave", "schedule": "hand", "prior": 5.0, "fpu": 0.0},
    "rave haha": {"policy": "rave", "schedule": "haha", "prior": 20.0, "c": 0.25, "fpu": 0.0},
    "rave haha, no prior": {"policy": "rave", "schedule": "haha", "c": 0.25},
    "fpu": {"fpu": 0.6, "c": 0.3},
    "fpu, tuned": {"policy": "tuned", "fpu": 1.1},
    "expand all": {"expand": "all"},
    "threshold": {"threshold": 7},
    "no threshold": {"threshold": 0},
    "threshold, expand all": {"threshold": 5, "expand": "all"},
    "three playouts": {"playouts": 3},
    "three playouts, threshold, tuned": {"playouts": 3, "threshold": 8, "policy": "tuned"},
    "three playouts, rave": {"playouts": 3, "policy": "rave"},
    "flat": {"flat": True, "c": 1.414},
    "descent at random": {"descent_k": 5.0},
    "descent at random, fpu": {"descent_k": 20.0, "fpu": 0.5},
    "solver": {"solver": True},
    "solver, rave": {"solver": True, "policy": "rave", "fpu": 0.0},
    "solver, three playouts": {"solver": True, "playouts": 3},
    "ungraded": {"graded": False},
    "ungraded, tuned": {"graded": False, "policy": "tuned"},
    "ungraded, rave": {"graded": False, "policy": "rave"},
}


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("side", SMALL)
def test_the_tree_is_the_tiny_one(side, options):
    compare(SMALL[side], OPTIONS[options], playouts=150, seed=len(side) + len(options))
