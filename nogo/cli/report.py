"""``nogo match report``: the page of a match, written again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from nogo.errors import NogoError
from nogo.match.report import write_report
from nogo.match.sgf_files import FOLDER as SGF
from nogo.match.sgf_files import write_sgf


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--sgf", is_flag=True, help="Write the games of NoGo and Othello as SGF too, one a file in DIR/sgf.")
def report(folder: Path, sgf: bool) -> None:
    """Write DIR/report.html again, from the games that are in DIR.

    \b
    Examples:
      nogo match report matches/uct-rave
      nogo match report matches/uct-rave --sgf
    """
    click.echo(write_report(folder))
    if sgf:
        count = write_sgf(folder)
        click.echo(f"{folder / SGF}: {count:,} games" if count else "No game here has an SGF: NoGo and Othello have.")


def write_report_of(folder: Path, say: Callable[[str], None]) -> Path | None:
    """Write the page at the end of a match, where nothing that is wrong with a page may spoil the match."""
    try:
        return write_report(folder)
    except NogoError as error:
        say(f"There is no report.html: {error}")
        return None
