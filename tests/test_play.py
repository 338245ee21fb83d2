"""One game, from a task to its one end: who is asked and told what, clocks, dice, and how agents fail."""

from __future__ import annotations

import dataclasses
import json
import random

import pytest
from faulty import FAULTS, FOLLOWING, PLUGIN
from playing import plan, play_here, timeless

import nogo
from nogo.match.record import ENDS, GameRecord
from nogo.match.replay import steps
from nogo.match.schedule import tasks

# Seconds: for those who are to stall, and for all others on a busy machine.
STALL, PATIENCE = 1.0, 30.0

# Agents that need no process of their own can be tried quickly; the stage puts them inside.
TIMED = """
    import time
    from nogo.agent import AgentSpec, Choice, Option
    from nogo.hookspecs import hookimpl

    BUDGETS = []

    class Timed:
        def __init__(self, game, options, seed):
            self.options = options

        def choose(self, position, budget):
            BUDGETS.append((position.turn, budget))
            time.sleep(self.options["seconds"])
            return Choice(position.legal_moves()[0])

    @hookimpl
    def nogo_register_agents(register):
        register(AgentSpec("timed", Timed, (Option("seconds", float, 0.0, "how long", least=0),), "Takes its time"))
"""


# Whole games


@pytest.mark.parametrize("game", ["hollow-nogo", "othello:6x6", "einstein", "einstein:5x5", "einstein:setdie"])
def test_a_game_is_legal_from_its_opening_to_its_end_and_its_record_reads_back(game):
    for record in play_here(tasks(plan("random", "random@playouts=1", games=(game,), pairs=3))):
        assert GameRecord.from_line(record.to_line()) == record
        played = steps(record)  # refuses what is illegal
        last = played[-1].position
        assert last.is_over
        assert (record.end.kind, record.end.winner, record.end.ply) == ("finished", last.winner, last.ply)
        assert len(record.moves) == len(played) - len(record.opening.moves)
        for step in played[len(record.opening.moves) :]:
            assert (step.seconds is None) == (step.mover == nogo.CHANCE)
            assert step.playouts is None
        assert sum(filter(None, record.seconds)) <= record.took


@pytest.mark.parametrize(
    ("game", "result", "said"),
    [
        ("hollow-nogo", 1.0, "no legal move"),
        ("othello", -12.0, "white has 12 discs more"),
        ("othello:4x4", 1.0, "black has 1 disc more"),
        ("othello", 0.0, "equal discs"),
        ("einstein:5x5", 1.0, "all cubes captured"),
        ("einstein", 0.1, "corner reached"),
    ],
)
def test_the_reason_of_an_end_is_the_games_own(game, result, said):
    assert nogo.game(game).notation.ending(result) == said


def test_the_same_task_is_the_same_game_times_apart():
    games = list(tasks(plan("uct", "rave", games=("einstein:5x5", "hollow-nogo"), pairs=2)))
    assert [*map(timeless, play_here(games))] == [*map(timeless, play_here(reversed(games)))][::-1]


def test_the_throws_of_a_pair_are_the_same_and_fair():
    records = play_here(tasks(plan("random", "random@playouts=1", games=("einstein:5x5",), pairs=30)))
    throws = [[step.move for step in steps(record) if step.mover == nogo.CHANCE] for record in records]
    for one, other in zip(throws[::2], throws[1::2], strict=True):
        length = min(len(one), len(other))
        assert length > 3
        assert one[:length] == other[:length]
    assert len({tuple(one) for one in throws[::2]}) == 30
    faces = sorted({name for line in throws for name in line})
    counts = [sum(line.count(face) for line in throws[::2]) for face in faces]
    expected = sum(counts) / 6
    assert len(counts) == 6
    assert sum((count - expected) ** 2 / expected for count in counts) < 25.7  # chi-squared, 5 degrees, 0.01%


def test_all_is_told_as_it_happens():
    told = []
    [record] = play_here(list(tasks(plan("random", "random@playouts=1")))[:1], lambda *event: told.append(event))
    assert told[0] == ("game", 0, record.began)
    assert [event[1] for event in told if event[0] == "move"] == list(record.moves)
    assert json.loads(json.dumps(told)) == [list(event) for event in told]
    turns = [event for event in told if event[0] == "turn"]
    assert len(turns) == 4 + len(record.moves)  # both had a seat, and were made; then each asked in turn
    assert [event[1] for event in turns[4:6]] == [0, 1]


# Ends


@pytest.mark.parametrize(
    "fault", ["raise", "crash", "exit", "spin", "occupied", "none", "kind-illegal", "kind-refused", "resign", "print"]
)
def test_an_agent_of_another_distribution_fails_alone_and_is_told_from_others(stage, fault):
    stage.add("trouble", PLUGIN)
    kind, words = FAULTS[fault]
    stall = STALL if kind == "engine stalled" else PATIENCE
    games = list(tasks(plan(f"trouble:fault={fault}", "random", stall=stall)))
    for record in play_here(games[: 2 if fault == "raise" else 1]):
        culprit = [player.agent for player in record.players].index(f"trouble:fault={fault}")
        assert kind == record.end.kind
        assert kind in ENDS
        assert words in record.end.reason
        assert "\n" not in record.end.reason
        if kind == "finished":
            steps(record)
            continue
        assert (record.end.blame, record.end.winner) == (culprit, 1 - culprit)
        assert len(record.moves[culprit::2]) == 2  # it fails at its third
        assert record.end.ply == len(record.opening.moves) + len(record.moves)
    if fault == "raise":
        assert "do_raise" in record.end.output, "its traceback is kept"
    if fault.startswith("kind"):
        assert "what the engine wrote" in record.end.output
    if fault == "crash":
        assert "my last words" in record.end.output
        assert "do_crash" in record.end.output, "Python's own report of a segmentation fault"


def test_output_of_any_length_and_kind_is_kept_in_part(stage):
    source = PLUGIN.replace(
        'raise ValueError("on purpose")',
        'os.write(1, b"\\x1b[2J" * 50_000 + b"the end"); raise ValueError("a\\n" * 9000)',
    )
    stage.add("trouble", source)
    [record] = play_here(list(tasks(plan("trouble:fault=raise", "random")))[:1])
    assert record.end.kind == "agent crashed"
    assert len(record.end.reason) <= 500
    assert 1000 < len(record.end.output) <= 8000
    assert record.end.output.endswith("the end")
    assert "\x1b" not in record.end.output
    assert GameRecord.from_line(record.to_line()) == record


@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        ("raise", "agent crashed", "ValueError: on purpose"),
        ("exit", "agent crashed", "exit code 3"),
        ("sleep", "engine stalled", "not ready within"),
        ("refuse", "void", "not with me"),
        ("kind-refused", "void", "as it says"),
        ("kind-stalled", "engine stalled", "as it says"),
    ],
)
def test_an_agent_that_cannot_be_made_says_how_it_fails(stage, fault, kind, said):
    stage.add("trouble", PLUGIN)
    stall = STALL if fault == "sleep" else PATIENCE
    games = list(tasks(plan(f"trouble:fault={fault},at=0", "random", stall=stall)))
    for record in play_here(games[: 2 if fault == "raise" else 1]):
        culprit = record.number % 2
        assert (record.end.kind, record.moves, record.end.blame) == (kind, (), culprit)
        assert said in record.end.reason
        assert record.end.ply == len(record.opening.moves)
        assert record.end.winner == (None if kind == "void" else 1 - culprit)


def test_an_agent_of_another_version_than_the_plans_makes_a_game_void(stage):
    stage.add("trouble", PLUGIN)
    [task, _] = tasks(plan("trouble", "random"))
    newer = dataclasses.replace(task.players[0], version="2.0")
    [record] = play_here([dataclasses.replace(task, players=(newer, task.players[1]))])
    assert record.end.kind == "void"
    assert "trouble 1.0 here, and of version 2.0 in the plan" in record.end.reason


def test_an_opening_that_does_not_exist_makes_a_game_void():
    [task, _] = tasks(plan("random", "random@playouts=1"))
    broken = dataclasses.replace(task, opening=dataclasses.replace(task.opening, moves=("A1", "A1")))
    [record] = play_here([broken])
    assert (record.end.kind, record.end.winner, record.end.blame) == ("void", None, None)
    assert "A1" in record.end.reason


# Time


def budgets(stage) -> list:
    import sys

    return sys.modules["timed_agent"].BUDGETS


@pytest.fixture
def timed(stage):
    import sys

    stage.add("timed-agent", TIMED, ours=True)
    yield lambda: sys.modules["timed_agent"].BUDGETS
    sys.modules.pop("timed_agent", None)


def test_a_move_within_its_time_and_the_margin_counts_and_a_later_one_loses(timed):
    late, good = plan("timed:seconds=0.3", "random@playouts=1", budgets=("time=0.05s",), margin=0.1), 60.0
    [record, other] = play_here(tasks(late))
    assert (record.end.kind, record.end.blame, record.end.winner) == ("time forfeit", 0, 1)
    assert record.end.reason == "no move within 0.05 s and a margin of 0.1 s"
    assert (other.end.kind, other.end.blame) == ("time forfeit", 1)
    in_time = plan("timed:seconds=0.1", "random", budgets=("time=0.05s",), margin=good, games=("nogo:3x3",))
    assert {record.end.kind for record in play_here(tasks(in_time))} == {"finished"}


def test_a_clock_runs_down_by_what_is_used_and_up_by_the_increment(timed):
    ours = plan("timed:seconds=0.05", "random@playouts=1", budgets=("clock=30s+2s,plan=even,length=50",), pairs=1)
    [record] = play_here(list(tasks(ours))[:1])
    clocks = [budget.clock for _, budget in timed()]
    left = 30.0
    for clock, seconds in zip(clocks, filter(lambda s: s >= 0.05, filter(None, record.seconds)), strict=False):
        assert clock.left == pytest.approx(left, abs=1e-3)
        assert (clock.increment, clock.plan, clock.length) == (2.0, "even", 50.0)
        left = left - seconds + 2.0
    assert len(clocks) > 3


def test_a_clock_that_has_run_out_loses_but_for_the_margin(timed):
    ours = plan("timed:seconds=0.1", "random@playouts=1", budgets=("clock=0.25s",), margin=0.02)
    [record] = play_here(list(tasks(ours))[:1])
    assert (record.end.kind, record.end.blame) == ("time forfeit", 0)
    assert record.moves[0::2]
    assert len(record.moves[0::2]) <= 2


def test_nobody_sees_the_clock_of_another(timed):
    ours = plan("timed", "timed:seconds=0.1", budgets=("clock=200s",), games=("nogo:3x3",))
    [record] = play_here(list(tasks(ours))[:1])
    for side in (0, 1):
        seen = [budget.clock.left for turn, budget in timed() if turn == side]
        own = [step.seconds for step in steps(record) if step.mover == side and step.seconds is not None]
        assert seen == pytest.approx([200 - sum(own[:count]) for count in range(len(own))], abs=1e-3)
    assert sum(filter(None, record.seconds)) > 0.1


def test_who_owes_no_time_may_take_until_it_counts_as_stalled(timed):
    [record] = play_here(list(tasks(plan("timed:seconds=0.4", "random", stall=0.2)))[:1])
    assert (record.end.kind, record.end.blame, record.end.reason) == ("engine stalled", 0, "no move within 0.2 s")


def test_an_agent_outside_that_is_late_loses_on_time_and_not_as_stalled(stage):
    stage.add("trouble", PLUGIN)
    ours = plan("trouble:fault=sleep,at=1", "random@playouts=1", budgets=("time=0.5s",), margin=0.5)
    [record] = play_here(list(tasks(ours))[:1])
    assert record.end.kind == "time forfeit"
    assert record.end.reason == "no move within 0.5 s and a margin of 0.5 s"


# Who is told what, and who stays


def lines_of(file) -> list[list[str]]:
    return [line.split() for line in file.read_text().splitlines()]


@pytest.mark.parametrize("ours", [True, False])
@pytest.mark.parametrize("game", ["nogo:3x3", "einstein:5x5"])
def test_one_that_follows_is_told_of_every_move_before_its_turn_and_at_the_end(stage, tmp_path, ours, game):
    name = f"follows-{'in' if ours else 'out'}-{random.randrange(10**9)}"
    stage.add(name, FOLLOWING, ours=ours)
    file = tmp_path / "notes"
    [record] = play_here(list(tasks(plan(f"{name}:file={file}", "random", games=(game,), opening_plies=2)))[:1])
    notes = lines_of(file)
    told = [line[3] for line in notes if line[2] == "played"]
    assert told == [*record.opening.moves, *record.moves]
    known = 0
    for _, _, what, word, *_ in notes:
        known += what == "played"
        if what == "asked":
            before = steps(record)[known - 1].position
            assert int(word) == before.ply
            assert not before.is_chance
    assert int(notes[-1][4]) == record.end.ply - 1, "the last move too"


@pytest.mark.parametrize("ours", [True, False])
def test_agents_are_made_anew_for_each_game_unless_they_last(stage, tmp_path, ours):
    name = f"lasting-{'in' if ours else 'out'}-{random.randrange(10**9)}"
    stage.add(name, FOLLOWING, ours=ours)
    made, lasting = tmp_path / "made", tmp_path / "lasting"
    games = list(tasks(plan(f"{name}:file={made}", f"{name}-lasts:file={lasting}", games=("nogo:3x3",), pairs=2)))
    play_here(games)
    seeds = [
        [str(player.seed) for task in games for player in task.players if which in player.agent]
        for which in (f"{name}:", "lasts")
    ]
    assert [line[3] for line in lines_of(made) if line[2] == "made"] == seeds[0]
    assert [line[3] for line in lines_of(lasting) if line[2] == "made"] == seeds[1][:1]
    assert [line[3] for line in lines_of(lasting) if line[2] == "begin"] == seeds[1]
    assert lines_of(lasting)[-1][2] == "close"
    processes = [{line[0] for line in lines_of(file)} for file in (made, lasting)]
    assert [len(found) for found in processes] == [1, 1], "and the processes are kept"
    assert (processes[0] == processes[1]) == ours
