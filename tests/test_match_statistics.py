"""Statistics of little matches that were really played, counted here once more from their records alone."""

from __future__ import annotations

import json
import math

import pytest
from playing import plan

from nogo.core import CHANCE
from nogo.match.executors import LocalExecutor
from nogo.match.journal import Journal, read_records
from nogo.match.plan import Plan
from nogo.match.record import GameRecord
from nogo.match.replay import steps
from nogo.match.runner import Match
from nogo.match.sprt import Sprt
from nogo.match.stats import Matchup, Summary


def play(folder, of: Plan, workers: int = 2) -> tuple[Match, list[GameRecord]]:
    with Journal(folder, of) as journal, LocalExecutor(workers) as executor:
        match = Match(journal)
        for _ in match.play(executor):
            pass
    return match, list(read_records(folder))


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Summary, list[GameRecord]]:
    ours = plan(
        *("uct", "random", "ucb"),
        format="round-robin",
        games=("nogo:4x4", "othello:4x4", "einstein:5x5"),
        budgets=("playouts=5", "playouts=40"),
        pairs=5,
    )
    match, records = play(tmp_path_factory.mktemp("grid"), ours)
    return match.tally.summary(), records


def points_of(record: GameRecord, agent: str) -> float:
    made = 0.5 if record.end.winner is None else float(record.end.winner == 0)
    return made if record.agents[0] == agent else 1 - made


def games_of(records: list[GameRecord], matchup: Matchup) -> list[GameRecord]:
    return [
        record
        for record in records
        if set(record.agents) == {matchup.one, matchup.other}
        and matchup.game in (None, record.game)
        and matchup.budget in (None, record.players[0].budget)
    ]


def test_points_are_those_of_the_records(grid):
    summary, records = grid
    assert (summary.games, summary.voids, len(summary.matchups)) == (len(records), 0, 3 * 6) == (180, 0, 18)
    for matchup in (*summary.matchups, *summary.pairings):
        games = games_of(records, matchup)
        assert matchup.games == len(games)
        assert matchup.results.points == sum(points_of(record, matchup.one) for record in games)
        first = [record for record in games if record.agents[0] == matchup.one]
        assert matchup.moving_first.points == sum(points_of(record, matchup.one) for record in first)
        assert matchup.strength.score.value == pytest.approx(matchup.results.share, abs=0.05)


def test_pairs_are_two_games_from_one_opening(grid):
    summary, records = grid
    for matchup in summary.pairings:
        pairs: dict[int, list[GameRecord]] = {}
        for record in games_of(records, matchup):
            pairs.setdefault(record.pair, []).append(record)
        made = [sum(points_of(record, matchup.one) for record in pair) for pair in pairs.values()]
        assert matchup.pentanomial == tuple(made.count(half / 2) for half in range(5))
        for one, other in pairs.values():
            assert one.opening == other.opening
            assert one.agents == other.agents[::-1]


def test_efforts_lengths_and_repetitions_are_those_of_the_records(grid):
    summary, records = grid
    for standing in summary.standings:
        moves = [
            step
            for record in records
            for step in steps(record)
            if not step.opening and step.mover != CHANCE and record.agents[step.mover] == standing.name
        ]
        assert standing.effort.moves == len(moves)
        assert standing.effort.seconds == pytest.approx(sum(step.seconds for step in moves))
        assert standing.effort.playouts == sum(step.playouts or 0 for step in moves)
    for matchup in summary.matchups:
        games = games_of(records, matchup)
        plies = [steps(record)[-1].position.ply for record in games]
        assert (matchup.lengths.least, matchup.lengths.most) == (min(plies), max(plies))
        assert matchup.lengths.mean == pytest.approx(sum(plies) / len(plies))
        assert matchup.distinct == len({(record.opening, record.moves) for record in games})


def test_who_searches_is_rated_above_who_does_not(grid):
    summary, _ = grid
    rated = {rating.name: rating.elo for rating in summary.ratings()}
    assert rated["uct"].low > rated["random"].high
    assert [row.name for row in summary.cross_table()][-1] == "random"
    assert json.loads(json.dumps(summary.to_json(), allow_nan=False))["games"] == 180


def test_the_test_ends_the_match_at_the_same_pair_whatever_the_number_of_workers(tmp_path):
    of = plan("uct", "random", games=("nogo:4x4",), budgets=("playouts=20",), pairs=2000, sprt="0,100,0.1,0.1")
    states = []
    for workers in (1, 3):
        match, records = play(tmp_path / str(workers), of, workers)
        assert len(records) < 1000
        states.append(match.tally.sprt)
    assert states[0] == states[1]
    assert states[0].verdict == "H1"
    # What was played beyond the verdict is kept, and moves nothing.
    made = [points_of(record, "uct") for record in sorted(records, key=lambda record: record.number)]
    pairs = [int(2 * (one + other)) for one, other in zip(made[::2], made[1::2], strict=False)][: states[0].pairs]
    ratio = Sprt(0, 100, 0.1, 0.1).ratio(tuple(pairs.count(outcome) for outcome in range(5)))
    assert ratio == pytest.approx(states[0].llr)
    assert ratio >= math.log(9)
