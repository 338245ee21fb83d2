"""The games of a plan, in order. A task is all that is needed to play one, wherever that is done."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache

from nogo import registry
from nogo.game import game as get_game
from nogo.match.openings import derive, draw_opening
from nogo.match.plan import Contestant, Plan
from nogo.match.record import Opening, Player


@dataclass(frozen=True)
class Task:
    """A game to be played."""

    number: int
    pair: int
    game: str
    seed: int
    """The match's."""
    dice: int
    """Seed of the throws: the same for both games of a pair."""
    players: tuple[Player, Player]
    opening: Opening
    margin: float
    stall: float
    memory: int | None = None

    def to_line(self) -> str:
        """Write it as a line of JSON."""
        players = [{**vars(player), "options": dict(player.options)} for player in self.players]
        fields = {**vars(self), "players": players, "opening": vars(self.opening)}
        return json.dumps(fields, separators=(",", ":")) + "\n"

    @classmethod
    def from_line(cls, line: str) -> Task:
        """Read what `to_line` gave."""
        fields = json.loads(line)
        first, second = fields.pop("players")
        opening = fields.pop("opening")
        return cls(
            players=(Player(**first), Player(**second)),
            opening=Opening(opening["start"], tuple(opening["moves"])),
            **fields,
        )


def tasks(plan: Plan, done: Container[int] = frozenset()) -> Iterator[Task]:
    """Give the games in order, without those that are done.

    Every pairing plays its first pair before anyone plays a second, all of them from the same opening: a match that is
    stopped early is an even one.
    """
    pair = 0
    for turn in range(plan.pairs):
        for game, budget in plan.cells:
            for one, other in plan.pairings:
                if 2 * pair not in done or 2 * pair + 1 not in done:
                    for task in _pair(plan, pair, turn, (game, budget), (one, other)):
                        if task.number not in done:
                            yield task
                pair += 1


def _pair(
    plan: Plan, pair: int, turn: int, cell: tuple[str, str], pairing: tuple[Contestant, Contestant]
) -> Iterator[Task]:
    game, budget = cell
    opening = _opening(plan, game, turn)
    for swapped in (0, 1):
        sides = pairing[::-1] if swapped else pairing
        number = 2 * pair + swapped
        yield Task(
            number=number,
            pair=pair,
            game=game,
            seed=plan.seed,
            dice=derive(plan.seed, game, turn, "dice"),
            players=(_player(plan, sides[0], budget, number), _player(plan, sides[1], budget, number)),
            opening=opening,
            margin=plan.margin,
            stall=plan.stall,
            memory=plan.memory,
        )


def _opening(plan: Plan, game: str, turn: int) -> Opening:
    ours = plan.openings_of[game]
    if ours:
        return ours[turn % len(ours)]
    return draw_opening(get_game(game), derive(plan.seed, game, turn, "opening"), plan.opening_plies)


def _player(plan: Plan, contestant: Contestant, budget: str, number: int) -> Player:
    chosen, registered = _selected(contestant.agent)
    return Player(
        name=contestant.name,
        agent=contestant.agent,
        budget=contestant.budget or budget,
        seed=derive(plan.seed, number, contestant.name),
        options=dict(chosen.options),
        distribution=registered.origin.distribution,
        version=registered.origin.version,
    )


@cache
def _selected(agent: str) -> tuple[registry.Selection, registry.Registered]:
    chosen = registry.select(agent)
    return chosen, registry.default().find(chosen.spec.name)
