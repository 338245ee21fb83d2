"""Games counted as they come: against counting them all again, in any order, with everything that can go wrong."""

from __future__ import annotations

import json
import random
import statistics
import sys
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from match_samples import plan, sample_records

from nogo.core import CHANCE
from nogo.match.distinct import Distinct
from nogo.match.outcome import Effort, Outcome, outcome
from nogo.match.record import CRASHED, FINISHED, ILLEGAL, LATE, RESIGNED, STALLED, VOID, End, GameRecord
from nogo.match.replay import steps
from nogo.match.sprt import Sprt
from nogo.match.stats import Lengths, Results, Summary
from nogo.match.tally import Tally


def judged(games: list[Outcome], sprt: Sprt | None = None) -> Summary:
    tally = Tally(sprt)
    for game in games:
        tally.add(game)
    return tally.summary()


def game(number: int, points: float | None, end: str = FINISHED, blame: int | None = None, **more: object) -> Outcome:
    """A game between a and b; the points are the first player's, who is b in every second one."""
    settings = {
        "game": "hollow-nogo",
        "budget": "playouts=10",
        "agents": ("b", "a") if number % 2 else ("a", "b"),
        "plies": 40 + number if end in (FINISHED, RESIGNED) else None,
        "digest": number,
        "efforts": (Effort(2, 1.0, 0.75, 1, 100, 0.5), Effort(1, 3.0, 3.0)),
    } | more
    return Outcome(number=number, pair=number // 2, points=points, end=end, blame=blame, **settings)  # type: ignore[arg-type]


# ---- from records ----


@pytest.mark.parametrize(
    "name", ["hollow-nogo", "othello", "othello:4x4", "einstein", "einstein:5x5", "einstein:setdie"]
)
@pytest.mark.parametrize("plies", [0, 3])
def test_moves_are_laid_to_whoever_made_them(name, plies):
    """As the rules say, replayed move by move; passes and throws among them."""
    for record in sample_records(plan("random", "uct", games=(name,), pairs=4, opening_plies=plies)):
        made = [step for step in steps(record) if not step.opening and step.mover != CHANCE]
        for side, effort in enumerate(outcome(record).efforts):
            ours = [step for step in made if step.mover == side]
            assert effort.moves == effort.searched == len(ours)
            assert effort.playouts == sum(step.playouts for step in ours)
            assert effort.seconds == pytest.approx(sum(step.seconds for step in ours))
            assert effort.slowest == max(step.seconds for step in ours)


def some_record() -> GameRecord:
    return sample_records(plan("uct", "random", pairs=1))[0]


def test_the_match_s_budget_is_that_of_who_has_none_of_its_own():
    for agents, expected in (
        (("uct", "random"), "playouts=1000"),
        (("uct@time=1s", "random"), "playouts=1000"),
        (("uct@time=1s", "random@playouts=7"), "playouts=7 / time=1s"),
    ):
        for record in sample_records(plan(*agents, pairs=1), moves=1):
            assert outcome(record).budget == expected


def test_a_game_has_the_digest_of_the_same_game_only():
    record = some_record()
    same = replace(record, number=9, pair=4, players=record.players[::-1], seconds=(0.0,) * len(record.moves))
    other = replace(record, moves=(*record.moves[:-1], "A1"))
    assert outcome(record).digest == outcome(same).digest != outcome(other).digest


def test_a_game_that_was_forfeited_or_void_has_no_length():
    record = some_record()
    for end in (End(LATE, 0, "late", 5, blame=1), End(VOID, None, "no such board", 0, blame=0)):
        found = outcome(replace(record, end=end))
        assert (found.plies, found.end, found.blame, found.points) == (None, end.kind, end.blame, end.points)
    assert outcome(replace(record, end=End(RESIGNED, 0, "gave up", 12, blame=1))).plies == 12


def test_a_game_without_a_move_is_counted():
    record = replace(
        some_record(), moves=(), seconds=(), playouts=(), values=(), end=End(CRASHED, 1, "gone", 2, blame=0)
    )
    assert outcome(record).efforts == (Effort(), Effort())
    assert judged([outcome(record)]).games == 1


# ---- one match ----

MATCH = [
    *(game(0, 1.0), game(1, 0.0)),  # a wins both
    *(game(2, 0.5), game(3, 0.0, RESIGNED, 0)),  # half, then b gives up as the first player: 3/2
    *(game(4, 0.0, ILLEGAL, 0), game(5, 0.0, STALLED, 0)),  # each loses by its own fault: 1
    *(game(6, None, VOID, 1), game(7, 1.0)),  # void: the other game counts for nothing but itself
    game(8, 1.0, plies=3, digest=0),  # its pair is not complete
]


def test_a_match_is_counted_by_colour_fault_and_pair():
    summary = judged(MATCH)
    (matchup,) = summary.matchups
    assert (matchup.one, matchup.other, matchup.game, matchup.budget) == ("a", "b", "hollow-nogo", "playouts=10")
    assert matchup.moving_first == Results(wins=2, draws=1, losses=1)
    assert matchup.moving_second == Results(wins=3, draws=0, losses=1)
    assert matchup.pentanomial == (0, 0, 1, 1, 1)
    assert (matchup.games, matchup.pairs, matchup.unpaired, matchup.voids) == (8, 3, 2, 1)
    assert (summary.games, summary.voids) == (8, 1)
    assert matchup.distinct == 7
    ours, theirs = matchup.sides
    assert (ours.forfeits, theirs.forfeits) == ({ILLEGAL: 1}, {STALLED: 1})
    assert (ours.resignations, theirs.resignations) == (0, 1)
    assert matchup.strength.score.value == pytest.approx((2 + 1.5 + 1) / 6)
    # First players: a with 1, 1/2, 0 and 1, b with 0, 0, 0 and 1.
    assert matchup.first_player == pytest.approx(3.5 / 8)


def test_lengths_are_of_games_that_were_played_out():
    (matchup,) = judged(MATCH).matchups
    plies = [40, 41, 42, 43, 47, 3]
    assert matchup.lengths == Lengths(statistics.mean(plies), statistics.median(plies), 3, 47)
    assert judged([game(0, 0.0, LATE, 0)]).matchups[0].lengths is None


def test_efforts_follow_the_agent_not_the_colour():
    (matchup,) = judged([game(0, 1.0), game(1, 1.0)]).matchups
    for side in matchup.sides:
        assert side.effort == Effort(3, 4.0, 3.0, 1, 100, 0.5)
        assert side.effort.seconds_a_move == pytest.approx(4 / 3)
        assert side.effort.playouts_a_move == 100
        assert side.effort.playouts_a_second == 200
    assert (Effort().seconds_a_move, Effort().playouts_a_move, Effort().playouts_a_second) == (None, None, None)


def test_no_games_give_no_numbers():
    nothing = Tally(Sprt(0, 10)).summary()
    assert (nothing.games, nothing.voids, nothing.matchups, nothing.standings) == (0, 0, (), ())
    assert nothing.sprt.verdict is None
    assert nothing.ratings() == nothing.cross_table() == ()
    (void,) = judged([game(0, None, VOID, 0)]).matchups
    assert (void.games, void.strength, void.first_player, void.lengths, void.voids) == (0, None, None, None, 1)
    (single,) = judged([game(0, 1.0)]).matchups
    assert (single.games, single.unpaired, single.strength) == (1, 1, None)


# ---- any order, either agent ----

POINTS = st.sampled_from([None, 0.0, 0.5, 1.0])


def rounded(value: object) -> object:
    """Sums of seconds depend on their order in the last digit."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    return [rounded(entry) for entry in value] if isinstance(value, list) else value


@settings(max_examples=60)
@given(st.lists(POINTS, max_size=40), st.randoms(use_true_random=False))
def test_the_order_in_which_games_end_changes_nothing(points, rng):
    games = [game(number, made, VOID if made is None else FINISHED) for number, made in enumerate(points)]
    expected = judged(games, Sprt(0, 100)).to_json()
    rng.shuffle(games)
    assert rounded(judged(games, Sprt(0, 100)).to_json()) == rounded(expected)


@settings(max_examples=60)
@given(st.lists(POINTS, min_size=1, max_size=40))
def test_the_loser_s_numbers_are_the_winner_s_turned(points):
    games = [game(number, made, VOID if made is None else FINISHED) for number, made in enumerate(points)]
    turned = [replace(one, points=None if one.points is None else 1 - one.points) for one in games]
    ours, theirs = judged(games).matchups[0], judged(turned).matchups[0]
    assert ours.results == theirs.results.turned
    assert ours.pentanomial == theirs.pentanomial[::-1]
    if ours.strength:
        assert ours.strength.elo.value == pytest.approx(-theirs.strength.elo.value)
        assert ours.strength.los == pytest.approx(1 - theirs.strength.los)


@given(st.lists(POINTS, max_size=60))
def test_counts_are_those_of_counting_again(points):
    games = [game(number, made, VOID if made is None else FINISHED) for number, made in enumerate(points)]
    summary = judged(games)
    made = [one.points if one.number % 2 == 0 else 1 - one.points for one in games if one.points is not None]
    assert summary.games == len(made)
    assert summary.games + summary.voids == len(points)
    pairs = [points[at : at + 2] for at in range(0, len(points) - 1, 2)]
    whole = [first + 1 - second for first, second in pairs if first is not None and second is not None]
    for matchup in summary.matchups:
        assert matchup.results.points == sum(made)
        assert matchup.pentanomial == tuple(whole.count(total / 2) for total in range(5))
        assert matchup.unpaired == len(made) - 2 * len(whole)


# ---- many agents, games and budgets ----


@pytest.fixture(scope="module")
def grid() -> Summary:
    ours = plan(
        *("uct", "random", "rave"),
        format="round-robin",
        games=("nogo:4x4", "othello:4x4"),
        budgets=("playouts=5", "playouts=9"),
        pairs=6,
    )
    return judged([outcome(record) for record in sample_records(ours)])


def test_a_grid_is_judged_cell_by_cell_and_together(grid):
    assert len(grid.matchups) == 3 * 2 * 2
    assert [(p.one, p.other) for p in grid.pairings] == [("uct", "random"), ("uct", "rave"), ("random", "rave")]
    for pairing in grid.pairings:
        cells = [m for m in grid.matchups if (m.one, m.other) == (pairing.one, pairing.other)]
        assert {(cell.game, cell.budget) for cell in cells} == {
            (name, budget) for name in ("nogo:4x4", "othello:4x4") for budget in ("playouts=5", "playouts=9")
        }
        assert pairing.pentanomial == tuple(map(sum, zip(*(cell.pentanomial for cell in cells), strict=True)))
        assert pairing.results == sum((cell.results for cell in cells), Results())
        assert pairing.pairs == 24
        assert (pairing.game, pairing.budget) == (None, None)


def test_agents_stand_in_the_order_of_the_schedule_and_rows_in_that_of_success(grid):
    assert [standing.name for standing in grid.standings] == ["uct", "random", "rave"]
    assert all(standing.results.games == 2 * 24 * 2 for standing in grid.standings)
    rows = grid.cross_table()
    assert [row.results.points for row in rows] == sorted((row.results.points for row in rows), reverse=True)
    for at, row in enumerate(rows):
        assert row.against[at] is None
        assert sum((met for met in row.against if met), Results()) == row.results
        for column, met in enumerate(row.against):
            assert met is None or met == rows[column].against[at].turned


def test_everything_is_plain_json(grid):
    plain = grid.to_json()
    assert json.loads(json.dumps(plain, allow_nan=False)) == json.loads(json.dumps(plain))
    assert [row["name"] for row in plain["cross_table"]] == [row.name for row in grid.cross_table()]
    assert len(plain["ratings"]) == 3
    assert plain["pairings"][0]["pairs"] == 24
    assert plain["matchups"][0]["sides"][0]["effort"]["playouts_a_move"] > 0
    assert "cross_table" not in judged(MATCH).to_json()


def test_what_ratings_lack_is_said_and_spoils_nothing_else(grid, monkeypatch):
    monkeypatch.setitem(sys.modules, "choix", None)
    plain = grid.to_json()
    assert plain["ratings"] is None
    assert "nogo[stats]" in plain["ratings_missing"]
    assert len(plain["cross_table"]) == 3


# ---- many games ----


@settings(max_examples=20)
@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 50), max_size=300))
def test_distinct_numbers_are_counted_exactly(numbers):
    distinct = Distinct()
    for number in numbers * 2:
        distinct.add(number)
    assert len(distinct) == len(set(numbers))


def test_distinct_numbers_are_counted_exactly_beyond_the_small_set():
    rng, distinct = random.Random(4), Distinct()
    numbers = [0, 2**64 - 1, *(rng.randrange(2**64) for _ in range(8000))]
    for number in (*numbers, *rng.choices(numbers, k=4000), *numbers):
        distinct.add(number)
    assert len(distinct) == len(set(numbers))


def test_memory_hardly_grows_with_the_games():
    """Eight bytes for each that is not a repetition, and nothing else."""
    rng, tally = random.Random(1), Tally()
    effort = (Effort(30, 3.0, 0.2, 30, 3000, 3.0),) * 2

    def play(first: int, last: int) -> None:
        for number in range(first, last):
            plies = rng.randrange(40, 90)
            tally.add(game(number, rng.choice((0.0, 1.0)), plies=plies, digest=rng.getrandbits(64), efforts=effort))

    play(0, 2000)
    tracemalloc.start()
    play(2000, 12_000)
    grown = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert grown < 400_000
    assert tally.games == 12_000
