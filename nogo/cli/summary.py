"""What a match has come to: tables for a terminal, and the same as one JSON object."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from nogo.cli.tables import SprtBar, game_line, likelihood, percent, results, score_table
from nogo.errors import ArgumentError
from nogo.match.pentanomial import Estimate
from nogo.match.replay import one_line
from nogo.match.runner import Match
from nogo.match.stats import Matchup, Standing, Summary

DETAILED: Final = 3
"""Pairings of which more than a row is told."""


def summary_json(match: Match, folder: Path, report: Path | None) -> dict[str, Any]:
    """Give plan, results and whereabouts."""
    return {
        "folder": str(folder),
        "report": None if report is None else str(report),
        "finished": match.is_over,
        "interrupted": match.interrupted,
        "played": match.played,
        "of": match.plan.game_count,
        "resumed": match.resumed,
        "first_spoilt": None if match.spoilt is None else match.spoilt.number,
        "plan": match.plan.to_json(),
        "results": match.tally.summary().to_json(),
    }


def show_summary(match: Match, folder: Path, report: Path | None) -> None:
    """Print what is known, and where more is."""
    console = Console(highlight=False)
    for part in (*_parts(match, match.tally.summary(), console), *_whereabouts(match, folder, report)):
        console.print(part, soft_wrap=isinstance(part, Text))


def _whereabouts(match: Match, folder: Path, report: Path | None) -> Iterator[Text]:
    if match.interrupted and not match.is_over:
        kept = f"Interrupted: {match.played:,} of {match.plan.game_count:,} games are kept in {folder}."
        yield Text(f"{kept} The same command goes on from there.", "bold yellow")
    yield Text.assemble((" Games   ", "dim"), f"nogo match show {shlex.quote(str(folder))}")
    if report:
        yield Text.assemble((" Report  ", "dim"), str(report))


def _parts(match: Match, found: Summary, console: Console) -> Iterator[RenderableType]:
    if not found.games:
        yield Text("No game has been played.")
        return
    yield score_table(found.matchups, console.width)
    if match.test:
        yield SprtBar(*match.test)
        yield Text()
    if len(found.matchups) <= DETAILED:
        for matchup in found.matchups:
            yield _details(matchup, titled=len(found.matchups) > 1)
    if len(found.standings) > 2:
        yield Text(" Points against each other", "bold")
        yield _cross_table(found)
        yield Text(" Ratings: Bradley-Terry, their mean is 0", "bold")
        yield _ratings(found)
    yield _efforts(found.standings)
    yield from _spoilt(match, found)


def _details(matchup: Matchup, titled: bool) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    at = f" at {matchup.game}, {matchup.budget}" if titled else ""
    grid.add_row(Text("  of"), Text.assemble((one_line(matchup.one), "cyan"), at))
    for name, value in _facts(matchup):
        grid.add_row(Text(f"  {name}"), value)
    return grid


def _facts(matchup: Matchup) -> Iterator[tuple[str, Text]]:
    found, lengths = matchup.strength, matchup.lengths
    if found:
        yield "score", Text(f"{percent(found.score.value)} [{100 * found.score.low:.1f}, {100 * found.score.high:.1f}]")
        yield "Elo", _estimate(found.elo)
        yield "normalised Elo", _estimate(found.nelo)
        yield "likely stronger", Text(likelihood(found.los))
    counts = " ".join(f"{count:,}" for count in matchup.pentanomial)
    yield "pairs", Text(f"{matchup.pairs:,}: {counts} with 0, ½, 1, 1½ and 2 points")
    yield "moving first", results(matchup.moving_first)
    yield "moving second", results(matchup.moving_second)
    if matchup.first_player is not None:
        yield "first player", Text(f"{percent(matchup.first_player)} of the points")
    yield "games", Text(_games(matchup))
    if lengths:
        yield "plies", Text(f"{lengths.mean:.1f} on average, {lengths.least} to {lengths.most}")


def _games(matchup: Matchup) -> str:
    parts = [
        f"{matchup.games:,}",
        "all different" if matchup.distinct == matchup.games else f"{matchup.distinct:,} different",
    ]
    if matchup.unpaired:
        parts.append(f"{matchup.unpaired:,} of pairs that are not complete")
    if matchup.voids:
        parts.append(f"{matchup.voids:,} void")
    return ", ".join(parts)


def _estimate(found: Estimate) -> Text:
    return Text(f"{found.value:+.1f} [{found.low:.1f}, {found.high:.1f}]")


def _efforts(standings: tuple[Standing, ...]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, header_style="dim")
    table.add_column("agent", overflow="fold", ratio=1)
    for heading in ("a move", "slowest", "playouts", "a second", "resigned", "forfeited"):
        table.add_column(heading, justify="right", no_wrap=True)
    for standing in standings:
        effort = standing.effort
        table.add_row(
            Text(one_line(standing.name)),
            _seconds(effort.seconds_a_move),
            _seconds(effort.slowest if effort.moves else None),
            _number(effort.playouts_a_move),
            _number(effort.playouts_a_second),
            str(standing.resignations),
            Text(str(sum(standing.forfeits.values())), "red" if standing.forfeits else ""),
        )
    return table


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f} s" if value >= 1 else f"{1000 * value:.1f} ms"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _cross_table(found: Summary) -> Table:
    table, rows = (
        Table(box=box.SIMPLE_HEAD, header_style="dim"),
        found.cross_table(),
    )
    table.add_column("", justify="right", style="dim")
    table.add_column("agent", overflow="fold", min_width=12)
    for number in range(1, len(rows) + 1):
        table.add_column(str(number), justify="right")
    table.add_column("all", justify="right", style="bold")
    for number, row in enumerate(rows, 1):
        cells = ["" if met is None or not met.games else f"{met.points:g}/{met.games}" for met in row.against]
        share = row.results.share
        table.add_row(str(number), Text(one_line(row.name)), *cells, "" if share is None else percent(share))
    return table


def _ratings(found: Summary) -> RenderableType:
    try:
        ratings = found.ratings()
    except ArgumentError as error:
        return Text(f"  {error}\n", "yellow")
    if not ratings:
        return Text("  There is no rating yet: not all agents are linked by complete pairs.\n", "dim")
    table = Table(box=box.SIMPLE_HEAD, header_style="dim")
    table.add_column("agent", overflow="fold", ratio=1)
    table.add_column("Elo", justify="right")
    table.add_column("95%", justify="right")
    for rating in ratings:
        table.add_row(Text(one_line(rating.name)), f"{rating.elo.value:+.0f}", f"±{rating.elo.error:.0f}")
    return table


def _spoilt(match: Match, found: Summary) -> Iterator[RenderableType]:
    forfeits = sum(sum(standing.forfeits.values()) for standing in found.standings)
    if found.voids:
        yield Text(f"{found.voids:,} game(s) could not be played and count for nothing.", "bold red")
    if forfeits:
        yield Text(f"{forfeits:,} game(s) were forfeited: they count as lost.", "yellow")
    if match.spoilt:
        yield Text(f"The first: {game_line(match.spoilt)}", "dim")
