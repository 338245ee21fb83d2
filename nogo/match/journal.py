"""A match on disk: what is played (match.json), and every game that has ended (games.jsonl), one a line.

A game exists once its line is synced. One run at a time writes to a folder; the line that a killed run left unfinished
is dropped by the next one, which plays that game again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from nogo import core, registry
from nogo.errors import NogoError, RecordError
from nogo.match.plan import Plan, differences, plan_from_json
from nogo.match.record import GameRecord

GAMES: Final = "games.jsonl"
MATCH: Final = "match.json"
_DRAFT: Final = "match.json.new"
FORMAT: Final = 1
LONGEST: Final = 2**24
"""Bytes of a line; whatever is longer is no game."""


class Numbers:
    """A set of numbers from 0 on, a byte each: as large as a match is long, and no larger."""

    def __init__(self) -> None:
        """Begin without any."""
        self._flags = bytearray()
        self._count = 0

    def __contains__(self, number: object) -> bool:
        """Tell whether a number is there."""
        return isinstance(number, int) and 0 <= number < len(self._flags) and bool(self._flags[number])

    def __len__(self) -> int:
        """Count them."""
        return self._count

    def add(self, number: int) -> None:
        """Take a number in."""
        if number not in self:
            self._flags.extend(bytes(max(0, number + 1 - len(self._flags))))
            self._flags[number] = 1
            self._count += 1


class Journal:
    """The folder of a match that is being played: locked, repaired, and checked to be of this very plan."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Open a folder, or make one; a RecordError says why it is not to be had, and nothing is changed."""
        self.folder, self.plan = folder, plan
        self.played = Numbers()
        """The games whose records have been read or written here."""
        self._cells, self._names = plan.cells, [tuple(each.name for each in pairing) for pairing in plan.pairings]
        self.torn = 0
        """Bytes of the unfinished line that was dropped."""
        _refuse_foreign(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(folder / GAMES, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise _unwritable(folder, error) from None
        try:
            self._claim()
        except BaseException:
            os.close(self._file)
            raise

    def _claim(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RecordError(
                f"{self.folder} is in use by another run; wait for it, or use another --out DIR"
            ) from None
        try:
            if (self.folder / MATCH).exists():
                _refuse_other(self.folder, self.plan)
            else:
                _write_match(self.folder, self.plan)
            self._drop_torn_line()
        except OSError as error:
            raise _unwritable(self.folder, error) from None

    def _drop_torn_line(self) -> None:
        size = os.fstat(self._file).st_size
        whole = _end_of_lines(self._file, size)
        self.torn = size - whole
        if self.torn:
            os.ftruncate(self._file, whole)
            os.fsync(self._file)
        self._synced = whole

    def records(self) -> Iterator[GameRecord]:
        """Read the games that are there, each checked to be one of the plan's, and the only one of its number."""
        for line, record in _numbered(self.folder / GAMES):
            problem = self._why_not_ours(record)
            if problem:
                raise _corrupt(self.folder / GAMES, line, problem)
            self.played.add(record.number)
            yield record

    def _why_not_ours(self, record: GameRecord) -> str:
        number, pair, seed = record.number, record.pair, record.seed
        if not 0 <= number < self.plan.game_count or pair != number // 2 or seed != self.plan.seed:
            return f"game {number} of pair {pair} with seed {seed} is not of this match"
        cell, pairing = divmod(pair % (len(self._cells) * len(self._names)), len(self._names))
        game, names = self._cells[cell][0], self._names[pairing]
        if record.game != game or record.agents != (names[::-1] if number % 2 else names):
            return f"game {number} is not between {' and '.join(names)} at {game}"
        return f"game {number} is there twice" if number in self.played else ""

    def append(self, records: Sequence[GameRecord]) -> None:
        """Write some games and sync them together; when that fails none of them is there."""
        data = memoryview("".join(record.to_line() for record in records).encode())
        try:
            written = 0
            while written < len(data):
                written += os.write(self._file, data[written:])
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self._synced)
            raise RecordError(
                f"{self.folder / GAMES} cannot be written: {error.strerror}; the {len(self.played):,} games in it are"
                " safe; make room and give the same command again to go on"
            ) from None
        self._synced += len(data)
        for record in records:
            self.played.add(record.number)

    def close(self) -> None:
        """Let the folder go."""
        os.close(self._file)

    def __enter__(self) -> Journal:
        """Give itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Close."""
        self.close()


# ---- reading, also while a run writes ----


def read_plan(folder: Path) -> Plan:
    """Read what a folder's match is."""
    try:
        return plan_from_json(_read_match(folder)["plan"])
    except (NogoError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"{folder / MATCH}: {error}") from None


def read_records(folder: Path) -> Iterator[GameRecord]:
    """Read a folder's games, in the order in which they ended; a line that is being written is not there yet."""
    return (record for _, record in _numbered(folder / GAMES))


def _numbered(path: Path) -> Iterator[tuple[int, GameRecord]]:
    try:
        with path.open("rb") as file:
            number = 0
            while (line := file.readline(LONGEST)) and (line.endswith(b"\n") or len(line) == LONGEST):
                number += 1
                yield number, _parsed(path, number, line)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None


def _parsed(path: Path, number: int, line: bytes) -> GameRecord:
    try:
        return GameRecord.from_line(line.decode())
    except UnicodeDecodeError:
        raise _corrupt(path, number, "it is not text") from None
    except RecordError as error:
        raise _corrupt(path, number, str(error)) from None


def _corrupt(path: Path, line: int, problem: str) -> RecordError:
    return RecordError(f"{path}, line {line}: {problem}; delete the line, and the same command plays its game again")


def _end_of_lines(file: int, size: int) -> int:
    """Find where the last whole line ends."""
    end = size
    while end:
        begin = max(0, end - 2**16)
        newline = os.pread(file, end - begin, begin).rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0


# ---- what is played ----


def _refuse_foreign(folder: Path) -> None:
    """Refuse a folder that holds anything, but no match."""
    try:
        names = {path.name for path in folder.iterdir()}
        empty = GAMES not in names or (folder / GAMES).stat().st_size == 0
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unwritable(folder, error) from None
    strange = sorted(names - {_DRAFT} - ({GAMES} if empty else set()))
    if MATCH not in names and strange:
        raise RecordError(
            f"{folder} is not the folder of a match: it holds {strange[0]}, but no {MATCH}; use another --out DIR"
        )


def _refuse_other(folder: Path, plan: Plan) -> None:
    theirs, ours = _read_match(folder), _facts(plan)
    found = differences(*({**facts["plan"], **facts["versions"]} for facts in (ours, theirs)))
    if found:
        raise RecordError(f"{folder} holds another match ({'; '.join(found)}); use another --out DIR")


def _facts(plan: Plan) -> dict[str, Any]:
    default = registry.default()
    origins = [default.find(registry.select(contestant.agent).spec.name).origin for contestant in plan.contestants]
    versions = {f"version of {origin.distribution}": origin.version for origin in origins}
    versions["version of nogo"] = core.build_info().version
    return {"format": FORMAT, "plan": plan.to_json(), "versions": versions}


def _read_match(folder: Path) -> Mapping[str, Any]:
    path = folder / MATCH
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        found = {"format": facts["format"], "plan": dict(facts["plan"]), "versions": dict(facts["versions"])}
    except FileNotFoundError:
        raise RecordError(f"{folder} is not the folder of a match: it has no {MATCH}") from None
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RecordError(f"{path} does not say what is played ({' '.join(str(error).split())})") from None
    if found["format"] != FORMAT:
        raise RecordError(f"{path} is not of format {FORMAT}; use the version of nogo that wrote it")
    return found


def _write_match(folder: Path, plan: Plan) -> None:
    """Write it whole or not at all."""
    draft = folder / _DRAFT
    with draft.open("w", encoding="utf-8") as file:
        json.dump(_facts(plan), file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / MATCH)
    directory = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _unwritable(folder: Path, error: OSError) -> RecordError:
    return RecordError(f"{folder} cannot be written: {error.strerror}; use another --out DIR")
