"""A small GTP engine that plays by the reference rules, and misbehaves on request: ``python gtp_double.py GAME HOW``.

HOW is a word of BROKEN, or ``well``. It answers ids, prints what it was sent to the file in GTP_DOUBLE_LOG, and always
plays the first legal move by name.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import reference

COMMANDS = "protocol_version name version list_commands boardsize clear_board komi play genmove quit"
BROKEN = (
    *("silent", "garbage", "wrong-id", "no-id", "endless-line", "endless-reply", "exits", "killed", "closes"),
    *(
        "illegal",
        "nonsense",
        "passes",
        "resigns",
        "refuses-size",
        "refuses-play",
        "refuses-genmove",
        "forks",
        "stays",
        "slow",
    ),
    *("commandless", "other-game", "mute-at-start"),
)


class Double:
    """The engine's state."""

    def __init__(self, game: str, how: str) -> None:
        self.game, self.how = game, how
        self.state = reference.start(game)

    def answer(self, command: str, words: list[str]) -> str:
        """Carry a command out; a ValueError is an error."""
        if command == "list_commands":
            return self.listed().replace(" ", "\n")
        if command == "boardsize" and (self.how == "refuses-size" or int(words[0]) != self.state.rows):
            raise ValueError("unacceptable size")
        if command == "clear_board":
            self.state = reference.start(self.game)
        if command == "play":
            self.play(words)
        if command == "gogui-rules_legal_moves":
            return "A1 B2"
        return self.genmove() if command == "genmove" else "2"

    def listed(self) -> str:
        if self.how == "commandless":
            return "name version"
        return COMMANDS + (" gogui-rules_legal_moves" if self.how == "other-game" else "") + " time_settings time_left"

    def play(self, words: list[str]) -> None:
        if self.how == "refuses-play" or (self.how == "auto-pass" and words[1] == "pass"):
            raise ValueError("syntax error")
        self.state = self.state.play(self.named(words[1]))
        self.pass_over()

    def named(self, word: str) -> str:
        return word.lower() if self.game.startswith("othello") else word.upper()

    def pass_over(self) -> None:
        if self.how == "auto-pass" and self.state.legal() == {"pass"}:
            self.state = self.state.play("pass")

    def genmove(self) -> str:
        if self.how in MOVES:
            return MOVES[self.how]
        misbehave(self.how)
        move = sorted(self.state.legal())[0]
        self.state = self.state.play(move)
        self.pass_over()
        return move.upper()


MOVES = {"illegal": "E5", "nonsense": "Z99", "passes": "pass", "resigns": "resign"}


def misbehave(how: str) -> None:
    """Do instead of answering genmove what was asked for."""
    if how == "slow":
        time.sleep(0.05)
    if how == "refuses-genmove":
        raise ValueError("out of ideas")
    if how == "silent":
        time.sleep(1000)
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "exits":
        print("no more moves for you", file=sys.stderr)
        sys.exit(3)
    if how == "closes":
        os.close(1)
        time.sleep(1000)
    for kind, text in (("garbage", "thinking about it\n"), ("endless-line", "= " + "x" * 2**20), ("no-id", "= A1\n\n")):
        if how == kind:
            sys.stdout.write(text)
            sys.stdout.flush()
            time.sleep(1000)
    if how == "endless-reply":
        while True:
            print("= more and more", flush=True)


def main() -> None:
    game, how = sys.argv[1:3]
    double = Double(game, how)
    if how == "forks":
        subprocess.Popen(["sleep", "1000"], start_new_session=True)
    if how == "mute-at-start":
        time.sleep(1000)
    log = open(os.environ.get("GTP_DOUBLE_LOG", os.devnull), "a")  # noqa: SIM115 - for as long as it runs
    for line in sys.stdin:
        number, command, *words = line.split() if line[0].isdigit() else ["", *line.split()]
        print(command, *words, file=log, flush=True)
        if command == "quit" and how != "stays":
            return
        try:
            reply = f"={number} {double.answer(command, words)}"
        except ValueError as error:
            reply = f"?{number} {error}"
        if how == "wrong-id" and command == "genmove":
            reply = "=999 A1"
        # With an empty line too many, and a carriage return: neither is held against an engine.
        print(f"\n{reply}\r\n\n", end="", flush=True)
    while how == "stays":
        time.sleep(1000)


if __name__ == "__main__":
    main()
