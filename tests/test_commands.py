"""The commands agents and search: what they show, as text and JSON, and how they refuse."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

import nogo
from nogo import Budget, registry
from nogo.cli import main

NAMES = [found.spec.name for found in registry.agents()]


def run(*arguments: str, code: int = 0, columns: int = 80) -> str:
    result = CliRunner(env={"COLUMNS": str(columns)}).invoke(main, list(arguments))
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


def refusal(*arguments: str) -> str:
    """The one line that says what is wrong."""
    lines = run(*arguments, code=2).strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


# agents


@pytest.mark.parametrize("columns", [80, 120])
def test_the_list_shows_every_agent_and_fits(columns):
    output = run("agents", columns=columns)
    for name in NAMES:
        assert re.search(rf"^\s*{re.escape(name)} ", output, re.M), name
    assert f"nogo {nogo.build_info().version}" in output
    assert max(map(len, output.splitlines())) <= columns
    assert "…" not in output, "nothing is cut off"


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", NAMES)
def test_an_explanation_shows_formula_and_every_option_and_fits(name, columns):
    output = run("agents", name, columns=columns)
    spec = registry.get(name)
    for word in spec.explanation.split():
        assert word in output
    for option in spec.options:
        (row,) = re.findall(rf"^  {option.name}  .*$", output, re.M)
        assert f" {option.show(option.default)} " in row
    assert max(map(len, output.splitlines())) <= columns
    assert "…" not in output


def test_the_list_gives_the_defaults_of_all_options():
    """An option stands with its agent, or in the table of shared ones with the same default."""
    output = run("agents", columns=120)
    listed, shared = output.split("Options that most")
    for found in registry.agents():
        row = re.split(r"\n\s+[a-z0-9-]+ +(?:all|nogo|othello|einstein)\b", listed.split(f" {found.spec.name} ")[1])[0]
        for option in found.spec.options:
            value = option.show(option.default)
            common = re.search(rf"^\s*{option.name} +{re.escape(value)} ", shared, re.M)
            assert common or f"{option.name}={value}" in row, (found.spec.name, option.name)


def test_json_lists_the_same():
    found = json.loads(run("agents", "--json"))
    assert [agent["name"] for agent in found["agents"]] == NAMES
    assert found["problems"] == []
    (uct,) = (agent for agent in found["agents"] if agent["name"] == "uct")
    (c,) = (option for option in uct["options"] if option["name"] == "c")
    assert (c["type"], c["default"], c["least"]) == ("float", 0.5, 0)
    assert uct["distribution"] == "nogo"


def test_strict_is_content_when_nothing_is_broken():
    assert "uct" in run("agents", "--strict")


def test_an_unknown_agent_is_refused_in_one_line():
    line = refusal("agents", "ravee")
    assert "did you mean 'rave'?" in line


# search


def test_search_shows_board_moves_and_choice():
    output = run("search", "hollow-nogo", "uct", "--moves", "E5 D4", "--budget", "playouts=500")
    assert nogo.game("hollow-nogo").start().play("E5").play("D4").diagram in output
    assert "500 playouts" in output
    assert "visits" in output


def test_search_of_an_agent_without_a_search_shows_its_move():
    output = run("search", "nogo:3x3", "random")
    assert output.strip().splitlines()[-1] in nogo.game("nogo:3x3").notation.move_names


def test_search_json_is_what_the_agent_found():
    text = "othello " + nogo.game("othello").start().play("f5").text.split(" ", 1)[1]
    arguments = ("othello", "tuned:c=0.8", "--position", text, "--budget", "playouts=700", "--seed", "3")
    found = json.loads(run("search", *arguments, "--json"))
    position = nogo.position(text)
    choice = registry.create("tuned:c=0.8", position.game, 3).choose(position, Budget(playouts=700))
    assert found["move"] == choice.move
    assert found["move_name"] == position.game.move_name(choice.move)
    assert found["agent"] == "tuned:c=0.8"
    assert found["budget"] == "playouts=700"
    assert found["position"] == position.text
    assert found["playouts"] == found["details"]["playouts"] == 700
    assert found["details"]["visits"] == choice.details.visits.tolist()
    assert found["details"]["moves_names"] == [position.game.move_name(move) for move in position.legal_moves()]


def test_moves_are_made_after_the_position():
    arguments = ("search", "nogo:3x3", "random", "--position", "nogo:3x3 .X./.O./... black", "--moves", "a1,c1")
    assert json.loads(run(*arguments, "--json"))["position"] == "nogo:3x3 .X./.O./X.O black"


def test_a_time_is_kept():
    found = json.loads(run("search", "hollow-nogo", "uct", "--budget", "time=50ms", "--json"))
    assert found["details"]["stopped"] == "time"
    assert found["details"]["seconds"] < 0.5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("hollow", "uct"), "unknown game 'hollow'"),
        (("hollow-nogo", "utc"), "did you mean 'uct'?"),
        (("hollow-nogo", "uct:cc=1"), "unknown option 'cc' for agent 'uct'; did you mean 'c'?"),
        (("hollow-nogo", "uct:c=-1"), "c=-1"),
        (("hollow-nogo", "uct:threads=1000"), "use 1 to 256"),
        (("hollow-nogo", "r3-uct"), "'r3-uct' does not play hollow-nogo"),
        (("nogo:1x1", "uct"), "the game is over"),
        (("einstein:5x5", "uct"), "the die is to be thrown"),
        (("hollow-nogo", "uct", "--budget", "playouts=0"), "playouts=0"),
        (("hollow-nogo", "uct", "--budget", "time=0s"), "seconds=0"),
        (("hollow-nogo", "uct", "--budget", ""), "is not a budget"),
        (("hollow-nogo", "uct", "--budget", "much"), "write e.g. playouts=10000"),
        (("hollow-nogo", "uct", "--seed", "-1"), "seed=-1"),
        (("hollow-nogo", "uct", "--moves", "E5 E5"), "not empty"),
        (("hollow-nogo", "uct", "--moves", "Z9"), "'Z9' is not a move"),
        (("hollow-nogo", "uct", "--position", "othello start"), "othello"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments, said):
    assert said in refusal("search", *arguments)


@pytest.mark.parametrize("command", ["agents", "search"])
def test_help_has_examples(command):
    assert f"nogo {command}" in run(command, "--help").split("Examples:")[1]
