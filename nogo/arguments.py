"""Checks of what callers hand in, the same everywhere."""

from __future__ import annotations

import operator
import reprlib
from typing import Any

import numpy as np

from nogo.errors import ArgumentError

SEED_LIMIT = 2**64

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 120


def shown(value: object) -> str:
    """Show a value in an error, shortened if it is long."""
    return _short.repr(value)


def whole(name: str, value: object, least: int, most: int) -> int:
    """Accept a whole number in a range, of Python or numpy, as an int."""
    number = None if isinstance(value, (bool, np.bool_)) else _index(value)
    if number is None:
        raise ArgumentError(f"{name}={shown(value)} is not a whole number; use {least} to {most}")
    if not least <= number <= most:
        raise ArgumentError(f"{name}={shown(number)} is out of range; use {least} to {most}")
    return number


def _index(value: Any) -> int | None:
    try:
        return operator.index(value)
    except TypeError:
        return None


def whole_seed(seed: object) -> int:
    """Accept a seed."""
    return whole("seed", seed, 0, SEED_LIMIT - 1)
