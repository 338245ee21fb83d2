"""An agent on trial, in a process of its own: plays games as told, and tells each move and whatever was wrong with it.

Requests come as JSON lines on standard input; answers go, as JSON lines, to where standard output was when the process
began. What the agent itself prints goes to standard error. See nogo/testing.py, which asks and judges.
"""

from __future__ import annotations

import gc
import json
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TextIO

from nogo import registry
from nogo.agent import RESIGN, Agent, Choice, Follower, Lasting
from nogo.budget import Budget
from nogo.errors import AgentFailureError, NogoError
from nogo.game import game as get_game
from nogo.game import position as parse_position
from nogo.position import Position

PLAYOUTS_OVER = 2.5  # times the budget: a search may go on where it is not sure (UNST), but not for long
Tell = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Task:
    """A game to play: the agent has one side, random moves the other."""

    agent: str
    game: str
    seed: int
    side: int
    budget: str
    moves: int
    """Of the agent: then the game is broken off."""
    again: bool = False
    """Whether an agent that lasts plays on from the game before."""

    def to_line(self) -> str:
        """Write it."""
        return json.dumps(asdict(self)) + "\n"


class Trial:
    """Plays tasks; keeps an agent that lasts for the next one."""

    def __init__(self, tell: Tell) -> None:
        """Remember whom to tell."""
        self._tell = tell
        self._lasting: Lasting | None = None

    def play(self, task: Task) -> None:
        """Play a game, and tell how it went; what the agent raises ends it."""
        end: dict[str, Any] = {"end": "played"}
        try:
            agent = self._sit(task)
            self._play(agent, task)
        except (Exception, SystemExit) as error:  # whatever a stranger's code raises
            end = {"end": "failed", "why": f"{type(error).__name__}: {error}"}
        except _Refused as refusal:
            end = {"end": "refused", "why": str(refusal)}
        gc.collect()
        self._tell(end | {"resident": resident()})

    def _sit(self, task: Task) -> Agent:
        if self._lasting and task.again:
            agent: Any = self._lasting
        else:
            self._leave()
            agent = _made(task)
        if isinstance(agent, Lasting):
            self._lasting = agent
            agent.begin(task.seed)
        return agent  # type: ignore[no-any-return]

    def _leave(self) -> None:
        if self._lasting:
            self._lasting.close()
        self._lasting = None

    def _play(self, agent: Agent, task: Task) -> None:
        dice, budget = random.Random(f"{task.game} {task.seed}"), Budget.parse(task.budget)  # noqa: S311 - repeatable
        game = get_game(task.game)
        position = game.start(**({"seed": task.seed} if game.family == "einstein" else {}))
        asked = 0
        while not position.is_over and asked < task.moves:
            if position.turn == task.side:
                move, asked = self._ask(agent, position, budget), asked + 1
                if move is None:
                    return
            else:
                move = dice.choice(position.legal_moves())
            if isinstance(agent, Follower):
                agent.played(position, move)
            position = position.play(move)

    def _ask(self, agent: Agent, position: Position, budget: Budget) -> int | None:
        """Let it choose; None where the game cannot go on."""
        before, moves = parse_position(position.text), position.legal_moves()
        began = time.monotonic()
        choice = agent.choose(position, budget)
        seconds = time.monotonic() - began
        changed = position != before or position.legal_moves() != moves
        faults = [("position", f"it has changed the position it was given: {before.text}")] if changed else []
        faults += _faults(choice, position, budget)
        move = getattr(choice, "move", None)
        legal = not any(what == "legal" for what, _ in faults)
        self._tell({"move": move if legal else None, "seconds": seconds, "faults": faults})
        return int(choice.move) if legal and move != RESIGN else None


class _Refused(BaseException):
    """The agent does not play this game after all."""


def _made(task: Task) -> Agent:
    try:
        return registry.create(task.agent, get_game(task.game), task.seed)
    except AgentFailureError as error:
        if error.kind != "refused":
            raise
        raise _Refused(str(error)) from None
    except NogoError as error:
        raise _Refused(str(error)) from None


def _faults(choice: object, position: Position, budget: Budget) -> list[tuple[str, str]]:
    if not isinstance(choice, Choice):
        return [("legal", f"choose() gave {choice!r:.100}, not a nogo.Choice")]
    move, faults = choice.move, []
    whole = isinstance(move, int) and not isinstance(move, bool)
    if not whole or (move != RESIGN and move not in position.legal_moves()):
        faults.append(("legal", f"move {move!r:.100} is not legal in {position.text!r}"))
    if choice.value is not None and not 0 <= choice.value <= 1:
        faults.append(("legal", f"value {choice.value!r:.100} is not from 0 to 1"))
    if budget.playouts and (choice.playouts or 0) > budget.playouts * PLAYOUTS_OVER:
        faults.append(("budget", f"{choice.playouts} playouts, with a budget of {budget.playouts}"))
    return faults


def resident() -> int:
    """Tell how many bytes of memory this process has in use; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as numbers:
            return int(numbers.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def _private_output() -> TextIO:
    """Keep standard output for ourselves, and let what is printed go to standard error."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    return own


def main() -> None:
    """Answer requests until there are no more."""
    out = _private_output()

    def tell(answer: dict[str, Any]) -> None:
        out.write(json.dumps(answer) + "\n")

    trial = Trial(tell)
    for line in sys.stdin:
        trial.play(Task(**json.loads(line)))


if __name__ == "__main__":
    main()
