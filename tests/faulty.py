"""A plugin whose agent fails in every way there is, when and how its options or its seed say."""

from __future__ import annotations

import random

# What the agent does -> how its game ends, and words of the reason (nothing for those that do no harm).
FAULTS = {
    "raise": ("agent crashed", "ValueError: on purpose"),
    "sysexit": ("agent crashed", "SystemExit: 5"),
    "crash": ("agent crashed", "killed by signal 11 (SIGSEGV)"),
    "exit": ("agent crashed", "exit code 3"),
    "sleep": ("engine stalled", "no move within"),
    "spin": ("engine stalled", "no move within"),
    "deaf": ("engine stalled", "no move within"),
    "occupied": ("illegal move", "not empty"),
    "outside": ("illegal move", "it chose 12345, which is not a move"),
    "word": ("illegal move", "it chose 'E5', which is no move's number"),
    "bool": ("illegal move", "it chose True, which is no move's number"),
    "none": ("illegal move", "it returned None, not a Choice"),
    "garbage": ("illegal move", "it returned {'move': [nan]}, not a Choice"),
    "kind-illegal": ("illegal move", "as it says"),
    "kind-stalled": ("engine stalled", "as it says"),
    "kind-refused": ("agent crashed", "as it says"),
    "resign": ("resigned", "gives up"),
    "print": ("finished", ""),
    "opinions": ("finished", ""),
    "fork": ("finished", ""),
}
RATED = ("crash", "sleep", "occupied", "raise", "garbage", "exit")


def fault_of(seed: int, rate: float) -> str | None:
    """Which of the six, each with the same rate, an agent with this seed commits."""
    draw = random.Random(seed).random()
    return RATED[int(draw / rate)] if draw < rate * len(RATED) else None


PLUGIN = '''
    import ctypes, os, random, signal, sys, time
    from nogo.agent import AgentSpec, Choice, Option, require_move
    from nogo.errors import AgentFailureError, ArgumentError
    from nogo.hookspecs import hookimpl

    NAME = __name__.split(".")[-1].replace("_", "-")
    RATED = ("crash", "sleep", "occupied", "raise", "garbage", "exit")

    class Faulty:
        """Plays the first legal move, but for its fault at its n-th own move."""

        def __init__(self, game, options, seed):
            self.game, self.options, self.left = game, options, options["at"]
            self.fault = options["fault"]
            if self.fault == "seed":
                draw = random.Random(seed).random()
                rate = options["rate"]
                self.fault = RATED[int(draw / rate)] if draw < rate * len(RATED) else "never"
            if options["at"] == 0:
                self.commit(None)

        def choose(self, position, budget):
            position = require_move(self.game, position)
            self.left -= 1
            if self.left == 0:
                found = self.commit(position)
                if found is not self:
                    return found
            return Choice(position.legal_moves()[0], value=0.5, playouts=7)

        def commit(self, position):
            name = self.fault.replace("-", "_")
            return getattr(self, "do_" + name)(position)

        def do_never(self, position):
            return self

        def do_raise(self, position):
            raise ValueError("on purpose")

        def do_sysexit(self, position):
            sys.exit(5)

        def do_crash(self, position):
            print("my last words", file=sys.stderr, flush=True)
            ctypes.string_at(0)

        def do_exit(self, position):
            os._exit(3)

        def do_sleep(self, position):
            time.sleep(1000)

        def do_spin(self, position):
            sum(range(10**15))  # in C, with the GIL held

        def do_deaf(self, position):
            for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN)
            time.sleep(1000)

        def do_occupied(self, position):
            return Choice(next(m for m in range(self.game.move_count) if position.why_illegal(m) == "not empty"))

        def do_outside(self, position):
            return Choice(12345)

        def do_word(self, position):
            return Choice("E5")

        def do_bool(self, position):
            return Choice(True)

        def do_none(self, position):
            return None

        def do_garbage(self, position):
            return {"move": [float("nan")]}

        def do_kind_illegal(self, position):
            raise AgentFailureError("illegal", "as it says", "what the engine wrote")

        def do_kind_stalled(self, position):
            raise AgentFailureError("stalled", "as it says", "what the engine wrote")

        def do_kind_refused(self, position):
            raise AgentFailureError("refused", "as it says", "what the engine wrote")

        def do_refuse(self, position):
            raise ArgumentError("not with me")

        def do_resign(self, position):
            return Choice(-1)

        def do_print(self, position):
            for _ in range(100):
                print("{}" * 1000)
                print("{}" * 1000, file=sys.stderr)
            os.write(1, b"\\xff" * 100_000)
            os.write(2, b"\\xff" * 100_000)
            print(input() if sys.stdin.isatty() else sys.stdin.read())
            return self

        def do_opinions(self, position):
            return Choice(position.legal_moves()[0], value=float("nan"), playouts=-5)

        def do_descriptors(self, position):
            for fd in range(3, 256):
                try:
                    os.write(fd, b'{"id":1,"said":[0,0,0]}' * 3 + b"\\n")
                except OSError:
                    pass
            return self

        def do_close(self, position):
            os.closerange(0, 256)
            return self

        def do_fork(self, position):
            for _ in range(3):
                if os.fork() == 0:
                    os.setsid()
                    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                        signal.signal(number, signal.SIG_IGN)
                    if os.fork():
                        os._exit(0)
                    time.sleep(1000)
                    os._exit(0)
            return self

        def do_look(self, position):
            links = {}
            for fd in os.listdir("/proc/self/fd"):
                try:
                    links[fd] = os.readlink("/proc/self/fd/" + fd).partition(":")[0]
                except OSError:
                    pass
            raise ValueError(" ".join(sorted(set(links.values()))) + f" {len(links)}")

        def do_memory(self, position):
            import numpy
            kept = []
            while True:
                kept.append(numpy.empty(32 * 2**20, numpy.uint8))

        def do_patch(self, position):
            import json
            import nogo.match.agency, nogo.match.host, nogo.position
            for module in (nogo.match.agency, nogo.match.host, nogo.position, json):
                for name in dir(module):
                    if callable(getattr(module, name)):
                        try:
                            setattr(module, name, lambda *a, **k: 1 / 0)
                        except Exception:
                            pass
            return Choice(0)

    OPTIONS = (
        Option("fault", str, "never", "which"),
        Option("at", int, 3, "at which own move; 0: while it is made", least=0),
        Option("rate", float, 0.03, "of each, when the seed says which", least=0, most=1),
    )

    @hookimpl
    def nogo_register_agents(register):
        register(AgentSpec(NAME, Faulty, OPTIONS, "Fails"))
'''

FOLLOWING = '''
    import os
    from nogo.agent import AgentSpec, Choice, Option
    from nogo.hookspecs import hookimpl

    NAME = __name__.split(".")[-1].replace("_", "-")
    MADE = []

    class Follows:
        """Plays from what it was told alone, and writes down what it saw."""

        def __init__(self, game, options, seed):
            self.file, self.told = options["file"], []
            MADE.append(self)
            self.note("made", seed)

        def note(self, *words):
            with open(self.file, "a") as file:
                print(os.getpid(), len(MADE), *words, file=file)

        def played(self, position, move):
            self.told.append((position.text, position.game.move_name(move)))
            self.note("played", position.game.move_name(move), position.ply)

        def choose(self, position, budget):
            self.note("asked", position.ply, budget)
            return Choice(position.legal_moves()[0])

    class Lasts(Follows):
        def begin(self, seed):
            self.note("begin", seed)

        def close(self):
            self.note("close")

    OPTIONS = (Option("file", str, "", "where"),)

    @hookimpl
    def nogo_register_agents(register):
        register(AgentSpec(NAME, Follows, OPTIONS, "Follows"))
        register(AgentSpec(NAME + "-lasts", Lasts, OPTIONS, "Lasts"))
'''
