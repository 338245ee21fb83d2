"""Games as SGF over the wire: loadsgf and printsgf."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

from nogo import registry
from nogo.arguments import shown
from nogo.core import build_info
from nogo.errors import NogoError
from nogo.match.record import FINISHED, RESIGNED, VOID, End, GameRecord, Opening, Player
from nogo.match.sgf import to_sgf
from nogo.match.sgf_read import MAX_BYTES, from_sgf
from nogo.protocols.gtp_commands import Command, Words, whole
from nogo.protocols.gtp_session import Session
from nogo.protocols.gtp_table import Move, Table
from nogo.protocols.gtp_wire import GtpError


def _loadsgf(session: Session, words: Words) -> str:
    """Set up the position before a move of a file's main line, or the last one."""
    data = _content(Path(words[0]))
    before = whole(words[1]) if len(words) > 1 else None
    if before == 0:
        raise GtpError("syntax error: moves are counted from 1; the position before move 1 is the start")
    try:
        reading = from_sgf(data, session.table.game)
        table = Table(reading.start)
        for colour, name in reading.moves[: None if before is None else before - 1]:
            table.play(colour, name)
    except NogoError as error:
        raise GtpError(f"cannot load file: {error}") from None
    session.begin(table)
    return ""


def _content(path: Path) -> bytes:
    """Read a file, and nothing that may never end."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            data = file.read(MAX_BYTES + 1) if regular else b""
    except (OSError, ValueError) as error:
        raise GtpError(f"cannot load file: {error}") from None
    if not regular:
        raise GtpError(f"cannot load file: {shown(str(path))} is not a file")
    return data


def _printsgf(session: Session, words: Words) -> str:
    """Show the game, or write it to a file that is not there yet."""
    data = to_sgf(_record(session))
    if not words:
        return "\n" + data.decode()
    try:
        with open(words[0], "xb") as file:
            file.write(data)
    except (OSError, ValueError) as error:
        raise GtpError(f"cannot write file: {error}") from None
    return ""


def _record(session: Session) -> GameRecord:
    table = session.table
    moves = [move for move in table.moves if move.move is not None]
    return GameRecord(
        number=0,
        pair=0,
        game=table.game.name,
        seed=session.seed,
        players=(_player(session, 0), _player(session, 1)),
        opening=Opening(table.start.text),
        moves=tuple(table.game.move_name(move.move) for move in moves if move.move is not None),
        seconds=tuple(move.seconds for move in moves),
        playouts=tuple(move.playouts for move in moves),
        values=tuple(move.value for move in moves),
        end=_end(table, moves),
        engine=f"nogo {build_info().version}",
        began=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        took=sum(move.seconds or 0.0 for move in moves),
    )


def _player(session: Session, colour: int) -> Player:
    selection = session.sides[colour].selection
    name = str(selection)
    origin = registry.default().find(selection.spec.name).origin
    options = dict(selection.options)
    return Player(name, name, str(session.budget), session.seed, options, origin.distribution, origin.version)


def _end(table: Table, moves: Sequence[Move]) -> End:
    kind, winner = VOID, None
    if table.resigned is not None:
        kind, winner = RESIGNED, 1 - table.resigned
    elif table.position.is_over:
        kind, winner = FINISHED, table.position.winner
    return End(kind, winner, table.verdict(), table.position.ply)


COMMANDS: Final = {
    "loadsgf": Command(_loadsgf, "FILE [MOVE]"),
    "printsgf": Command(_printsgf, "[FILE]"),
}
