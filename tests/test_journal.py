"""A match on disk: what is there stays there, whoever interrupts, and belongs to one match and one run."""

from __future__ import annotations

import json
import os
import resource
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from match_samples import plan, sample_records

from nogo.errors import RecordError
from nogo.match.journal import GAMES, MATCH, Journal, Numbers, read_plan, read_records

PLAN = plan(pairs=4)
RECORDS = sample_records(PLAN, moves=5)


def written(folder: Path, count: int = len(RECORDS)) -> Path:
    """Leave a folder with so many games."""
    with Journal(folder, PLAN) as journal:
        journal.append(RECORDS[:count])
    return folder


def reread(folder: Path) -> list:
    with Journal(folder, PLAN) as journal:
        return list(journal.records())


def test_what_is_appended_is_read_back(tmp_path):
    folder = tmp_path / "some" / "where"
    with Journal(folder, PLAN) as journal:
        journal.append(RECORDS[5:])
        assert list(read_records(folder)) == RECORDS[5:], "it is there while the run goes on"
        journal.append(RECORDS[:5])
        assert len(journal.played) == 8
    assert reread(folder) == RECORDS[5:] + RECORDS[:5]
    assert read_plan(folder) == PLAN
    assert sorted(os.listdir(folder)) == [GAMES, MATCH]


def test_a_second_run_is_refused_until_the_first_has_ended(tmp_path):
    with Journal(tmp_path, PLAN), pytest.raises(RecordError, match="in use by another run"):
        Journal(tmp_path, PLAN)
    Journal(tmp_path, PLAN).close()


@pytest.mark.parametrize("keep", [0, 1, 100])
def test_a_torn_last_line_is_dropped_and_nothing_else(tmp_path, keep):
    path = written(tmp_path) / GAMES
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:keep])
    with Journal(tmp_path, PLAN) as journal:
        assert journal.torn == keep
        assert list(journal.records()) == RECORDS[:-1]
        journal.append(RECORDS[-1:])
    assert path.read_bytes() == whole


@given(st.data())
@settings(max_examples=20)
def test_wherever_the_file_is_cut_the_whole_lines_stay(tmp_path_factory, data):
    path = written(tmp_path_factory.mktemp("cut")) / GAMES
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    assert reread(path.parent) == RECORDS[: whole[:cut].count(b"\n")]


def test_a_line_longer_than_a_block_is_dropped_whole(tmp_path):
    path = written(tmp_path, 2) / GAMES
    with path.open("ab") as file:
        file.write(b"\0" * 200_000)
    assert reread(tmp_path) == RECORDS[:2]
    path.write_bytes(b"x" * 200_000)
    assert reread(tmp_path) == []


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda line: line[:50] + b"\n", "is not a game's record"),
        (lambda line: b"\n", "is not a game's record"),
        (lambda line: b"\xff" + line, "is not text"),
        (lambda line: line.replace(b'"seed":1,', b'"seed":2,', 1), "is not of this match"),
        (lambda line: line.replace(b'"number":2', b'"number":8'), "is not of this match"),
        (lambda line: line.replace(b'"number":2', b'"number":-2'), "is not of this match"),
        (lambda line: line.replace(b'"number":2', b'"number":3'), "is not between"),
        (lambda line: line.replace(b'"game":"hollow-nogo"', b'"game":"othello"'), "is not between"),
        (lambda line: line.replace(b'"number":2,"pair":1', b'"number":0,"pair":0'), "is there twice"),
    ],
)
def test_a_corrupt_line_is_named_and_nothing_is_changed(tmp_path, damage, says):
    path = written(tmp_path) / GAMES
    lines = path.read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:2], damage(lines[2]), *lines[3:]])
    path.write_bytes(damaged)
    with pytest.raises(RecordError, match=f"games.jsonl, line 3: .*{says}"):
        reread(tmp_path)
    assert path.read_bytes() == damaged


def test_another_match_is_refused_with_the_difference(tmp_path):
    before = (written(tmp_path) / GAMES).read_bytes()
    with pytest.raises(RecordError, match=r"seed: 1 there, 2 here; sprt: None there, 0,10,0.05,0.05 here"):
        Journal(tmp_path, plan(pairs=4, seed=2, sprt="0,10"))
    with pytest.raises(RecordError, match="contestants: uct, random there, rave, random here"):
        Journal(tmp_path, plan("rave", "random", pairs=4))
    assert (tmp_path / GAMES).read_bytes() == before
    assert reread(tmp_path) == RECORDS


def test_another_version_is_refused(tmp_path):
    path = written(tmp_path) / MATCH
    path.write_text(path.read_text().replace('"version of nogo": "', '"version of nogo": "9'))
    with pytest.raises(RecordError, match="version of nogo: 9"):
        Journal(tmp_path, PLAN)


@pytest.mark.parametrize("name", ["thesis.tex", "report.html"])
def test_a_foreign_folder_is_refused_and_stays_as_it_is(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(RecordError, match=f"is not the folder of a match: it holds {name}"):
        Journal(tmp_path, PLAN)
    assert os.listdir(tmp_path) == [name]


def test_games_without_a_match_are_foreign(tmp_path):
    (written(tmp_path) / MATCH).unlink()
    with pytest.raises(RecordError, match=r"holds games\.jsonl, but no match\.json"):
        Journal(tmp_path, PLAN)
    with pytest.raises(RecordError, match=r"has no match\.json"):
        read_plan(tmp_path)


def test_what_a_run_leaves_that_is_killed_at_once_is_no_foreign_folder(tmp_path):
    (tmp_path / GAMES).touch()
    (tmp_path / "match.json.new").write_text('{"format"')
    written(tmp_path)
    assert reread(tmp_path) == RECORDS


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 1}', '{"format": 1, "plan": 3, "versions": {}}', "[" * 9999]
)
def test_a_broken_match_file_is_named(tmp_path, text):
    (tmp_path / MATCH).write_text(text)
    with pytest.raises(RecordError, match=r"match\.json does not say what is played"):
        Journal(tmp_path, PLAN)
    with pytest.raises(RecordError, match=MATCH):
        read_plan(tmp_path)


def test_a_match_of_a_later_format_is_refused(tmp_path):
    path = written(tmp_path) / MATCH
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 2}))
    with pytest.raises(RecordError, match="not of format 1"):
        Journal(tmp_path, PLAN)


def test_a_match_with_an_agent_that_is_not_installed_says_so(tmp_path):
    path = written(tmp_path) / MATCH
    path.write_text(path.read_text().replace('"uct"', '"gone"'))
    with pytest.raises(RecordError, match=r"match\.json: unknown agent 'gone'"):
        read_plan(tmp_path)


def test_a_folder_that_cannot_be_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / ("x" * 300)):
        with pytest.raises(RecordError, match=r"cannot be written: .*; use another --out DIR"):
            Journal(folder, PLAN)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(RecordError, match="Permission denied"):
        Journal(tmp_path, PLAN)


@contextmanager
def disk_of(size: int):
    """Let no file grow beyond a size, as a full disk does not."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_stops_with_a_clear_message_and_whole_records(tmp_path):
    path = written(tmp_path, 3) / GAMES
    before = path.read_bytes()
    with Journal(tmp_path, PLAN) as journal:
        assert list(journal.records()) == RECORDS[:3]
        with disk_of(len(before) + len(RECORDS[3].to_line()) + 100):
            with pytest.raises(RecordError, match="File too large; the 3 games in it are safe; make room"):
                journal.append(RECORDS[3:])
            assert path.read_bytes() == before, "of a group that does not fit, none is there"
            journal.append(RECORDS[3:4])
        journal.append(RECORDS[4:])
    assert reread(tmp_path) == RECORDS


@given(st.lists(st.integers(0, 5000)))
def test_numbers_are_a_set(given_numbers):
    numbers = Numbers()
    for number in given_numbers:
        numbers.add(number)
    assert len(numbers) == len(set(given_numbers))
    assert [n for n in range(5001) if n in numbers] == sorted(set(given_numbers))
    assert -1 not in numbers
    assert "1" not in numbers
