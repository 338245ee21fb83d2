"""``nogo otp``: the Othello Text Protocol, as a player and as a judge."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nogo import registry
from nogo.budget import Budget
from nogo.protocols.otp_judge import Judge, Limits, Round, Standing
from nogo.protocols.otp_search import OtpPlayer, replies
from nogo.protocols.otp_search import search as play_for

STDIN = 0


@click.group()
def otp() -> None:
    """Play Othello over the Othello Text Protocol, or judge others who do.

    \b
    Examples:
      nogo otp judge 5050 --rounds 20                    wait for two players
      nogo otp search localhost 5050 --agent r3-uct      be one of them
      nogo otp search --agent strongest                  answer commands typed here
    """


@otp.command()
@click.argument("host", required=False)
@click.argument("port", required=False, type=int)
@click.option("--agent", default="strongest", show_default=True, help="Who plays, e.g. r3-uct or uct:c=0.3.")
@click.option("--budget", default="time=8s", show_default=True, help="A move's: time=8s or playouts=N.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same, with playouts.")
@click.option("--name", default="", help="What to be called; unless told, the agent's name.")
def search(host: str | None, port: int | None, agent: str, budget: str, seed: int, name: str) -> None:
    """Play for the judge at HOST PORT; without an address, answer commands from standard input.

    The commands are name, clear_board, genmove, play ROW COLUMN, undo, final_score, showboard and quit; rows and
    columns count from 0 at the top left, a pass is 8 0.

    \b
    Examples:
      nogo otp search localhost 5050 --agent r3-uct
      nogo otp search 192.0.2.7 5050 --agent strongest --budget time=9s --name champion
      printf 'play 2 3\\ngenmove\\nshowboard\\nquit\\n' | nogo otp search --budget time=1s
    """
    if host is not None and port is None:
        raise click.UsageError(f"{host!r} lacks a port; write HOST PORT, or neither to read standard input.")
    player = OtpPlayer(registry.select(agent), Budget.parse(budget), seed, _complain, name)
    try:
        if host is None or port is None:
            for reply in replies(player, lambda most: os.read(STDIN, most)):
                sys.stdout.buffer.write(reply + b"\n")
                sys.stdout.buffer.flush()
        else:
            play_for(host, port, player)
    finally:
        player.close()


def _complain(text: str) -> None:
    click.echo(text, err=True)


@otp.command()
@click.argument("port", type=int)
@click.option("--rounds", type=int, default=2, show_default=True, help="Games; colours swap after each.")
@click.option("--bind", default="127.0.0.1", show_default=True, help="Listen there; 0.0.0.0 lets other machines in.")
@click.option("--connect", type=float, default=10.0, show_default=True, help="Seconds to connect in.")
@click.option("--genmove", type=float, default=10.0, show_default=True, help="Seconds for a move.")
@click.option("--other", type=float, default=1.0, show_default=True, help="Seconds for any other answer.")
@click.option("--grace", type=float, default=10.0, show_default=True, help="Seconds to come back after a lost game.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a game instead of tables.")
def judge(  # noqa: PLR0913, PLR0917 - one parameter an option
    port: int, rounds: int, bind: str, connect: float, genmove: float, other: float, grace: float, as_json: bool
) -> None:
    """Wait on PORT for two players, let them play, and say who won. Port 0 takes any that is free.

    A player that is late, silent, illegal, oversized or gone loses that game; the match goes on when it answers again
    or another one connects in its place. Exit code 1 when rounds could not be played.

    \b
    Examples:
      nogo otp judge 5050 --rounds 20
      nogo otp judge 5050 --rounds 2 --bind 0.0.0.0 --genmove 5
    """
    console = Console(highlight=False, stderr=as_json)
    limits = Limits(connect, genmove, other, grace)
    played = 0
    with Judge(port, bind, limits) as listening:
        console.print(f"listening on {bind} port {listening.port}, for {rounds} games")
        for finished in listening.play(rounds):
            played += 1
            if as_json:
                click.echo(json.dumps(asdict(finished)))
            else:
                console.print(_line(finished), soft_wrap=True)
        if not as_json:
            console.print(_table(listening.standings))
    if played < rounds:
        console.print(f"[yellow]{rounds - played} of {rounds} games not played: a player has gone for good[/]")
        raise SystemExit(1)


def _line(played: Round) -> str:
    black, white = (escape(name) for name in played.names)
    winner = "draw" if played.end.winner is None else f"{(black, white)[played.end.winner]} wins"
    how = (
        f"{played.discs:+d}"
        if played.end.blame is None
        else f"[yellow]{played.end.kind}: {escape(played.end.reason)}[/]"
    )
    return f"{played.number:>4}  {black} (black) - {white} (white)  [bold]{winner}[/]  {how}"


def _table(standings: Sequence[Standing]) -> Table:
    table = Table(title="Result", title_justify="left", title_style="bold")
    table.add_column("player")
    for column in ("won", "drawn", "lost", "by failing", "points"):
        table.add_column(column, justify="right")
    for standing in standings:
        points = standing.won + standing.drawn / 2
        counts = (standing.won, standing.drawn, standing.lost, standing.failed)
        table.add_row(escape(standing.name), *map(str, counts), f"{points:g}")
    return table
