"""What is shipped, and how the build behaves with odd compilers. Each build takes the better part of a minute."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SENTENCE = "nogo needs a C compiler: install GCC 9 or newer, or Clang 12 or newer"


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def build_wheel(source: Path, target: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", target, source)
    return run(*command, cwd=target, **environment)


@pytest.fixture(scope="session")
def sdist(tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("sdist")
    done = run(sys.executable, "-m", "build", "--sdist", "--outdir", target, ROOT, cwd=target)
    assert done.returncode == 0, done.stderr
    (archive,) = target.glob("nogo-*.tar.gz")
    return archive


@pytest.fixture(scope="session")
def tree(sdist, tmp_path_factory) -> Path:
    """The sdist unpacked: what a packager builds from."""
    target = tmp_path_factory.mktemp("tree")
    with tarfile.open(sdist) as archive:
        archive.extractall(target, filter="data")
    (folder,) = target.iterdir()
    return folder


def test_sdist_carries_engine_and_tests(tree):
    for name in (
        "csrc/games/nogo_kernels.c",
        "csrc/nogo_api.h",
        "tests/reference.py",
        "tox.ini",
        "LICENSE",
        "CHANGELOG.md",
    ):
        assert (tree / name).exists(), name


def test_wheel_of_the_sdist_is_abi3_and_carries_types_and_headers(tree, tmp_path):
    done = build_wheel(tree, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("nogo-*.whl")
    assert "-cp310-abi3-" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("nogo/_core.abi3.so", "nogo/py.typed", "nogo/include/nogo_api.h", "nogo/include/games/game.h"):
        assert name in names
    assert not [name for name in names if name.endswith(".c")]


def test_build_without_openmp_works_and_says_so(tree, tmp_path):
    done = build_wheel(tree, tmp_path, NOGO_BUILD_OPENMP="0")
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("nogo-*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env/bin/python"
    assert run(python, "-m", "pip", "install", wheel, cwd=tmp_path).returncode == 0
    script = """
import nogo
info = nogo.build_info()
assert info.openmp == 0 and "without OpenMP" in str(info)
start = nogo.game("othello").start()
assert nogo.playouts(start, 1000, seed=1).games == 1000
try:
    nogo.playouts(start, 1000, seed=1, threads=2)
except nogo.NogoError as error:
    assert "built without OpenMP" in str(error) and "threads=1" in str(error)
else:
    raise AssertionError("threads=2 was accepted")
"""
    done = run(python, "-c", script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run(python, "-m", "nogo", "bench", "--seconds", "0.01", "--rounds", "1", cwd=tmp_path)
    assert "no OpenMP" in done.stdout, done.stderr


def last_sentence(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode != 0
    (said,) = [line for line in (done.stdout + done.stderr).splitlines() if SENTENCE in line]
    assert said.strip().startswith("error: nogo needs")
    assert "Traceback" not in done.stdout + done.stderr


def test_no_compiler_ends_in_one_sentence(tree, tmp_path):
    last_sentence(build_wheel(tree, tmp_path, CC=str(tmp_path / "no-such-compiler")))


def test_an_old_compiler_ends_in_one_sentence(tree, tmp_path):
    old = tmp_path / "oldcc"
    old.write_text('#!/bin/sh\nexec gcc -Wno-builtin-macro-redefined -D__GNUC__=4 "$@"\n')
    old.chmod(old.stat().st_mode | stat.S_IXUSR)
    last_sentence(build_wheel(tree, tmp_path, CC=str(old)))
