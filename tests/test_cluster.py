"""Games on a dask cluster of two workers on this machine: nothing lost, nothing twice, whatever becomes of a worker."""

from __future__ import annotations

import os
import signal
import socket
import threading
import warnings

import pytest
from faulty import PLUGIN
from playing import plan, play_here, timeless
from processes import appear, mark, marked, vanish

from nogo.errors import ArgumentError, WorkerError
from nogo.match import cluster
from nogo.match.executors import LocalExecutor, open_executor
from nogo.match.record import GameRecord
from nogo.match.schedule import tasks

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of dask's own
    import dask
    import distributed

pytestmark = [
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="dask and the sanitizer are slow together"),
]


@pytest.fixture
def word(monkeypatch):
    found = mark()
    monkeypatch.setenv("NOGO_TEST_MARK", found)
    return found


@pytest.fixture
def address(request, stage, word, monkeypatch):
    """A cluster of two workers with a thread each, which gives a task up after so many lost workers."""
    stage.add("trouble", PLUGIN)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(stage.folder), os.environ.get("PYTHONPATH", "")]))
    settings = {"distributed.scheduler.allowed-failures": request.param, "distributed.admin.log-length": 10}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=50
        ) as found,
    ):
        yield found.scheduler_address.removeprefix("tcp://")
    assert vanish(word, "nogo.match")  # but for what multiprocessing keeps for itself


def pids(address: str) -> list[int]:
    with distributed.Client(f"tcp://{address}", set_as_default=False) as client:
        return list(client.run(os.getpid).values())


@pytest.mark.parametrize("address", [0], indirect=True)
def test_one_of_two_workers_is_killed_and_nothing_is_lost_or_told_twice(address):
    ours = plan("uct", "trouble:fault=exit,at=2", "random", format="round-robin", pairs=2)
    here = [timeless(record) for record in play_here(tasks(ours))]
    records = []
    with open_executor(f"dask://{address}", 1) as executor:
        for record in executor.play(tasks(ours)):
            records.append(record)
            if len(records) in (2, 6):
                os.kill(pids(address)[0], signal.SIGKILL)
    records.sort(key=lambda record: record.number)
    assert [timeless(record) for record in records] == here
    assert {record.end.kind for record in records} == {"finished", "agent crashed"}


@pytest.mark.parametrize("address", [3], indirect=True)
def test_stopping_stops_on_a_cluster_too_and_dask_s_own_retries_do_no_harm(address, word):
    slow = plan("uct", "rave", budgets=("playouts=3000",), pairs=100)
    with open_executor(f"dask://{address}", 1) as executor:
        games = executor.play(tasks(slow))
        first = next(games)
        executor.stop(now=False)
        assert {record.end.kind for record in (first, *games)} == {"finished"}
    timed = plan("uct", "rave", budgets=("time=1000s",), pairs=100)
    assert vanish(word, "nogo.match")
    with open_executor(f"dask://{address}", 1) as executor:
        stopper = threading.Thread(target=lambda: (appear(word, 4, "nogo.match"), executor.stop(now=True)))
        stopper.start()
        assert list(executor.play(tasks(timed))) == []
        stopper.join()
        assert marked(word, "nogo.match")
    assert vanish(word, "nogo.match")
    ours, records = plan("uct", "random", pairs=3), []
    with open_executor(f"dask://{address}", 1) as executor:
        for record in executor.play(tasks(ours)):
            if not records:
                os.kill(pids(address)[0], signal.SIGKILL)  # dask itself begins the lost game again
            records.append(record)
    assert sorted(record.number for record in records) == list(range(6))


def test_processes_that_play_nothing_end_by_themselves(word, monkeypatch):
    monkeypatch.setattr(cluster, "IDLE", 0.01)
    crew = cluster.Crew()
    [task, other] = tasks(plan("random", "random@playouts=1"))
    assert GameRecord.from_line(crew.play(task.to_line())).number == 0
    assert vanish(word, "nogo.match")
    assert GameRecord.from_line(crew.play(other.to_line())).number == 1
    crew.end()
    assert crew.play(task.to_line()) is None
    assert vanish(word, "nogo.match")


def test_no_cluster_is_an_error_that_says_how_to_start_one(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT", 0.2)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(WorkerError, match="dask scheduler"):
            open_executor(f"dask://127.0.0.1:{port}", 1)


def test_executors_go_by_name():
    with open_executor("local", 3) as executor:
        assert isinstance(executor, LocalExecutor)
    for name in ("", "lokal", "dask://", "ray://here"):
        with pytest.raises(ArgumentError, match="use local or dask://HOST:PORT"):
            open_executor(name, 1)
