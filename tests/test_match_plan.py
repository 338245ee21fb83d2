"""What a match is: its plan, its schedule, and the line that a game is recorded in."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import nogo
from nogo.errors import AgentNameError, ArgumentError, RecordError
from nogo.match.openings import draw_opening, position_of, read_openings
from nogo.match.plan import Contestant, Plan, plan_from_json
from nogo.match.record import FINISHED, End, GameRecord, Opening
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
        (("uct", "rave"), {"memory": 100}, "memory=100"),
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


# ---- openings ----


def read(tmp_path: Path, text: str, *games: str) -> tuple[Opening, ...]:
    file = tmp_path / "openings.txt"
    file.write_text(text, encoding="utf-8")
    return read_openings(file, games or ("hollow-nogo",))


def test_openings_are_moves_or_positions_and_may_be_commented(tmp_path):
    after = nogo.game("hollow-nogo").start().play("E5").text
    holes = "nogo:3x3:A3 #../.../... black"
    lines = ["\ufeff# two openings", "E5 D4  # the centre", "", f"{after} # a position, with holes", "#E5 C3", "e5,d4"]
    moved, there, again = read(tmp_path, "\r\n".join(lines))
    assert moved == again == Opening(nogo.game("hollow-nogo").start().text, ("E5", "D4"))
    assert there == Opening(after)
    assert read(tmp_path, f"{holes}\n{after}", "nogo:3x3:A3", "hollow-nogo") == (Opening(holes), Opening(after))
    assert position_of(moved).ply == 2


@pytest.mark.parametrize(
    ("text", "games", "says"),
    [
        ("E5 D4\nE5 E5", ("hollow-nogo",), "line 2: illegal move E5"),
        ("E5 Z4", ("hollow-nogo",), "line 1: 'Z4' is not a move"),
        ("\n\nnogo:3x3 .X./.O./... black", ("hollow-nogo",), "line 3: a position of nogo:3x3, which is not played"),
        ("E5", ("hollow-nogo", "othello"), "line 1: 'E5' does not say of which game"),
        ("A1 B1", ("nogo:2x1",), "line 1: illegal move"),
        ("A1", ("nogo:2x1",), "line 1: opening 'A1': the game is over after it"),
        ("# nothing", ("hollow-nogo",), "has no openings"),
    ],
)
def test_openings_that_cannot_be_played_name_their_line(tmp_path, text, games, says):
    with pytest.raises(ArgumentError, match=re.escape(says)):
        read(tmp_path, text, *games)


def test_openings_are_read_from_files_only(tmp_path):
    for path, says in ((tmp_path, "not a file"), (Path("/dev/zero"), "not a file"), (tmp_path / "no", "No such file")):
        with pytest.raises(ArgumentError, match=says):
            read_openings(path, ("hollow-nogo",))


def test_named_openings_are_taken_in_turn_by_each_game():
    starts = [nogo.game("nogo:3x3").start(), nogo.game("othello").start()]
    openings = (Opening(starts[0].text, ("A1",)), Opening(starts[1].text), Opening(starts[0].text, ("B2",)))
    games = list(tasks(plan("uct", "random", games=("nogo:3x3", "othello"), openings=openings, pairs=3)))
    assert [game.opening.moves for game in games if game.game == "nogo:3x3"][::2] == [("A1",), ("B2",), ("A1",)]
    assert {game.opening for game in games if game.game == "othello"} == {openings[1]}


@pytest.mark.parametrize("name", ["nogo:1x2", "nogo:2x2", "othello:4x4", "einstein", "einstein:5x5", "einstein:setdie"])
def test_a_drawn_opening_leaves_something_to_play(name):
    for seed in range(20):
        for plies in (None, 1, 60):
            assert not position_of(draw_opening(nogo.game(name), seed, plies)).is_over


# ---- one way to write a plan ----


def test_equal_plans_are_written_alike():
    one = plan("uct", "random", games=("nogo:9x9:C3,D4",), budgets=(" playouts = 10",), margin=1, sprt="0,10")
    same = plan("uct", "random", games=("nogo:9x9:D4,C3",), budgets=("playouts=10",), margin=1.0, sprt="0, 10.0")
    assert one == same
    assert one.digest == same.digest
    assert one.slug == same.slug


@pytest.mark.parametrize(
    ("agents", "settings", "says"),
    [
        (("uct", "rave"), {"budgets": ("soon",)}, "'soon' is not a budget"),
        (("uct", "rave"), {"budgets": ("playouts=5", "playouts= 5")}, "named twice"),
        (("uct", "rave"), {"games": ("nogo:9x9:C3,D4", "nogo:9x9:D4,C3")}, "named twice"),
        (("uct@time=1s", "rave@time=2s"), {"budgets": ("playouts=5", "playouts=6")}, "nobody without one of its own"),
        (("uct", "rave"), {"opening_plies": 2, "openings": (Opening("hollow-nogo"),)}, "leave one of the two out"),
    ],
)
def test_what_contradicts_itself_is_refused(agents, settings, says):
    with pytest.raises(ArgumentError, match=says):
        plan(*agents, **settings)
