"""The engine in a process: Ctrl-C, forks, threads, memory. Each script runs in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import nogo
from nogo import core

BUILD = nogo.build_info()
STATM = Path("/proc/self/statm")
needs_openmp = pytest.mark.skipif(not BUILD.openmp, reason="built without OpenMP")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
needs_statm = pytest.mark.skipif(not STATM.exists(), reason="no /proc here to read sizes from")
not_sanitized = pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes memory of its own"
)


def answers_of(script: str, folder: Path, *arguments: object, **environment: str) -> list:
    """What a script printed, one JSON value a line. Away from the source tree, and not for ever."""
    file = folder / "script.py"
    file.write_text(textwrap.dedent(script), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file), *map(str, arguments)],
        env={**os.environ, **environment},
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


# Ctrl-C

# The signal comes at the worst moment: just after a call of the engine has begun.
INTERRUPTED = """
    import json, os, signal, sys, threading, time
    import nogo
    from nogo import core
    from nogo.playouts import single_playouts

    game, job, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    position = nogo.game(game).start()
    endless = {
        "playouts": lambda: nogo.playouts(position, 2**40, seed=1, threads=threads),
        "amaf": lambda: nogo.playouts(position, 2**40, seed=1, threads=threads, amaf=True),
        "single": lambda: single_playouts(position, 2**40, seed=1),
        "perft": lambda: nogo.perft(position, 14),
    }[job]
    engine_call = "perft" if job == "perft" else "playouts_run"
    real_call = getattr(core, engine_call)

    def facts():
        found = nogo.playouts(position, 5000, seed=2)
        return [position.text, found.counts.tolist(), found.mean_length, nogo.perft(position, 2)]

    def interrupt_when(in_a_call, sent):
        assert in_a_call.wait(60)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    def seconds_to_stop():
        begun, in_a_call, sent = time.process_time(), threading.Event(), []

        def watched_call(*arguments, **options):
            if time.process_time() - begun > 0.2:  # of work, so it is well under way
                in_a_call.set()
            return real_call(*arguments, **options)

        sender = threading.Thread(target=interrupt_when, args=(in_a_call, sent))
        sender.start()
        setattr(core, engine_call, watched_call)
        try:
            endless()
        except KeyboardInterrupt:
            seconds = time.monotonic() - sent[0]
        setattr(core, engine_call, real_call)
        sender.join()
        return seconds

    signal.signal(signal.SIGINT, signal.default_int_handler)
    before = facts()
    for _ in range(3):
        print(json.dumps([seconds_to_stop(), facts() == before]))
"""


def interruptions() -> list[tuple[str, str, int]]:
    """Game, what is interrupted, threads."""
    return [
        ("hollow-nogo", "playouts", 1),
        ("hollow-nogo", "single", 1),
        ("nogo:11x11", "amaf", 1),
        ("othello", "playouts", 1),
        ("einstein", "playouts", 1),
        ("hollow-nogo", "perft", 1),
        ("nogo:11x11", "perft", 1),
        ("othello", "perft", 1),
        ("einstein:5x5", "perft", 1),
        ("einstein:setdie", "perft", 1),
        pytest.param("hollow-nogo", "playouts", 2, marks=needs_openmp),
        pytest.param("nogo:11x11", "playouts", 64, marks=needs_openmp),
    ]


@pytest.mark.parametrize(("game", "job", "threads"), interruptions())
def test_ctrl_c_stops_it_within_a_tenth_of_a_second(game, job, threads, tmp_path):
    tries = answers_of(INTERRUPTED, tmp_path, game, job, threads)
    assert min(seconds for seconds, _ in tries) < 0.1
    assert all(usable_afterwards for _, usable_afterwards in tries)


@pytest.mark.parametrize("job", ["amaf", "single"])
def test_ctrl_c_stops_the_slowest_kernels_within_a_tenth_of_a_second(job, tmp_path):
    tries = answers_of(INTERRUPTED, tmp_path, "nogo:11x11", job, 1, NOGO_ISA=BUILD.isas_here[-1])
    assert min(seconds for seconds, _ in tries) < 0.1
    assert all(usable_afterwards for _, usable_afterwards in tries)


# Forks

FORKING = """
    import json, os, signal, sys
    import nogo
    from nogo.errors import ForkError

    position = nogo.game("hollow-nogo").start()

    def counts(threads):
        return nogo.playouts(position, 20_000, seed=3, threads=threads).counts.tolist()

    def attempt(threads):
        try:
            return counts(threads)
        except ForkError as error:
            return str(error)

    def in_a_child(work):
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(30)  # a child that hangs dies of it
            os.write(write_end, json.dumps(work()).encode())
            os._exit(0)
        os.close(write_end)
        with open(read_end) as pipe:
            answer = pipe.read()
        return [os.waitpid(child, 0)[1], json.loads(answer) if answer else None]
"""


def forked(script: str, folder: Path) -> list:
    """What the processes of a script answered, and what it should be; none of them has hung."""
    *answers, expected = answers_of(textwrap.dedent(FORKING) + textwrap.dedent(script), folder)
    assert all(status == 0 for status, _ in answers)
    return [*(answer for _, answer in answers), expected]


@needs_fork
@needs_openmp
def test_a_child_forked_after_threads_were_used_may_not_use_them(tmp_path):
    script = """
        counts(2)
        print(json.dumps(in_a_child(lambda: attempt(2))))
        print(json.dumps(in_a_child(lambda: in_a_child(lambda: attempt(2))[1])))
        print(json.dumps(counts(1)))
    """
    child, grandchild, expected = forked(script, tmp_path)
    for answer in (child, grandchild):
        assert isinstance(answer, str), "threads were used"
        assert "threads=2" in answer
        assert "spawn" in answer
        assert "threads=1" in answer
    assert sum(expected) == 20_000


@needs_fork
@needs_openmp
def test_a_child_forked_after_threads_were_used_works_with_one(tmp_path):
    script = """
        counts(2)
        print(json.dumps(in_a_child(lambda: attempt(1))))
        print(json.dumps(in_a_child(lambda: [attempt(2), attempt(1)][1])))
        print(json.dumps(counts(1)))
    """
    at_once, after_a_refusal, expected = forked(script, tmp_path)
    assert at_once == after_a_refusal == expected


@needs_fork
@needs_openmp
def test_a_child_forked_before_threads_were_used_may_use_them(tmp_path):
    script = """
        counts(1)
        print(json.dumps(in_a_child(lambda: attempt(2))))
        print(json.dumps(counts(1)))
    """
    child, expected = forked(script, tmp_path)
    assert child == expected


@needs_fork
@needs_openmp
def test_a_parent_goes_on_with_threads_after_a_fork(tmp_path):
    script = """
        counts(2)
        print(json.dumps(in_a_child(lambda: attempt(1))))
        print(json.dumps([0, attempt(2)]))
        print(json.dumps(counts(1)))
    """
    _, parent, expected = forked(script, tmp_path)
    assert parent == expected


@needs_openmp
def test_a_spawned_process_uses_threads(tmp_path):
    script = """
        import json, multiprocessing
        import nogo

        def counts(position):
            return nogo.playouts(position, 20_000, seed=3, threads=2).counts.tolist()

        if __name__ == "__main__":
            position = nogo.game("hollow-nogo").start().play("E5")
            here = counts(position)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(json.dumps([here, pool.apply_async(counts, (position,)).get(60)]))
    """
    [[here, there]] = answers_of(script, tmp_path)
    assert here == there
    assert sum(here) == 20_000


# Memory


def test_memory_that_cannot_be_had_is_a_memory_error():
    with pytest.raises(MemoryError, match="memory; use fewer threads or free some"):
        core.check(core.lib.NOGO_E_NOMEM)


LIMITED = """
    import importlib, json, resource, sys
    import nogo
    from nogo import core

    make = importlib.import_module("nogo.game")._game.__wrapped__  # a new one every time
    position = nogo.game("hollow-nogo").start()
    isa = position.game.isa

    def facts():
        return nogo.playouts(position, 3000, seed=1).counts.tolist()

    def limit_to_a_little_more():
        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[0])
        limit = pages * resource.getpagesize() + 48 * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))

    def fill_with(make_one):
        kept = [None] * 200_000
        try:
            for i in range(len(kept)):
                kept[i] = make_one()
        except MemoryError:
            return True
        return False
"""


@needs_statm
@not_sanitized
def test_games_without_end_are_a_memory_error_and_the_process_goes_on(tmp_path):
    script = """
        before = facts()
        limit_to_a_little_more()
        print(json.dumps([fill_with(lambda: make("nogo:11x11", isa)), facts() == before]))
    """
    [[refused, usable]] = answers_of(textwrap.dedent(LIMITED) + textwrap.dedent(script), tmp_path)
    assert refused
    assert usable


@needs_statm
@not_sanitized
def test_the_engine_says_so_when_it_gets_no_memory(tmp_path):
    script = """
        spec = core.ffi.new("nogo_spec *")
        spec.family, spec.columns, spec.rows = core.FAMILIES["nogo"], 9, 9
        slots = core.ffi.new("nogo_game *[]", 200_000)
        limit_to_a_little_more()
        status, made = core.lib.NOGO_OK, 0
        while status == core.lib.NOGO_OK and made < len(slots):
            status = core.lib.nogo_game_new(spec, 0, slots + made)
            made += status == core.lib.NOGO_OK
        untouched = slots[made] == core.ffi.NULL
        for i in range(made):
            core.lib.nogo_game_free(slots[i])
        print(json.dumps([status, made, untouched, sum(facts())]))
    """
    answers = answers_of(textwrap.dedent(LIMITED) + textwrap.dedent(script), tmp_path)
    [[status, made, untouched, played_afterwards]] = answers
    assert status == core.lib.NOGO_E_NOMEM
    assert made > 100
    assert untouched
    assert played_afterwards == 3000


@needs_statm
@needs_openmp
@not_sanitized
def test_threads_that_cannot_be_had_are_a_memory_error_and_the_process_goes_on(tmp_path):
    script = """
        before = facts()
        limit_to_a_little_more()  # and 200 stacks need much more
        try:
            nogo.playouts(position, 10**6, seed=1, threads=200)
            refused = False
        except MemoryError:
            refused = True
        print(json.dumps([refused, facts() == before]))
    """
    [[refused, usable]] = answers_of(textwrap.dedent(LIMITED) + textwrap.dedent(script), tmp_path)
    assert refused
    assert usable


CHURN = """
    import gc, importlib, json
    import nogo
    from nogo.errors import NogoError

    make = importlib.import_module("nogo.game")._game.__wrapped__  # a new one every time
    starts = [nogo.game(name).start() for name in ("hollow-nogo", "othello", "einstein:5x5")]

    def resident():
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    def refuse(call):
        try:
            call()
        except NogoError:
            return
        raise AssertionError("not refused")

    def positions():
        for i in range(20_000):
            position = starts[i % 3] if i % 50 < 3 or position.is_over else position
            position = position.play(position.legal_moves()[0])
            if i % 10 == 0:
                nogo.position(position.text), position.key, position.cells, hash(position)

    def games():
        for i in range(2_000):
            make(("nogo:11x11", "othello", "einstein")[i % 3], starts[0].game.isa).start()

    def calls():
        for i in range(2_000):
            nogo.playouts(starts[i % 3], 1, seed=i, amaf=True)
            nogo.perft(starts[i % 3], 1)
            refuse(lambda: starts[i % 3].play(-1))
            refuse(lambda: nogo.position("nogo:3x3 .../.../... white"))

    for _ in range(4):
        for work in (positions, games, calls):
            work()
        print(json.dumps(resident()))
"""


@needs_statm
@not_sanitized
def test_positions_games_and_calls_leave_no_memory_behind(tmp_path):
    sizes = answers_of(CHURN, tmp_path)
    # A position is 240 bytes and a game 9 kB, so to lose either, each time, costs 14 MB or more in
    # the three rounds that follow one of settling down.
    assert sizes[-1] - sizes[0] < 6 * 2**20


# Threads of Python


def walk(position: nogo.Position, turns: int) -> list[str]:
    """Positions on a fixed way through a game."""
    texts = []
    for turn in range(turns):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(moves[turn * 7 % len(moves)])
        texts.append(position.text)
    return texts


def answers(position: nogo.Position, seed: int, threads: int) -> list[object]:
    """Some of everything, from a position that others use at the same time."""
    found = nogo.playouts(position, 6000, seed=seed, threads=threads, amaf=True)
    played = [found.counts.tolist(), found.mean_length, found.amaf.games.tolist()]
    return [*played, walk(position, 30), nogo.perft(position, 2), position.key]


@pytest.mark.parametrize("threads", [1, pytest.param(2, marks=needs_openmp)])
def test_many_python_threads_share_positions_and_get_right_answers(threads):
    names = ["hollow-nogo", "nogo:11x11", "othello", "einstein", "einstein:5x5", "einstein:setdie"]
    jobs = [(nogo.game(name).start(), seed) for seed in range(4) for name in names]
    expected = [answers(position, seed, 1) for position, seed in jobs]
    workers = 8
    together = threading.Barrier(workers, timeout=60)

    def work(number: int) -> bool:
        together.wait()
        order = [(number * 5 + i) % len(jobs) for i in range(len(jobs))]
        return all(answers(*jobs[i], threads) == expected[i] for i in order)

    with ThreadPoolExecutor(workers) as pool:
        assert all(pool.map(work, range(workers)))


def test_the_engine_lets_other_python_threads_run():
    """Another thread gets on while this one is inside a single long call of the engine."""
    position, totals = nogo.game("hollow-nogo").start(), core.totals_new()
    done, ticks = threading.Event(), []

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    ticker = threading.Thread(target=tick)
    ticker.start()
    begun = time.monotonic()
    core.playouts_run(position.game.handle, position._c, totals, (1, 0, 128 * core.BLOCK, 1, False))
    ended = time.monotonic()
    done.set()
    ticker.join(60)
    quarter = (ended - begun) / 4
    assert [when for when in ticks if begun + quarter < when < ended - quarter]
