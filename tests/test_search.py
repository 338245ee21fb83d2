"""The search against a tiny one in Python, exact values, and its own invariants; how it begins, stops and refuses."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import reference
from games import RandomGame, play_both
from reference import CHANCE
from tiny_search import CUT, OPEN, Node, TinySearch, exp

import nogo
from nogo.budget import Budget
from nogo.errors import ArgumentError, BusyError, HandleError
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


MORE = {
    "favour": ("othello", {"favour": 2.0}, 300),
    "favour, rave": ("othello late", {"favour": 3.0, "policy": "rave", "fpu": 0.0}, 300),
    "margin": ("othello late", {"margin": 0.5}, 300),
    "margin, tuned": ("othello", {"margin": 1.0, "policy": "tuned"}, 300),
    "evaluation": ("nogo late", {"value": "evaluation"}, 300),
    "evaluation, tuned": ("einstein", {"value": "evaluation", "policy": "tuned"}, 300),
    "plies": ("nogo late", {"value": "plies", "plies": 2}, 300),
    "plies past the end, rave": ("nogo", {"value": "plies", "plies": 6, "policy": "rave"}, 300),
    "plies past throws": ("einstein:5x5", {"value": "plies", "plies": 3}, 300),
    "lanes": ("nogo late", {"leaf": "lanes", "playouts": 8}, 320),
    "lanes, EinStein": ("einstein", {"leaf": "lanes", "playouts": 8, "policy": "tuned"}, 320),
    "prune by visits": ("nogo late", {"prune": "visits", "expand": "all"}, 2500),
    "prune by statistics": ("nogo late", {"prune": "statistical", "prune_samples": 30, "c": 1.0, "flat": True}, 2500),
    "prune seldom": ("othello late", {"prune": "visits", "prune_every": 2000, "playouts": 3}, 2500),
    "leaf parallel": ("nogo late", {"parallel": "leaf", "threads": 2, "playouts": 2}, 300),
    "leaf parallel, rave": ("einstein", {"parallel": "leaf", "threads": 3, "policy": "rave"}, 300),
}


@pytest.mark.parametrize("which", MORE)
def test_the_tree_is_the_tiny_one_in_special_cases(which):
    side, options, playouts = MORE[which]
    compare(SMALL[side], options, playouts, seed=len(which))


@pytest.mark.parametrize("kind", ["visits", "statistical"])
def test_pruning_cuts_and_keeps_the_best(kind):
    position = nogo.game("othello:6x6").start().play("b3")
    options = SearchOptions(prune=kind, prune_samples=100)
    result = Search(position.game, options).run(position, Budget(playouts=20000), seed=1)
    assert "cut" in result.proven
    assert result.proven[list(result.moves).index(result.move)] != "cut"


def test_root_parallel_adds_up_trees():
    position, state = SMALL["nogo late"]
    options = SearchOptions(parallel="root", threads=3)
    result = Search(position.game, options).run(position, Budget(playouts=301), seed=5)
    roots = [tiny(position.game, options).run(state, share, 5, tree) for tree, share in enumerate((101, 100, 100))]
    visits = sum(root.visits for root in roots)
    assert result.visits.tolist() == visits.tolist()
    assert result.means == pytest.approx(sum(root.sums for root in roots) / (1e7 * visits))
    assert result.votes.sum() == 3


# ---- the kept tree ----


@pytest.mark.parametrize(("side", "policy"), [("nogo late", "ucb1"), ("othello", "rave"), ("einstein", "tuned")])
def test_moving_the_root_keeps_what_is_below(side, policy):
    """One and two moves below the root: what is peeked at is the tiny tree's node."""
    position, state = SMALL[side]
    options = SearchOptions(policy=policy, reuse=True)
    root = tiny(position.game, options).run(state, 300, 2)
    below = [(position.play(name), child) for name, child in zip(root.names, root.children, strict=True) if child]
    for middle, node in list(below):
        below += [(middle.play(n), c) for n, c in zip(node.names, node.children, strict=True) if c]
    assert len(below) > 5
    for later, node in below:
        search = Search(position.game, options)
        search.run(position, Budget(playouts=300), seed=2)
        kept = search.peek(later)
        assert kept.kept == node.playouts
        assert kept.nodes == node.count()
        assert_same(kept, node, amaf=policy == "rave")


def test_a_search_goes_on_from_the_kept_tree():
    position, state = SMALL["nogo late"]
    options = SearchOptions(reuse=True, policy="rave", fpu=0.0)
    search, oracle = Search(position.game, options), tiny(position.game, options)
    for seed in range(3):
        result = search.run(position, Budget(playouts=200), seed=seed)
        assert_same(result, oracle.run(state, 200, seed), amaf=True)
        assert result.visits.sum() == result.kept + result.playouts
        name = position.game.move_name(result.move)
        position, state = position.play(name), state.play(name)
        if len(state.legal()) < 2:
            break
    assert seed > 0


def test_without_reuse_nothing_is_kept():
    position = nogo.game("nogo:4x4").start()
    search = Search(position.game, SearchOptions())
    first, again = (search.run(position, Budget(playouts=100), seed=1) for _ in range(2))
    assert again.kept == 0
    assert again.visits.tolist() == first.visits.tolist()


def test_a_full_tree_is_searched_on():
    position = nogo.game("nogo:9x9").start()
    result = Search(position.game, SearchOptions(memory=1)).run(position, Budget(playouts=200_000), seed=1)
    assert result.full
    assert result.bytes <= 2**20
    assert result.visits.sum() == 200_000


# ---- proven results ----

SOLVED = ("nogo:1x5", "nogo:1x8", "nogo:5x2", "nogo:3x3", "nogo:3x3:B2", "othello:4x4")


def assert_solved(position: nogo.Position, state: reference.State, **options: object) -> None:
    result = Search(position.game, SearchOptions(solver=True, **options)).run(
        position, Budget(playouts=1_000_000), seed=3
    )
    words = {reference.DRAW: "draw", state.turn: "win", 1 - state.turn: "loss"}
    assert result.stopped == "proven"
    assert result.playouts < 1_000_000
    assert result.result == words[reference.solve(state)]
    for move, proven in zip(result.moves, result.proven, strict=True):
        exact = words[reference.solve(state.play(position.game.move_name(int(move))))]
        assert proven in ("", exact)
        if move == result.move:
            assert exact == result.result  # a best move is chosen


@pytest.mark.parametrize("options", [{}, {"policy": "rave", "fpu": 0.0}, {"leaf": "leaves", "playouts": 8}])
@pytest.mark.parametrize("name", SOLVED)
def test_small_boards_are_proven(name, options):
    assert_solved(nogo.game(name).start(), reference.start(name), **options)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("name", "back"), [("nogo:4x4", 6), ("othello:4x4", 7), ("einstein", 4)])
def test_late_positions_are_proven(name, back, seed):
    assert_solved(*late(name, back, seed))


def test_shared_tree_proves_too():
    assert_solved(*sides("nogo:3x3", 0), parallel="tree", threads=2)


def test_chance_is_proven_only_by_all_throws():
    """What is proven in a game with a die holds whatever is thrown: checked by plain search."""

    @cache
    def sure(state: reference.State) -> int | None:
        if state.is_over():
            return state.winner()
        results = {sure(state.play(name)) for name in state.legal()}
        if state.turn == CHANCE:
            return results.pop() if len(results) == 1 else None
        if state.turn in results:
            return state.turn
        return None if None in results else 1 - state.turn

    found = set()
    for seed in range(40):
        squares = random.Random(seed).sample([(row, column) for row in range(1, 4) for column in range(5)], 3)
        state = reference.start("einstein:5x5")
        board = dict.fromkeys(state.board, 0) | dict(zip(squares, (1, 7, 8), strict=True))
        state = replace(state, board=board, ply=40, set_die=0)
        rows = "/".join("".join({0: ".", 1: "1", 7: "a", 8: "b"}[token] for token in row) for row in state.cells())
        position = nogo.position(f"einstein:5x5 {rows} red ply=40 die=1")
        if len(state.legal()) == 1:
            continue  # is not searched
        exact = sure(state)
        budget = Budget(playouts=100_000 if exact is None else 4_000_000)
        result = Search(position.game, SearchOptions(solver=True)).run(position, budget, seed=seed)
        assert result.result == ("" if exact is None else "win" if exact == state.turn else "loss")
        found.add(result.result)
    assert found == {"", "win", "loss"}


def test_a_single_move_needs_no_search():
    single = next(p for p, s in play_both(RandomGame("othello:4x4", bytes(140))) if len(s.legal()) == 1)
    result = Search(single.game, SearchOptions()).run(single, Budget(playouts=1000), seed=1)
    assert (result.stopped, result.playouts) == ("single move", 0)
    assert [result.move] == single.legal_moves()


def test_a_winning_move_is_made_at_once():
    for seed in range(40):
        position, state = late("einstein", 1, seed)
        wins = {name for name in state.legal() if state.play(name).winner() == state.turn}
        result = Search(position.game, SearchOptions(shortcuts=True)).run(position, Budget(playouts=100), seed=1)
        if wins and len(state.legal()) > 1:
            assert result.stopped == "winning move"
            assert position.game.move_name(result.move) in wins
            return
    raise AssertionError("no game of these ends by a choice")


# ---- every option on every family ----

FAMILIES = ("nogo:5x5", "hollow-nogo", "othello:6x6", "othello", "einstein", "einstein:setdie")
WAYS = {
    **OPTIONS,
    "leaves": {"leaf": "leaves", "playouts": 16},
    "leaves, rave": {"leaf": "leaves", "playouts": 16, "policy": "rave", "fpu": 0.0, "solver": True},
    "lanes": {"leaf": "lanes", "playouts": 32},
    "lanes, rave": {"leaf": "lanes", "playouts": 32, "policy": "rave"},
    "evaluation": {"value": "evaluation"},
    "plies": {"value": "plies"},
    "prune": {"prune": "visits"},
    "prune by statistics": {"prune": "statistical", "prune_samples": 10},
    "favour": {"favour": 2.0},
    "mean": {"choice": "mean"},
    "lower bound": {"choice": "lower-bound"},
    "temperature": {"choice": "temperature", "choice_k": 2.0},
    "reuse": {"reuse": True},
    "root": {"parallel": "root", "threads": 2},
    "root, vote": {"parallel": "root", "threads": 3, "vote": True},
    "root, leaves": {"parallel": "root", "threads": 2, "leaf": "leaves", "playouts": 8, "policy": "rave"},
    "leaf": {"parallel": "leaf", "threads": 2},
    "leaf, lanes, rave": {"parallel": "leaf", "threads": 2, "leaf": "lanes", "playouts": 8, "policy": "rave"},
    "tree": {"parallel": "tree", "threads": 2},
    "tree, rave": {"parallel": "tree", "threads": 3, "policy": "rave", "fpu": 0.0},
    "tree, leaves": {"parallel": "tree", "threads": 2, "leaf": "leaves", "playouts": 8},
    "timing": {"early": 0.75, "unst": 0.25, "close": 0.2, "behind": 0.2},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", FAMILIES)
def test_every_option_searches_every_game(name, way):
    position, options = sides(name, 6)[0], SearchOptions(**WAYS[way])
    budget = 100 if options.parallel == "leaf" else 1500  # threads that wait for each other at every leaf are slow
    result, again = (Search(position.game, options).run(position, Budget(playouts=budget), seed=9) for _ in range(2))
    assert position.is_legal(result.move)
    assert result.moves.tolist() == position.legal_moves()
    assert result.visits.sum() == result.playouts + result.kept
    if result.stopped == "playouts" and not result.extensions:
        assert budget <= result.playouts < budget + options.playouts * options.threads
    assert ((result.means >= 0) & (result.means <= 1)).all()
    assert ((result.amaf_means >= 0) & (result.amaf_means <= 1)).all()
    assert 0 <= result.value <= 1
    assert result.nodes > 0
    assert result.variation[0] == result.move
    assert str(result)
    if options.parallel != "tree":
        assert again.visits.tolist() == result.visits.tolist()
        assert again.means.tolist() == result.means.tolist()
        assert again.move == result.move


@pytest.mark.parametrize(
    "way", ["ucb1", "tuned", "rave mse", "rave hand", "rave haha", "leaves", "lanes, rave", "root"]
)
@pytest.mark.parametrize("name", ["nogo:5x5", "othello:6x6", "einstein", "nogo:11x11"])
def test_every_instruction_set_searches_alike(name, way, monkeypatch):
    text = sides(name, 3)[0].text
    visits = set()
    for isa in nogo.build_info().isas_here:
        monkeypatch.setenv("NOGO_ISA", isa)
        position = nogo.position(text)
        result = Search(position.game, SearchOptions(**WAYS[way])).run(position, Budget(playouts=1000), seed=4)
        visits.add((tuple(result.visits), tuple(result.means), tuple(result.amaf_visits)))
    assert len(visits) == 1


def test_temperature_chooses_by_weight():
    """exp(k mean): with k = 0 all visited moves are alike, with a large one the best is taken."""
    position = nogo.game("nogo:3x3").start()

    def chosen(k: float) -> set[int]:
        search = Search(position.game, SearchOptions(choice="temperature", choice_k=k, flat=True))
        return {search.run(position, Budget(playouts=100), seed=seed).move for seed in range(60)}

    assert chosen(0.0) == set(range(9))
    best = Search(position.game, SearchOptions(choice="mean", flat=True))
    assert all(
        best.run(position, Budget(playouts=100), seed=seed).move
        == Search(position.game, SearchOptions(choice="temperature", choice_k=1e6, flat=True))
        .run(position, Budget(playouts=100), seed=seed)
        .move
        for seed in range(5)
    )


# ---- when it stops ----


def run(position: nogo.Position, playouts: int = 10_000, **options: object) -> SearchResult:
    return Search(position.game, SearchOptions(**options)).run(position, Budget(playouts=playouts), seed=1)


def test_seconds_run_out():
    position = nogo.game("nogo:9x9").start()
    result = Search(position.game, SearchOptions()).run(position, Budget(seconds=0.05), seed=1)
    assert result.stopped == "time"
    assert result.seconds >= 0.05
    assert result.playouts > 0


def test_early_stops_once_the_move_is_decided():
    """One move wins at once, so it is far ahead by the time half the budget is spent."""
    position, state = next(
        (p, s)
        for p, s in (late("einstein", 1, seed) for seed in range(40))
        if any(s.play(name).winner() == s.turn for name in s.legal()) and s.play(sorted(s.legal())[0]).winner() is None
    )
    result = run(position, 10_000, early=0.75, c=0.1)
    assert result.stopped == "early"
    assert 5000 <= result.playouts < 10_000
    assert state.play(position.game.move_name(result.move)).winner() == state.turn


def test_behind_searches_on_when_losing():
    position, state = next(
        side for side in (late("nogo:4x4", 4, seed) for seed in range(40)) if reference.solve(side[1]) != side[1].turn
    )
    assert len(state.legal()) > 1
    result = run(position, 1000, behind=0.5, behind_mean=0.5)
    assert (result.extensions, result.playouts) == (1, 1500)
    assert run(position, 1000, behind=0.5, behind_mean=0.0).extensions == 0


def test_close_searches_on_between_equals():
    position = nogo.game("nogo:3x3").start()
    result = run(position, 900, close=1.0, close_ratio=0.5, c=1e6)  # nothing but exploration: all are equal
    assert (result.extensions, result.playouts) == (1, 1800)


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_unst_searches_on_while_visits_and_means_disagree(limit):
    """With nothing but exploration, visits are equal, and the first of the moves is seldom the one of highest mean."""
    position = nogo.game("nogo:5x5").start()
    result = run(position, 1000, unst=0.25, unst_limit=limit, c=1e6, flat=True)
    assert result.extensions == limit
    assert result.playouts == 1000 + 250 * limit


def test_ctrl_c_ends_a_search_and_the_next_one_works():
    script = """
import signal
import nogo
from nogo.budget import Budget
from nogo.search import Search, SearchOptions
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
position = nogo.game("nogo:9x9").start()
search = Search(position.game, SearchOptions(memory=16))
print("ready", flush=True)
try:
    search.run(position, Budget(seconds=100), seed=1)
except KeyboardInterrupt:
    print(search.run(position, Budget(playouts=100), seed=1).playouts, flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        threading.Event().wait(0.2)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30)[0] == "100\n"
        assert process.returncode == 0


def test_a_search_serves_one_thread_at_a_time():
    position = nogo.game("nogo:9x9").start()
    search = Search(position.game, SearchOptions(memory=16))
    thread = threading.Thread(target=search.run, args=(position, Budget(seconds=1.0)), kwargs={"seed": 1})
    thread.start()
    threading.Event().wait(0.2)
    with pytest.raises(BusyError, match="in use by another thread; make one for each"):
        search.run(position, Budget(playouts=1), seed=1)
    thread.join()
    assert search.run(position, Budget(playouts=10), seed=1).playouts == 10


# ---- what is refused ----


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"policy": "uct"}, "policy='uct' is unknown; use ucb1, tuned, rave"),
        ({"c": -1}, "c=-1 is not a number from 0"),
        ({"c": float("nan")}, "c=nan"),
        ({"playouts": 0}, "playouts=0 is out of range; use 1"),
        ({"solver": 1}, "solver=1 is not true or false"),
        ({"threads": 2}, "threads=2 with parallel=none; say parallel=root"),
        ({"parallel": "leaf", "leaf": "leaves"}, "use leaf=single or leaf=lanes"),
        ({"memory": 0}, "memory=0 is out of range"),
        ({"threshold": 1.5}, "threshold=1.5 is not a whole number"),
    ],
)
def test_bad_options_are_refused(options, words):
    with pytest.raises(ArgumentError) as caught:
        SearchOptions(**options)
    assert words in str(caught.value)


def test_what_a_game_does_not_offer_is_refused():
    with pytest.raises(ArgumentError, match=r"playout=corners is not offered by nogo:9x9; use uniform"):
        Search(nogo.game("nogo:9x9"), SearchOptions(playout="corners"))
    with pytest.raises(ArgumentError, match=r"margin=0.5: einstein has no margin; use margin=0"):
        Search(nogo.game("einstein"), SearchOptions(margin=0.5))


def test_positions_that_cannot_be_searched_are_refused():
    game = nogo.game("nogo:3x3")
    search = Search(game, SearchOptions(memory=1))
    with pytest.raises(HandleError, match=r"is not of nogo:3x3"):
        search.run(nogo.game("nogo:4x4").start(), Budget(playouts=1), seed=0)
    with pytest.raises(HandleError, match="is not a position"):
        search.run("nogo:3x3", Budget(playouts=1), seed=0)
    over = nogo.game("nogo:1x1").start()
    with pytest.raises(ArgumentError, match=r"nothing to search in 'nogo:1x1 .*: the game is over"):
        Search(over.game, SearchOptions(memory=1)).run(over, Budget(playouts=1), seed=0)
    throw = nogo.game("einstein:5x5").start()
    with pytest.raises(ArgumentError, match=r"nothing to search in .*: a die is to be thrown"):
        Search(throw.game, SearchOptions(memory=1)).run(throw, Budget(playouts=1), seed=0)
    with pytest.raises(ArgumentError, match="playouts=0"):
        search.run(game.start(), Budget(playouts=0), seed=0)
    with pytest.raises(ArgumentError, match="seed=-1"):
        search.run(game.start(), Budget(playouts=1), seed=-1)
