"""A session of pytest that collects once, and runs tests in a forked copy of itself for each change.

The copy takes the changed code into the functions that are there already: nothing is imported or collected again. Needs
Python 3.11, where code knows its whole name.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import NamedTuple

import pytest
from hypothesis import settings
from sites import Mutation, Unit, mutated_code

EXACT = ("tests/rules/test_rules.py", "tests/cases/", "tests/golden/", "tests/test_golden.py")
"""Where tests compare whole answers with what is known to be true: asked before others that run a function."""
SLOW = 0.3  # seconds; what takes longer is asked last
PATIENCE = 60  # seconds that a copy gets beside four times what its tests took
SURVIVED, KILLED, CRASHED = 0, 1, 3
STATES = {None: "timeout", SURVIVED: "survived", KILLED: "killed"}


class Outcome(NamedTuple):
    """What became of a change: `killed`, `timeout`, `survived`, `uncovered` (no test runs it) or `impossible`."""

    outcome: str
    by: str = ""  # the test that failed
    tests: int = 0
    seconds: float = 0.0


class Tests(NamedTuple):
    """Which tests run a line, and how long each takes."""

    seconds: dict[str, float]  # of each test, by its id
    covering: dict[str, dict[str, list[int]]]  # file → line → tests, by their places in `seconds`


class Session:
    """The plugin: `work` is called in place of the running of all tests."""

    def __init__(self, work: Callable[[Session], None]) -> None:
        self.work = work

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self) -> None:
        """Properties are tried with the same examples each time."""
        settings.register_profile("mutation", settings.get_profile("quotalint"), database=None, derandomize=True)
        settings.load_profile("mutation")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running what is collected."""
        self.session = session
        self.items = {item.nodeid: item for item in session.items}
        self.killers: dict[str, list[str]] = defaultdict(list)  # tests that noticed a change of a function
        self.reliable: dict[str, bool] = {}
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one for all copies
        reporter = session.config.pluginmanager.getplugin("terminalreporter")
        session.config.pluginmanager.unregister(reporter)
        capture = session.config.pluginmanager.getplugin("capturemanager")
        with capture.global_and_fixture_disabled():
            self.work(self)
        return True

    def cover(self, files: Iterable[str], file: Path) -> Tests:
        """Run everything once, and write down what runs the functions of some files."""
        if not file.exists():
            _forked(lambda: self._cover({os.path.abspath(name): name for name in files}, file), None)
        return Tests(**json.loads(file.read_text()))

    def _cover(self, names: dict[str, str], file: Path) -> int:
        covering: dict[str, dict[str, list[int]]] = {name: defaultdict(list) for name in names.values()}
        seconds: dict[str, float] = {}
        for item in self.session.items:
            lines: dict[str, set[int]] = {path: set() for path in names}
            began = time.process_time()
            sys.settrace(_line_tracer(lines))
            passed = self._failed([item]) is None
            sys.settrace(None)
            if not passed:
                continue  # what fails without a change says nothing
            seconds[item.nodeid] = round(time.process_time() - began, 4)
            for path, numbers in lines.items():
                for number in numbers:
                    covering[names[path]][str(number)].append(len(seconds) - 1)
        file.write_text(json.dumps(Tests(seconds, covering)._asdict()))
        return SURVIVED

    def outcome(self, mutation: Mutation, tests: Tests, budget: float) -> Outcome:
        """Change one function in a copy, and run what runs the changed lines, the shortest first, until something
        fails."""
        path = os.path.abspath(mutation.file)
        code = mutated_code(mutation, Path(path).read_bytes(), path)
        functions = _functions(path).get(mutation.unit, [])
        if (
            code is None
            or not functions
            or any(len(each.__code__.co_freevars) != len(code.co_freevars) for each in functions)
        ):
            return Outcome("impossible")
        began, by = time.perf_counter(), ""
        while True:
            chosen = self._chosen(mutation, tests, budget)
            if not chosen:
                return Outcome("uncovered")
            patience = PATIENCE + 4 * sum(tests.seconds[name] for name in chosen)
            status, by = self._tried(functions, code, chosen, patience)
            if not by or self._passes_unchanged(by):
                break
        if by:
            self.killers[_key(mutation.file, mutation.unit)].append(by)
        taken = round(time.perf_counter() - began, 2)
        return Outcome(STATES.get(status, "crashed"), by, len(chosen), taken)

    def _passes_unchanged(self, name: str) -> bool:
        """Whether a test passes alone in a copy without a change; one that does not is asked no more."""
        if name not in self.reliable:
            status, _ = self._tried([], None, [name], PATIENCE)
            self.reliable[name] = status == SURVIVED
            if status != SURVIVED:
                print(f"{name} fails without a change ({STATES.get(status, status)})", flush=True)
        return self.reliable[name]

    def _tried(
        self, functions: Sequence[FunctionType], code: CodeType | None, names: Sequence[str], patience: float
    ) -> tuple[int | None, str]:
        """The status of a copy in which functions have this code, and the first test that fails there."""
        caches = [cache for cache in _caches() for each in functions if cache.__module__ == each.__module__]
        read, write = os.pipe()

        def work() -> int:
            for each in functions:
                each.__code__ = code or each.__code__
            for wrapped in caches:
                wrapped.cache_clear()
            failed = self._failed([self.items[name] for name in names])
            os.write(write, (failed or "").encode())
            return KILLED if failed else SURVIVED

        status = _forked(work, patience)
        os.close(write)
        with os.fdopen(read) as pipe:
            return status, pipe.read()

    def _chosen(self, mutation: Mutation, tests: Tests, budget: float) -> list[str]:
        """Tests that run the lines: those that noticed other changes of the function, those of its room, the exact
        ones; of these the shortest first."""
        key = _key(mutation.file, mutation.unit)
        folders = (f"tests/{Path(mutation.file).parts[1]}/", *EXACT)

        def rank(name: str) -> tuple[bool, bool, int, float]:
            place = next((at for at, folder in enumerate(folders) if name.startswith(folder)), len(folders))
            seconds = tests.seconds[name]
            return name not in self.killers[key], seconds > SLOW, place, seconds

        names = list(tests.seconds)
        covering = [names[place] for place in _places(mutation, tests)]
        covering = [name for name in covering if name in self.items and self.reliable.get(name, True)]
        chosen = []
        for name in sorted(covering, key=rank):
            if budget > 0:
                chosen.append(name)
                budget -= tests.seconds[name]
        return chosen

    def _failed(self, items: Sequence[pytest.Item]) -> str | None:
        """The first test that fails."""
        before = self.session.testsfailed
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.testsfailed > before:
                return item.nodeid
        return None


def _line_tracer(lines: dict[str, set[int]]) -> Callable[..., object]:
    """A trace function that notes the lines of some files."""

    def trace_of(path: str) -> Callable[..., object]:
        add = lines[path].add

        def trace_line(frame: FrameType, event: str, argument: object) -> object:
            add(frame.f_lineno)
            return trace_line

        return trace_line

    tracers = {path: trace_of(path) for path in lines}
    return lambda frame, event, argument: tracers.get(frame.f_code.co_filename)


def _places(mutation: Mutation, tests: Tests) -> list[int]:
    """The tests that run any line of the change; where it has none of its own, the nearest above it."""
    by_line = tests.covering[mutation.file]
    lines = range(mutation.line, mutation.line + mutation.before.count("\n") + 1)
    places = {place for line in lines for place in by_line.get(str(line), ())}
    above = (by_line.get(str(line)) for line in range(mutation.line - 1, mutation.unit.line, -1))
    return sorted(places or next(filter(None, above), ()))


def look_around(files: Iterable[str]) -> None:
    """Find what copies need before all that is there is set aside: no copy's collector writes to it."""
    for file in files:
        _functions(os.path.abspath(file))
    _caches()
    gc.freeze()


@functools.cache
def _caches() -> list[functools._lru_cache_wrapper[object]]:
    """What remembers answers of functions of quotalint."""
    found = (each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper))
    return [each for each in found if (getattr(each, "__module__", None) or "").startswith("quotalint")]


@functools.cache
def _functions(path: str) -> dict[Unit, list[FunctionType]]:
    """The functions of a file that are there, decorated or not."""
    found: dict[Unit, list[FunctionType]] = defaultdict(list)
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename == path:
            found[Unit(each.__code__.co_qualname, each.__code__.co_firstlineno)].append(each)
    return found


def _key(file: str, unit: Unit) -> str:
    return f"{file}:{unit.name}:{unit.line}"


def _forked(work: Callable[[], int], patience: float | None) -> int | None:
    """The status of a copy that does some work; None if that took too long."""
    child = os.fork()
    if child == 0:
        status = CRASHED
        try:
            os.setpgid(0, 0)
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            status = work()
        finally:
            os._exit(status)
    until = time.monotonic() + (patience or 1e9)
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None
