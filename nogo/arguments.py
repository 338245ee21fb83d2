"""Checks of what callers hand in, the same everywhere."""

from __future__ import annotations

import difflib
import math
import operator
import reprlib
from collections.abc import Iterable
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


def real(name: str, value: object, least: float, most: float) -> float:
    """Accept a finite number in a range, of Python or numpy, as a float."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ArgumentError(f"{name}={shown(value)} is not a number; use {least:g} to {most:g}")
    if not least <= value <= most or not math.isfinite(value):  # nan fails both comparisons
        raise ArgumentError(f"{name}={shown(value)} is out of range; use {least:g} to {most:g}")
    return float(value)


def nearest(name: str, known: Iterable[str]) -> str:
    """Say which known name may have been meant, to go before a list of them; nothing when none is near."""
    near = difflib.get_close_matches(name[:80].lower(), list(known), n=1)
    return f"did you mean {near[0]!r}? " if near else ""
