"""Plugins and selection by name: what is found, what is skipped and said, what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from pathlib import Path

import pytest
from distributions import PLUGIN, install
from hypothesis import given
from hypothesis import strategies as st

import nogo
from nogo import Budget, registry
from nogo.agent import AgentSpec, Choice, Option
from nogo.errors import AgentNameError, ArgumentError, HandleError, NogoError, OptionError, PluginError
from nogo.registry import Registry

NOGO3 = nogo.game("nogo:3x3")
names = iter(f"test-plugin-{number}" for number in range(10_000))  # a module is imported once a process


@pytest.fixture
def plugins(tmp_path, monkeypatch):
    """Install distributions and get a registry that sees nothing else."""
    monkeypatch.syspath_prepend(str(tmp_path))

    class Plugins:
        path = str(tmp_path)

        @staticmethod
        def add(source: str = PLUGIN, **more: str) -> str:
            name = next(names)
            if "entries" in more:
                more["entries"] = more["entries"].replace("{module}", name.replace("-", "_"))
            install(tmp_path, name, source, **more)
            return name

        @staticmethod
        def registry(*, strict: bool = False) -> Registry:
            return Registry(path=[str(tmp_path)], strict=strict)

    return Plugins


def refused(registry: Registry, text: object, error: type[NogoError], *said: str) -> None:
    with pytest.raises(error) as caught:
        registry.select(text)
    for words in said:
        assert words in str(caught.value)
    assert "\n" not in str(caught.value)


# A plugin that works


def test_a_plugin_s_agent_is_found_with_its_distribution(plugins):
    name = plugins.add(version="2.7")
    (found,) = plugins.registry().agents()
    assert (found.spec.name, found.origin.distribution, found.origin.version) == ("last", name, "2.7")
    assert str(found.origin) == f"{name} 2.7"
    assert plugins.registry().problems() == []


def test_a_plugin_s_agent_plays_with_the_options_chosen(plugins):
    plugins.add()
    agent = plugins.registry().create("last:depth=5,loud=yes,heat=1.5", NOGO3, 7)
    assert agent.choose(NOGO3.start(), Budget(playouts=1)) == Choice(8, value=0.25)
    assert dict(agent.options) == {"depth": 5, "style": "calm", "loud": True, "heat": 1.5}
    assert agent.seed == 7


@pytest.mark.parametrize(
    ("text", "shortest", "options"),
    [
        ("last", "last", (3, "calm", False, None)),
        ("last:", "last", (3, "calm", False, None)),
        (" last : depth = 4 ", "last:depth=4", (4, "calm", False, None)),
        ("last:style=wild,depth=3", "last:style=wild", (3, "wild", False, None)),
        ("last:loud=TRUE", "last:loud=yes", (3, "calm", True, None)),
        ("last:loud=0,heat=none", "last", (3, "calm", False, None)),
        ("last:heat=0", "last:heat=0", (3, "calm", False, 0.0)),
        ("last:heat=1e-3", "last:heat=0.001", (3, "calm", False, 0.001)),
    ],
)
def test_a_selection_is_read_and_written(text, shortest, options, plugins):
    plugins.add()
    selection = plugins.registry().select(text)
    assert tuple(selection.options.values()) == options
    assert str(selection) == shortest
    assert plugins.registry().select(str(selection)) == selection


def test_options_cannot_be_changed_behind_the_agent_s_back(plugins):
    plugins.add()
    agent = plugins.registry().create("last", NOGO3, 7)
    with pytest.raises(TypeError):
        agent.options["depth"] = 4


TEXTS = st.text(st.one_of(st.sampled_from(',:="\\\\@ '), st.characters(exclude_categories=["Cs"])), max_size=30)


@given(TEXTS, TEXTS)
def test_a_text_of_any_letters_goes_into_a_selection_and_comes_out_again(first, second):
    words = (Option("first", str, "", "a text"), Option("second", str, "x", "another"))
    spec = AgentSpec("texts", lambda game, options, seed: None, words)
    values = {"first": first.strip(), "second": second.strip()}
    written = spec.select(values)
    name, _, rest = written.partition(":")
    assert (name, spec.values(registry._pairs("texts", rest))) == ("texts", values)
    assert written.count("\n") == first.strip().count("\n") + second.strip().count("\n")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('words="a,b"', "a,b"),
        ('words = "a b"', "a b"),
        ("words=a b=c:d", "a b=c:d"),
        (r'words="say \"x\", then \\"', 'say "x", then \\'),
        ('words=""', ""),
        ("words=", ""),
        (r"words=C:\x", r"C:\x"),
    ],
)
def test_quotes_hold_what_would_end_a_value(text, value):
    assert registry._pairs("texts", f"{text},depth=3") == {"words": value, "depth": "3"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('words="a', "is not closed"),
        (r'words="a\"', "is not closed"),
        ('words="a"b', "quoted in part"),
        ('words=a"b"', "quoted in part"),
        ('words="a""b"', "quoted in part"),
        ('words="a",', "is not key=value"),
        ('"words"', "is not key=value"),
    ],
)
def test_quotes_that_do_not_fit_are_refused(text, said):
    with pytest.raises(OptionError, match=said):
        registry._pairs("texts", text)


# Refused


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("lats", AgentNameError, ["unknown agent 'lats'", "did you mean 'last'?", "known: last"]),
        ("", AgentNameError, ["unknown agent ''", "known: last"]),
        (None, AgentNameError, ["None is not an agent", "write e.g."]),
        (":depth=3", AgentNameError, ["known: last"]),
        ("last:dept=3", OptionError, ["'dept'", "'last'", "did you mean 'depth'?", "depth, style, loud, heat"]),
        ("last:depth=0", OptionError, ["'last'", "depth=0", "use 1 to 9"]),
        ("last:depth=10", OptionError, ["depth=10", "use 1 to 9"]),
        ("last:depth=3.5", OptionError, ["depth=3.5", "use 1 to 9"]),
        ("last:depth=" + "9" * 5000, OptionError, ["use 1 to 9"]),
        ("last:depth=__import__('os')", OptionError, ["use 1 to 9"]),
        ("last:style=wil", OptionError, ["did you mean 'wild'?", "use calm or wild"]),
        ("last:loud=maybe", OptionError, ["loud=maybe", "use yes or no"]),
        ("last:heat=nan", OptionError, ["heat=nan", "use 0 or more, or none"]),
        ("last:heat=inf", OptionError, ["heat=inf"]),
        ("last:heat=-1", OptionError, ["heat=-1"]),
        ("last:depth=none", OptionError, ["depth=none"]),
        ("last:depth", OptionError, ["'depth' is not key=value"]),
        ("last:depth=3,", OptionError, ["is not key=value"]),
        ("last:=3", OptionError, ["is not key=value"]),
        ("last:depth=3,depth=4", OptionError, ["'depth' is given twice"]),
    ],
)
def test_a_selection_that_selects_nothing_is_refused(text, error, said, plugins):
    plugins.add()
    refused(plugins.registry(), text, error, *said)


def test_an_agent_without_options_says_so(plugins):
    plugins.add(PLUGIN.replace('Last, OPTIONS, "', 'Last, (), "'))
    refused(plugins.registry(), "last:depth=3", OptionError, "it has no options")


def test_a_game_that_the_agent_does_not_play_is_refused(plugins):
    plugins.add()
    with pytest.raises(AgentNameError, match="'last' does not play einstein, only games of nogo, othello"):
        plugins.registry().create("last", nogo.game("einstein"), 1)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, None])
def test_a_seed_out_of_range_is_refused(seed, plugins):
    plugins.add()
    with pytest.raises(ArgumentError, match="seed="):
        plugins.registry().create("last", NOGO3, seed)


# Plugins that do not work

BROKEN = {
    "raises": ("raise RuntimeError('no\\nlicence')", "RuntimeError: no licence"),
    "leaves": ("import sys; sys.exit(3)", "SystemExit: 3"),
    "misses": ("import not_there_at_all", "not_there_at_all"),
    "does not parse": ("def (", "SyntaxError"),
    "misspells": (PLUGIN.replace("def nogo_register_agents", "def nogo_register_agent"), "nogo_register_agent'; did"),
    "misnames": (PLUGIN.replace("agents(register)", "agents(registrar)"), "registrar"),
    "hooks nothing": (PLUGIN.replace("@hookimpl", ""), "it has no nogo_register_agents"),
    "registers no agent": (PLUGIN + "\n        register('last')\n", "'last'; give it a nogo.AgentSpec"),
    "fails late": (PLUGIN + "\n        raise KeyError('late')\n", "KeyError: 'late'"),
    "declares badly": (PLUGIN.replace("int, 3,", "int, 30,"), "depth=30 is refused; use 1 to 9"),
    "clashes": (PLUGIN.replace('"style"', '"depth"'), "agent 'last': option 'depth' is declared twice"),
    "names badly": (PLUGIN.replace('"last"', '"Last One"'), "'Last One'"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_plugin_is_named_and_skipped(kind, plugins):
    source, said = BROKEN[kind]
    broken = plugins.add(source)
    working = plugins.add(PLUGIN.replace('"last"', '"working"'))
    registry = plugins.registry()
    assert [(found.spec.name, found.origin.distribution) for found in registry.agents()] == [("working", working)]
    (problem,) = registry.problems()
    assert problem.origin.distribution == broken
    assert broken in str(problem)
    assert said in str(problem)
    assert "\n" not in str(problem)
    refused(registry, "last", AgentNameError, "1 plugin problem", "nogo agents")


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_plugin_is_an_error_when_strict(kind, plugins):
    source, said = BROKEN[kind]
    broken = plugins.add(source)
    with pytest.raises(PluginError) as caught:
        plugins.registry(strict=True).agents()
    assert broken in str(caught.value)
    assert said in str(caught.value)


def test_ctrl_c_while_a_plugin_loads_is_not_the_plugin_s_problem(plugins):
    plugins.add("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        plugins.registry().agents()


def test_entry_points_that_cannot_be_read_are_named(plugins):
    broken = plugins.add(entries="[nogo]\nno equals sign here\n")
    working = plugins.add()
    registry = plugins.registry()
    assert [found.origin.distribution for found in registry.agents()] == [working]
    assert [problem.origin.distribution for problem in registry.problems()] == [broken]
    with pytest.raises(PluginError, match=broken):
        plugins.registry(strict=True).agents()


def test_an_entry_point_to_nothing_is_named(plugins):
    broken = plugins.add(entries="[nogo]\nthing = no_such_module_anywhere:plugin\n")
    (problem,) = plugins.registry().problems()
    assert broken in str(problem)
    assert "no_such_module_anywhere" in str(problem)


def test_other_groups_are_not_looked_at(plugins):
    plugins.add("raise RuntimeError", entries="[console_scripts]\nnogo = nowhere:main\n[nogo.other]\nx = nowhere\n")
    assert plugins.registry().agents() == plugins.registry().problems() == []


# Two that claim one name


def test_two_that_claim_one_name_are_refused_naming_both(plugins):
    one, other = plugins.add(version="1.2"), plugins.add(version="3.4")
    registry = plugins.registry()
    assert registry.agents() == []
    refused(registry, "last", PluginError, f"{one} 1.2", f"{other} 3.4", "'last' is offered by")
    (problem,) = registry.problems()
    assert f"{one} 1.2" in str(problem)
    assert f"{other} 3.4" in str(problem)
    with pytest.raises(PluginError, match="'last' is offered by"):
        plugins.registry(strict=True).agents()


def test_three_that_claim_one_name_are_one_problem_naming_all(plugins):
    three = [plugins.add() for _ in range(3)]
    (problem,) = plugins.registry().problems()
    assert all(name in str(problem) for name in three)


def entry(agent: str) -> str:
    """Entry points of an agent, as it should be: called like it."""
    return f"[nogo]\n{agent} = {{module}}\n"


def test_a_plugin_cannot_take_the_place_of_a_built_in_agent(plugins):
    thief = plugins.add(PLUGIN.replace('"last"', '"uct"'), entries=entry("uct"))
    registry = Registry(path=[plugins.path, *sys.path])
    refused(registry, "uct", PluginError, thief, f"nogo {nogo.build_info().version}")
    assert registry.get("rave").name == "rave"


def test_a_plugin_cannot_take_a_name_by_another_door_either(plugins):
    thief = plugins.add(PLUGIN.replace('"last"', '"uct"'))
    registry = Registry(path=[plugins.path, *sys.path])
    for _ in range(2):  # whether or not all plugins have been imported
        assert registry.find("uct").origin.distribution == "nogo"
        (problem,) = registry.problems()
        assert thief in str(problem)
        assert "its agent 'uct' is refused: the name belongs to nogo" in str(problem)


def test_an_entry_point_called_like_the_agent_goes_before_others(plugins):
    other, owner = plugins.add(), plugins.add(entries=entry("last"))
    registry = plugins.registry()
    assert registry.find("last").origin.distribution == owner
    assert [other in str(problem) for problem in registry.problems()] == [True]
    assert registry.find("last").origin.distribution == owner
    with pytest.raises(PluginError, match=other):
        plugins.registry(strict=True).find("last")


def test_several_agents_of_one_plugin_have_an_entry_point_each(plugins):
    two = PLUGIN + "\n        register(AgentSpec('first', Last, OPTIONS))\n"
    name = plugins.add(two, entries="[nogo]\nlast = {module}\nfirst = {module}\n")
    registry = plugins.registry()
    assert [found.spec.name for found in registry.agents()] == ["first", "last"]
    assert registry.problems() == []
    assert registry.find("first").origin.distribution == name


def test_an_agent_registered_twice_is_a_problem(plugins):
    plugins.add(PLUGIN + "\n        register(AgentSpec('last', Last, OPTIONS))\n")
    (problem,) = plugins.registry().problems()
    assert "'last' is registered twice" in str(problem)


def test_a_distribution_that_is_on_the_path_twice_counts_once(plugins, tmp_path):
    plugins.add()
    registry = Registry(path=[plugins.path, plugins.path])
    assert [found.spec.name for found in registry.agents()] == ["last"]
    assert registry.problems() == []


# Shut out


def blocking(plugins, monkeypatch, words: str) -> Registry:
    monkeypatch.setenv("NOGO_DISABLE_PLUGINS", words)
    return Registry(path=[plugins.path, *sys.path])


def test_all_plugins_of_others_are_shut_out(plugins, monkeypatch):
    broken, working = plugins.add("raise RuntimeError"), plugins.add(entries=entry("last"))
    registry = blocking(plugins, monkeypatch, "all")
    assert registry.get("uct").name == "uct"
    refused(registry, "last", AgentNameError, "unknown agent 'last'")
    assert {found.origin.distribution for found in registry.agents()} == {"nogo"}
    assert registry.problems() == []
    assert imported(broken, working) == [False, False]
    assert registry.blocked() == ["all: shut out by NOGO_DISABLE_PLUGINS"]


def test_distributions_and_agents_are_shut_out_by_name(plugins, monkeypatch):
    broken, two = plugins.add("raise RuntimeError"), PLUGIN + "\n        register(AgentSpec('first', Last))\n"
    plugins.add(two, entries=entry("last"))
    words = f" {broken.upper().replace('-', '_')}, last nobody "
    registry = blocking(plugins, monkeypatch, words)
    names = [found.spec.name for found in registry.agents()]
    assert "first" in names
    assert "last" not in names
    assert registry.problems() == []
    refused(registry, "last", AgentNameError, "'last' is shut out by NOGO_DISABLE_PLUGINS")
    assert imported(broken) == [False]
    assert "nobody: nothing is called so, of what NOGO_DISABLE_PLUGINS could shut out" in registry.blocked()
    assert len(registry.blocked()) == 3


def test_shutting_out_one_of_two_that_claim_a_name_leaves_the_other(plugins, monkeypatch):
    thief = plugins.add(PLUGIN.replace('"last"', '"uct"'), entries=entry("uct"))
    for words in (thief, "uct"):
        registry = blocking(plugins, monkeypatch, words)
        assert registry.find("uct").origin.distribution == "nogo"
        assert registry.problems() == []


# When it is loaded

LOGGING = """
    log.write_text((log.read_text() if log.exists() else "") + "x")
"""


def test_nothing_is_loaded_before_it_is_asked_for_and_then_once(plugins, tmp_path):
    log = tmp_path / "log"
    plugins.add(f"from pathlib import Path\nlog = Path({str(log)!r})\n" + textwrap.dedent(PLUGIN) + LOGGING)
    registry = plugins.registry()
    assert not log.exists()
    ready = threading.Barrier(8)

    def ask() -> None:
        ready.wait(10)
        registry.get("last")

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    registry.agents()
    assert log.read_text() == "x"


def imported(*names: str) -> list[bool]:
    return [name.replace("-", "_") in sys.modules for name in names]


def test_an_agent_that_an_entry_point_is_called_like_is_found_without_importing_others(plugins):
    wanted = plugins.add(entries=entry("last"))
    other = plugins.add(PLUGIN.replace('"last"', '"first"'), entries=entry("first"))
    observer = plugins.add(OBSERVER, entries=OBSERVES)
    registry = Registry(path=[plugins.path, *sys.path])
    assert registry.select("last:depth=4").spec.name == "last"
    assert registry.get("uct").name == "uct"
    assert imported(wanted, other, observer) == [True, False, False]
    registry.game_finished({})
    assert imported(other, observer) == [False, True]
    registry.agents()
    assert imported(other) == [True]


def test_a_path_with_many_distributions_is_walked_quickly(tmp_path):
    for number in range(300):
        install(tmp_path, f"bystander-{number}", "", entries="[console_scripts]\na = b:c\n")
    began = time.process_time()
    assert Registry(path=[str(tmp_path)]).agents() == []
    assert time.process_time() - began < 0.5


def test_importing_the_package_loads_no_plugin(tmp_path):
    install(tmp_path, "loud-plugin", "print('loaded')")
    script = "import nogo, sys; print('pluggy' in sys.modules, 'nogo.registry' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "False False\n", done.stderr


def test_a_plugin_installed_beside_the_package_is_seen_by_the_command(tmp_path):
    install(tmp_path, "beside", version="0.9")
    install(tmp_path, "broken", "raise RuntimeError('not today')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "nogo", *arguments]
        return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)

    listed = run("agents")
    assert listed.returncode == 0
    assert "beside 0.9" in listed.stdout
    assert "broken" in listed.stderr
    assert "not today" in listed.stderr
    strict = run("agents", "--strict")
    assert strict.returncode == 2
    assert "broken" in strict.stderr
    searched = run("search", "nogo:3x3", "last", "--json")
    assert json.loads(searched.stdout)["move_name"] == "C1"


# Observers

OBSERVER = """
    from nogo.hookspecs import hookimpl
    SEEN = []

    @hookimpl
    def nogo_game_finished(record):
        SEEN.append(dict(record))
"""
OBSERVES = "[nogo.observers]\nobserver = {module}\n"


def test_an_observer_that_does_not_load_is_named_and_the_others_see_on(plugins):
    broken = plugins.add("raise RuntimeError('no')", entries=OBSERVES)
    misspelt = plugins.add(OBSERVER.replace("nogo_game_finished", "nogo_game_finish"), entries=OBSERVES)
    misplaced = plugins.add(PLUGIN, entries=OBSERVES)
    working = plugins.add(OBSERVER, entries=OBSERVES)
    registry = plugins.registry()
    registry.game_finished({})
    assert sys.modules[working.replace("-", "_")].SEEN == [{}]
    said = {problem.origin.distribution: problem.what for problem in registry.problems()}
    assert set(said) == {broken, misspelt, misplaced}
    assert "has no nogo_game_finished" in said[misplaced]
    assert "did you mean 'nogo_game_finished'?" in said[misspelt]


def test_every_observer_sees_a_finished_game_and_one_that_fails_is_warned_of(plugins):
    first = plugins.add(OBSERVER, entries=OBSERVES)
    failing = plugins.add(OBSERVER.replace("SEEN.append(dict(record))", "record['winner'] = 'me'"), entries=OBSERVES)
    last = plugins.add(OBSERVER, entries=OBSERVES)
    registry = plugins.registry()
    assert registry.problems() == []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        registry.game_finished({"winner": "black"})
    assert [failing in str(warning.message) for warning in caught] == [True]
    for name in (first, last):
        assert sys.modules[name.replace("-", "_")].SEEN == [{"winner": "black"}]


# Declarations


@pytest.mark.parametrize(
    ("declaration", "said"),
    [
        ({"name": "Bad Name"}, "small letters"),
        ({"name": None}, "small letters"),
        ({"type": list}, "none of int, float, bool and str"),
        ({"default": 11}, "n=11 is refused; use 1 to 10"),
        ({"default": 2.0}, "n=2.0"),
        ({"default": True}, "n=True"),
        ({"default": None}, "n=None"),
        ({"help": ""}, "not one line"),
        ({"help": "two\nlines"}, "not one line"),
        ({"type": str, "choices": ("a", "b"), "default": "c"}, "use a or b"),
    ],
)
def test_an_option_that_contradicts_itself_is_refused(declaration, said):
    with pytest.raises(ArgumentError) as caught:
        Option(**{"name": "n", "type": int, "default": 5, "help": "a number", "least": 1, "most": 10} | declaration)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("declaration", "said"),
    [
        ({"name": "rave:c"}, "'rave:c'"),
        ({"name": "x" * 41}, "at most 40"),
        ({"factory": None}, "cannot be called"),
        ({"options": [Option("a", int, 1, "x"), Option("a", int, 2, "x")]}, "'a' is declared twice"),
    ],
)
def test_an_agent_that_nobody_could_select_is_refused(declaration, said):
    with pytest.raises(ArgumentError) as caught:
        AgentSpec(**{"name": "n", "factory": print} | declaration)
    assert said in str(caught.value)


def test_the_hooks_of_the_documentation_are_the_hooks_there_are(root: Path):
    text = (root / "docs/writing-agents.md").read_text(encoding="utf-8")
    for name in registry.hook_names():
        assert f"`{name}(" in text


def test_a_position_of_another_kind_is_refused_by_require_move(plugins):
    plugins.add()
    agent = plugins.registry().create("last", NOGO3, 1)
    for wrong in (None, "nogo:3x3 .../.../... black", nogo.game("nogo:4x4").start()):
        with pytest.raises(HandleError):
            agent.choose(wrong, Budget(playouts=1))
