"""The judge of the Othello Text Protocol: two players connect and play, colours swapped every round.

A player that is late, silent, illegal, oversized or gone loses that game, and the match goes on: with the same player
once it answers again, or with one that connects in its place. Only when nobody does the match ends before its time.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from nogo.arguments import real, whole
from nogo.errors import ProtocolError
from nogo.game import game
from nogo.match.record import FINISHED, ILLEGAL, End
from nogo.position import Position
from nogo.protocols.otp import Scanner, discs_of, move_of, point_of
from nogo.protocols.otp_peer import Peer, PeerError

SEATS: Final = 2
MOST_ROUNDS: Final = 1_000_000


@dataclass(frozen=True)
class Limits:
    """Seconds that a player has."""

    connect: float = 10.0
    genmove: float = 10.0
    other: float = 1.0
    grace: float = 10.0
    """After a game that was lost by failing, for what is still owed."""

    def __post_init__(self) -> None:
        """Refuse what is no time."""
        for name in ("connect", "genmove", "other"):
            real(name, getattr(self, name), 0.001, 1e6)
        real("grace", self.grace, 0.0, 1e6)


@dataclass(frozen=True)
class Round:
    """A game, and how it ended."""

    number: int
    """From 1."""
    seats: tuple[int, int]
    """Who sat where: black's number, then white's."""
    names: tuple[str, str]
    """Black's, then white's."""
    moves: tuple[str, ...]
    discs: int
    """Black's less white's, at the end."""
    end: End


@dataclass
class Standing:
    """What a seat has got together."""

    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    failed: int = 0
    """How many of the lost it lost by failing."""


@dataclass
class _Game:
    """A game under way."""

    position: Position
    moves: list[str] = field(default_factory=list)

    def make(self, move: int) -> None:
        self.moves.append(self.position.game.move_name(move))
        self.position = self.position.play(move)


class Judge:
    """Listens, and plays rounds with whoever connects."""

    def __init__(self, port: int, bind: str = "127.0.0.1", limits: Limits | None = None) -> None:
        """Begin to listen; port 0 takes any that is free."""
        self.limits = limits or Limits()
        whole("port", port, 0, 65535)
        try:
            self._listener = socket.create_server((bind, port), backlog=SEATS)
        except OSError as error:
            raise ProtocolError(f"cannot listen on {bind} port {port}: {error}; choose another port") from None
        self.port: int = self._listener.getsockname()[1]
        self._peers: dict[int, Peer] = {}
        self.standings = [Standing(f"player {seat + 1}") for seat in range(SEATS)]

    def __enter__(self) -> Judge:
        """Give the judge."""
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up and stop listening."""
        self.close()

    def close(self) -> None:
        """Hang up and stop listening."""
        for peer in self._peers.values():
            peer.close()
        self._listener.close()

    def play(self, rounds: int) -> Iterator[Round]:
        """Play the rounds, and give each when it has ended; fewer, when a player is gone and nobody takes its place."""
        whole("rounds", rounds, 1, MOST_ROUNDS)
        if not self._fill_seats():
            raise ProtocolError(
                f"{len(self._peers)} of {SEATS} players connected within {self.limits.connect:g} s;"
                f" start each with: nogo otp search HOST {self.port}"
            )
        for number in range(1, rounds + 1):
            if not self._fill_seats():
                break
            played = self._round(number)
            self._count(played)
            yield played
        self._say_quit()

    # ---- who is there ----

    def _fill_seats(self) -> bool:
        """Wait for players where a seat is free; tell whether both are taken."""
        deadline = time.monotonic() + self.limits.connect
        for seat in range(SEATS):
            if seat not in self._peers or self._peers[seat].gone:
                connection = self._accept(deadline)
                if connection is None:
                    return False
                self._peers[seat] = Peer(connection)
        return True

    def _accept(self, deadline: float) -> socket.socket | None:
        self._listener.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            connection, _ = self._listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:  # late, or it hung up before it was taken
            return None
        return connection

    def _say_quit(self) -> None:
        for peer in self._peers.values():
            with contextlib.suppress(PeerError):  # no game is left to lose
                peer.ask("quit", (), self.limits.other, lambda scanner: scanner.word("quit"))

    # ---- a round ----

    def _round(self, number: int) -> Round:
        seats = (0, 1) if number % SEATS else (1, 0)
        players = (self._peers[seats[0]], self._peers[seats[1]])
        under_way = _Game(game("othello").start())
        try:
            end = self._finish(under_way, players)
        except PeerError as error:
            end = _failed(under_way.position, players.index(error.peer), error)
        for seat, peer in zip(seats, players, strict=True):
            self.standings[seat].name = peer.name or self.standings[seat].name
        names = (self.standings[seats[0]].name, self.standings[seats[1]].name)
        return Round(number, seats, names, tuple(under_way.moves), discs_of(under_way.position), end)

    def _finish(self, under_way: _Game, players: tuple[Peer, Peer]) -> End:
        """Play a game to its end by the rules of Othello."""
        for peer in players:
            self._seat(peer)
        while not under_way.position.is_over:
            position = under_way.position
            move = self._generated(players[position.turn], position)
            under_way.make(move)
            point = point_of(position.game, move)
            players[1 - position.turn].ask("play", point, self.limits.other, lambda scanner: scanner.word("play"))
        discs = discs_of(under_way.position)
        for peer in players:
            self._check_score(peer, discs)
        reason = f"{abs(discs)} discs more" if discs else "as many discs"
        return End(FINISHED, under_way.position.winner, reason, under_way.position.ply)

    def _seat(self, peer: Peer) -> None:
        """Begin a game with a player: in step, by name, at an empty board."""
        peer.catch_up(self.limits.grace)
        if peer.name is None:
            peer.ask_name(self.limits.other, self.limits.other)
        else:
            peer.ask("clear_board", (), self.limits.other, lambda scanner: scanner.word("clear_board"))

    def _generated(self, peer: Peer, position: Position) -> int:
        def read(scanner: Scanner) -> tuple[int, int]:
            scanner.word("genmove")
            return scanner.point()

        row, column = peer.ask("genmove", (), self.limits.genmove, read)
        move = move_of(position.game, (row, column))
        why = "not on the board, nor a pass (8 0)" if move is None else position.why_illegal(move)
        if move is None or why is not None:
            peer.lose(ILLEGAL, f"answered genmove {row} {column}: {why}")
        return move

    def _check_score(self, peer: Peer, discs: int) -> None:
        def read(scanner: Scanner) -> None:
            scanner.word("final_score")
            scanner.score(discs)

        peer.ask("final_score", (), self.limits.other, read)

    def _count(self, played: Round) -> None:
        for colour, seat in enumerate(played.seats):
            standing = self.standings[seat]
            standing.won += played.end.winner == colour
            standing.drawn += played.end.winner is None
            standing.lost += played.end.winner == 1 - colour
            standing.failed += played.end.blame == colour


def _failed(position: Position, blame: int, error: PeerError) -> End:
    return End(error.kind, 1 - blame, f"{position.game.players[blame]} {error}", position.ply, blame)
