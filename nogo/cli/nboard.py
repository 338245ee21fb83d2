"""``nogo nboard``: an agent for NBoard and whatever else speaks its protocol."""

from __future__ import annotations

import sys

import click

from nogo import registry
from nogo.budget import Budget
from nogo.protocols.lines import Lines
from nogo.protocols.nboard import NBoard

STDIN = 0


@click.command()
@click.option("--agent", default="strongest", show_default=True, help="Who plays Othello, e.g. rave:threads=2.")
@click.option("--budget", help="For every search, instead of NBoard's depth and clock: time=2s or playouts=N.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same, with playouts.")
def nboard(agent: str, budget: str | None, seed: int) -> None:
    """Play Othello for NBoard (protocol version 2) on stdin and stdout.

    In NBoard: Engine, Add, with this command. The depth that is set there stands for playouts: 1000, doubled by every
    two plies; the game's clock is kept. docs/protocols.md has the commands.

    \b
    Examples:
      nogo nboard
      nogo nboard --agent uct:threads=2 --budget time=2s
      printf 'nboard 2\\nset depth 10\\nmove F5\\nhint 3\\ngo\\n' | nogo nboard
    """
    allowed = Budget.parse(budget) if budget else None
    NBoard(registry.select(agent), allowed, seed, Lines(STDIN), _send).run()


def _send(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
