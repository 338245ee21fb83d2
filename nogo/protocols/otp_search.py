"""The playing side of the Othello Text Protocol: an agent that answers a judge's commands."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from typing import Final

from nogo.agent import RESIGN
from nogo.arguments import shown, whole
from nogo.budget import Budget
from nogo.errors import ArgumentError, ProtocolError
from nogo.game import game
from nogo.position import Position
from nogo.protocols.chair import Chair
from nogo.protocols.otp import (
    COMMANDS,
    MESSAGE_BYTES,
    NAME_BYTES,
    Command,
    CommandReader,
    discs_of,
    message,
    move_of,
    point_of,
)
from nogo.registry import Selection

CONNECT_SECONDS: Final = 10.0
RETRY_SECONDS: Final = 0.05

Complain = Callable[[str], None]


class OtpPlayer:
    """Answers commands. What can't be done is not answered: the protocol has no word for a refusal; `complain` is told.

    Its history is one game of Othello, which the rules end after at most 60 discs.
    """

    def __init__(self, selection: Selection, budget: Budget, seed: int, complain: Complain, name: str = "") -> None:
        """Take a seat at an empty board; no agent is made yet."""
        if budget.clock is not None:
            raise ArgumentError(f"budget {str(budget)!r}: a judge limits every move, not the game; use e.g. time=8s")
        self._chair = Chair(selection, game("othello"), seed)
        self._budget = budget
        self._complain = complain
        self._name = name or str(selection)
        self._line = [self._chair.game.start()]
        self.done = False
        """Whether the judge has said quit."""

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._line[-1]

    def answer(self, command: Command) -> bytes | None:
        """Do what a command says, and give the reply, if there is one."""
        if not command.word:
            said = shown(command.junk.decode("ascii", "replace"))
            self._complain(f"{said} is no command; the commands are {', '.join(COMMANDS)}")
            return None
        reply: bytes | None = _ACTIONS[command.word](self, command)
        return reply

    def close(self) -> None:
        """Let the agent go."""
        self._chair.close()

    def _say_name(self, command: Command) -> bytes:
        said = " ".join(self._name.encode("ascii", "replace").decode().split())
        return message(command.word, said)[:NAME_BYTES]

    def _clear_board(self, command: Command) -> bytes:
        del self._line[1:]
        self._chair.begin()
        self._chair.prepare()
        return message(command.word)

    def _generate(self, command: Command) -> bytes | None:
        position = self.position
        if position.is_over:
            self._complain("genmove is not answered: the game is over; clear_board begins another one")
            return None
        moves = position.legal_moves()
        chosen = moves[0] if len(moves) == 1 else self._chair.choose(position, self._budget).move
        move = moves[0] if chosen == RESIGN else chosen  # the protocol has no resignation: play on
        self._make(move)
        return message(command.word, *point_of(position.game, move))

    def _play(self, command: Command) -> bytes | None:
        if command.point is None:
            raise ProtocolError("play without a point")
        move = move_of(self.position.game, command.point)
        why = "not on the board, nor a pass (8 0)" if move is None else self.position.why_illegal(move)
        if move is None or why is not None:
            row, column = command.point
            self._complain(f"play {row} {column} is not answered: {why}, in {self.position.text!r}")
            return None
        self._make(move)
        return message(command.word)

    def _make(self, move: int) -> None:
        self._chair.played(self.position, move)
        self._line.append(self.position.play(move))

    def _undo(self, command: Command) -> bytes | None:
        if len(self._line) == 1:
            self._complain("undo is not answered: no move has been made")
            return None
        self._line.pop()
        self._chair.close()  # it has followed a line that is no longer played
        return message(command.word)

    def _final_score(self, command: Command) -> bytes:
        return message(command.word, discs_of(self.position))

    def _show_board(self, command: Command) -> bytes:
        return message(command.word) + b"\n" + self.position.diagram.encode()

    def _quit(self, command: Command) -> bytes:
        self.done = True
        return message(command.word)


_ACTIONS: Final[dict[str, Callable[[OtpPlayer, Command], bytes | None]]] = {
    "name": OtpPlayer._say_name,
    "clear_board": OtpPlayer._clear_board,
    "genmove": OtpPlayer._generate,
    "play": OtpPlayer._play,
    "undo": OtpPlayer._undo,
    "final_score": OtpPlayer._final_score,
    "showboard": OtpPlayer._show_board,
    "quit": OtpPlayer._quit,
}


def replies(player: OtpPlayer, receive: Callable[[int], bytes]) -> Iterator[bytes]:
    """Answer what `receive` brings until it brings nothing, or the judge says quit."""
    reader = CommandReader()
    while not player.done:
        data = receive(MESSAGE_BYTES)
        if not data:
            return
        for command in reader.feed(data):
            reply = None if player.done else player.answer(command)
            if reply is not None:
                yield reply


def connect(host: str, port: int, seconds: float = CONNECT_SECONDS) -> socket.socket:
    """Connect to a judge, who may still be starting."""
    whole("port", port, 1, 65535)
    deadline = time.monotonic() + seconds
    while True:
        try:
            connection = socket.create_connection((host, port), timeout=max(deadline - time.monotonic(), RETRY_SECONDS))
        except OSError as error:
            if time.monotonic() + RETRY_SECONDS >= deadline or isinstance(error, socket.gaierror):
                raise ProtocolError(
                    f"no judge at {host} port {port} ({error}); start one with: nogo otp judge {port}"
                ) from None
            time.sleep(RETRY_SECONDS)
            continue
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


def search(host: str, port: int, player: OtpPlayer, seconds: float = CONNECT_SECONDS) -> None:
    """Play for a judge until it says quit or closes the connection."""
    with connect(host, port, seconds) as connection:
        try:
            for reply in replies(player, connection.recv):
                connection.sendall(reply)
        except ConnectionError as error:
            raise ProtocolError(f"the judge at {host} port {port} has closed the connection: {error}") from None
