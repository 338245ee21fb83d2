"""Measures what the match runner itself costs: how docs/match.md got its figures. Run it where nothing else runs.

    python docs/overhead.py [WORKERS]

It plays agents that take no time (so that all that is left is the runner), then agents that search, and watches the
memory of all processes of a long match. Everything is kept in a temporary folder.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nogo.match.journal import GAMES, read_records

WORKERS = sys.argv[1] if len(sys.argv) > 1 else "2"
RANDOM = ("random", "random@playouts=1")
SEARCHING = ("uct", "rave:c=0.2", "--budget", "playouts=10000")
MEBIBYTE = 2**20


@contextmanager
def match(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a match."""
    command = [sys.executable, "-m", "nogo.match", *arguments, "--workers", WORKERS, "--out", str(folder), "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        yield process


def played(folder: Path) -> int:
    """Count the games on disk."""
    path = folder / GAMES
    return path.read_bytes().count(b"\n") if path.exists() else 0


def rate(folder: Path, games: int) -> float:
    """Give games a second, from the tenth of a match to its end: without the start of its processes."""
    marks = []
    with match(folder, *RANDOM, "--games", str(games)) as process:
        while process.poll() is None:
            time.sleep(0.05)
            marks.append((time.monotonic(), played(folder)))
    first = next(mark for mark in marks if mark[1] >= games // 10)
    last = next(mark for mark in marks if mark[1] == games)
    return (last[1] - first[1]) / (last[0] - first[0])


def overhead(folder: Path, games: int) -> tuple[float, float]:
    """Give the share of the workers' time in which no agent thought, in games alone and with all between them."""
    with match(folder, *SEARCHING, "--games", str(games)) as process:
        while not played(folder):
            time.sleep(0.005)
        began, already = time.monotonic(), played(folder)
        while played(folder) < games and process.poll() is None:
            time.sleep(0.005)
        elapsed = time.monotonic() - began
    records = list(read_records(folder))
    thought = [sum(filter(None, record.seconds)) for record in records]
    inside = 1 - sum(thought) / sum(record.took for record in records)
    return inside, 1 - sum(thought[already:]) / (elapsed * int(WORKERS))


def sizes(process: int) -> list[float]:
    """Give the resident MiB of a process and all that descend from it, in the order in which they began."""
    found = [process]
    for parent in found:
        for path in Path(f"/proc/{parent}/task").glob("*/children"):
            found += map(int, path.read_text().split())
    pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in found]
    return [count * resource.getpagesize() / MEBIBYTE for count in pages]


def memory(folder: Path, games: int) -> list[list[float]]:
    """Give the sizes of a match's processes after a tenth of the games and after all of them."""
    found = []
    with match(folder, *RANDOM, "--games", str(2 * games)) as process:
        for count in (games // 10, games):
            while played(folder) < count:
                time.sleep(0.1)
            found.append(sizes(process.pid))
        process.terminate()
    return found


def main() -> None:
    """Print all figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{rate(folder / 'rate', 5000):.0f} games of agents that take no time a second, with {WORKERS} workers")
        inside, everything = overhead(folder / "overhead", 200)
        print(f"{100 * inside:.2f}% of a game's time is not the agents', {100 * everything:.2f}% of the workers' time")
        early, late = memory(folder / "memory", 10_000)
        grown = [after - before for before, after in zip(early, late, strict=True)]
        for label, values in (("after 1,000 games", early), ("after 10,000", late), ("growth", grown)):
            print(f"MiB of each process {label}: {', '.join(f'{value:.1f}' for value in values)}")


if __name__ == "__main__":
    main()
