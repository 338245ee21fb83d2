"""Results as they are shown on a terminal, while a match goes on and at its end: words, rows, bars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from nogo.match.pentanomial import Estimate
from nogo.match.record import GameRecord
from nogo.match.replay import one_line
from nogo.match.sprt import Sprt, SprtState
from nogo.match.stats import Matchup, Results

SURE: Final = 0.999
POINTS: Final = {1.0: "1-0", 0.5: "½-½", 0.0: "0-1"}


NUMBERS: Final = {"score": 6, "Elo, 95%": 10, "LOS": 6, "+ = -": 9, "games": 5}
"""What is told of a pair of agents, and how wide."""


def score_table(matchups: Sequence[Matchup], width: int) -> RenderableType:
    """Give a row for each pair of agents, below its game and budget where there are several."""
    cells = [(cell, list(rows)) for cell, rows in groupby(matchups, lambda found: (found.game, found.budget))]
    longest = max(len(_who(matchup)) for matchup in matchups)
    room = max(20, min(longest, width - sum(NUMBERS.values()) - 3 * len(NUMBERS) - 6))
    if len(cells) == 1:
        return _table(matchups, room)
    parts: list[RenderableType] = [Text()]
    for (game, budget), rows in cells:
        parts += [Text(f" {game} at {budget}", "bold"), _table(rows, room)]
    return Group(*parts)


def _table(matchups: Sequence[Matchup], room: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, header_style="dim")
    table.add_column("agents", width=room, overflow="fold")
    for heading, width in NUMBERS.items():
        table.add_column(heading, justify="right", no_wrap=True, min_width=width)
    for matchup in matchups:
        table.add_row(*_row(matchup))
    return table


def _who(matchup: Matchup) -> Text:
    return Text.assemble((one_line(matchup.one), "cyan"), (" vs ", "dim"), (one_line(matchup.other), "magenta"))


def _row(matchup: Matchup) -> list[Text]:
    found = matchup.strength
    judged = [percent(found.score.value), elo(found.elo), likelihood(found.los)] if found else ["", "", ""]
    style = "" if not found or found.elo.low < 0 < found.elo.high else "green" if found.elo.value > 0 else "red"
    return [
        _who(matchup),
        Text(judged[0], "bold"),
        Text(judged[1], style),
        Text(judged[2], style),
        results(matchup.results),
        Text(f"{matchup.games:,}"),
    ]


def results(found: Results) -> Text:
    """Write wins, draws and losses."""
    return Text.assemble((f"{found.wins}", "green"), f" {found.draws} ", (f"{found.losses}", "red"))


def percent(share: float) -> str:
    """Write a share of the points."""
    return f"{100 * share:.1f}%"


def elo(found: Estimate) -> str:
    """Write a difference and its error."""
    return f"{found.value:+.0f} ±{found.error:.0f}"


def likelihood(los: float) -> str:
    """Write how likely it is to be the stronger one, without pretending to be certain."""
    if los > SURE or los < 1 - SURE:
        return f">{100 * SURE:.1f}%" if los > SURE else f"<{100 * (1 - SURE):.1f}%"
    return f"{100 * los:.1f}%"


def sprt_words(sprt: Sprt, state: SprtState) -> str:
    """Say how far a test has come."""
    verdicts = {None: "goes on", "H0": f"accepts {sprt.elo0:g}, not better", "H1": f"accepts {sprt.elo1:g}, better"}
    verdict = verdicts[state.verdict]
    return f"SPRT {sprt.elo0:g} to {sprt.elo1:g} nElo {verdict} (LLR {state.llr:+.2f}, {state.pairs:,} pairs)"


class SprtBar:
    """The log likelihood ratio on its way between its two ends."""

    def __init__(self, sprt: Sprt, state: SprtState) -> None:
        """Show a state."""
        self._sprt, self._state = sprt, state

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Say it in words, and draw a line with a mark where the ratio is; the way from 0 to there is coloured."""
        state = self._state
        verdict = {"H1": "bold green", "H0": "bold red"}.get(state.verdict or "", "")
        yield Text(f"  {sprt_words(self._sprt, state)}", verdict)
        low, high = f"  {state.lower:.2f} ", f" {state.upper:+.2f}"
        width = max(10, min(60, options.max_width - len(low) - len(high) - 2))
        yield Text.assemble((low, "dim"), self._line(width, options.ascii_only), (high, "dim"))

    def _line(self, width: int, ascii_only: bool) -> Text:
        state, (stroke, mark) = self._state, "-o" if ascii_only else "─●"
        span = state.upper - state.lower
        zero, at = (round((value - state.lower) / span * (width - 1)) for value in (0.0, state.llr))
        at = min(width - 1, max(0, at))
        line = Text(stroke * width, "dim")
        line.stylize("not dim green" if at > zero else "not dim red", min(zero, at), max(zero, at))
        return Text.assemble(line[:at], (mark, "bold green" if state.llr > 0 else "bold red"), line[at + 1 :])


def game_line(record: GameRecord) -> str:
    """Say how a game ended, in one line."""
    points = record.end.points
    result = "void" if points is None else POINTS[points]
    first, second = map(one_line, record.agents)
    what = f"{record.end.ply} plies, {record.took:.1f} s, {record.end.kind}: {one_line(record.end.reason)}"
    return f"game {record.number}  {record.game}  {first} {result} {second}  {what}"
