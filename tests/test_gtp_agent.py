"""The agent ``gtp``: engines that play, engines that fail in every way, and nothing left of any."""

from __future__ import annotations

import os
import random
import shlex
import shutil
import signal
import sys
from pathlib import Path

import pytest
import reference
from gtp_controller import Engine
from hypothesis import given
from hypothesis import strategies as st
from processes import mark, marked, vanish

import nogo
from nogo import RESIGN, Budget, registry
from nogo.agent import Follower, Lasting
from nogo.agents import gtp_engine
from nogo.errors import AgentFailureError, AgentNameError, NogoError, OptionError
from nogo.match.plan import Contestant

DOUBLE = Path(__file__).parent / "gtp_double.py"
PLAYOUTS = Budget(playouts=100)
GRHINO = shutil.which("gtp-rhino") or shutil.which("gtp-rhino", path="/usr/games")
GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
needs_grhino = pytest.mark.skipif(not GRHINO, reason="gtp-rhino is not installed; it is in Debian's package grhino")
needs_gnugo = pytest.mark.skipif(not GNUGO, reason="gnugo is not installed; it is in Debian's package gnugo")


def selection(command: str, **more: object) -> str:
    return registry.get("gtp").select({"command": command, **more})


def command(game: str, how: str, word: str = "") -> str:
    return shlex.join([sys.executable, str(DOUBLE), game, how, *([word] if word else [])])


def agent(game: str, how: str = "well", word: str = "", **more: object):
    return registry.create(selection(command(game, how, word), **more), nogo.game(game), 1)


@pytest.fixture
def log(tmp_path, monkeypatch):
    """What the engine was sent."""
    path = tmp_path / "log"
    monkeypatch.setenv("GTP_DOUBLE_LOG", str(path))
    return lambda: path.read_text().splitlines()


def play(agents, game: str, seed: int = 0) -> nogo.Position:
    """Play a game as the match's referee does: every move is told to those who follow."""
    for one in agents:
        if isinstance(one, Lasting):
            one.begin(seed)
    position = nogo.game(game).start()
    while not position.is_over:
        move = agents[position.turn].choose(position, PLAYOUTS).move
        assert position.is_legal(move)
        for one in agents:
            if isinstance(one, Follower):
                one.played(position, move)
        position = position.play(move)
    return position


# Engines that play


@pytest.mark.parametrize("game", ["nogo:5x5", "hollow-nogo", "othello:4x4"])
def test_an_engine_plays_game_after_game_in_one_process(game, log):
    engine, other = agent(game), registry.create("random", nogo.game(game), 5)
    pids = set()
    for number in range(4):
        play((engine, other) if number % 2 else (other, engine), game)
        pids.add(engine._engine.pid)
    engine.close()
    assert len(pids) == 1
    sent = log()
    assert sent.count("list_commands") == 1
    assert sent.count("clear_board") == 4
    assert not any("time" in line for line in sent), "a budget in playouts is not told"
    assert sent[-1] == "quit"


@pytest.mark.parametrize("how", ["well", "auto-pass"])
def test_forced_passes_are_sent_until_the_engine_refuses_one(how, log):
    engine, games = agent("othello:4x4", how), 0
    noise = random.Random(3)
    while not any(line.endswith("pass") for line in log_or_nothing(log)) or games < 6:
        play((engine, registry.create("random", nogo.game("othello:4x4"), noise.getrandbits(32))), "othello:4x4")
        games += 1
    engine.close()
    passes = [line for line in log() if line.endswith("pass")]
    assert len(passes) == 1 if how == "auto-pass" else len(passes) > 1


def log_or_nothing(log) -> list[str]:
    try:
        return log()
    except FileNotFoundError:
        return []


def test_a_position_without_its_moves_is_set_up_stone_by_stone_where_that_is_legal():
    """Any order of the stones of a NoGo position is a game; the engine checks that by the reference rules."""
    noise = random.Random(2)
    engine = agent("hollow-nogo")
    for plies in (1, 7, 20, 33, 34):
        position = nogo.game("hollow-nogo").start()
        for _ in range(plies):
            position = position.play(noise.choice(position.legal_moves()))
        move = engine.choose(position, PLAYOUTS).move
        assert position.game.move_name(move) == sorted(as_reference(position).legal())[0]
    engine.close()
    engine = agent("othello:4x4")
    start = nogo.game("othello:4x4").start()
    later = start.play(start.legal_moves()[0])
    with pytest.raises(AgentFailureError, match="cannot be set up in a GTP engine without its moves") as caught:
        engine.choose(later, PLAYOUTS)
    assert caught.value.kind == "refused"
    engine.played(start, start.legal_moves()[0])
    assert later.is_legal(engine.choose(later, PLAYOUTS).move)
    engine.close()


def as_reference(position: nogo.Position) -> reference.State:
    state = reference.start(position.game.name)
    board = {
        (row, column): int(cell)
        for row, cells in enumerate(position.cells)
        for column, cell in enumerate(cells)
        if cell >= 0
    }
    return type(state)(9, 9, board, position.turn, position.ply)


def test_a_clock_is_told_in_whole_seconds(log):
    game = nogo.game("nogo:5x5")
    engine = agent("nogo:5x5")
    position = game.start()
    engine.begin(1)
    for budget in ("clock=60.9s", "clock=58s", "clock=0.5s"):
        for move in (engine.choose(position, Budget.parse(budget)).move, None):
            made = position.legal_moves()[0] if move is None else move
            engine.played(position, made)
            position = position.play(made)
    engine.begin(2)
    engine.choose(game.start(), Budget(seconds=2.5))
    with pytest.raises(AgentFailureError, match=r"whole seconds, not time=0.5s; give it at least time=1s"):
        engine.choose(game.start(), Budget(seconds=0.5))
    assert [line for line in log() if line.startswith("time")] == [
        *("time_settings 60 0 0", "time_left black 60 0", "time_left black 58 0", "time_left black 0 0"),
        "time_settings 0 2 1",
    ]


def test_resignation_is_passed_on():
    engine = agent("nogo:5x5", "resigns")
    assert engine.choose(nogo.game("nogo:5x5").start(), PLAYOUTS).move == RESIGN
    engine.close()


# Engines that fail

FAILURES = {
    "silent": ("stalled", r"python\S* has not answered 'genmove white' within 0.5 s"),
    "garbage": ("crashed", "answered 'genmove white' with 'thinking about it', no reply of GTP"),
    "wrong-id": ("crashed", "answered 'genmove white', of id [0-9]+, with '=999 A1'"),
    "no-id": ("crashed", "answered 'genmove white', of id [0-9]+, with '= A1'"),
    "endless-line": ("crashed", "answered 'genmove white' without end: 65,536 bytes so far"),
    "endless-reply": ("crashed", "answered 'genmove white' without end: 1,0[0-9,]+ bytes so far"),
    "exits": ("crashed", "has died, exit code 3, before it answered 'genmove white'"),
    "killed": ("crashed", r"has died, killed by signal 9 \(SIGKILL\), before it answered 'genmove white'"),
    "closes": ("crashed", "has closed its output before it answered 'genmove white'"),
    "nonsense": ("illegal", "it answered genmove white with 'Z99': "),
    "passes": ("illegal", "it answered genmove white with 'pass': pass"),
    "refuses-play": ("refused", "it refused 'play black E5': 'syntax error'"),
    "refuses-genmove": ("refused", "it refused to move: 'out of ideas'"),
    "refuses-size": ("refused", "it refused 'boardsize 9': 'unacceptable size'"),
    "commandless": ("refused", "has no command genmove"),
    "other-game": ("refused", "plays another game: its first moves differ from those of hollow-nogo at"),
    "mute-at-start": ("stalled", "has not answered 'protocol_version' within 0.5 s"),
}


@pytest.mark.parametrize("how", FAILURES)
def test_each_way_to_fail_has_its_kind_and_reason_and_leaves_nothing(how):
    word, (kind, reason) = mark(), FAILURES[how]
    timeout = 0.5 if kind == "stalled" else 30
    engine = agent("hollow-nogo", how, word, timeout=timeout)
    start = nogo.game("hollow-nogo").start()

    def first_move() -> None:
        engine.begin(1)
        engine.played(start, start.game.move("E5"))
        engine.choose(start.play("E5"), PLAYOUTS)

    with pytest.raises(AgentFailureError, match=reason) as caught:
        first_move()
    assert caught.value.kind == kind
    assert caught.value.output == ("no more moves for you\n" if how == "exits" else "")
    assert vanish(word)


def test_an_illegal_move_is_for_the_referee_to_judge():
    engine = agent("hollow-nogo", "illegal")
    start = nogo.game("hollow-nogo").start().play("E5")
    assert not start.is_legal(engine.choose(start, PLAYOUTS).move)
    engine.close()


def test_after_a_failure_the_next_game_has_a_new_engine():
    engine = agent("nogo:5x5")
    engine.begin(1)
    old = engine._engine.pid
    os.kill(old, signal.SIGKILL)
    with pytest.raises(AgentFailureError, match=r"killed by signal 9 \(SIGKILL\)"):
        engine.choose(nogo.game("nogo:5x5").start(), PLAYOUTS)
    engine.begin(2)
    assert engine._engine.pid != old
    assert engine.choose(nogo.game("nogo:5x5").start(), PLAYOUTS).move >= 0
    engine.close()


@pytest.mark.parametrize("how", ["well", "forks", "stays"])
def test_nothing_is_left_after_the_end(how):
    word = mark()
    os.environ["NOGO_TEST_MARK"] = word
    try:
        engine = agent("nogo:5x5", how)
        engine.begin(1)
        assert marked(word)
        engine.close()
        assert vanish(word)
        engine = agent("nogo:5x5", how)
        engine.begin(1)
        del engine
        assert vanish(word), "an agent that is forgotten takes its engine along"
    finally:
        del os.environ["NOGO_TEST_MARK"]


class Echo:
    """A child that has written all it will ever write."""

    pid = 0

    def __init__(self, data: bytes) -> None:
        self.left = data

    def write(self, data: bytes, seconds: float) -> None:
        pass

    def read_line(self, seconds: float, limit: int) -> bytes:
        line = self.left[: self.left.find(b"\n", 0, limit) + 1] or self.left[:limit]
        self.left = self.left[len(line) :]
        return line

    def errors(self) -> str:
        return ""

    def ended(self, seconds: float = 0.0) -> str | None:
        return "exit code 0"


REPLY_PARTS = [b"=", b"?", b"1", b" ", b"\n", b"\r\n", b"=1 E5\n\n", b"\x00", b"\xff", b"resign"]
REPLIES = st.one_of(st.binary(max_size=300), st.lists(st.sampled_from(REPLY_PARTS), max_size=12).map(b"".join))


@given(REPLIES)
def test_whatever_an_engine_writes_is_a_reply_or_an_exact_failure(data):
    engine = gtp_engine.Engine.__new__(gtp_engine.Engine)
    engine.name, engine.timeout, engine._number, engine._child = "echo", 1.0, 0, Echo(data)
    failure = None
    try:
        text = engine.ask("genmove black")
    except gtp_engine.Refused as refusal:
        text = str(refusal)
    except AgentFailureError as error:
        failure = error
    if failure is None:
        assert text == text.strip()
        assert text.encode("utf-8") in data.decode("utf-8", "replace").replace("\r", "").encode("utf-8")
    else:
        assert failure.kind == "crashed"
        assert str(failure).startswith("echo ")
        assert str(failure).isprintable()


# Selections


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("gtp", OptionError, "it has no command"),
        ('gtp:command=""', OptionError, "it has no command"),
        ('gtp:command="\'unclosed"', OptionError, "No closing quotation"),
        ("gtp:command=x,timeout=0", OptionError, "timeout=0"),
    ],
)
def test_a_command_that_is_none_is_refused(text, error, said):
    with pytest.raises(error, match=said):
        registry.create(text, nogo.game("hollow-nogo"), 1)


def test_a_program_that_is_not_there_has_refused_the_game():
    engine = registry.create('gtp:command="no-such-engine --mode gtp"', nogo.game("hollow-nogo"), 1)
    with pytest.raises(AgentFailureError, match="no-such-engine cannot be started: No such file") as caught:
        engine.begin(1)
    assert caught.value.kind == "refused"


def test_a_shell_s_words_mean_nothing(tmp_path):
    engine = registry.create(selection(f"echo hello > {tmp_path / 'file'}; true"), nogo.game("nogo:3x3"), 1)
    with pytest.raises(AgentFailureError, match="'protocol_version'"):  # echo has ended, or said: hello > ...
        engine.begin(1)
    assert not list(tmp_path.iterdir())


def test_einstein_is_not_for_it():
    with pytest.raises(AgentNameError, match="does not play einstein"):
        registry.select("gtp:command=x").require(nogo.game("einstein"))


def test_a_command_survives_selection_contestant_and_budget():
    line = """my "engine" --opt=a,b:c\\d 'x y' @time=1s"""
    text = selection(line, timeout=5.0)
    assert registry.select(text).options == {"command": line, "timeout": 5.0}
    assert str(registry.select(text)) == text
    assert Contestant.parse(text) == Contestant(text)
    assert Contestant.parse(f"{text}@time=2s") == Contestant(text, "time=2s")


# Other people's engines


@needs_grhino
def test_grhino_plays_othello_to_the_end_and_counts_as_we_do():
    """It refuses to be told of a pass, passes by itself, and writes capitals."""
    engine, passes = registry.create(selection(GRHINO), nogo.game("othello"), 1), 0
    for seed in range(6):
        other = registry.create("random", nogo.game("othello"), seed)
        position = play((engine, other) if seed % 2 else (other, engine), "othello", seed)
        passes += position.ply > int((position.cells != 0).sum()) - 4
        margin = int(position.result)
        score = engine._engine.ask("final_score")
        assert score == (f"{'B' if margin > 0 else 'W'}+{abs(margin)}" if margin else "0")
    assert passes, "there was a game with a pass"
    engine.close()


@needs_grhino
def test_grhino_has_no_smaller_board():
    engine = registry.create(selection(GRHINO), nogo.game("othello:6x6"), 1)
    with pytest.raises(NogoError, match="it refused 'boardsize 6': 'unacceptable size'"):
        engine.begin(1)


@needs_gnugo
def test_gnu_go_makes_moves_of_go_on_the_board_we_tell_it():
    engine, game = (
        registry.create(selection(f"{GNUGO} --mode gtp --level 1"), nogo.game("nogo:9x9"), 1),
        nogo.game("nogo:9x9"),
    )
    engine.begin(1)
    position = game.start()
    for _ in range(6):
        move = engine.choose(position, PLAYOUTS).move
        assert position.is_legal(move)
        engine.played(position, move)
        position = position.play(move)
    assert {*engine._engine.ask("list_stones black").split()} == {
        game.move_name(index) for index, cell in enumerate(position.cells.flat) if cell == 1
    }
    engine.close()


@needs_gnugo
def test_the_strict_controller_finds_nothing_wrong_with_the_reference_implementation():
    """GNU Go decides where the document is unclear; and what is an error to it is one to us."""
    ours_too = [sys.executable, "-I", "-m", "nogo", "gtp", "--game", "nogo:9x9", "--agent", "random"]
    requests = "protocol_version|boardsize 9|clear_board|play b e5|play w e5|play b|undo|undo|tsumego|komi x|play w z3"
    with (
        Engine([GNUGO, "--mode", "gtp"], random.Random(1), "\x01\x1b\x7f\r") as theirs,
        Engine(ours_too, random.Random(2)) as ours,
    ):
        for request in requests.split("|"):
            assert theirs.ask(request)[0] == ours.ask(request)[0], request
        assert theirs.quit() == ours.quit() == 0
