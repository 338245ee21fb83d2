"""What is going to be played: in two lines above a match, and at length for --dry-run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nogo.game import position
from nogo.match.plan import Plan
from nogo.match.record import Opening, Player
from nogo.match.runner import Match
from nogo.match.schedule import Task, tasks

SHOWN: Final = 3
"""Openings of the preview."""


def title(match: Match, folder: Path, workers: int | None, games: int) -> list[str]:
    """Say in a few lines what is played, how, and where it is kept."""
    plan = match.plan
    names = [contestant.name for contestant in plan.contestants]
    among = " against ".join(names) if len(names) == 2 else f"{plan.format} of {', '.join(names)}"
    facts = [
        f"{plan.game_count:,} games",
        f"seed {plan.seed}",
        _place(workers),
        f"kept in {folder}",
    ]
    lines = [among, f"{', '.join(plan.games)} at {', '.join(plan.budgets)}", ", ".join(facts)]
    if games % 2:
        lines.append(f"{games} games are {plan.pairs - 1} pairs and a half: each pairing plays {2 * plan.pairs}")
    if match.resumed:
        lines.append(f"going on after {match.resumed:,} games that are there already")
    if match.torn:
        lines.append("the last of them was written only in part, and is played again")
    return lines


def _place(workers: int | None) -> str:
    if workers is None:
        return "a cluster"
    return f"{workers} worker{'s' * (workers > 1)}"


def preview_json(plan: Plan, folder: Path, workers: int | None) -> dict[str, Any]:
    """Give the plan and what follows from it."""
    return {"plan": plan.to_json(), "games": plan.game_count, "workers": workers, "folder": str(folder)}


def show_preview(plan: Plan, folder: Path, workers: int | None) -> None:
    """Print what would be played."""
    console, grid = Console(highlight=False), Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    facts: list[tuple[str, Sequence[object]]] = [
        ("agents", _agents(plan)),
        ("games", plan.games),
        ("budgets", plan.budgets),
        ("format", [f"{plan.format}: {len(plan.pairings)} pairing(s) at {len(plan.cells)} game(s) and budget(s)"]),
        ("number", [f"{plan.game_count:,} games: {plan.pairs:,} opening(s), each from both sides"]),
        ("openings", _openings(plan)),
        ("seed", [plan.seed]),
        ("sprt", [plan.sprt] if plan.sprt else []),
        ("late, stalled", [f"after {plan.margin:g} s and {plan.stall:g} s"]),
        ("played by", [_place(workers)]),
        ("folder", [folder]),
    ]
    for name, lines in facts:
        for number, line in enumerate(lines):
            grid.add_row("" if number else name, Text(str(line)))
    console.print(grid)


def _agents(plan: Plan) -> list[str]:
    """Name each with where it comes from and its own budget."""
    players: dict[str, Player] = {}
    for task in islice(tasks(plan), 2 * len(plan.pairings)):
        players.update({player.name: player for player in task.players})
    return [f"{name}, from {player.distribution} {player.version}" for name, player in players.items()]


def _openings(plan: Plan) -> list[str]:
    coming = islice(tasks(plan), 2 * SHOWN * len(plan.cells) * len(plan.pairings))
    found = [_opening(task.opening) for task in coming if _is_first(plan, task)]
    return [*dict.fromkeys(found), "..."][: SHOWN + 1]


def _opening(opening: Opening) -> str:
    """Write the moves alone where it is plain what they start from."""
    of = position(opening.start).game
    plain = of.family != "einstein" and of.start().text == opening.start
    return " ".join((of.name if plain else opening.start, *opening.moves))


def _is_first(plan: Plan, task: Task) -> bool:
    """Tell whether a game is the first one from its opening."""
    return task.number % (2 * len(plan.pairings)) == 0
