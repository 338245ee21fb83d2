"""How fast games end, and when the last one will."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

WINDOW: Final = 120.0
"""Seconds over which the pace is measured."""
STEP: Final = 1.0
"""Seconds between two marks."""


class Pace:
    """Remembers when how many games had been played, for as long as it matters."""

    def __init__(self, played: int, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin, with so many of so many games played."""
        self._clock, self._total, self._played = clock, total, played
        self._marks: deque[tuple[float, int]] = deque([(clock(), played)])

    def look(self, played: int) -> None:
        """Learn how many games have been played by now."""
        self._played, now = played, self._clock()
        if now - self._marks[-1][0] >= STEP:
            self._marks.append((now, played))
        while now - self._marks[0][0] > WINDOW and len(self._marks) > 1:
            self._marks.popleft()

    @property
    def a_minute(self) -> float | None:
        """Games a minute; None before one has ended."""
        when, played = self._marks[0]
        passed = self._clock() - when
        return 60 * (self._played - played) / passed if self._played > played and passed > 0 else None

    @property
    def left(self) -> float | None:
        """Seconds to the end, at this pace."""
        rate = self.a_minute
        return None if rate is None else 60 * (self._total - self._played) / rate

    def rate_words(self) -> str:
        """Say the pace."""
        rate = self.a_minute
        return "" if rate is None else f"{rate:,.0f} a minute" if rate >= 10 else f"{rate:.1f} a minute"

    def eta_words(self) -> str:
        """Say how long it will take."""
        return "" if self.left is None else f"ETA {duration(self.left)}"


def duration(seconds: float) -> str:
    """Write a time as 0:07, 1:02:03 or 2 d 03:04."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 24:
        return f"{hours // 24} d {hours % 24:02}:{minutes:02}"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
