"""A match as it goes, on standard error: a live table on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from nogo.cli.pace import Pace
from nogo.cli.tables import SprtBar, elo, game_line, score_table, sprt_words
from nogo.match.record import GameRecord
from nogo.match.replay import one_line
from nogo.match.runner import Match

REFRESH: Final = 0.2
"""Seconds between two looks at a terminal."""
LINE_EVERY: Final = 60.0
"""Seconds after which a plain line is due, however few games there were."""
LINES: Final = 10
"""Plain lines in all, when games end faster."""
ROOM: Final = 8
"""Lines of a terminal that the live table leaves to the rest."""


class Display:
    """Shows a match while it is played."""

    def __init__(self, match: Match, *, quiet: bool, log: bool) -> None:
        """Be ready to show it; quiet: nothing before its end; log: a line for each game too."""
        self._match, self._logs = match, log
        self._log: list[str] = []
        self._console = Console(stderr=True, quiet=quiet, highlight=False)
        self._pace = Pace(match.played, match.plan.game_count)
        self._looked, self._said, self._said_at = 0.0, match.played, time.monotonic()
        wanted = self._console.is_terminal and not quiet
        # Where the results follow on the same terminal, the live table would only repeat them.
        self._live = Live(console=self._console, auto_refresh=False, transient=sys.stdout.isatty()) if wanted else None

    @contextmanager
    def showing(self, title: Sequence[str]) -> Iterator[None]:
        """Show it for a block, below some lines, and leave the terminal as it should be."""
        for number, line in enumerate(title):
            self._console.print(line, style="dim" if number else "bold", markup=False)
        with self._live or nullcontext():
            yield
            self._refresh(at_end=True)

    def note(self, text: str) -> None:
        """Say something once."""
        self._console.print(text, style="yellow", markup=False, soft_wrap=True)

    def look(self, records: Sequence[GameRecord]) -> None:
        """Take notice of games that have ended, and of time that has passed."""
        self._pace.look(self._match.played)
        self._log += map(game_line, records) if self._logs else ()
        if not self._live or time.monotonic() - self._looked >= REFRESH:
            self._looked = time.monotonic()
            self._refresh()

    def _refresh(self, at_end: bool = False) -> None:
        """Write all that there is to say: on a terminal each write draws the table again, so there are few."""
        if self._log:
            self._console.print("\n".join(self._log), markup=False, soft_wrap=True)
            self._log.clear()
        if self._live:
            self._live.update(self._view(), refresh=True)
        elif self._match.played > self._said and (at_end or self._line_is_due()):
            self._said, self._said_at = self._match.played, time.monotonic()
            self._console.print(self._line(), markup=False, soft_wrap=True)

    def _line_is_due(self) -> bool:
        late = time.monotonic() - self._said_at >= LINE_EVERY
        return late or (self._match.played - self._said) * LINES >= self._match.plan.game_count

    def _line(self) -> str:
        matchups, test = self._match.tally.matchups(), self._match.test
        found = matchups[0].strength if len(matchups) == 1 else None
        parts = (
            f"{self._match.played:,} of {self._match.plan.game_count:,} games",
            f"{one_line(matchups[0].one)} {elo(found.elo)} Elo" if found else "",
            sprt_words(*test) if test else "",
            self._pace.rate_words(),
            self._pace.eta_words(),
        )
        return ", ".join(filter(None, parts))

    def _view(self) -> RenderableType:
        matchups, test = self._match.tally.matchups(), self._match.test
        heads = 5 * len({(found.game, found.budget) for found in matchups})
        room = max(3, self._console.height - ROOM - heads)
        parts: list[RenderableType] = [score_table(matchups[:room], self._console.width)] if matchups else [Text()]
        if len(matchups) > room:
            parts.append(Text(f"  and {len(matchups) - room} more\n", "dim"))
        if test:
            parts += [SprtBar(*test), Text()]
        return Group(*parts, Padding(self._progress(), (0, 2)))

    def _progress(self) -> RenderableType:
        grid = Table.grid(padding=(0, 3, 0, 0), expand=True)
        grid.add_column(ratio=1)
        for _ in range(3):
            grid.add_column(no_wrap=True)
        total, played = self._match.plan.game_count, self._match.played
        bar = ProgressBar(total=total, completed=played, complete_style="cyan", finished_style="green")
        grid.add_row(bar, f"{played:,} of {total:,} games", self._pace.rate_words(), self._pace.eta_words())
        return grid
