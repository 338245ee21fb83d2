"""``nogo match show``: the list of games, a game as text, as SGF, and stepped through with keys on a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from match_samples import ended, plan, sample_records
from rich.console import Console

import nogo
from nogo.cli.board import board_text
from nogo.cli.report import report
from nogo.cli.show import show
from nogo.errors import ArgumentError, NogoError, RecordError
from nogo.match.journal import Journal
from nogo.match.plan import Plan
from nogo.match.record import CRASHED, VOID, GameRecord
from nogo.match.replay import positions
from nogo.match.sgf import to_sgf
from nogo.match.sgf_files import write_sgf

HOSTILE = "\x1b]0;owned\x07 \u202eevil\r\nsecond line 黒"


def write_match(folder: Path, of: Plan, records: list[GameRecord]) -> Path:
    with Journal(folder, of) as journal:
        journal.append(records)
    return folder


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """Two agents at two games, four games in all; one crashed, and one could not be set up."""
    of = plan("uct", "rave:c=0.3", games=("hollow-nogo", "einstein:5x5"), pairs=1)
    one, two, three, four = sample_records(of)
    two = ended(two, CRASHED, 1, HOSTILE, blame=0, output=f"Traceback\n{HOSTILE}")
    four = ended(four, VOID, None, "no such file")
    records = [two, one, three, four]  # in the order in which they ended
    return write_match(tmp_path_factory.mktemp("show") / "match", of, records), records


def run(*arguments: object) -> str:
    result = CliRunner().invoke(show, list(map(str, arguments)), standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.output


def test_the_list_has_a_line_a_game_by_number(match):
    folder, _ = match
    heading, *lines = run(folder).splitlines()
    assert heading.split() == ["game", "at", "first", "second", "result", "moves", "end"]
    assert [line.split()[0] for line in lines] == ["0", "1", "2", "3"]
    assert lines[1].split()[1:6] == ["hollow-nogo", "rave:c=0.3", "uct", "white", "wins"]
    assert lines[1].endswith("agent crashed: ]0;owned evil second line 黒")
    assert lines[3].split()[4] == "void"
    assert lines[3].endswith("void: no such file")


@pytest.mark.parametrize("number", range(4))
def test_a_game_as_text_reads_back_position_by_position(match, number):
    folder, records = match
    (record,) = (each for each in records if each.number == number)
    blocks = run(folder, number).split("\n\n")
    shown = [nogo.position(block.partition("\n")[2]) for block in blocks if block.startswith(("start", "move"))]
    assert shown == positions(record)


def test_a_game_tells_who_thought_what_and_how_it_ended(match):
    folder, records = match
    text = run(folder, 1)
    total = len(records[0].opening.moves) + len(records[0].moves)
    assert "black X  rave:c=0.3, playouts=1000" in text
    seconds, playouts, value = (getattr(records[0], name)[0] for name in ("seconds", "playouts", "values"))
    move = records[0].moves[0]
    assert f"move 3 of {total}   black {move}   {seconds:.3f} s   {playouts:,} playouts   value {value:.3f}\n" in text
    assert "white wins   agent crashed: ]0;owned evil second line 黒" in text
    assert "\n  Traceback\n" in text


def test_throws_of_the_die_are_told(match):
    folder, _ = match
    assert re.search(r"move 1 of \d+   die d[1-6]\n", run(folder, 2))


def test_nothing_from_a_record_can_steer_the_terminal(match):
    folder, _ = match
    for text in (run(folder), run(folder, 1)):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e]", text)


def test_one_position_alone(match):
    folder, records = match
    (diagram,) = re.findall(r"move 7 of .*\n((?:.*\n)+)", run(folder, 1, "--move", 7))
    assert nogo.position(diagram) == positions(records[0])[7]


def test_sgf_is_what_the_module_writes(match):
    folder, records = match
    assert run(folder, 1, "--sgf").encode() == to_sgf(records[0])


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((9,), ArgumentError, "game 9 is not among the 4 games"),
        ((1, "--move", 999), ArgumentError, r"--move 999, but game 1 has \d+ moves"),
        ((2, "--sgf"), ArgumentError, "einstein:5x5 has no SGF"),
    ],
)
def test_what_is_not_there_is_refused(match, arguments, error, says):
    with pytest.raises(error, match=says):
        run(match[0], *arguments)


def test_a_folder_without_a_match_is_refused(tmp_path):
    with pytest.raises(NogoError, match=re.escape(str(tmp_path))):
        run(tmp_path)


def test_a_game_that_cannot_be_replayed_is_named(tmp_path):
    of = plan(pairs=1)
    records = sample_records(of)
    line = records[1].to_line().replace(f'"{records[1].moves[3]}"', '"E2"', 1)
    write_match(tmp_path / "match", of, [records[0], GameRecord.from_line(line)])
    with pytest.raises(RecordError, match=r"game 1, move 6: .*off the board"):
        run(tmp_path / "match", 1)
    assert run(tmp_path / "match", 0)


def test_an_empty_match_says_so(tmp_path):
    assert "no game has ended yet" in run(write_match(tmp_path / "match", plan(), []))


def test_sgf_files_are_written_once_for_every_game_that_has_them(match):
    folder, records = match
    assert write_sgf(folder) == 2
    files = sorted((folder / "sgf").iterdir())
    assert [path.name for path in files] == ["000000.sgf", "000001.sgf"]
    assert files[1].read_bytes() == to_sgf(records[0])
    files[0].write_bytes(b"mine")
    assert write_sgf(folder) == 2
    assert files[0].read_bytes() == b"mine"


@pytest.mark.parametrize(("name", "says"), [("nogo:5x5", "sgf: 2 games"), ("einstein", "No game here has an SGF")])
def test_the_report_command_writes_them_where_it_is_asked(name, says, tmp_path):
    of = plan(games=(name,), pairs=1)
    folder = write_match(tmp_path / "match", of, sample_records(of))
    page, files = CliRunner().invoke(report, [str(folder), "--sgf"], catch_exceptions=False).output.splitlines()
    assert page == str(folder / "report.html")
    assert says in files


# ---- on a terminal ----


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("name", ["hollow-nogo", "nogo:16x7", "othello", "einstein", "einstein:5x5"])
def test_a_board_in_colours_has_every_piece_where_it_is(name, encoding, tmp_path):
    record = sample_records(plan("uct", "random", games=(name,), pairs=1), moves=12)[0]
    before, position = positions(record)[-2:]
    with (tmp_path / "out").open("w", encoding=encoding) as file:
        text = board_text(position, before, Console(file=file)).plain
    rows = text.splitlines()[1:-1]
    labels = [position.game.notation.row_label(row) for row in range(position.game.rows)]
    found = [re.sub("[()]", " ", row) for row in rows]
    diagram = position.diagram.replace("#", " ").splitlines()[2:-1]
    translated = [row.replace("●", "X").replace("○", "O").split() for row in found]
    assert translated == [row.split() for row in diagram]
    assert [row[0] for row in translated] == labels
    changed = (before.cells != position.cells).any()
    assert text.count("(") == text.count(")") == int(changed)
    assert max(map(len, rows)) <= 80


# Ctrl-C comes from a terminal of one's own, and is taken even where the shell that runs the tests ignores it.
PROGRAM = """
import fcntl, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
from nogo.cli.show import show
show(prog_name="show")
"""


class Terminal:
    """The command on a terminal of 80 columns and 24 rows."""

    def __init__(self, *arguments: object) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", "PYTHONUTF8": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *map(str, arguments)],
            stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self.seen = ""

    def expect(self, words: str) -> None:
        """Read until the words are there; the test's own timeout ends a wait for words that never come."""
        while words not in self.seen:
            try:
                self.seen += os.read(self.ours, 65536).decode(errors="replace")
            except OSError:
                pytest.fail(f"ended without {words!r}: {self.seen!r}")
        self.seen = self.seen.partition(words)[2]

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def ended(self) -> int:
        """Take what it still writes, so that it can end."""
        with suppress(OSError):
            while os.read(self.ours, 65536):
                pass
        return self.process.wait()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.ours)
        self.process.kill()
        self.process.wait()


def test_keys_step_through_a_game(match):
    folder, records = match
    total = len(positions(records[0])) - 1
    steps = [
        ("\x1b[C", "move 1 of"),
        ("\x1b[C\x1b[C\x1b[C", "move 4 of"),
        ("\x1b[D", "move 3 of"),
        ("\x1b[B", "move 13 of"),
        ("\x1b[F", f"move {total} of {total}"),
        ("\x1b[H", "start, "),
        ("x\x1b[D", "start, "),
        ("G", "white wins"),
    ]
    with Terminal(folder, 1) as terminal:
        terminal.expect(f"start, {total} moves")
        for keys, there in steps:
            terminal.press(keys)
            terminal.expect(there)
        terminal.press("q")
        assert terminal.ended() == 0


def test_ctrl_c_ends_it(match):
    with Terminal(match[0], 0, "--move", 5) as terminal:
        terminal.expect("move 5 of")
        terminal.press("\x03")
        assert terminal.ended() == 0
