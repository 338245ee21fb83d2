"""A match's games as SGF files in its folder, one a game, as Go programs open them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from nogo.match.files import write_whole
from nogo.match.journal import read_records
from nogo.match.sgf import has_sgf, to_sgf

FOLDER: Final = "sgf"


def write_sgf(folder: Path) -> int:
    """Write FOLDER/sgf/NUMBER.sgf for every game that has one, and count them; those that are there already stay."""
    count = 0
    for record in read_records(folder):
        if has_sgf(record.game):
            count += 1
            path = folder / FOLDER / f"{record.number:06}.sgf"
            if not path.exists():
                write_whole(path, to_sgf(record))
    return count
