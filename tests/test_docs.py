"""The documentation: what it shows runs, and what there is stands in it."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from conftest import ROOT

import nogo
from nogo import registry
from nogo.cli import main as cli

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WRITTEN = {"commands.md", "agents-reference.md"}  # from the program, when the documentation is built
FENCE = re.compile(r"(?:<!-- not run: (?P<why>.+?) -->\n)?^```(?P<language>[^\n`]*)\n(?P<text>.*?)^```$", re.S | re.M)


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    text: str
    why_not: str | None

    @property
    def name(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start("text")), found["language"], found["text"], found["why"])
        for found in FENCE.finditer(text)
    ]


BLOCKS = [block for page in PAGES if page.name not in WRITTEN for block in blocks_of(page)]
RUN = [block for block in BLOCKS if block.why_not is None]


def of(language: str) -> list[object]:
    return [pytest.param(block, id=block.name) for block in RUN if block.language == language]


@pytest.mark.parametrize("block", of("python"))
def test_a_python_example_runs(block, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(block.text, block.name, "exec"), {"__name__": "example"})
    capsys.readouterr()


@pytest.mark.parametrize("block", of("sh"))
@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash to run them")
def test_a_command_runs(block, tmp_path):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", block.text],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def command_lines() -> list[object]:
    """Every use of our command in the pages, run or not."""
    found = []
    for block in BLOCKS:
        for line in block.text.replace("\\\n", " ").splitlines() if block.language == "sh" else []:
            words = shlex.split(line, comments=True)
            if words[:3] in (["python", "-m", "nogo"], ["python", "-m", "nogo.match"]) or words[:1] == ["nogo"]:
                found.append(pytest.param(words, id=f"{block.name}:{line[:40]}"))
    return found


@pytest.mark.parametrize("words", command_lines())
def test_a_command_shown_is_one_that_there_is(words, tmp_path, monkeypatch):
    (tmp_path / "before.json").write_text("{}")  # what an earlier line of an example has written
    monkeypatch.chdir(tmp_path)
    words = words[1:] if words[0] == "nogo" else ["match", *words[3:]] if words[2] == "nogo.match" else words[3:]
    words = words[: words.index(">")] if ">" in words else words
    words = words[: words.index("|")] if "|" in words else words
    words = [str(ROOT / word) if word.startswith("experiments/") else word for word in words]
    command = cli
    while isinstance(command, click.Group) and words and words[0] in command.commands:
        command, words = command.commands[words[0]], words[1:]
    assert command is not cli, words
    command.make_context(command.name, words)


def test_what_is_not_run_says_why():
    for block in BLOCKS:
        assert block.language, f"{block.name}: say in which language it is; text is for what is no code"
        assert block.language in {"python", "sh", "toml", "text", "c"} or block.language.startswith("{"), block.name


# What there is


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


WRITING = "".join(page(name) for name in ("agents.md", "writing-agents.md") if (ROOT / "docs" / name).exists())


def test_every_option_of_the_search_is_documented():
    text = page("search.md")
    missing = [f.name for f in dataclasses.fields(nogo.SearchOptions) if f"`{f.name}`" not in text]
    assert not missing


def test_every_agent_is_documented():
    names = [entry.spec.name for entry in registry.agents() if entry.origin.distribution == "nogo"]
    assert not [name for name in names if f"`{name}`" not in page("agents.md")]


def test_every_hook_is_documented():
    assert not [name for name in registry.hook_names() if f"`{name}" not in WRITING]


def reference():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "docs/reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_command_explains_itself_and_its_options():
    text = reference().commands_page()
    for name, command in reference().commands():
        assert f"## {name}\n" in text
        assert command.help, f"{name} has no help"
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert parameter.help, f"{name}: {parameter.opts} has no help"


def test_every_agent_and_option_is_on_the_page_of_agents():
    text = reference().agents_page()
    for entry in registry.agents():
        if entry.origin.distribution == "nogo":
            assert f"## {entry.spec.name}\n" in text
            assert entry.spec.summary
            assert all(f"| `{option.name}` |" in text for option in entry.spec.options)


@pytest.mark.parametrize("name", nogo.__all__)
def test_every_public_name_is_in_the_api_reference(name):
    told = page("api.md")
    value = getattr(nogo, name)
    module = getattr(value, "__module__", "nogo")
    constants = isinstance(value, int)
    assert constants or f"nogo.{name}\n" in told or f"automodule:: {module}\n" in told
