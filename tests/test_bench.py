"""The bench command: its JSON, its table, its comparison, perft."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

import nogo
from nogo.bench.rates import GAMES, Rates
from nogo.cli import main

QUICK = ["--seconds", "0.01", "--rounds", "1"]


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == code, result.output
    return result.output if code else result.stdout


@pytest.fixture(scope="module")
def measured() -> dict:
    return json.loads(run("bench", "--json", *QUICK))


def test_json_names_the_set_in_use_and_every_rate(measured):
    info = nogo.build_info()
    assert (measured["isa"], measured["openmp"]) == (info.isa, info.openmp)
    assert set(measured["playouts"]) == {"hollow-nogo", "nogo:9x9", "othello", "einstein", "einstein:5x5"}
    for figures in measured["playouts"].values():
        assert figures["single"] > 0
        assert figures["batch"] > 0
        assert (figures["batch_threads"] or 0) > 0 or not info.openmp
    assert measured["python"]["othello"] > 0
    assert measured["search"]["hollow-nogo"]["uct"] > 0
    assert measured["search"]["einstein"]["r4-tuned"] > 0


def test_table_shows_every_game_and_what_the_numbers_mean():
    output = run("bench", *QUICK)
    for name in GAMES:
        assert name in output
    assert "CPU time on one core" in output
    assert nogo.build_info().isa in output


def test_compare_shows_ratios_to_an_earlier_run(measured, tmp_path):
    doubled = Rates.from_json(measured)
    for figures in doubled.playouts.values():
        figures["batch"] *= 1000
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps(doubled.as_json()))
    assert "x0.00" in run("bench", "--compare", str(earlier), *QUICK)


@pytest.mark.parametrize("content", ["", "{}", "[1]", "no json", '{"isa": 1}'])
def test_compare_refuses_what_is_not_a_run(content, tmp_path):
    earlier = tmp_path / "earlier.json"
    earlier.write_text(content)
    assert "nogo bench --json" in run("bench", "--compare", str(earlier), *QUICK, code=2)


def test_runs_from_the_source_tree_too(root):
    """There `python -m nogo` finds the tree's Python files, and the installed engine."""
    command = [sys.executable, "-m", "nogo", "bench", "perft", "othello", "3"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "56"


def test_perft_prints_the_count_alone_on_its_last_line():
    assert run("bench", "perft", "othello", "6").splitlines()[-1] == "8200"


def test_perft_of_an_unknown_game_is_one_line():
    output = run("bench", "perft", "othelo", "3", code=2)
    assert output.startswith("Error: unknown game 'othelo'; did you mean 'othello'?")
    assert "Traceback" not in output


def test_build_info_prints():
    info = nogo.build_info()
    assert info.isa in str(info)
    assert info.isas[-1] == "plain"
