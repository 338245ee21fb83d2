"""Plugins as strangers install them: seen, chosen, played, and refused when they do not fit. Run by tox -e plugins."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import venv
from importlib import metadata
from pathlib import Path

import pytest

import nogo

ROOT = Path(__file__).parent.parent.parent
AGENTS = ("mobility", "halving", "native", "example")


def run(*command: str | Path, code: int = 0, cwd: Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"PYTHONPATH": str(path)} if path else {})}
    words = [str(part) for part in command]
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.mark.parametrize("agent", AGENTS)
def test_it_is_installed_and_not_imported_from_the_tree(agent, tmp_path):
    script = f"import nogo_agent_{agent} as plugin; print(plugin.__file__)"
    where = run(sys.executable, "-c", script, cwd=tmp_path).stdout.strip()
    assert where == str(metadata.distribution(f"nogo-agent-{agent}").locate_file(f"nogo_agent_{agent}/__init__.py"))
    assert "site-packages" in where


def test_all_are_listed_with_distribution_version_and_games(tmp_path):
    found = json.loads(run("nogo", "agents", "--json", "--strict", cwd=tmp_path).stdout)
    assert found["problems"] == []
    agents = {agent["name"]: agent for agent in found["agents"]}
    for name in AGENTS:
        assert (agents[name]["distribution"], agents[name]["version"]) == (f"nogo-agent-{name}", "0.1.0")
    assert agents["native"]["games"] == ["nogo"]
    assert agents["uct"]["distribution"] == "nogo"
    table = run("nogo", "agents", cwd=tmp_path).stdout
    assert "nogo-agent-mobility" in table


def test_asking_for_one_imports_no_other(tmp_path):
    script = """
        import sys, nogo
        from nogo import registry
        registry.create("mobility", nogo.game("othello"), 1)
        registry.create("uct", nogo.game("othello"), 1)
        print(*sorted(name for name in sys.modules if name.startswith("nogo_agent_")))
    """
    assert run(sys.executable, "-c", textwrap.dedent(script), cwd=tmp_path).stdout.split() == ["nogo_agent_mobility"]


def another(source: Path, headers: Path) -> None:
    """Make a copy of nogo-agent-native that builds an agent called later against other headers."""
    shutil.copytree(ROOT / "plugins/nogo-agent-native", source, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    (source / "src/nogo_agent_native").rename(source / "src/later_agent")
    renamed = {
        "nogo.get_include()": repr(str(headers)),
        "nogo-agent-native": "nogo-agent-later",
        "nogo_agent_native": "later_agent",
        'native = "later_agent"': 'later = "later_agent"',
        '"native", Native': '"later", Native',
    }
    for name in ("pyproject.toml", "setup.py", "native_build.py", "src/later_agent/__init__.py"):
        text = (source / name).read_text()
        for old, new in renamed.items():
            text = text.replace(old, new)
        (source / name).write_text(text)


def test_functions_built_for_another_contract_are_refused_when_they_are_loaded(tmp_path):
    """They are named and skipped, and do the others no harm."""
    headers, target = tmp_path / "headers", tmp_path / "installed"
    shutil.copytree(nogo.get_include(), headers)
    declarations = (headers / "nogo_api.h").read_text()
    assert declarations.count("NOGO_PLUGIN_VERSION = 1,") == 1
    (headers / "nogo_api.h").write_text(declarations.replace("NOGO_PLUGIN_VERSION = 1,", "NOGO_PLUGIN_VERSION = 7,"))
    another(tmp_path / "source", headers)
    options = ("-q", "--no-deps", "--no-build-isolation", "--target", target)
    run(sys.executable, "-m", "pip", "install", *options, tmp_path / "source", cwd=tmp_path)
    found = json.loads(run("nogo", "agents", "--json", cwd=tmp_path, path=target).stdout)
    assert {"uct", *AGENTS} <= {agent["name"] for agent in found["agents"]}
    (problem,) = found["problems"]
    assert problem == (
        "plugin 'later' of nogo-agent-later 0.1.0: built for version 7 of the C contract, but this nogo has version 1;"
        " build it again against the headers in nogo.get_include(), or install a release of it for this nogo"
    )
    run("nogo", "agents", "--strict", cwd=tmp_path, path=target, code=2)
    refused = run("nogo", "search", "nogo:5x5", "later", cwd=tmp_path, path=target, code=2)
    assert "unknown agent 'later'" in refused.stderr
    assert "1 plugin problem" in refused.stderr


# Played


def test_a_match_with_plugins_is_played_and_told(tmp_path):
    options = ("--game", "nogo:3x3", "--games", "4", "--budget", "playouts=100", "--format", "round-robin", "--quiet")
    run("nogo", "match", *AGENTS, *options, "--out", "played", cwd=tmp_path)
    games = [json.loads(line) for line in (tmp_path / "played/games.jsonl").read_text().splitlines()]
    assert len(games) == 4 * 6
    assert {game["end"]["kind"] for game in games} == {"finished"}
    report = (tmp_path / "played/report.html").read_text()
    for name in AGENTS:
        assert f">{name}<" in report


def commands(page: str) -> str:
    """The page's shell commands that begin a plugin."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S)
    (block,) = [block for block in blocks if "agents new" in block]
    return block


def test_the_documentation_s_page_and_the_readme_say_the_same():
    assert commands("README.md") == commands("docs/writing-agents.md")


@pytest.mark.skipif("TOX_PACKAGE" not in os.environ, reason="tox gives the wheel to install")
def test_a_newcomer_gets_from_nothing_to_a_report_by_the_readme(tmp_path):
    """In a fresh environment: the README's commands, one after another, each of which must succeed."""
    venv.create(tmp_path / "fresh", with_pip=True)
    programs = tmp_path / "fresh/bin"
    run(programs / "python", "-m", "pip", "install", "-q", os.environ["TOX_PACKAGE"], cwd=tmp_path)
    (tmp_path / "commands").write_text(f"set -e\nPATH={programs}:$PATH\n{commands('README.md')}")
    done = run("bash", "commands", cwd=tmp_path)
    assert "keeps its promises" in done.stdout
    assert len((tmp_path / "first-match/games.jsonl").read_text().splitlines()) == 20
    assert "greedy" in (tmp_path / "first-match/report.html").read_text()
