"""Programs under a guard: talk, deadlines, ends, and that nothing is ever left behind."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from processes import appear, mark, marked, vanish

from nogo.child import Child
from nogo.errors import ArgumentError, ChildGoneError, ChildLateError

LONG = 60.0  # no test waits so long unless something is broken
needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc here to look for processes")


def python(code: str, *arguments: str, **settings: object) -> Child:
    return Child([sys.executable, "-c", textwrap.dedent(code), *arguments], **settings)


# Talk


def test_what_is_written_comes_back_from_a_program_that_echoes():
    with Child(["cat"]) as cat:
        cat.write(b"hello\nworld", LONG)
        assert cat.read_line(LONG, 100) == b"hello\n"
        assert cat.read(3, LONG) == b"wor"
        assert cat.read(3, LONG) == b"ld"
        assert cat.ended() is None
        assert cat.pid in {int(p.name) for p in Path("/proc").iterdir() if p.name.isdecimal()}


def test_megabytes_pass_both_ways_while_standard_error_is_flooded():
    code = """
        import sys
        for line in sys.stdin.buffer:
            sys.stderr.write("x" * 5000)
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
        sys.stderr.write("the end")
    """
    sent = b"".join(b"%06d" % i + b"y" * 993 + b"\n" for i in range(3000))
    with python(code) as child:
        got = bytearray()
        for start in range(0, len(sent), 100_000):
            child.write(sent[start : start + 100_000], LONG)
            while len(got) < start - 500_000:
                got += child.read(2**20, LONG)
        while len(got) < len(sent):
            got += child.read(2**20, LONG)
        assert got == sent
        child.close(LONG)
        assert child.ended() == "exit code 0"
        assert len(child.errors()) <= 64 * 1024
        assert child.errors().endswith("xthe end")


def test_a_line_without_end_is_given_in_pieces_and_the_end_of_output_is_empty():
    with python("print('a' * 250, end='')") as child:
        assert [child.read_line(LONG, 100) for _ in range(4)] == [b"a" * 100, b"a" * 100, b"a" * 50, b""]
        assert child.read(10, LONG) == b""


def test_standard_error_is_kept_printable_and_can_be_forgotten():
    code = r"import sys; sys.stderr.buffer.write(b'\x1b[31mred\xff\x00\n'); sys.stderr.flush(); print(); input()"
    with python(code) as child:
        child.read_line(LONG, 10)
        assert child.errors() == " [31mred\ufffd \n"
        child.forget_errors()
        assert child.errors() == ""


def test_environment_and_folder_are_its_own(tmp_path):
    code = "import os; print(os.environ.get('OURS'), os.environ.get('HOME'), os.getcwd())"
    with python(code, env={"OURS": "yes"}, cwd=tmp_path) as child:
        assert child.read_line(LONG, 1000).split() == [b"yes", b"None", str(tmp_path.resolve()).encode()]


def test_it_has_signals_as_a_shell_would_give_them_and_no_file_of_ours(tmp_path):
    code = """
        import os, signal
        print([signal.getsignal(s) for s in (signal.SIGTERM, signal.SIGHUP)] == [signal.SIG_DFL] * 2)
        print(signal.pthread_sigmask(signal.SIG_BLOCK, []), os.getsid(0) == os.getpid())
        print(sorted(int(fd) for fd in os.listdir("/proc/self/fd")))
    """
    with python(code) as child:
        assert child.read_line(LONG, 100) == b"True\n"
        assert child.read_line(LONG, 100) == b"set() True\n"
        assert child.read_line(LONG, 100) == b"[0, 1, 2, 3]\n"  # 3 is the listing itself


# Deadlines


def test_a_program_that_does_not_answer_or_read_is_late_and_goes_on():
    with Child(["sleep", "1000"]) as child:
        with pytest.raises(ChildLateError, match=r"sleep has written nothing within 0\.05 s"):
            child.read(1, 0.05)
        with pytest.raises(ChildLateError, match="not written a line"):
            child.read_line(0.05, 10)
        with pytest.raises(ChildLateError, match="bytes unread"):
            child.write(b"x" * 2**20, 0.05)
        with pytest.raises(ChildLateError):
            child.read(1, 0.0)
        assert child.ended() is None


def test_what_has_come_is_read_with_no_time_left():
    with python("print('here', flush=True); input()") as child:
        assert child.read_line(LONG, 10) == b"here\n"
        child.write(b"\n", LONG)
        assert child.ended(LONG) == "exit code 0"
        assert child.read(10, 0.0) == b""


# Ends


@pytest.mark.parametrize(
    ("code", "end"),
    [
        ("pass", "exit code 0"),
        ("import sys; sys.exit(3)", "exit code 3"),
        ("import os; os._exit(255)", "exit code 255"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "killed by signal 11 (SIGSEGV)"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "killed by signal 9 (SIGKILL)"),
        ("import os; os.abort()", "killed by signal 6 (SIGABRT)"),
    ],
)
def test_the_way_it_ended_is_said(code, end):
    with python(f"import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); {code}") as child:
        assert child.read(1, LONG) == b""
        assert child.ended(LONG) == end
        with pytest.raises(ChildGoneError, match=end.replace("(", r"\(").replace(")", r"\)")):
            child.write(b"x", LONG)
    assert child.ended() == end
    child.close()  # again, with no effect


@pytest.mark.parametrize(
    ("argv", "settings", "said"),
    [
        (["no-such-program-anywhere"], {}, "no-such-program-anywhere cannot be started: No such file"),
        (["/"], {}, "Permission denied"),
        (["cat"], {"cwd": "/no/such/folder"}, "/no/such/folder"),
    ],
)
def test_a_program_that_cannot_be_started_says_why(argv, settings, said):
    with pytest.raises(ChildGoneError, match=said):
        Child(argv, **settings)


@pytest.mark.parametrize(("argv", "memory"), [([], None), (["cat", "a\0b"], None), (["cat"], 0), (["cat"], "much")])
def test_what_is_no_command_is_refused(argv, memory):
    with pytest.raises(ArgumentError):
        Child(argv, memory=memory)


def test_grace_lets_it_end_by_itself_at_the_end_of_its_input():
    code = "import sys; sys.stdin.read(); print('bye', file=sys.stderr); sys.exit(7)"
    child = python(code)
    child.close(grace=LONG)
    assert (child.ended(), child.errors()) == ("exit code 7", "bye\n")


@needs_proc
@pytest.mark.parametrize("grace", [0.0, 0.05])
def test_one_that_ignores_signals_and_the_end_of_its_input_is_killed(grace):
    code = """
        import signal, time
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        print("deaf", flush=True)
        while True:
            time.sleep(1)
    """
    word = mark()
    child = python(code, word)
    assert child.read_line(LONG, 10) == b"deaf\n"
    child.close(grace)
    assert child.ended() == "killed by signal 9 (SIGKILL)"
    assert not marked(word)


# Nothing is left behind

# A tree that does what it can to get away: sessions of its own, parents that exit, deaf to signals.
RUNAWAYS = """
    import os, signal, sys, time
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.setsid()
                os.fork()
                time.sleep(1000)
            os._exit(0)
    print("away", flush=True)
"""


@needs_proc
def test_double_forks_with_sessions_of_their_own_end_with_the_program():
    word = mark()
    with python(RUNAWAYS, word) as child:
        assert child.read_line(LONG, 100) == b"away\n"
        assert child.read(100, LONG) == b""  # they held its output open
        assert child.ended(LONG) == "exit code 0"
        assert vanish(word)


@needs_proc
def test_close_ends_what_descends_from_the_program():
    word = mark()
    with python(RUNAWAYS + "    time.sleep(1000)", word) as child:
        child.read_line(LONG, 100)
        assert appear(word, 7)
    assert not marked(word)


@needs_proc
def test_forking_without_end_ends():
    code = """
        import os, time
        print("away", flush=True)
        begun = time.monotonic()
        while time.monotonic() - begun < 60:  # every one the parent of the next
            if os.fork():
                os._exit(0)
    """
    word = mark()
    with python(code, word) as child:
        assert child.read_line(LONG, 100) == b"away\n"
    assert vanish(word)


# The guard, the program and its runaways all carry the word; the parent does not.
PARENT = """
    import os, sys, time
    from nogo.child import Child

    child = Child([sys.executable, "-c", sys.argv[1], sys.argv[2]])
    child.read_line(60, 100)
    print("ready", flush=True)
    if sys.argv[3] == "exit":
        os._exit(1)
    time.sleep(1000)
"""


@needs_proc
@pytest.mark.parametrize("end", ["kill", "exit"])
def test_nothing_outlives_a_parent_that_is_killed(end, tmp_path):
    word, outer = mark(), tmp_path / "parent.py"
    outer.write_text(textwrap.dedent(PARENT), encoding="utf-8")
    runaways = textwrap.dedent(RUNAWAYS + "    time.sleep(1000)")
    argv = [sys.executable, str(outer), runaways, word, end]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as parent:
        assert parent.stdout.readline() == b"ready\n"
        if end == "kill":
            parent.kill()
    assert vanish(word)


@needs_proc
def test_a_program_does_not_outlive_its_guard_nor_is_it_waited_for_in_vain():
    word = mark()
    with Child(["sleep", "1000"], env={**os.environ, "WORD": word}) as child:
        guard = int(Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(guard, signal.SIGKILL)
        assert child.read(1, LONG) == b""
        assert child.ended(LONG) == "killed with its guard"
    assert vanish(word)


@needs_proc
def test_one_that_is_forgotten_ends():
    word = mark()
    child = Child(["sleep", "1000"], env={**os.environ, "WORD": word})
    assert marked(word)
    del child
    gc.collect()
    assert vanish(word)


def test_no_file_stays_open():
    def count() -> int:
        return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0

    Child(["true"]).close()
    before = count()
    for _ in range(5):
        Child(["true"]).close()
        with pytest.raises(ChildGoneError):
            Child(["no-such-program-anywhere"])
    assert count() == before


# Memory


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes address space of its own")
def test_memory_is_limited_on_request():
    code = """
        try:
            bytearray(200 * 2**20)
        except MemoryError:
            print("refused")
        else:
            print("granted")
    """
    with python(code, memory=120) as limited, python(code) as free:
        assert limited.read_line(LONG, 100) == b"refused\n"
        assert free.read_line(LONG, 100) == b"granted\n"


def test_waiting_for_several_is_done_by_polling_their_files():
    import select

    with Child(["cat"]) as one, Child(["cat"]) as other:
        poll = select.poll()
        for child in (one, other):
            for fd in child.filenos:
                poll.register(fd, select.POLLIN)
        assert poll.poll(0) == []
        other.write(b"x", LONG)
        begun = time.monotonic()
        ready = {fd for fd, _ in poll.poll(60_000)}
        assert time.monotonic() - begun < LONG
        assert ready <= set(other.filenos)
        assert other.read(1, 0.0) == b"x"
