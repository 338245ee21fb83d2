"""How many different numbers were seen, exactly, at eight bytes each."""

from __future__ import annotations

import numpy as np


class Distinct:
    """A set of 64-bit numbers that only grows: a sorted array, and a small set of what is not in it yet."""

    def __init__(self) -> None:
        """Begin empty."""
        self._sorted = np.empty(0, np.uint64)
        self._recent: set[int] = set()

    def __len__(self) -> int:
        """How many different ones there were."""
        return len(self._sorted) + len(self._recent)

    def add(self, number: int) -> None:
        """See a number."""
        if number in self._recent:
            return
        wanted = np.uint64(number)
        place = int(np.searchsorted(self._sorted, wanted))
        if place < len(self._sorted) and self._sorted[place] == wanted:
            return
        self._recent.add(number)
        # Merging costs the whole array: often enough to keep the set small, seldom enough to be no work.
        if len(self._recent) > 1000 + len(self._sorted) // 16:
            fresh = np.fromiter(self._recent, np.uint64, len(self._recent))
            self._sorted = np.sort(np.concatenate([self._sorted, fresh]))
            self._recent.clear()
