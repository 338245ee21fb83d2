"""Builds csrc/native.c as a cffi module for each instruction set; at import, the package takes the one nogo uses."""

import platform

from cffi import FFI

import nogo

DECLARATIONS = """
    typedef struct { double reply, tempo, scale; } native_settings;
    const struct nogo_plugin *native_plugin(void);
"""


def module(name: str, flags: list[str]) -> FFI:
    """Describe nogo_agent_native._NAME."""
    ffi = FFI()
    ffi.cdef(DECLARATIONS)
    ffi.set_source(
        f"nogo_agent_native._{name}",
        '#include "native.c"',
        include_dirs=["csrc", nogo.get_include()],
        depends=["csrc/native.c"],
        libraries=["m"],
        extra_compile_args=["-std=c11", "-O2", "-Wall", "-Wextra", "-Wno-psabi", *flags],
    )
    return ffi


AVX2 = ["-mavx2", "-mbmi", "-mbmi2", "-mpopcnt"]
plain = module("plain", [])
sse42 = module("sse42", ["-msse4.2", "-mpopcnt"])
avx2 = module("avx2", AVX2)
avx512 = module("avx512", [*AVX2, "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"])
MODULES = ["plain", "sse42", "avx2", "avx512"] if platform.machine().lower() in {"x86_64", "amd64"} else ["plain"]
