"""Checks of what callers hand in, the same everywhere."""

from __future__ import annotations

import operator
import reprlib

from nogo.errors import ArgumentError

SEED_LIMIT = 2**64

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 120


def shown(value: object) -> str:
    """Show a value in an error, shortened if it is long."""
    return _short.repr(value)


def whole(name: str, value: object, least: int, most: int) -> int:
    """Accept a whole number in a range, of Python or numpy, as an int."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise ArgumentError(f"{name}={shown(value)} is not a whole number; use {least} to {most}")
    if not least <= number <= most:
        raise ArgumentError(f"{name}={shown(number)} is out of range; use {least} to {most}")
    return number


def whole_seed(seed: object) -> int:
    """Accept a seed."""
    return whole("seed", seed, 0, SEED_LIMIT - 1)
