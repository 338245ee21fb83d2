"""The words of the Othello Text Protocol, and how they are told apart on a wire without framing.

One message is one send, with nothing after it, so that a stream may bring half a message or three at once. Both
directions can still be read without waiting for more than is there:

- A command is one of eight words, of which none begins another, and ``play`` has two numbers of one digit each: a
  command is complete with its last letter or digit, whatever follows.
- A reply begins with its command's word, and the judge knows which one it waits for. ``genmove`` has two numbers of
  one digit. ``final_score S`` is complete when it reads what the judge has counted itself, so that the 1 of 12 is not
  taken for a 1. A name ends where the reply to the next command begins.
- Blanks, line ends and NULs may stand between all parts, or be missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from nogo import FIRST, SECOND
from nogo.arguments import shown
from nogo.errors import ProtocolError
from nogo.game import Game
from nogo.position import Position

MESSAGE_BYTES: Final = 1023
NAME_BYTES: Final = 514
BLANKS: Final = b" \t\r\n\0"
COMMANDS: Final = ("name", "clear_board", "genmove", "play", "undo", "final_score", "showboard", "quit")
PASS: Final = (8, 0)
_ANY_WORD: Final = re.compile("|".join(COMMANDS).encode())
_LONGEST: Final = max(map(len, COMMANDS))


@dataclass(frozen=True)
class Command:
    """What the judge asks; or, with no word, bytes that are no command."""

    word: str
    point: tuple[int, int] | None = None
    """Of ``play``: row and column, as they came."""
    junk: bytes = b""
    """The beginning of what is no command."""


class MoreError(Exception):
    """What has come may be the beginning of a message, and is not all of it."""


class Scanner:
    """Reads a message from its beginning; `at` is how far it has come."""

    def __init__(self, data: bytes) -> None:
        """Begin."""
        self._data = data
        self.at = 0

    def blanks(self) -> None:
        """Go past what may stand between the parts."""
        while self._data[self.at : self.at + 1] in BLANKS and self.at < len(self._data):
            self.at += 1

    def word(self, word: str) -> None:
        """Go past this word, and refuse any other."""
        self.blanks()
        found = self._data[self.at : self.at + len(word)]
        if not word.encode().startswith(found):
            raise ProtocolError(f"{shown(found)} where {word!r} belongs")
        if len(found) < len(word):
            raise MoreError
        self.at += len(word)

    def digit(self) -> int:
        """Read a number of one digit."""
        self.blanks()
        found = self._data[self.at : self.at + 1]
        if not found:
            raise MoreError
        if not b"0" <= found <= b"9":
            raise ProtocolError(f"{shown(found)} where a digit belongs")
        self.at += 1
        return int(found)

    def rest(self) -> bytes:
        """Show what has come after this."""
        return self._data[self.at :]

    def find(self, word: str, begin: int) -> int:
        """Go past the first such word from a place on, and say where it stands."""
        at = self._data.find(word.encode(), begin)
        if at < 0:
            raise MoreError
        self.at = at + len(word)
        return at

    def between(self, begin: int, end: int) -> bytes:
        """Show a part."""
        return self._data[begin:end]

    def point(self) -> tuple[int, int]:
        """Read row and column."""
        return self.digit(), self.digit()

    def score(self, score: int) -> None:
        """Go past this number, and refuse what can't become it."""
        self.blanks()
        rest = self._data[self.at :]
        forms = (f"{score}".encode(), f"{score:+}".encode())
        for form in forms:
            if rest.startswith(form):
                self.at += len(form)
                return
        if not any(form.startswith(rest) for form in forms):
            raise ProtocolError(f"final_score {rest[:8].decode('ascii', 'replace')} where {score} belongs")
        raise MoreError


class CommandReader:
    """Takes a judge's bytes as they come and gives the commands in them. It holds one unfinished command at most."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._data = b""

    def feed(self, data: bytes) -> list[Command]:
        """Take what has come; what is no command is passed over up to the next word that may be one."""
        found: list[Command] = []
        for at in range(0, len(data), MESSAGE_BYTES):  # what is left is moved up for each command: keep it short
            self._data += data[at : at + MESSAGE_BYTES]
            found += self._taken()
        return found

    def _taken(self) -> list[Command]:
        found: list[Command] = []
        while self._data:
            try:
                command, used = _command(self._data)
            except MoreError:
                if len(self._data) <= MESSAGE_BYTES:
                    break
                command, used = self._junk(len(self._data))
            except ProtocolError:
                command, used = self._junk(_next_word(self._data))
            self._data = self._data[used:]
            found += [command] if command else []
        return found

    def _junk(self, size: int) -> tuple[Command, int]:
        return Command("", junk=self._data[: min(size, MESSAGE_BYTES)]), size


def _next_word(data: bytes) -> int:
    """Find where, after the first byte, a command begins or may begin."""
    match = _ANY_WORD.search(data, 1)
    if match:
        return match.start()
    tails = range(max(1, len(data) - _LONGEST + 1), len(data))
    return next((at for at in tails if _may_begin(data[at:])), len(data))


def _may_begin(data: bytes) -> bool:
    return any(word.encode().startswith(data) for word in COMMANDS)


def _command(data: bytes) -> tuple[Command | None, int]:
    """Read one command, or the blanks before the next one; say how many bytes it took."""
    scanner = Scanner(data)
    scanner.blanks()
    if scanner.at:
        return None, scanner.at
    word = next((word for word in COMMANDS if data.startswith(word.encode())), None)
    if word is None:
        if _may_begin(data):
            raise MoreError
        raise ProtocolError(f"{shown(data[:12])} begins no command")
    scanner.word(word)
    return Command(word, scanner.point() if word == "play" else None), scanner.at


def move_of(game: Game, point: tuple[int, int]) -> int | None:
    """Find the move of a row and a column; None when they are no square and no pass."""
    row, column = point
    if point == PASS:
        return game.move("pass")
    return row * game.columns + column if row < game.rows and column < game.columns else None


def point_of(game: Game, move: int) -> tuple[int, int]:
    """Give row and column of a move."""
    return PASS if game.move_name(move) == "pass" else divmod(move, game.columns)


def message(word: str, *parts: object) -> bytes:
    """Write a message; it is cut at the length that fits."""
    return " ".join([word, *map(str, parts)]).encode()[:MESSAGE_BYTES]


def discs_of(position: Position) -> int:
    """Count black's discs less white's, as ``final_score`` does; empty squares are nobody's."""
    cells = position.cells
    return int((cells == FIRST + 1).sum()) - int((cells == SECOND + 1).sum())
