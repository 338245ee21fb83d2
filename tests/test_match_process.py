"""``python -m nogo.match`` as a process: killed at any moment it goes on, and it leaves no process behind."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from processes import appear, mark, marked, vanish

from nogo.match.journal import GAMES
from nogo.match.record import TIMES

AGENTS = ("uct", "rave:c=0.2")
PATIENCE = 300.0  # seconds, against a hang
not_sanitized = pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes memory of its own"
)
# python -m nogo.match, where Ctrl-C is taken also if the tests run in the background of a shell, which ignores it
AS_A_MODULE = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("nogo.match", run_name="__main__", alter_sys=True)
"""


@contextmanager
def match(*arguments: object, word: str = "none"):
    """Start a match in a session of its own; end it whatever happens."""
    process = subprocess.Popen(
        [sys.executable, "-c", AS_A_MODULE, *map(str, arguments)],
        env={**os.environ, "NOGO_TEST_MARK": word},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def finish(*arguments: object, code: int = 0) -> str:
    """Run a match to its end."""
    with match(*arguments) as process:
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == code, err
        return out


def games_of(folder: Path) -> list[dict]:
    """The records in the order of the schedule, without what says how long something took."""
    lines = (folder / GAMES).read_text(encoding="utf-8").splitlines()
    records = sorted(map(json.loads, lines), key=lambda record: record["number"])
    return [{key: value for key, value in record.items() if key not in TIMES} for record in records]


def wait_for_games(folder: Path, count: int, every: float = 0.01) -> None:
    """Wait until so many games are on disk."""
    deadline = time.monotonic() + PATIENCE
    while not (folder / GAMES).exists() or (folder / GAMES).read_bytes().count(b"\n") < count:
        assert time.monotonic() < deadline
        time.sleep(every)


def killed_and_resumed(folder: Path, kills: int, seed: int, *arguments: object) -> None:
    """Kill a match so many times, each at a random moment, and let it go on to its end."""
    rng, word, whole, done = random.Random(seed), mark(), folder / "whole", folder / "killed"
    finish(*arguments, "--quiet", "--workers", 1, "--out", whole)
    games = len(games_of(whole))
    for kill in range(kills):
        with match(*arguments, "--quiet", "--workers", 2, "--out", done, word=word) as process:
            # Moments are spread over the games, and over the time that one takes.
            wait_for_games(done, games * kill // kills)
            time.sleep(rng.uniform(0, 0.3))
            process.kill()
        assert vanish(word), "nothing that a killed match has started goes on"
    finish(*arguments, "--quiet", "--workers", 2, "--out", done)
    assert len((done / GAMES).read_bytes().splitlines()) == games, "no game is there twice"
    assert games_of(done) == games_of(whole)


def test_a_match_that_is_killed_goes_on_and_plays_the_same_games(tmp_path):
    killed_and_resumed(tmp_path, 3, 1, *AGENTS, "--games", 30, "--budget", "playouts=100")


@pytest.mark.slow
def test_twenty_kills(tmp_path):
    for game, seed in (("hollow-nogo", 2), ("einstein:5x5", 3)):
        folder = tmp_path / game.replace(":", "-")
        folder.mkdir()
        killed_and_resumed(folder, 10, seed, *AGENTS, "--game", game, "--games", 200, "--budget", "playouts=300")


def test_ctrl_c_saves_what_is_played_and_says_how_to_go_on(tmp_path):
    word, folder = mark(), tmp_path / "match"
    arguments = (*AGENTS, "--games", 100_000, "--budget", "playouts=100", "--out", folder)
    with match(*arguments, word=word) as process:
        wait_for_games(folder, 5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert "The same command goes on" in out
    assert "Ctrl-C again" in err
    assert vanish(word)
    assert [game["number"] for game in games_of(folder)] == list(range(len(games_of(folder))))


def test_a_second_ctrl_c_ends_at_once(tmp_path):
    word, folder = mark(), tmp_path / "match"
    arguments = ("ucb", "ucb:c=1", "--games", 20, "--budget", "playouts=1000000000", "--out", folder)
    with match(*arguments, word=word) as process:
        assert appear(word, 3), "the match, a guard and a worker: a game is in the air"
        process.send_signal(signal.SIGINT)
        line = process.stderr.readline()
        while "in the air" not in line:
            assert line, "it ended, though a game was in the air"
            line = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert vanish(word)
    assert games_of(folder) == []


def test_json_stands_alone_on_standard_output(tmp_path):
    told = json.loads(
        finish("uct", "random", "--games", 4, "--budget", "playouts=20", "--json", "--out", tmp_path / "m")
    )
    assert told["finished"]
    assert told["played"] == 4


def test_a_disk_that_is_full_ends_the_match_with_whole_records(tmp_path):
    """No file may grow beyond 64 KiB: room for some ten games."""
    folder = tmp_path / "match"
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536));"
        "from nogo.cli import main; main(sys.argv[1:])"
    )
    arguments = ("match", "uct", "random", "--games", "100", "--budget", "playouts=20", "--out", str(folder))
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "File too large" in done.stderr
    kept = len(games_of(folder))
    assert f"the {kept} games in it are safe" in done.stderr
    assert 0 < kept < 100
    finish(*arguments[1:])
    assert [game["number"] for game in games_of(folder)] == list(range(100))


def sizes(word: str) -> dict[int, int]:
    """The resident memory of a match's processes, in bytes."""
    found = {}
    for process in marked(word):
        with suppress(OSError):
            found[process] = int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()
    return found


def grown(folder: Path, games: int, *arguments: object) -> list[int]:
    """How much each of a match's processes grows from a quarter of so many games to all of them, in bytes."""
    word = mark()
    with match("random", "random@playouts=1", "--games", 10**6, *arguments, "--out", folder, word=word) as process:
        wait_for_games(folder, games // 4, every=0.1)
        early = sizes(word)
        wait_for_games(folder, games, every=0.1)
        late = sizes(word)
        process.terminate()
        process.communicate(timeout=PATIENCE)
    assert vanish(word)
    assert set(early) == set(late), "no process is replaced"
    return [late[process] - early[process] for process in early]


@not_sanitized
def test_memory_stays_flat(tmp_path):
    assert max(grown(tmp_path / "match", 1200, "--game", "nogo:5x5", "--workers", 2)) < 3 * 2**20


@not_sanitized
@pytest.mark.slow
def test_memory_stays_flat_over_10_000_games(tmp_path):
    assert max(grown(tmp_path / "match", 10_000, "--workers", 2)) < 3 * 2**20
