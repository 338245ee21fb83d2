"""The one module that talks to the C engine: handles, buffers, status codes.

Nothing else imports ``_core``. Every call that returns a status goes through `check`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Final

try:
    from nogo._core import ffi, lib
except ModuleNotFoundError as error:
    raise ImportError("nogo's engine is not built; run: pip install . (in the source tree)") from error
from nogo.errors import ArgumentError, ForkError, HandleError, InstructionSetError, NogoError, PluginError

API_VERSION: Final = 3
if getattr(lib, "NOGO_API_VERSION", None) != API_VERSION:
    raise ImportError(
        "nogo's engine is of another version than its Python code; run: pip install . (in the source tree)"
    )

FIRST: Final = 0
SECOND: Final = 1
CHANCE: Final = -1

UNFINISHED: Final[int] = lib.NOGO_UNFINISHED
BLOCK: Final[int] = lib.NOGO_BLOCK
MAX_THREADS: Final[int] = lib.NOGO_MAX_THREADS
MAX_SIDE: Final[int] = lib.NOGO_MAX_SIDE
MAX_POINTS: Final[int] = lib.NOGO_MAX_POINTS
HOLE: Final[int] = lib.NOGO_HOLE
NO_DIE: Final = 255
DICE: Final[int] = lib.NOGO_DICE
LEGAL: Final[int] = lib.NOGO_LEGAL
NOT_A_MOVE: Final[int] = lib.NOGO_NOT_A_MOVE
OFF_BOARD: Final[int] = lib.NOGO_OFF_BOARD
FAMILIES: Final = {
    "nogo": lib.NOGO_FAMILY_NOGO,
    "othello": lib.NOGO_FAMILY_OTHELLO,
    "einstein": lib.NOGO_FAMILY_EINSTEIN,
}

MAX_LEAF: Final[int] = lib.NOGO_MAX_LEAF
MAX_LEAVES: Final[int] = lib.NOGO_MAX_LEAVES

# How playouts may be played, by name.
PLAYOUT_WAYS: Final[dict[str, int]] = {
    "uniform": lib.NOGO_PLAYOUT_UNIFORM,
    "both-legal": lib.NOGO_PLAYOUT_BOTH_LEGAL,
    "shortcut": lib.NOGO_PLAYOUT_SHORTCUT,
    "corners": lib.NOGO_PLAYOUT_CORNERS,
}
POLICIES: Final[dict[str, int]] = {
    "ucb1": lib.NOGO_UCB1,
    "tuned": lib.NOGO_TUNED,
    "rave-mse": lib.NOGO_RAVE_MSE,
    "rave-hand": lib.NOGO_RAVE_HAND,
    "rave-haha": lib.NOGO_RAVE_HAHA,
}
# The search's other options that are chosen by name.
SEARCH_CODES: Final[dict[str, dict[str, int]]] = {
    "playout": PLAYOUT_WAYS,
    "leaf": {"single": lib.NOGO_LEAF_SINGLE, "lanes": lib.NOGO_LEAF_LANES, "leaves": lib.NOGO_LEAF_LEAVES},
    "value": {
        "playout": lib.NOGO_VALUE_PLAYOUT,
        "evaluation": lib.NOGO_VALUE_EVALUATION,
        "plies": lib.NOGO_VALUE_PLIES,
    },
    "prune": {
        "none": lib.NOGO_PRUNE_NONE,
        "visits": lib.NOGO_PRUNE_VISITS,
        "statistical": lib.NOGO_PRUNE_STATISTICAL,
    },
    "choice": {
        "visits": lib.NOGO_CHOICE_VISITS,
        "mean": lib.NOGO_CHOICE_MEAN,
        "lower-bound": lib.NOGO_CHOICE_LOWER_BOUND,
        "temperature": lib.NOGO_CHOICE_TEMPERATURE,
    },
    "parallel": {
        "none": lib.NOGO_PARALLEL_NONE,
        "leaf": lib.NOGO_PARALLEL_LEAF,
        "root": lib.NOGO_PARALLEL_ROOT,
        "tree": lib.NOGO_PARALLEL_TREE,
    },
}
# Why a search has stopped, in words.
STOPPED: Final[dict[int, str]] = {
    lib.NOGO_RUNNING: "interrupted",
    lib.NOGO_STOP_PLAYOUTS: "playouts",
    lib.NOGO_STOP_TIME: "time",
    lib.NOGO_STOP_EARLY: "early",
    lib.NOGO_STOP_PROVEN: "proven",
    lib.NOGO_STOP_SINGLE: "single move",
    lib.NOGO_STOP_WIN: "winning move",
}

# Why a move is refused, in words.
REASONS: Final[dict[int, str]] = {
    lib.NOGO_NOT_A_MOVE: "not a move of this game",
    lib.NOGO_GAME_OVER: "the game is over",
    lib.NOGO_NOT_YOUR_TURN: "not your turn",
    lib.NOGO_DIE_FIRST: "the die comes first",
    lib.NOGO_DIE_KNOWN: "the die is known already",
    lib.NOGO_OFF_BOARD: "off the board",
    lib.NOGO_NOT_EMPTY: "not empty",
    lib.NOGO_SUICIDE: "suicide",
    lib.NOGO_CAPTURE: "capture",
    lib.NOGO_FLIPS_NOTHING: "flips nothing",
    lib.NOGO_PASS: "pass",
    lib.NOGO_NO_CUBE: "the cube is gone",
    lib.NOGO_WRONG_CUBE: "the die calls for another cube",
}

# What is wrong with a layout, in words; the place comes from the engine.
LAYOUT_FAULTS: Final[dict[int, str]] = {
    lib.NOGO_E_CELL: "holds what cannot stand there",
    lib.NOGO_E_COUNTS: "the numbers of stones do not fit turns that alternate, black first",
    lib.NOGO_E_PLY: "the board cannot have come about in so many moves (ply)",
    lib.NOGO_E_LIBERTY: "stands in a group without a liberty",
    lib.NOGO_E_CENTRE: "is empty, but the four centre squares are taken from the start",
    lib.NOGO_E_ISLAND: "is not connected with the centre",
    lib.NOGO_E_TURN: "this side cannot be to move here",
    lib.NOGO_E_DIE: "the die is missing, or known too early (write throw, or a side and die=)",
    lib.NOGO_E_ENDED: "both sides have won, or nobody is left",
}


def check(status: int) -> None:
    """Turn a status of the engine into an exception; NOGO_OK is none."""
    if status == lib.NOGO_OK:
        return
    if status == lib.NOGO_E_NOMEM:
        raise MemoryError("the engine could not get memory; use fewer threads or free some")
    if status == lib.NOGO_E_HANDLE:
        raise HandleError(
            "a position of another game, or one not made by nogo; make it with game.start() or game.parse()"
        )
    if status == lib.NOGO_E_ARGUMENT:
        raise ArgumentError("the engine refused a number as out of range")
    if status == lib.NOGO_E_ISA:
        raise InstructionSetError("this instruction set is not built or not of this machine")
    if status == lib.NOGO_E_PLUGIN:
        raise PluginError(
            "a plugin's C function returned what cannot be: a playout returns one of the game's outcomes, an evaluation"
            " 0 to 1; what this search has found is worth nothing"
        )
    raise NogoError(f"the engine failed with status {status}; please report this")


# ---- instruction sets and build ----


@dataclass(frozen=True)
class BuildInfo:
    """How the engine was built and what it runs on."""

    version: str
    """Of this package."""
    compiler: str
    """Name and version of the C compiler."""
    openmp: int
    """Version date of OpenMP, 0 for a build without (one thread only)."""
    isas: tuple[str, ...]
    """Instruction sets in this build, best first."""
    isas_here: tuple[str, ...]
    """Those of them that this machine runs."""
    isa: str
    """The one in use."""

    def __str__(self) -> str:
        """Say it in a few lines."""
        openmp = f"OpenMP {self.openmp}" if self.openmp else "without OpenMP: one thread only"
        return (
            f"nogo {self.version}, {self.compiler}, {openmp}\n"
            f"kernels built for {', '.join(self.isas)}; this machine runs {', '.join(self.isas_here)}; using {self.isa}"
        )


def _isa_names() -> tuple[str, ...]:
    return tuple(ffi.string(lib.nogo_isa_name(i)).decode() for i in range(lib.nogo_isa_count()))


def _isas_here() -> tuple[str, ...]:
    return tuple(name for i, name in enumerate(_isa_names()) if lib.nogo_isa_runs_here(i))


def isa_in_use() -> str:
    """Name the instruction set of new games: NOGO_ISA if set, else the best this machine runs."""
    here = _isas_here()
    wanted = os.environ.get("NOGO_ISA") or here[0]
    name = "".join(character for character in wanted.lower() if character.isalnum())  # AVX-512, SSE4.2
    if name not in here:
        known = "not of this machine" if name in _isa_names() else "unknown"
        raise InstructionSetError(f"NOGO_ISA={wanted!r} is {known}; use one of {', '.join(here)}, or unset it")
    return name


def build_info() -> BuildInfo:
    """Tell how the engine was built and which instruction set it uses."""
    from importlib.metadata import version  # noqa: PLC0415 - slow to import, seldom asked

    return BuildInfo(
        version=version("nogo"),
        compiler=ffi.string(lib.nogo_compiler()).decode(),
        openmp=lib.nogo_openmp(),
        isas=_isa_names(),
        isas_here=_isas_here(),
        isa=isa_in_use(),
    )


# ---- games ----


@dataclass(frozen=True)
class Spec:
    """A game's name, taken apart."""

    name: str
    family: str
    columns: int
    rows: int
    variant: int = 0
    """EinStein: 0 the course board, 1 the classic 5x5, 2 the one with a set die."""
    holes: tuple[int, ...] = ()
    """NoGo: cells counted row by row from the top left."""


def game_new(spec: Spec, isa: str) -> Any:
    """Make a game; the handle frees it."""
    c = ffi.new("nogo_spec *")
    c.family, c.variant, c.columns, c.rows = FAMILIES[spec.family], spec.variant, spec.columns, spec.rows
    c.hole_count = len(spec.holes)
    c.holes[0 : len(spec.holes)] = spec.holes
    out = ffi.new("nogo_game **")
    check(lib.nogo_game_new(c, _isa_names().index(isa), out))
    return ffi.gc(out[0], lib.nogo_game_free)


def game_move_count(game: Any) -> int:
    """Size of the move space."""
    return int(lib.nogo_game_move_count(game))


def game_reward_unit(game: Any) -> int:
    """Tell what a won game is worth in the units of AMAF sums."""
    return int(lib.nogo_game_reward_unit(game))


def game_outcomes(game: Any) -> tuple[tuple[int | None, int], ...]:
    """List the winner (None for a draw) and the first player's reward in units, by outcome."""
    winner, reward = ffi.new("int *"), ffi.new("int *")
    outcomes: list[tuple[int | None, int]] = []
    for outcome in range(lib.nogo_game_outcome_count(game)):
        check(lib.nogo_game_outcome(game, outcome, winner, reward))
        outcomes.append((None if winner[0] < 0 else winner[0], reward[0]))
    return tuple(outcomes)


# ---- positions: each is a nogo_position of its own, never written again once it is made ----

POSITION: Final = ffi.typeof("nogo_position *")
position_allocate = ffi.new_allocator(should_clear_after_alloc=False)  # the engine writes all that is read
position_play = lib.nogo_position_play
unpack = ffi.unpack


def position_start(game: Any) -> Any:
    """Make the game's standard start."""
    position = position_allocate(POSITION)
    check(lib.nogo_position_start(game, position))
    return position


@dataclass
class Layout:
    """A position spelt out."""

    cells: bytes
    turn: int
    ply: int
    die: int = NO_DIE
    dice: bytes = bytes(DICE)


class LayoutFault(Exception):  # noqa: N818 - internal: notation says what and where
    """A layout that cannot arise."""

    def __init__(self, what: str, cell: int) -> None:
        """Keep what is wrong, and the cell's index or -1."""
        super().__init__(what)
        self.what, self.cell = what, cell


def position_set(game: Any, layout: Layout) -> Any:
    """Make a position of a layout, or raise LayoutFault."""
    spelt, cell, position = ffi.new("nogo_layout *"), ffi.new("int *", -1), position_allocate(POSITION)
    ffi.memmove(spelt.cells, layout.cells, len(layout.cells))
    ffi.memmove(spelt.dice, layout.dice, DICE)
    spelt.turn = lib.NOGO_CHANCE if layout.turn == CHANCE else layout.turn
    spelt.ply, spelt.die = layout.ply, layout.die
    status = lib.nogo_position_set(game, spelt, cell, position)
    if status in LAYOUT_FAULTS:
        raise LayoutFault(LAYOUT_FAULTS[status], cell[0])
    check(status)
    return position


def position_get(game: Any, position: Any, cells: int) -> Layout:
    """Spell a position out."""
    spelt = ffi.new("nogo_layout *")
    check(lib.nogo_position_get(game, position, spelt))
    return Layout(
        cells=bytes(ffi.buffer(spelt.cells))[:cells],
        turn=turn_of(position),
        ply=spelt.ply,
        die=spelt.die,
        dice=bytes(ffi.buffer(spelt.dice)),
    )


def turn_of(position: Any) -> int:
    """Tell whose turn it is: FIRST, SECOND or CHANCE."""
    turn: int = position.state.turn
    return CHANCE if turn == lib.NOGO_CHANCE else turn


def position_moves(game: Any, position: Any, player: int) -> list[int]:
    """List the moves player would have were it its turn."""
    moves, count = ffi.new("uint8_t[128]"), ffi.new("int *")
    check(lib.nogo_position_moves(game, position, player, moves, count))
    return list(unpack(moves, count[0]))


def position_key(game: Any, position: Any) -> int:
    """Hash a position to 64 bits."""
    key = ffi.new("uint64_t *")
    check(lib.nogo_position_key(game, position, key))
    return int(key[0])


def game_evaluates(game: Any) -> bool:
    """Tell whether the game offers an evaluation."""
    return bool(lib.nogo_game_offers_evaluation(game))


def position_evaluate(game: Any, position: Any) -> int:
    """Judge an unfinished position without searching: the first player's advantage, in the game's own units."""
    advantage = ffi.new("int *")
    check(lib.nogo_position_evaluate(game, position, advantage))
    return int(advantage[0])


def position_state(position: Any) -> bytes:
    """Give the state's bytes, equal for equal positions."""
    return bytes(ffi.buffer(position, ffi.sizeof("nogo_state")))


def move_check(game: Any, position: Any, move: int, player: int) -> int:
    """Tell why player may not make the move, as a key of REASONS, or LEGAL."""
    reason = ffi.new("nogo_reason *")
    turn = lib.NOGO_CHANCE if player == CHANCE else player
    check(lib.nogo_move_check(game, position, move, turn, reason))
    return int(reason[0])


def perft(game: Any, position: Any, depth: int) -> int:
    """Count the move sequences of exactly depth plies, without looking up."""
    count = ffi.new("uint64_t *")
    check(lib.nogo_perft(game, position, depth, count))
    return int(count[0])


# ---- playouts ----


def totals_new() -> Any:
    """Make sums, all zero."""
    return ffi.new("nogo_totals *")


def totals_array(totals: Any, field: str) -> memoryview:
    """Give one of the totals' arrays as raw memory; it lives as long as totals is kept."""
    return memoryview(ffi.buffer(getattr(totals, field)))


class _Parallel:
    """Whether this process, or the one it was forked from, has used several threads."""

    used = 1
    """The most threads that have been started."""
    forked_after = False


def _after_fork_in_child() -> None:
    _Parallel.forked_after = _Parallel.forked_after or _Parallel.used > 1


os.register_at_fork(after_in_child=_after_fork_in_child)


def threads_allow(threads: int) -> None:
    """Refuse a number of threads that cannot be had here; OpenMP would end the process."""
    if threads > 1 and not lib.nogo_openmp():
        raise ArgumentError(
            f"threads={threads}, but nogo was built without OpenMP;"
            " use threads=1, or install a compiler with OpenMP and rebuild"
        )
    if threads > 1 and _Parallel.forked_after:
        raise ForkError(
            f"threads={threads} in a process forked after several threads had been used would hang;"
            " start processes by spawn or forkserver, or use threads=1"
        )
    if threads > _Parallel.used:
        check(lib.nogo_threads_probe(threads))
        _Parallel.used = threads


def playout_ways(game: Any) -> tuple[str, ...]:
    """List the ways of random play that the game offers."""
    return tuple(name for name, way in PLAYOUT_WAYS.items() if lib.nogo_game_offers_playout(game, way))


def playouts_run(
    game: Any,
    position: Any,
    totals: Any,
    job: tuple[int, int, int, int, bool],
    *,
    way: str = "uniform",
    single: bool = False,
) -> None:
    """Add the playouts of a job (seed, first, count, threads, amaf) to totals."""
    run = lib.nogo_playouts_single if single else lib.nogo_playouts
    check(run(game, position, ffi.new("nogo_playout_job *", (*job, PLAYOUT_WAYS[way])), totals))


def playouts_each(game: Any, positions: list[Any], seed: int, *, way: str, totals: Any) -> list[int]:
    """Play one game from each position, add it to totals, and give the games' outcomes."""
    starts = ffi.new("nogo_position[]", len(positions))
    for i, position in enumerate(positions):
        starts[i] = position[0]
    outcomes = ffi.new("uint8_t[]", len(positions))
    check(lib.nogo_playouts_each(game, starts, len(positions), seed, PLAYOUT_WAYS[way], outcomes, totals))
    return list(outcomes)


# ---- plugins' C functions ----

PLUGIN_VERSION: Final[int] = lib.NOGO_PLUGIN_VERSION
NO_PLUGIN: Final = ffi.NULL


@dataclass(frozen=True)
class PluginFacts:
    """What a plugin says of itself."""

    name: str
    family: str | None
    """The one it knows; None for all."""
    plays: bool
    evaluates: bool


def plugin_at(address: int) -> Any:
    """Take the plugin at an address, or raise PluginError; whoever calls keeps that memory alive."""
    plugin = ffi.cast("const nogo_plugin *", address)
    status = lib.nogo_plugin_check(plugin)
    if status == lib.NOGO_E_PLUGIN:
        built = plugin.version
        other = f"version {built}" if built != PLUGIN_VERSION else f"other headers of version {built}"
        raise PluginError(
            f"built for {other} of the C contract, but this nogo has version {PLUGIN_VERSION};"
            " build it again against the headers in nogo.get_include(), or install a release of it for this nogo"
        )
    check(status)
    return plugin


def plugin_facts(plugin: Any) -> PluginFacts:
    """Read what a plugin says of itself."""
    families = {number: name for name, number in FAMILIES.items()}
    name = ffi.string(plugin.name).decode(errors="replace") if plugin.name else "?"
    known = plugin.family in families or plugin.family == lib.NOGO_FAMILY_ANY
    if not known or not (plugin.playout or plugin.evaluate):
        what = "neither playout nor evaluate" if known else f"family={plugin.family}, which there is not"
        raise PluginError(f"the nogo_plugin {name!r} has {what}; see csrc/plugin.h")
    return PluginFacts(name, families.get(plugin.family), bool(plugin.playout), bool(plugin.evaluate))


def data_pointer(address: int) -> Any:
    """Make a pointer for a plugin's data."""
    return ffi.cast("const void *", address)


# ---- search ----


def game_has_margin(game: Any) -> bool:
    """Tell whether a game's results have a margin."""
    return bool(lib.nogo_game_offers_margin(game))


def search_new(game: Any, settings: dict[str, Any]) -> Any:
    """Make a search with options given by field; it is freed with the object."""
    made = ffi.new("nogo_search **")
    check(lib.nogo_search_new(game, ffi.new("nogo_search_options *", settings), made))
    return ffi.gc(made[0], lib.nogo_search_free)


def search_begin(search: Any, position: Any, playouts: int, seconds: float, seed: int) -> None:
    """Set the root and the budget."""
    check(lib.nogo_search_begin(search, position, ffi.new("nogo_search_budget *", (playouts, seconds, seed))))


def search_run(search: Any, seconds: float) -> bool:
    """Search for about so long; tell whether it is done."""
    stopped = ffi.new("int *")
    check(lib.nogo_search_run(search, seconds, stopped))
    return bool(stopped[0] != lib.NOGO_RUNNING)


def search_report(search: Any) -> Any:
    """Get what a search has found, as the engine's struct."""
    report = ffi.new("nogo_search_report *")
    check(lib.nogo_search_report_get(search, report))
    return report


def report_array(report: Any, field: str) -> memoryview:
    """Give one of a report's arrays as raw memory; it lives as long as the report is kept."""
    return memoryview(ffi.buffer(getattr(report, field)))


# ---- alpha-beta ----

MAX_DEPTH: Final[int] = lib.NOGO_MAX_DEPTH
ALPHABETA_WIN: Final[int] = lib.NOGO_ALPHABETA_WIN
ALPHABETA_MODES: Final = {
    "fixed": lib.NOGO_ALPHABETA_FIXED,
    "deepen": lib.NOGO_ALPHABETA_DEEPEN,
    "solve": lib.NOGO_ALPHABETA_SOLVE,
}


def alphabeta_new(game: Any, table_bytes: int) -> Any:
    """Make a search with a table of at most so many bytes; the handle frees it. The game must be kept."""
    out = ffi.new("nogo_alphabeta **")
    check(lib.nogo_alphabeta_new(game, table_bytes, out))
    return ffi.gc(out[0], lib.nogo_alphabeta_free, size=table_bytes)


def alphabeta_start(search: Any, position: Any, mode: str, depth: int) -> None:
    """Begin to search an unfinished position; depth counts in mode fixed only."""
    check(lib.nogo_alphabeta_start(search, position, ALPHABETA_MODES[mode], depth))


def alphabeta_result_new() -> Any:
    """Make room for what a search reports."""
    return ffi.new("nogo_alphabeta_result *")


def alphabeta_run(search: Any, nodes: int, result: Any) -> None:
    """Search on for so many nodes, or to the end, and report."""
    check(lib.nogo_alphabeta_run(search, nodes, result))
