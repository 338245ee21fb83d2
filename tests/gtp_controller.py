"""A controller that follows the document of the Go Text Protocol, version 2, to the letter, and forgives nothing.

Its requests use all that the document allows (ids or none, tabs, carriage returns, comments, other control characters,
empty lines); its reader takes only what the document lets an engine write. ``python tests/gtp_controller.py --help``
plays matches between two engines with it, and checks each move by the reference rules.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import select
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass, field

import reference

HANG = 60.0  # seconds after which an engine is said to hang; no measure of speed
REPLY = re.compile(rb"([=?])([0-9]*)(?: ([\x20-\x7e\n]*))?\n\n")
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class ProtocolError(AssertionError):
    """The engine has written what the document does not allow, or nothing at all."""


@dataclass
class Engine:
    """One engine, and the wire to it."""

    command: list[str]
    noise: random.Random = field(default_factory=lambda: random.Random(1))
    controls: str = "\x00\x01\x1b\x7f\r"
    """Control characters, which an engine is to drop; GNU Go ends a line at the first of them."""

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        self.number = 0

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        self.process.wait()

    def send(self, data: bytes) -> None:
        self.process.stdin.write(data)

    def read_reply(self) -> bytes:
        """Everything up to the empty line that ends a reply; whatever comes after it already is too much."""
        return self.read_until(rb"\n\n\Z")

    def read_until(self, pattern: bytes) -> bytes:
        """Whatever comes, until the pattern is in it."""
        got, deadline = b"", time.monotonic() + HANG
        while not re.search(pattern, got):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            chunk = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not chunk:
                raise ProtocolError(f"no reply, only {got!r}; standard error {self.errors()!r}")
            got += chunk
        return got

    def errors(self) -> str:
        self.process.kill()
        return self.process.stderr.read().decode()

    def ask(self, text: str) -> tuple[bool, str]:
        """Send a request, and give whether it was carried out, and the reply's text."""
        self.number += 1
        number = str(self.number) if self.noise.random() < 0.5 else ""
        self.send(self._dressed(f"{number} {text}".strip()))
        return checked(self.read_reply(), number)

    def _dressed(self, text: str) -> bytes:
        """Write a request in one of the many ways that mean the same."""
        words = text.split(" ")
        gaps = [self.noise.choice([" ", "\t", "  ", " \t "]) for _ in words]
        line = "".join(word + gap for word, gap in zip(words, gaps, strict=True))
        before = self.noise.choice(["", "\n", "# a comment\n", " \t\r\n", "\x01\n", "#\n\n"])
        after = self.noise.choice(["\n", "\r\n", "# so\n", "\x0b\x0c\n", " #\x07\r\n"])
        cut = self.noise.randrange(len(line) + 1)
        control = self.noise.choice(["", *self.controls])
        return (before + line[:cut] + control + line[cut:] + after).encode("ascii")

    def must(self, text: str) -> str:
        done, said = self.ask(text)
        if not done:
            raise ProtocolError(f"{text!r} was refused: {said}")
        return said

    def quit(self) -> int:
        """Let it quit: nothing may come after the last reply, and it ends by itself."""
        self.must("quit")
        self.process.stdin.close()
        rest = self.process.stdout.read()
        if rest:
            raise ProtocolError(f"{rest!r} after the reply to quit")
        return self.process.wait(HANG)


def checked(reply: bytes, number: str) -> tuple[bool, str]:
    """Take a reply apart, if it is one and its id the request's."""
    found = REPLY.fullmatch(reply)
    if not found or b"\n\n" in reply[:-1]:
        raise ProtocolError(f"{reply!r} is no reply")
    if found[2].decode() != number:
        raise ProtocolError(f"id {found[2]!r} in reply to {number!r}")
    return found[1] == b"=", (found[3] or b"").decode("ascii").strip("\n")


# ---- matches ----


@dataclass
class Ending:
    """How a game ended."""

    resigned: int | None
    winner: int | None
    plies: int
    score: str
    used: tuple[float, float]


def play_game(engines: tuple[Engine, Engine], game: str, size: int, clock: float) -> Ending:
    """Play a game, black's engine first, by the reference rules; nobody's clock, of a whole game, may run out."""
    state, used = reference.start(game), [0.0, 0.0]
    for engine in engines:
        for command in (f"boardsize {size}", "clear_board", "komi 0", f"time_settings {clock:.0f} 0 0"):
            engine.must(command)
    for plies in range(1000):
        mover = state.turn
        colour = "bw"[mover]
        engines[mover].must(f"time_left {colour} {int(clock - used[mover])} 0")
        began = time.monotonic()
        said = engines[mover].must(f"genmove {colour}")
        used[mover] += time.monotonic() - began
        assert used[mover] <= clock, f"{['black', 'white'][mover]} has lost on time at ply {plies}"
        if said.lower() == "resign":
            assert state.is_over(), f"{colour} resigned with {len(state.legal())} moves left"
            return Ending(mover, 1 - mover, plies, engines[mover].must("final_score"), (used[0], used[1]))
        state = state.play(as_reference(game, said))
        engines[1 - mover].must(f"play {colour} {said}")
        if state.is_over() and not game.endswith("nogo"):
            return Ending(None, state.winner(), plies + 1, engines[0].must("final_score"), (used[0], used[1]))
    raise AssertionError("a game without end")


def as_reference(game: str, vertex: str) -> str:
    """Name a move as the reference does."""
    assert re.fullmatch("[A-HJ-Z][0-9]{1,2}|pass", vertex), f"{vertex!r} is no vertex"
    return vertex.lower() if game.startswith("othello") else vertex


def main() -> None:
    parser = argparse.ArgumentParser(description="Play two engines against each other, and believe neither.")
    parser.add_argument("--black", default="rave")
    parser.add_argument("--white", default="uct")
    parser.add_argument("--game", default="hollow-nogo")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--clock", type=float, default=10.0)
    chosen = parser.parse_args()
    ours = f"{sys.executable} -I -m nogo gtp --game {chosen.game} --agent"
    pair = [Engine(shlex.split(f"{ours} {agent}"), random.Random(7)) for agent in (chosen.black, chosen.white)]
    with pair[0], pair[1]:
        for number in range(chosen.games):
            ends = play_game((pair[0], pair[1]), chosen.game, chosen.size, chosen.clock)
            used = ", ".join(f"{seconds:.2f} s" for seconds in ends.used)
            print(f"game {number + 1}: {ends.score} after {ends.plies} plies, black and white used {used}", flush=True)
        print("quit:", [engine.quit() for engine in pair])


if __name__ == "__main__":
    main()
