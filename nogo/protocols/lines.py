"""Lines of a stream as they come, within a limit; and a search that ends when they want it to."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final

MAX_LINE: Final = 65536
"""Bytes of a line; of a longer one no more is kept."""
TICK: Final = 0.05
"""Seconds between two looks for input while a search runs."""
_CHUNK: Final = 65536


class Lines:
    """The lines of a stream, as they come; never more than a line's limit is kept of one."""

    def __init__(self, stream: int) -> None:
        """Read from a file descriptor."""
        self._stream = stream
        self._kept = bytearray()
        self._ended = False

    def next(self) -> tuple[bytes, bool] | None:
        """Wait for a line: its beginning, and whether that is all of it; None at the end of the stream."""
        found, whole = self._take(), True
        while found is None:
            if self._ended:
                return self._last(whole)
            self._read()
            found = self._take()
            if found is None and len(self._kept) > MAX_LINE:
                whole = False
                del self._kept[MAX_LINE:]
        return found[:MAX_LINE], whole and len(found) <= MAX_LINE

    def waiting(self, seconds: float | None = 0.0) -> bool:
        """Tell whether anything comes within the seconds, or ever (None): a line, a part of one, or the end."""
        if self._kept or self._ended:
            return True
        readable, _, _ = select.select([self._stream], [], [], seconds)
        return bool(readable)

    def peek(self) -> list[bytes]:
        """Show the lines that wait to be read, without waiting for any; of a stream far ahead, the first of them."""
        while len(self._kept) <= MAX_LINE and not self._ended and select.select([self._stream], [], [], 0.0)[0]:
            self._read()
        return bytes(self._kept).split(b"\n")[:-1]

    @property
    def ended(self) -> bool:
        """Whether the stream is known to bring no more than what waits."""
        return self._ended

    def _read(self) -> None:
        chunk = os.read(self._stream, _CHUNK)
        self._ended = not chunk
        self._kept += chunk

    def _take(self) -> bytes | None:
        """Take a line that has come whole."""
        end = self._kept.find(b"\n")
        if end < 0:
            return None
        found = bytes(self._kept[:end])
        del self._kept[: end + 1]
        return found

    def _last(self, whole: bool) -> tuple[bytes, bool] | None:
        """Take what stands after the last newline, which is a line where there is anything."""
        left = bytes(self._kept)
        self._kept.clear()
        return (left, whole) if left else None


class Interrupted(BaseException):
    """Something has come that ends a search under way."""


@dataclass
class _Watch:
    """What ends a search; nothing, but while an agent is searching."""

    wanted: Callable[[], bool] | None = None


_watch = _Watch()


def _look(number: int, frame: FrameType | None) -> None:
    if _watch.wanted is not None and _watch.wanted():
        _watch.wanted = None
        raise Interrupted


@contextmanager
def interrupted_when(wanted: Callable[[], bool]) -> Iterator[None]:
    """Ask again and again, and raise Interrupted once it is so. Only in the main thread."""
    signal.signal(signal.SIGALRM, _look)  # and it stays: an alarm still under way must not meet the default
    _watch.wanted = wanted
    signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        yield
    finally:
        _watch.wanted = None
        signal.setitimer(signal.ITIMER_REAL, 0)
