"""C functions of plugins in the search: used as promised, checked at load, refused where they do not fit."""

from __future__ import annotations

import os
import pickle
import re
import shlex
import subprocess
from pathlib import Path

import cffi
import numpy as np
import pytest

import nogo
from nogo import Budget, Native, SearchOptions
from nogo.core import PLUGIN_VERSION
from nogo.errors import ArgumentError, HandleError, PluginError

NAMES = ["rules", "told", "points", "later", "other sizes", "no plugin", "empty", "chess"]
GAMES = [
    "hollow-nogo",
    "nogo:5x5",
    "nogo:11x11",
    "othello",
    "othello:4x4",
    "einstein",
    "einstein:5x5",
    "einstein:setdie",
]


def compiled(source: Path, target: Path) -> str:
    """Compile a plugin as a stranger would: against the installed headers."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-shared", "-fPIC"]
    subprocess.run([*compiler, *flags, f"-I{nogo.get_include()}", "-o", target, source], check=True, timeout=300)
    return str(target)


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """The plugins of native_plugins.c."""
    target = compiled(Path(__file__).with_name("native_plugins.c"), tmp_path_factory.mktemp("native") / "plugins.so")
    ffi = cffi.FFI()
    ffi.cdef("typedef struct { int outcome; double value; } Data; const struct nogo_plugin *plugin_number(int number);")
    return ffi, ffi.dlopen(target)


@pytest.fixture(scope="session")
def native(library):
    ffi, lib = library

    def make(name: str, **data: float) -> Native:
        pointer = ffi.new("Data *", data) if data else None
        return Native(ffi, lib.plugin_number(NAMES.index(name)), pointer)

    return make


def start(name: str) -> nogo.Position:
    """A start where a player is to move."""
    game = nogo.game(name)
    position = game.start(seed=1) if name.startswith("einstein") else game.start()
    return position.play(position.legal_moves()[0]) if position.is_chance else position


def look(position, native, *, playouts=400, seed=1, **options):
    return nogo.search(position, SearchOptions(**options), Budget(playouts=playouts), seed=seed, native=native)


# What its functions return is what the search counts


@pytest.mark.parametrize("leaf", ["single", "lanes", "leaves"])
@pytest.mark.parametrize("policy", ["ucb1", "tuned", "rave"])
@pytest.mark.parametrize("game", GAMES)
def test_a_playout_s_outcome_is_the_reward(game, policy, leaf, native):
    position = start(game)
    outcomes = position.game.outcomes
    lost = next(i for i, (winner, _, _) in enumerate(outcomes) if winner == nogo.SECOND)
    worth = outcomes[lost][2] / max(reward for _, _, reward in outcomes)
    found = look(position, native("told", outcome=lost), policy=policy, leaf=leaf)
    seen = found.visits > 0
    unproven = seen & (found.proven == "")
    assert found.means[unproven] == pytest.approx(worth, abs=1e-6)


@pytest.mark.parametrize("game", GAMES)
def test_an_evaluation_is_the_value(game, native):
    found = look(start(game), native("told", value=0.625), value="evaluation")
    assert found.means[(found.visits > 0) & (found.proven == "")] == pytest.approx(0.625)
    assert found.value == pytest.approx(0.625)


def test_an_evaluation_comes_after_random_moves_too(native):
    found = look(start("hollow-nogo"), native("told", value=0.25), value="plies", plies=3)
    assert found.means[found.visits > 0] == pytest.approx(0.25)


def test_moves_noted_are_what_rave_learns_from(native):
    position = start("nogo:5x5")
    found = look(position, native("told", outcome=1), policy="rave", playouts=500)
    assert found.amaf_visits[0] == 500
    assert (found.amaf_visits[1:] == found.visits[1:]).all(), "else only the tree's own moves count"


def test_a_state_s_bits_are_what_the_position_says(native):
    position = start("nogo:4x4").play("B2").play("C3")
    found = look(position, native("points"), value="evaluation", flat=True, playouts=len(position.legal_moves()))
    for move, mean in zip(found.moves, found.means, strict=True):
        after = position.play(int(move))
        first, second = (len(after.legal_moves(player)) for player in (nogo.FIRST, nogo.SECOND))
        assert mean == pytest.approx(first / (first + second + 1), abs=1e-6)


@pytest.mark.parametrize("game", GAMES)
def test_playouts_by_the_rules_are_as_good_as_the_game_s_own(game, native):
    """Both are uniform: the means of a flat search differ by chance alone (five standard errors)."""
    position = start(game)
    ours, theirs = (look(position, n, flat=True, playouts=6000, c=100.0) for n in (None, native("rules")))
    error = np.sqrt((ours.variances / ours.visits) + (theirs.variances / theirs.visits))
    assert (np.abs(ours.means - theirs.means) <= 5 * error + 1e-6).all()


# Same seed, same answer; one thread or several


@pytest.mark.threads
@pytest.mark.parametrize("parallel", ["leaf", "root", "tree"])
def test_several_threads_may_call_it(parallel, native):
    results = [
        look(start("nogo:5x5"), native("rules"), parallel=parallel, threads=3, policy="rave", seed=5) for _ in range(2)
    ]
    assert all(found.visits.sum() >= 400 for found in results)
    if parallel != "tree":
        assert (results[0].visits == results[1].visits).all()


def test_one_search_may_be_asked_again(native):
    game = nogo.game("nogo:5x5")
    search = nogo.Search(game, SearchOptions(reuse=True), native=native("rules"))
    first = search.run(game.start(), Budget(playouts=1000), seed=1)
    again = search.run(game.start(), Budget(playouts=1000), seed=2)
    assert again.kept == 1000
    assert first.visits.sum() == 1000


# What cannot be


@pytest.mark.parametrize(("data", "value"), [({"outcome": -1}, "playout"), ({"outcome": 2}, "playout")])
@pytest.mark.parametrize("leaf", ["single", "leaves"])
def test_an_outcome_that_is_none_is_an_error_for_good(data, value, leaf, native):
    game = nogo.game("nogo:5x5")
    search = nogo.Search(game, SearchOptions(value=value, leaf=leaf), native=native("told", **data))
    for _ in range(2):
        with pytest.raises(PluginError, match="returned what cannot be"):
            search.run(game.start(), Budget(playouts=10), seed=1)


@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), float("inf")])
def test_a_value_out_of_range_is_an_error(value, native):
    with pytest.raises(PluginError, match="an evaluation 0 to 1"):
        look(start("othello"), native("told", value=value), value="evaluation")


@pytest.mark.threads
def test_a_fault_in_one_of_several_threads_is_an_error(native):
    for parallel in ("leaf", "root", "tree"):
        with pytest.raises(PluginError):
            look(start("nogo:5x5"), native("told", outcome=99), parallel=parallel, threads=2)


# Refused at load


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "later",
            f"built for version {PLUGIN_VERSION + 6} of the C contract, but this nogo has version {PLUGIN_VERSION}",
        ),
        ("other sizes", f"built for other headers of version {PLUGIN_VERSION}"),
        ("empty", "neither playout nor evaluate"),
        ("chess", "family=77"),
    ],
)
def test_a_plugin_of_another_kind_is_refused_when_it_is_loaded(name, said, native):
    with pytest.raises(PluginError) as caught:
        native(name)
    assert said in str(caught.value)


def test_what_is_no_plugin_is_refused(native, library):
    ffi, lib = library
    other = cffi.FFI()
    for wrong in (None, 5, "told", b"told", object(), ffi.NULL):
        with pytest.raises(HandleError):
            Native(ffi, wrong)
    with pytest.raises(HandleError):
        native("no plugin")
    for data in (5, "data", object()):
        with pytest.raises(HandleError, match="data="):
            Native(ffi, lib.plugin_number(0), data)
    with pytest.raises(HandleError):
        Native(object(), lib.plugin_number(0))
    assert Native(other, lib.plugin_number(0)).name == "rules"


# Refused where it would not be asked


@pytest.mark.parametrize(
    ("game", "name", "options", "said"),
    [
        ("othello", "points", {"value": "evaluation"}, "'points' are for games of nogo, not othello"),
        ("nogo:5x5", "told", {"playout": "both-legal"}, "leave playout out"),
        ("nogo:5x5", "points", {}, "use value=evaluation or plies"),
        ("nogo:5x5", "rules", {"value": "evaluation"}, "which only play"),
        ("nogo:5x5", "rules", {"value": "plies"}, "which only play"),
    ],
)
def test_functions_that_would_not_be_asked_are_refused(game, name, options, said, native):
    with pytest.raises(ArgumentError) as caught:
        look(start(game), native(name), **options)
    assert said in str(caught.value)


def test_only_a_native_is_native():
    with pytest.raises(HandleError, match=r"nogo\.Native"):
        look(start("nogo:5x5"), "rules")


def test_it_does_not_travel_and_says_what_it_is(native):
    assert repr(native("told", value=0.5)) == "<nogo.Native told: playout and evaluate>"
    with pytest.raises(HandleError, match="each process"):
        pickle.dumps(native("rules"))


# The documentation


def test_the_example_of_the_documentation_compiles_and_plays(root, tmp_path):
    page = (root / "docs/writing-agents.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```c\n(.*?)```", page, re.S)
    (tmp_path / "mine.c").write_text(example + "\nconst nogo_plugin *mine(void) { return my_plugin(); }\n")
    ffi = cffi.FFI()
    ffi.cdef("const struct nogo_plugin *mine(void);")
    functions = Native(ffi, ffi.dlopen(compiled(tmp_path / "mine.c", tmp_path / "mine.so")).mine())
    for game in GAMES:
        assert look(start(game), functions).playouts == 400


def test_the_documentation_names_all_that_plugin_h_offers(root):
    page = (root / "docs/writing-agents.md").read_text(encoding="utf-8")
    for name in ("plugin.h", "NOGO_PLUGIN_VERSION", "NOGO_PLUGIN_HEAD", "played_note", "playout", "evaluate", "data"):
        assert name in page
