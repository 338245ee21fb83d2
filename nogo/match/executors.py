"""Who has games played: processes of this machine. One small interface; nothing here knows of files or statistics.

`LocalExecutor` starts worker processes, watches them, and replaces those that die or hang, or whose agent does. However
a worker ends, its games are given exactly once. `nogo.match.cluster` has the same for many machines.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Final, Protocol

from nogo.arguments import shown, whole
from nogo.errors import ArgumentError, WorkerError
from nogo.match.flight import Flight, now
from nogo.match.record import VOID, End, GameRecord
from nogo.match.schedule import Task
from nogo.match.supervised import Worker

MOST_WORKERS: Final = 1024
TRIES: Final = 3  # how often a game is begun whose worker is lost through nobody's fault


class Executor(Protocol):
    """Whoever has games played. Use it as a context: at its end no process is left."""

    def play(self, tasks: Iterable[Task]) -> Iterator[GameRecord]:
        """Give games in the order in which they end, taking tasks as there is room for them."""
        ...

    def stop(self, now: bool = False) -> None:
        """Take no more tasks; now: drop the games in the air, otherwise finish them.

        May be called from another thread, and from a signal handler.
        """
        ...

    def close(self) -> None:
        """End all processes."""
        ...


class LocalExecutor:
    """Plays games in processes of this machine."""

    def __init__(self, workers: int = 1) -> None:
        """Remember how many; they are started as there are games for them."""
        self._most = whole("workers", workers, 1, MOST_WORKERS)
        self._workers: list[Worker] = []
        self._returned: deque[Task] = deque()
        """Tasks of workers that were lost."""
        self._losses: Counter[int] = Counter()
        self._silent = 0
        """Workers lost in a row before they said anything."""
        self._stopping = self._ending = False
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._closed = False

    def __enter__(self) -> LocalExecutor:
        """Use it for a block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave no process behind."""
        self.close()

    def play(self, tasks: Iterable[Task]) -> Iterator[GameRecord]:
        """Give games in the order in which they end; takes a few tasks ahead, more when they are quick."""
        coming = iter(tasks)
        try:
            while not self._ending:
                self._hand_out(coming)
                if not self._busy:
                    return
                self._wait()
                yield from self._games_ended()
        finally:
            for worker in self._busy:
                self._workers.remove(worker)
                worker.end()

    def stop(self, now: bool = False) -> None:
        """Take no more tasks; now: drop the games in the air."""
        self._stopping = True
        self._ending = self._ending or now
        if not self._closed:
            with contextlib.suppress(BlockingIOError):
                os.write(self._wake, b".")

    def close(self) -> None:
        """End all processes."""
        self._stopping = self._ending = True
        while self._workers:
            self._workers.pop().end()
        if not self._closed:
            self._closed = True
            os.close(self._wake)
            os.close(self._woken)

    # ---- handing out ----

    def _hand_out(self, coming: Iterator[Task]) -> None:
        """Give tasks to whoever has room for them, one each in turn, starting workers as they are needed."""
        given = True
        while given:
            given = False
            for index in range(self._most):
                if index < len(self._workers) and not self._workers[index].has_room:
                    continue
                task = self._next(coming)
                if task is None:
                    return
                if index >= len(self._workers):
                    self._workers.append(Worker())
                self._workers[index].give(task)
                given = True

    def _next(self, coming: Iterator[Task]) -> Task | None:
        if self._stopping:
            return None
        return self._returned.popleft() if self._returned else next(coming, None)

    # ---- waiting ----

    def _wait(self) -> None:
        """Wait until a worker has told something, somebody stops us, or a worker is late."""
        poll = select.poll()
        for fd in (self._woken, *(fd for worker in self._workers for fd in worker.filenos)):
            poll.register(fd, select.POLLIN)
        due = min(worker.due for worker in self._workers)
        ready = poll.poll(max(0.0, due - time.monotonic()) * 1000 + 1)
        if any(fd == self._woken for fd, _ in ready):
            os.read(self._woken, 4096)

    @property
    def _busy(self) -> list[Worker]:
        return [worker for worker in self._workers if worker.is_busy]

    def _games_ended(self) -> list[GameRecord]:
        """Hear all workers, and replace those of which nothing more will be heard."""
        records = [record for worker in self._workers for record in worker.take_in()]
        if records:
            self._silent = 0
        for worker in [worker for worker in self._workers if worker.is_over or worker.is_late]:
            records += self._replace(worker)
        return records

    # ---- losses ----

    def _replace(self, worker: Worker) -> list[GameRecord]:
        """End a worker, and see to its games; another one is started when there is a task for it."""
        self._workers.remove(worker)
        record, unplayed = worker.end()
        self._silent = self._silent + 1 if worker.is_silent else 0
        if self._silent == TRIES:
            raise WorkerError(f"workers do not start ({worker.how()}); see that 'import nogo.match' works here")
        if record is None and unplayed:
            record = self._given_up(unplayed[0], worker)
        self._returned.extendleft(task for task in reversed(unplayed) if record is None or task.number != record.number)
        return [] if record is None else [record]

    def _given_up(self, task: Task, worker: Worker) -> GameRecord | None:
        """Give a game up whose workers are lost time and again without any agent being at work."""
        self._losses[task.number] += 1
        return given_up(task, worker.how()) if self._losses[task.number] == TRIES else None


def given_up(task: Task, why: str) -> GameRecord:
    """Record a game that could not be played, through nobody's fault."""
    return Flight(task, now()).record(End(VOID, None, f"its worker was lost {TRIES} times: {why}", 0), 0.0)


def open_executor(name: str, workers: int) -> Executor:
    """Give the executor called ``local``, with so many workers, or ``dask://HOST:PORT``."""
    scheme, _, address = name.partition("://")
    if scheme == "dask" and address:
        from nogo.match.cluster import DaskExecutor  # noqa: PLC0415 - it needs an extra

        return DaskExecutor(address)
    if name != "local":
        raise ArgumentError(f"executor {shown(name)} is unknown; use local or dask://HOST:PORT")
    return LocalExecutor(workers)
