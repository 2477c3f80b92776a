"""Evaluates expressions: the result, the errors, or why it is unknown.

A child process evaluates them for the whole run: it has limits for time and memory, so no expression can hang or crash
the run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from functools import cache
from typing import Any

from quotalint import cel
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.scratch import end_by_exception
from quotalint.runtime.transcript import note_doubt
from quotalint.runtime.workers import Worker
from quotalint.text.lazy_patterns import lazy_pattern

TIMEOUT = 10
"""The CPU seconds for one expression; most take a thousandth."""

MOST = 30_000
"""The most evaluations of one run; each takes half a millisecond."""

MAX_MEMORY = 512 * 1024 * 1024
MAX_ANSWER = 1024 * 1024

Variables = Mapping[str, str]
"""Types by name: `dyn`, `int`, `string`, `quantity`, `texts` and `amounts` (maps), `objects`, `strings`."""


class Issue(NamedTuple):
    """Why an expression cannot be compiled, and the offset of the error (from 0)."""

    message: str
    offset: int


class Value(NamedTuple):
    """The result of an expression: a boolean, text, number, list or map."""

    value: object


class Unknown(NamedTuple):
    """Why the result is unknown: it depends on variables without values, or is too expensive."""

    reason: str
    variable: str = ""
    """The variable without a value."""


class Failed(NamedTuple):
    """An evaluation error: a missing key, a division by zero."""

    reason: str


class Engine:
    """Evaluates expressions. It is a class because it keeps the child process."""

    def __init__(self, timeout: int = TIMEOUT, memory: int = MAX_MEMORY) -> None:
        end_by_exception()
        self._folder = os.path.realpath(tempfile.mkdtemp(prefix="quotalint-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._timeout, self._memory = timeout, memory
        self._worker: Worker | None = None
        self._shared: Mapping[str, object] = {}
        self._handed_on = False
        self._asked = 0

    def begin(self) -> None:
        """Resets the number of evaluations."""
        self._asked = 0

    def share(self, values: Mapping[str, object]) -> None:
        """Sets values that following expressions may share, so that they are sent only once."""
        self._shared, self._handed_on = values, False

    def check(self, profile: str, expression: str, variables: Variables) -> str | tuple[Issue, ...]:
        """The type of an expression, or all its errors."""
        answer = self._ask({"what": "check", "profile": profile, "expression": expression, "variables": variables})
        if "issues" in answer:
            return issues_of(answer["issues"], expression)
        return (Issue(answer["error"], 0),) if "error" in answer else str(answer["type"])

    def evaluate(
        self,
        profile: str,
        expression: str,
        variables: Variables,
        values: Mapping[str, object],
        shared: tuple[str, ...] = (),
    ) -> Value | Unknown | Failed | Issue:
        """The result of an expression. A variable without a value is unknown, and so is a result that depends on it;
        `shared` are the names of shared values that are used."""
        self._asked += 1
        if self._asked > MOST:
            return Unknown(f"more than {MOST:,} expressions would have to be evaluated, so the rest are not")
        if shared and not self._handed_on:
            self._ask({"what": "share", "values": self._shared})
        request = {
            "what": "evaluate",
            "profile": profile,
            "expression": expression,
            "variables": variables,
            "values": values,
            "shared": shared,
        }
        answer = self._ask(request)
        if "issues" in answer:
            return issues_of(answer["issues"], expression)[0]
        return _failure(answer["error"]) if "error" in answer else Value(answer["value"])

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        try:
            line = json.dumps(request, allow_nan=False, default=dict).encode()
        except (TypeError, ValueError, RecursionError) as error:
            return {"error": f"{_NO_ANSWER}: the values cannot be passed on: {error}"}
        if self._worker is None:
            try:
                self._worker = _worker(self._folder, self._memory, self._timeout)
            except OSError as error:
                return {"error": f"{_NO_ANSWER}: {error.strerror or error}"}
            self._handed_on = False
            if request["what"] != "share" and request.get("shared"):
                self._ask({"what": "share", "values": self._shared})
        answer = self._worker.ask(line)
        if not self._worker.is_alive:
            self._worker = None
            note_doubt("an expression was given up")
            return {"error": f"{_NO_ANSWER}: {answer.get('error', '')}"}
        self._handed_on = self._handed_on or request["what"] == "share"
        return answer


@cache
def engine() -> Engine:
    """The engine of this run."""
    return Engine()


_NO_ANSWER = "the engine gave no answer"
_MISSING = lazy_pattern(r'No value with name "([^"]+)" found in Activation')
_TOO_LARGE = lazy_pattern(r"Integer value '-?\d+' out of range for ")
_STATUS = lazy_pattern(r"^[A-Z_]+: ")
_ISSUE = lazy_pattern(r"ERROR: [^:\n]*:(-?\d+):(-?\d+): ([^\n]*)")


def issues_of(text: str, expression: str) -> tuple[Issue, ...]:
    """The compiler's errors, each with its offset."""
    lines = expression.split("\n")
    issues = []
    for line, column, message in _ISSUE.findall(text):
        row = min(max(int(line), 1), len(lines))
        offset = sum(len(earlier) + 1 for earlier in lines[: row - 1]) + max(int(column) - 1, 0)
        issues.append(Issue(re.sub(r" \(in container ''\)| \[[A-Z_]+\]$", "", message), offset))
    if not issues:
        issues.append(Issue(_STATUS.sub("", re.sub(r" \[[A-Z_]+\]$", "", text)), 0))
    return tuple(dict.fromkeys(issues))


def _failure(message: str) -> Unknown | Failed:
    missing = _MISSING.search(message)
    if missing:
        return Unknown(f"{missing[1]} is not known", missing[1])
    if "Iteration budget exceeded" in message:
        return Unknown("it takes more than 10,000 steps, so it is stopped")
    if "@undecided" in message:
        return Unknown(message.partition("@undecided")[2].strip())
    if "bad_alloc" in message or "MemoryError" in message:
        return Unknown("it takes too much memory, so it is stopped")
    if message.startswith(_NO_ANSWER):
        return Unknown(message)
    if "Non-CEL value" in message or _TOO_LARGE.search(message):
        return Unknown(_STATUS.sub("", message))
    return Failed(_STATUS.sub("", message))


def _worker(folder: str, memory: int, timeout: int) -> Worker:
    from importlib.util import find_spec

    spec = find_spec(cel.MODULE)
    places = spec.submodule_search_locations if spec is not None else None
    engine = os.path.dirname(next(iter(places))) if places else ""
    module_folder = os.path.dirname(os.path.abspath(__file__))
    package_parent = os.path.dirname(os.path.dirname(module_folder))
    script = os.path.join(module_folder, "cel_worker.py")
    return Worker("CEL", script, (engine, package_parent, str(memory), str(MAX_ANSWER), str(timeout)), folder, timeout)
