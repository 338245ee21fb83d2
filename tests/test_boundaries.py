"""Who may know what: imports of Python modules, includes and pragmas of C files."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest

import nogo

ROOT = Path(__file__).parent.parent
PYTHON = sorted((ROOT / "nogo").rglob("*.py"))
C = sorted((ROOT / "csrc").rglob("*.[ch]"))
GAMES = {"nogo", "othello", "einstein"}
STANDARD = {
    "math.h",
    "pthread.h",
    "time.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdlib.h",
    "string.h",
    "immintrin.h",
    "nmmintrin.h",
}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def includes_of(path: Path) -> set[str]:
    return set(re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), re.M))


def game_files() -> list[Path]:
    return [path for path in C if path.parent.name == "games" and path.name != "game.h"]


@pytest.mark.skipif("NOGO_TEST_INSTALLED" not in os.environ, reason="asked for by tox, which tests the wheel")
def test_tests_run_against_the_installed_package_not_the_tree():
    assert Path(nogo.__file__).parent != ROOT / "nogo"


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_only_core_imports_the_extension(path):
    if path.name != "core.py":
        assert not any("_core" in name.split(".") for name in imports_of(path))
        assert "import_module" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_only_the_command_line_prints(path):
    if path.parent.name == "cli":
        return
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert "print" not in calls
    assert not imports_of(path) & {"click", "rich"}


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_nothing_is_evaluated_or_shelled_out_and_one_module_starts_processes(path):
    if path.name == "_build.py":
        return
    forbidden = {"pickle", "marshal"} if path.name == "child.py" else {"pickle", "marshal", "subprocess"}
    assert not imports_of(path) & forbidden
    assert not re.search(r"\b(eval|exec|system|popen)\(", path.read_text(encoding="utf-8"))


def test_core_knows_no_room_above_it():
    ours = {name for name in imports_of(ROOT / "nogo/core.py") if name.split(".")[0] == "nogo"}
    assert all(name.startswith(("nogo._core", "nogo.errors")) for name in ours), ours


AGENTS = [path for path in PYTHON if path.parent.name == "agents"]
AN_AGENT_MAY_KNOW = {
    *("nogo.agent", "nogo.agents", "nogo.alphabeta", "nogo.budget", "nogo.errors", "nogo.game", "nogo.hookspecs"),
    *("nogo.child", "nogo.playouts", "nogo.position", "nogo.search"),
}
ABOVE_AGENTS = {"registry", "hookspecs", "agents", "cli", "match", "protocols", "web"}


def rooms_of(path: Path) -> set[str]:
    """The modules of ours that a file imports, without the names it takes from them."""
    ours = [name.split(".") for name in imports_of(path) if name.startswith("nogo.")]
    return {".".join(parts[:2]) for parts in ours}


@pytest.mark.parametrize("path", AGENTS, ids=name_of)
def test_an_agent_knows_positions_budgets_and_searches_only(path):
    assert rooms_of(path) <= AN_AGENT_MAY_KNOW
    assert not re.search(r"\._c\b|\.handle\b", path.read_text(encoding="utf-8")), (
        "the engine's memory is not for agents"
    )


@pytest.mark.parametrize("path", [path for path in AGENTS if path.name != "__init__.py"], ids=name_of)
def test_an_agent_knows_nothing_of_how_it_is_found(path):
    assert "nogo.hookspecs" not in rooms_of(path)
    assert "nogo.registry" not in rooms_of(path)


A_PROTOCOL_MAY_KNOW = {
    *("nogo.agent", "nogo.arguments", "nogo.budget", "nogo.core", "nogo.errors", "nogo.game", "nogo.position"),
    *("nogo.protocols", "nogo.registry"),
}
OF_MATCHES = {"nogo.match.openings", "nogo.match.record", "nogo.match.replay", "nogo.match.sgf", "nogo.match.sgf_read"}


@pytest.mark.parametrize("path", [path for path in PYTHON if path.parent.name == "protocols"], ids=name_of)
def test_a_protocol_knows_agents_by_the_registry_and_of_matches_how_games_are_written(path):
    modules = {room for room in rooms_of(path) if room.islower()}  # the others are names of the package's own
    assert modules - {"nogo.match"} <= A_PROTOCOL_MAY_KNOW
    of_matches = {".".join(name.split(".")[:3]) for name in imports_of(path) if name.startswith("nogo.match.")}
    assert of_matches <= OF_MATCHES


@pytest.mark.parametrize("path", [path for path in PYTHON if path not in AGENTS], ids=name_of)
def test_nothing_knows_an_agent_by_its_module(path):
    assert not any(name.startswith("nogo.agents") for name in imports_of(path))


def test_neither_registry_nor_command_line_names_an_agent_in_its_code():
    """Names may stand in help and error texts, as examples; no code compares with one or looks one up."""
    names = {path.stem.replace("_", "-") for path in AGENTS} - {"--init--", "preset", "gtp-engine"}
    for path in PYTHON:
        if path in AGENTS:
            continue
        compared = [
            constant.value
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, (ast.Compare, ast.Call, ast.Subscript, ast.MatchValue))
            for constant in ast.iter_child_nodes(node)
            if isinstance(constant, ast.Constant)
        ]
        if path.parent.name == "cli" or path.name in ("registry.py", "agent.py", "hookspecs.py", "budget.py"):
            assert not names & set(compared), name_of(path)


@pytest.mark.parametrize("name", ["budget", "agent", "search", "playouts", "position", "game"])
def test_what_agents_stand_on_knows_nothing_above_them(name):
    assert not {f"nogo.{room}" for room in ABOVE_AGENTS} & rooms_of(ROOT / f"nogo/{name}.py")


@pytest.mark.parametrize("path", game_files(), ids=name_of)
def test_a_game_knows_its_own_rules_only(path):
    family = path.stem.removesuffix("_kernels")
    allowed = {"game.h", f"{family}.h", "../lanes.h", *STANDARD}
    assert includes_of(path) <= allowed
    others = GAMES - {family}
    symbols = re.findall(
        r"\b(nogo|othello|einstein)_(?:kernels|family_new|play|moves)", path.read_text(encoding="utf-8")
    )
    assert not set(symbols) & others


@pytest.mark.parametrize("name", ["games/game.h", "bits.h", "core.h", "isa.h", "lanes.h", "rng.h"])
def test_what_games_share_knows_none_of_them(name):
    path = ROOT / "csrc" / name
    assert all(Path(include).stem not in GAMES for include in includes_of(path))
    assert "search" not in "".join(includes_of(path))


def test_only_api_names_the_games():
    for path in C:
        if path.parent.name != "games" and path.name not in ("api.c", "nogo_api.h", "plugin.h"):
            assert not {f"games/{game}.h" for game in GAMES} & includes_of(path)
            assert not re.search(r"(nogo|othello|einstein)_family_new", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", C, ids=name_of)
def test_c_includes_are_ours_or_the_standard_library_s(path):
    for include in includes_of(path):
        assert include in STANDARD or (path.parent / include).exists(), include


@pytest.mark.parametrize("path", C, ids=name_of)
def test_c_neither_prints_nor_exits_nor_draws_its_own_randomness(path):
    assert not re.search(r"\b(f?printf|puts|exit|abort|s?rand|time)\s*\(", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", C, ids=name_of)
def test_openmp_lives_in_one_file(path):
    if path.name != "parallel.c":
        assert not re.search(r"pragma\s+omp|omp\.h", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", C, ids=name_of)
def test_c_has_no_mutable_globals(path):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
    for line in re.findall(r"^\s*static [^\n(]*[=;]|^\w[\w *]*\s\w+(?:\[\w*\])?\s*[=;]", text, re.M):
        assert "const" in line or line.startswith(("typedef", "struct", "}")), line


def test_the_public_declarations_have_no_preprocessor_lines():
    assert "#" not in (ROOT / "csrc/nogo_api.h").read_text(encoding="utf-8")


def test_headers_come_with_the_package():
    folder = Path(nogo.get_include())
    assert (folder / "nogo_api.h").read_text() == (ROOT / "csrc/nogo_api.h").read_text()
    assert (folder / "games/game.h").exists()
    assert (folder / "plugin.h").exists()
