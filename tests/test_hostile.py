"""Agents of others that mean harm: each loses its own games, with the right reason, and nobody else notices."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from faulty import PLUGIN
from playing import plan, play_all, play_here, timeless
from processes import mark, marked

from nogo.match import seats
from nogo.match.schedule import tasks

ENOUGH = 1500  # MiB for Python, numpy and the engine on any machine, and less than the hungry one asks for
HOSTILE = {
    "descriptors": ("agent crashed", "its process wrote what is no answer"),
    "close": ("agent crashed", "its process"),
    "memory": ("agent crashed", "MemoryError"),
    "patch": ("agent crashed", ""),
    "deaf": ("engine stalled", "no move within 3 s"),
    "exit": ("agent crashed", "its process ended: exit code 3"),
    "fork": ("finished", ""),
    "print": ("finished", ""),
}
pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc here to look for processes"),
    pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes memory of its own"),
]


def test_the_hostile_lose_their_games_and_the_others_play_as_ever(stage, monkeypatch):
    stage.add("trouble", PLUGIN)
    word = mark()
    monkeypatch.setenv("NOGO_TEST_MARK", word)
    names = {f"trouble:fault={fault}": fault for fault in HOSTILE}
    of = plan("random", *names, "uct", format="gauntlet", memory=ENOUGH, stall=3.0)
    records = play_all(of)
    assert not marked(word), "what they forked is gone"
    innocent = []
    for record in records:
        fault = next((names[name] for name in record.agents if name in names), None)
        if fault is None:
            innocent.append(record)
            continue
        kind, words = HOSTILE[fault]
        culprit = 1 - record.agents.index("random")
        assert (fault, record.end.kind) == (fault, kind), record.end
        assert words in record.end.reason
        assert record.end.blame == (None if kind == "finished" else culprit)
    quiet = play_here(task for task in tasks(of) if {player.name for player in task.players} == {"random", "uct"})
    assert [timeless(record) for record in innocent] == [timeless(record) for record in quiet]
    assert len(innocent) == 2


def test_the_process_of_an_agent_has_its_pipes_and_no_file_of_the_match(stage):
    stage.add("trouble", PLUGIN)
    [record] = play_here(list(tasks(plan("trouble:fault=look", "random")))[:1])
    # standard input, output and errors, its two pipes to the referee, and the listing itself
    assert record.end.reason in ("ValueError: /dev/null /proc/%s pipe 6", "ValueError: /dev/null pipe 5")


def test_too_little_memory_to_begin_with_is_void_and_says_so(stage, monkeypatch):
    monkeypatch.setattr(seats, "START", 5.0)  # some builds of numpy's algebra try for ever
    stage.add("trouble", PLUGIN)
    [task, _] = tasks(plan("trouble", "random"))
    [record] = play_here([dataclasses.replace(task, memory=100)])
    assert (record.end.kind, record.end.blame) == ("void", 0)
    assert "its process does not start, with 100 MiB of memory: " in record.end.reason
