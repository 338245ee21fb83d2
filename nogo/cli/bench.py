"""``nogo bench``: how fast the engine is here, and perft."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table

from nogo import core
from nogo.bench.rates import PYTHON_GAME, Rates, measure, plans_of
from nogo.bench.signature import signature
from nogo.errors import ArgumentError
from nogo.game import game
from nogo.perft import perft

HEADINGS = {
    "single": "one at a time",
    "batch": "in lanes",
    "batch_threads": "in lanes, {threads} threads",
}


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.option(
    "--compare",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Show ratios to an earlier run, saved with --json.",
)
@click.option(
    "--seconds", type=click.FloatRange(0.01, 60), default=0.3, show_default=True, help="Time of each measurement."
)
@click.option(
    "--rounds", type=click.IntRange(1, 100), default=3, show_default=True, help="Rounds; the best one counts."
)
@click.pass_context
def bench(ctx: click.Context, as_json: bool, compare: Path | None, seconds: float, rounds: int) -> None:
    """Measure random games and searches a second.

    \b
    Examples:
      nogo bench                            a table to read
      nogo bench --json > before.json       keep a run ...
      nogo bench --compare before.json      ... and compare with it
      NOGO_ISA=avx2 nogo bench              another instruction set
      nogo bench perft hollow-nogo 4        count move sequences
      nogo bench signature                  one number for what all searches find
    """
    if ctx.invoked_subcommand is not None:
        return
    if as_json and compare:
        raise click.UsageError("--compare shows a table; use it without --json")
    if not math.isfinite(seconds):
        raise click.BadParameter(f"{seconds} is not a time", param_hint="--seconds")
    earlier = _read(compare) if compare else None
    rates = _measure(seconds, rounds)
    if as_json:
        click.echo(json.dumps(rates.as_json()))
    else:
        _print_table(rates, earlier)


@bench.command("perft")
@click.argument("game_name", metavar="GAME")
@click.argument("depth", type=click.IntRange(0, 1000))
def bench_perft(game_name: str, depth: int) -> None:
    """Count the move sequences of exactly DEPTH plies from the start of GAME.

    The count stands alone on the last line. Example: nogo bench perft othello 9
    """
    start, began = game(game_name).start(), time.perf_counter()
    count = perft(start, depth)
    click.echo(f"{start.game.name}, {depth} plies, {time.perf_counter() - began:.2f} s")
    click.echo(count)


@bench.command("signature")
def bench_signature() -> None:
    """Print one number that changes when, and only when, a search does.

    It stands alone on the last line, and is the same on every machine and instruction set.
    """
    click.echo(signature())


def _read(path: Path) -> Rates:
    try:
        return Rates.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ArgumentError(f"{path} is not JSON ({error}); write one with: nogo bench --json > {path}") from None


def _measure(seconds: float, rounds: int) -> Rates:
    """Measure, saying on a terminal what is being measured and how far it is."""
    console = Console(stderr=True)
    steps = rounds * len(plans_of())
    with console.status("measuring") as status:
        for done, (what, so_far) in enumerate(measure(seconds, rounds)):
            rates = so_far
            left = (steps - done) * seconds * 1.7
            status.update(f"measuring {what} ({done} of {steps}, about {left:.0f} s left)")
    return rates


def _cell(value: float | None, earlier: float | None) -> str:
    if value is None:
        return "no OpenMP"
    text = f"{value:,.0f}"
    return text if not earlier else f"{text}  [{'green' if value >= earlier else 'red'}]x{value / earlier:.2f}[/]"


def _print_searches(console: Console, rates: Rates, earlier: Rates | None) -> None:
    table = Table(box=box.SIMPLE_HEAD, title="Search: playouts a second", title_justify="left", title_style="bold")
    table.add_column("game")
    table.add_column("agent")
    table.add_column("search", justify="right")
    for name, figures in rates.search.items():
        before = (earlier.search.get(name) if earlier else None) or {}
        for agent, rate in figures.items():
            table.add_row(name, agent, _cell(rate, before.get(agent)))
    console.print(table)


def _print_table(rates: Rates, earlier: Rates | None) -> None:
    table = Table(box=box.SIMPLE_HEAD, title="Random games a second", title_justify="left", title_style="bold")
    table.add_column("game")
    for heading in HEADINGS.values():
        table.add_column(heading.format(threads=rates.threads), justify="right")
    for name, figures in rates.playouts.items():
        before = (earlier.playouts.get(name) if earlier else None) or {}
        table.add_row(name, *(_cell(figures[kind], before.get(kind)) for kind in HEADINGS))
    console = Console()
    console.print(table)
    python = _cell(rates.python[PYTHON_GAME], earlier.python.get(PYTHON_GAME) if earlier else None)
    console.print(f"  {PYTHON_GAME} move by move from Python: {python}\n", highlight=False)
    _print_searches(console, rates, earlier)
    console.print("[dim]  one at a time  as a tree search plays them; a second of CPU time on one core[/]")
    console.print("[dim]  in lanes       many games at once in the lanes of vectors; the same second[/]")
    console.print("[dim]  threads        in lanes on all cores; a second by the clock[/]")
    console.print("[dim]  search         playouts of a search from the start; with threads, a second by the clock[/]")
    if earlier:
        console.print(f"[dim]  x1.00          as fast as the earlier run ({earlier.isa})[/]")
    console.print(f"\n{core.build_info()}", highlight=False, style="dim")
