"""Games as SGF FF[4] files, written by sgfmill's grammar; EinStein has no SGF.

- NoGo is GM[1] with Go's points; a rectangle is SZ[columns:rows], as FF[4] has it.
- Holes are marked, not filled: dimmed from the root on (DD), and crossed in every node (MA), since marks last for one
  node only. A stone in a hole would join groups or be captured. An empty point only adds liberties, so every game with
  holes is a legal one without them, and any Go program replays it to the end without taking a stone off.
- Othello is GM[2] as Edax writes it: squares as f5, a pass as PA, the first discs as setup.
- Properties of our own, two letters because some readers take no more: XG is the game's name and XS the text of its
  start, for `nogo.position`; XT is the plain transcript of an Othello game.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from nogo.core import FIRST, HOLE, SECOND
from nogo.errors import ArgumentError
from nogo.game import Game, game
from nogo.match.record import FINISHED, LATE, RESIGNED, VOID, GameRecord
from nogo.match.replay import Step, one_line, printable, start_of, steps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nogo.position import Position

# Of a game, a position's cell: SGF counts games its own way.
GAME_NUMBERS: Final = {"nogo": 1, "othello": 2}
RULES: Final = {"nogo": "NoGo", "othello": "Othello"}
COLOURS: Final = {FIRST: "B", SECOND: "W"}
_HOLE_CELL: Final = HOLE - 256  # as Position.cells gives it, in signed bytes

Properties = dict[str, list[str]]


def has_sgf(game_name: str) -> bool:
    """Tell whether games of this name can be written as SGF."""
    return game(game_name).family in GAME_NUMBERS


def to_sgf(record: GameRecord) -> bytes:
    """Write a game as an SGF file."""
    if not has_sgf(record.game):
        raise ArgumentError(f"{record.game} has no SGF; its games are kept as records, one JSON object a line")
    grammar = load_grammar()
    tree = grammar.Coarse_game_tree()
    tree.sequence = [_escaped(node, grammar) for node in _nodes(record)]
    written: bytes = grammar.serialise_game_tree(tree)
    return written


def load_grammar() -> Any:
    """Give sgfmill's grammar."""
    try:
        from sgfmill import sgf_grammar  # noqa: PLC0415 - an extra, imported only where it is used
    except ImportError:
        raise ArgumentError('SGF needs the package sgfmill; install it with pip install "nogo[sgf]"') from None
    return sgf_grammar


def _escaped(node: Properties, grammar: Any) -> dict[str, list[bytes]]:
    """Make raw values of texts; only the two values composed of a pair keep their colon."""
    raw = {}
    for name, values in node.items():
        raw[name] = [grammar.escape_text(printable(value).encode()) for value in values]
    return raw


# ---- the nodes ----


def _nodes(record: GameRecord) -> list[Properties]:
    start, played = start_of(record), steps(record)
    final = played[-1].position if played else start
    nodes = [_root(record, start, final), *(_move_node(step) for step in played)]
    if start.game.family == "othello":
        nodes[0]["XT"] = ["".join(step.move for step in played if step.move != "pass")]
    holes = _points(start, _HOLE_CELL)
    if holes:
        nodes[0]["DD"] = holes
        for node in nodes:
            node["MA"] = holes
    nodes[-1]["C"] = ["\n".join([*nodes[-1].get("C", []), _ending(record)])]
    return nodes


def _root(record: GameRecord, start: Position, final: Position) -> Properties:
    first, second = record.players
    facts = {
        "FF": "4",
        "GM": str(GAME_NUMBERS[start.game.family]),
        "CA": "UTF-8",
        "AP": "nogo",
        "SZ": _size(start.game),
        "RU": RULES[start.game.family],
        "GN": f"Game {record.number} of {start.game.name}",
        "PB": one_line(first.name),
        "PW": one_line(second.name),
        "RE": _result(record, final),
        "XG": start.game.name,
        "XS": start.text,
    }
    root = {name: [text] for name, text in facts.items()}
    date = re.match(r"\d{4}-\d{2}-\d{2}", record.began, re.ASCII)
    if date:
        root["DT"] = [date[0]]
    return root | _setup(start) | {"C": [_introduction(record)]}


def _size(of: Game) -> str:
    return str(of.columns) if of.columns == of.rows else f"{of.columns}:{of.rows}"


def _setup(start: Position) -> Properties:
    stones = {"AB": _points(start, 1), "AW": _points(start, 2)}
    setup = {name: points for name, points in stones.items() if points}
    if setup or start.turn != FIRST:
        setup["PL"] = [COLOURS[start.turn]]
    return setup


def _points(where: Position, cell: int) -> list[str]:
    """Name the points that hold such a cell, from the top left."""
    return [_point(where.game, index) for index, found in enumerate(where.cells.flat) if found == cell]


def _point(of: Game, index: int) -> str:
    """Name a point: letters for column and row in Go, the square's own name in Othello."""
    if of.family == "othello":
        return of.move_name(index)
    row, column = divmod(index, of.columns)
    return chr(ord("a") + column) + chr(ord("a") + row)


def _move_node(step: Step) -> Properties:
    of = step.position.game
    point = "PA" if step.move == "pass" else _point(of, of.move(step.move))
    node = {COLOURS[step.mover]: [point]}
    comment = "opening" if step.opening else ", ".join(_numbers(step))
    return node | {"C": [comment]} if comment else node


def _numbers(step: Step) -> Iterable[str]:
    """Say what is known of a move."""
    if step.seconds is not None:
        yield f"{step.seconds:.3f} s"
    if step.playouts is not None:
        yield f"{step.playouts} playouts"
    if step.value is not None:
        yield f"value {step.value:.3f}"


# ---- words ----


def _introduction(record: GameRecord) -> str:
    lines = [f"Game {record.number}, pair {record.pair}, of a match with seed {record.seed}; {one_line(record.engine)}"]
    for side, player in zip(("Black", "White"), record.players, strict=True):
        source = one_line(f"{player.distribution} {player.version}")
        lines.append(f"{side}: {one_line(player.name)}, budget {one_line(player.budget)}, from {source}")
    if record.opening.moves:
        lines.append(f"The agents take over after move {len(record.opening.moves)}.")
    return "\n".join(lines)


def _ending(record: GameRecord) -> str:
    return f"{record.end.kind}: {one_line(record.end.reason)}"


def _result(record: GameRecord, final: Position) -> str:
    """Give the result as FF[4] has it: B+R, B+T, B+F; B+12 where points are counted, B+ where not."""
    end = record.end
    if end.kind == VOID:
        return "Void"
    if end.winner is None:
        return "0"
    return f"{COLOURS[end.winner]}+{_margin(end.kind, final)}"


def _margin(kind: str, final: Position) -> str:
    if kind == FINISHED:
        counted = final.game.family == "othello" and final.result is not None
        return f"{abs(final.result or 0):.0f}" if counted else ""
    return {RESIGNED: "R", LATE: "T"}.get(kind, "F")
