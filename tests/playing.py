"""Matches with agents of other distributions, installed for a test; and with such as pass for our own."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from importlib import metadata
from pathlib import Path

import pytest
from distributions import install

from nogo import registry
from nogo.match import agency, schedule
from nogo.match.executors import LocalExecutor
from nogo.match.plan import Contestant, Plan
from nogo.match.play import Table
from nogo.match.record import GameRecord
from nogo.match.schedule import Task, tasks
from nogo.match.seats import Seats

CACHES = (registry.default, schedule._selected, agency._registry_of)


class Stage:
    """Where plugins are installed, for this process and those it starts."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        monkeypatch.syspath_prepend(str(folder))

    def add(self, name: str, source: str, *, ours: bool = False, version: str = "1.0") -> None:
        """Install a plugin; ours: as if it came with this package, so that its agents sit inside."""
        install(self.folder, name, source, version=version)
        if ours:
            about = self.folder / f"{name.replace('-', '_')}-{version}.dist-info" / "METADATA"
            about.write_text(f"Metadata-Version: 2.1\nName: nogo\nVersion: {metadata.version('nogo')}\n")
        self.forget()

    @staticmethod
    def forget() -> None:
        for cache in CACHES:
            cache.cache_clear()


def plan(*agents: str, **settings: object) -> Plan:
    defaults = {"games": ("nogo:5x5",), "budgets": ("playouts=10",), "pairs": 1}
    return Plan(tuple(map(Contestant.parse, agents)), **{**defaults, **settings})


def silent(*_: object) -> None:
    """Tell nobody."""


def play_here(games: Iterable[Task], tell=silent) -> list[GameRecord]:
    """Play in this process, agents of others in theirs."""
    records = []
    with closing(Seats()) as seats:
        for task in games:
            table = Table(task, seats, tell)
            records.append(table.play())
            table.leave()
    return records


def play_all(of: Plan, workers: int = 2) -> list[GameRecord]:
    """Play in workers; the records in the order of the schedule."""
    with LocalExecutor(workers) as executor:
        records = list(executor.play(tasks(of)))
    assert sorted(record.number for record in records) == list(range(of.game_count)), "each exactly once"
    return sorted(records, key=lambda record: record.number)


def timeless(record: GameRecord) -> dict:
    """All of a record that is the same whenever its game is played."""
    fields = dict(vars(record))
    for name in ("seconds", "began", "took"):
        del fields[name]
    return fields
