"""The conformance kit: what it finds in agents that break one promise each, and lets pass in those that keep them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from distributions import install

from nogo import registry
from nogo.cli import main
from nogo.errors import AgentNameError, GameNameError, OptionError
from nogo.testing import CHECKS, Conformance, check_agent

AGENTS = """
    import os, random, sys, time
    from nogo import RESIGN, AgentSpec, Choice, Option
    from nogo.errors import ArgumentError
    from nogo.hookspecs import hookimpl

    HOARD = []

    class Good:
        def __init__(self, game, options, seed):
            self.seed = seed

        def choose(self, position, budget):
            moves = position.legal_moves()
            return Choice(self.pick(position, budget, moves[(self.seed + position.ply) % len(moves)]))

        def pick(self, position, budget, move):
            return move

    class Chatty(Good):
        def pick(self, position, budget, move):
            print("{}", flush=True)
            os.write(1, b"garbage\\n")
            return move

    class Resigns(Good):
        def pick(self, position, budget, move):
            return RESIGN if position.ply > 3 else move

    class Raises(Good):
        def pick(self, position, budget, move):
            raise KeyError("lost\\nway")

    class Exits(Good):
        def pick(self, position, budget, move):
            print("last words", file=sys.stderr, flush=True)
            os._exit(3)

    class Hangs(Good):
        def pick(self, position, budget, move):
            time.sleep(60)

    class Nothing(Good):
        def choose(self, position, budget):
            return None

    class Illegal(Good):
        def pick(self, position, budget, move):
            return 999

    class Truth(Good):
        def pick(self, position, budget, move):
            return True

    class Boasts(Good):
        def choose(self, position, budget):
            return Choice(position.legal_moves()[0], value=2.0)

    class Scribbles(Good):
        def pick(self, position, budget, move):
            position._c.state.ply += 1
            return move

    class Spends(Good):
        def choose(self, position, budget):
            return Choice(position.legal_moves()[0], playouts=10 * (budget.playouts or 1))

    class Late(Good):
        def pick(self, position, budget, move):
            time.sleep(0.35 if budget.seconds else 0)
            return move

    class Moody(Good):
        def choose(self, position, budget):
            return Choice(random.choice(position.legal_moves()))

    class Hashes(Good):
        def choose(self, position, budget):
            return Choice(min(position.legal_moves(), key=lambda move: hash(str(move))))

    class Hoards(Good):
        def __init__(self, game, options, seed):
            super().__init__(game, options, seed)
            HOARD.append(bytearray(os.urandom(1024)) * 4096)

    class Stays(Good):
        def __init__(self, game, options, seed):
            self.games = 0

        def begin(self, seed):
            self.seed = seed + self.games * FORGETS
            self.games += 1

        def close(self):
            pass

    class Lasts(Stays):
        pass

    FORGETS = 0

    class Remembers(Stays):
        def begin(self, seed):
            self.seed, self.games = seed + self.games, self.games + 1

    class Follows(Good):
        def __init__(self, game, options, seed):
            super().__init__(game, options, seed)
            self.position = None

        def played(self, position, move):
            assert self.position is None or position == self.position
            self.position = position.play(move)

        def pick(self, position, budget, move):
            assert self.position is None or position == self.position
            return move

    class Shy(Good):
        def __init__(self, game, options, seed):
            super().__init__(game, options, seed)
            if game.name != "othello:4x4":
                raise ArgumentError("only on 4x4")

    KINDS = [kind for kind in list(globals().values()) if isinstance(kind, type) and issubclass(kind, Good)]

    @hookimpl
    def nogo_register_agents(register):
        for kind in KINDS:
            games = ("othello",) if kind is Shy else None
            register(AgentSpec("t-" + kind.__name__.lower(), kind, (), "", games=games))
"""
NAMES = (
    *("good", "chatty", "resigns", "raises", "exits", "hangs", "nothing", "illegal", "truth", "boasts", "scribbles"),
    *("spends", "late", "moody", "hashes", "hoards", "lasts", "remembers", "follows", "shy"),
)


@pytest.fixture(autouse=True, scope="module")
def installed(tmp_path_factory):
    """The agents, installed for this process and for those it starts."""
    folder = tmp_path_factory.mktemp("plugins")
    entries = "".join(f"t-{name} = test_kit_agents\n" for name in NAMES)
    install(folder, "test-kit-agents", AGENTS, entries=f"[nogo]\n{entries}")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", str(folder))
        registry.default.cache_clear()
        yield
    registry.default.cache_clear()


def failures(report: Conformance) -> set[str]:
    return {check.what for check in report.failures}


@pytest.mark.parametrize("name", ["good", "chatty", "resigns", "lasts", "follows"])
def test_an_agent_that_keeps_its_promises_passes(name):
    report = check_agent(f"t-{name}", games=["nogo:3x3"])
    assert report.passed, report
    assert [(check.game, check.what) for check in report.checks] == [("nogo:3x3", what) for what in CHECKS]


@pytest.mark.parametrize(
    ("name", "what", "why"),
    [
        ("raises", "plays", "it raised KeyError: 'lost"),
        ("exits", "plays", "the process has ended: exit code 3 (last words)"),
        ("nothing", "legal", "gave None, not a nogo.Choice"),
        ("illegal", "legal", "move 999 is not legal in 'nogo:3x3"),
        ("truth", "legal", "move True is not legal"),
        ("boasts", "legal", "value 2.0 is not from 0 to 1"),
        ("scribbles", "position", "it has changed the position it was given: nogo:3x3 .../.../... black"),
        ("spends", "budget", "2000 playouts, with a budget of 200"),
        ("late", "time", "s, with a budget of 0.05 s"),
        ("moody", "seed", "was another one, with seed 1"),
        ("remembers", "seed", "was another one, with seed 1"),
        ("hashes", "copy", "was another one, with seed 1"),
        ("hoards", "memory", "MiB a game are lost"),
    ],
)
def test_an_agent_that_breaks_one_promise_is_found_out(name, what, why):
    report = check_agent(f"t-{name}", games=["nogo:3x3"])
    assert not report.passed
    assert failures(report) == {what}
    assert why in str(report)


def test_an_agent_that_hangs_is_found_out():
    report = check_agent("t-hangs", games=["nogo:3x3"], patience=1.0)
    assert failures(report) == {"plays"}
    assert "no move within 1 s" in str(report)


def test_without_games_every_board_of_its_families_is_tried():
    report = check_agent("t-shy")
    assert report.passed, report
    assert {check.game for check in report.checks} == {"othello:4x4"}
    assert report.refused == {"othello": "only on 4x4"}


def test_an_agent_that_plays_no_game_does_not_pass():
    report = check_agent("t-shy", games=["othello"])
    assert not report.passed
    assert "failed at no game" in str(report)


@pytest.mark.parametrize(
    ("agent", "games", "error"),
    [
        ("t-nobody", None, AgentNameError),
        ("t-good:x=1", None, OptionError),
        ("t-shy", ["nogo:3x3"], AgentNameError),
        ("t-good", ["chess"], GameNameError),
    ],
)
def test_what_cannot_be_tried_is_refused(agent, games, error):
    with pytest.raises(error):
        check_agent(agent, games=games)


# the command


def run(*arguments: str, code: int, columns: int = 80) -> str:
    result = CliRunner(env={"COLUMNS": str(columns)}).invoke(main, ["agents", "check", *arguments])
    assert result.exit_code == code, result.output
    return result.stdout


def test_the_command_shows_what_passed_and_exits_with_0():
    output = run("t-good", "nogo:3x3", "othello:4x4", code=0)
    assert "t-good of test-kit-agents 1.0 keeps its promises" in output
    for game in ("nogo:3x3", "othello:4x4"):
        (row,) = [line for line in output.splitlines() if line.startswith(f" {game} ") or line.startswith(f"{game} ")]
        assert row.count("yes") == len(CHECKS)
    assert "…" not in output


def test_the_command_shows_why_not_and_exits_with_1():
    output = " ".join(run("t-illegal", "nogo:3x3", code=1).split())
    assert "breaks a promise" in output
    assert "legal at nogo:3x3: move 999 is not legal" in output


def test_the_command_gives_json():
    found = json.loads(run("t-good", "nogo:3x3", "--json", code=0))
    assert found["passed"]
    assert {check["what"] for check in found["checks"]} == set(CHECKS)


def test_the_command_refuses_bad_input_with_2():
    run("t-nobody", code=2)
    run("t-good", "chess", code=2)
