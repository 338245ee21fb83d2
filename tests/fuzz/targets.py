"""One function for each reader of foreign text: it takes any bytes, and raises only where there is a fault to mend.

`TARGETS` is used by tests/test_fuzz.py, quickly and in every run, and by tests/fuzz/long.py, for as long as one likes.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

import nogo
from nogo import Budget, NogoError, registry
from nogo.agents.einstein_cli import EinsteinCli
from nogo.errors import ChildGoneError, ProtocolError
from nogo.game import game
from nogo.match.plan import Contestant
from nogo.match.record import GameRecord
from nogo.match.settings import settings
from nogo.match.sgf_read import from_sgf
from nogo.match.sprt import Sprt
from nogo.protocols import einstein, ggf, gtp
from nogo.protocols.chair import Chair
from nogo.protocols.gtp_session import Session, Wire
from nogo.protocols.lines import MAX_LINE, Lines
from nogo.protocols.nboard import NBoard
from nogo.protocols.otp import MESSAGE_BYTES, CommandReader
from nogo.protocols.otp_peer import Peer, PeerError
from nogo.protocols.otp_search import OtpPlayer

Target = Callable[[bytes], None]
NO_STREAM = os.open(os.devnull, os.O_RDONLY)
LONGEST_ERROR = 3000
MOST_LINES = 40
"""Of a session: each may cost a move's search."""


def text_of(data: bytes) -> str:
    """Any text: what is no UTF-8 becomes lone surrogates, which must not hurt either."""
    return data.decode("utf-8", "surrogateescape")


def parser(parse: Callable[[str], object]) -> Target:
    """A function of a text, which may refuse it by one of our errors."""

    def target(data: bytes) -> None:
        said = ""
        try:
            parse(text_of(data))
        except NogoError as error:
            said = str(error)
        assert len(said) < LONGEST_ERROR, said[:200]

    return target


def position(text: str) -> None:
    found = nogo.position(text)
    assert nogo.position(found.text) == found
    assert nogo.position(found.diagram) == found


def budget(text: str) -> None:
    found = Budget.parse(text)
    assert Budget.parse(str(found)) == found


def selection(text: str) -> None:
    found = registry.select(text)
    assert str(registry.select(str(found))) == str(found)


def contestant(text: str) -> None:
    found = Contestant.parse(text)
    assert Contestant.parse(found.name) == found


def record(text: str) -> None:
    found = GameRecord.from_line(text)
    assert GameRecord.from_line(found.to_line()) == found


def ggf_game(text: str) -> None:
    found = ggf.parse(text)
    again = ggf.write(found)
    assert ggf.parse(again).line == found.line


def config(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.toml"
        path.write_bytes(data)
        with contextlib.suppress(NogoError):
            settings({}, path)


def sgf(data: bytes) -> None:
    for name in ("hollow-nogo", "othello"):
        with contextlib.suppress(NogoError):
            from_sgf(data, game(name))


def otp_commands(data: bytes) -> None:
    """Whatever a judge sends, in pieces, a player answers or passes over."""
    player = OtpPlayer(registry.select("random"), Budget(playouts=1), 1, lambda said: None)
    whole, pieces = CommandReader(), CommandReader()
    expected = whole.feed(data)
    size = 7 if len(data) < 10_000 else 700
    found = [command for at in range(0, len(data), size) for command in pieces.feed(data[at : at + size])]
    words = [command for command in found if command.word]
    assert words == [command for command in expected if command.word]
    for command in expected[:MOST_LINES]:
        reply = player.answer(command)
        assert reply is None or len(reply) <= MESSAGE_BYTES
        assert reply is None or reply.startswith(command.word.encode())


def otp_replies(data: bytes) -> None:
    """Whatever a player answers, a judge takes it or says that it has failed."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        peer = Peer(ours)
        try:
            for number, reply in enumerate(data.split(b"|")[:8]):
                theirs.sendall(reply[:4000])
                with contextlib.suppress(PeerError):
                    _ask(peer, number)
        finally:
            peer.close()


def _ask(peer: Peer, number: int) -> None:
    wait = 0.0001
    peer.catch_up(wait)
    if number % 4 == 0:
        peer.ask_name(wait, wait)
    elif number % 4 == 1:
        peer.ask("genmove", (), wait, lambda scanner: (scanner.word("genmove"), scanner.point()))
    elif number % 4 == 2:
        peer.ask("play", (2, 3), wait, lambda scanner: scanner.word("play"))
    else:
        peer.ask("final_score", (), wait, lambda scanner: (scanner.word("final_score"), scanner.score(-12)))


def einstein_player(data: bytes) -> None:
    """Whatever a referee sends, a player plays, or says what is wrong with it."""
    left = [data[at : at + 1] for at in reversed(range(len(data)))]
    wire = einstein.Wire(lambda: left.pop() if left else b"", lambda move: None)
    chair = Chair(registry.select("easy"), game("einstein"), 1)
    with contextlib.suppress(ProtocolError):
        einstein.EinsteinPlayer(wire, chair, Budget(playouts=1), 0.0).run()


class Executable:
    """An executable that says what it is given, whatever it is told."""

    def __init__(self, data: bytes) -> None:
        self.left = io.BytesIO(data)

    def write(self, data: bytes, seconds: float) -> None:
        """Ignore it."""

    def read(self, most: int, seconds: float) -> bytes:
        return self.left.read(most)

    def ended(self, seconds: float = 0.0) -> str | None:
        return None

    def errors(self) -> str:
        return ""

    def close(self, grace: float = 0.0) -> None:
        """Do nothing."""


class Refereed(EinsteinCli):
    """A referee of such an executable."""

    said = b""

    def _start(self) -> None:
        self._child = Executable(self.said)


def einstein_referee(data: bytes) -> None:
    """Whatever an executable says, its moves are made or it is blamed."""
    board = game("einstein")
    agent = Refereed(board, "executable", 1.0, 0)
    agent._child = Executable(data)
    for seed in (1, 2):
        here = board.start(seed=seed)
        with contextlib.suppress(NogoError, ChildGoneError):
            while not here.is_over:
                move = agent.choose(here, Budget(seconds=1)).move if here.turn == 0 else here.legal_moves()[0]
                agent.played(here, move)
                here = here.play(move)
        agent.begin(seed)
    agent.close()


def nboard(data: bytes) -> None:
    """Whatever an interface sends but long searches is done, refused or ignored, each in lines."""
    said: list[str] = []
    session = NBoard(registry.select("random"), Budget(playouts=1), 1, Lines(NO_STREAM), said.append)
    for line in data.split(b"\n")[:MOST_LINES]:
        if line.split()[:1] not in ([b"go"], [b"hint"]):
            session.do(line.decode("utf-8", "replace"))
    assert not any("\n" in line for line in said)


def gtp_session(data: bytes) -> None:
    """Whatever a controller sends, but files and endless analysis, gets replies that are well formed."""
    random = registry.select("random")
    session = Session(game("nogo:3x3"), [random, random], Budget(playouts=1), 1, "fuzz")
    wire = Wire(Lines(NO_STREAM), lambda reply: None)
    for line in data.split(b"\n")[:MOST_LINES]:
        if b"sgf" not in line.lower() and b"analyze" not in line.lower():
            reply = gtp.answer(session, wire, line[:MAX_LINE], len(line) <= MAX_LINE)
            assert not reply or (reply[:1] in b"=?" and reply.endswith(b"\n\n") and b"\n\n" not in reply[:-2])
    session.close()


def lines(data: bytes) -> None:
    """A stream is cut into lines, none longer than the limit, whether or not it was looked at before."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as stream:
        stream.write(data[:30000])  # a pipe holds that much
    ahead = Lines(reading)
    peeked, found = ahead.peek(), []
    while (came := ahead.next()) is not None:
        found.append(came[0])
    os.close(reading)
    assert found[: len(peeked)] == peeked
    assert b"\n".join(found) == data[:30000].removesuffix(b"\n")


TARGETS: dict[str, Target] = {
    "position": parser(position),
    "game": parser(lambda text: game(text).start()),
    "selection": parser(selection),
    "budget": parser(budget),
    "contestant": parser(contestant),
    "sprt": parser(Sprt.parse),
    "record": parser(record),
    "config": config,
    "sgf": sgf,
    "ggf": parser(ggf_game),
    "otp-commands": otp_commands,
    "otp-replies": otp_replies,
    "einstein-player": einstein_player,
    "einstein-referee": einstein_referee,
    "nboard": nboard,
    "gtp": gtp_session,
    "lines": lines,
}


def _seeds() -> dict[str, list[bytes]]:
    """Good input for each target, to begin from."""
    starts = [game(name).start() for name in ("hollow-nogo", "nogo:3x3", "othello", "einstein", "einstein:5x5")]
    positions = [start.text for start in starts] + [start.diagram for start in starts]
    dice = "343242404031241152042"
    othello_rows = "---------------------------O*------*O---------------------------"
    fields = {"format": 1, "number": 0, "pair": 0, "game": "nogo:3x3", "seed": 1, "moves": ["A1"], "seconds": [0.1]}
    player = {"name": "uct", "agent": "uct", "budget": "playouts=1", "seed": 1, "options": {}, "distribution": "nogo"}
    fields |= {"playouts": [1], "values": [0.5], "engine": "x", "began": "x", "took": 1.0}
    fields |= {"players": [{**player, "version": "1"}] * 2, "opening": {"start": starts[1].text, "moves": []}}
    fields |= {"end": {"kind": "finished", "winner": "first", "reason": "r", "ply": 1, "blame": None, "output": ""}}
    texts = {
        "position": positions,
        "game": ["hollow-nogo", "nogo:7x7:D4,C3", "othello:6x6", "einstein:setdie"],
        "selection": ["rave:c=0.3,threads=2", 'gtp:command="gnugo --mode gtp"', "uct:reuse=yes,fpu=none"],
        "budget": ["playouts=1000", "time=0.5s", "clock=60s+1s,plan=r2,length=70"],
        "contestant": ["rave:c=0.3@time=0.5s", "uct@clock=60s+1s,plan=even"],
        "sprt": ["0,10", "0,10,0.05,0.05"],
        "record": [json.dumps(fields)],
        "config": [
            'agents = ["uct", "rave:c=0.3"]\ngame = "othello"\ngames = 10\nseed = 3\n',
            "margin = 0.1\nstrict = true\n",
        ],
        "sgf": ["(;FF[4]GM[1]SZ[9];B[aa];W[bb])", "(;GM[2]AB[e4][d5]AW[d4][e5]PL[B];B[f5];W[PA])"],
        "ggf": [f"(;GM[Othello]PB[a]PW[b]TI[15:00]TY[8]BO[8 {othello_rows} *]B[F5/1.0/2.5]W[F6];)"],
        "otp-commands": ["nameclear_boardgenmoveplay 2 3undo final_score\nshowboard quit"],
        "otp-replies": ["name me clear_board|genmove 2 3|play|final_score -12|clear_board|genmove 4 5"],
        "einstein-player": [f"012345502143{dice}f" + "324100", f"012345502143{dice}sny"],
        "einstein-referee": ["3132415040", "30 31"],
        "nboard": [f"nboard 2\nset depth 5\nset game (;BO[8 {othello_rows} *]B[F5];)\nmove D6/1/2\nping 1\nlearn"],
        "gtp": ["1 boardsize 3\nplay b A1\ngenmove w\nundo\nfinal_score\ntime_settings 1 2 3\ntime_left b 1 0\n# x"],
        "lines": ["a\nbb\n\nccc", "\n\n"],
    }
    return {name: [text.encode() for text in texts[name]] for name in TARGETS}


SEEDS = _seeds()
