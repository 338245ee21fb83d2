"""Builds the C engine as the extension module nogo._core.

Run by setup.py, never imported by the package. Kernels (csrc/games/*_kernels.c) are compiled once for each
instruction set the compiler knows; the engine chooses among them at load. Environment:

    NOGO_BUILD_OPENMP=0       leave OpenMP out
    NOGO_BUILD_SANITIZE=...   build for these sanitizers, e.g. address,undefined; or for thread, without OpenMP then
    NOGO_BUILD_WERROR=1       warnings are errors
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

from cffi import FFI
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, CompileError, ExecError, PlatformError

CSRC = "csrc"
ENGINE = [
    *("api.c", "isa.c", "parallel.c", "perft.c"),
    *("games/nogo.c", "games/othello.c", "games/einstein.c"),
    *(f"search/{name}.c" for name in ("tree", "root_view", "leaf", "solver", "prune", "timing", "choice", "search")),
    "search/alphabeta.c",
]
KERNELS = ["games/nogo_kernels.c", "games/othello_kernels.c", "games/einstein_kernels.c"]
POLICIES = [f"search/{name}.c" for name in ("policy_ucb1", "policy_tuned", "policy_rave", "search_kernels", "descent")]

# Best first, as in csrc/isa.h; isa.c asks the machine for these features, or for later ones that imply them.
X86_FLAGS = {
    "avx512": [
        *("-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx512vbmi", "-mavx512bitalg"),
        *("-mgfni", "-mavx2", "-mbmi", "-mbmi2", "-mpopcnt"),
    ],
    "avx2": ["-mavx2", "-mbmi", "-mbmi2", "-mpopcnt"],
    "sse42": ["-msse4.2", "-mpopcnt"],
}
# GCC's partial redundancy elimination makes the long unrolled kernels spill: measured, it costs up to 20%.
KERNEL_FLAGS = ["-fno-tree-pre"]
# Policies are plain loops for the compiler to vectorise; every operation stays exact, so all sets give the same scores.
POLICY_FLAGS = ["-O3", "-fno-math-errno", "-fno-trapping-math"]
WARNINGS = ["-Wall", "-Wextra", "-Wno-psabi"]

# An instruction of each set: the assembler must know it too.
X86_PROBES = {
    "avx512": "__m512i f(__m512i x) { return _mm512_gf2p8affine_epi64_epi8(_mm512_popcnt_epi8(x), x, 0); }",
    "avx2": "__m256i f(__m256i x) { return _mm256_add_epi8(x, _mm256_set1_epi64x((long long)_pdep_u64(1, 2))); }",
    "sse42": "__m128i f(__m128i x) { return _mm_cmpgt_epi64(x, x); }",
}

# What the engine cannot do without: C11 and the compiler's vectors.
PROBE = """
#if (defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 9) || (defined(__clang__) && __clang_major__ < 12)
#error too old
#endif
#include <stdint.h>
typedef uint16_t V __attribute__((vector_size(16)));
_Static_assert(sizeof(V) == 16, "vectors");
int main(void) { V v = {1}; return ((v << 1) > v)[1]; }
"""
COMPILER_NEEDED = (
    "nogo needs a C compiler: install GCC 9 or newer, or Clang 12 or newer"
    " (Debian and Ubuntu: apt-get install gcc; Fedora: dnf install gcc; macOS: xcode-select --install)"
)
HEADERS_NEEDED = (
    "nogo needs Python's C headers: install them"
    " (Debian and Ubuntu: apt-get install python3-dev; Fedora: dnf install python3-devel)"
)
OPENMP_PROBE = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n"

ffibuilder = FFI()
ffibuilder.cdef((Path(CSRC) / "nogo_api.h").read_text(encoding="utf-8"))
ffibuilder.set_source(
    "nogo._core",
    '#include "core.h"',
    sources=[f"{CSRC}/{name}" for name in ENGINE],
    include_dirs=[CSRC],
    depends=[str(path) for path in sorted(Path(CSRC).rglob("*.[ch]"))],
    py_limited_api=True,
)


class BuildEngine(build_ext):
    """Finds out what the compiler can do, compiles the kernels, then builds the extension."""

    def build_extension(self, ext: Any) -> None:
        """Build nogo._core."""
        self.force = True  # what an earlier build with another compiler or environment left behind is not ours
        self._require_compiler()
        flags = ["-std=c11", "-ffp-contract=off", *self._mode_flags()]
        if "thread" in os.environ.get("NOGO_BUILD_SANITIZE", ""):
            ext.define_macros.append(("NOGO_PTHREADS", None))  # OpenMP's own waiting looks like races to it
        elif self._wants_openmp() and self._compiles(OPENMP_PROBE, ["-fopenmp"], link=True):
            ext.extra_compile_args.append("-fopenmp")
            ext.extra_link_args.append("-fopenmp")
        sets = self._instruction_sets()
        ext.define_macros += [(f"NOGO_HAVE_{name.upper()}", None) for name in sets]
        ext.extra_compile_args += flags
        ext.extra_link_args += [flag for flag in flags if flag.startswith("-fsanitize")]
        flags += [flag for flag in KERNEL_FLAGS if self._compiles("int main(void) { return 0; }\n", [flag])]
        for name, set_flags in {**sets, "plain": []}.items():
            ext.extra_objects += self._compile_kernels(ext, KERNELS, name, [*flags, *set_flags])
            ext.extra_objects += self._compile_kernels(ext, POLICIES, name, [*flags, *POLICY_FLAGS, *set_flags])
        super().build_extension(ext)

    def _mode_flags(self) -> list[str]:
        strict = ["-Werror"] if os.environ.get("NOGO_BUILD_WERROR") == "1" else []
        sanitizers = os.environ.get("NOGO_BUILD_SANITIZE")
        if sanitizers:
            return [*WARNINGS, *strict, "-O1", "-g", f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all"]
        return [*WARNINGS, *strict, "-O2"]

    def _wants_openmp(self) -> bool:
        return os.environ.get("NOGO_BUILD_OPENMP", "1") != "0"

    def _instruction_sets(self) -> dict[str, list[str]]:
        if platform.machine().lower() not in {"x86_64", "amd64"}:
            return {}
        return {
            name: flags
            for name, flags in X86_FLAGS.items()
            if self._compiles(f"#include <immintrin.h>\n{X86_PROBES[name]}\n", flags)
        }

    def _compile_kernels(self, ext: Any, sources: list[str], name: str, flags: list[str]) -> list[str]:
        compiled: list[str] = self.compiler.compile(
            [f"{CSRC}/{source}" for source in sources],
            output_dir=f"{self.build_temp}/{name}",
            macros=[*ext.define_macros, ("NOGO_ISA", name)],
            include_dirs=[CSRC],
            extra_postargs=flags,
        )
        return compiled

    def _require_compiler(self) -> None:
        if self.compiler.compiler_type == "msvc":
            raise PlatformError(COMPILER_NEEDED)
        if not self._compiles(PROBE, ["-std=c11"]):
            raise PlatformError(COMPILER_NEEDED)
        if not self._compiles("#include <Python.h>\n", [f"-I{folder}" for folder in self.include_dirs or []]):
            raise PlatformError(HEADERS_NEEDED)
        if sys.byteorder != "little":
            raise PlatformError("nogo's random games are defined for little-endian machines only; this one is not")

    def _compiles(self, program: str, flags: list[str], *, link: bool = False) -> bool:
        with tempfile.TemporaryDirectory() as folder, _quiet():
            source = Path(folder) / "probe.c"
            source.write_text(program, encoding="utf-8")
            try:
                objects = self.compiler.compile([str(source)], output_dir=folder, extra_postargs=flags)
                if link:
                    self.compiler.link_executable(objects, "probe", output_dir=folder, extra_postargs=flags)
            except (CCompilerError, CompileError, ExecError, OSError):
                return False
        return True


class _quiet:  # noqa: N801 - reads as a statement
    """Keeps a probe's complaints off the screen: a refused flag is an answer, not an error."""

    def __enter__(self) -> None:
        self._saved = os.dup(2)
        with open(os.devnull, "w", encoding="utf-8") as sink:
            os.dup2(sink.fileno(), 2)

    def __exit__(self, *_: object) -> None:
        os.dup2(self._saved, 2)
        os.close(self._saved)
