"""The process that evaluates expressions: `engine.py` starts it by its path, without the user's environment.

It reads requests from standard input and writes answers to standard output, one line of JSON each. Its arguments: the
folders of the engine and of quotalint, the most memory in bytes, the longest answer, and the CPU seconds for each
request.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from contextlib import suppress
from typing import Any


def main(engine: str, package_parent: str, most_memory: int, longest: int, seconds: int) -> None:
    """Answers requests until there are no more."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # output of the library is not an answer
    _bound_memory(most_memory)
    sys.path += [package_parent, engine]  # after the standard library, because the folders contain other packages
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests,), daemon=True).start()
    state = _State()
    while True:
        request = requests.get()
        _bound_work(seconds)
        try:
            answer = json.dumps(state.answer(json.loads(request))).encode()
        except Exception as error:
            answer = json.dumps({"error": str(error) or type(error).__name__}).encode()
        if len(answer) > longest:
            answer = json.dumps({"error": "it produces too much text"}).encode()
        answers.write(answer + b"\n")


def _receive(requests: queue.SimpleQueue[bytes]) -> None:
    """Reads requests in a separate thread, so the process ends when its parent does."""
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(0)


def _bound_memory(most: int) -> None:
    with suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _bound_work(seconds: int) -> None:
    """Limits the CPU time from now on, not the elapsed time: a busy machine must not cause failures."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        usage = resource.getrusage(resource.RUSAGE_SELF)
        most = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


class _State:
    """The data kept between requests: environments, compiled expressions, shared values."""

    def __init__(self) -> None:
        self._profiles: dict[tuple[str, str], Any] = {}
        self._compiled: dict[tuple[str, str, str], Any] = {}
        self._shared: dict[str, Any] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["what"] == "share":
            self._shared = request["values"]
            return {}
        compiled = self._expression(request)
        if isinstance(compiled, str):
            return {"issues": compiled}
        if request["what"] == "check":
            return {"type": compiled[1]}
        from quotalint.cel.quantities import spellings

        spellings.odd = False
        values = {**{name: self._shared[name] for name in request["shared"]}, **request["values"]}
        answer = compiled[0].eval(data=values)
        if answer.type().name() == "ERROR":
            return {"error": str(answer.value())}
        value = answer.plain_value()
        # JSON would convert such keys to strings, and a lookup of the number 1 would fail.
        return (
            {"value": value}
            if _has_only_string_keys(value)
            else {"error": "@undecided a variable is a map with keys that are not strings"}
        )

    def _expression(self, request: dict[str, Any]) -> Any:
        """The compiled expression and its type, or its errors."""
        key = request["profile"], json.dumps(request["variables"], sort_keys=True), request["expression"]
        if key not in self._compiled:
            from quotalint.cel.cel_environments import profile

            if key[:2] not in self._profiles:
                self._profiles[key[:2]] = profile(request["profile"], request["variables"])
            checking, evaluating = self._profiles[key[:2]]
            try:
                checked = checking.compile(request["expression"])
                name = checked.return_type().name()
                self._compiled[key] = evaluating.deserialize(checked.serialize()), name
            except RuntimeError as error:
                self._compiled[key] = str(error)
        return self._compiled[key]


def _has_only_string_keys(value: object) -> bool:
    """Whether all keys of all maps in a value are strings."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _has_only_string_keys(inner) for key, inner in value.items())
    return not isinstance(value, list) or all(map(_has_only_string_keys, value))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
