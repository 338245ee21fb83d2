"""Looking for processes by a word in their command line or environment, to see that none is left behind."""

from __future__ import annotations

import time
import uuid
from pathlib import Path


def mark() -> str:
    """A word that no other process has."""
    return f"mark-{uuid.uuid4().hex}"


def marked(word: str, running: str = "") -> list[int]:
    """The live processes whose command line or environment holds the word, and the command line what is running."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and word in _words_of(folder, running):
            found.append(int(folder.name))
    return found


def _words_of(folder: Path, running: str) -> str:
    try:
        if " Z " in (folder / "stat").read_text(encoding="utf-8", errors="replace"):
            return ""
        if running.encode() not in (folder / "cmdline").read_bytes():
            return ""
        return "".join((folder / name).read_bytes().decode("utf-8", "replace") for name in ("cmdline", "environ"))
    except OSError:  # it has ended meanwhile
        return ""


def vanish(word: str, running: str = "", seconds: float = 60.0) -> bool:
    """Wait until no process has the word any more."""
    deadline = time.monotonic() + seconds
    while marked(word, running):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def appear(word: str, count: int, running: str = "", seconds: float = 60.0) -> bool:
    """Wait until so many processes have the word."""
    deadline = time.monotonic() + seconds
    while len(marked(word, running)) < count:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
