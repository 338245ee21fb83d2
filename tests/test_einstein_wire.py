"""The EinStein course protocol: the executable that plays, and the referee of such executables in our matches."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nogo
from nogo import Budget, Choice, NogoError, registry
from nogo.agent import Agent, Follower, Lasting
from nogo.agents.einstein_cli import start_of
from nogo.errors import AgentFailureError, ProtocolError
from nogo.game import game
from nogo.position import Position
from nogo.protocols import einstein
from nogo.protocols.chair import Chair

# The example of the protocol's description.
CUBES, DICE = "012345502143", "343242404031241152042"
START = game("einstein").start(red="012345", blue="502143", dice=DICE)
EXECUTABLE = shutil.which("nogo-einstein-agent", path=sysconfig.get_path("scripts"))


# ---- the playing side ----


class Referee:
    """The other end of a wire in this process: says what it is given, then makes moves, and hears the player's."""

    def __init__(self, text: str, choose: Callable[[Position], int] | None = None) -> None:
        self.text = text.encode()
        self.heard: list[str] = []
        self.choose = choose

    def read(self) -> bytes:
        byte, self.text = self.text[:1], self.text[1:]
        return byte

    def write(self, data: bytes) -> None:
        self.heard.append(data.decode())


def player(referee: Referee, agent: str = "hard", budget: str = "playouts=10") -> einstein.EinsteinPlayer:
    chair = Chair(einstein.selection_of(agent), game("einstein"), 1)
    wire = einstein.Wire(referee.read, referee.write)
    return einstein.EinsteinPlayer(wire, chair, einstein.budget_of(budget), time.monotonic())


def scripted(seed: int, side: int) -> tuple[str, list[str]]:
    """A whole game of hard against the first legal move: what the referee says, and what it should hear."""
    position = game("einstein").start(seed=seed)
    said, heard = start_of(position) + "fs"[side], []
    agent = registry.create("hard", position.game, 1)
    while not position.is_over:
        own = position.turn == side
        move = agent.choose(position, Budget(playouts=10)).move if own else position.legal_moves()[0]
        if own:
            heard.append(position.game.move_name(move))
        else:
            said += position.game.move_name(move)
        position = position.play(move)
    return said, heard


@pytest.mark.parametrize("separator", ["", "\n"])
def test_several_games_in_one_process(separator):
    games = [scripted(seed, seed % 2) for seed in range(4)]
    referee = Referee(separator.join("y".join(said for said, _ in games)) + "n")
    player(referee).run()
    assert referee.heard == [move for _, heard in games for move in heard]
    assert referee.text == b""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "'x' in the cubes"),
        ("6", "'6' in the cubes, after ''; it is 12 digits 0 to 5"),
        ("0123", "the input ended after 4 of 12 digits of the cubes"),
        ("0" * 12 + DICE + "f", "the cubes '000000000000' are no start"),
        (CUBES + DICE[:20] + "f", "'f' in the dice"),
        (CUBES + DICE + "x", "'x' instead of f (first) or s (second)"),
        (CUBES + DICE + "s", "the input ended after 0 of 2 digits of a move"),
        (CUBES + DICE + "s53", "the opponent's move 53 is refused"),
        (CUBES + DICE + "s39", "'9' in a move"),
    ],
)
def test_what_is_against_the_protocol_is_refused(text, said):
    with pytest.raises(ProtocolError, match=re.escape(said)):
        player(Referee(text)).run()


@given(st.text("0123450123456789fsyn x", max_size=120), st.booleans())
def test_any_input_is_played_or_refused(text, start):
    with contextlib.suppress(ProtocolError):
        player(Referee((CUBES + DICE if start else "") + text), "easy").run()


def test_nothing_is_read_beyond_the_end_of_a_game():
    said, _ = scripted(5, 0)
    referee = Referee(said + "nrest")
    player(referee).run()
    assert referee.text == b"rest"


def test_the_search_s_memory_is_kept_within_the_limit():
    assert einstein.selection_of("uct").options["memory"] == einstein.MEMORY
    assert einstein.selection_of("uct:memory=100").options["memory"] == 100
    assert "memory" not in einstein.selection_of("hard").options


@pytest.mark.parametrize(("text", "said"), [("time=1s", "2 s by the protocol"), ("much", "is not a budget")])
def test_a_budget_of_time_is_refused(text, said):
    with pytest.raises(NogoError, match=re.escape(said)):
        einstein.budget_of(text)
    assert einstein.budget_of("") is None


def test_the_first_move_s_time_begins_with_the_program():
    one = player(Referee(CUBES + DICE))
    one._turn_began = time.monotonic() - 0.7
    assert 0 < one._seconds_left() <= einstein.MOVE_SECONDS - einstein.MARGIN - 0.7
    one._turn_began = time.monotonic() - 5
    assert one._seconds_left() == einstein.LEAST
    assert 0 < einstein.process_age() < 86400


def run(text: str, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [EXECUTABLE, *arguments]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, check=False, env={**os.environ, **environ}
    )


def test_the_executable_plays():
    said, heard = scripted(1, 1)
    done = run(said + "n", NOGO_AGENT="hard")
    assert (done.returncode, done.stdout, done.stderr) == (0, "".join(heard), "")


def test_the_executable_plays_strongest_unless_told_and_keeps_its_time():
    """It is given no opponent's move: it ends after its first one, which it has to find within the time."""
    done = run(CUBES + DICE + "f")
    assert START.is_legal(done.stdout)
    assert "the input ended after 0 of 2 digits of a move" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "environ", "said"),
    [
        (["--help"], {}, "takes no arguments"),
        ([], {"NOGO_AGENT": "nobody"}, "unknown agent 'nobody'"),
        ([], {"NOGO_AGENT": "rave:cc=1"}, "unknown option 'cc'"),
        ([], {"NOGO_AGENT": "r3-uct"}, "does not play einstein"),
        ([], {"NOGO_BUDGET": "time=5s"}, "2 s by the protocol"),
    ],
)
def test_the_executable_says_what_is_wrong_in_a_line(arguments, environ, said):
    done = run("", *arguments, **environ)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.startswith("nogo-einstein-agent: ")
    assert done.stderr.count("\n") == 1


# ---- the referee ----


def executable(agent: str, budget: str = "", limit: float = 60) -> str:
    return f'einstein-cli:command="env NOGO_AGENT={agent} NOGO_BUDGET={budget} {EXECUTABLE}",limit={limit}'


def program(folder: Path, code: str, limit: float = 60) -> str:
    """An executable of our own, by its Python code."""
    path = folder / "program.py"
    path.write_text(f"import os, sys, time\n{code}\n", encoding="utf-8")
    return f'einstein-cli:command="{sys.executable} {path}",limit={limit}'


def play(start: Position, players: tuple[Agent, Agent], seed: int) -> Position:
    """Play a game as a match does."""
    position = start
    for one in players:
        if isinstance(one, Lasting):
            one.begin(seed)
    while not position.is_over:
        choice = players[position.turn].choose(position, Budget(seconds=2))
        for one in players:
            if isinstance(one, Follower):
                one.played(position, choice.move)
        position = position.play(choice.move)
    return position


@pytest.mark.parametrize("games", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_games_through_the_executable_protocol_on_both_sides_end_by_the_rules(games):
    board = game("einstein")
    ours = registry.create(executable("strongest", "playouts=500"), board, 1)
    hard = registry.create(executable("hard"), board, 1)
    pids = set()
    for number in range(games):
        players = (ours, hard) if number % 2 else (hard, ours)
        end = play(board.start(seed=number), players, number)
        assert end.is_over
        pids |= {one._child.pid for one in players}
    assert len(pids) == 2, "each process has played all games"
    for one in (ours, hard):
        one.close()
        one.close()


def test_a_game_is_told_as_the_protocol_has_it(tmp_path):
    log = tmp_path / "log"
    code = f"""
said = os.read(0, 34).decode()
os.write(1, b'3'); time.sleep(0.05); os.write(1, b'2\\n')
said += os.read(0, 2).decode()
open({str(log)!r}, 'w').write(said)
os.write(1, b'30')
"""
    one = registry.create(program(tmp_path, code), game("einstein"), 1)
    one.begin(1)
    choice = one.choose(START, Budget(seconds=1))
    assert START.game.move_name(choice.move) == "32"
    position = START
    for name in ("32", "40"):
        one.played(position, position.game.move(name))
        position = position.play(name)
    assert one.choose(position, Budget(seconds=1)) == Choice(position.game.move("30"))
    one.close()
    assert log.read_text() == CUBES + DICE + "f" + "40"


@pytest.mark.parametrize(
    ("code", "kind", "said", "output"),
    [
        ("os.read(0, 34); sys.exit('no idea')", "crashed", "says no more: exit code 1", "no idea"),
        ("os.read(0, 34); os.kill(os.getpid(), 9)", "crashed", "killed by signal 9 (SIGKILL)", ""),
        ("os.read(0, 34); os.write(1, b'zz'); time.sleep(60)", "illegal", "said 'zz', which is no move", ""),
        ("os.read(0, 34); os.write(1, b'03'); time.sleep(60)", "illegal", "said 03: ", ""),
        ("os.read(0, 34); os.write(1, b'3'); time.sleep(60)", "stalled", "within 1.0 s", ""),
        ("print('late', file=sys.stderr, flush=True); time.sleep(60)", "stalled", "within 1.0 s", "late"),
    ],
)
def test_an_executable_that_fails_is_blamed_exactly_and_started_anew(tmp_path, code, kind, said, output):
    one = registry.create(program(tmp_path, code, limit=1), game("einstein"), 1)
    one.begin(1)
    with pytest.raises(AgentFailureError, match=re.escape(said)) as caught:
        one.choose(START, Budget(seconds=1))
    assert caught.value.kind == kind
    assert output in caught.value.output
    assert one._child is None
    one.begin(2)
    assert one._child is not None
    one.close()


def test_a_game_under_way_cannot_be_taken_over(tmp_path):
    one = registry.create(program(tmp_path, "time.sleep(60)"), game("einstein"), 1)
    one.begin(1)
    with pytest.raises(AgentFailureError, match="plays games from their start") as caught:
        one.choose(START.play("32"), Budget(seconds=1))
    assert caught.value.kind == "refused"
    one.close()


@pytest.mark.parametrize(
    ("agent", "board", "said"),
    [
        ("einstein-cli:command=/nowhere/agent", "einstein", "cannot be started"),
        ("einstein-cli:command= ", "einstein", "needs a program"),
        ("einstein-cli", "einstein:5x5", "the course board of 2023"),
        ("einstein-cli", "othello", "does not play othello"),
        ("einstein-cli:limit=0", "einstein", "limit=0"),
    ],
)
def test_what_cannot_be_refereed_is_refused(agent, board, said):
    with pytest.raises(NogoError, match=re.escape(said)):
        registry.create(agent, game(board), 1)


def test_the_example_of_the_protocol_is_written_as_it_is_described():
    assert start_of(START) == CUBES + DICE
    assert nogo.position(START.text) == START
