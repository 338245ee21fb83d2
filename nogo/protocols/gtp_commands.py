"""The commands of the Go Text Protocol's own document."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from nogo.arguments import shown
from nogo.core import build_info
from nogo.protocols.gtp_session import Session
from nogo.protocols.gtp_table import Table, colour_of, sized
from nogo.protocols.gtp_wire import GtpError

MAX_NUMBER: Final = 10**7
MAX_SEQUENCE: Final = 1000  # words; no game here has half as many moves

Words = Sequence[str]


@dataclass(frozen=True)
class Command:
    """What a command does with its arguments, and how many it takes."""

    run: Callable[[Session, Words], str]
    usage: str = ""
    """The arguments in words; those in brackets may be left out, dots are any number more."""

    def __call__(self, session: Session, words: Words) -> str:
        """Run it, if it is given as many arguments as it takes."""
        names = self.usage.split()
        least = sum(not name.startswith("[") for name in names)
        most = math.inf if self.usage.endswith("...]") else len(names)
        if not least <= len(words) <= most:
            takes = self.usage or "no arguments"
            raise GtpError(f"syntax error: it takes {takes}, and was given {len(words)} argument(s)")
        return self.run(session, words)


# ---- arguments ----


def whole(word: str) -> int:
    """Read a whole number."""
    if not re.fullmatch("[0-9]{1,7}", word, re.ASCII):
        raise GtpError(f"syntax error: {shown(word)} is not a whole number from 0 to 9999999")
    return int(word)


def real(word: str) -> float:
    """Read a number."""
    if not re.fullmatch(r"[+-]?([0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9})", word, re.ASCII):
        raise GtpError(f"syntax error: {shown(word)} is not a number")
    return float(word)


def seconds(word: str) -> float:
    """Read a time; one that has run out already counts as none left."""
    return min(max(real(word), 0.0), MAX_NUMBER)


# ---- administration ----


def _protocol_version(session: Session, words: Words) -> str:
    return "2"


def _name(session: Session, words: Words) -> str:
    return session.name


def _version(session: Session, words: Words) -> str:
    return build_info().version


def _quit(session: Session, words: Words) -> str:
    session.done = True
    return ""


def _cputime(session: Session, words: Words) -> str:
    return f"{time.process_time():.3f}"


# ---- setup ----


def _boardsize(session: Session, words: Words) -> str:
    columns, rows = whole(words[0]), whole(words[-1])
    session.begin(Table(sized(session.table.game, columns, rows).start()))
    return ""


def _clear_board(session: Session, words: Words) -> str:
    session.begin(Table(session.table.game.start()))
    return ""


def _komi(session: Session, words: Words) -> str:
    real(words[0])  # no game here has any; controllers of Go set it all the same
    return ""


# ---- play ----


def _play(session: Session, words: Words) -> str:
    session.table.play(colour_of(words[0]), words[1])
    return ""


def _play_sequence(session: Session, words: Words) -> str:
    if len(words) % 2 or len(words) > MAX_SEQUENCE:
        raise GtpError(f"syntax error: it takes pairs of COLOR and POINT, at most {MAX_SEQUENCE // 2}")
    tried = session.table.copy()
    for colour, point in zip(words[::2], words[1::2], strict=True):
        tried.play(colour_of(colour), point)
    session.table = tried
    return ""


def _genmove(session: Session, words: Words) -> str:
    colour = colour_of(words[0])
    found = session.decide(colour)
    return found.said if found else session.give_up(colour)


def _reg_genmove(session: Session, words: Words) -> str:
    colour = colour_of(words[0])
    return session.without_choice(colour) or session.find(colour, lambda: session.budget).said


def _undo(session: Session, words: Words) -> str:
    session.table.undo()
    return ""


# ---- clocks ----


def _time_settings(session: Session, words: Words) -> str:
    main, period, stones = seconds(words[0]), seconds(words[1]), whole(words[2])
    session.clocks.set(main, period, stones)
    return ""


def _time_left(session: Session, words: Words) -> str:
    colour, left, stones = colour_of(words[0]), seconds(words[1]), whole(words[2])
    session.clocks.tell(colour, left, stones)
    return ""


# ---- what there is to see ----


def _final_score(session: Session, words: Words) -> str:
    return session.table.score


def _showboard(session: Session, words: Words) -> str:
    return "\n" + session.table.position.diagram


COMMANDS: Final = {
    "protocol_version": Command(_protocol_version),
    "name": Command(_name),
    "version": Command(_version),
    "quit": Command(_quit),
    "cputime": Command(_cputime),
    "boardsize": Command(_boardsize, "SIZE"),
    "rectangular_boardsize": Command(_boardsize, "COLUMNS ROWS"),
    "clear_board": Command(_clear_board),
    "komi": Command(_komi, "KOMI"),
    "play": Command(_play, "COLOR POINT"),
    "gogui-play_sequence": Command(_play_sequence, "[MOVES...]"),
    "genmove": Command(_genmove, "COLOR"),
    "reg_genmove": Command(_reg_genmove, "COLOR"),
    "undo": Command(_undo),
    "time_settings": Command(_time_settings, "MAIN PERIOD STONES"),
    "time_left": Command(_time_left, "COLOR SECONDS STONES"),
    "final_score": Command(_final_score),
    "showboard": Command(_showboard),
}
