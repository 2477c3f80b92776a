"""A real browser for tests: headless Chromium, driven through the DevTools protocol over a pipe."""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

PROGRAM = "chromium"
_PATIENCE = 60  # seconds until an answer counts as missing
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--remote-debugging-pipe",
)


def path() -> str | None:
    """Where the browser is, if it is on PATH."""
    return shutil.which(PROGRAM)


class Seen(NamedTuple):
    """What went on in a page beside what it shows."""

    messages: tuple[str, ...]
    """Messages of the console and the log: errors, violations of the policy."""
    requested: tuple[str, ...]
    """Everything that was asked of the network or the disk, without what the policy of the page kept from it."""


class Browser:
    """One process with one page."""

    def __init__(self, profile: Path) -> None:
        """Start it, with a profile of its own in this folder."""
        program = path()
        assert program is not None
        theirs_in, self._write = os.pipe()
        self._read, theirs_out = os.pipe()
        # What it reads is to be file 3, what it writes file 4, and neither may be in the way of the other.
        ends = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 10) for number in (theirs_in, theirs_out)]
        nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
        files = [(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(ends, 3)]
        command = [program, *_OPTIONS, f"--user-data-dir={profile}", "about:blank"]
        self._process = os.posix_spawn(program, command, os.environ, file_actions=[*nowhere, *files])
        for end in (theirs_in, theirs_out, *ends):
            os.close(end)
        self._number = 0
        self._buffer = b""
        self._events: list[dict[str, Any]] = []
        self._session = ""
        (target,) = (
            target_info
            for target_info in self.send("Target.getTargets")["targetInfos"]
            if target_info["type"] == "page"
        )
        attached = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> Any:
        """Ask something of the browser; its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self._events.append(answer)

    def look(self, width: int, scheme: str = "light", height: int = 900) -> None:
        """Make the window so many CSS pixels wide, for a reader who prefers `light` or `dark`."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, url: str) -> Seen:
        """Load a page to its end; what went on meanwhile."""
        if "#" in url:
            # Where only the fragment is new, a page would not be loaded again.
            self._events.clear()
            self.send("Page.navigate", url="about:blank")
            self._until("Page.loadEventFired")
        self._events.clear()
        failed = self.send("Page.navigate", url=url).get("errorText")
        assert not failed, f"{url}: {failed}"
        self._until("Page.loadEventFired")
        return self.seen()

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def seen(self) -> Seen:
        """What went on since the page was opened."""
        time.sleep(0.05)
        self.run("0")  # with the answer come the events before it
        messages = []
        for event in self._events:
            given = event["params"]
            if event["method"] == "Log.entryAdded":
                messages.append(given["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled":
                messages.append(str([argument.get("value") for argument in given["args"]]))
            elif event["method"] == "Runtime.exceptionThrown":
                messages.append(given["exceptionDetails"]["text"])
        failed = self._of("Network.loadingFailed")
        blocked = {event["params"]["requestId"] for event in failed if event["params"].get("blockedReason") == "csp"}
        sent = [event["params"] for event in self._of("Network.requestWillBeSent")]
        asked = [event["request"]["url"] for event in sent if event["requestId"] not in blocked]
        return Seen(tuple(messages), tuple(asked))

    def close(self) -> None:
        """End the process."""
        self._session = ""
        with suppress(OSError, EOFError, AssertionError):
            self.send("Browser.close")
        end = time.monotonic() + _PATIENCE
        while os.waitpid(self._process, os.WNOHANG) == (0, 0):
            if time.monotonic() > end:
                os.kill(self._process, signal.SIGKILL)
            time.sleep(0.02)
        os.close(self._write)
        os.close(self._read)

    def _of(self, method: str) -> list[dict[str, Any]]:
        return [event for event in self._events if event["method"] == method]

    def _until(self, method: str) -> None:
        while not self._of(method):
            self._events.append(self._next())

    def _next(self) -> dict[str, Any]:
        """The next message, an answer or an event."""
        end = time.monotonic() + _PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            assert ready, f"{PROGRAM} does not answer"
            data = os.read(self._read, 1 << 20)
            if not data:
                raise EOFError(f"{PROGRAM} is gone")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        report: dict[str, Any] = json.loads(message)
        return report
