"""``nogo gtp``: an agent for GoGui, Sabaki, gogui-twogtp and whatever else speaks the Go Text Protocol."""

from __future__ import annotations

import os
import random
import sys

import click

from nogo import registry
from nogo.arguments import whole_seed
from nogo.budget import Budget
from nogo.errors import ArgumentError
from nogo.game import game
from nogo.protocols.gtp import serve
from nogo.protocols.gtp_session import Session
from nogo.protocols.lines import Lines

MAX_NAME = 200


@click.command()
@click.option("--game", "game_name", default="hollow-nogo", show_default=True, help="A game of NoGo or Othello.")
@click.option("--agent", default="strongest", show_default=True, help="Who plays, e.g. rave:threads=2.")
@click.option("--black", metavar="AGENT", help="Who plays black, if it is not --agent.")
@click.option("--white", metavar="AGENT", help="Who plays white, if it is not --agent.")
@click.option("--name", metavar="TEXT", help="What the command `name` answers; the agent's name unless told.")
@click.option("--budget", default="time=1s", show_default=True, help="For a move when the controller sets no clock.")
@click.option("--seed", type=int, help="The same seed plays the same; another one every time unless told.")
def gtp(  # noqa: PLR0913, PLR0917 - one parameter an option
    game_name: str,
    agent: str,
    black: str | None,
    white: str | None,
    name: str | None,
    budget: str,
    seed: int | None,
) -> None:
    """Play over the Go Text Protocol, version 2, on stdin and stdout.

    \b
    Examples:
      nogo gtp                                          Hollow NoGo, the strongest agent
      nogo gtp --game othello --agent alphabeta
      nogo gtp --agent rave:threads=2 --budget time=5s
      nogo gtp --black uct --white rave --name Duel     another agent for each colour
      gogui-twogtp -black "nogo gtp --agent uct" -white "nogo gtp --agent rave" \\
        -size 9 -komi 0 -games 20 -alternate -auto -sgffile uct-rave

    Commands: those of the protocol, gogui-rules_* and gogui-analyze_commands for GoGui, lz-analyze and
    lz-genmove_analyze for Sabaki; list_commands lists them, docs/protocols.md explains them. NoGo is resigned by the
    side that has no move; Othello's forced passes may be sent or left out.
    """
    agents = [registry.select(black or agent), registry.select(white or agent)]
    session = Session(game(game_name), agents, Budget.parse(budget), _seed(seed), _name(name, list(map(str, agents))))
    serve(session, Lines(sys.stdin.fileno()), _write)


def _seed(seed: int | None) -> int:
    return random.SystemRandom().getrandbits(63) if seed is None else whole_seed(seed)


def _name(name: str | None, agents: list[str]) -> str:
    """Check the name, or make one."""
    if name is None:
        return f"nogo {agents[0]}" if agents[0] == agents[1] else f"nogo {agents[0]} and {agents[1]}"
    if not name.isprintable() or not 0 < len(name.strip()) <= MAX_NAME:
        raise ArgumentError(f"--name {name[:40]!r}: a name is 1 to {MAX_NAME} letters that can be shown")
    return name.strip()


def _write(data: bytes) -> None:
    """Send all of it at once; a controller that is gone ends the conversation."""
    left = memoryview(data)
    try:
        while left:
            left = left[os.write(sys.stdout.fileno(), left) :]
    except BrokenPipeError:
        raise SystemExit(0) from None
