"""Memory that cannot be had, at every place in turn where the engine asks for some: a MemoryError, and nothing lost."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# Stands before the C library's allocator. While armed, it counts what the engine's extension asks for, and refuses the
# request of a given number.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);
static int armed, fail_at, asked, held;

void shim_arm(int n) { fail_at = n; asked = 0; armed = 1; }
void shim_stop(void) { fail_at = 0; } /* counting goes on */
int shim_held(void) { return held; }
int shim_asked(void) { return asked; }

static int ours(void *caller)
{
    Dl_info info;
    return armed && dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "/_core.");
}

static int refused(void *caller)
{
    if (!ours(caller))
        return 0;
    if (__atomic_add_fetch(&asked, 1, __ATOMIC_SEQ_CST) == fail_at)
        return 1;
    __atomic_add_fetch(&held, 1, __ATOMIC_SEQ_CST);
    return 0;
}

#define CALLER __builtin_return_address(0)
void *malloc(size_t size) { return refused(CALLER) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return refused(CALLER) ? NULL : __libc_calloc(n, size); }
void *aligned_alloc(size_t alignment, size_t size) { return refused(CALLER) ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (refused(CALLER))
        return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}
void free(void *memory)
{
    if (memory && ours(CALLER))
        __atomic_sub_fetch(&held, 1, __ATOMIC_SEQ_CST);
    __libc_free(memory);
}
"""

SCRIPT = """
import ctypes, gc, itertools
import nogo
from nogo import core
from nogo.budget import Budget
from nogo.game import Game
from nogo.search import Search, SearchOptions

shim = ctypes.CDLL(None)
KINDS = {
    "plain": {},
    "leaves": {"leaf": "leaves", "playouts": 8},
    "root": {"parallel": "root", "threads": 2},
    "root of leaves": {"parallel": "root", "threads": 2, "leaf": "leaves", "playouts": 4, "policy": "rave"},
}

def attempt(spec, options, n):
    shim.shim_arm(n)
    try:
        game = Game(spec, core.isa_in_use())
        Search(game, options).run(game.start(), Budget(playouts=50), seed=1)
    except MemoryError as error:
        assert "could not get memory" in str(error)
        return False
    finally:
        shim.shim_stop()
    return True

for name in ("nogo:5x5", "othello", "einstein"):
    spec = nogo.game(name)._spec
    for kind, given in KINDS.items():
        options = SearchOptions(memory=1, **given)
        attempt(spec, options, 0)  # what the threads' library takes once and for all is taken now
        gc.collect()
        before = shim.shim_held()
        for n in itertools.count(1):
            whole = attempt(spec, options, n)
            gc.collect()
            assert shim.shim_held() == before, (name, kind, n)
            if whole:
                break
        assert shim.shim_asked() == n - 1 > 3, (name, kind, n)
        print(name, kind, n - 1)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs the GNU C library")
@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer has an allocator of its own")
def test_every_allocation_may_fail(tmp_path: Path) -> None:
    source, library = tmp_path / "shim.c", tmp_path / "shim.so"
    source.write_text(SHIM)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-fno-builtin", "-o", library, source, "-ldl"], check=True)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 12
