"""SGF: another program's reader, sgfmill, finds the same games in it, move for move, and the holes and texts."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from match_samples import ended, plan, sample_records

import nogo
from nogo.errors import ArgumentError, RecordError
from nogo.match.record import CRASHED, ILLEGAL, LATE, RESIGNED, STALLED, VOID, GameRecord, Opening
from nogo.match.replay import positions, start_of
from nogo.match.sgf import has_sgf, to_sgf

sgf = pytest.importorskip("sgfmill.sgf")
boards = pytest.importorskip("sgfmill.boards")
grammar = pytest.importorskip("sgfmill.sgf_grammar")

HOSTILE = "]) ;B[aa] \\ ( \u202egnp.exe \x00\x1b[31m \ud800 é 黒 :"


def one_record(game: str, seed: int = 1, **settings: object) -> GameRecord:
    return sample_records(plan("uct", "random", games=(game,), pairs=1, **settings), seed)[1]


def point_of(name: str, rows: int) -> tuple[int, int]:
    """A point named as in GTP, as sgfmill has it: row from the bottom, column."""
    return int(name[1:]) - 1, "ABCDEFGHJKLMNOPQRST".index(name[0])


def main_line(record: GameRecord) -> list:
    return list(sgf.Sgf_game.from_bytes(to_sgf(record)).main_sequence_iter())


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", ["hollow-nogo", "nogo:9x9", "nogo:5x5:C3,A1"])
def test_sgfmill_reads_the_same_moves_of_nogo(game, seed):
    record = one_record(game, seed)
    rows = nogo.game(game).rows
    names = [*record.opening.moves, *record.moves]
    moves = [node.get_move() for node in main_line(record)[1:]]
    assert moves == [("bw"[ply % 2], point_of(name, rows)) for ply, name in enumerate(names)]


@pytest.mark.parametrize("game", ["hollow-nogo", "nogo:9x9"])
def test_another_board_shows_the_same_stones_after_every_move(game):
    """sgfmill plays by Go's rules, with captures: where it takes nothing off, ours is a legal game of Go."""
    record = one_record(game, seed=3)
    board = boards.Board(9)
    for node, position in zip(main_line(record), positions(record), strict=True):
        colour, point = node.get_move()
        if point is not None:
            board.play(*point, colour)
        theirs = [[{None: 0, "b": 1, "w": 2}[board.get(8 - row, column)] for column in range(9)] for row in range(9)]
        assert np.array_equal(theirs, np.maximum(position.cells, 0))


def test_holes_are_marked_in_every_node_and_never_played():
    record = one_record("hollow-nogo")
    holes = {point_of(name, 9) for name in ["E2", "E3", "E7", "E8", "B5", "C5", "G5", "H5"]}
    nodes = main_line(record)
    assert nodes[0].get("DD") == holes
    for node in nodes:
        assert node.get("MA") == holes
        assert node.get_move()[1] not in holes
        assert not node.has_setup_stones()


def test_a_board_without_holes_has_no_marks():
    assert all(not node.has_property(mark) for node in main_line(one_record("nogo:9x9")) for mark in ("DD", "MA"))


def test_a_rectangle_has_columns_and_rows():
    tree = grammar.parse_sgf_game(to_sgf(one_record("nogo:5x3:C2")))
    assert tree.sequence[0]["SZ"] == [b"5:3"]
    assert tree.sequence[0]["DD"] == [b"cb"]


@pytest.mark.parametrize("game", ["othello", "othello:6x6"])
def test_othello_is_its_transcript_and_its_passes(game):
    for seed in range(20):
        record = one_record(game, seed)
        names = [*record.opening.moves, *record.moves]
        root, *nodes = grammar.parse_sgf_game(to_sgf(record)).sequence
        assert root["GM"] == [b"2"]
        assert root["XT"] == ["".join(name for name in names if name != "pass").encode()]
        moves = [(colour, node[colour][0].decode()) for node in nodes for colour in "BW" if colour in node]
        assert moves == [("BW"[ply % 2], name.replace("pass", "PA")) for ply, name in enumerate(names)]
        if "pass" in names:
            return
    pytest.fail("no game with a pass")


def test_othello_begins_with_four_discs_and_ends_with_its_count():
    record = one_record("othello")
    root = grammar.parse_sgf_game(to_sgf(record)).sequence[0]
    start = start_of(record)
    assert (root["AB"], root["AW"], root["PL"]) == ([b"e4", b"d5"], [b"d4", b"e5"], [b"B"])
    assert nogo.position(root["XS"][0].decode()) == start
    final = positions(record)[-1].cells
    black, white = int((final == 1).sum()), int((final == 2).sum())
    assert root["RE"] == [f"{'B' if black > white else 'W'}+{abs(black - white)}".encode() if black != white else b"0"]


@pytest.mark.parametrize(
    ("kind", "winner", "result"),
    [
        *((RESIGNED, 0, "B+R"), (LATE, 1, "W+T"), (ILLEGAL, 0, "B+F"), (CRASHED, 1, "W+F"), (STALLED, 0, "B+F")),
        (VOID, None, "Void"),
    ],
)
def test_results_are_written_as_ff4_has_them(kind, winner, result):
    record = ended(one_record("hollow-nogo"), kind, winner, "because", blame=0)
    nodes = main_line(record)
    assert nodes[0].get("RE") == result
    assert nodes[-1].get("C").endswith(f"{kind}: because")


def test_a_finished_nogo_game_names_its_winner():
    record = one_record("hollow-nogo")
    assert main_line(record)[0].get("RE") == ("B+", "W+")[record.end.winner]


def test_texts_from_agents_cannot_break_out():
    record = one_record("nogo:5x5")
    first, second = record.players
    record = replace(record, players=(replace(first, name=HOSTILE), second))
    record = ended(record, CRASHED, 1, HOSTILE, blame=0, output=HOSTILE)
    written = to_sgf(record)
    assert not re.search(rb"[\x00\x1b]|\xe2\x80\xae", written)
    nodes = main_line(record)
    assert len(nodes) == 1 + len(record.opening.moves) + len(record.moves)
    assert nodes[0].get("PB") == "]) ;B[aa] \\ ( gnp.exe [31m é 黒 :"
    assert nodes[-1].get("C").endswith("é 黒 :")


def test_a_game_of_no_moves_is_a_root():
    record = replace(one_record("hollow-nogo"), opening=Opening(nogo.game("hollow-nogo").start().text))
    record = replace(record, moves=(), seconds=(), playouts=(), values=())
    record = ended(record, VOID, None, "cannot be set up")
    assert len(main_line(record)) == 1


def test_einstein_has_none():
    assert not has_sgf("einstein:5x5")
    with pytest.raises(ArgumentError, match="einstein:5x5 has no SGF"):
        to_sgf(one_record("einstein:5x5"))


def test_a_record_that_cannot_be_replayed_names_game_and_move():
    record = one_record("hollow-nogo")
    spoilt = replace(record, moves=(record.moves[1], *record.moves[1:]))
    with pytest.raises(RecordError, match=r"game 1, move 4: .*"):
        to_sgf(spoilt)
