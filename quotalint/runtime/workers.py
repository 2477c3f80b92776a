"""A child process that is kept for the run and answers requests, a line of JSON each.

What it works on is not trusted: it can loop for ever or eat memory. So the child has limits of time and memory, is
killed where something goes beyond them, and has nothing of the user's environment.
"""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any

from quotalint.runtime.transcript import note_doubt

_OUT_OF_TIME = getattr(signal, "SIGXCPU", None)
_CLOCK = 1 if _OUT_OF_TIME is None else 6
"""How many times as long it may take by the clock, which is all there is where nothing limits computing."""


class Worker:
    """The child process: a script of ours with its arguments, started in a folder. It ends with this value, at the
    latest with this process. `timeout` is how many seconds of computing an answer may take, `name` what it is called
    in words for people, `variables` what stands in its environment beside what every child process gets."""

    def __init__(
        self,
        name: str,
        script: str,
        arguments: Sequence[str],
        folder: str,
        timeout: int,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self._name = name
        self._timeout = timeout
        self._too_long = f"{name} took longer than {timeout} s"
        self._said = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", script, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            cwd=folder,
            env={**_environment(folder), **(variables or {})},
        )
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._end = weakref.finalize(self, _end, self._process, self._said)
        threading.Thread(target=_listen, args=(self._process.stdout, self._answers), daemon=True).start()

    @property
    def is_alive(self) -> bool:
        return self._end.alive

    def ask(self, request: bytes) -> dict[str, Any]:
        """The answer to a request; `error` in it says why there is none. A worker that gives none is killed."""
        try:
            self._send(request)
            line = self._answers.get(timeout=_CLOCK * self._timeout)
        except queue.Empty:
            note_doubt(f"{self._name} did not come to its end")
            self._end()
            return {"error": self._too_long}
        except OSError:
            line = b""
        except BaseException:
            self._end()  # or the next question would be answered with what was asked now
            raise
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError:
            note_doubt(f"{self._name} did not come to its end")
            reason = self._last_words()
            self._end()
            return {"error": reason}
        return answer

    def _send(self, request: bytes) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(request + b"\n")
            self._process.stdin.flush()

    def _last_words(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        if _OUT_OF_TIME is not None and self._process.returncode == -_OUT_OF_TIME:
            return self._too_long
        self._said.seek(0)
        printed = self._said.read(65536).decode(errors="replace")
        if re.search(r"out of memory|cannot allocate memory|MemoryError|bad_alloc", printed):
            return f"{self._name} ran out of memory"
        first = next((line for line in printed.splitlines() if line.strip()), "")
        return f"{self._name} ended without an answer{f': {first}' if first else ''}"


def _listen(answers: IO[bytes] | None, received: queue.SimpleQueue[bytes]) -> None:
    """Take in what the child says, and an empty line at its end."""
    with suppress(OSError, ValueError):
        for line in answers or ():
            received.put(line)
    received.put(b"")


def _end(process: subprocess.Popen[bytes], error_output: IO[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, error_output):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _environment(folder: str) -> dict[str, str]:
    """No credentials, no cluster, no home. Windows starts nothing without its own folder."""
    needed = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {**needed, "HOME": folder, "TMPDIR": folder, "KUBECONFIG": os.devnull, "LANG": "C.UTF-8"}
