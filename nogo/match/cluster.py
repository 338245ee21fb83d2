"""Games on any dask.distributed cluster: the same games, records and ends as on this machine.

A task travels as a line of JSON and comes back as the line of its record. On the cluster's machines games are played in
worker processes of our own under each dask worker (`LocalExecutor`), so that what agents do is seen and survived there
as it is here. A game whose dask worker is lost is played again; its record is taken once.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
import time
import uuid
from collections.abc import Iterable, Iterator
from queue import SimpleQueue
from typing import Any, Final

from nogo.errors import WorkerError
from nogo.match.executors import TRIES, LocalExecutor, given_up
from nogo.match.record import GameRecord
from nogo.match.schedule import Task

CONNECT: Final = 30.0  # seconds to reach the scheduler, and to see its first worker
AHEAD: Final = 2  # games a thread of the cluster is given at a time, so that none waits for its next
RECOUNT: Final = 1.0  # seconds between looks at how many threads the cluster has
IDLE: Final = 60.0  # seconds after which a process that plays nothing is ended


# ---- on the cluster ----


class Crew:
    """The processes under one dask worker that play for one match: as many as it plays games at a time."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = threading.Lock()
        self._idle: list[LocalExecutor] = []
        self._busy: set[LocalExecutor] = set()
        self._timer: threading.Timer | None = None
        self._over = False

    def play(self, line: str) -> str | None:
        """Play a task; None when the match was stopped meanwhile."""
        with self._lock:
            executor = self._idle.pop() if self._idle else LocalExecutor(1)
            self._busy.add(executor)
            if self._over:
                executor.stop(now=True)
        try:
            return next((record.to_line() for record in executor.play([Task.from_line(line)])), None)
        finally:
            self._put_back(executor)

    def end(self) -> None:
        """Drop the games in the air, and end all processes."""
        with self._lock:
            self._over = True
            for executor in self._busy:
                executor.stop(now=True)
        self._close_idle()

    def _put_back(self, executor: LocalExecutor) -> None:
        with self._lock:
            self._busy.remove(executor)
            self._idle.append(executor)
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(0.0 if self._over else IDLE, self._close_idle)
            self._timer.daemon = True
            self._timer.start()

    def _close_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for executor in idle:
            executor.close()


_crews: dict[str, Crew] = {}
_crews_lock = threading.Lock()


def _crew(match: str) -> Crew:
    with _crews_lock:
        return _crews.setdefault(match, Crew())


def play_there(match: str, line: str) -> str | None:
    """Play a task of a match, in a dask worker."""
    return _crew(match).play(line)


def end_there(match: str) -> None:
    """End what a match has in a dask worker."""
    _crew(match).end()


# ---- here ----


def _distributed() -> Any:
    """Import dask.distributed, whose types come and go with its versions."""
    try:
        import distributed  # noqa: PLC0415 - an extra
    except ImportError:
        raise WorkerError("a cluster needs dask.distributed; run: pip install 'nogo[cluster]'") from None
    return distributed


class DaskExecutor:
    """Plays games on the cluster with its scheduler at HOST:PORT."""

    def __init__(self, address: str) -> None:
        """Connect, and see that somebody is there."""
        self._dask = _distributed()
        self._address = address
        self._client: Any = None
        try:
            self._client = self._dask.Client(f"tcp://{address}", timeout=CONNECT, set_as_default=False)
            self._client.wait_for_workers(1, timeout=CONNECT)
        except (OSError, ValueError, asyncio.TimeoutError) as error:
            self._let_go()
            raise WorkerError(
                f"no cluster with a worker is found at {address} within {CONNECT:g} s ({error}); start one with:"
                f" dask scheduler, and on each machine: dask worker tcp://{address}"
            ) from None
        self._match = uuid.uuid4().hex
        self._arrivals: SimpleQueue[Any] = SimpleQueue()
        """Futures that are done, and None to be looked after."""
        self._flying: dict[Any, tuple[Task, int]] = {}
        """The games in the air: by future the task, and how often it was begun."""
        self._threads, self._counted = 0, -math.inf
        self._stopping = self._ending = False

    def __enter__(self) -> DaskExecutor:
        """Use it for a block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave no process of ours behind."""
        self.close()

    def play(self, tasks: Iterable[Task]) -> Iterator[GameRecord]:
        """Give games in the order in which they end."""
        coming = iter(tasks)
        try:
            while not self._ending:
                self._hand_out(coming)
                if not self._flying:
                    return
                record = self._arrived(self._arrivals.get())
                if record is not None:
                    yield record
        finally:
            self._drop_flying()

    def stop(self, now: bool = False) -> None:
        """Take no more tasks; now: drop the games in the air."""
        self._stopping = True
        self._ending = self._ending or now
        self._arrivals.put(None)

    def close(self) -> None:
        """End our processes on the cluster, and leave it."""
        self._stopping = self._ending = True
        if self._client.status == "running":
            with contextlib.suppress(Exception):  # workers that are lost have none of our processes left
                self._client.run(end_there, self._match, on_error="ignore")
        self._let_go()

    def _let_go(self) -> None:
        if self._client is not None:
            self._client.close()

    # ---- games in the air ----

    def _hand_out(self, coming: Iterator[Task]) -> None:
        """Keep every thread of the cluster busy, also those that have come meanwhile."""
        if time.monotonic() > self._counted + RECOUNT:
            self._counted = time.monotonic()
            self._threads = max(1, sum(self._client.nthreads().values()))
        while not self._stopping and len(self._flying) < AHEAD * self._threads:
            task = next(coming, None)
            if task is None:
                return
            self._submit(task, 1)

    def _submit(self, task: Task, attempt: int) -> None:
        future = self._client.submit(
            play_there,
            self._match,
            task.to_line(),
            pure=False,
            key=f"nogo-{self._match}-{task.number}-{attempt}",
            priority=-task.number,
        )
        self._flying[future] = task, attempt
        future.add_done_callback(self._arrivals.put)

    def _arrived(self, future: Any) -> GameRecord | None:
        """Take a game that has ended, or have it played again if its worker was lost."""
        if future is None or future not in self._flying:
            return None
        task, attempt = self._flying.pop(future)
        try:
            line = future.result()
        except Exception as error:
            return self._lost(task, attempt, error)
        return None if line is None else GameRecord.from_line(line)

    def _lost(self, task: Task, attempt: int, error: Exception) -> GameRecord | None:
        if self._ending:
            return None
        if not isinstance(error, self._dask.KilledWorker):
            raise WorkerError(f"the cluster at {self._address} fails: {type(error).__name__}: {error}") from error
        if attempt >= TRIES:
            return given_up(task, str(error))
        self._submit(task, attempt + 1)
        return None

    def _drop_flying(self) -> None:
        if self._flying and self._client.status == "running":
            self._client.cancel(list(self._flying))
        self._flying.clear()
