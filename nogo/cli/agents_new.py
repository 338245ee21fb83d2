"""``nogo agents new``: a plugin to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from nogo.skeleton import new as make


@click.command()
@click.argument("name")
@click.option("--into", type=click.Path(file_okay=False, path_type=Path), default=".", help="Folder to put it in.")
def new(name: str, into: Path) -> None:
    """Begin a plugin with an agent called NAME.

    Code that plays already, with tests, CI and packaging.

    \b
    Examples:
      nogo agents new greedy             makes the folder nogo-agent-greedy
      nogo agents new greedy --into ~/src
    """
    folder = make(name, into)
    agent = folder.name.removeprefix("nogo-agent-")
    click.echo(f"{folder} is written. It plays already:")
    click.echo(f"  pip install '{folder}[test]'")
    click.echo(f"  python -m nogo agents check {agent}")
    click.echo(f"  pytest {folder}")
    click.echo(f"Then change {folder}/src/{folder.name.replace('-', '_')}/__init__.py")
