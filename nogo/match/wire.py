"""A process's standard input and output, taken for itself before anything else can print on them."""

from __future__ import annotations

import os
from typing import BinaryIO


def take_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Give a reader and an unbuffered writer; from now on standard input is empty, and output goes to errors."""
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return reader, writer
