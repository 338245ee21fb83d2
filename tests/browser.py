"""A real browser for tests: Debian's chromium without a window, driven over a pipe; it listens nowhere.

It speaks the Chrome DevTools Protocol: JSON messages, each ended by a zero byte, on descriptors 3 and 4.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"),
    *("--remote-debugging-pipe", "--window-size=1200,900"),
)
# The descriptors that the program wants, whatever numbers they have here.
START = (
    "import os, sys; a, b = map(int, sys.argv[1:3]); os.dup2(a, 3); os.dup2(b, 4); os.execv(sys.argv[3], sys.argv[3:])"
)
DEADLINE = 60.0
"""Seconds after which something hangs."""


def found() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A browser with one page."""

    def __init__(self, profile: Path) -> None:
        program = found()
        assert program
        # Far from 3 and 4, which are written over.
        theirs_in, self._out = _high_pipe()
        self._in, theirs_out = _high_pipe()
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-c", START, str(theirs_in), str(theirs_out)),
                *(program, *ARGUMENTS, f"--user-data-dir={profile}"),
            ],
            pass_fds=(theirs_in, theirs_out),
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._numbers, self._buffer, self._session = itertools.count(1), b"", ""
        self.events: list[dict[str, Any]] = []
        """What it has told since it was last emptied."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for room in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{room}.enable")

    # ---- messages ----

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give an order, and wait for its answer."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            data = os.read(self._in, 1 << 20)
            assert data, "the browser has ended"
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    # ---- the page ----

    def open(self, url: str) -> None:
        """Load a page, anew."""
        self.ask("Page.navigate", url="about:blank")
        self.events.clear()
        self.ask("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'")

    def run(self, script: str) -> Any:
        """Evaluate an expression in the page, by the debugger: the page's own policy does not matter to it."""
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until an expression is true."""
        self.wait_for(lambda: self.run(condition))

    def wait_for(self, condition: Callable[[], object]) -> None:
        """Wait until something is so; what the browser tells in between is taken in."""
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, "it never came"
            time.sleep(0.02)
            self.run("0")

    def press(self, key: str) -> None:
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEY_CODES[key])

    def resize(self, width: int, height: int) -> None:
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def scheme(self, name: str) -> None:
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        image = self.ask("Page.captureScreenshot", captureBeyondViewport=True, format="png")
        path.write_bytes(base64.b64decode(image["data"]))

    def complaints(self) -> list[dict[str, Any]]:
        """What went wrong since the page was opened: errors, refusals by its policy."""
        kinds = ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        return [event for event in self.events if event["method"] in kinds]

    def requests(self) -> list[str]:
        """What the page has asked for."""
        sent = [event["params"] for event in self.events if event["method"] == "Network.requestWillBeSent"]
        return [request["request"]["url"] for request in sent]

    def close(self) -> None:
        with suppress(Exception):
            self._session = ""
            self.ask("Browser.close")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._in)
        os.close(self._out)


KEY_CODES = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34, "Tab": 9}


def _high_pipe() -> tuple[int, int]:
    import fcntl

    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in ends)
    for end in ends:
        os.close(end)
    return high[0], high[1]
