"""The plugin to begin with: what is written, what is refused. That it passes its own tests, tox -e plugins shows."""

from __future__ import annotations

import ast

import pytest
from click.testing import CliRunner

from nogo.cli import main
from nogo.skeleton import FILES, new

try:
    import tomllib
except ImportError:  # Python 3.10
    tomllib = None  # type: ignore[assignment]


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, ["agents", "new", *arguments])
    assert result.exit_code == code, result.output
    return result.output


def test_a_plugin_is_written_whole(tmp_path):
    target = new("very-new", tmp_path)
    assert target.name == "nogo-agent-very-new"
    written = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    assert written == {path.replace("$module", "nogo_agent_very_new") for path in FILES}
    for path in written:
        text = (target / path).read_text(encoding="utf-8")
        assert "$" not in text.replace("${{", ""), path
        if path.endswith(".py"):
            ast.parse(text)


@pytest.mark.skipif(tomllib is None, reason="Python 3.10 does not read TOML")
def test_its_entry_point_is_called_like_the_agent(tmp_path):
    project = tomllib.loads((new("very-new", tmp_path) / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["nogo"] == {"very-new": "nogo_agent_very_new"}
    assert project["name"] == "nogo-agent-very-new"


def test_the_command_says_what_to_do_next(tmp_path):
    output = run("very-new", "--into", str(tmp_path))
    assert "nogo agents check very-new" in output
    assert (tmp_path / "nogo-agent-very-new/pyproject.toml").exists()


@pytest.mark.parametrize("name", ["", "Bad", "a b", "../up", "-x", "x-", "x" * 41, "a/b", "nul\0"])
def test_a_name_that_is_none_is_refused_and_nothing_is_written(name, tmp_path):
    assert "small letters" in run("--into", str(tmp_path), "--", name, code=2)
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_taken_is_refused(tmp_path):
    assert "agent 'uct' is taken by nogo" in run("uct", "--into", str(tmp_path), code=2)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_is_not_touched(tmp_path):
    (tmp_path / "nogo-agent-mine").mkdir()
    assert "is there already" in run("mine", "--into", str(tmp_path), code=2)
    assert list((tmp_path / "nogo-agent-mine").iterdir()) == []


def test_the_prefix_may_be_said(tmp_path):
    assert new("nogo-agent-mine", tmp_path).name == "nogo-agent-mine"
