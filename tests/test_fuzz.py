"""Every reader of foreign text takes any bytes: it reads them or refuses them, and never crashes, hangs or floods.

tests/fuzz/long.py hunts in the same targets for as long as one likes.
"""

from __future__ import annotations

import tracemalloc

import pytest
from fuzz.targets import SEEDS, TARGETS
from hypothesis import given, settings
from hypothesis import strategies as st

every_target = pytest.mark.parametrize("name", TARGETS)
LARGE = 70_000
MOST_MEMORY = 200 * LARGE


def changed(seeds: list[bytes]) -> st.SearchStrategy[bytes]:
    """Good input, with parts of it cut, doubled or replaced by anything."""

    def change(seed: bytes, begin: int, end: int, put: bytes, times: int) -> bytes:
        begin, end = sorted((begin % (len(seed) + 1), end % (len(seed) + 1)))
        return seed[:begin] + (seed[begin:end] + put) * times + seed[end:]

    places = st.integers(0, 10_000)
    return st.builds(change, st.sampled_from(seeds), places, places, st.binary(max_size=8), st.integers(0, 3))


@every_target
def test_good_input_is_read(name):
    for seed in SEEDS[name]:
        TARGETS[name](seed)


@every_target
@settings(max_examples=60)
@given(data=st.data())
def test_any_bytes_are_read_or_refused(name, data):
    text = st.text(max_size=80).map(lambda text: text.encode("utf-8", "surrogatepass"))
    TARGETS[name](data.draw(st.binary(max_size=80) | text | changed(SEEDS[name])))


def large(name: str) -> list[bytes]:
    seed = SEEDS[name][0]
    half = seed[: len(seed) // 2]
    return [
        *(symbol * LARGE for symbol in (b" ", b"0", b"[", b"(", b"{", b'"', b"\\", b"a", b"\n", b"\xff", b"|", b"-")),
        *((part * (LARGE // len(part) + 1))[:LARGE] for part in (seed, half, b"a=1,", b"1/", b"[a]", b"(;", b"[[")),
        b"a=" + b"[" * LARGE,
        b"a=" + b"9" * LARGE,
        half + b"9" * LARGE,
        half + b"[" * LARGE,
        half + b" " * LARGE + seed,
    ]


@every_target
def test_large_input_neither_hangs_nor_floods(name):
    for data in large(name):
        TARGETS[name](data)
    tracemalloc.start()
    try:
        TARGETS[name](large(name)[-1])
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
