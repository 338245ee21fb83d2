"""Games in worker processes: whatever agents do to them, every game has exactly one end, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
import thousand
from faulty import FAULTS, PLUGIN
from playing import plan, play_all, play_here, timeless
from processes import appear, mark, marked, vanish

from nogo.errors import ArgumentError, WorkerError
from nogo.match import supervised
from nogo.match.executors import LocalExecutor
from nogo.match.replay import steps
from nogo.match.schedule import tasks

STALL = 2.0  # enough for everyone else's moves on a busy machine
needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc here to look for processes")


@pytest.fixture
def word(monkeypatch):
    """What all processes that are started from here have in their environment."""
    found = mark()
    monkeypatch.setenv("NOGO_TEST_MARK", found)
    return found


# Games


def test_the_same_games_whatever_the_number_of_workers():
    ours = plan("uct", "random", games=("hollow-nogo", "einstein:5x5"), budgets=("playouts=30",), pairs=5)
    here = [timeless(record) for record in play_here(tasks(ours))]
    for workers in (1, 3):
        assert [timeless(record) for record in play_all(ours, workers)] == here


def test_an_executor_plays_again_after_a_match_and_takes_few_tasks_ahead():
    ours = plan("random", "random@playouts=1", pairs=20)
    taken = []

    def counted(of):
        for task in tasks(of):
            taken.append(task.number)
            yield task

    with LocalExecutor(2) as executor:
        first = next(executor.play(counted(plan("uct", "rave", budgets=("playouts=3000",), pairs=100))))
        assert first.number in taken
        assert len(taken) < 20
        assert len(list(executor.play(tasks(ours)))) == 40
        assert len(list(executor.play(tasks(ours)))) == 40
        assert list(executor.play([])) == []


@pytest.mark.parametrize("workers", [0, -1, 2000, "two", None])
def test_a_number_of_workers_that_is_none_is_refused(workers):
    with pytest.raises(ArgumentError, match="workers"):
        LocalExecutor(workers)


# Agents inside the worker, which take it with them


def test_an_agent_that_shares_the_worker_loses_its_game_and_no_other(stage):
    stage.add("inside", PLUGIN, ours=True)
    quiet = play_here(tasks(plan("random", "inside", pairs=1)))
    names = {f"inside:fault={fault}": fault for fault in FAULTS}
    for record in play_all(plan("random", *names, format="gauntlet", stall=STALL)):
        culprit = next(side for side, name in enumerate(record.agents) if name in names)
        fault = names[record.agents[culprit]]
        kind, words = FAULTS[fault]
        assert (fault, record.end.kind) == (fault, kind), record.end
        assert words in record.end.reason
        steps(record)
        if kind == "finished":
            continue
        assert (record.end.blame, record.end.winner) == (culprit, 1 - culprit)
        assert len(record.moves[culprit::2]) == 2, "with all moves so far"
        assert len(record.seconds) == len(record.playouts) == len(record.values) == len(record.moves)
        assert record.playouts[culprit] == 7
        assert record.opening == quiet[0].opening
        if fault == "crash":
            assert "my last words" in record.end.output
            assert "do_crash" in record.end.output, "Python's own report of a segmentation fault"


@pytest.mark.parametrize("where", ["inside", "outside"])
def test_every_game_has_the_one_end_that_its_agent_was_made_for(stage, where):
    counts = thousand.play(stage, 60, 2, 0.03, where)
    assert sum(counts.values()) == 60
    assert len(counts) > 4


def test_an_agent_that_writes_where_it_should_not_loses(stage):
    stage.add("inside", PLUGIN, ours=True)
    for record in play_all(plan("inside:fault=descriptors", "random"), workers=1):
        culprit = record.number % 2
        assert (record.end.kind, record.end.blame) == ("agent crashed", culprit)
        assert "wrote where it should not" in record.end.reason


# Stopping


def endless(**settings: object):
    return tasks(plan("uct", "rave", games=("hollow-nogo",), budgets=("playouts=5000",), pairs=1000, **settings))


@needs_proc
def test_stopping_finishes_the_games_in_the_air(word):
    with LocalExecutor(2) as executor:
        games = executor.play(endless())
        first = next(games)
        executor.stop(now=False)
        rest = list(games)
        assert {record.end.kind for record in (first, *rest)} == {"finished"}
        assert 1 <= len(rest) <= 4
        assert marked(word), "workers stay for the next match"
    assert not marked(word)


@needs_proc
@pytest.mark.parametrize("wait", [False, True])
def test_stopping_now_ends_at_once_and_from_any_thread(word, wait):
    with LocalExecutor(2) as executor:
        games = executor.play(tasks(plan("uct", "rave", budgets=("time=1000s",), pairs=10)))
        timer = threading.Thread(target=lambda: (not wait or appear(word, 4)) and executor.stop(now=True))
        timer.start()
        assert list(games) == []
        timer.join()
        assert executor.stop(now=True) is None
    assert vanish(word)
    executor.stop(now=True)
    executor.close()


@needs_proc
def test_one_who_leaves_in_the_middle_leaves_no_process(word):
    with LocalExecutor(2) as executor:
        for _ in executor.play(endless()):
            break
    assert not marked(word)


MAIN = """
    import signal, sys
    from nogo.match.executors import LocalExecutor
    from nogo.match.plan import Contestant, Plan
    from nogo.match.schedule import tasks

    agents = tuple(map(Contestant.parse, sys.argv[1:3]))
    with LocalExecutor(2) as executor:
        for record in executor.play(tasks(Plan(agents, budgets=("playouts=2000",), pairs=1000))):
            print(record.number, flush=True)
"""


@needs_proc
def test_nothing_outlives_a_main_process_that_is_killed(stage, word, tmp_path):
    stage.add("trouble", PLUGIN)
    script = tmp_path / "main.py"
    script.write_text(textwrap.dedent(MAIN), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(stage.folder), os.environ.get("PYTHONPATH", "")])}
    argv = [sys.executable, str(script), "trouble:fault=fork,at=1", "uct"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, env=environment, cwd=tmp_path) as main:
        assert main.stdout.readline()
        assert len(marked(word)) >= 9  # main, workers, hosts, their guards, and what the agents left there
        main.kill()
    assert vanish(word)


# Workers that are lost


def worker_processes(word: str) -> list[int]:
    found = []
    for pid in marked(word):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if b"-c" in words[:2] and any(b"nogo.match.worker" in part for part in words[2:3]):
            found.append(pid)
    return found


@needs_proc
def test_a_worker_that_is_killed_is_replaced_and_no_game_is_lost_or_told_twice(word):
    ours = plan("uct", "rave", games=("nogo:5x5",), budgets=("playouts=300",), pairs=60)
    undisturbed = [timeless(record) for record in play_here(tasks(ours))]
    records, killed = [], 0
    with LocalExecutor(2) as executor:
        for record in executor.play(tasks(ours)):
            records.append(record)
            if len(records) in (5, 40, 80):
                killed += 1
                os.kill(worker_processes(word)[0], signal.SIGKILL)
    records.sort(key=lambda record: record.number)
    assert [record.number for record in records] == list(range(120))
    spoilt = [record for record in records if record.end.kind != "finished"]
    assert len(spoilt) <= killed
    assert all("SIGKILL" in record.end.reason for record in spoilt)
    assert [timeless(r) for r in records if r not in spoilt] == [
        fields for fields in undisturbed if fields["number"] not in {r.number for r in spoilt}
    ]
    assert not marked(word)


def test_workers_that_do_not_start_end_the_match_with_the_reason(monkeypatch):
    argv = [sys.executable, "-c", "raise SystemExit('no such luck')"]
    monkeypatch.setattr(supervised, "own_command", lambda _: argv)
    with LocalExecutor(2) as executor, pytest.raises(WorkerError, match="exit code 1: no such luck"):
        list(executor.play(tasks(plan("random", "random@playouts=1"))))


def test_a_game_whose_worker_is_lost_time_and_again_is_void(monkeypatch):
    code = """
        import json, os, sys
        for line in sys.stdin:
            task = json.loads(line)
            print(json.dumps(["game", task["number"], "now"]), flush=True)
            os._exit(9)
    """
    monkeypatch.setattr(supervised, "own_command", lambda _: [sys.executable, "-c", textwrap.dedent(code)])
    for record in play_all(plan("random", "random@playouts=1")):
        assert (record.end.kind, record.end.blame) == ("void", None)
        assert "lost 3 times: exit code 9" in record.end.reason
