"""A match from plan to last record, with an executor that plays at random: what is played, stopped, told and kept."""

from __future__ import annotations

import os
import threading

import pytest
from fake_executor import Fake
from match_samples import plan

from nogo.errors import RecordError
from nogo.match.journal import Journal, read_records
from nogo.match.record import CRASHED, FINISHED, VOID
from nogo.match.runner import Match


def play(folder, of, executor=None, **settings):
    """Play a match to where it goes; gives what is known of it, and the games it told of."""
    told = []
    with Journal(folder, of) as journal:
        match = Match(journal, **settings)
        for games in match.play(executor or Fake()):
            told += games
    return match, told


def test_every_game_is_played_once_and_told_once(tmp_path):
    match, told = play(tmp_path, plan(pairs=40))
    assert match.is_over
    assert match.played == 80
    assert [record.number for record in told] == list(range(80))
    assert list(read_records(tmp_path)) == told


def test_a_game_is_on_disk_before_anybody_is_told(tmp_path, monkeypatch):
    """At each sync nobody has been told of more than was synced before."""
    told, synced = [], []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(len(told)), real(file)))
    with Journal(tmp_path, plan(pairs=30)) as journal:
        for games in Match(journal).play(Fake()):
            on_disk = {record.number for record in read_records(tmp_path)}
            assert {record.number for record in games} <= on_disk
            told += games
    assert len(synced) > 1
    assert len(told) == 60


def test_games_that_end_together_are_synced_together(tmp_path, monkeypatch):
    syncs = []
    monkeypatch.setattr(os, "fsync", syncs.append)
    play(tmp_path, plan(pairs=200))
    assert len(syncs) < 300


def test_a_match_that_stops_goes_on_where_it_was(tmp_path):
    of = plan(pairs=10)
    with Journal(tmp_path, of) as journal:
        match, executor = Match(journal), Fake(held=7)
        for games in match.play(executor):
            if match.played == 7 and not games:
                match.stop()
    assert match.interrupted
    assert match.played == 7
    assert executor.wishes == [False]
    again, told = play(tmp_path, of)
    assert again.resumed == 7
    assert [record.number for record in told] == list(range(7, 20))
    assert again.is_over


def test_to_stop_now_is_passed_on(tmp_path):
    with Journal(tmp_path, plan(pairs=10)) as journal:
        match, executor = Match(journal), Fake(held=3)
        for _ in match.play(executor):
            match.stop(now=True)
    assert executor.wishes[0] is True


def test_a_match_that_is_over_is_not_played_again(tmp_path):
    play(tmp_path, plan(pairs=2))
    executor = Fake()
    match, told = play(tmp_path, plan(pairs=2), executor)
    assert told == executor.given == []
    assert match.is_over


def test_a_caller_that_leaves_stops_the_executor(tmp_path):
    executor = Fake()
    with Journal(tmp_path, plan(pairs=1000)) as journal:
        for _ in Match(journal).play(executor):
            break
    assert executor.wishes == [True]
    assert not any(thread.name == "nogo-match" for thread in threading.enumerate())


def test_what_ended_before_the_executor_failed_is_kept(tmp_path):
    with pytest.raises(RuntimeError, match="the cluster is gone"):
        play(tmp_path, plan(pairs=10), Fake(fails_after=9))
    assert len(list(read_records(tmp_path))) == 9


def test_a_test_that_has_decided_ends_the_match(tmp_path):
    """The second agent wins every game: random pairs would go on for long."""
    of = plan(pairs=500, sprt="0,50")
    loses = {number: (FINISHED, (number + 1) % 2, "no legal move") for number in range(of.game_count)}
    match, told = play(tmp_path, of, Fake(loses))
    assert match.test[1].verdict == "H0"
    assert match.is_over
    assert not match.interrupted
    assert match.played == len(told) < 1000
    again, told = play(tmp_path, of)
    assert not told
    assert again.test == match.test


@pytest.mark.parametrize("end", [(CRASHED, 1, "exit code 3"), (VOID, None, "no such engine")])
def test_strict_ends_with_the_first_game_that_is_spoilt(tmp_path, end):
    executor = Fake({5: end}, held=6)
    match, told = play(tmp_path, plan(pairs=50), executor, strict=True)
    assert match.spoilt is not None
    assert match.spoilt.number == 5
    assert match.is_over
    assert told[-1].number == 5
    assert True in executor.wishes
    again, told = play(tmp_path, plan(pairs=50), strict=True)
    assert again.is_over
    assert not told
    lenient, told = play(tmp_path, plan(pairs=50))
    assert lenient.spoilt == match.spoilt
    assert len(told) == 94


def test_plugins_observe_what_is_on_disk(tmp_path, monkeypatch):
    from nogo import registry

    seen = []
    monkeypatch.setattr(registry.default(), "game_finished", seen.append)
    _, told = play(tmp_path, plan(pairs=3))
    assert [record["number"] for record in seen] == [record.number for record in told]
    assert seen[0]["format"] == 1


def test_a_full_disk_ends_the_match(tmp_path, monkeypatch):
    executor = Fake()

    def fail(self, records):
        raise RecordError("no room")

    with Journal(tmp_path, plan(pairs=1000)) as journal:
        match = Match(journal)
        monkeypatch.setattr(Journal, "append", fail)
        with pytest.raises(RecordError, match="no room"):
            list(match.play(executor))
    assert executor.wishes == [True]
