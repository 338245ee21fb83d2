"""One number that stands for what the search does: it changes when a search does, and only then.

It is made of fixed searches over all games and policies, and is the same on every machine and instruction set.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from nogo import core
from nogo.budget import Budget
from nogo.game import game
from nogo.position import Position
from nogo.search import Search, SearchOptions

PLAYOUTS = 2000
PLIES = 4
GAMES = ("hollow-nogo", "nogo:5x5", "nogo:11x11", "othello", "einstein", "einstein:5x5", "einstein:setdie")
OPTIONS = (
    SearchOptions(),
    SearchOptions(flat=True, choice="mean"),
    SearchOptions(policy="tuned", c=0.6, playouts=5, threshold=20, shortcuts=True, choice="mean"),
    SearchOptions(policy="rave", c=0.1),
    SearchOptions(policy="rave", schedule="hand", expand="all", solver=True),
    SearchOptions(policy="rave", schedule="haha", c=0.25, prior=20.0, leaf="lanes", playouts=8),
    SearchOptions(fpu=0.6, leaf="leaves", playouts=16),
    SearchOptions(prune="visits", prune_every=500, favour=2.0, reuse=True),
    SearchOptions(prune="statistical", prune_samples=20, descent_k=20.0, choice="temperature"),
    SearchOptions(value="plies", solver=True),
)


def signature() -> int:
    """Make all searches and hash what they found to 64 bits."""
    digest = hashlib.sha256()
    for name in GAMES:
        for options in OPTIONS:
            for result in _searches(name, options):
                digest.update(result)
    return int.from_bytes(digest.digest()[:8], "little")


def _searches(name: str, options: SearchOptions) -> Iterator[bytes]:
    """Search a few positions of a game, each after the move found in the one before."""
    position, searcher = _to_move(game(name).start()), Search(game(name), options)
    for ply in range(PLIES):
        result = searcher.run(position, Budget(playouts=PLAYOUTS), seed=ply + 1)
        yield f"{result.move} {result.playouts} {result.visits.tolist()} {result.amaf_visits.tolist()}".encode()
        position = _to_move(position.play(result.move))


def _to_move(position: Position) -> Position:
    """Throw the die, if one is to be thrown: always the same."""
    return position.play(position.legal_moves()[0]) if position.turn == core.CHANCE else position
