"""Random games: the very games that replay.py predicts, on every instruction set, and fair."""

from __future__ import annotations

import importlib
import itertools
import json
import math
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import reference
import replay
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nogo
from nogo import core
from nogo.playouts import single_playouts

game_for = importlib.import_module("nogo.game")._game  # nogo.game is the function of that name
playouts_module = importlib.import_module("nogo.playouts")

BUILD = nogo.build_info()
RUNS = {"batch": (nogo.playouts, replay.batch), "single": (single_playouts, replay.single)}
needs_openmp = pytest.mark.skipif(not BUILD.openmp, reason="built without OpenMP")
both_ways = pytest.mark.parametrize("run", [nogo.playouts, single_playouts], ids=list(RUNS))

# Boards for every kernel of NoGo (up to 5x5, 9x9, 16x9, 11x11, 16x16) and both of its layouts.
NOGO = [
    *("nogo:2x1", "nogo:1x12", "nogo:3x3", "nogo:4x5:B2,C3", "nogo:5x5", "nogo:6x5", "hollow-nogo"),
    *(
        "nogo:9x9",
        "nogo:10x9",
        "nogo:16x7",
        "nogo:10x10",
        "nogo:11x11:F6,A1",
        "nogo:7x16",
        "nogo:12x10",
    ),
]
OTHELLO = ["othello", "othello:6x6", "othello:4x4"]
EINSTEIN = ["einstein", "einstein:5x5", "einstein:setdie"]
VARIANTS = [*NOGO, *OTHELLO, *EINSTEIN]
Moves = tuple[str, ...]


# Positions, known to the engine and to the oracle by the moves that led to them


@cache
def random_moves(name: str, seed: int) -> Moves:
    """A whole random game; throws of the die are moves too."""
    rng = random.Random(f"{name} {seed}")
    state, moves = reference.start(name), []
    while names := sorted(state.legal()):
        moves.append(rng.choice(names))
        state = state._after(moves[-1])
    return tuple(moves)


@cache
def state_after(name: str, moves: Moves) -> reference.State:
    state = reference.start(name)
    for move in moves:
        state = state._after(move)
    return state


def position_after(game: nogo.Game, moves: Moves) -> nogo.Position:
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def state_and_position(name: str, moves: Moves) -> tuple[reference.State, nogo.Position]:
    return state_after(name, moves), position_after(nogo.game(name), moves)


# Comparing


def facts(found: nogo.Playouts) -> list[object]:
    """All that was reported, in a form to compare and to send."""
    amaf = [] if found.amaf is None else [found.amaf.games.tolist(), found.amaf.rewards.tolist()]
    counts = [found.games, found.wins, found.draws, found.losses, found.counts.tolist()]
    return [*counts, found.mean, found.mean_length, *amaf]


def assert_predicted(found: nogo.Playouts, game: nogo.Game, predicted: replay.Totals) -> None:
    pairs = zip(found.values.tolist(), found.counts.tolist(), strict=True)
    assert Counter({value: count for value, count in pairs if count}) == predicted.results
    assert found.games == predicted.games
    assert found.mean_length == predicted.moves / predicted.games
    games, rewards = np.zeros((2, 2, game.move_count))
    for (player, name), count in predicted.amaf_games.items():
        games[player, game.move(name)] = count
        rewards[player, game.move(name)] = float(predicted.amaf_rewards[player, name])
    assert found.amaf is not None
    np.testing.assert_array_equal(found.amaf.games, games)
    np.testing.assert_array_equal(found.amaf.rewards, rewards)


# The model of the generators is right


def test_the_model_s_splitmix_is_the_published_one():
    # The first outputs for seed 1234567, as Rosetta Code and others have them.
    outputs = [replay.splitmix((1234567 + i * replay.SPLITMIX_STEP) % 2**64) for i in range(1, 4)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(seed=st.integers(0, 2**64 - 1), number=st.integers(0, 2**40))
@settings(max_examples=20)
def test_the_model_s_stream_is_numpy_s_sfc64(seed, number):
    stream = replay.Stream(seed, number)
    generator = np.random.SFC64()
    words = np.array([stream.a, stream.b, stream.c, stream.counter], dtype=np.uint64)
    generator.state = {**generator.state, "state": {"state": words}}
    assert [stream.word() for _ in range(20)] == generator.random_raw(20).tolist()


# Exactly the games of the model


def exact_cases() -> list[tuple[str, int, int]]:
    """Game, moves made beforehand (an odd number on einstein:5x5: the die is thrown), games."""
    return [
        *[("nogo:2x1", 0, 11), ("nogo:1x12", 0, 50), ("nogo:1x12", 3, 9), ("nogo:3x3", 0, 301)],
        *[
            ("nogo:3x3", 3, 130),
            ("nogo:4x5:B2,C3", 0, 101),
            ("nogo:5x5", 6, 77),
            ("nogo:6x5", 7, 35),
        ],
        *[("hollow-nogo", 0, 9), ("hollow-nogo", 31, 23), ("nogo:9x9", 0, 7), ("nogo:9x9", 40, 33)],
        *[("nogo:10x9", 21, 10), ("nogo:16x7", 0, 5), ("nogo:10x10", 48, 14), ("nogo:7x16", 63, 6)],
        *[
            ("nogo:11x11:F6,A1", 0, 6),
            ("nogo:12x10", 55, 7),
            ("othello", 0, 11),
            ("othello", 41, 61),
        ],
        *[("othello:6x6", 0, 29), ("othello:6x6", 15, 53), ("othello:4x4", 0, 203)],
        *[
            ("othello:4x4", 5, 250),
            ("einstein", 0, 70),
            ("einstein", 11, 131),
            ("einstein", 24, 65),
        ],
        *[("einstein:5x5", 0, 150), ("einstein:5x5", 7, 67), ("einstein:5x5", 12, 201)],
        *[("einstein:setdie", 0, 150), ("einstein:setdie", 1, 65), ("einstein:setdie", 8, 140)],
    ]


@pytest.mark.parametrize("way", RUNS)
@pytest.mark.parametrize(("name", "plies", "games"), exact_cases())
def test_games_are_exactly_those_of_the_model(name, plies, games, way):
    run, predict = RUNS[way]
    moves = random_moves(name, 1)
    assert plies < len(moves)
    state, position = state_and_position(name, moves[:plies])
    found = run(position, games, seed=20 + plies, amaf=True)
    assert_predicted(found, position.game, predict(state, games, 20 + plies))


@st.composite
def small_games(draw):
    """A small game of any family, and a number of moves to make first."""
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    points = [f"{'ABCDE'[column]}{row + 1}" for column in range(columns) for row in range(rows)]
    holes = draw(st.sets(st.sampled_from(points), max_size=len(points) // 3))
    nogo_name = f"nogo:{columns}x{rows}" + (":" + ",".join(sorted(holes)) if holes else "")
    name = draw(st.sampled_from([nogo_name, "othello:4x4", *EINSTEIN]))
    return name, draw(st.integers(0, 20)), draw(st.integers(0, 1000))


@given(
    chosen=small_games(),
    games=st.integers(1, 70),
    seed=st.integers(0, 2**64 - 1),
    way=st.sampled_from(sorted(RUNS)),
)
@settings(max_examples=60)
def test_games_are_those_of_the_model_whatever_the_board_and_the_seed(chosen, games, seed, way):
    name, plies, walk = chosen
    state, position = state_and_position(name, random_moves(name, walk)[:plies])
    assume(not state.is_over())
    run, predict = RUNS[way]
    found = run(position, games, seed=seed, amaf=True)
    assert_predicted(found, position.game, predict(state, games, seed))


@pytest.mark.parametrize("name", ["nogo:4x4", "othello:4x4", *EINSTEIN])
def test_the_games_of_a_second_block_are_those_of_the_model(name):
    moves = random_moves(name, 5)
    state, position = state_and_position(name, moves[: len(moves) - 4])
    games = core.BLOCK + 69
    found = nogo.playouts(position, games, seed=3, amaf=True)
    assert_predicted(found, position.game, replay.batch(state, games, 3))


def seed_that_redraws(bound: int) -> int:
    """A seed whose very first step has to draw again for one of the lanes, if all have this bound."""
    for seed in range(200_000):
        stream = replay.Stream(seed, 0)
        stream.deal([bound] * replay.LANES)
        if stream.redraws:
            return seed
    raise AssertionError(f"no seed redraws below {bound}")


@pytest.mark.parametrize(
    ("name", "plies", "bound"),
    [
        *[("nogo:3x3", 0, 9), ("hollow-nogo", 0, 73), ("othello:4x4", 1, 3), ("othello:6x6", 1, 3)],
        *[("einstein", 0, 3), ("einstein:5x5", 0, 72), ("einstein:setdie", 0, 72)],
    ],
)
def test_a_draw_made_again_moves_the_stream_on_for_its_other_lanes(name, plies, bound):
    state, position = state_and_position(name, random_moves(name, 2)[:plies])
    seed, games = seed_that_redraws(bound), 8
    predicted = replay.batch(state, games, seed)
    assert predicted.redraws > 0
    found = nogo.playouts(position, games, seed=seed, amaf=True)
    assert_predicted(found, position.game, predicted)


# Found by a search over seeds; a game on its own draws again once in 2**32 / points or so.
@pytest.mark.parametrize(("name", "seed"), [("hollow-nogo", 25226057), ("nogo:10x10", 55737090)])
def test_a_game_on_its_own_draws_again_too(name, seed):
    predicted = replay.single(reference.start(name), 2, seed)
    assert predicted.redraws > 0
    game = nogo.game(name)
    found = single_playouts(game.start(), 2, seed=seed, amaf=True)
    assert_predicted(found, game, predicted)


# Whatever the instruction set


def isa_cases() -> list[tuple[str, float]]:
    """Every variant from the start, and from three places in the middle."""
    return [(name, share) for name in VARIANTS for share in (0.0, 0.35, 0.6, 0.85)]


@pytest.mark.parametrize(("name", "share"), isa_cases())
def test_every_instruction_set_gives_the_same_totals(name, share):
    moves = random_moves(name, 3)
    moves = moves[: int(share * len(moves))]
    games = core.BLOCK + 777
    reports = []
    for isa in BUILD.isas_here:
        position = position_after(game_for(name, isa), moves)
        assert position.game.isa == isa
        found = [nogo.playouts(position, games, seed=8, amaf=amaf) for amaf in (True, False)]
        found.append(single_playouts(position, 301, seed=8, amaf=True))
        reports.append([facts(each) for each in found])
    assert all(report == reports[0] for report in reports[1:])


ISA_SCRIPT = """
import json, sys, nogo
from nogo.playouts import single_playouts
reports = []
for text in json.loads(sys.argv[1]):
    for run, games in ((nogo.playouts, 5001), (single_playouts, 203)):
        found = run(nogo.position(text), games, seed=6, amaf=True)
        reports.append([found.counts.tolist(), found.mean_length, found.amaf.games.tolist(),
                        found.amaf.rewards.tolist()])
json.dump([nogo.build_info().isa, reports], sys.stdout)
"""


def reports_under(isa: str, texts: list[str], folder: object) -> list[object]:
    """What a new process reports with NOGO_ISA set."""
    done = subprocess.run(
        [sys.executable, "-c", ISA_SCRIPT, json.dumps(texts)],
        env={**os.environ, "NOGO_ISA": isa},
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    used, reports = json.loads(done.stdout)
    assert used == isa
    return reports


def test_nogo_isa_changes_the_instruction_set_and_nothing_else(tmp_path):
    names = ["hollow-nogo", "nogo:11x11", "othello", *EINSTEIN]
    texts = [position_after(nogo.game(name), random_moves(name, 4)[:9]).text for name in names]
    reports = [reports_under(isa, texts, tmp_path) for isa in BUILD.isas_here]
    assert all(report == reports[0] for report in reports[1:])


# Whatever the threads and the cutting


@needs_openmp
@pytest.mark.parametrize("name", ["hollow-nogo", "othello", *EINSTEIN])
@pytest.mark.parametrize("games", [1, core.BLOCK - 1, core.BLOCK, 5 * core.BLOCK + 123])
def test_any_number_of_threads_gives_the_same_answer(name, games):
    position = nogo.game(name).start()
    alone = facts(nogo.playouts(position, games, seed=9, amaf=True))
    for threads in (2, 3):
        assert facts(nogo.playouts(position, games, seed=9, threads=threads, amaf=True)) == alone


def totals_of_jobs(position: nogo.Position, jobs: list[tuple[int, int]], *, single: bool) -> bytes:
    """The engine's raw sums over jobs of (first game, games)."""
    totals = core.totals_new()
    for first, count in jobs:
        job = (77, first, count, 1, True)
        core.playouts_run(position.game.handle, position._c, totals, job, single=single)
    return bytes(core.ffi.buffer(totals))


@given(
    name=st.sampled_from(["nogo:5x5", "othello:4x4", *EINSTEIN]),
    cuts=st.sets(st.integers(1, 5)),
    rest=st.integers(0, core.BLOCK - 1),
    single=st.booleans(),
)
@settings(max_examples=30)
def test_jobs_cut_at_any_blocks_add_up_to_the_same_totals(name, cuts, rest, single):
    position = nogo.game(name).start()
    games = 5 * core.BLOCK + rest
    ends = [0, *(cut * core.BLOCK for cut in sorted(cuts)), games]
    jobs = [(first, end - first) for first, end in itertools.pairwise(ends)]
    whole = totals_of_jobs(position, [(0, games)], single=single)
    assert totals_of_jobs(position, jobs, single=single) == whole


@both_ways
@pytest.mark.parametrize("name", ["nogo:5x5", "othello:6x6", *EINSTEIN])
def test_looking_for_ctrl_c_more_or_less_often_changes_nothing(name, run, monkeypatch):
    position = nogo.game(name).start()
    games = 7 * core.BLOCK + 1
    monkeypatch.setattr(playouts_module, "_SLICE_SECONDS", 0)  # a block at a time
    often = facts(run(position, games, seed=4, amaf=True))
    monkeypatch.setattr(playouts_module, "_SLICE_SECONDS", 1e9)  # twice as many each time
    assert facts(run(position, games, seed=4, amaf=True)) == often


# Frequencies of random play: figures of rules.md, each with the games it rests on

BATCHES = 32
RANDOM_PLAY = {
    "hollow-nogo": (292e6, {"wins": 0.50597}, 65.389),
    "nogo:9x9": (42e6, {"wins": 0.50167}, 74.399),
    "othello": (250e6, {"wins": 0.45401, "draws": 0.04170, "losses": 0.50429}, 59.967),
    "einstein:5x5": (400e6, {"wins": 0.53176}, 21.355),
}
BATCH_GAMES = {
    "hollow-nogo": 80_000,
    "nogo:9x9": 80_000,
    "othello": 300_000,
    "einstein:5x5": 1_000_000,
}
SINGLE_GAMES = 30_000


@pytest.mark.slow
@both_ways
@pytest.mark.parametrize("name", RANDOM_PLAY)
def test_random_play_has_the_published_frequencies(name, run):
    published_games, shares, length = RANDOM_PLAY[name]
    each = BATCH_GAMES[name] if run is nogo.playouts else SINGLE_GAMES
    position = nogo.game(name).start()
    batches = [run(position, each, seed=1000 + i) for i in range(BATCHES)]
    games = each * BATCHES
    for result, share in shares.items():
        found = sum(getattr(batch, result) for batch in batches) / games
        error = math.sqrt(share * (1 - share) * (1 / games + 1 / published_games))
        assert abs(found - share) < 4 * error + 0.000005, result
    lengths = np.array([batch.mean_length for batch in batches])
    variance = lengths.var(ddof=1) * each  # of one game's length
    error = math.sqrt(variance * (1 / games + 1 / published_games))
    assert abs(lengths.mean() - length) < 4 * error + 0.0005


# Every move is drawn uniformly: against exact probabilities, from late positions


def chi_square_limit(freedom: int) -> float:
    """What chi-square exceeds once in 30,000 times (Wilson and Hilferty's formula at 4 sigma)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + 4 * math.sqrt(spread)) ** 3


def chi_square(counts: list[int], shares: list[Fraction]) -> float:
    games = sum(counts)
    expected = [float(share * games) for share in shares]
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))


def last_move_position(name: str) -> tuple[reference.State, nogo.Position]:
    """A position where three or more moves are legal, and each of them ends the game."""
    for seed in range(1000):
        moves = random_moves(name, seed)[:-1]
        state = state_after(name, moves)
        if len(state.legal()) >= 3 and all(state.play(move).is_over() for move in state.legal()):
            return state, position_after(nogo.game(name), moves)
    raise AssertionError(f"no such position of {name}")


@both_ways
@pytest.mark.parametrize("name", ["nogo:3x4", "nogo:5x5", "nogo:6x6", "nogo:12x2"])
def test_the_last_move_is_uniform_over_the_legal_ones(name, run):
    state, position = last_move_position(name)
    games = 30_000
    found = run(position, games, seed=5, amaf=True)
    counts = {position.game.move_name(move): int(found.amaf.games[state.turn, move])
              for move in position.legal_moves()}  # fmt: skip
    assert counts.keys() == state.legal()
    assert sum(counts.values()) == games
    assert found.mean_length == 1
    shares = [Fraction(1, len(counts))] * len(counts)
    assert chi_square(list(counts.values()), shares) < chi_square_limit(len(counts) - 1)


@both_ways
def test_the_die_set_first_is_uniform(run):
    game, games = nogo.game("einstein:setdie"), 60_000
    found = run(game.start(), games, seed=5, amaf=True)
    counts = [int(found.amaf.games[nogo.FIRST, game.move(f"={die}")]) for die in range(1, 7)]
    assert sum(counts) == games
    assert chi_square(counts, [Fraction(1, 6)] * 6) < chi_square_limit(5)


@both_ways
@pytest.mark.parametrize(("name", "moves"), [("nogo:9x9", 81), ("hollow-nogo", 73), ("othello", 4)])
def test_results_do_not_depend_on_how_the_first_move_is_drawn(name, moves, run):
    """Drawing the first move ourselves, uniformly, and the rest by the engine, must change nothing."""
    position = nogo.game(name).start()
    children = [position.play(move) for move in position.legal_moves()]
    assert len(children) == moves
    each = 40_000 // moves
    after = [run(child, each, seed=i).wins / each for i, child in enumerate(children)]
    whole = run(position, 40_000, seed=1).wins / 40_000
    assert abs(np.mean(after) - whole) < 4 * math.sqrt(2 * 0.25 / 40_000)


Line = tuple[Fraction, reference.State, frozenset[tuple[int, str]]]


def lines_of_play(state: reference.State, share: Fraction, played: frozenset) -> Iterator[Line]:
    """Every way to the end: its probability, the end, and who played what."""
    names = sorted(state.legal())
    if not names:
        yield share, state, played
    for name in names:
        chance = state.turn == reference.CHANCE or name == reference.PASS
        more = played if chance else played | {(state.turn, name)}
        yield from lines_of_play(state.play(name), share / len(names), more)


def all_lines(name: str, moves: Moves) -> list[Line]:
    """Every line after these moves; none when there are too many to list."""
    lines = lines_of_play(state_after(name, moves), Fraction(1), frozenset())
    found = list(itertools.islice(lines, 1001))
    return found if len(found) <= 1000 else []


@cache
def late_position(name: str, first_walk: int) -> tuple[list[Line], nogo.Position]:
    """A position with some lines to the end, but few enough to list, and those lines."""
    for walk in range(first_walk, first_walk + 200):
        moves, found = random_moves(name, walk), []
        while moves and (lines := all_lines(name, moves[:-1])):
            moves, found = moves[:-1], lines
        if len(found) >= 30:
            return found, position_after(nogo.game(name), moves)
    raise AssertionError(f"no such position of {name}")


LATE = ["nogo:3x3", "nogo:4x4", "nogo:5x5", *OTHELLO, *EINSTEIN]


@both_ways
@pytest.mark.parametrize("walk", [0, 1000])
@pytest.mark.parametrize("name", LATE)
def test_from_late_positions_results_and_moves_have_their_exact_shares(name, walk, run):
    lines, position = late_position(name, walk)
    results: defaultdict[float, Fraction] = defaultdict(Fraction)
    moves: defaultdict[tuple[int, str], Fraction] = defaultdict(Fraction)
    for share, end, played in lines:
        results[end.result()] += share
        for move in played:
            moves[move] += share
    assert len(lines) > 3
    games = 60_000
    found = run(position, games, seed=12, amaf=True)
    counts = dict(zip(found.values.tolist(), found.counts.tolist(), strict=True))
    assert {value for value, count in counts.items() if count} <= results.keys()
    assert_share_of_each({value: counts[value] for value in results}, results, games)
    game = position.game
    played = {key: int(found.amaf.games[key[0], game.move(key[1])]) for key in moves}
    assert int(found.amaf.games.sum()) == sum(played.values())
    assert_share_of_each(played, moves, games)


def assert_share_of_each(counts: dict, shares: dict, games: int) -> None:
    """Each count within 4.5 standard errors; a share of all or nothing is exact."""
    for key, share in shares.items():
        error = math.sqrt(share * (1 - share) * games)
        assert abs(counts[key] - float(share * games)) <= 4.5 * error, key


# Reports are consistent


def worth(game: nogo.Game, value: float) -> float:
    """What a result is worth to the first player, from 0 to 1."""
    return (np.sign(value) + 1) / 2 if game.family == "othello" else value


@both_ways
@pytest.mark.parametrize("name", VARIANTS)
def test_counts_add_up_and_agree_with_the_mean(name, run):
    game = nogo.game(name)
    found = run(game.start(), 1003, seed=2)
    assert found.games == found.counts.sum() == found.wins + found.draws + found.losses == 1003
    assert np.all(np.diff(found.values) > 0)
    worths = np.array([worth(game, value) for value in found.values])
    assert found.mean == pytest.approx(float(worths @ found.counts) / 1003, abs=1e-12)
    assert found.wins == found.counts[worths > 0.5].sum()
    assert found.draws == found.counts[worths == 0.5].sum()
    assert found.amaf is None


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("hollow-nogo", [0, 1]),
        ("othello", list(range(-64, 65))),
        ("othello:6x6", list(range(-36, 37))),
        ("othello:4x4", list(range(-16, 17))),
        ("einstein", [0, 0.1, 0.9, 1]),
        ("einstein:setdie", [0, 0.1, 0.9, 1]),
    ],
)
def test_values_are_the_results_there_can_be(name, values):
    found = nogo.playouts(nogo.game(name).start(), 1, seed=0)
    assert found.values.tolist() == values
    assert found.values.dtype == np.float64
    assert found.counts.dtype == np.int64


@both_ways
@pytest.mark.parametrize("name", VARIANTS)
def test_amaf_does_not_change_the_results(name, run):
    position = position_after(nogo.game(name), random_moves(name, 6)[:1])
    if position.is_over:
        position = nogo.game(name).start()
    without = run(position, 2050, seed=13)
    with_amaf = run(position, 2050, seed=13, amaf=True)
    assert facts(without) == facts(with_amaf)[:-2]


@both_ways
@pytest.mark.parametrize("name", VARIANTS)
def test_amaf_sums_are_possible(name, run):
    found = run(nogo.game(name).start(), 999, seed=13, amaf=True)
    assert found.amaf.games.shape == found.amaf.rewards.shape == (2, nogo.game(name).move_count)
    assert found.amaf.games.max() <= 999
    assert np.all(found.amaf.rewards <= found.amaf.games)
    assert np.all(found.amaf.rewards >= 0)
    if name.startswith(("nogo", "hollow", "othello")):  # there no move can be made twice in a game
        assert found.amaf.games.sum() == pytest.approx(found.mean_length * 999)


def finished(name: str, result: float | None = None) -> Moves:
    """The moves of a whole game, with a given result if that matters."""
    for seed in range(1000):
        moves = random_moves(name, seed)
        if result is None or state_after(name, moves).result() == result:
            return moves
    raise AssertionError(f"no game of {name} with result {result}")


def assert_all_games_end_at_once(run: Callable, position: nogo.Position, games: int) -> None:
    found = run(position, games, seed=1, amaf=True)
    counts = {value: count for value, count in zip(found.values, found.counts, strict=True) if count}
    assert counts == {position.result: games}
    winners = [found.wins, found.losses, found.draws]
    assert winners[{0: 0, 1: 1, None: 2}[position.winner]] == found.games == games
    assert found.mean == worth(position.game, position.result)
    assert found.mean_length == 0
    assert not found.amaf.games.any()
    assert not found.amaf.rewards.any()


@both_ways
@pytest.mark.parametrize("games", [1, 4097, 10**6, 2**40])
@pytest.mark.parametrize("name", VARIANTS)
def test_a_finished_position_gives_its_result_every_time(name, games, run):
    position = position_after(nogo.game(name), finished(name))
    assert position.is_over
    assert_all_games_end_at_once(run, position, games)


@both_ways
@pytest.mark.parametrize(
    ("name", "result"),
    [("othello:4x4", 0), ("nogo:3x3", 0.0), ("nogo:3x3", 1.0)]
    + [("einstein:5x5", result) for result in (0.0, 0.1, 0.9, 1.0)],
)
def test_every_kind_of_finished_position_gives_its_result(name, result, run):
    position = position_after(nogo.game(name), finished(name, result))
    assert position.result == result
    assert_all_games_end_at_once(run, position, 100)


@both_ways
def test_a_game_over_before_its_first_move_gives_its_result(run):
    start = nogo.game("nogo:1x1").start()  # a lone point has no liberty: black cannot move
    assert start.result == 0.0
    assert_all_games_end_at_once(run, start, 10)


@both_ways
def test_the_seed_decides_the_games(run):
    position = nogo.game("hollow-nogo").start()
    first, again, other = (facts(run(position, 5000, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_batch_and_single_play_different_games():
    position = nogo.game("hollow-nogo").start()
    assert facts(nogo.playouts(position, 5000, seed=1)) != facts(single_playouts(position, 5000, seed=1))
