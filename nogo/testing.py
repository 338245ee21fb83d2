"""Does an agent keep its promises? For those who write one, and for ``nogo agents check``.

>>> from nogo.testing import check_agent
>>> report = check_agent("random", games=["nogo:3x3"])
>>> assert report.passed, report

The agent must be installed: it is tried in processes of its own, as in a match.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from nogo import registry
from nogo.arguments import real, whole_seed
from nogo.child import Child
from nogo.errors import ChildGoneError, ChildLateError
from nogo.game import game as get_game
from nogo.trial import Task

CHECKS: Final = {
    "plays": "it answers, and neither crashes nor hangs",
    "legal": "every choice is a legal move",
    "position": "the position it is given stays as it was",
    "budget": "about as many playouts as the budget, or fewer",
    "time": "no more time than the budget",
    "seed": "same seed, same game",
    "copy": "the same game in another process",
    "memory": "no memory is lost from game to game",
}
BOARDS: Final = {
    "nogo": ("nogo:5x5", "hollow-nogo"),
    "othello": ("othello:4x4", "othello"),
    "einstein": ("einstein", "einstein:5x5", "einstein:setdie"),
}
PLAYOUTS: Final = "playouts=200"
SECONDS: Final = 0.05
TIMED_MOVES: Final = 2
GRACE: Final = 0.25  # seconds a move may take beyond its budget, on a machine that has other things to do
TRIES: Final = 3  # before a move counts as late
GAMES: Final = 12  # for memory, of so many moves each
SHORT: Final = 6
LOST: Final = 2**20  # bytes a game that count as lost
MOST: Final = 1000  # moves: all of a game
LINE: Final = 2**20


@dataclass(frozen=True)
class Check:
    """One promise at one game: kept or not."""

    game: str
    what: str
    """A key of CHECKS."""
    why: str | None = None
    """Why not; None when it is kept."""


@dataclass
class Conformance:
    """What has been checked of an agent."""

    agent: str
    origin: str
    checks: list[Check] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """Games of a family that it says it plays which it does not play, and why."""

    @property
    def passed(self) -> bool:
        """Whether it has played, and kept every promise."""
        return bool(self.checks) and not self.failures

    @property
    def failures(self) -> list[Check]:
        """The promises that were not kept."""
        return [check for check in self.checks if check.why is not None]

    def __str__(self) -> str:
        """Say what failed and why, or what was tried."""
        games = ", ".join(dict.fromkeys(check.game for check in self.checks))
        lines = [f"{self.agent} of {self.origin}: {'passed' if self.passed else 'failed'} at {games or 'no game'}"]
        lines += [f"  {check.game}: {check.what}: {check.why}" for check in self.failures]
        return "\n".join([*lines, *(f"  {game}: not played: {why}" for game, why in self.refused.items())])


def check_agent(
    agent: str, *, games: Sequence[str] | None = None, seed: int = 1, patience: float = 60.0
) -> Conformance:
    """Try an agent, chosen by ``name:key=value,...``, at small games of every family it says it plays, on both sides.

    A move that takes longer than patience, in seconds, is taken for a hang. An agent that cannot be had raises what the
    registry raises.
    """
    selection = registry.select(agent)
    origin = registry.default().find(selection.spec.name).origin
    families = selection.spec.games or tuple(BOARDS)
    boards = list(games or [board for family in families for board in BOARDS[family]])
    for board in boards:
        selection.require(get_game(board))
    whole_seed(seed)
    real("patience", patience, 0.1, 1e6)
    examination = _Examination(agent, seed, patience, Conformance(str(selection), str(origin)))
    return examination.run(boards)


class _Ended(Exception):  # noqa: N818 - no error, but the end of a game
    """A game that the agent could not finish: which promise that breaks, and how."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(why)
        self.what, self.why = what, why


@dataclass
class _Played:
    """A game as the trial has told it."""

    moves: list[int] = field(default_factory=list)
    slowest: float = 0.0
    resident: int = 0
    refused: str | None = None


class _Bench:
    """A process in which an agent is on trial; started again after it has died or hung."""

    def __init__(self, hash_seed: int, patience: float) -> None:
        # Sets and dictionaries of strings have another order in each process: what depends on it shows.
        self._environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
        self._patience = patience
        self._child: Child | None = None

    def play(self, task: Task) -> _Played:
        if self._child is None:
            self._child = Child([sys.executable, "-m", "nogo.trial"], env=self._environment)
        try:
            self._child.write(task.to_line().encode(), self._patience)
            return self._follow(self._child)
        except (ChildGoneError, ChildLateError) as error:
            self.close()
            raise _Ended("plays", f"no move within {self._patience:g} s: {error}") from None

    def _follow(self, child: Child) -> _Played:
        played = _Played()
        while True:
            line = child.read_line(self._patience, LINE)
            if not line.endswith(b"\n"):
                how = child.ended(1.0) or "it has closed its output"
                self.close()
                raise _Ended("plays", f"the process has ended: {how} {_last_line(child.errors())}".strip())
            said = json.loads(line)
            if "end" in said:
                return self._end(played, said)
            self._note(played, said)

    def _end(self, played: _Played, said: dict[str, Any]) -> _Played:
        if said["end"] == "failed":
            raise _Ended("plays", f"it raised {said['why']}")
        played.resident = said["resident"]
        played.refused = said.get("why")
        return played

    def _note(self, played: _Played, said: dict[str, Any]) -> None:
        played.slowest = max(played.slowest, said["seconds"])
        played.moves.append(said["move"])
        for what, why in said["faults"]:
            self.close()
            raise _Ended(what, why)

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
        self._child = None


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return f"({lines[-1].strip()})" if lines else ""


@dataclass
class _Examination:
    agent: str
    seed: int
    patience: float
    report: Conformance

    def run(self, boards: Sequence[str]) -> Conformance:
        """Try all boards in one process, and in the opposite order in another."""
        benches = [_Bench(number, self.patience) for number in (1, 2)]
        try:
            first = {board: self._games(benches[0], board) for board in boards}
            for board in reversed(boards):
                self._compare(benches[1], board, first[board])
        finally:
            for bench in benches:
                bench.close()
        self.report.checks.sort(key=lambda check: (boards.index(check.game), list(CHECKS).index(check.what)))
        return self.report

    def _games(self, bench: _Bench, board: str) -> list[list[int]] | None:
        """Play both sides, twice; None where that could not be done."""
        try:
            games = [self._play(bench, board, side) for side in (0, 1)]
            if games[0].refused:
                self.report.refused[board] = games[0].refused
                return None
            self._passed(board, "plays", "legal", "position", "budget")
            again = [self._play(bench, board, side, again=True) for side in (0, 1)]
            self._judge(board, "seed", [game.moves for game in games], [game.moves for game in again])
            repeats = self.report.checks[-1].why is None
            self._time(bench, board)
            self._memory(bench, board)
        except _Ended as end:
            self.report.checks.append(Check(board, end.what, end.why))
            return None
        return [game.moves for game in games] if repeats else None

    def _play(
        self, bench: _Bench, board: str, side: int, *, again: bool = False, budget: str = PLAYOUTS, moves: int = MOST
    ) -> _Played:
        return bench.play(Task(self.agent, board, self.seed, side, budget, moves, again))

    def _passed(self, board: str, *what: str) -> None:
        self.report.checks += [Check(board, each) for each in what]

    def _judge(self, board: str, what: str, one: list[list[int]], other: list[list[int]]) -> None:
        why = next(_differences(one, other), None)
        self.report.checks.append(Check(board, what, why and f"{why}, with seed {self.seed} and {PLAYOUTS}"))

    def _compare(self, bench: _Bench, board: str, expected: list[list[int]] | None) -> None:
        if expected is None:
            return
        try:
            games = [self._play(bench, board, side).moves for side in (0, 1)]
            self._judge(board, "copy", expected, games)
        except _Ended as end:
            self.report.checks.append(Check(board, "copy", f"in another process: {end.why}"))

    def _time(self, bench: _Bench, board: str) -> None:
        for side in (0, 1):
            slowest = self._least_slowest(bench, board, side)
            if slowest > SECONDS + GRACE:
                why = f"a move took {slowest:.2f} s, with a budget of {SECONDS} s"
                self.report.checks.append(Check(board, "time", why))
                return
        self._passed(board, "time")

    def _least_slowest(self, bench: _Bench, board: str, side: int) -> float:
        """Time the slowest move of a game; of several games, if the first were late."""
        times: list[float] = []
        while len(times) < TRIES and min(times, default=1e9) > SECONDS + GRACE:
            times.append(self._play(bench, board, side, budget=f"time={SECONDS}s", moves=TIMED_MOVES).slowest)
        return min(times)

    def _memory(self, bench: _Bench, board: str) -> None:
        sizes = [self._play(bench, board, number % 2, again=True, moves=SHORT).resident for number in range(GAMES)]
        half = GAMES // 2
        lost = (sizes[-1] - sizes[half - 1]) / half
        why = f"{lost / 2**20:.1f} MiB a game are lost" if lost > LOST and sizes[-1] == max(sizes) else None
        self.report.checks.append(Check(board, "memory", why))


def _differences(one: list[list[int]], other: list[list[int]]) -> Iterator[str]:
    for side, (first, second) in enumerate(zip(one, other, strict=True)):
        if first != second:
            pairs = enumerate(zip(first, second, strict=False), 1)
            at = next((number for number, (a, b) in pairs if a != b), min(len(first), len(second)) + 1)
            yield f"as player {side} its move {at} was another one"
