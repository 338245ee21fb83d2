"""Ctrl-C, and a shell that says goodbye, turned into the wish to stop."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from nogo.match.runner import Match

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FINISHING: Final = "Stopping when the games in the air have ended; Ctrl-C again drops them."
DROPPING: Final = "Stopping at once."


class Interrupt:
    """For a block, Ctrl-C ends the match after the games in the air; a second one, or another signal, at once."""

    def __init__(self, match: Match) -> None:
        """Stop this match."""
        self.signal: int | None = None
        """The first signal that came."""
        self.hurried = False
        self._match = match
        self._before: dict[int, Any] = {}
        self._told = ""

    def __enter__(self) -> Interrupt:
        """Listen, but not for what was to be ignored: nohup, or a shell's background."""
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no more."""
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def tell(self, say: Callable[[str], None]) -> None:
        """Say what is going on, once; not from within the handler, which may come in the middle of a line."""
        if self.signal is not None:
            words = DROPPING if self.hurried else FINISHING
            if words != self._told:
                self._told = words
                say(words)

    def _take(self, number: int, _: FrameType | None) -> None:
        self.hurried = self.signal is not None or number != signal.SIGINT
        self.signal = self.signal or number
        self._match.stop(now=self.hurried)
        if self.hurried:
            # Once more ends this process whatever it hangs in; what it started ends with it.
            signal.signal(number, signal.SIG_DFL)
