"""What a match is: its plan, its schedule, and the line that a game is recorded in."""

from __future__ import annotations

import json

import pytest

from nogo.errors import AgentNameError, ArgumentError, RecordError
from nogo.match.plan import Contestant, Plan, plan_from_json
from nogo.match.record import FINISHED, End, GameRecord
from nogo.match.schedule import Task, tasks


def plan(*agents: str, **settings: object) -> Plan:
    return Plan(tuple(map(Contestant.parse, agents)), **settings)


def test_a_pair_is_one_opening_with_the_colours_swapped():
    games = list(tasks(plan("uct", "rave:c=0.2", pairs=20)))
    assert [game.number for game in games] == list(range(40))
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one.opening == other.opening
        assert [p.name for p in one.players] == [p.name for p in other.players][::-1]
    assert len({game.opening for game in games}) == 20


def test_what_is_done_is_left_out_and_the_rest_is_unchanged():
    ours = plan("uct", "rave", "random", format="round-robin", pairs=3)
    everything = list(tasks(ours))
    done = {0, 5, 6, 7}
    assert list(tasks(ours, done)) == [task for task in everything if task.number not in done]


def test_dice_and_starts_are_a_pairs_own():
    games = list(tasks(plan("uct", "random", games=("einstein:5x5",), pairs=5)))
    assert all(a.dice == b.dice for a, b in zip(games[::2], games[1::2], strict=True))
    assert len({game.dice for game in games}) == 5
    assert len({game.opening.start for game in games}) == 5


def test_plans_and_tasks_read_back():
    ours = plan("uct", "rave:c=0.2@time=1s", pairs=2, sprt="0,10", opening_plies=4)
    assert plan_from_json(json.loads(json.dumps(ours.to_json()))) == ours
    for task in tasks(ours):
        assert Task.from_line(task.to_line()) == task


@pytest.mark.parametrize(
    ("agents", "settings", "says"),
    [
        (("uct",), {}, "at least two"),
        (("uct", "uct"), {}, "takes part twice"),
        (("uct", "rave", "random"), {}, "round-robin or gauntlet"),
        (("uct", "rave"), {"format": "gantlet"}, "did you mean 'gauntlet'"),
        (("uct", "rave"), {"pairs": 0}, "pairs=0"),
        (("uct", "rave"), {"sprt": "10,0"}, "first is to be the smaller"),
        (("uct", "rave"), {"games": ("othello", "othello")}, "named twice"),
    ],
)
def test_what_cannot_be_played_is_refused(agents, settings, says):
    with pytest.raises(ArgumentError, match=says):
        plan(*agents, **settings)


def test_an_agent_that_does_not_play_the_game_is_refused():
    with pytest.raises(AgentNameError, match="does not play othello"):
        plan("uct", "hard", games=("othello",))


def test_a_record_is_a_line_that_reads_back():
    task = next(tasks(plan("uct", "rave")))
    end = End(FINISHED, 1, "no legal move", 64)
    record = GameRecord(
        *(task.number, task.pair, task.game, task.seed, task.players, task.opening),
        *(("E5",), (0.5,), (1000,), (0.6,), end, "nogo", "2026-01-01T00:00:00Z", 0.5),
    )
    assert GameRecord.from_line(record.to_line()) == record
    assert record.end.points == 0.0
    for broken in (record.to_line()[:-20], "{}", "[]", record.to_line().replace('"format":1', '"format":2')):
        with pytest.raises(RecordError):
            GameRecord.from_line(broken)
