"""Stands between us and a program that we run, so that nothing of it outlives its purpose.

Run by path, with the standard library alone: ``python -I -S _guard.py LIFELINE STATUS PARENT MEMORY PROGRAM ...``. The
program gets our standard streams. When it ends, when the lifeline pipe is closed, or when our parent is gone in
whatever way, everything that descends from the program is killed: whatever is orphaned becomes the guard's own child.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys

SET_PARENT_DEATH_SIGNAL = 1
SET_CHILD_SUBREAPER = 36
NOT_FOR_US = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
CHANGED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


def main() -> None:
    """Start the program, wait, and leave nothing behind."""
    lifeline, status, parent, memory = map(int, sys.argv[1:5])
    for fd in (lifeline, status):
        os.set_inheritable(fd, False)
    for number in NOT_FOR_US:
        signal.signal(number, signal.SIG_IGN)
    adopts = control_process(SET_CHILD_SUBREAPER)
    woken = wake_at_ends_of_children()
    program = start(sys.argv[5:], memory, status)
    let_go_of_standard_streams()
    said = wait_for_an_end(program, lifeline, parent, woken)
    if said is not None:
        tell(status, f"ended {said}")
    if not adopts:
        with contextlib.suppress(OSError):
            os.killpg(program, signal.SIGKILL)  # as near as we get where orphans are not ours
    clean_up(program, status, woken)


def control_process(request: int, value: int = 1) -> bool:
    """Call prctl, where there is one."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    return prctl is not None and prctl(request, value, 0, 0, 0) == 0


def wake_at_ends_of_children() -> int:
    """Give a pipe that can be read when a child has ended."""
    readable, writable = os.pipe()
    os.set_blocking(readable, False)
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return readable


def start(argv: list[str], memory: int, status: int) -> int:
    """Start the program and tell its process id, or why it does not start."""
    readable, writable = os.pipe()  # closed by a successful exec
    guard = os.getpid()
    program = os.fork()
    if program == 0:
        try:
            become(argv, memory, guard)
        except BaseException as error:  # nothing may get out of here
            os.write(writable, str(getattr(error, "strerror", error)).encode())
        os._exit(127)
    os.close(writable)
    with open(readable, "rb") as pipe:
        fault = pipe.read()
    if fault:
        tell(status, f"failed {fault.decode()}")
        sys.exit(1)
    tell(status, f"started {program}")
    return program


def become(argv: list[str], memory: int, guard: int) -> None:
    """Turn into the program: a session of its own, no longer than the guard, no more memory than allowed."""
    os.setsid()
    control_process(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != guard:
        os._exit(127)
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    signal.set_wakeup_fd(-1)
    for number in (*NOT_FOR_US, *CHANGED_BY_PYTHON, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.execvp(argv[0], argv)  # noqa: S606 - no shell is what we want


def let_go_of_standard_streams() -> None:
    """Leave them to the program: a pipe ends when its last holder is gone."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    os.close(nothing)


def wait_for_an_end(program: int, lifeline: int, parent: int, woken: int) -> int | None:
    """Wait until the program ends, and give its status; None when we are to end it."""
    ends = select.poll()
    ends.register(woken, select.POLLIN)
    ends.register(lifeline, select.POLLIN)
    with contextlib.suppress(OSError, AttributeError):  # old kernels; the lifeline is left
        ends.register(os.pidfd_open(parent), select.POLLIN)
    while True:
        ready = {fd for fd, _ in ends.poll()}
        said = (reap(woken) or {}).get(program)
        if said is not None or ready - {woken}:
            return said


def reap(woken: int) -> dict[int, int] | None:
    """Bury the children that have ended, and give their statuses; None when there is no child at all."""
    with contextlib.suppress(BlockingIOError):
        os.read(woken, 4096)
    found: dict[int, int] = {}
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            found[ended[0]] = ended[1]
    except ChildProcessError:
        return found or None
    return found


def clean_up(program: int, status: int, woken: int) -> None:
    """Kill our children until there are none: the children of each become ours in turn."""
    wake = select.poll()
    wake.register(woken, select.POLLIN)
    while (ended := reap(woken)) is not None:
        if program in ended:
            tell(status, f"ended {ended[program]}")
        for pid in children() or [program]:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        wake.poll(20)


def children() -> list[int]:
    """List our children; the kernel's own list where there is one, or else by looking at every process."""
    ours = os.getpid()
    try:
        with open(f"/proc/self/task/{ours}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return [pid for pid in processes() if parent_of(pid) == ours]


def processes() -> list[int]:
    """List every process there is."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:
        return []


def parent_of(pid: int) -> int:
    """Look up a process's parent."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return -1


def tell(status: int, line: str) -> None:
    """Report to whom it may concern, if it is still there."""
    with contextlib.suppress(OSError):
        os.write(status, f"{line}\n".encode())


if __name__ == "__main__":
    main()
