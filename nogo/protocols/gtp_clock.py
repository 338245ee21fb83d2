"""The clocks a controller sets, and what of them an agent may spend on a move.

GTP has main time and Canadian byo-yomi: after the main time, so many stones within each period. ``time_left`` says
what is left of either; between two of these the clock is kept here.
"""

from __future__ import annotations

from dataclasses import dataclass

from nogo.budget import LEAST_SECONDS, MOST_SECONDS, Budget, Clock

LAG = 0.4
"""Seconds kept back of every move, or of what is left in all: for the way to the controller and a busy machine."""
LEAST = 0.001
"""Seconds an agent gets however late it is."""


@dataclass
class Left:
    """What one side has left: of its main time, or of a period in which so many stones are to be played."""

    seconds: float
    stones: int = 0
    """0: it is main time."""


class Clocks:
    """Both sides' clocks; none is running until the controller sets them."""

    def __init__(self) -> None:
        """Set no clock."""
        self._main = self._period = 0.0
        self._stones = 0
        self._left: dict[int, Left] = {}

    @property
    def are_set(self) -> bool:
        """Whether there is any limit."""
        return self._main > 0 or (self._period > 0 and self._stones > 0)

    def set(self, main: float, period: float, stones: int) -> None:
        """Set both; no limit is a period without stones, and as controllers also say it, nothing at all."""
        endless = period > 0 and stones == 0
        self._main, self._period, self._stones = (0.0, 0.0, 0) if endless else (main, period, stones)
        self.restart()

    def restart(self) -> None:
        """Begin a game."""
        self._left = {}

    def tell(self, side: int, seconds: float, stones: int) -> None:
        """Learn from the controller what a side has left."""
        self._left[side] = Left(seconds, stones)

    def spend(self, side: int, seconds: float) -> None:
        """Take a move's time off, as the controller does."""
        left = self._of(side)
        if left is None:
            return
        left.seconds -= seconds
        if left.stones == 0:
            if left.seconds <= 0 < self._period:
                self._left[side] = Left(self._period + left.seconds, self._stones)
        elif left.stones == 1:
            self._left[side] = Left(self._period, self._stones)
        else:
            left.stones -= 1

    def budget(self, side: int, spent: float) -> Budget | None:
        """Say what a move may cost, of which some is spent already; None where there is no limit."""
        left = self._of(side)
        if left is None:
            return None
        if left.stones:
            return Budget(seconds=_usable(left.seconds / left.stones, spent))
        return Budget(clock=Clock(left=_usable(left.seconds, spent)))

    def _of(self, side: int) -> Left | None:
        if side not in self._left and self.are_set:
            begins_with_main = self._main > 0
            self._left[side] = Left(self._main) if begins_with_main else Left(self._period, self._stones)
        return self._left.get(side)


def _usable(seconds: float, spent: float) -> float:
    """Take off what is spent and what is kept back."""
    usable = seconds - min(LAG, seconds / 2) - spent
    return min(max(usable, LEAST, LEAST_SECONDS), MOST_SECONDS)
