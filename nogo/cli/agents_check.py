"""``nogo agents check``: whether an agent keeps what an agent promises."""

from __future__ import annotations

import dataclasses
import json

import click
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nogo.testing import CHECKS, Conformance, check_agent

MARKS = {True: "[green]yes[/]", False: "[bold red]NO[/]", None: "[dim]-[/]"}


@click.command()
@click.argument("agent")
@click.argument("games", nargs=-1)
@click.option("--seed", default=1, show_default=True, help="Of agent, opponent, cubes and dice.")
@click.option("--patience", default=60.0, show_default=True, help="Seconds without a move that count as a hang.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.pass_context
def check(ctx: click.Context, agent: str, games: tuple[str, ...], seed: int, patience: float, as_json: bool) -> None:
    """Show which promises AGENT keeps.

    It plays short games on both sides: at GAMES, or at boards of every family
    that it says it plays. Exits with 1 when a promise is broken. In tests:
    nogo.testing.check_agent

    \b
    Examples:
      nogo agents check rave
      nogo agents check my-agent:depth=2 nogo:5x5 othello
    """
    report = check_agent(agent, games=games or None, seed=seed, patience=patience)
    if as_json:
        click.echo(json.dumps(dataclasses.asdict(report) | {"passed": report.passed}, indent=1))
    else:
        _show(report)
    ctx.exit(0 if report.passed else 1)


def _show(report: Conformance) -> None:
    console = Console()
    verdict = "[bold green]keeps its promises[/]" if report.passed else "[bold red]breaks a promise[/]"
    console.print(f"\n[bold cyan]{escape(report.agent)}[/] of {escape(report.origin)} {verdict}", highlight=False)
    console.print(_matrix(report), highlight=False)
    for failure in report.failures:
        console.print(f"  [red]{failure.what}[/] at {failure.game}: {escape(failure.why or '')}", highlight=False)
    for game, why in report.refused.items():
        console.print(f"  [yellow]not played:[/] {game}: {escape(why)}", highlight=False)
    for what in CHECKS:
        console.print(f"  [dim]{what:<9} {CHECKS[what]}[/]", highlight=False)


def _matrix(report: Conformance) -> Table:
    """A row a game, a column a promise."""
    kept = {(check.game, check.what): check.why is None for check in report.checks}
    table = Table(box=box.SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    table.add_column("game", style="cyan", no_wrap=True)
    for what in CHECKS:
        table.add_column(what, justify="center", no_wrap=True)
    for game in dict.fromkeys(check.game for check in report.checks):
        table.add_row(game, *(MARKS[kept.get((game, what))] for what in CHECKS))
    return table
