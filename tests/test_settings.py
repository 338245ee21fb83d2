"""What a match is asked to be: by options and by a file, with the same names, checks and errors that say where."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT

from nogo.errors import ArgumentError, NogoError
from nogo.match.settings import READERS, Settings, settings

CONFIG = """\
# a grid
agents = [
    "uct",
    "rave:c=0.20",
]
game = ["hollow-nogo", "othello"]
games = 7
budget = ["playouts=100", "time=500ms"]
opening-plies = 3
seed = 5
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "grid.toml"

    def write(text: str) -> Path:
        path.write_text(text)
        return path

    return write


def test_a_file_gives_a_grid(config):
    plan = settings({}, config(CONFIG)).plan
    assert [contestant.name for contestant in plan.contestants] == ["uct", "rave:c=0.2"]
    assert plan.cells == [(game, b) for game in ("hollow-nogo", "othello") for b in ("playouts=100", "time=0.5s")]
    assert (plan.pairs, plan.opening_plies, plan.seed, plan.format) == (4, 3, 5, "match")
    assert plan.game_count == 4 * 8


def test_the_command_line_wins(config):
    chosen = settings({"games": 3, "budget": ["playouts=5"], "agents": ("random", "uct")}, config(CONFIG))
    assert (chosen.games, chosen.budget, chosen.agents) == (3, ("playouts=5",), ("random", "uct"))
    assert chosen.seed == 5


def test_every_setting_can_be_given_by_both():
    assert {name.replace("-", "_") for name in READERS} == set(Settings.__dataclass_fields__)


def test_openings_are_looked_for_beside_the_file(config, tmp_path):
    (tmp_path / "lines.txt").write_text("E5 D4\nC3\n")
    path = config('agents = ["uct", "random"]\nopenings = "lines.txt"\n')
    assert [opening.moves for opening in settings({}, path).plan.openings] == [("E5", "D4"), ("C3",)]


def test_two_agents_play_a_match_and_more_a_round_robin():
    assert settings({"agents": ["uct", "rave"]}).plan.format == "match"
    assert settings({"agents": ["uct", "rave", "random"]}).plan.format == "round-robin"
    with pytest.raises(ArgumentError, match="between two agents, not 3"):
        _ = settings({"agents": ["uct", "rave", "random"], "format": "match"}).plan


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("games = \n", r"grid.toml, line 1: Invalid value"),
        ("seed = 1\nseed = 2\n", r"grid.toml, line 2: Cannot overwrite a value"),
        ("[match\n", r"grid.toml, line 1: "),
        (
            "seed = 1\n\nbudgit = 10\n",
            r"line 3, budgit: there is no such key; did you mean 'budget'\? known: agents,",
        ),
        ("seed = 1\n[match]\ngames = 3\n", r"line 2, match: there is no such key"),
        ("games = 0\n", r"line 1, games: games=0 is out of range; use 1 to"),
        ("games = true\n", r"line 1, games: .* not a whole number"),
        ('games = "many"\n', r"line 1, games: .* not a whole number"),
        ("# seed = 3\nseed = -1\n", r"line 2, seed: seed=-1 is out of range"),
        ("agents = 3\n", r"line 1, agents: 3 is neither a text nor a list"),
        ("agents = [3]\n", r"line 1, agents: 3 is not a text; put it in quotes"),
        ('agents = [\n "uct",\n "utc",\n]\n', r"line 3, agents: unknown agent 'utc'; did you mean 'uct'"),
        ('agents = [\n "uct",\n "rave:cc=1",\n]\n', r"line 3, agents: unknown option 'cc' for agent 'rave'"),
        ('game = "hollow"\n', r"line 1, game: unknown game 'hollow'"),
        ('budget = ["playouts=5",\n"much"]\n', r"line 2, budget: .*'much'"),
        ('format = "gantlet"\n', r"line 1, format: .*did you mean 'gauntlet'"),
        ('sprt = "10,0"\n', r"line 1, sprt: .*first is to be the smaller"),
        ("opening-plies = 1.5\n", r"line 1, opening-plies: .*not a whole number"),
        ("openings = 3\n", r"line 1, openings: 3 is not a path"),
        ("margin = nan\n", r"line 1, margin: .*out of range"),
        ("stall = 0\n", r"line 1, stall: "),
        ("workers = 0\n", r"line 1, workers: "),
        ("memory = 1\n", r"line 1, memory: "),
        ('strict = "yes"\n', r"line 1, strict: 'yes' is neither true nor false"),
        ('executor = "dask"\n', r"line 1, executor: executor 'dask' is unknown; use local or dask://HOST:PORT"),
    ],
)
def test_a_broken_file_names_file_line_and_key(config, text, says):
    with pytest.raises(ArgumentError, match=rf"grid\.toml, {says}" if says.startswith("line") else says):
        settings({}, config(text))


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "huge.toml").write_bytes(b"#" * 1_000_001)
    for name in ("missing.toml", "binary.toml", "huge.toml"):
        with pytest.raises(ArgumentError, match=name):
            settings({}, tmp_path / name)


def test_timed_agents_have_cores_of_their_own(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(4)), raising=False)

    def workers(**given: object) -> int:
        chosen = settings({"agents": ["uct", "rave:threads=2"], **given})
        return chosen.workers_for(chosen.plan)

    assert workers() == workers(budget="time=1s") == 2
    assert workers(workers=4) == 4
    assert workers(workers=3, budget="time=1s", force=True) == 3
    with pytest.raises(ArgumentError, match=r"3 worker\(s\) of 2 thread\(s\) on 4 core\(s\).*--workers 2.*--force"):
        workers(workers=3, budget="clock=10s+1s")


def test_a_cluster_has_workers_of_its_own():
    chosen = settings({"agents": ["uct", "rave"], "executor": "dask://example.org:8786", "budget": "time=1s"})
    assert chosen.cluster == "example.org:8786"
    assert chosen.workers_for(chosen.plan) is None
    more = settings({"agents": ["uct", "rave"], "executor": "dask://example.org:8786", "workers": 4})
    with pytest.raises(ArgumentError, match="workers=4 is for this machine"):
        more.workers_for(more.plan)
    assert settings({"executor": "local"}).cluster is None


@pytest.mark.parametrize("path", sorted((ROOT / "experiments").glob("*.toml")), ids=lambda path: path.stem)
def test_the_experiments_can_be_played(path):
    try:
        assert settings({}, path).plan.game_count > 0
    except NogoError as error:
        pytest.fail(str(error))
