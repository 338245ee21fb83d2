"""A judge's end of the wire to one player: asks, keeps the time, and says exactly what went wrong.

A player that has failed is brought back into step before its next game: what it still owes is waited for once, and
whatever comes before its answer to ``clear_board`` is thrown away.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from typing import Final, NoReturn, TypeVar

from nogo.arguments import shown
from nogo.errors import NogoError, ProtocolError
from nogo.match.record import CRASHED, ILLEGAL, LATE
from nogo.match.replay import one_line
from nogo.protocols.otp import BLANKS, MESSAGE_BYTES, NAME_BYTES, MoreError, Scanner, message

FLOOD_BYTES: Final = 1 << 20  # thrown away while a player is brought back into step, before it is hung up on

Found = TypeVar("Found")


class PeerError(NogoError):
    """A player has lost its game: how, and why in one line."""

    def __init__(self, peer: Peer, kind: str, reason: str) -> None:
        """Say who and how."""
        super().__init__(reason)
        self.peer = peer
        self.kind = kind


class Peer:
    """A player at the other end of a connection."""

    def __init__(self, connection: socket.socket) -> None:
        """Take the connection; nothing has been asked."""
        self._socket: socket.socket | None = connection
        self._data = b""
        self._owed: Callable[[Scanner], object] | None = None
        self._hopeless = False
        self._astray = False
        self.name: str | None = None

    @property
    def gone(self) -> bool:
        """Whether the connection has ended."""
        return self._socket is None

    def close(self) -> None:
        """Hang up."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def ask(self, word: str, parts: tuple[int, ...], seconds: float, read: Callable[[Scanner], Found]) -> Found:
        """Send a command and read its reply, which has to be all that comes."""
        self._send(word, parts, seconds)
        return self._reply(word, seconds, read)

    def ask_name(self, seconds: float, clear_seconds: float) -> None:
        """Ask for the name and for an empty board: the name goes on until the second reply begins."""
        self._send("name", (), seconds)
        self._reply("name", seconds, _name_begins, rest=True)
        known = len(self._data)
        self._send("clear_board", (), clear_seconds, unread=True)
        name = self._reply("clear_board", clear_seconds, lambda scanner: _name_ends(scanner, known))
        self.name = one_line(name.decode("utf-8", "replace")) or "nameless"

    def catch_up(self, seconds: float) -> None:
        """Bring a player that has failed back into step; once for what it owes, then it is not waited for again."""
        if self.gone or not self._astray:
            return
        self._await_owed(0.0 if self._hopeless else seconds)
        self._hopeless = self._owed is not None

    # ---- out ----

    def _send(self, word: str, parts: tuple[int, ...], seconds: float, *, unread: bool = False) -> None:
        if not unread:
            self._take_in()
            self._refuse_unasked(word)
        try:
            connection = self._connected()
            connection.settimeout(seconds)
            connection.sendall(message(word, *parts))
        except TimeoutError:
            self.lose(LATE, f"did not take {word} within {seconds:g} s")
        except OSError as error:
            self._vanish(f"closed the connection before {word}: {error}")

    def _refuse_unasked(self, word: str) -> None:
        unasked, self._data = self._data.strip(BLANKS), b""
        if unasked and not self._astray:
            self.lose(ILLEGAL, f"sent {shown(unasked[:40])} unasked, before {word}")

    # ---- in ----

    def _reply(self, word: str, seconds: float, read: Callable[[Scanner], Found], *, rest: bool = False) -> Found:
        """Read a reply to its end; with rest, what comes after it stays."""
        deadline = time.monotonic() + seconds
        self._owed = read
        while True:
            try:
                found, used = self._scan(word, read)
            except MoreError:
                if not self._receive(deadline - time.monotonic()):
                    said = f", after {shown(self._data[:40])}" if self._data else ""
                    self.lose(LATE, f"did not answer {word} within {seconds:g} s{said}")
                continue
            except ProtocolError as error:
                self._owed = None
                self.lose(ILLEGAL, f"answered {word} with {shown(self._data[:40])}: {error}")
            self._owed, self._astray = None, False
            if not rest:
                self._data = self._data[used:]
            return found

    def _scan(self, word: str, read: Callable[[Scanner], Found]) -> tuple[Found, int]:
        if self._astray:  # a game begins with name or clear_board
            self._data = _from_word(self._data, word)
        scanner = Scanner(self._data)
        try:
            return read(scanner), scanner.at
        except MoreError:
            if len(self._data) > MESSAGE_BYTES:
                raise ProtocolError(
                    f"{len(self._data)} bytes and no end; a message has at most {MESSAGE_BYTES}"
                ) from None
            raise

    def _await_owed(self, seconds: float) -> None:
        """Read and forget until what is owed has come, or with nothing owed what is there."""
        deadline, thrown_away = time.monotonic() + seconds, 0
        while self._owed is not None:
            try:
                self._owed(Scanner(self._data))
                self._owed = None
            except MoreError:
                if not self._receive(deadline - time.monotonic()):
                    return
            except ProtocolError:
                self._owed = None
        while self._receive(0.0):
            thrown_away += len(self._data)
            self._data = b""
            if thrown_away > FLOOD_BYTES:
                self._vanish(f"did not stop sending: {thrown_away} bytes")
        self._data = b""

    def _take_in(self) -> None:
        """Take what is there already, up to more than a message can be."""
        while len(self._data) <= MESSAGE_BYTES and self._receive(0.0):
            pass

    def _receive(self, seconds: float) -> bool:
        """Wait for bytes; tell whether any came."""
        try:
            connection = self._connected()
            connection.settimeout(max(seconds, 0.0))
            data = connection.recv(MESSAGE_BYTES)
        except (TimeoutError, BlockingIOError):
            return False
        except OSError as error:
            self._vanish(f"lost the connection: {error}")
        if not data:
            self._vanish("closed the connection")
        self._data += data
        return True

    def _connected(self) -> socket.socket:
        if self._socket is None:
            raise PeerError(self, CRASHED, "closed the connection")
        return self._socket

    # ---- how it fails ----

    def lose(self, kind: str, reason: str) -> NoReturn:
        """Take it that this player is out of step from here on, and has lost its game."""
        self._astray = True
        if self._owed is None:
            self._data = b""
        raise PeerError(self, kind, reason)

    def _vanish(self, reason: str) -> NoReturn:
        self.close()
        raise PeerError(self, CRASHED, reason)


def _name_begins(scanner: Scanner) -> None:
    scanner.word("name")
    scanner.blanks()
    if scanner.rest() == b"":
        raise MoreError
    if len(scanner.rest()) > NAME_BYTES:
        raise ProtocolError(f"a name has at most {NAME_BYTES} bytes")


def _name_ends(scanner: Scanner, known: int) -> bytes:
    """Read a name that has come up to `known`, and the answer to clear_board after it."""
    scanner.word("name")
    scanner.blanks()
    begun = scanner.at
    end = scanner.find("clear_board", max(begun, known))
    name = scanner.between(begun, end)
    if len(name.strip(BLANKS)) > NAME_BYTES:
        raise ProtocolError(f"a name has at most {NAME_BYTES} bytes")
    return name


def _from_word(data: bytes, word: str) -> bytes:
    """Throw away what stands before a word or what may become one."""
    at = data.find(word.encode())
    if at >= 0:
        return data[at:]
    tails = range(max(len(data) - len(word), 0), len(data))
    return next((data[tail:] for tail in tails if word.encode().startswith(data[tail:])), b"")
