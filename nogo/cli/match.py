"""``nogo match``, also ``python -m nogo.match``: agents play each other, and what the games say of them."""

from __future__ import annotations

import json
import warnings
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from nogo.cli.display import Display
from nogo.cli.interrupt import Interrupt
from nogo.cli.preview import preview_json, show_preview, title
from nogo.cli.report import report, write_report_of
from nogo.cli.show import show
from nogo.cli.summary import show_summary, summary_json
from nogo.errors import ArgumentError, NogoError
from nogo.match.executors import Executor, open_executor
from nogo.match.journal import Journal
from nogo.match.plan import Plan
from nogo.match.runner import Match
from nogo.match.settings import Settings, settings

FOLDER: Final = Path("matches")
OTHERS: Final[dict[str, click.Command]] = {"show": show, "report": report}
FILE: Final = click.Path(path_type=Path)


class _Failure(click.ClickException):
    """The match could not go on: exit code 1. Where the command itself was wrong it is 2."""

    exit_code = 1


class _Output(NamedTuple):
    """What is to be shown."""

    log: bool
    json: bool
    quiet: bool


class _Command(click.Command):
    """A command whose arguments are agents, unless the first one names a command of its own."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and args[0] in OTHERS:
            return OTHERS[args[0]].make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


_OPTIONS: Final = (
    click.option("--game", multiple=True, metavar="NAME", help="Game to play; may be repeated. [hollow-nogo]"),
    click.option("--games", type=int, metavar="N", help="Games of each pairing at each game and budget. [200]"),
    click.option("--budget", multiple=True, metavar="TEXT", help="Cost of a move; may be repeated. [playouts=2000]"),
    click.option("--format", metavar="NAME", help="match, round-robin, or gauntlet (the first against each other)."),
    click.option("--sprt", metavar="ELO0,ELO1", help="Stop once one of two normalised Elos is refuted."),
    click.option("--seed", type=int, metavar="N", help="The same seed and playouts give the same games. [1]"),
    click.option("--opening-plies", type=int, metavar="N", help="Random moves that begin a pair of games."),
    click.option("--openings", type=FILE, metavar="FILE", help="Openings to take in turn: moves or a position a line."),
    click.option("--workers", type=int, metavar="N", help="Games at once. [as many as the cores have room for]"),
    click.option("--executor", metavar="NAME", help="local, or dask://HOST:PORT for a cluster. [local]"),
    click.option("--margin", type=float, metavar="S", help="Seconds by which a move may be late. [0.1]"),
    click.option("--stall", type=float, metavar="S", help="Seconds of silence after which an agent stalls. [60]"),
    click.option("--memory", type=int, metavar="MIB", help="Memory for each agent of a third party. [no limit]"),
    click.option("--force/--no-force", default=None, help="Allow time budgets on more threads than cores."),
    click.option("--strict/--no-strict", default=None, help="End at the first forfeit or void game, with code 1."),
    click.option("--out", type=FILE, metavar="DIR", help="Folder of the match. [matches/GAME-AGENTS-...]"),
)


def _settable(command: Any) -> Any:
    """Add the options that a config may hold too; their defaults are those of Settings."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(cls=_Command)
@click.argument("agents", nargs=-1, metavar="AGENT AGENT...")
@_settable
@click.option("--config", type=FILE, metavar="FILE", help="TOML: these options as keys; what is given here wins.")
@click.option("--games-log", is_flag=True, help="Show a line for each game that ends.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
@click.option("--quiet", is_flag=True, help="Show nothing before the end.")
@click.option("--dry-run", is_flag=True, help="Show what would be played; play and write nothing.")
def match(config: Path | None, games_log: bool, as_json: bool, quiet: bool, dry_run: bool, **given: Any) -> None:
    """Let agents play each other, and say how sure it is who is stronger.

    \b
    Examples:
      nogo match uct rave:c=0.2
      nogo match uct rave --game othello --games 400 --budget time=100ms
      nogo match uct@time=20ms rave@time=10ms tuned --format round-robin
      nogo match rave rave:c=0.2 --sprt 0,10 --games 20000 --out tuning
      nogo match --config experiments/r1.toml --games 40
      nogo match show DIR [GAME]            step through a game
      nogo match report DIR                 write DIR/report.html again

    Games come in pairs: one opening, played from both sides. Each is kept in the
    match's folder, and the same command goes on where it was interrupted. Ctrl-C
    finishes the games in the air, a second one drops them.

    nogo agents lists the agents with their options. Exit code: 0; 1 when the match
    could not go on, a game was void, or --strict ended it; 2 for bad input; 130
    after Ctrl-C.
    """
    chosen = settings(_said(given), config)
    plan = _plan(chosen, config)
    workers, folder = chosen.workers_for(plan), chosen.out or FOLDER / plan.slug
    if dry_run and as_json:
        click.echo(json.dumps(preview_json(plan, folder, workers)))
    elif dry_run:
        show_preview(plan, folder, workers)
    else:
        with Journal(folder, plan) as journal:
            code = _run(journal, chosen, workers, _Output(games_log, as_json, quiet))
        click.get_current_context().exit(code)


def _said(given: dict[str, Any]) -> dict[str, Any]:
    """Leave out the options that were not given."""
    return {name.replace("_", "-"): value for name, value in given.items() if value not in (None, ())}


def _plan(chosen: Settings, config: Path | None) -> Plan:
    try:
        return chosen.plan
    except NogoError as error:
        raise ArgumentError(f"{config}: {error}" if config else str(error)) from None


def _run(journal: Journal, chosen: Settings, workers: int | None, output: _Output) -> int:
    """Play what is left to be played, say what has come of it, and give the exit code."""
    played = Match(journal, strict=chosen.strict)
    display = Display(played, quiet=output.quiet, log=output.log)
    with display.showing(title(played, journal.folder, workers, chosen.games)), Interrupt(played) as interrupt:
        try:
            if not played.is_over:
                _play(played, open_executor(chosen.executor, workers or 1), display, interrupt)
        except NogoError as error:
            raise _Failure(str(error)) from error
    page = None if interrupt.hurried else write_report_of(journal.folder, display.note)
    if output.json:
        click.echo(json.dumps(summary_json(played, journal.folder, page)))
    else:
        show_summary(played, journal.folder, page)
    failed = bool(played.tally.voids) or (chosen.strict and played.spoilt is not None)
    return 128 + interrupt.signal if interrupt.signal else int(failed)


def _play(played: Match, executor: Executor, display: Display, interrupt: Interrupt) -> None:
    with closing(executor), warnings.catch_warnings():
        # What a plugin does wrong that observes is said above the live table, not through it.
        warnings.showwarning = lambda message, *_, **__: display.note(str(message))
        for games in played.play(executor):
            display.look(games)
            interrupt.tell(display.note)
