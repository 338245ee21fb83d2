"""Random play that is not uniform: exact shares from late positions, and the same games on every instruction set."""

from __future__ import annotations

import importlib
import itertools
import math
import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import reference

import nogo
from nogo import core
from nogo.errors import ArgumentError, HandleError
from nogo.playouts import single_playouts

game_for = importlib.import_module("nogo.game")._game  # nogo.game is the function of that name

BUILD = nogo.build_info()
OFFERED = {
    "both-legal": ["nogo:3x3", "nogo:4x4", "nogo:5x4:A4,C3,C2,E1", "nogo:5x5", "nogo:6x6", "nogo:12x2", "nogo:2x12"],
    "corners": ["othello", "othello:6x6", "othello:4x4"],
    "shortcut": ["einstein", "einstein:5x5", "einstein:setdie"],
}
CASES = [(name, way) for way, names in OFFERED.items() for name in names]
LARGE = {"both-legal": ["hollow-nogo", "nogo:9x9", "nogo:10x9", "nogo:11x11", "nogo:7x16", "nogo:12x10"]}
ALL_CASES = CASES + [(name, way) for way, names in LARGE.items() for name in names]
both_ways = pytest.mark.parametrize("run", [nogo.playouts, single_playouts], ids=["batch", "single"])


# ---- the ways, from their definitions ----


def both_legal(state: reference.State) -> set[str]:
    both = state.legal(reference.FIRST) & state.legal(reference.SECOND)
    return both or state.legal()


def shortcut(state: reference.State) -> set[str]:
    """Names sort in the order of moves: cube, direction, die."""
    moves = sorted(state.legal())
    if state.turn == reference.CHANCE:
        return set(moves)
    wins = [move for move in moves if state.play(move).winner() == state.turn]
    return set(wins[:1] or moves)


def corners(state: reference.State) -> set[str]:
    moves, last = state.legal(), state.rows
    ends, next_to_ends = (1, last), (2, last - 1)
    squares = {move: (reference.OTHELLO_COLUMNS.index(move[0]) + 1, int(move[1:])) for move in moves - {"pass"}}
    taken = {move for move, (column, row) in squares.items() if column in ends and row in ends}
    x_squares = {move for move, (column, row) in squares.items() if column in next_to_ends and row in next_to_ends}
    return taken or moves - x_squares or moves


def uniform(state: reference.State) -> set[str]:
    return state.legal()


DEFINITIONS = {"both-legal": both_legal, "shortcut": shortcut, "corners": corners, "uniform": uniform}

Line = tuple[Fraction, reference.State, frozenset[tuple[int, str]]]


def lines_of_play(state: reference.State, way: str, share: Fraction, played: frozenset) -> Iterator[Line]:
    """Every way to the end: its probability, the end, and who played what."""
    if state.is_over():
        yield share, state, played
        return
    names = DEFINITIONS[way](state)
    for name in sorted(names):
        silent = state.turn == reference.CHANCE or name == reference.PASS
        more = played if silent else played | {(state.turn, name)}
        yield from lines_of_play(state.play(name), way, share / len(names), more)


def all_lines(state: reference.State, way: str) -> list[Line]:
    """Every line, or none when there are too many to list."""
    found = list(itertools.islice(lines_of_play(state, way, Fraction(1), frozenset()), 1001))
    return found if len(found) <= 1000 else []


def mean_of(lines: list[Line]) -> Fraction:
    return sum((share * Fraction(str(end.result())) for share, end, _ in lines), Fraction(0))


def random_states(name: str, seed: int) -> list[tuple[reference.State, nogo.Position]]:
    """The positions of a random game, as the oracle and the engine see them."""
    rng = random.Random(f"{name} {seed}")
    pairs = [(reference.start(name), nogo.game(name).start())]
    while names := sorted(pairs[-1][0].legal()):
        state, position = pairs[-1]
        move = rng.choice(names)
        pairs.append((state._after(move), position.play(move)))
    return pairs


@cache
def late_position(name: str, way: str, first_walk: int) -> tuple[list[Line], nogo.Position]:
    """A position with few enough lines to list, in which the way makes a difference; and those lines."""
    for walk in range(first_walk, first_walk + 400):
        found: tuple[list[Line], nogo.Position] | None = None
        for state, position in reversed(random_states(name, walk)[:-1]):
            lines, plain = all_lines(state, way), all_lines(state, "uniform")
            if not lines or not plain:
                break
            if mean_of(lines) != mean_of(plain) and len(lines) > 3:
                found = lines, position
        if found:
            return found
    raise AssertionError(f"no such position of {name}")


def assert_share_of_each(counts: dict, shares: dict, games: int) -> None:
    """Each count within 4.5 standard errors; a share of all or nothing is exact."""
    for key, share in shares.items():
        error = math.sqrt(share * (1 - share) * games)
        assert abs(counts[key] - float(share * games)) <= 4.5 * error, key


def shares_of(lines: list[Line]) -> tuple[dict[float, Fraction], dict[tuple[int, str], Fraction]]:
    """The probabilities of each result, and of each move being played by each player."""
    results: defaultdict[float, Fraction] = defaultdict(Fraction)
    moves: defaultdict[tuple[int, str], Fraction] = defaultdict(Fraction)
    for share, end, played in lines:
        results[end.result()] += share
        for move in played:
            moves[move] += share
    return results, moves


@both_ways
@pytest.mark.parametrize("walk", [0, 1000])
@pytest.mark.parametrize(("name", "way"), CASES)
def test_from_late_positions_results_and_moves_have_their_exact_shares(name, way, walk, run):
    lines, position = late_position(name, way, walk)
    results, moves = shares_of(lines)
    games, game = 60_000, position.game
    found = run(position, games, seed=12, amaf=True, playout=way)
    counts = dict(zip(found.values.tolist(), found.counts.tolist(), strict=True))
    assert {value for value, count in counts.items() if count} <= results.keys()
    assert_share_of_each({value: counts[value] for value in results}, results, games)
    played = {key: int(found.amaf.games[key[0], game.move(key[1])]) for key in moves}
    assert int(found.amaf.games.sum()) == sum(played.values())
    assert_share_of_each(played, moves, games)
    lengths = sum(share * (end.ply - position.ply) for share, end, _ in lines)
    if not name.startswith("othello"):  # there a pass is a ply, but not a move
        assert found.mean_length == pytest.approx(float(lengths), abs=0.1)


@both_ways
def test_from_an_empty_board_both_legal_play_has_its_exact_share(run):
    @cache
    def chance(state: reference.State) -> Fraction:
        if state.is_over():
            return Fraction(state.winner() == reference.FIRST)
        names = both_legal(state)
        return sum((chance(state.play(name)) for name in names), Fraction(0)) / len(names)

    exact, games = chance(reference.start("nogo:3x3")), 200_000
    found = run(nogo.game("nogo:3x3").start(), games, seed=2, playout="both-legal")
    assert abs(found.mean - exact) < 4 * math.sqrt(exact * (1 - exact) / games)


# ---- the same whatever the instruction set and the threads ----


def facts(found: nogo.Playouts) -> list[object]:
    assert found.amaf is not None
    return [found.counts.tolist(), found.mean_length, found.amaf.games.tolist(), found.amaf.rewards.tolist()]


@both_ways
@pytest.mark.parametrize(("name", "way"), ALL_CASES)
def test_every_instruction_set_plays_the_same_games(name, way, run):
    for cut in (0, 0.4, 0.8):
        pairs = random_states(name, 3)
        text = pairs[int(cut * (len(pairs) - 1))][1].text
        reports = [
            facts(run(game_for(name, isa).parse(text), 301, seed=7, amaf=True, playout=way)) for isa in BUILD.isas_here
        ]
        assert all(report == reports[0] for report in reports[1:])


@pytest.mark.skipif(not BUILD.openmp, reason="built without OpenMP")
@pytest.mark.parametrize(("name", "way"), CASES)
def test_any_number_of_threads_gives_the_same_answer(name, way):
    position = nogo.game(name).start()
    games = 2 * core.BLOCK + 77
    alone, together = (
        facts(nogo.playouts(position, games, seed=5, threads=threads, amaf=True, playout=way)) for threads in (1, 3)
    )
    assert alone == together


@both_ways
@pytest.mark.parametrize(("name", "way"), ALL_CASES)
def test_sums_are_consistent(name, way, run):
    found = run(nogo.game(name).start(), 999, seed=13, amaf=True, playout=way)
    assert found.counts.sum() == found.games == 999
    assert found.amaf.games.max() <= 999
    assert np.all(found.amaf.rewards <= found.amaf.games)
    assert np.all(found.amaf.rewards >= 0)
    if "einstein" not in name:  # there a cube may step the same way again
        assert found.amaf.games.sum() == pytest.approx(found.mean_length * 999)


# ---- what is refused ----


@both_ways
@pytest.mark.parametrize(
    ("name", "way", "known"),
    [
        ("nogo:3x3", "corners", "uniform or both-legal"),
        ("othello", "both-legal", "uniform or corners"),
        ("einstein", "fast", "uniform or shortcut"),
        ("einstein", None, "uniform or shortcut"),
        ("einstein", ["uniform"], "uniform or shortcut"),
    ],
)
def test_a_way_the_game_does_not_offer_is_refused_naming_those_it_does(name, way, known, run):
    with pytest.raises(ArgumentError) as caught:
        run(nogo.game(name).start(), 5, seed=1, playout=way)
    assert known in str(caught.value)
    assert repr(way) in str(caught.value)
    assert name in str(caught.value)


# ---- one game from each of many positions ----

EACH_CASES = [
    *ALL_CASES,
    *[
        (name, "uniform")
        for name in ("nogo:4x4", "hollow-nogo", "nogo:11x11", "othello", "othello:6x6", "einstein:5x5")
    ],
]


def each(positions: list[nogo.Position], seed: int, way: str) -> tuple[list[int], bytes]:
    """The outcomes, and the engine's raw sums."""
    totals = core.totals_new()
    handle = positions[0].game.handle
    outcomes = core.playouts_each(handle, [position._c for position in positions], seed, way=way, totals=totals)
    return outcomes, bytes(core.ffi.buffer(totals))


def mixed_positions(name: str, isa: str, count: int) -> list[nogo.Position]:
    """Positions of several random games, at any stage, the ends among them, with either side to move."""
    game = game_for(name, isa)
    texts = [position.text for seed in range(3) for _, position in random_states(name, seed)]
    return [game.parse(text) for text in random.Random(name).choices(texts, k=count)]


@pytest.mark.parametrize(("name", "way"), EACH_CASES)
def test_games_from_many_positions_are_the_same_on_every_instruction_set(name, way):
    reports = [each(mixed_positions(name, isa, 75), 8, way) for isa in BUILD.isas_here]
    assert all(report == reports[0] for report in reports[1:])


@pytest.mark.parametrize(("name", "way"), EACH_CASES)
def test_a_game_depends_on_its_own_position_and_number_alone(name, way):
    positions, others = mixed_positions(name, BUILD.isa, 60), mixed_positions(name, BUILD.isa, 77)[::-1]
    changed = [position if i % 3 == 0 else others[i] for i, position in enumerate(positions)]
    for seed in range(40):
        outcomes, after = (each(starts, seed, way)[0] for starts in (positions, changed))
        assert outcomes[::3] == after[::3]
        assert each(positions[:10], seed, way)[0] == outcomes[:10]


@pytest.mark.parametrize(("name", "way"), EACH_CASES)
def test_a_finished_position_is_its_own_game_and_the_sums_are_the_outcomes(name, way):
    positions = mixed_positions(name, BUILD.isa, 100)
    outcomes, raw = each(positions, 4, way)
    totals = core.ffi.from_buffer("nogo_totals *", raw)
    assert totals.games == 100
    assert [totals.outcomes[i] for i in range(129)] == [outcomes.count(i) for i in range(129)]
    for position, outcome in zip(positions, outcomes, strict=True):
        assert not position.is_over or position.result == position.game.outcomes[outcome][1]


def state_of(position: nogo.Position) -> reference.State:
    """The oracle's view of a position of late_position()."""
    games = (random_states(position.game.name, walk) for walk in range(400))
    return next(state for state, found in itertools.chain.from_iterable(games) if found == position)


@pytest.mark.parametrize(("name", "way"), [*CASES, ("nogo:4x4", "uniform"), ("othello:4x4", "uniform")])
def test_games_from_one_position_at_many_numbers_have_their_exact_shares(name, way):
    lines, position = late_position(name, dict(CASES)[name], 0)
    if way == "uniform":
        lines = all_lines(state_of(position), way)
    results, moves = shares_of(lines)
    totals, games, game = core.totals_new(), 0, position.game
    for seed in range(15):
        core.playouts_each(game.handle, [position._c] * core.BLOCK, seed, way=way, totals=totals)
        games += core.BLOCK
    counts = {value: totals.outcomes[i] for i, (_, value, _) in enumerate(game.outcomes)}
    assert_share_of_each({value: counts[value] for value in results}, results, games)
    played = {key: totals.amaf_games[key[0]][game.move(key[1])] for key in moves}
    assert_share_of_each(played, moves, games)
    assert sum(totals.amaf_games[player][move] for player in (0, 1) for move in range(128)) == sum(played.values())


@pytest.mark.parametrize("count", [0, core.BLOCK + 1])
def test_too_few_or_too_many_positions_are_refused(count):
    position = nogo.game("nogo:3x3").start()
    with pytest.raises(ArgumentError):
        core.playouts_each(position.game.handle, [position._c] * count, 1, way="uniform", totals=core.totals_new())


def test_a_foreign_position_among_many_is_refused():
    ours, foreign = nogo.game("nogo:3x3").start(), nogo.game("nogo:4x4").start()
    with pytest.raises(HandleError):
        core.playouts_each(ours.game.handle, [ours._c, foreign._c], 1, way="uniform", totals=core.totals_new())
