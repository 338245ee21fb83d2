"""The Go Text Protocol: the wire, the commands, the clocks, and games under a controller that forgives nothing."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from typing import ClassVar

import gtp_controller
import pytest
import reference
from click.testing import CliRunner
from gtp_controller import Engine, ProtocolError, play_game
from hypothesis import given
from hypothesis import strategies as st

import nogo
from nogo import Budget, registry
from nogo.agent import AgentSpec, Choice
from nogo.cli import main
from nogo.protocols import gtp, gtp_wire
from nogo.protocols.gtp_clock import LAG, Clocks
from nogo.protocols.gtp_session import Session, Wire
from nogo.protocols.gtp_wire import Request, parse
from nogo.protocols.lines import Lines
from nogo.registry import Selection

OURS = [sys.executable, "-I", "-m", "nogo", "gtp"]  # -I: what is installed, not the source tree


def session(game: str = "hollow-nogo", agent: str = "random", **more: object) -> Session:
    chosen = more.get("agents") or [registry.select(agent)] * 2
    return Session(nogo.game(game), chosen, Budget(playouts=200), 1, "ours")


def ask(at: Session, line: str) -> tuple[bool, str]:
    """Send a line, and take the reply apart as strictly as the controller does."""
    reply = gtp.answer(at, no_wire(), line.encode(), True)
    return gtp_controller.checked(reply, "")


def no_wire() -> Wire:
    def write(data: bytes) -> None:
        raise AssertionError(data)

    return Wire(Lines(-1), write)


def must(at: Session, line: str) -> str:
    done, said = ask(at, line)
    assert done, said
    return said


def refused(at: Session, line: str) -> str:
    """The error of a line that is refused, having changed nothing."""
    before = (at.table.position, list(at.table.moves), at.table.resigned, at.done)
    done, said = ask(at, line)
    assert not done, said
    assert before == (at.table.position, at.table.moves, at.table.resigned, at.done)
    return said


# The wire


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        (b"name", Request(None, "name")),
        (b"12 play black E5", Request(12, "play", ("black", "E5"))),
        (b"\t0007\tname\r", Request(7, "name")),
        (b"2147483647 name", Request(2**31 - 1, "name")),
        (b"2147483648 name", Request(None, "2147483648", ("name",))),
        (b"-1 name", Request(None, "-1", ("name",))),
        (b"na\x00m\x1be # and more", Request(None, "name")),
        (b"loadsgf \xff.sgf", Request(None, "loadsgf", ("\udcff.sgf",))),
        (b"5", Request(5, "")),
        (b"", None),
        (b" \t\r\x01", None),
        (b"# 5 name", None),
    ],
)
def test_a_line_is_read_as_the_document_says(line, request_):
    assert parse(line) == request_


def test_a_reply_has_one_empty_line_and_it_is_the_last():
    assert gtp_wire.success(None, "") == b"=\n\n"
    assert gtp_wire.success(7, "") == b"=7\n\n"
    assert gtp_wire.success(7, "a\n\n\x00\n b\t\r\x1b\n\n") == b"=7 a\n b\n\n"
    assert gtp_wire.failure(7, "a\n\nb") == b"?7 a b\n\n"


@given(st.text(), st.one_of(st.none(), st.integers(0, 2**31 - 1)))
def test_whatever_is_said_a_reply_is_one_reply(text, number):
    reply = gtp_wire.success(number, text)
    assert reply.endswith(b"\n\n")
    assert b"\n\n" not in reply[:-2]
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", reply)


@given(st.lists(st.binary(max_size=50).filter(lambda part: b"\n" not in part), max_size=5), st.integers(0, 2**32))
def test_lines_come_whole_however_they_are_cut(parts, seed):
    noise, (ours, theirs) = random.Random(seed), os.pipe()
    data = b"\n".join(parts)
    try:
        left = data
        while left:
            left = left[os.write(theirs, left[: noise.randint(1, 20)]) :]
        os.close(theirs)
        lines, found = Lines(ours), []
        while (line := lines.next()) is not None:
            found.append(line)
    finally:
        os.close(ours)
    expected = [*data.split(b"\n")]
    assert found == [(line, True) for line in (expected if expected[-1] else expected[:-1])]


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes memory of its own")
def test_of_an_endless_line_no_more_is_kept_than_a_line_may_have():
    """Sixty megabytes without a newline, then a request: an error, an answer, and no memory spent."""
    script = "import sys; w = sys.stdout.write; [w('7 name ' + 'x' * 6000) for _ in range(10000)]; w('\\n8 name\\n')"
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_DATA, (2**29, 2**29)); import runpy, sys; \
sys.argv = {['nogo', 'gtp', '--agent', 'random']!r}; runpy.run_module('nogo', run_name='__main__')"
    flood = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    with flood:
        done = subprocess.run(
            [sys.executable, "-I", "-c", limited], stdin=flood.stdout, capture_output=True, timeout=100, check=True
        )
    assert done.stdout == b"?7 line too long: at most 65,536 bytes\n\n=8 nogo random\n\n"


# The commands


def test_every_command_is_listed_known_and_in_the_documents(root):
    at = session()
    listed = must(at, "list_commands").split("\n")
    assert listed == sorted({*gtp.COMMANDS, *gtp.LIVE})
    explained = (root / "docs" / "protocols.md").read_text(encoding="utf-8")
    for name in listed:
        assert must(at, f"known_command {name}") == "true"
        assert f"`{name}" in explained, name
    assert must(at, "known_command tsumego") == "false"


def test_what_the_protocol_demands_is_there():
    demanded = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    wanted = "reg_genmove undo time_settings time_left final_score showboard loadsgf printsgf"
    rules = "game_id board board_size legal_moves side_to_move final_result"
    names = [*demanded.split(), *wanted.split(), *(f"gogui-rules_{rule}" for rule in rules.split())]
    assert {*names, "gogui-analyze_commands", "lz-analyze", "lz-genmove_analyze"} <= set(gtp.NAMES)


def test_administration():
    at = session()
    assert must(at, "protocol_version") == "2"
    assert must(at, "name") == "ours"
    assert must(at, "version") == nogo.build_info().version
    assert float(must(at, "cputime")) > 0
    assert must(at, "quit") == ""
    assert at.done


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play white E5", "illegal move: not your turn"),
        ("play black pass", "illegal move: pass"),
        ("play black E3", "illegal move: off the board"),
        ("play black K1", "illegal move: off the board"),
        ("play black I5", "illegal move: "),
        ("play green E5", "invalid color 'green'"),
        ("play black", "syntax error: it takes COLOR POINT, and was given 1"),
        ("play black E5 E6", "syntax error: it takes COLOR POINT, and was given 3"),
        ("genmove white", "illegal move: not your turn"),
        ("undo", "cannot undo"),
        ("final_score", "cannot score: the game is not over"),
        ("boardsize 19", "unacceptable size: hollow-nogo is played on 9x9"),
        ("boardsize 0", "unacceptable size"),
        ("boardsize -9", "syntax error: '-9' is not a whole number"),
        ("boardsize 99999999999999999999", "syntax error"),
        ("boardsize nine", "syntax error"),
        ("komi six", "syntax error: 'six' is not a number"),
        ("komi nan", "syntax error"),
        ("time_settings 10 0", "syntax error"),
        ("time_settings 1e9 0 0", "syntax error"),
        ("time_left green 1 0", "invalid color"),
        ("loadsgf /no/such.sgf", "cannot load file"),
        ("loadsgf /dev/zero", "cannot load file: '/dev/zero' is not a file"),
        ("printsgf /no/such/folder/x.sgf", "cannot write file"),
        ("lz-analyze black 10 avoid b E5 1", "syntax error: "),
        ("gogui-play_sequence b E5 w", "syntax error"),
        ("gogui-play_sequence b E5 w E5", "illegal move: not empty"),
        ("tsumego", "unknown command 'tsumego'"),
        ("7", "no command after the id"),
    ],
)
def test_what_is_refused_says_why_and_changes_nothing(line, said):
    at = session()
    if line == "7":
        assert gtp.answer(at, no_wire(), b"7", True).startswith(b"?7 " + said.encode())
    else:
        assert refused(at, line).startswith(said)


def test_moves_are_made_taken_back_and_made_at_once():
    at = session()
    for line in ("play b e5", "play WHITE D4", "play Black a1"):
        must(at, line)
    assert at.table.position == nogo.game("hollow-nogo").start().play("E5").play("D4").play("A1")
    assert refused(at, "play w d4") == "illegal move: not empty"
    must(at, "undo")
    must(at, "gogui-play_sequence b A1 w A2")
    assert at.table.position == nogo.game("hollow-nogo").start().play("E5").play("D4").play("A1").play("A2")
    must(at, "clear_board")
    assert at.table.position == nogo.game("hollow-nogo").start()


def test_suicide_and_capture_are_refused_by_name():
    at = session("nogo:3x3")
    must(at, "gogui-play_sequence b B1 w C3 b A2")
    assert refused(at, "play w A1") == "illegal move: suicide"
    must(at, "clear_board")
    must(at, "gogui-play_sequence b A2 w A1")
    assert refused(at, "play b B1") == "illegal move: capture"


def test_sizes_are_those_of_the_game():
    at = session("nogo:9x9")
    must(at, "play b e5")
    must(at, "boardsize 5")
    assert at.table.position == nogo.game("nogo:5x5").start()
    must(at, "rectangular_boardsize 7 4")
    assert at.table.game.name == "nogo:7x4"
    assert must(at, "gogui-rules_board_size") == "7 4"
    assert refused(at, "boardsize 12").startswith("unacceptable size")
    assert refused(session("nogo:5x5:C3"), "boardsize 7").startswith("unacceptable size")
    at = session("othello")
    must(at, "boardsize 6")
    assert at.table.game.name == "othello:6x6"
    assert refused(at, "boardsize 7").startswith("unacceptable size")
    must(at, "boardsize 8")
    assert must(at, "gogui-rules_board_size") == "8"


def test_nogo_ends_in_resignation_by_the_side_without_a_move():
    at = session("nogo:3x3")
    plies = 0
    while (said := must(at, f"genmove {'bw'[plies % 2]}")) != "resign":
        plies += 1
    assert at.table.position.is_over
    loser = plies % 2
    assert must(at, "final_score") == f"{'WB'[loser]}+R"
    assert must(at, "gogui-rules_legal_moves") == ""
    assert refused(at, f"genmove {'wb'[loser]}").startswith("the game is over")
    assert must(at, "gogui-rules_final_result").startswith(("White wins", "Black wins")[loser])
    assert said == must(at, f"reg_genmove {'bw'[loser]}")


def test_a_move_is_proposed_without_being_made():
    at = session()
    point = must(at, "reg_genmove black")
    assert at.table.position == nogo.game("hollow-nogo").start()
    must(at, f"play black {point}")


# Othello


def test_forced_passes_may_be_sent_or_left_out():
    start = forced_pass_position()
    passing = start.turn
    for says_pass in (True, False):
        at = session("othello:4x4")
        at.table.start = start
        assert must(at, "gogui-rules_legal_moves") == "pass"
        if says_pass:
            assert must(at, f"genmove {'bw'[passing]}") == "pass"
        assert must(at, f"genmove {'wb'[passing]}") != "pass"
        must(at, "undo")
        if says_pass:
            assert at.table.position == start.play("pass")
            must(at, "undo")
        assert at.table.position == start
    assert refused(session("othello:4x4"), "play b pass").startswith("illegal move")


def forced_pass_position() -> nogo.Position:
    """A position of a random game in which a side has to pass."""
    noise = random.Random(5)
    while True:
        position = nogo.game("othello:4x4").start()
        while not position.is_over:
            names = [position.game.move_name(move) for move in position.legal_moves()]
            if names == ["pass"]:
                return position
            position = position.play(noise.choice(names))


def test_othello_ends_with_a_count_and_takes_two_passes_of_a_controller_of_go():
    at = session("othello:4x4")
    while not at.table.position.is_over:
        must(at, f"genmove {'bw'[at.table.position.turn]}")
    discs = [int((at.table.position.cells == stone).sum()) for stone in (1, 2)]
    margin = discs[0] - discs[1]
    expected = "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin)}"
    assert must(at, "final_score") == expected
    assert must(at, "genmove b") == must(at, "genmove w") == "pass"
    must(at, "play b pass")
    must(at, "play w pass")
    assert refused(at, "play b pass").startswith("illegal move")
    assert must(at, "final_score") == expected
    must(at, "undo")
    must(at, "undo")
    assert at.table.position.is_over
    must(at, "undo")
    assert not at.table.position.is_over


def test_othello_s_rows_are_turned_for_gogui_and_not_for_people():
    at = session("othello")
    must(at, "play b D3")
    board = must(at, "gogui-rules_board").split("\n")
    assert board[8 - 3].split() == [*"...X...."], "row 3 is the third from below, as GoGui draws it"
    assert must(at, "showboard").split("\n")[2 + 2].split()[1:-1] == [*"...X...."]
    assert set(must(at, "gogui-rules_legal_moves").split()) == {
        name.upper() for name in reference.start("othello").play("d3").legal()
    }


# GoGui


def test_gogui_learns_the_rules():
    at = session()
    assert must(at, "gogui-rules_game_id") == "Hollownogo"
    assert must(session("othello:6x6"), "gogui-rules_game_id") == "Othello"
    assert must(at, "gogui-rules_board_size") == "9"
    assert must(at, "gogui-rules_side_to_move") == "black"
    assert must(at, "gogui-rules_final_result") == "The game is not over"
    must(at, "play b A1")
    board = [row.split() for row in must(at, "gogui-rules_board").split("\n")]
    assert [len(row) for row in board] == [9] * 9, "a hole is a point: GoGui passes over what it does not know"
    assert {symbol for row in board for symbol in row} == {".", "X"}
    assert board[8][0] == "X"
    assert must(at, "gogui-rules_board_gfx").split()[2:] == ["E8", "E7", "B5", "C5", "G5", "H5", "E3", "E2"]
    assert must(at, "gogui-rules_side_to_move") == "white"
    assert set(must(at, "gogui-rules_legal_moves").split()) == reference.start("hollow-nogo").play("A1").legal()


def test_what_a_search_finds_is_shown_in_colours():
    at = session(agent="uct")
    listed = [line.split("/") for line in must(at, "gogui-analyze_commands").split("\n")]
    assert {kind for kind, _, _ in listed} <= {"cboard", "sboard", "var"}
    assert {"nogo-visits", "nogo-values", "nogo-legal"} <= {name for _, _, name in listed}
    must(at, "play b E5")
    for kind, _, name in listed:
        if kind != "var":
            rows = [row.split() for row in must(at, name).split("\n")]
            assert [len(row) for row in rows] == [9] * 9
            pattern = r'#[0-9a-f]{6}|""' if kind == "cboard" else r'[0-9]{1,3}|""'
            assert all(re.fullmatch(pattern, word) for row in rows for word in row)
            assert rows[9 - 3][4] == '""', "E3 is a hole"
    assert set(must(at, "nogo-variation").split()) <= reference.start("hollow-nogo").legal()
    assert at.table.position == nogo.game("hollow-nogo").start().play("E5"), "looking changes nothing"


def test_legality_has_a_colour_for_each_case():
    at = session("nogo:3x3")
    at.table.start = nogo.position("nogo:3x3 .X./X.X/O.O white")
    rows = [row.split() for row in must(at, "nogo-legal").split("\n")]
    state = reference.start("nogo:3x3")
    board = {
        (row, column): {".": 0, "X": 1, "O": 2}[cell]
        for row, cells in enumerate([".X.", "X.X", "O.O"])
        for column, cell in enumerate(cells)
    }
    state = type(state)(3, 3, board, 1, 5)
    assert not state.is_over()
    for row in range(3):
        for column in range(3):
            name = f"{'ABC'[column]}{3 - row}"
            case = (name in state.legal(0)) + 2 * (name in state.legal(1))
            expected = '""' if board[row, column] else ["#c03030", "#303030", "#f0f0f0", "#40a040"][case]
            assert rows[row][column] == expected, name


# SGF


@pytest.mark.parametrize("game", ["hollow-nogo", "nogo:5x4:C2", "othello", "othello:6x6"])
def test_a_game_is_printed_and_loaded(game, tmp_path):
    pytest.importorskip("sgfmill")
    at = session(game)
    for _ in range(12):
        must(at, f"genmove {'bw'[at.table.position.turn]}")
    positions = [at.table.start, *(move.after for move in at.table.moves)]
    path = tmp_path / "game.sgf"
    must(at, f"printsgf {path}")
    assert refused(at, f"printsgf {path}").startswith("cannot write file"), "nothing is written over"
    other = session(game)
    must(other, f"loadsgf {path}")
    assert other.table.position == positions[-1]
    must(other, f"loadsgf {path} 4")
    assert other.table.position == positions[3]
    assert must(other, "printsgf").startswith("(;FF[4]")
    assert refused(session("nogo:3x3"), f"loadsgf {path}").startswith("cannot load file: it is a game of")


def test_a_file_from_elsewhere_is_loaded_with_its_setup(tmp_path):
    pytest.importorskip("sgfmill")
    path = tmp_path / "foreign.sgf"
    path.write_text("(;GM[1]FF[4]SZ[9]AB[aa][cc:cd]AW[ii][ia]PL[W];W[bb](;B[ab])(;B[ha]))")
    at = session("nogo:9x9")
    must(at, f"loadsgf {path}")
    cells = at.table.position.cells
    assert (cells[0][0], cells[2][2], cells[3][2], cells[8][8], cells[1][1], cells[1][0]) == (1, 1, 1, 2, 2, 1)
    assert must(at, "gogui-rules_side_to_move") == "white"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no file of this kind",
        b"(;GM[2]SZ[9])",
        b"(;GM[1]SZ[19])",
        b"(;GM[1]SZ[9];B[zz])",
        b"(;GM[1]SZ[9];B[ee];B[ef])",
        b"(;GM[1]SZ[9]AB[aa]AW[ab][ba])",
        b"(;XS[nogo:3x3 .../.../... black])",
        b"(;XS[\xff\xfe])",
        b"(;GM[1]" + b"(" * 100_000,
        b"(;C[" + b"x" * 2_000_000 + b"])",
    ],
)
def test_a_file_that_is_no_game_of_ours_is_refused(content, tmp_path):
    pytest.importorskip("sgfmill")
    path = tmp_path / "broken.sgf"
    path.write_bytes(content)
    at = session("nogo:9x9")
    must(at, "play b E5")
    assert refused(at, f"loadsgf {path}").startswith("cannot load file")


def test_a_pipe_is_no_file_and_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "is not a file" in refused(session(), f"loadsgf {tmp_path / 'pipe'}")


# Clocks


def test_main_time_is_shared_over_the_game_and_something_is_kept_back():
    clocks = Clocks()
    assert clocks.budget(0, 0.0) is None
    clocks.set(10, 0, 0)
    budget = clocks.budget(0, 0.0)
    assert budget.clock.left == pytest.approx(10 - LAG)
    clocks.spend(0, 4)
    assert clocks.budget(0, 0.0).clock.left == pytest.approx(6 - LAG)
    assert clocks.budget(1, 0.5).clock.left == pytest.approx(10 - LAG - 0.5)
    clocks.tell(0, 3, 0)
    assert clocks.budget(0, 0.0).clock.left == pytest.approx(3 - LAG)
    clocks.restart()
    assert clocks.budget(0, 0.0).clock.left == pytest.approx(10 - LAG)


def test_byo_yomi_is_shared_over_its_stones():
    clocks = Clocks()
    clocks.set(1, 20, 10)
    clocks.spend(0, 3)  # the main time ends in this move
    assert clocks.budget(0, 0.0).seconds == pytest.approx(1.8 - LAG)
    for _ in range(9):
        clocks.spend(0, 1)
    assert clocks.budget(0, 0.0).seconds == pytest.approx(9 - LAG), "one stone left, and what was not used"
    clocks.spend(0, 1)
    assert clocks.budget(0, 0.0).seconds == pytest.approx(2 - LAG), "a new period"
    clocks.tell(0, 1, 1)
    assert 0.3 < clocks.budget(0, 0.0).seconds < 0.7


@pytest.mark.parametrize("settings_", [(0, 0, 0), (0, 1, 0), (300, 10, 0)])
def test_no_limit_is_said_in_several_ways(settings_):
    clocks = Clocks()
    clocks.set(*settings_)
    assert clocks.budget(0, 0.0) is None


@given(
    st.floats(0, 1e7),
    st.floats(0, 1e7),
    st.integers(0, 1000),
    st.lists(st.floats(0, 1e4), max_size=40),
)
def test_a_budget_is_never_more_than_is_left(main_time, period, stones, moves):
    clocks = Clocks()
    clocks.set(main_time, period, stones)
    for seconds in moves:
        budget = clocks.budget(0, 0.0)
        if budget is None:
            break
        left = clocks._left[0]
        share = budget.seconds if budget.clock is None else budget.clock.left
        assert share <= max(
            left.seconds / max(left.stones, 1) - min(LAG, left.seconds / max(left.stones, 1) / 2), 0.001
        )
        clocks.spend(0, seconds)


def test_an_agent_that_uses_all_of_its_share_never_loses_on_time():
    """Whatever the controller's clock, with a second left for each move; an agent that is 0.1 s late every time."""
    for main_time in (40.0, 60.0, 600.0):
        clocks, left = Clocks(), main_time
        clocks.set(main_time, 0, 0)
        position = nogo.game("hollow-nogo").start()
        for own_move in range(37):
            budget = clocks.budget(0, 0.0)
            used = budget.seconds_for(position) + 0.1
            left -= used
            assert left > 0, own_move
            clocks.spend(0, used)
            if not position.is_over:
                position = position.play(position.legal_moves()[0])


# Agents


class Broken:
    def __init__(self, game, options, seed):
        self.how = options["how"]

    def choose(self, position, budget):
        if self.how == "illegal":
            return Choice(40)
        if self.how == "garbage":
            return "E5"
        raise ValueError("no\nidea")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("illegal", "agent broken:how=illegal failed: agent 'broken:how=illegal' chose 40, no legal move in"),
        ("garbage", "agent broken:how=garbage crashed: AttributeError: 'str' object has no attribute 'move'"),
        ("raise", "agent broken crashed: ValueError: no idea"),
    ],
)
def test_an_agent_that_fails_is_an_error_and_the_game_goes_on(how, said):
    option = nogo.Option("how", str, "raise", "in which way")
    spec = AgentSpec("broken", Broken, (option,))
    at = session(agents=[registry.select("random"), Selection(spec, {"how": how})])
    must(at, "play b E5")
    assert refused(at, "genmove w").startswith(said)
    must(at, "play w D4")
    must(at, "genmove b")


class Following:
    """Sees every move, lasts for many games, and plays the first legal one."""

    made: ClassVar[list] = []

    def __init__(self, game, options, seed):
        self.seen, self.games, self.closed = [], 0, False
        Following.made.append(self)

    def begin(self, seed):
        self.games += 1
        self.seen = []

    def close(self):
        self.closed = True

    def played(self, position, move):
        assert position.is_legal(move)
        self.seen.append(position.game.move_name(move))

    def choose(self, position, budget):
        return Choice(position.legal_moves()[0])


def test_an_agent_sees_every_move_and_lasts_for_all_games():
    Following.made = []
    spec = AgentSpec("following", Following)
    at = session("nogo:5x5", agents=[Selection(spec, {}), registry.select("random")])
    for line in ("play b C3", "play w D4", "genmove b"):
        must(at, line)
    (agent,) = Following.made
    assert (agent.games, agent.seen) == (1, ["C3", "D4"])
    must(at, "play w A1")
    must(at, "genmove b")
    assert agent.seen == ["C3", "D4", "A5", "A1"]
    for line in ("undo", "undo", "play w B1", "genmove b"):
        must(at, line)
    assert (agent.games, agent.seen) == (2, ["C3", "D4", "A5", "B1"]), "what was taken back is forgotten"
    must(at, "clear_board")
    must(at, "genmove b")
    assert (agent.games, agent.seen, agent.closed) == (3, [], False)
    at.close()
    assert agent.closed


def test_each_colour_has_its_own_agent():
    at = session("nogo:5x5", agents=[registry.select("uct"), registry.select("random")])
    must(at, "genmove b")
    assert at.table.moves[-1].playouts == 200
    must(at, "genmove w")
    assert at.table.moves[-1].playouts is None


# The command, and whole games


def test_the_first_replies_come_without_the_engine_having_been_looked_for():
    """Start-up is short because nothing heavy is imported: not scipy, matplotlib, dask, sgfmill."""
    script = (
        "import sys, nogo.cli.gtp; print(sorted({'scipy', 'matplotlib', 'distributed', 'sgfmill'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout == "[]\n"


def test_two_engines_play_under_a_controller_that_forgives_nothing():
    commands = [[*OURS, "--agent", agent] for agent in ("rave", "random")]
    with Engine(commands[0], random.Random(1)) as rave, Engine(commands[1], random.Random(2)) as other:
        for black, white in ((rave, other), (other, rave)):
            ends = play_game((black, white), "hollow-nogo", 9, 2.0 if black is rave else 3.0)
            assert ends.resigned is not None
            assert ends.score == f"{'WB'[ends.resigned]}+R"
        assert rave.quit() == other.quit() == 0


def test_othello_is_played_to_its_count_under_the_same_controller():
    command = [*OURS, "--game", "othello", "--agent", "random"]
    with Engine(command, random.Random(1)) as black, Engine(command, random.Random(2)) as white:
        ends = play_game((black, white), "othello", 8, 60.0)
        assert ends.resigned is None
        assert ends.score[0] == "0BW"[0 if ends.winner is None else ends.winner + 1]


def test_the_controller_is_strict():
    for reply in (b"=1 a\n\n", b"= a\n", b"=a\n\n", b"= a\n\n\n", b"= \x1b\n\n", b"OK\n\n", b"= a\n\nb\n\n"):
        with pytest.raises(ProtocolError):
            gtp_controller.checked(reply, "")
    assert gtp_controller.checked(b"? no\n\n", "") == (False, "no")


INFO = rb"info move [A-J][1-9] visits \d+ winrate \d{1,5} order 0 pv( [A-J][1-9])+ info[^\n]*\n"


@pytest.mark.parametrize(("stop", "after"), [(b"\n", b""), (b"9 name\n", b"=9 nogo uct\n\n"), (b"# no more\n", b"")])
def test_live_analysis_goes_on_until_anything_comes(stop, after):
    with Engine([*OURS, "--agent", "uct"]) as engine:
        engine.must("play b E5")
        engine.send(b"8 lz-analyze w 10 maxmoves 3\n")
        engine.read_until(rb"\A=8\n" + INFO + INFO + rb"\Z")
        engine.send(stop)
        assert engine.read_until(rb"\n\n" + after + rb"\Z|\A\n" + after + rb"\Z")
        assert engine.must("gogui-rules_side_to_move") == "white"
        assert engine.quit() == 0


def test_a_move_is_made_and_shown_with_what_was_found():
    with Engine([*OURS, "--agent", "uct", "--budget", "playouts=1000"]) as engine:
        engine.send(b"lz-genmove_analyze b 10\n")
        lines = engine.read_reply().decode().split("\n")
        assert lines[0] == "="
        assert lines[1].startswith("info move ")
        assert re.fullmatch("play [A-J][1-9]", lines[2])
        assert engine.must("gogui-rules_side_to_move") == "white"


def test_a_long_search_of_an_analysis_is_ended_by_input():
    """A search that would take an hour ends at once, and the session is whole after it."""
    script = "from nogo.protocols import gtp_live; gtp_live.GROWTH = 36000.0; from nogo.cli import main; main()"
    with Engine([sys.executable, "-I", "-c", script, "gtp", "--agent", "uct:memory=16"]) as engine:
        engine.send(b"lz-analyze 1\n")
        engine.read_until(rb"=\ninfo [^\n]*\n")
        time.sleep(0.3)  # so that the second search, of an hour, is under way: in most runs, and either way it passes
        engine.send(b"7 protocol_version\n")
        engine.read_until(rb"\n=7 2\n\n\Z")
        assert engine.must("genmove b")
        assert engine.quit() == 0


def test_an_agent_that_resigns_has_nothing_to_show():
    spec = AgentSpec("resigning", lambda game, options, seed: Resigning())
    at = session(agents=[Selection(spec, {})] * 2)
    assert gtp.answer(at, no_wire(), b"3 lz-genmove_analyze b 10", True) == b"=3\nplay resign\n\n"
    assert must(at, "final_score") == "W+R"
    written = []
    wire = Wire(Lines(CLOSED), written.append)
    assert b"".join([gtp.answer(at, wire, b"4 lz-analyze b 10", True), *written]) == b"\n=4\n"


class Resigning:
    def choose(self, position, budget):
        return Choice(nogo.RESIGN)


def test_analysis_of_a_game_that_is_over_or_of_the_wrong_side_ends_by_itself():
    at = session("nogo:1x1")
    must(at, "play b A1") if at.table.position.legal_moves() else None
    assert gtp.answer(at, no_wire(), b"3 lz-analyze 10", True) == b"=3\n\n"
    at = session()
    assert gtp.answer(at, no_wire(), b"3 lz-analyze white 10", True) == b"?3 illegal move: not your turn\n\n"


def test_the_end_of_the_stream_ends_it_in_the_middle_of_whatever():
    for sent in (b"", b"1 name\n", b"1 na", b"lz-analyze 10\n", b"genmove b"):
        done = subprocess.run([*OURS, "--agent", "random"], input=sent, capture_output=True, timeout=100, check=True)
        assert done.stderr == b""


def test_a_controller_that_is_gone_ends_it_quietly():
    done = subprocess.run(
        ["sh", "-c", f"yes name | {' '.join(OURS)} --agent random | head -c 10"],
        capture_output=True,
        timeout=100,
        check=True,
    )
    assert done.stdout == b"= nogo ran"
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "chess"], "unknown game 'chess'"),
        (["--game", "einstein"], "einstein is not played over GTP"),
        (["--agent", "ravee"], "did you mean 'rave'?"),
        (["--black", "hard"], "does not play hollow-nogo"),
        (["--white", "rave:c=x"], "c=x is refused"),
        (["--budget", "moves=3"], "not a budget"),
        (["--seed", "-1"], "seed=-1"),
        (["--name", "a\nb"], "--name"),
    ],
)
def test_bad_options_are_one_line_and_exit_code_2(arguments, said):
    result = CliRunner().invoke(main, ["gtp", *arguments])
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_the_help_names_every_option_and_so_do_the_documents(root):
    text = CliRunner().invoke(main, ["gtp", "--help"]).stdout
    explained = (root / "docs" / "protocols.md").read_text(encoding="utf-8")
    for option in ("--game", "--agent", "--black", "--white", "--name", "--budget", "--seed"):
        assert option in text
        assert option in explained


# Fuzzing

WORDS = st.sampled_from(
    [*gtp.NAMES, "black", "w", "pass", "E5", "A1", "Z99", "0", "9", "-1", "1e9", "#", "\t", "=", "''"]
)
LINES = st.one_of(st.binary(max_size=200), st.lists(WORDS, max_size=6).map(lambda words: " ".join(words).encode()))


@given(st.lists(LINES, max_size=12))
def test_whatever_comes_in_every_request_has_one_reply_and_the_position_stays_legal(lines):
    for game in ("nogo:3x3", "othello:4x4"):
        at, written = session(game), []
        wire = Wire(Lines(CLOSED), written.append)
        for line in b"\n".join(lines).split(b"\n"):
            if any(word in line for word in (b"printsgf", b"loadsgf")):
                continue  # they would write and read what the words name
            request = parse(line)
            answered = gtp.answer(at, wire, line, True)
            reply = re.sub(rb"\A(=[0-9]*)\n(info|play)", rb"\1 \2", b"".join(written) + answered)
            written.clear()
            if request is None:
                assert reply == b""
                continue
            number = "" if request.number is None else str(request.number)
            gtp_controller.checked(reply, number)
            assert at.table.position == replayed(at)


CLOSED = os.open(os.devnull, os.O_RDONLY)


def replayed(at: Session) -> nogo.Position:
    """The position once more, from the start."""
    position = at.table.start
    for move in at.table.moves:
        position = position if move.move is None else position.play(move.move)
    return position


@given(
    st.one_of(
        st.binary(max_size=300),
        st.lists(
            st.sampled_from(
                [
                    b"(",
                    b")",
                    b";",
                    b"B[ee]",
                    b"W[",
                    b"]",
                    b"SZ[9]",
                    b"GM[1]",
                    b"XS[",
                    b"nogo:9x9 ",
                    b"AB[aa:ii]",
                    b"PL[W]",
                    b"\\",
                    b":",
                    b"\n",
                ]
            ),
            max_size=20,
        ).map(b"".join),
    )
)
def test_whatever_a_file_holds_it_is_a_game_or_refused(content):
    pytest.importorskip("sgfmill")
    from nogo.errors import RecordError
    from nogo.match.sgf_read import from_sgf

    try:
        reading = from_sgf(content, nogo.game("nogo:9x9"))
    except RecordError:
        return
    assert reading.start.game.name == "nogo:9x9"
