"""How games begin: random moves drawn from a seed, or lines of a file.

An opening belongs to a pair of games: both sides get to play it. EinStein's cubes and dice are drawn with it.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nogo.arguments import shown
from nogo.errors import ArgumentError, NogoError
from nogo.game import Game
from nogo.game import game as get_game
from nogo.game import position as read_position
from nogo.match.record import Opening
from nogo.position import Position

MAX_PLIES: Final = 60
# Random moves that make games differ without deciding them; EinStein's starts differ by themselves.
PLIES: Final = {"nogo": 2, "othello": 4, "einstein": 0}
MAX_FILE: Final = 10_000_000  # bytes


def derive(*parts: object) -> int:
    """Mix a seed and what it is for into a seed of 64 bits: another purpose, an unrelated stream."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def draw_opening(game: Game, seed: int, plies: int | None) -> Opening:
    """Draw a start and some random moves after which the game is not over."""
    rng = random.Random(seed)  # noqa: S311 - a game, not a secret
    start = game.start(seed=derive(seed, "start")) if game.family == "einstein" else game.start()
    left = PLIES[game.family] if plies is None else plies
    while left:
        moves = _random_line(start, left, rng)
        if moves is not None:
            return Opening(start.text, tuple(moves))
        left -= 1  # a board so small that the game may be over by then: begin earlier
    return Opening(start.text)


def _random_line(position: Position, plies: int, rng: random.Random) -> list[str] | None:
    """Make random moves, and throws between them; None when the game is over after them."""
    names, end = [], position.ply + plies
    while position.ply < end and not position.is_over:
        move = rng.choice(position.legal_moves())
        names.append(position.game.move_name(move))
        position = position.play(move)
    return None if position.is_over else names


def position_of(opening: Opening) -> Position:
    """Set up an opening."""
    position = read_position(opening.start)
    for name in opening.moves:
        position = position.play(name)
    return position


def read_openings(path: Path, games: Sequence[str]) -> tuple[Opening, ...]:
    """Read a file: a line is moves from the start (``E5 D4``) or a position's text; ``#`` begins a comment.

    Behind an opening a comment's ``#`` stands alone: in the text of a position it is a hole.
    """
    names = [get_game(name).name for name in games]
    openings = []
    for number, line in enumerate(_lines(path), 1):
        text = re.sub(r"(^\s*#.*|\s#(\s.*)?$)", "", line).strip()
        if text:
            try:
                openings.append(_read_line(text, names))
            except NogoError as error:
                raise ArgumentError(f"{path}, line {number}: {error}") from None
    if not openings:
        raise ArgumentError(f"{path} has no openings; write one a line, e.g. E5 D4")
    return tuple(openings)


def _lines(path: Path) -> list[str]:
    try:
        if path.exists() and not path.is_file():
            raise ArgumentError(f"openings cannot be read from {path}: it is not a file")
        if path.stat().st_size > MAX_FILE:
            raise ArgumentError(f"{path} is larger than {MAX_FILE:,} bytes; use a shorter list of openings")
        return path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"openings cannot be read from {path}: {error}") from None


def _read_line(text: str, games: Sequence[str]) -> Opening:
    name = _game_of(text)
    if name is not None and name not in games:
        raise ArgumentError(f"a position of {name}, which is not played; use one of {', '.join(games)}")
    if name is not None:
        opening = Opening(read_position(text).text)
    elif len(games) > 1:
        raise ArgumentError(f"{shown(text)} does not say of which game it is; begin the line with the position's text")
    else:
        game = get_game(games[0])
        moves = tuple(text.replace(",", " ").split())
        opening = Opening(game.start().text, tuple(game.move_name(game.move(move)) for move in moves))
    _check_opening(opening)
    return opening


def _game_of(text: str) -> str | None:
    """Name the game of a position's text; None when it is none."""
    try:
        return get_game(text.partition(" ")[0]).name
    except NogoError:
        return None


def check_openings(game: str, openings: Sequence[Opening]) -> None:
    """Refuse openings that cannot be played on from, and a game that has none in the list."""
    ours = [opening for opening in openings if opening.start.partition(" ")[0] == game]
    if openings and not ours:
        raise ArgumentError(f"no opening of the list is of {game}; add one, e.g. the text of a position of it")
    for opening in ours:
        _check_opening(opening)


def _check_opening(opening: Opening) -> None:
    if position_of(opening).is_over:
        raise ArgumentError(f"opening {' '.join(opening.moves) or opening.start!r}: the game is over after it")
