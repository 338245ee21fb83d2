"""Runs pytest with a sanitizer's runtime loaded before Python, as an instrumented extension needs it.

Usage: python tests/sanitized.py [pytest arguments]. Python's own arenas are not leaks of ours, so leaks are not looked
for here; whatever else the sanitizers find ends the run.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path


def runtime(name: str) -> str:
    """Ask the compiler for the path of a sanitizer's shared library."""
    compiler = os.environ.get("CC", "gcc")
    return subprocess.run(
        [compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True
    ).stdout.strip()


def sanitizer() -> str:
    """Tell which runtime the installed engine was built for; end the run if none: it would pass for nothing."""
    spec = importlib.util.find_spec("nogo")
    assert spec is not None
    assert spec.submodule_search_locations
    (engine,) = Path(spec.submodule_search_locations[0]).glob("_core*.so")
    for name in ("asan", "tsan"):
        if f"__{name}_init".encode() in engine.read_bytes():
            return name
    sys.exit(f"{engine} is not built with NOGO_BUILD_SANITIZE=address,undefined or thread")


def main() -> None:
    environment = {
        **os.environ,
        "LD_PRELOAD": runtime(f"lib{sanitizer()}.so"),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:abort_on_error=1",
        "TSAN_OPTIONS": "halt_on_error=1:abort_on_error=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONMALLOC": "malloc",
    }
    pytest = Path(sys.executable).with_name("pytest")  # as a script: -m would put the source tree first on the path
    os.execve(sys.executable, [sys.executable, str(pytest), *sys.argv[1:]], environment)


main()
