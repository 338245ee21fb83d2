"""A wire that behaves badly: it splits, joins and delays what passes, and may be cut."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
import time


class Proxy:
    """Stands between clients and a judge; each client gets a connection of its own."""

    def __init__(self, port: int, seed: int, cuts: list[int] | None = None, pause: float = 0.002) -> None:
        """Listen; the n-th connection is cut after cuts[n] bytes to the client, if there are so many cuts."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._judge = port
        self._seed = seed
        self._pause = pause
        self._cuts = iter(cuts or [])
        self.cut = 0
        """How many connections have been cut."""
        self.pieces = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        with contextlib.suppress(OSError), self._listener:
            while True:
                client, _ = self._listener.accept()
                judge = socket.create_connection(("127.0.0.1", self._judge))
                for end in (client, judge):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                after = next(self._cuts, None)
                self._seed += 2
                threading.Thread(target=self._carry, args=(client, judge, after, self._seed), daemon=True).start()

    def _carry(self, client: socket.socket, judge: socket.socket, after: int | None, seed: int) -> None:
        back = threading.Thread(target=self._pump, args=(client, judge, None, random.Random(seed)), daemon=True)
        with client, judge:
            back.start()
            self._pump(judge, client, after, random.Random(seed + 1))
            back.join()

    def _pump(self, source: socket.socket, target: socket.socket, limit: int | None, rng: random.Random) -> None:
        held, passed = b"", 0
        with contextlib.suppress(OSError):
            while True:
                if not held or rng.random() < 0.3:  # sometimes wait for more, to be joined with what is held
                    source.settimeout(None if not held else self._pause)
                    with contextlib.suppress(TimeoutError):
                        data = source.recv(100)
                        if not data:
                            break
                        held += data
                        continue
                size = rng.randint(1, len(held))
                if limit is not None and passed + size > limit:
                    self._cut(source, target)
                    return
                target.sendall(held[:size])
                held, passed = held[size:], passed + size
                self.pieces += 1
                time.sleep(rng.random() * self._pause)
            target.sendall(held)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def _cut(self, *ends: socket.socket) -> None:
        self.cut += 1
        for end in ends:  # as when a program dies: what is on its way is lost
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
