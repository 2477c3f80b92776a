"""A child process that is kept for the run and answers requests, a line of JSON each.

Its input is not trusted: it may loop for ever or use all memory. So the child has limits of time and memory, is killed
if it exceeds them, and gets nothing from the user's environment.
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
"""The limit of wall-clock time, as a multiple of the limit of processor time. Windows only has the former."""


class Worker:
    """The child process, which runs one of our scripts in a folder. It ends when this value is deleted, at the latest
    with this process. `timeout`: seconds of processor time for one answer; `name`: its name in messages; `variables`:
    environment variables in addition to those of every child process."""

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
        """The answer to a request. If there is none, its `error` says why, and the worker is killed."""
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
            self._end()  # or the next request would get the answer to this one
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
    """Queue the lines that the child writes, and an empty line at its end."""
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
    """The environment of the child: no credentials, no cluster, no home. Windows programs need SYSTEMROOT."""
    needed = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {**needed, "HOME": folder, "TMPDIR": folder, "KUBECONFIG": os.devnull, "LANG": "C.UTF-8"}
