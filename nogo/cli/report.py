"""``nogo match report``: the page of a match, written again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from nogo.errors import NogoError
from nogo.match.report import write_report


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def report(folder: Path) -> None:
    """Write DIR/report.html again, from the games that are in DIR.

    \b
    Example:
      nogo match report matches/uct-rave
    """
    click.echo(write_report(folder))


def write_report_of(folder: Path, say: Callable[[str], None]) -> Path | None:
    """Write the page at the end of a match, where nothing that is wrong with a page may spoil the match."""
    try:
        return write_report(folder)
    except NogoError as error:
        say(f"There is no report.html: {error}")
        return None
