"""A GTP engine as a process: requests out, replies in, each within a deadline, and an exact reason when it fails."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Final

from nogo.child import Child
from nogo.errors import AgentFailureError, ChildGoneError, ChildLateError

MAX_LINE: Final = 65536  # bytes
MAX_REPLY: Final = 2**20  # bytes: list_commands of the largest engines is a hundredth of it
LAST_WORDS: Final = 2.0  # seconds for an engine that has closed its output to say how it ends
FAREWELL: Final = 1.0  # seconds for an engine to quit by itself

_REPLY: Final = re.compile(r"([=?])([0-9]*)(.*)", re.DOTALL)


class Refused(Exception):  # noqa: N818 - a reply, and mostly no error of anybody
    """The engine has answered with an error; its words are the message."""


class Engine:
    """An engine that is running, until `close` or its first failure."""

    def __init__(self, argv: Sequence[str], timeout: float) -> None:
        """Start it; timeout is for every reply that owes no other time."""
        self.name = argv[0].rpartition("/")[2]
        self.timeout = timeout
        self._number = 0
        try:
            self._child = Child(argv)
        except ChildGoneError as error:
            raise AgentFailureError("refused", str(error)) from None

    @property
    def pid(self) -> int:
        """Its process."""
        return self._child.pid

    def must(self, request: str) -> str:
        """Have a request carried out; an engine that does not has refused the game."""
        try:
            return self.ask(request)
        except Refused as refusal:
            raise self.failure("refused", f"it refused {request!r}: {brief(str(refusal))}") from None

    def ask(self, request: str, seconds: float | None = None) -> str:
        """Give the text of the reply; Refused when it is an error, and AgentFailureError when there is none."""
        limit = self.timeout if seconds is None else seconds
        self._number += 1
        try:
            self._child.write(f"{self._number} {request}\n".encode(), limit)
            reply = self._reply(request, limit)
        except ChildLateError:
            raise self.failure("stalled", f"{self.name} has not answered {request!r} within {limit:g} s") from None
        except ChildGoneError:
            raise self._gone(request) from None
        return self._text(request, reply)

    def _reply(self, request: str, limit: float) -> str:
        """Collect lines up to an empty one; empty ones before a reply are no part of it."""
        deadline, lines, size = time.monotonic() + limit, list[str](), 0
        while True:
            line = self._child.read_line(max(deadline - time.monotonic(), 0.0), MAX_LINE)
            if not line:
                raise self._gone(request)
            size += len(line)
            text = line.decode("utf-8", "replace").replace("\r", "").rstrip("\n")
            if not lines and text and text[0] not in "=?":
                raise self.failure("crashed", f"{self.name} answered {request!r} with {brief(text)}, no reply of GTP")
            if size > MAX_REPLY or not line.endswith(b"\n"):
                raise self.failure("crashed", f"{self.name} answered {request!r} without end: {size:,} bytes so far")
            if text.strip():
                lines.append(text)
            elif lines:
                return "\n".join(lines)

    def _text(self, request: str, reply: str) -> str:
        found = _REPLY.fullmatch(reply)
        if found is None or found[2] != str(self._number):
            why = f"{self.name} answered {request!r}, of id {self._number}, with {brief(reply)}"
            raise self.failure("crashed", why)
        if found[1] == "?":
            raise Refused(found[3].strip())
        return found[3].strip()

    def _gone(self, request: str) -> AgentFailureError:
        ended = self._child.ended(LAST_WORDS)
        how = f"has died, {ended}," if ended else "has closed its output"
        return self.failure("crashed", f"{self.name} {how} before it answered {request!r}")

    def failure(self, kind: str, reason: str) -> AgentFailureError:
        """Say how it has failed, with what it has written to its standard error."""
        return AgentFailureError(kind, reason, self._child.errors())

    def forget_errors(self) -> None:
        """Drop what it has written to its standard error so far."""
        self._child.forget_errors()

    def quit(self) -> None:
        """Let it quit, and end it if it does not."""
        try:
            self._child.write(b"quit\n", FAREWELL)
            self._child.close(FAREWELL)
        except (ChildGoneError, ChildLateError):
            self._child.close()

    def kill(self) -> None:
        """End it at once."""
        self._child.close()


def brief(text: str) -> str:
    """Quote a text of the engine's, the beginning of it if it is long."""
    plain = " ".join(text.split())
    return repr(plain if len(plain) <= 80 else f"{plain[:77]}...")
