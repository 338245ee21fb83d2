"""Compares the playouts a second of UCT with nogo's own random games, with the same games in our C, and with replies.

    python rate.py [ROUNDS]

One core's CPU time. The three take turns, and the fastest of all rounds counts: so the machine's other
work adds nothing.
"""

import sys
import time

import nogo_agent_native as native

import nogo

PLAYOUTS = 10_000
GAMES = ("hollow-nogo", "nogo:9x9", "nogo:5x5")


def functions(reply: float) -> nogo.Native:
    """Make our C functions."""
    data = native.C.ffi.new("native_settings *", {"reply": reply, "tempo": 0.5, "scale": 2.4})
    return nogo.Native(native.C.ffi, native.C.lib.native_plugin(), data)


def rates(name: str, rounds: int) -> list[float]:
    """Measure the three."""
    game = nogo.game(name)
    searches = [nogo.Search(game, nogo.SearchOptions(), native=f) for f in (None, functions(0), functions(0.25))]
    best = [float("inf")] * len(searches)
    for _ in range(rounds):
        for number, search in enumerate(searches):
            began = time.process_time()
            search.run(game.start(), nogo.Budget(playouts=PLAYOUTS), seed=1)
            best[number] = min(best[number], time.process_time() - began)
    return [PLAYOUTS / seconds for seconds in best]


def main() -> None:
    """Print a line a game."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print(f"playouts a second of UCT, {nogo.build_info().isa}; built in, in our C, with reply=0.25")
    for name in GAMES:
        ours, *others = rates(name, rounds)
        print(f"{name:<12} {ours:>10,.0f}", *(f"{rate:>10,.0f} ({rate / ours:.2f})" for rate in others))


main()
