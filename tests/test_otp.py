"""The Othello Text Protocol: words on a wire without framing, a player, a judge, and peers that misbehave."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from otp_proxy import Proxy

import nogo
from nogo import Budget, NogoError, registry
from nogo.cli import main
from nogo.errors import ProtocolError
from nogo.match.record import CRASHED, FINISHED, ILLEGAL, LATE
from nogo.protocols.otp import MESSAGE_BYTES, Command, CommandReader, MoreError, Scanner
from nogo.protocols.otp_judge import Judge, Limits, Round
from nogo.protocols.otp_search import OtpPlayer, search

PATIENT = Limits(connect=60, genmove=60, other=60, grace=60)

# ---- commands ----

commands = st.one_of(
    st.sampled_from(["name", "clear_board", "genmove", "undo", "final_score", "showboard", "quit"]).map(Command),
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda point: Command("play", point)),
)
blanks = st.sampled_from([b"", b" ", b"\n", b"\r\n", b"\0", b" \t "])


def written(command: Command) -> bytes:
    return b" ".join([command.word.encode(), *(b"%d" % number for number in command.point or ())])


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[begin:end] for begin, end in itertools.pairwise(edges)]


@given(st.lists(st.tuples(commands, blanks), max_size=8), st.lists(st.integers(0, 200), max_size=12))
def test_commands_are_read_however_they_are_split_and_joined(sent, cuts):
    reader = CommandReader()
    wire = b"".join(written(command) + blank for command, blank in sent)
    found = [command for piece in pieces(wire, cuts) for command in reader.feed(piece)]
    assert found == [command for command, _ in sent]


@given(st.lists(st.binary(max_size=64) | st.sampled_from([b"play ", b"final_", b"gen", b"8 0", b"name"]), max_size=30))
def test_any_bytes_are_taken_without_holding_more_than_a_message(chunks):
    reader = CommandReader()
    taken = b""
    for chunk in chunks:
        for command in reader.feed(chunk):
            assert bool(command.word) != bool(command.junk)
            taken += command.junk
        assert len(reader._data) <= MESSAGE_BYTES
    assert len(taken) <= sum(map(len, chunks))


def test_what_is_no_command_is_passed_over_up_to_the_next_one():
    reader = CommandReader()
    assert reader.feed(b"hello genmoveplay x 3undo") == [
        *(Command("", junk=b"hello "), Command("genmove"), Command("", junk=b"play x 3"), Command("undo")),
    ]
    assert reader.feed(b"play" + b" " * 900 + b"2 3") == [Command("play", (2, 3))]
    assert [bool(command.junk) for command in reader.feed(b"play" + b" " * 5000)] == [True], "no message is so long"
    assert reader.feed(b"undo") == [Command("undo")]


@pytest.mark.parametrize(
    ("score", "came", "said"),
    [
        (12, b"1", "more"),
        (12, b"12", "done"),
        (12, b"+12", "done"),
        (12, b"13", "refused"),
        (12, b"-", "refused"),
        (1, b"1", "done"),
        (-5, b"-", "more"),
        (-5, b"-5", "done"),
        (0, b"0", "done"),
        (0, b"", "more"),
    ],
)
def test_a_score_is_complete_when_it_is_the_one_expected(score, came, said):
    scanner = Scanner(b"final_score " + came)
    scanner.word("final_score")
    expected = {"more": pytest.raises(MoreError), "refused": pytest.raises(ProtocolError)}
    with expected.get(said, contextlib.nullcontext()):
        scanner.score(score)


# ---- the player ----


def player(agent: str = "random", complaints: list[str] | None = None, budget: str = "playouts=20") -> OtpPlayer:
    said = [] if complaints is None else complaints
    return OtpPlayer(registry.select(agent), Budget.parse(budget), 1, said.append)


def test_a_player_answers_every_command_with_its_own_word():
    complaints: list[str] = []
    one = player("r3-uct", complaints)
    assert one.answer(Command("name")) == b"name r3-uct"
    assert one.answer(Command("clear_board")) == b"clear_board"
    assert one.answer(Command("play", (2, 3))) == b"play"  # d3, as the first black discs stand on (3,4) and (4,3)
    assert one.position == nogo.game("othello").start().play("d3")
    reply = one.answer(Command("genmove"))
    assert reply in {b"genmove 2 2", b"genmove 2 4", b"genmove 4 2"}  # c3, e3, c5
    assert one.answer(Command("final_score")) == b"final_score 0"
    assert one.answer(Command("undo")) == b"undo"
    assert one.answer(Command("final_score")) == b"final_score 3"
    assert one.answer(Command("showboard")).startswith(b"showboard\nothello white")
    assert one.answer(Command("quit")) == b"quit"
    assert one.done
    assert complaints == []


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (Command("play", (0, 0)), "play 0 0 is not answered: "),
        (Command("play", (3, 4)), "not empty"),
        (Command("play", (8, 0)), "play 8 0 is not answered: "),
        (Command("play", (9, 9)), "not on the board"),
        (Command("undo"), "no move has been made"),
        (Command("", junk=b"hello"), "'hello' is no command"),
    ],
)
def test_what_cannot_be_done_is_not_answered_and_changes_nothing(command, said):
    complaints: list[str] = []
    one = player(complaints=complaints)
    assert one.answer(command) is None
    assert said in complaints[0]
    assert one.position == nogo.game("othello").start()


def test_no_move_is_made_in_a_game_that_is_over():
    complaints: list[str] = []
    one = player(complaints=complaints)
    one.answer(Command("clear_board"))
    # A game of nine moves after which white has no disc left.
    for name in ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"):
        move = nogo.game("othello").move(name)
        assert one.answer(Command("play", divmod(move, 8))) == b"play", name
    assert one.position.is_over
    assert one.answer(Command("genmove")) is None
    assert "the game is over" in complaints[-1]
    assert one.answer(Command("final_score")) == b"final_score 13"


def test_a_forced_pass_is_8_0():
    one, position = player(), nogo.game("othello").start()
    while [position.game.move_name(move) for move in position.legal_moves()] != ["pass"]:
        move = position.legal_moves()[0]
        assert not position.is_over
        one.answer(Command("play", divmod(move, 8)))
        position = position.play(move)
    assert one.answer(Command("genmove")) == b"genmove 8 0"


def test_a_name_fits_and_a_clock_is_refused():
    long = OtpPlayer(registry.select("random"), Budget(playouts=1), 1, print, "ü " * 600)
    assert long.answer(Command("name")) == (b"name " + b"? " * 600)[:514]
    with pytest.raises(NogoError, match="a judge limits every move"):
        player(budget="clock=60s")
    with pytest.raises(NogoError, match="does not play othello"):
        player("hard")


def test_standard_input_is_answered_line_by_line():
    script = b"name\nclear_board\nplay 2 3\nrubbish\ngenmovefinal_score\nquit\nname\n"
    done = subprocess.run(
        [sys.executable, "-m", "nogo", "otp", "search", "--agent", "r3-uct", "--budget", "playouts=50"],
        input=script,
        capture_output=True,
        check=True,
    )
    assert re.fullmatch(rb"name r3-uct\nclear_board\nplay\ngenmove \d \d\nfinal_score 0\nquit\n", done.stdout)
    assert b"rubbish" in done.stderr


# ---- the judge ----


class Script:
    """A player made of answers: what it is asked is looked up, and what is not there is answered as it should be."""

    def __init__(self, port: int, misbehave: Callable[[Script, Command], bytes | None]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.honest = player()
        self.games = 0
        self.asked = 0
        """How many moves, in this game."""
        self.misbehave = misbehave
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        reader = CommandReader()
        with contextlib.suppress(OSError), self.socket:
            while data := self.socket.recv(1000):
                for command in reader.feed(data):
                    self._answer(command)

    def _answer(self, command: Command) -> None:
        self.games += command.word == "clear_board"
        self.asked = 0 if command.word == "clear_board" else self.asked + (command.word == "genmove")
        honest = self.honest.answer(command)
        reply = self.misbehave(self, command)
        if reply is None:
            reply = honest
        if reply:
            self.socket.sendall(reply)

    def hang_up(self) -> bytes:
        self.socket.shutdown(socket.SHUT_RDWR)
        return b""


def honest(port: int) -> threading.Thread:
    thread = threading.Thread(target=search, args=("127.0.0.1", port, player()), daemon=True)
    thread.start()
    return thread


def once(word: str, reply: bytes, move: int = 2) -> Callable[[Script, Command], bytes | None]:
    """Answer this word so, the first time (genmove: as the second move)."""
    answers = [reply]

    def misbehave(script: Script, command: Command) -> bytes | None:
        wrong = command.word == word and (word != "genmove" or script.asked == move)
        return answers.pop() if wrong and answers else None

    return misbehave


@contextlib.contextmanager
def match(limits: Limits, misbehave: Callable[[Script, Command], bytes | None]) -> Iterator[tuple[Judge, Script]]:
    """A judge, a script in seat 0 and an honest player in seat 1."""
    with Judge(0, limits=limits) as judge:
        script = Script(judge.port, misbehave)
        other = honest(judge.port)
        yield judge, script
    for thread in (script.thread, other):
        thread.join(60)
        assert not thread.is_alive()


def kinds(rounds: list[Round]) -> list[str]:
    return [played.end.kind for played in rounds]


def test_two_players_play_with_colours_swapped_and_are_counted():
    with Judge(0, limits=PATIENT) as judge:
        threads = [honest(judge.port), honest(judge.port)]
        rounds = list(judge.play(3))
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive(), "the judge says quit"
    assert [played.seats for played in rounds] == [(0, 1), (1, 0), (0, 1)]
    assert kinds(rounds) == [FINISHED] * 3
    for played in rounds:
        position = nogo.game("othello").start()
        for move in played.moves:
            position = position.play(move)
        assert position.is_over
        assert (position.winner, int((position.cells == 1).sum() - (position.cells == 2).sum())) == (
            played.end.winner,
            played.discs,
        )
    assert sum(standing.won for standing in judge.standings) + sum(s.drawn for s in judge.standings) // 2 == 3


@pytest.mark.parametrize(
    ("word", "reply", "kind", "said"),
    [
        ("genmove", b"genmove 0 0", ILLEGAL, "answered genmove 0 0"),
        ("genmove", b"genmove 8 0", ILLEGAL, "answered genmove 8 0"),
        ("genmove", b"genmove 9 9", ILLEGAL, "not on the board"),
        ("genmove", b"genmove x", ILLEGAL, "answered genmove with b'genmove x': b'x' where a digit belongs"),
        ("genmove", b"resign", ILLEGAL, "answered genmove with b'resign'"),
        ("genmove", b"genmove" + b" " * 3000, ILLEGAL, "no end; a message has at most 1023"),
        ("genmove", b"x" * 100_000, ILLEGAL, "answered genmove with"),
        ("play", b"play now", ILLEGAL, "unasked"),
        ("play", b"genmove 2 3", ILLEGAL, "answered play with"),
        ("final_score", b"final_score 65", ILLEGAL, "answered final_score with"),
        ("clear_board", b"clear", LATE, "did not answer clear_board within 2 s, after b'"),
        ("name", b"name " + b"n" * 515, ILLEGAL, "a name has at most 514 bytes"),
        ("name", b"", LATE, "did not answer name within 2 s"),
        ("play", b"", LATE, "did not answer play within 2 s"),
        ("final_score", b"", LATE, "did not answer final_score within 2 s"),
        ("genmove", b"", LATE, "did not answer genmove within 2 s"),
        ("genmove", b"genmove 2", LATE, "after b'genmove 2'"),
    ],
)
def test_whoever_fails_loses_that_game_and_plays_the_next(word, reply, kind, said):
    limits = Limits(connect=60, genmove=2, other=2, grace=0.1) if kind == LATE else PATIENT
    with match(limits, once(word, reply)) as (judge, script):
        rounds = list(judge.play(2))
    assert kinds(rounds) == [kind, FINISHED], rounds
    assert said in rounds[0].end.reason
    assert rounds[0].end.winner == 1 - rounds[0].end.blame
    failed = judge.standings[rounds[0].seats[rounds[0].end.blame]]
    assert failed.failed == 1
    assert script.games == (1 if word == "name" else 2)


def test_a_late_answer_is_waited_for_before_the_next_game():
    free = threading.Event()

    def late(script: Script, command: Command) -> bytes | None:
        if script.games == 1 and command.word == "genmove" and script.asked == 3:
            free.wait(60)
        return None

    with match(Limits(connect=60, genmove=1, other=60, grace=60), late) as (judge, _):
        playing = judge.play(3)
        first = next(playing)
        free.set()
        rounds = [first, *playing]
    assert kinds(rounds) == [LATE, FINISHED, FINISHED]


def test_a_player_that_stays_silent_loses_game_by_game_without_being_waited_for_again():
    def silent(script: Script, command: Command) -> bytes | None:
        return b"" if script.games > 1 or command.word == "genmove" else None

    with match(Limits(connect=60, genmove=2, other=2, grace=0.1), silent) as (judge, _):
        rounds = list(judge.play(3))
    assert kinds(rounds) == [LATE] * 3
    assert all("did not answer clear_board" in played.end.reason for played in rounds[1:])


def test_a_vanished_player_loses_one_game_and_another_may_take_its_place():
    with match(PATIENT, once("", b"")) as (judge, script):
        script.misbehave = lambda script, command: script.hang_up() if script.asked == 4 else None
        playing = judge.play(4)
        first = next(playing)
        honest(judge.port)
        rounds = [first, *playing]
    assert kinds(rounds) == [CRASHED, FINISHED, FINISHED, FINISHED]
    assert "closed the connection" in first.end.reason


def test_the_match_ends_when_nobody_comes_back():
    def dies(script: Script, command: Command) -> bytes | None:
        return script.hang_up() if script.asked == 4 else None

    with match(Limits(connect=1, genmove=60, other=60, grace=60), dies) as (judge, _):
        rounds = list(judge.play(4))
    assert kinds(rounds) == [CRASHED]


def test_a_judge_without_players_says_how_to_start_them():
    with Judge(0, limits=Limits(connect=0.01)) as judge, pytest.raises(ProtocolError, match="0 of 2 players connected"):
        list(judge.play(1))


def test_a_port_in_use_is_refused():
    with Judge(0) as judge, pytest.raises(ProtocolError, match="choose another port"):
        Judge(judge.port)


def test_a_judge_listens_on_this_machine_only():
    with Judge(0) as judge:
        assert judge._listener.getsockname()[0] == "127.0.0.1"


# ---- a wire that splits, joins and delays ----


def through(proxy: Proxy) -> threading.Thread:
    """A player that comes back when its connection is cut, until the judge says quit."""

    def run() -> None:
        one = player()
        while not one.done:
            with contextlib.suppress(ProtocolError, OSError):
                search("127.0.0.1", proxy.port, one)
            one = player() if not one.done else one

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def play_through(rounds: int, seed: int, cuts: list[int]) -> tuple[list[Round], Proxy]:
    with Judge(0, limits=PATIENT) as judge:
        dying, steady = Proxy(judge.port, seed, cuts), Proxy(judge.port, seed + 1000)
        threads = [through(dying), through(steady)]
        played = list(judge.play(rounds))
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()
        dying.close()
        steady.close()
    return played, dying


@pytest.mark.parametrize("games", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_all_games_finish_by_the_rules_however_messages_are_split_joined_and_delayed(games):
    rounds, proxy = play_through(games, seed=games, cuts=[])
    assert kinds(rounds) == [FINISHED] * games
    assert proxy.pieces > 60 * games


@pytest.mark.parametrize("games", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_exactly_the_game_in_which_a_player_dies_is_lost(games):
    rng = random.Random(games)
    cuts = [rng.randint(0, 300) for _ in range(games // 2)]  # bytes to the player: within the connection's first game
    rounds, proxy = play_through(games, seed=games, cuts=cuts)
    assert proxy.cut == games // 2
    assert kinds(rounds) == [CRASHED] * (games // 2) + [FINISHED] * (games - games // 2)
    assert len({played.seats[played.end.blame] for played in rounds if played.end.blame is not None}) == 1


# ---- the command ----


def test_judge_and_players_as_commands():
    command = [sys.executable, "-m", "nogo", "otp"]
    with subprocess.Popen(
        [*command, "judge", "0", "--rounds", "2", "--json", "--connect", "60", "--other", "60"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as judge:
        port = re.search(r"port (\d+)", judge.stderr.readline())[1]
        players = [
            subprocess.Popen([*command, "search", "127.0.0.1", port, "--agent", agent, "--budget", "playouts=10"])
            for agent in ("r3-uct", "random")
        ]
        lines = judge.stdout.read().splitlines()
        assert [playing.wait(60) for playing in players] == [0, 0]
        assert judge.wait(60) == 0
    games = [json.loads(line) for line in lines]
    assert {tuple(sorted(game["names"])) for game in games} == {("r3-uct", "random")}
    assert games[0]["names"] == games[1]["names"][::-1]
    assert {game["end"]["kind"] for game in games} == {"finished"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["search", "localhost"], "lacks a port"),
        (["search", "--agent", "nobody"], "unknown agent 'nobody'"),
        (["search", "--budget", "clock=5s"], "a judge limits every move"),
        (["search", "127.0.0.1", "0"], "port=0"),
        (["judge", "70000"], "port=70000"),
        (["judge", "0", "--rounds", "0"], "rounds=0"),
        (["judge", "0", "--genmove", "-1"], "genmove=-1"),
    ],
)
def test_bad_input_is_refused(arguments, said):
    result = CliRunner().invoke(main, ["otp", *arguments])
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize("command", [["otp"], ["otp", "judge"], ["otp", "search"]])
def test_help_has_examples(command):
    output = CliRunner().invoke(main, [*command, "--help"]).stdout
    assert "nogo otp judge" in output.split("Examples:")[1] or "nogo otp search" in output.split("Examples:")[1]
