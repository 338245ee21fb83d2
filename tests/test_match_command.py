"""The command match: what it shows, as tables, lines and JSON; what it refuses; its exit codes; Ctrl-C."""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_executor import Fake

from nogo.cli import main
from nogo.cli.pace import Pace, duration
from nogo.cli.report import write_report_of
from nogo.errors import RecordError
from nogo.match.journal import GAMES, Journal, read_plan, read_records
from nogo.match.record import CRASHED, VOID

command = importlib.import_module("nogo.cli.match")  # the package's attribute of that name is the command itself


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command in a folder of its own, with games played at random and no report."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "write_report_of", lambda folder, say: folder / "report.html")

    def run(*arguments: str, code: int = 0, executor: Fake | None = None, columns: int = 80, **environment: str):
        used = executor or Fake()
        monkeypatch.setattr(command, "open_executor", lambda where, workers: used)
        result = CliRunner(env={"COLUMNS": str(columns), **environment}).invoke(main, ["match", *arguments])
        assert result.exit_code == code, result.output
        assert used.closed or not used.given
        return result

    return run


def folder_of_match() -> Path:
    (folder,) = Path("matches").iterdir()
    return folder


def test_two_agents_are_a_match_of_hollow_nogo(run):
    result = run("uct", "rave:c=0.2")
    plan = read_plan(folder_of_match())
    assert (plan.games, plan.format, plan.game_count) == (("hollow-nogo",), "match", 200)
    assert len(list(read_records(folder_of_match()))) == 200
    assert "uct vs rave:c=0.2" in result.stdout
    assert str(folder_of_match()) in result.stdout
    assert "200 of 200 games" in result.stderr, "plain lines, where there is no terminal"


@pytest.mark.parametrize("columns", [80, 120])
def test_what_is_shown_fits(run, columns):
    run("uct", "rave:c=0.25,threads=2", "tuned", "--game", "othello", "--game", "hollow-nogo", "--games", "4")
    shown = run(
        *("uct", "rave:c=0.25,threads=2", "tuned", "--game", "othello", "--game", "hollow-nogo", "--games", "4"),
        columns=columns,
    )
    folder = str(folder_of_match())
    for line in shown.stdout.splitlines():
        assert len(line) <= columns or folder in line
    assert "…" not in shown.stdout


def test_the_tables_say_what_the_records_say(run):
    result = run("uct", "random", "--games", "40", "--json")
    told = json.loads(result.stdout)
    records = list(read_records(Path(told["folder"])))
    wins = sum(record.end.winner == record.agents.index("uct") for record in records)
    (pairing,) = told["results"]["pairings"]
    found = {key: pairing["moving_first"][key] + pairing["moving_second"][key] for key in ("wins", "draws", "losses")}
    assert (told["finished"], told["interrupted"], told["played"], told["of"]) == (True, False, 40, 40)
    assert found["wins"] == wins
    assert sum(found.values()) == 40
    assert told["plan"]["contestants"] == ["uct", "random"]


def test_an_odd_number_is_rounded_up_and_said_so(run):
    result = run("uct", "random", "--games", "7")
    assert "each pairing plays 8" in result.stderr
    assert len(list(read_records(folder_of_match()))) == 8


def test_the_same_command_goes_on(run):
    arguments = ("uct", "random", "--games", "20", "--out", "here")
    stopped = Fake(on_game=lambda number: number == 8 and os.kill(os.getpid(), signal.SIGINT), held=9)
    result = run(*arguments, code=130, executor=stopped)
    assert "the games in the air" in result.stderr
    assert "Interrupted: 9 of 20 games are kept in here. The same command goes on" in result.stdout
    assert stopped.wishes == [False]
    result = run(*arguments)
    assert "going on after 9 games" in result.stderr
    assert sorted(record.number for record in read_records(Path("here"))) == list(range(20))
    result = run(*arguments, executor=Fake(fails_after=0))
    assert "20 of 20" not in result.stderr


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_drops_the_games_in_the_air(run, second):
    executor = Fake(held=5)
    real = executor.stop

    def stop(now=False):
        if now:
            real(now)
        else:
            executor.wishes.append(now)
            os.kill(os.getpid(), second)

    executor.stop = stop
    executor.on_game = lambda number: number == 4 and os.kill(os.getpid(), signal.SIGINT)
    result = run("uct", "random", "--games", "20", code=130, executor=executor)
    assert executor.wishes == [False, True]
    assert "Stopping at once" in result.stderr
    assert "Report" not in result.stdout


def test_to_be_terminated_is_to_stop_at_once(run):
    executor = Fake(on_game=lambda number: number == 4 and os.kill(os.getpid(), signal.SIGTERM), held=5)
    run("uct", "random", "--games", "20", code=128 + signal.SIGTERM, executor=executor)
    assert executor.wishes == [True]
    assert len(list(read_records(folder_of_match()))) == 5


def test_what_was_to_be_ignored_stays_ignored(run):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        run("uct", "random", "--games", "4", executor=Fake(on_game=lambda _: os.kill(os.getpid(), signal.SIGINT)))
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_handlers_are_given_back(run):
    before = signal.getsignal(signal.SIGINT)
    run("uct", "random", "--games", "2")
    assert signal.getsignal(signal.SIGINT) == before


def test_strict_ends_with_code_1(run):
    crash = {3: (CRASHED, 0, "exit code 3")}
    result = run("uct", "random", "--games", "20", "--strict", code=1, executor=Fake(crash, held=4))
    assert "agent crashed: exit code 3" in result.stdout
    assert len(list(read_records(folder_of_match()))) == 4
    run("uct", "random", "--games", "20", "--out", "lenient", executor=Fake(crash))


def test_a_void_game_makes_the_code_1(run):
    result = run("uct", "random", "--games", "20", code=1, executor=Fake({3: (VOID, None, "no such engine")}))
    assert "1 game(s) could not be played" in result.stdout
    assert len(list(read_records(folder_of_match()))) == 20


def test_an_executor_that_fails_says_so_with_code_1(run, monkeypatch):
    from nogo.errors import ArgumentError

    executor = Fake(fails_after=5)

    def play(tasks):
        try:
            yield from Fake.play(executor, tasks)
        except RuntimeError as error:
            raise ArgumentError(str(error)) from None

    executor.play = play
    result = run("uct", "random", "--games", "20", code=1, executor=executor)
    assert "Error: the cluster is gone" in result.stderr
    assert len(list(read_records(folder_of_match()))) == 5


@pytest.mark.parametrize("columns", [80, 120])
def test_a_terminal_has_a_live_table(run, columns):
    """Games whose table would not fit are counted, and the rest stays on the screen."""
    agents = [f"uct:c=0.{digit}" for digit in range(1, 9)]
    arguments = (*agents, "--games", "4", "--games-log", "--out", "here")
    result = run(*arguments, columns=columns, FORCE_COLOR="1", LINES="30")
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", result.stderr)
    assert "and 11 more" in shown
    assert "112 of 112 games" in shown
    assert "game 111 " in shown
    assert max(len(line.rstrip()) for line in shown.splitlines() if "━" in line) <= columns


def test_quiet_shows_nothing_before_the_end(run):
    result = run("uct", "random", "--games", "4", "--quiet", "--games-log")
    assert result.stderr == ""
    assert "uct vs random" in result.stdout
    assert run("uct", "random", "--games", "6", "--quiet", "--json").stdout.count("\n") == 1


def test_the_log_has_a_line_a_game(run):
    lines = run("uct", "random", "--games", "4", "--games-log").stderr.splitlines()
    found = [line for line in lines if line.startswith("game ")]
    assert [line.split("  ")[0] for line in found] == [f"game {number}" for number in range(4)]
    assert " uct ½-½ random  7 plies, " in found[0]


def test_a_dry_run_plays_and_writes_nothing(run):
    executor = Fake()
    arguments = ("uct", "rave:c=0.20", "--games", "11", "--dry-run")
    shown = run(*arguments, executor=executor).stdout
    for word in ("uct, from nogo", "rave:c=0.2, from nogo", "hollow-nogo", "12 games", "matches/hollow-nogo-uct-rave-"):
        assert word in shown
    told = json.loads(run(*arguments, "--json", executor=executor).stdout)
    assert told["games"] == 12
    assert told["plan"]["contestants"] == ["uct", "rave:c=0.2"]
    assert executor.given == []
    assert os.listdir() == []


def test_a_config_is_a_command_written_down(run):
    Path("grid.toml").write_text('agents = ["uct", "random"]\ngames = 4\ngame = "othello"\nout = "there"\n')
    run("--config", "grid.toml", "--games", "6")
    assert len(list(read_records(Path("there")))) == 6
    assert read_plan(Path("there")).games == ("othello",)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("uct",), "1 agent(s); name at least two"),
        ((), "0 agent(s); name at least two"),
        (("uct", "uct"), "takes part twice"),
        (("uct", "utc"), "did you mean 'uct'"),
        (("uct", "rave:cc=1"), "unknown option 'cc'"),
        (("uct", "rave", "--game", "chess"), "unknown game 'chess'"),
        (("uct", "hard", "--game", "othello"), "'hard' does not play othello"),
        (("uct", "rave", "--format", "swiss"), "format 'swiss' is unknown"),
        (("uct", "rave", "--budget", "much"), "'much'"),
        (("uct", "rave", "--games", "0"), "games=0"),
        (("uct", "rave", "--games", "-4"), "games=-4"),
        (("uct", "rave", "--sprt", "5"), "is not an SPRT"),
        (("uct", "rave", "tuned", "--sprt", "0,10"), "an SPRT decides between two agents"),
        (("uct", "rave", "--workers", "0"), "workers=0"),
        (("uct", "rave", "--workers", "1000", "--budget", "time=1s"), "--force"),
        (("uct", "rave", "--openings", "missing.txt"), "missing.txt"),
        (("uct", "rave", "--config", "missing.toml"), "missing.toml"),
        (("uct", "rave", "--executor", "ray"), "executor 'ray' is unknown"),
        (("uct", "rave", "--out", "/proc/nowhere"), "/proc/nowhere cannot be written"),
        (("uct", "rave", "--seed", "-1"), "seed=-1"),
        (("uct", "rave", "--margin", "nan"), "margin=nan"),
    ],
)
def test_bad_input_is_refused_in_one_line_and_changes_nothing(run, arguments, says):
    result = run(*arguments, code=2)
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1
    assert says in lines[0]
    assert os.listdir() == []


def test_a_config_whose_agents_do_not_fit_together_is_named(run):
    Path("grid.toml").write_text('agents = ["uct", "uct"]\n')
    assert "grid.toml: agent 'uct' takes part twice" in run("--config", "grid.toml", code=2).stderr


def test_a_folder_of_another_match_is_refused(run):
    run("uct", "random", "--games", "4", "--out", "here")
    before = Path("here", GAMES).read_bytes()
    assert (
        "seed: 1 there, 2 here" in run("uct", "random", "--games", "4", "--seed", "2", "--out", "here", code=2).stderr
    )
    assert Path("here", GAMES).read_bytes() == before


def test_a_folder_in_use_is_refused(run):
    run("uct", "random", "--games", "4", "--out", "here")
    with Journal(Path("here"), read_plan(Path("here"))):
        assert "in use by another run" in run("uct", "random", "--games", "4", "--out", "here", code=2).stderr


def test_help_has_examples_and_names_the_other_forms(run):
    shown = run("--help").stdout
    for example in ("nogo match uct rave:c=0.2", "nogo match show DIR", "nogo match report DIR"):
        assert example in shown
    assert "nogo match show" in run("show", "--help").stdout
    assert "nogo match report" in run("report", "--help").stdout


def test_the_page_is_written_and_can_be_written_again(run, monkeypatch):
    monkeypatch.setattr(command, "write_report_of", write_report_of)
    told = json.loads(run("uct", "random", "--games", "4", "--json").stdout)
    page = Path(told["report"])
    assert "<html" in page.read_text(encoding="utf-8")
    page.unlink()
    assert run("report", told["folder"]).stdout == f"{page}\n"
    assert page.exists()


def test_a_page_that_cannot_be_written_spoils_nothing(run, monkeypatch):
    def fail(folder):
        raise RecordError("no room")

    monkeypatch.setattr(command, "write_report_of", write_report_of)
    monkeypatch.setattr(sys.modules[write_report_of.__module__], "write_report", fail)
    result = run("uct", "random", "--games", "4")
    assert "There is no report.html: no room" in result.stderr
    assert "uct vs random" in result.stdout


def test_a_folder_without_a_match_has_no_report(run):
    assert "is not the folder of a match" in run("report", ".", code=2).stderr


def test_a_sequential_test_is_shown(run):
    shown = run("uct", "random", "--games", "40", "--sprt", "0,10").stdout
    assert "SPRT 0 to 10 nElo goes on (LLR " in shown
    assert "-2.94" in shown
    assert "+2.94" in shown


# pace


def test_the_pace_is_that_of_the_last_minutes():
    now = [0.0]
    pace = Pace(100, 1000, clock=lambda: now[0])
    assert pace.a_minute is None
    assert pace.eta_words() == ""
    for second in range(1, 1001):
        now[0] = float(second)
        pace.look(100 + min(second, 500) + max(0, second - 500) // 2)
    assert pace.a_minute == pytest.approx(30, rel=0.02)
    assert pace.left == pytest.approx(300, rel=0.02)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (59.6, "1:00"), (3661, "1:01:01"), (86400 * 2 + 3600 * 3 + 240, "2 d 03:04")]
)
def test_durations_are_short(seconds, text):
    assert duration(seconds) == text
