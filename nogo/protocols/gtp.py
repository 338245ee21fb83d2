"""The Go Text Protocol, version 2: all commands in one table, and a conversation from its first line to its last.

Whatever fails is answered with an error and changes nothing.
"""

from __future__ import annotations

from typing import Final

from nogo.arguments import shown
from nogo.errors import NogoError
from nogo.protocols import gtp_commands, gtp_files, gtp_gogui, gtp_live
from nogo.protocols.gtp_commands import Command, Words
from nogo.protocols.gtp_session import Session, Wire
from nogo.protocols.gtp_wire import GtpError, Request, Write, failure, parse, success
from nogo.protocols.lines import MAX_LINE, Lines


def _list_commands(session: Session, words: Words) -> str:
    return "\n".join(NAMES)


def _known_command(session: Session, words: Words) -> str:
    return "true" if words[0] in NAMES else "false"


COMMANDS: Final[dict[str, Command]] = {
    "list_commands": Command(_list_commands),
    "known_command": Command(_known_command, "COMMAND"),
    **gtp_commands.COMMANDS,
    **gtp_files.COMMANDS,
    **gtp_gogui.COMMANDS,
}
LIVE: Final = gtp_live.COMMANDS
NAMES: Final = sorted([*COMMANDS, *LIVE])


def serve(session: Session, lines: Lines, write: Write) -> None:
    """Answer until the controller quits or its stream ends; then let the agents go."""
    wire = Wire(lines, write)
    try:
        while not session.done and (came := lines.next()) is not None:
            reply = answer(session, wire, *came)
            if reply:
                write(reply)
    finally:
        session.close()


def answer(session: Session, wire: Wire, line: bytes, whole: bool) -> bytes:
    """Answer a line, of which the rest may have been too long to keep; empty when it asks for nothing."""
    request = parse(line)
    if not whole:
        return failure(request.number if request else None, f"line too long: at most {MAX_LINE:,} bytes")
    return _carry_out(session, wire, request) if request else b""


def _carry_out(session: Session, wire: Wire, request: Request) -> bytes:
    live, command = LIVE.get(request.command), COMMANDS.get(request.command)
    try:
        if live is not None:
            return live(session, request, wire)
        if command is None:
            raise GtpError(
                f"unknown command {shown(request.command)}" if request.command else "no command after the id"
            )
        return success(request.number, command(session, request.arguments))
    except NogoError as error:
        return failure(request.number, str(error))
