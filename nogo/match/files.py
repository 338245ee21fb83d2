"""Files that are there whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from nogo.errors import RecordError

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside the place where it belongs, and move it there; its folder is made if it is missing."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(exist_ok=True)
        draft.write_bytes(content)
        draft.replace(path)
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror}; make room, or make it writable") from None
    finally:
        draft.unlink(missing_ok=True)
