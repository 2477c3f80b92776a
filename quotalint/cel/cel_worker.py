"""The process that evaluates expressions: started by `engine.py`, by its path, with nothing of the user's environment.

It reads requests from standard input and writes answers to standard output, a line of JSON each. Its arguments are the
folders that the engine and quotalint lie in, how many bytes it may hold, how long an answer may be, and how many
seconds it may compute for each.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from contextlib import suppress
from typing import Any


def main(engine: str, ours: str, most_memory: int, longest: int, seconds: int) -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever the library prints is no answer
    _bound_memory(most_memory)
    sys.path += [ours, engine]  # behind the standard library, for what lies beside them
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
    """In a thread of its own: when whoever asks is gone, the process ends, whatever it is at."""
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(0)


def _bound_memory(most: int) -> None:
    with suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _bound_work(seconds: int) -> None:
    """From now on. In computing, not by the clock: nothing is to fail because the machine has other work."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        usage = resource.getrusage(resource.RUSAGE_SELF)
        most = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


class _State:
    """What is kept between requests: environments, expressions that were compiled, values that several share."""

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
        # JSON would make strings of them, and whoever looks for the number 1 would not find it.
        return (
            {"value": value}
            if _has_names_alone(value)
            else {"error": "@undecided a variable is a map of which not all keys are strings"}
        )

    def _expression(self, request: dict[str, Any]) -> Any:
        """The compiled expression and its type, or what is wrong with it."""
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


def _has_names_alone(value: object) -> bool:
    """Whether all keys of all maps in it are strings."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _has_names_alone(inner) for key, inner in value.items())
    return not isinstance(value, list) or all(map(_has_names_alone, value))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
