"""The one module that starts processes: a program with pipes to it, deadlines, and a certain end.

The program runs under a small guard (``_guard.py``), which kills everything that descends from it as soon as it ends,
as `Child.close` is called, or as this process is gone in whatever way. A Child is for one thread at a time.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from nogo.arguments import whole
from nogo.errors import ArgumentError, ChildGoneError, ChildLateError

GUARD: Final = str(Path(__file__).with_name("_guard.py"))
ERRORS_KEPT: Final = 64 * 1024  # bytes of standard error
MOST_AHEAD: Final = 2**20  # bytes of standard output taken in while we wait for something else
CHUNK: Final = 64 * 1024
START: Final = 60.0  # seconds for the guard to start a program, on the slowest machine
END: Final = 10.0  # seconds for the guard to clean up, before it is left to it
MEBIBYTE: Final = 2**20


def own_command(module: str, *arguments: str) -> list[str]:
    """Give the command that runs a module's main() with this interpreter, and from this very search path."""
    code = f"import sys; sys.path[:] = sys.argv.pop(1).split(chr(10)); from {module} import main; main()"
    return [sys.executable, "-c", code, "\n".join(sys.path), *arguments]


class Child:
    """A program of our own: what it reads, writes and leaves behind."""

    def __init__(
        self,
        argv: Sequence[str | os.PathLike[str]],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        memory: int | None = None,
    ) -> None:
        """Start argv, found by PATH; memory limits, in MiB, the address space of each of its processes.

        A program that cannot be started is a ChildGoneError that says why.
        """
        words = [os.fspath(word) for word in argv]
        if not words or any("\0" in word for word in words):
            raise ArgumentError(f"{words} is no command; give the program first, and no NUL in any word")
        limit = 0 if memory is None else whole("memory", memory, 1, 2**30) * MEBIBYTE
        self.name = os.path.basename(words[0])
        self._buffers = {name: bytearray() for name in ("out", "err", "status")}
        self._guard, self._fds = _start_guard(self.name, words, limit, env, cwd)
        self._finalizer = weakref.finalize(self, _let_go, self._guard, self._fds)
        self.pid = self._wait_for_start()
        """The program's process id."""

    def __enter__(self) -> Child:
        """Use it for a block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    # ---- talk ----

    def write(self, data: bytes, seconds: float) -> None:
        """Write all of it to the program's standard input."""
        deadline, left = time.monotonic() + seconds, memoryview(data)
        while left:
            sent = self._write_some(left)
            left = left[sent:]
            if left and not sent and not self._wait(deadline, "write"):
                raise ChildLateError(f"{self.name} has left {len(left)} bytes unread for {seconds:g} s")

    def read(self, most: int, seconds: float) -> bytes:
        """Read what its standard output has, up to most bytes, as soon as there is any; b"" at the end of it."""
        deadline = time.monotonic() + seconds
        while not self._buffers["out"] and "out" in self._fds:
            if not self._wait(deadline, "read"):
                raise ChildLateError(f"{self.name} has written nothing within {seconds:g} s")
        return self._take(most)

    def read_line(self, seconds: float, limit: int) -> bytes:
        r"""Read a line, its ``\n`` included; without one when it is longer than limit or the output ends, b"" then."""
        deadline, searched, out = time.monotonic() + seconds, 0, self._buffers["out"]
        while True:
            found = out.find(b"\n", searched, limit)
            if found >= 0:
                return self._take(found + 1)
            searched = len(out)
            if searched >= limit or "out" not in self._fds:
                return self._take(limit)
            if not self._wait(deadline, "read"):
                raise ChildLateError(f"{self.name} has not written a line within {seconds:g} s")

    def errors(self) -> str:
        """Give the last of its standard error, 64 KiB at most, made printable."""
        self._wait(0.0)
        text = self._buffers["err"].decode("utf-8", "replace")
        return "".join(letter if letter.isprintable() or letter in "\n\t" else " " for letter in text)

    def forget_errors(self) -> None:
        """Drop what `errors` would give so far."""
        self._wait(0.0)
        self._buffers["err"].clear()

    @property
    def filenos(self) -> list[int]:
        """What to poll, beside other things, for something to `read` with 0 seconds."""
        return [fd for name, fd in self._fds.items() if name in ("out", "err", "status")]

    # ---- end ----

    def ended(self, seconds: float = 0.0) -> str | None:
        """Say how it ended, e.g. ``exit code 3`` or ``killed by signal 9 (SIGKILL)``; None while it runs."""
        said = self._status_line(b"ended ", time.monotonic() + seconds)
        if said is None:
            return None if "status" in self._fds else "killed with its guard"
        return _how(int(said))

    def close(self, grace: float = 0.0) -> None:
        """End it, and all that descends from it; with grace, it may first end by itself at the end of its input."""
        if not self._finalizer.alive:
            return
        if grace > 0:
            _close(self._fds, "in")
            self.ended(grace)
        self._wait(0.0)  # for its last words
        _close(self._fds, "lifeline")
        deadline = time.monotonic() + END
        while "status" in self._fds and self._wait(deadline):
            pass
        self._finalizer()

    # ---- waiting ----

    def _wait_for_start(self) -> int:
        deadline = time.monotonic() + START
        pid = self._status_line(b"started ", deadline)
        if pid is not None:
            return int(pid)
        fault = self._status_line(b"failed ", deadline) or self.errors() or f"its guard is late by {START:g} s"
        self.close()
        raise ChildGoneError(f"{self.name} cannot be started: {fault}")

    def _status_line(self, word: bytes, deadline: float) -> str | None:
        """Wait for the guard to say a thing of the program; None when it did not."""
        while True:
            for line in self._buffers["status"].splitlines(keepends=True):
                if line.startswith(word) and line.endswith(b"\n"):
                    return line[len(word) :].decode("utf-8", "replace").strip()
            if "status" not in self._fds or not self._wait(deadline):
                return None

    def _wait(self, deadline: float, want: Literal["read", "write", "end"] = "end") -> bool:
        """Take in what there is, or the first that comes; False when nothing has come by the deadline."""
        poll, names = select.poll(), {}
        for name, fd in self._fds.items():
            if self._concerns(name, want):
                poll.register(fd, select.POLLOUT if name == "in" else select.POLLIN)
                names[fd] = name
        ready = poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
        for fd, _ in ready:
            if names[fd] != "in":
                self._take_in(names[fd], fd)
        return bool(ready)

    def _concerns(self, name: str, want: str) -> bool:
        if name == "out":
            return want == "read" or len(self._buffers["out"]) < MOST_AHEAD
        return name in ("err", "status") or (name == "in" and want == "write")

    def _take_in(self, name: str, fd: int) -> None:
        try:
            data = os.read(fd, CHUNK)
        except BlockingIOError:
            return
        if not data:
            _close(self._fds, name)
        self._buffers[name] += data
        if name == "err":
            del self._buffers["err"][:-ERRORS_KEPT]

    def _take(self, most: int) -> bytes:
        out = self._buffers["out"]
        data = bytes(out[:most])
        del out[:most]
        return data

    def _write_some(self, data: memoryview) -> int:
        try:
            return os.write(self._fds["in"], data)
        except BlockingIOError:
            return 0
        except (BrokenPipeError, KeyError):
            end = self.ended(1.0) or "it has closed its input"
            raise ChildGoneError(f"{self.name} reads no more: {end}") from None


def _start_guard(
    name: str,
    words: Sequence[str],
    memory: int,
    env: Mapping[str, str] | None,
    cwd: str | os.PathLike[str] | None,
) -> tuple[subprocess.Popen[bytes], dict[str, int]]:
    """Start a guard for the program, and give our ends of all pipes."""
    guards_lifeline, lifeline = os.pipe()
    status, guards_status = os.pipe()
    numbers = map(str, (guards_lifeline, guards_status, os.getpid(), memory))
    try:
        guard = subprocess.Popen(
            [sys.executable, "-I", "-S", GUARD, *numbers, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=(guards_lifeline, guards_status),
            start_new_session=True,
            env=env,
            cwd=cwd,
        )
    except (OSError, ValueError) as error:
        os.close(lifeline)
        os.close(status)
        raise ChildGoneError(f"{name} cannot be started: {error}") from None
    finally:
        os.close(guards_lifeline)
        os.close(guards_status)
    fds = {"lifeline": lifeline, "status": status}
    for key, stream in (("in", guard.stdin), ("out", guard.stdout), ("err", guard.stderr)):
        assert stream is not None  # noqa: S101 - for the type checker
        fds[key] = os.dup(stream.fileno())
        stream.close()
    for fd in fds.values():
        os.set_blocking(fd, False)
    return guard, fds


def _close(fds: dict[str, int], name: str) -> None:
    fd = fds.pop(name, None)
    if fd is not None:
        os.close(fd)


def _let_go(guard: subprocess.Popen[bytes], fds: dict[str, int]) -> None:
    """Close everything, by which the guard knows that it is to clean up; also when a Child is forgotten, or at exit."""
    for name in list(fds):
        _close(fds, name)
    with contextlib.suppress(subprocess.TimeoutExpired):
        guard.wait(END)


def _how(status: int) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return f"killed by signal {number} ({signal.Signals(number).name})"
        except ValueError:
            return f"killed by signal {number}"
    return f"exit code {os.waitstatus_to_exitcode(status)}"
