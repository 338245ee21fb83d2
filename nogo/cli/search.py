"""``nogo search``: what an agent finds in a position."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import click
import numpy as np
from rich.console import Console

from nogo import registry
from nogo.agent import Choice
from nogo.budget import Budget
from nogo.game import Game, game
from nogo.position import Position


@click.command()
@click.argument("game_name", metavar="GAME")
@click.argument("agent", metavar="AGENT")
@click.option("--position", "text", metavar="TEXT", help="Search this position, one line as Position.text gives it.")
@click.option("--moves", metavar="MOVES", help='Make these moves first, e.g. "E5 D4".')
@click.option("--budget", default="playouts=10000", show_default=True, help="playouts=N, time=0.5s or clock=60s+1s.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed finds the same.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def search(  # noqa: PLR0913, PLR0917 - one parameter an option
    game_name: str, agent: str, text: str | None, moves: str | None, budget: str, seed: int, as_json: bool
) -> None:
    """Let AGENT choose a move in a position of GAME, and show what it found.

    \b
    Examples:
      nogo search hollow-nogo rave
      nogo search hollow-nogo rave:c=0.3 --moves "E5 D4" --budget time=0.5s
      nogo search othello uct:reuse=yes --budget playouts=50000 --seed 7
      nogo search nogo:3x3 uct --position "nogo:3x3 .X./.O./... black" --json

    nogo agents lists the agents and their options.
    """
    played = game(game_name)
    selection, allowed = registry.select(agent), Budget.parse(budget)
    position = _position(played, text, moves)
    choice = selection.create(played, seed).choose(position, allowed)
    if as_json:
        facts = {"game": played.name, "agent": str(selection), "budget": str(allowed), "seed": seed}
        click.echo(json.dumps({**facts, "position": position.text, **_choice_json(played, choice)}))
    else:
        _show(position, choice)


def _position(played: Game, text: str | None, moves: str | None) -> Position:
    position = played.parse(text) if text else played.start()
    for move in (moves or "").replace(",", " ").split():
        position = position.play(move)
    return position


def _choice_json(played: Game, choice: Choice) -> dict[str, Any]:
    found = _details(choice.details)
    for key in ("moves", "variation"):
        if key in found:
            found[f"{key}_names"] = [played.move_name(int(move)) for move in found[key]]
    said = {"move": choice.move, "move_name": played.move_name(choice.move)}
    return {**said, "value": choice.value, "playouts": choice.playouts, "details": _plain(found)}


def _details(details: Any) -> dict[str, Any]:
    """Take a result apart; the position is said already."""
    if not dataclasses.is_dataclass(details):
        return {}
    found = {field.name: getattr(details, field.name) for field in dataclasses.fields(details)}
    return {name: value for name, value in found.items() if not isinstance(value, Position)}


def _plain(value: Any) -> Any:
    """Turn arrays and numpy's numbers into what JSON has; what is not a number is null."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(inner) for inner in value]
    plain = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(plain, float) and not np.isfinite(plain) else plain


def _show(position: Position, choice: Choice) -> None:
    console = Console(highlight=False, markup=False)
    console.print(position.diagram, soft_wrap=True)
    console.print()
    if choice.details is not None:
        console.print(_told(position.game, choice.details), soft_wrap=True)
        console.print()
    console.print(f"{position.game.move_name(choice.move)}{_opinion(choice)}", style="bold")


def _told(played: Game, details: Any) -> str:
    """Show a result by its own str(), or field by field where it has none."""
    if not dataclasses.is_dataclass(details) or type(details).__str__ is not object.__str__:
        return str(details)
    found = _details(details)
    found["variation"] = " ".join(played.move_name(move) for move in found.get("variation", ()))
    return "\n".join(f"{name:<10} {value}" for name, value in found.items())


def _opinion(choice: Choice) -> str:
    said = [f"value {choice.value:.3f}"] if choice.value is not None else []
    said += [f"{choice.playouts:,} playouts"] if choice.playouts is not None else []
    return f"  ({', '.join(said)})" if said else ""
