"""GGF, and the NBoard protocol on top of it."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

import nogo
from nogo import Budget, registry
from nogo.agent import Choice
from nogo.cli import main
from nogo.errors import ArgumentError, ProtocolError
from nogo.match.record import End, GameRecord, Opening, Player
from nogo.protocols import ggf, nboard_views
from nogo.protocols.ggf import GgfClock, GgfGame, GgfMove
from nogo.protocols.lines import MAX_LINE, Lines
from nogo.protocols.nboard import NBoard

OTHELLO = nogo.game("othello")
# From the description of the protocol, as its author has written it.
DOCUMENTED = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)


def after(*moves: str) -> nogo.Position:
    position = OTHELLO.start()
    for move in moves:
        position = position.play(move)
    return position


# ---- GGF ----


def test_the_documented_game_is_read():
    played = ggf.parse(DOCUMENTED)
    assert played.start == OTHELLO.start()
    assert played.line[-1] == after("f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4")
    assert played.names == ("./mEdax", "chris")
    assert played.clocks == (GgfClock(900.0), GgfClock(900.0))
    assert (played.place, played.result) == ("NBoard", "?")


def test_a_board_of_rows_with_evaluations_times_and_side_to_move():
    text = """(;GM[Othello]PC[GGS/os]PB[one]PW[two]TB[05:00//02:00]TW[1:00:00/00:10]TY[8r]RE[+4.00:r]
        BO[8 -------- -------- -------- ---O*--- ---***-- -------- -------- -------- O]
        W[d6/-1.50/3.25]B[C4//1]W[F4/2];)"""
    played = ggf.parse(text)
    assert played.start == after("f5")
    assert [(move.value, move.seconds) for move in played.moves] == [(-1.5, 3.25), (None, 1.0), (2.0, 0.0)]
    assert played.clocks == (GgfClock(300.0), GgfClock(3600.0, 10.0))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no GGF"),
        ("(;;", "is no GGF"),
        (";)", "is no GGF"),
        ("(;)", "is no GGF"),
        ("(;GM[Amazons];)", "a GGF of 'Amazons'"),
        ("(;GM[Othello", "is no GGF"),
        ("(;GM[Othello]nonsense;)", "'nonsense' in a GGF is no property"),
        ("(;B[F9];)", "'F9' is not a move"),
        ("(;B[A1];)", "illegal move a1"),
        ("(;W[F5];)", "it is the other side's turn"),
        ("(;B[F5]B[D6];)", "it is the other side's turn"),
        ("(;B[PA];)", "illegal move pass"),
        ("(;BO[];)", "is no board"),
        ("(;BO[10 - *];)", "is no board"),
        ("(;BO[8 --- *];)", "is no board"),
        (f"(;BO[8 {'-' * 64} *];)", "cannot arise"),
        (f"(;BO[8 {'-' * 64} ?];)", "is no board"),
        (f"(;BO[8 {'?' * 64} *];)", "'?' in row 1"),
        ("(;" + "B[F5]" * 300 + ";)", "300 moves"),
        ("(;PB[" + "x" * ggf.MAX_TEXT + "];)", "at most 65,536"),
    ],
)
def test_what_is_no_game_is_refused(text, said):
    with pytest.raises(ProtocolError, match=re.escape(said)):
        ggf.parse(text)


def with_a_pass(seed: int = 0) -> list[int]:
    """A game in which somebody has to pass, by moves drawn from a seed."""
    while True:
        position, moves = OTHELLO.start(), []
        agent = registry.create("random", OTHELLO, seed)
        while not position.is_over:
            moves.append(agent.choose(position, Budget(playouts=1)).move)
            position = position.play(moves[-1])
        if OTHELLO.move("pass") in moves:
            return moves
        seed += 1


def test_a_pass_may_be_written_or_left_out():
    moves = with_a_pass()
    written = ggf.write(GgfGame(OTHELLO.start(), tuple(map(GgfMove, moves))))
    assert "[PA]" in written
    assert [made.move for made in ggf.parse(written).moves] == moves
    assert [made.move for made in ggf.parse(re.sub(r"[BW]\[PA\]", "", written)).moves] == moves
    assert ggf.parse(written.lower().replace("gm", "GM").replace("[othello]", "[Othello]")).line[-1].is_over


@given(
    st.integers(0, 1000),
    st.integers(0, 60),
    st.lists(st.none() | st.floats(-64, 64), min_size=60, max_size=60),
    st.text(max_size=30),
    st.integers(1, 5999),
)
def test_what_is_written_is_read_back(seed, length, values, name, seconds):
    agent, position, moves = registry.create("random", OTHELLO, seed), OTHELLO.start(), []
    while not position.is_over and len(moves) < length:
        value = values[len(moves) % 60]
        move = agent.choose(position, Budget(playouts=1)).move
        moves.append(GgfMove(move, None if value is None else round(value, 2) + 0.0, seconds / 4))
        position = position.play(move)
    played = GgfGame(OTHELLO.start(), tuple(moves), (name, "w"), (GgfClock(seconds), None))
    again = ggf.parse(ggf.write(played))
    assert again.line == played.line
    assert again.clocks == played.clocks
    assert ggf.write(again) == ggf.write(ggf.parse(ggf.write(again)))
    for one, other in zip(again.moves, played.moves, strict=True):
        assert one.value == other.value
        assert one.seconds == pytest.approx(other.seconds, abs=0.006)


def test_a_recorded_game_is_written():
    players = tuple(Player(name, name, "playouts=1", 1, {}, "nogo", "1") for name in ("uct", "a]b[c"))
    end = End("resigned", 0, "white resigned", 3, 1)
    start = OTHELLO.start().text
    record = GameRecord(
        0, 0, "othello", 1, players, Opening(start, ("f5",)), ("d6",), (0.5,), (10,), (0.25,), end, "nogo", "", 1.0
    )
    written = ggf.write(ggf.from_record(record))
    assert written.endswith("B[F5]W[D6/-25.00/0.50];)")
    assert "PW[a)b(c]" in written
    assert ggf.parse(written).line[-1] == after("f5", "d6")
    nogo_record = GameRecord(
        0, 0, "nogo:3x3", 1, players, Opening(nogo.game("nogo:3x3").start().text), (), (), (), (), end, "nogo", "", 1.0
    )
    with pytest.raises(ArgumentError, match="has no GGF"):
        ggf.from_record(nogo_record)


@pytest.mark.parametrize(
    ("text", "seconds", "increment"),
    [("15:00", 900, 0), ("5", 300, 0), ("1:00:00/00:10/02:00", 3600, 10), ("05:00//02:00", 300, 0), ("0:01.5", 1.5, 0)],
)
def test_clocks_are_read(text, seconds, increment):
    assert ggf.parse_clock(text) == GgfClock(seconds, increment)


@pytest.mark.parametrize("text", ["", "none", "-5:00", "1:2:3:4", "1e9", "nan", "0:00", "/00:10"])
def test_what_is_no_clock_is_no_clock(text):
    assert ggf.parse_clock(text) is None


fragments = st.sampled_from(
    ["(;", ";)", "B[F5]", "W[d6/1/2]", "BO[8 ", "]", "TI[", "5:00", "PA", "/", "GM[Othello]", DOCUMENTED]
)


@given(st.text(max_size=200) | st.lists(fragments | st.text(max_size=3), max_size=30).map("".join))
@example("(;BO[8 " + "*" * 65 + "];)")
def test_any_text_is_a_game_or_refused(text):
    with contextlib.suppress(ProtocolError):
        assert len(ggf.parse(text).line) <= ggf.MAX_MOVES * 2


# ---- what agents think ----


def test_a_search_shows_every_move_it_has_visited():
    position = after("f5")
    choice = registry.create("uct", OTHELLO, 1).choose(position, Budget(playouts=500))
    found = nboard_views.views(position, choice)
    assert found[0].line[0] == choice.move
    assert {view.line[0] for view in found} == set(position.legal_moves())
    assert found[0].value == pytest.approx(100 * choice.value - 50)
    assert all(-50 <= view.value <= 50 for view in found)


def test_a_solved_game_shows_discs():
    position = nogo.game("othello:4x4").start()
    choice = registry.create("alphabeta", position.game, 1).choose(position, Budget(playouts=10_000_000))
    view = nboard_views.views(position, choice)[0]
    assert view.depth in ("100%", "100%W")
    assert view.value < 0, "the second player wins on 4x4"


def test_a_resignation_is_no_word_of_nboard():
    view = nboard_views.views(OTHELLO.start(), Choice(nogo.RESIGN))[0]
    assert view.line == (OTHELLO.start().legal_moves()[0],)


# ---- the protocol ----


class Session:
    """A session in this process; what it writes is kept."""

    def __init__(self, agent: str = "random", budget: str | None = "playouts=50") -> None:
        self.said: list[str] = []
        allowed = Budget.parse(budget) if budget else None
        end, other = os.pipe()
        self.fds = (end, other)
        self.nboard = NBoard(registry.select(agent), allowed, 1, Lines(end), self.said.append)

    def do(self, *lines: str) -> list[str]:
        self.said.clear()
        for line in lines:
            self.nboard.do(line)
        return list(self.said)

    def close(self) -> None:
        for fd in self.fds:
            os.close(fd)


@pytest.fixture
def session():
    opened = Session()
    yield opened
    opened.close()


def test_set_game_and_move_change_the_position(session):
    assert session.do(f"set game {DOCUMENTED}") == []
    assert session.nboard.position == ggf.parse(DOCUMENTED).line[-1]
    assert session.do("move D6/1.5/2.0") == []
    assert session.nboard.position == ggf.parse(DOCUMENTED).line[-1].play("d6")
    assert session.do("set game (;GM[Othello]TY[6]BO[6 -------------- O*-- --*O-- ------ ------ *];)") == []
    assert session.nboard.position == nogo.game("othello:6x6").start()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nboard 2", "set myname nogo random playouts=50"),
        ("set depth 10", "set myname nogo random playouts=50"),
        ("ping 42", "pong 42"),
        ("learn", "learned"),
    ],
)
def test_what_is_answered(session, line, said):
    assert session.do(line) == [said]


@pytest.mark.parametrize(
    "line", ["set contempt 5", "set contempt", "analyze", "", "  ", "hello", "F5", "set", "set sail 3"]
)
def test_what_is_ignored(session, line):
    assert session.do(line) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nboard 1", "this is version 2"),
        ("set game nonsense", "is no GGF"),
        ("set depth 0", "no number from 1 to 60"),
        ("set depth", "no number from 1 to 60"),
        ("hint -1", "no number from 1 to 65"),
        ("move A1", "illegal move a1"),
        ("move PA", "illegal move pass"),
        ("move", "'' is not a move"),
        ("move F5/x/y/z", None),
    ],
)
def test_what_is_refused_is_said_and_changes_nothing(session, line, said):
    before = session.nboard.position
    answer = session.do(line)
    if said is None:
        assert answer == []
    else:
        assert len(answer) == 1
        assert answer[0].startswith("status Error: ")
        assert said in answer[0]
        assert session.nboard.position == before


def test_a_game_that_is_over_is_not_searched(session):
    for move in ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"):
        session.do(f"move {move}")
    assert session.nboard.position.is_over
    assert ["the game is over" in session.do(word)[0] for word in ("go", "hint 2")] == [True, True]


@given(
    st.lists(
        st.text(max_size=60) | st.sampled_from(["set game ", "move F5", "hint ", "set depth ", "ping ", DOCUMENTED])
    )
)
def test_any_line_is_done_refused_or_ignored(lines):
    opened = Session()
    try:
        for line in opened.do(*lines, " ".join(lines)):
            assert "\n" not in line
    finally:
        opened.close()


def run(text: str, *arguments: str) -> list[str]:
    command = [sys.executable, "-m", "nogo", "nboard", *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_session_as_documented():
    said = run(
        f"nboard 2\nset game {DOCUMENTED}\nset depth 2\nping 1\nhint 3\ngo\nlearn\nquit\nlearn\n", "--agent", "uct"
    )
    assert said[:4] == ["set myname nogo uct 12", "set myname nogo uct 2", "pong 1", "status thinking"]
    views = [
        re.fullmatch(r"search ([A-H1-8-]+) (-?\d+\.\d\d) 0 (\d+\S*)( .*)?", line) for line in said if "search" in line
    ]
    assert len(views) == 8
    assert all(views)
    position = ggf.parse(DOCUMENTED).line[-1]
    for view in views:
        assert position.is_legal(view[1].split("-")[0])
    move = next(
        re.fullmatch(r"=== ([A-H][1-8])/(-?\d+\.\d\d)/\d+\.\d\d", line) for line in said if line.startswith("===")
    )
    assert position.is_legal(move[1])
    assert any(re.fullmatch(r"nodestats \d+ \d+\.\d\d", line) for line in said)
    assert said[-1] == "learned"
    assert said.count("learned") == 1, "quit is the end"


def test_other_moves_are_valued_for_an_agent_that_tells_of_its_choice_only():
    said = run("nboard 2\nset depth 4\nmove F5\nhint 3\n", "--agent", "alphabeta")
    assert {line.split()[1][:2] for line in said if line.startswith("search")} == {"D6", "F4", "F6"}


def test_a_forced_pass_is_named():
    position, moves = OTHELLO.start(), []
    for move in with_a_pass():
        if OTHELLO.move_name(move) == "pass":
            break
        moves.append(GgfMove(move))
        position = position.play(move)
    said = run(
        f"nboard 2\nset game {ggf.write(GgfGame(OTHELLO.start(), tuple(moves)))}\nset depth 2\ngo\n", "--agent", "uct"
    )
    assert any(line.startswith("=== PA/") for line in said)


def test_a_ping_ends_a_search_under_way():
    command = [sys.executable, "-m", "nogo", "nboard", "--agent", "uct:memory=64"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        engine.stdin.write("nboard 2\nset depth 60\nhint 1\n")
        while not engine.stdout.readline().startswith("search"):
            pass
        engine.stdin.write("ping 7\nmove F5\nset depth 2\ngo\nquit\n")
        said = engine.stdout.read().splitlines()
        assert engine.wait(60) == 0
    assert said.index("status") < said.index("pong 7")
    assert after("f5").is_legal(next(line for line in said if line.startswith("===")).split()[1][:2])


def test_the_end_of_the_input_ends_an_endless_search():
    began = time.monotonic()
    said = run("nboard 2\nset depth 60\ngo\n", "--agent", "uct:memory=64")
    assert time.monotonic() - began < 120
    assert not any(line.startswith("===") for line in said)
    assert said[-1] == "status"


def test_the_clock_of_the_game_limits_a_search():
    text = DOCUMENTED.replace("TI[15:00]", "TI[0:03]")
    began = time.monotonic()
    said = run(f"nboard 2\nset game {text}\nset depth 40\ngo\n", "--agent", "uct:memory=64")
    assert any(line.startswith("===") for line in said), "it would go on for hours"
    assert time.monotonic() - began < 120


def test_a_line_that_is_too_long_is_refused():
    said = run("ping 1\nset game " + "x" * (MAX_LINE + 5) + "\nping 2\n")
    assert said[0] == "pong 1"
    assert "more than 65536 bytes" in said[1]
    assert said[2] == "pong 2"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--agent", "nobody"], "unknown agent 'nobody'"),
        (["--agent", "hard"], "'hard' does not play othello"),
        (["--budget", "much"], "is not a budget"),
    ],
)
def test_bad_input_is_refused(arguments, said):
    result = CliRunner().invoke(main, ["nboard", *arguments])
    assert result.exit_code == 2
    assert said in result.stderr


def test_help_has_examples():
    assert "nogo nboard" in CliRunner().invoke(main, ["nboard", "--help"]).stdout.split("Examples:")[1]
