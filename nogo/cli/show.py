"""``nogo match show``: the games of a match as a list, and one of them move by move."""

from __future__ import annotations

import os
import re
import sys
import termios
import tty
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group
from rich.text import Text

from nogo.cli.board import board_text
from nogo.core import CHANCE
from nogo.errors import ArgumentError
from nogo.game import game
from nogo.match.journal import read_records
from nogo.match.record import FINISHED, VOID, GameRecord
from nogo.match.replay import Step, one_line, printable, start_of, steps
from nogo.match.sgf import to_sgf
from nogo.position import Position

NAME_WIDTH: Final = 24
"""Columns of a name in the list, at most."""
# What terminals send for keys that have no letter, and what each does to the move that is shown, of so many.
KEYS: Final[dict[str, Callable[[int, int], int]]] = {
    **dict.fromkeys(("\x1b[C", "\x1bOC", " ", "\r", "\n", "n", "l"), lambda at, _: at + 1),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "\x7f", "p", "h"), lambda at, _: at - 1),
    **dict.fromkeys(("\x1b[6~", "\x1b[B", "\x1bOB"), lambda at, _: at + 10),
    **dict.fromkeys(("\x1b[5~", "\x1b[A", "\x1bOA"), lambda at, _: at - 10),
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "g"), lambda _, __: 0),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "G"), lambda _, most: most),
}
QUIT: Final = ("q", "Q", "\x1b", "\x04")
_ONE_KEY: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|.", re.S)
_HELP: Final = "←→ step   ↑↓ ten   Home End   q quit"


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("number", metavar="[GAME]", required=False, type=click.IntRange(0))
@click.option("--all", "everything", is_flag=True, help="Print every position, one below the other.")
@click.option(
    "--move", "at", type=click.IntRange(0), metavar="N", help="Begin after move N; printed, that position alone."
)
@click.option("--sgf", is_flag=True, help="Print the game as SGF.")
def show(folder: Path, number: int | None, everything: bool, at: int | None, sgf: bool) -> None:
    """List the games of the match in DIR, or replay one of them.

    On a terminal the arrow keys step through the game; elsewhere, and with --all, every position is printed.

    \b
    Examples:
      nogo match show matches/uct-rave            all games, one a line
      nogo match show matches/uct-rave 12         game 12, move by move
      nogo match show matches/uct-rave 12 --all | less
      nogo match show matches/uct-rave 12 --sgf > game.sgf
    """
    if number is None:
        if everything or sgf or at is not None:
            raise click.UsageError("--all, --move and --sgf show one game; say which: nogo match show DIR GAME")
        _list(folder)
        return
    record = _find(folder, number)
    if sgf:
        click.echo(to_sgf(record), nl=False)
        return
    replay = Replay(record)
    if at is not None and at > len(replay.steps):
        raise ArgumentError(f"--move {at}, but game {number} has {len(replay.steps)} moves, its opening's among them")
    if sys.stdin.isatty() and sys.stdout.isatty() and not everything:
        _step(replay, at or 0)
    else:
        replay.print(range(len(replay.steps) + 1) if at is None else [at])


# ---- the list ----


def _list(folder: Path) -> None:
    """Print a line a game, by number."""
    records = sorted(((record.number, _row(record)) for record in read_records(folder)), key=lambda found: found[0])
    heading = ("game", "at", "first", "second", "result", "moves", "end")
    rows = [heading, *(row for _, row in records)]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(heading) - 1)]
    widths[2:4] = [min(width, NAME_WIDTH) for width in widths[2:4]]
    for row in rows:
        click.echo(_line(row, widths))
    if not records:
        click.echo("no game has ended yet")


def _row(record: GameRecord) -> tuple[str, ...]:
    end = record.end
    why = "" if end.kind == FINISHED else f"{end.kind}: {one_line(end.reason)}"
    names = (one_line(name) for name in record.agents)
    return (str(record.number), record.game, *names, result_of(record), str(len(record.moves)), why)


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    number, *texts, moves, end = row
    cells = [_fit(text, width) for text, width in zip(texts, widths[1:5], strict=True)]
    return "  ".join([number.rjust(widths[0]), *cells, moves.rjust(widths[5]), end]).rstrip()


def _fit(text: str, width: int) -> str:
    return text[: width - 1] + "…" if cell_len(text) > width == cell_len(text[:width]) else set_cell_size(text, width)


def result_of(record: GameRecord) -> str:
    """Say who has won, by colour."""
    if record.end.kind == VOID:
        return VOID
    winner = record.end.winner
    return "draw" if winner is None else f"{game(record.game).players[winner]} wins"


def _find(folder: Path, number: int) -> GameRecord:
    count = 0
    for record in read_records(folder):
        count += 1
        if record.number == number:
            return record
    raise ArgumentError(
        f"game {number} is not among the {count:,} games in {folder}; nogo match show {folder} lists them"
    )


# ---- one game ----


class Replay:
    """A game that is played again, and how each of its positions is told of."""

    def __init__(self, record: GameRecord) -> None:
        """Replay it; a RecordError names the move that cannot be."""
        self.record = record
        self.steps: list[Step] = steps(record)
        self.positions: list[Position] = [start_of(record), *(step.position for step in self.steps)]

    def print(self, at: Iterable[int]) -> None:
        """Print positions as plain text, in diagrams that `nogo.position` reads back."""
        click.echo("\n".join(self.heading))
        for number in at:
            click.echo(f"\n{self.move_line(number)}\n{self.positions[number].diagram}")
            if number == len(self.steps):
                click.echo("\n" + "\n".join(self.ending))

    def screen(self, at: int, console: Console) -> Group:
        """Show a position in colours."""
        first, *players = self.heading
        board = board_text(self.positions[at], self.positions[at - 1] if at else None, console)
        last = self.ending if at == len(self.steps) else []
        height = max(1, console.height - len(players) - board.plain.count("\n") - 6)
        return Group(
            Text(first, "bold"),
            *map(Text, players),
            Text(""),
            board,
            Text(""),
            Text(self.move_line(at), "bold"),
            *(Text(line, "cyan") for line in last[:height]),
            Text(_HELP, "dim"),
        )

    @property
    def heading(self) -> list[str]:
        """Say which game it is, and who plays."""
        record = self.record
        sides = [self._side(0), self._side(1)]
        width = max(map(len, sides))
        return [
            f"Game {record.number} of {record.game}, pair {record.pair}, {one_line(record.began)}",
            *(
                f"{side:<{width}}  {one_line(player.name)}, {one_line(player.budget)}"
                for side, player in zip(sides, record.players, strict=True)
            ),
        ]

    def _side(self, side: int) -> str:
        players = self.positions[0].game.players
        marks = {"black": "black X", "white": "white O", "red": "red R", "blue": "blue B"}
        return marks.get(players[side], players[side])

    def move_line(self, at: int) -> str:
        """Say what led to a position."""
        total = len(self.steps)
        if at == 0:
            return f"start, {total} moves"
        step = self.steps[at - 1]
        who = "die" if step.mover == CHANCE else self.positions[0].game.players[step.mover]
        return "   ".join([f"move {at} of {total}", f"{who} {step.move}", *_thoughts(step)])

    @property
    def ending(self) -> list[str]:
        """Say how it ended, and what an agent left behind."""
        end = self.record.end
        output = [f"  {line}" for line in printable(end.output).splitlines()]
        return [f"{result_of(self.record)}   {end.kind}: {one_line(end.reason)}", *output]


def _thoughts(step: Step) -> Iterable[str]:
    if step.opening:
        yield "opening"
    if step.seconds is not None:
        yield f"{step.seconds:.3f} s"
    if step.playouts is not None:
        yield f"{step.playouts:,} playouts"
    if step.value is not None:
        yield f"value {step.value:.3f}"


def _step(replay: Replay, at: int) -> None:
    """Let the keys choose the position that is shown."""
    console, last = Console(highlight=False), len(replay.steps)
    with _keyboard() as pressed, console.screen(hide_cursor=True) as screen:
        screen.update(replay.screen(at, console))
        for keys in pressed:
            if set(keys) & set(QUIT):
                return
            for key in keys:
                at = min(max(KEYS.get(key, _stay)(at, last), 0), last)
            screen.update(replay.screen(at, console))


@contextmanager
def _keyboard() -> Iterator[Iterator[list[str]]]:
    """Give the keys as they are pressed, one or several at a time, until the terminal is closed.

    The terminal is set once, not for each key: what is typed in between would be lost.
    """
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield (_ONE_KEY.findall(data.decode(errors="ignore")) for data in iter(lambda: os.read(terminal, 1024), b""))
    except KeyboardInterrupt:
        pass
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _stay(at: int, _: int) -> int:
    return at
