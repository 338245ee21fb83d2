"""What a match is asked to be, by the command line or a TOML file: the same names, the same checks, one plan.

Each setting is read by one function, whoever gives it; what it refuses is said with its place: the option, or the
file, line and key.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from nogo.arguments import nearest, real, shown, whole, whole_seed
from nogo.budget import Budget
from nogo.errors import ArgumentError, NogoError
from nogo.game import game as get_game
from nogo.match.openings import MAX_PLIES, read_openings
from nogo.match.plan import FORMATS, LEAST_MEMORY, MARGIN, MAX_GAMES, MAX_SECONDS, MOST_MEMORY, STALL, Contestant, Plan
from nogo.match.sprt import Sprt

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LARGEST_CONFIG: Final = 1_000_000  # bytes
MOST_WORKERS: Final = 1024
DASK: Final = "dask://"
EXECUTORS: Final = f"local or {DASK}HOST:PORT"


@dataclass(frozen=True)
class Settings:
    """A match to be, and how it is to be computed."""

    agents: tuple[str, ...] = ()
    game: tuple[str, ...] = ("hollow-nogo",)
    games: int = 200
    """Of each pairing, at each game and budget; an odd number is rounded up to pairs."""
    budget: tuple[str, ...] = ("playouts=2000",)
    seed: int = 1
    opening_plies: int | None = None
    openings: Path | None = None
    format: str | None = None
    """None: a match between two, a round-robin of more."""
    sprt: str | None = None
    margin: float = MARGIN
    stall: float = STALL
    workers: int | None = None
    """None: as many as the cores have room for."""
    executor: str = "local"
    memory: int | None = None
    """MiB for each agent of a third party; None: no limit."""
    out: Path | None = None
    strict: bool = False
    force: bool = False

    @property
    def plan(self) -> Plan:
        """The match."""
        return Plan(
            contestants=tuple(map(Contestant.parse, self.agents)),
            games=self.game,
            budgets=self.budget,
            pairs=(self.games + 1) // 2,
            format=self.format or ("match" if len(self.agents) <= 2 else "round-robin"),
            seed=self.seed,
            opening_plies=self.opening_plies,
            openings=read_openings(self.openings, self.game) if self.openings else (),
            sprt=self.sprt,
            margin=self.margin,
            stall=self.stall,
            memory=self.memory,
        )

    @property
    def cluster(self) -> str | None:
        """HOST:PORT of a cluster's scheduler; None: games are played on this machine."""
        return self.executor.removeprefix(DASK) if self.executor.startswith(DASK) else None

    def workers_for(self, plan: Plan) -> int | None:
        """Give the number of workers; refuse one that would make timed agents wait for each other.

        A cluster has as many as it has, and whoever starts it sees to their cores: None.
        """
        if self.cluster:
            if self.workers:
                raise ArgumentError(f"workers={self.workers} is for this machine; the cluster's are those that it has")
            return None
        cores = len(os.sched_getaffinity(0))
        workers = self.workers or max(1, cores // plan.threads)
        if plan.is_timed and workers * plan.threads > cores and not self.force:
            raise ArgumentError(
                f"{workers} worker(s) of {plan.threads} thread(s) on {cores} core(s): agents with time budgets would"
                f" slow each other down; use fewer workers (--workers {max(1, cores // plan.threads)}) or threads,"
                " a budget of playouts, or --force"
            )
        return workers


# ---- one reader a setting ----


def _words(read: Callable[[str], str]) -> Callable[[object], tuple[str, ...]]:
    """Read one word or several."""

    def words(value: object) -> tuple[str, ...]:
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, (list, tuple)):
            raise ArgumentError(f'{shown(value)} is neither a text nor a list of texts; write e.g. ["uct", "rave"]')
        return tuple(_word(read)(one) for one in found)

    return words


def _word(read: Callable[[str], str]) -> Callable[[object], str]:
    def word(value: object) -> str:
        if not isinstance(value, str):
            raise ArgumentError(f"{shown(value)} is not a text; put it in quotes")
        try:
            return read(value)
        except NogoError as error:
            raise _ElementError(value, str(error)) from None

    return word


def _path(value: object) -> Path:
    if not isinstance(value, (str, Path)) or not str(value).strip() or "\0" in str(value):
        raise ArgumentError(f"{shown(value)} is not a path")
    return Path(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ArgumentError(f"{shown(value)} is neither true nor false")
    return value


def _format(name: str) -> str:
    if name not in FORMATS:
        raise ArgumentError(f"format {shown(name)} is unknown; {nearest(name, FORMATS)}use {', '.join(FORMATS)}")
    return name


def _executor(text: str) -> str:
    if text != "local" and not re.fullmatch(rf"{DASK}[^\s:/]+:\d{{1,5}}", text):
        raise ArgumentError(f"executor {shown(text)} is unknown; use {EXECUTORS}")
    return text


READERS: Final[Mapping[str, Callable[[object], Any]]] = {
    "agents": _words(lambda text: Contestant.parse(text).name),
    "game": _words(lambda text: get_game(text).name),
    "games": lambda value: whole("games", value, 1, MAX_GAMES),
    "budget": _words(lambda text: str(Budget.parse(text))),
    "seed": whole_seed,
    "opening-plies": lambda value: whole("opening-plies", value, 0, MAX_PLIES),
    "openings": _path,
    "format": _word(_format),
    "sprt": _word(lambda text: str(Sprt.parse(text))),
    "margin": lambda value: real("margin", value, 0, MAX_SECONDS),
    "stall": lambda value: real("stall", value, 0.01, MAX_SECONDS),
    "workers": lambda value: whole("workers", value, 1, MOST_WORKERS),
    "executor": _word(_executor),
    "memory": lambda value: whole("memory", value, LEAST_MEMORY, MOST_MEMORY),
    "out": _path,
    "strict": _flag,
    "force": _flag,
}


def settings(given: Mapping[str, object], config: Path | None = None) -> Settings:
    """Read settings by their names (``opening-plies``): a file's, and those that are given, which win."""
    found = read_config(config) if config else {}
    for name, value in given.items():
        found[name] = READERS[name](value)
    return Settings(**{name.replace("-", "_"): value for name, value in found.items()})


# ---- the file ----


def read_config(path: Path) -> dict[str, Any]:
    """Read and check a TOML file; an error names file, line and key."""
    text = _text_of(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said, _, place = str(error).partition(" (at ")
        line = re.match(r"line (\d+)", place)
        raise ArgumentError(f"{path}, line {line[1] if line else text.count(chr(10)) + 1}: {said}") from None
    except (RecursionError, ValueError) as error:  # nested too deep, or a number of thousands of digits
        raise ArgumentError(f"{path} is no config: {error}") from None
    return {key: _setting(path, text, key, value) for key, value in table.items()}


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_CONFIG:
            raise ArgumentError(f"{path} is larger than {LARGEST_CONFIG:,} bytes; that is no config")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"config cannot be read from {path}: {error}") from None


def _setting(path: Path, text: str, key: str, value: object) -> Any:
    place = f"{path}, line {_line_of(text, key)}, {key}"
    if key not in READERS:
        raise ArgumentError(f"{place}: there is no such key; {nearest(key, READERS)}known: {', '.join(READERS)}")
    try:
        read = READERS[key](value)
    except _ElementError as error:
        raise ArgumentError(f"{path}, line {_line_of(text, key, error.element)}, {key}: {error}") from None
    except NogoError as error:
        raise ArgumentError(f"{place}: {error}") from None
    return path.parent / read if key == "openings" else read


class _ElementError(ArgumentError):
    """What is wrong with one text, which may be one of several."""

    def __init__(self, element: str, said: str) -> None:
        super().__init__(said)
        self.element = element


def _line_of(text: str, key: str, element: str = "") -> int:
    """Find the line of a key, or the first one from there on that has an element of its value."""
    lines = text.splitlines()
    begins = (n for n, line in enumerate(lines) if re.match(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""", line))
    first = next(begins, 0)
    return 1 + next((n for n in range(first, len(lines)) if element in lines[n]), first)
