"""The Go Text Protocol, version 2, as bytes: requests in, replies out, both within limits.

The protocol's document decides: control characters but tab and newline are dropped, a tab is a space, `#` begins a
comment, a line of nothing else is no request. A reply ends with an empty line, and has none inside.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from nogo.errors import NogoError

MAX_ID: Final = 2**31 - 1

_CONTROLS: Final = bytes(code for code in [*range(32), 127] if code not in b"\t\n")


class GtpError(NogoError, ValueError):
    """A request that cannot be carried out, in the words of the reply."""


@dataclass(frozen=True)
class Request:
    """A command, and what stands after it."""

    number: int | None
    """Its id, repeated in the reply."""
    command: str
    arguments: tuple[str, ...] = ()


def parse(line: bytes) -> Request | None:
    """Read a line; None when there is no command in it. Bytes that are no UTF-8 survive, e.g. in file names."""
    plain = line.partition(b"#")[0].translate(None, _CONTROLS)
    words = [word for word in re.split(r"[ \t\n]+", plain.decode("utf-8", "surrogateescape")) if word]
    number = None
    if words and re.fullmatch("[0-9]+", words[0], re.ASCII) and len(words[0]) <= 10 and int(words[0]) <= MAX_ID:
        number = int(words.pop(0))
        if not words:
            return Request(number, "")
    return Request(number, words[0], tuple(words[1:])) if words else None


def success(number: int | None, text: str) -> bytes:
    """Write the reply to a request that was carried out."""
    return opening(number, text) + b"\n\n"


def failure(number: int | None, text: str) -> bytes:
    """Write the reply to a request that was not."""
    return _opening(b"?", number, " ".join(text.split())) + b"\n\n"


def opening(number: int | None, text: str = "") -> bytes:
    """Write how the reply to a request begins that is carried out: all of it but the end."""
    return _opening(b"=", number, text)


def _opening(mark: bytes, number: int | None, text: str) -> bytes:
    head = mark + (b"" if number is None else b"%d" % number)
    body = line(text)
    return head + b" " + body if body else head


def line(text: str) -> bytes:
    """Make a text fit to stand inside a reply: ASCII, without control characters and what would end it."""
    plain = text.expandtabs().encode("ascii", "backslashreplace").translate(None, _CONTROLS)
    parts = [part.rstrip() for part in plain.split(b"\n")]
    return b"\n".join(part for index, part in enumerate(parts) if part or index == 0).rstrip(b"\n")


Write = Callable[[bytes], None]
"""Sends bytes to the controller at once."""
