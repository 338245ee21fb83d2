"""The agents that come with the package, seen from outside: they play, they repeat themselves, they refuse nonsense."""

from __future__ import annotations

import dataclasses
import re
import threading
import time

import numpy as np
import pytest
from conftest import ROOT

import nogo
from nogo import Budget, registry
from nogo.agents.preset import seed_at
from nogo.errors import ArgumentError, BusyError, HandleError, OptionError
from nogo.search import SearchOptions, SearchResult, search

STARTS = {"nogo": "hollow-nogo", "othello": "othello", "einstein": "einstein"}
BUILT_IN = [found.spec for found in registry.agents() if found.origin.distribution == "nogo"]
ENGINES = [spec.name for spec in BUILT_IN if any(option.name == "command" for option in spec.options)]
OURS = [spec for spec in BUILT_IN if spec.name not in ENGINES]
PAIRS = [(spec.name, family) for spec in OURS for family in spec.games or STARTS]
LITTLE = Budget(playouts=300)
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/agents.md").read_text(encoding="utf-8"), re.S)
needs_openmp = pytest.mark.skipif(not nogo.build_info().openmp, reason="built without OpenMP")
every_agent = pytest.mark.parametrize("name", [spec.name for spec in OURS])


def make(text: str, family: str, seed: int = 1):
    return registry.create(text, nogo.game(STARTS[family]), seed)


def play(first, second, position: nogo.Position, budget: Budget) -> nogo.Position:
    """A whole game between two agents."""
    while not position.is_over:
        agent = first if position.turn == nogo.FIRST else second
        position = position.play(agent.choose(position, budget).move)
    return position


def family_of(name: str) -> str:
    return (registry.get(name).games or ("nogo",))[0]


def test_the_agents_promised_are_there():
    names = {spec.name for spec in BUILT_IN}
    assert {"random", "ucb", "uct", "pruning", "tuned", "rave", "alphabeta", "strongest"} <= names
    assert {"easy", "normal", "hard"} <= names
    assert {"r1-root-uct", "r2-rave", "r3-ucb", "r3-uct", "r3-pruning", "r4-mcs", "r4-tuned", "r5-uct"} <= names
    assert registry.problems() == []


@every_agent
def test_an_agent_explains_itself(name):
    spec = registry.get(name)
    assert 10 < len(spec.summary) < 80
    assert len(spec.explanation) > 30


# They play


@pytest.mark.parametrize(("name", "family"), PAIRS)
def test_an_agent_plays_a_whole_game_by_the_rules(name, family):
    start = nogo.game(STARTS[family]).start()
    assert play(make(name, family), make("random", family), start, Budget(playouts=30)).is_over


@every_agent
def test_the_same_seed_chooses_the_same(name):
    family = family_of(name)
    position = nogo.game(STARTS[family]).start()
    one, other = (make(name, family, seed=5).choose(position, LITTLE) for _ in range(2))
    assert (one.move, one.value, one.playouts) == (other.move, other.value, other.playouts)


def test_random_draws_every_move_and_not_always_the_same():
    position = nogo.game("nogo:2x2").start()
    drawn = [registry.create("random", position.game, seed).choose(position, LITTLE).move for seed in range(4000)]
    assert {move: 900 < drawn.count(move) < 1100 for move in range(4)} == dict.fromkeys(range(4), True)


def test_random_is_another_draw_in_another_position():
    agent, position, at = make("random", "nogo"), nogo.game("hollow-nogo").start(), []
    for _ in range(20):
        moves = position.legal_moves()
        move = agent.choose(position, LITTLE).move
        at.append(moves.index(move) / len(moves))
        position = position.play(move)
    assert max(at) - min(at) > 0.3


@pytest.mark.parametrize("name", ["ucb", "uct", "pruning", "tuned", "rave"])
def test_a_search_agent_finds_the_winning_move_of_a_small_board(name):
    """In this 1x3 position the first player has one winning move: the middle (the ends leave the other one move)."""
    position = nogo.game("nogo:3x1").start()
    winning = [move for move in position.legal_moves() if position.play(move).is_over]
    assert len(winning) < len(position.legal_moves())
    assert registry.create(name, position.game, 1).choose(position, Budget(playouts=500)).move in winning


@pytest.mark.parametrize("name", ["ucb", "uct", "rave"])
def test_a_search_agent_beats_random(name):
    game = nogo.game("nogo:5x5")
    wins = 0
    for seed in range(10):
        searcher, drawer = registry.create(name, game, seed), registry.create("random", game, seed)
        players = (searcher, drawer) if seed % 2 == 0 else (drawer, searcher)
        wins += play(*players, game.start(), Budget(playouts=500)).winner == seed % 2
    assert wins >= 9


def test_a_choice_carries_what_the_search_found():
    choice = make("uct", "nogo").choose(nogo.game("hollow-nogo").start(), LITTLE)
    assert isinstance(choice.details, SearchResult)
    assert (choice.move, choice.playouts) == (choice.details.move, 300)
    assert choice.value == choice.details.value


def test_time_is_a_budget_too():
    choice = make("uct", "nogo").choose(nogo.game("hollow-nogo").start(), Budget(seconds=0.05))
    assert choice.details.stopped == "time"
    assert 0.03 < choice.details.seconds < 0.3


# Presets


@pytest.mark.parametrize(
    "name", [spec.name for spec in BUILT_IN if "choice_k" in {option.name for option in spec.options}]
)
def test_every_default_is_what_the_search_is_run_with(name):
    ran_with = reported(name)
    defaults = {option.name: option.default for option in registry.get(name).options}
    assert defaults == {key: ran_with[key] for key in defaults}


def reported(name: str) -> dict[str, object]:
    options = make(name, family_of(name)).options
    return {field.name: getattr(options, field.name) for field in dataclasses.fields(SearchOptions)}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("r1-root-uct", {"policy": "ucb1", "parallel": "root", "vote": True, "unst": 0.25, "unst_limit": 2}),
        ("r1-root-uct", {"c": 0.5 / 2, "early": 0.75, "expand": "one", "choice": "visits"}),
        ("r2-rave", {"policy": "rave", "schedule": "mse", "b": 0.025, "expand": "all", "choice": "visits"}),
        ("r3-ucb", {"flat": True, "c": 1.414, "choice": "mean", "favour": 2}),
        ("r3-uct", {"flat": False, "c": 1.414, "reuse": True, "expand": "one", "favour": 2}),
        ("r3-pruning", {"prune": "visits", "prune_every": 1000, "c": 1.414, "reuse": True, "favour": 2}),
        ("r4-tuned", {"policy": "tuned", "c": 0.6, "c1": 1.414, "c2": 0.25, "threshold": 200, "playouts": 25}),
        ("r4-tuned", {"shortcuts": True, "playout": "shortcut", "choice": "mean", "graded": True, "memory": 1024}),
        ("r4-mcs", {"flat": True, "playouts": 25, "shortcuts": True, "playout": "shortcut", "choice": "mean"}),
        ("r5-uct", {"policy": "ucb1", "threshold": 0, "fpu": None, "choice": "visits", "reuse": False}),
    ],
)
def test_a_report_s_parameters_are_its_preset_s(name, parameters):
    found = reported(name)
    assert {key: found[key] for key in parameters} == parameters


def test_an_option_reaches_the_search():
    position = nogo.game("hollow-nogo").start()
    options = SearchOptions(policy="rave", c=0.3, expand="all", parallel="root")
    by_hand = search(position, options, LITTLE, seed=9)
    visits = make("rave:c=0.3", "nogo").choose(position, LITTLE).details.visits
    assert visits.sum() == by_hand.visits.sum()
    assert make("rave:c=0.3", "nogo").options == options


@pytest.mark.parametrize(("name", "absent"), [("uct", ["policy", "flat", "b", "c1"]), ("ucb", ["reuse", "threshold"])])
def test_what_means_nothing_to_an_agent_is_no_option_of_it(name, absent):
    assert not {option.name for option in registry.get(name).options} & set(absent)


# Bad input


@every_agent
def test_a_finished_position_is_refused(name):
    finished = {
        "nogo": nogo.game("nogo:1x1").start(),
        "othello": play(*[make("random", "othello")] * 2, nogo.game("othello").start(), LITTLE),
        "einstein": play(*[make("random", "einstein")] * 2, nogo.game("einstein").start(), LITTLE),
    }[family_of(name)]
    assert finished.is_over
    with pytest.raises(ArgumentError, match="the game is over"):
        registry.create(name, finished.game, 1).choose(finished, LITTLE)


def test_a_die_that_is_to_be_thrown_is_refused_with_what_to_do():
    game = nogo.game("einstein:5x5")
    for name in ("random", "uct"):
        with pytest.raises(ArgumentError, match="play one of chance_outcomes"):
            registry.create(name, game, 1).choose(game.start(), LITTLE)


@every_agent
def test_a_position_of_another_game_is_refused(name):
    with pytest.raises(HandleError):
        make(name, family_of(name)).choose(nogo.game("nogo:4x4").start(), LITTLE)


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("uct:c=-1", OptionError, "c=-1"),
        ("uct:c=nan", OptionError, "c=nan"),
        ("uct:threads=0", OptionError, "use 1 to 256"),
        ("uct:threads=257", OptionError, "use 1 to 256"),
        ("uct:threads=1e3", OptionError, "use 1 to 256"),
        ("uct:choice=vists", OptionError, "did you mean 'visits'?"),
        ("uct:policy=rave", OptionError, "unknown option 'policy' for agent 'uct'"),
        ("uct:playout=corners", ArgumentError, "playout=corners is not offered by hollow-nogo"),
        ("uct:parallel=none,threads=2", ArgumentError, "say parallel=root"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(text, error, said):
    with pytest.raises(error) as caught:
        make(text, "nogo")
    assert said in str(caught.value)


@needs_openmp
def test_threads_alone_are_enough_to_use_them():
    position = nogo.game("hollow-nogo").start()
    choice = make("rave:c=0.3,threads=2", "nogo").choose(position, Budget(playouts=400))
    assert choice.details.votes.sum() == 2
    assert choice.playouts == 400


def test_an_agent_used_by_two_threads_at_once_refuses_the_second():
    agent, position = make("uct", "nogo"), nogo.game("hollow-nogo").start()
    worker = threading.Thread(target=lambda: agent.choose(position, Budget(seconds=1.0)))
    worker.start()
    time.sleep(0.2)
    with pytest.raises(BusyError, match="one for each thread"):
        agent.choose(position, LITTLE)
    worker.join()


# The documentation


@pytest.mark.parametrize("block", BLOCKS)
def test_the_documentation_s_example_runs(block, capsys):
    names: dict[str, object] = {}
    exec(compile(block, "docs/agents.md", "exec"), names)
    offered = []
    names.get("nogo_register_agents", lambda register: None)(offered.append)
    for spec in offered:
        game = nogo.game("nogo:3x3")
        assert spec.factory(game, spec.values({}), 1).choose(game.start(), LITTLE).move in game.start().legal_moves()
    capsys.readouterr()


def test_the_documentation_names_every_kind_of_agent(root):
    text = (root / "docs/agents.md").read_text(encoding="utf-8")
    for name in (
        "random",
        "ucb",
        "uct",
        "pruning",
        "tuned",
        "rave",
        "alphabeta",
        "strongest",
        "easy",
        "r1-root-uct",
        "r5-uct",
    ):
        assert f"`{name}`" in text


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, 2**32, 2**64 - 1])
def test_an_agents_seed_at_a_position_is_numpys_own_mixture(seed):
    position = nogo.game("hollow-nogo").start()
    for _ in range(20):
        expected = int(np.random.default_rng((seed, position.key)).integers(2**64, dtype=np.uint64))
        assert seed_at(seed, position) == expected
        position = position.play(position.legal_moves()[expected % 3])
