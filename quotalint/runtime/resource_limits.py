"""The limits of processor time and memory of a run, for work that the units in budget.py do not count.

Units are the same on every machine, but only some work counts them. A timer of the system limits everything else. It
ticks while this process computes, and raises OverBudgetError in work that has used up its share of time. Work on one
file, root, namespace or rule runs in a `share`; its caller handles the error and reports QL009.

The limits grow with the bytes that a run reads, and are many times what it usually needs. Waiting is not counted:
other programs have limits of their own.
"""

from __future__ import annotations

# `signal` would be an import for every run, and this is what it is made of.
import _signal  # type: ignore[import-not-found]  # no stub has it
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from quotalint.runtime.budget import OverBudgetError
from quotalint.runtime.transcript import note_doubt

SECONDS = 120.0
"""Seconds of processor time for each stage of a run, on slow and loaded machines too. A small repository needs some
hundredths."""

SECONDS_OF_AN_EDITOR = 5.0
"""The same where somebody waits for each look."""

SECONDS_OF_CHARTS = 5.0
"""The same for all charts together. What charts compute is not counted in units."""

SECONDS_FOR_A_MEGABYTE = 10.0
"""Additional seconds for each million bytes that are read, which usually need about one."""

MEMORY = 768 << 20
"""Bytes that a run may write to, besides what its process has written before."""

MEMORY_FOR_A_BYTE = 32
"""Additional bytes for each byte that is read, which usually needs about ten."""

_FOR_AN_ENTRY = 100  # bytes: reading them takes a fiftieth of a millisecond
_TICK = 0.05  # seconds between two ticks
_PART = 3  # a share is this fraction of the time that is left: one third
_GRACE = 40  # ticks that stopped work has for cleaning up
_WITHOUT = 1 << 40  # ticks: no limit
_WHOLE = -1  # instead of the ticks of a share: it contains other shares and has no limit of its own

TOO_LONG = "too expensive: it takes more time than one run may spend on it (--max-seconds allows more)"


class _Run:
    """The time and memory that are left. A class because the numbers change."""

    def __init__(self) -> None:
        self.armed = False
        self.seconds: float | None = None
        self.base: float | None = None
        self.memory: int | None = None
        self.read = 0
        self.used = 0
        self.shares: list[int] = []
        self.stopped = False
        self.bound = 0
        self.bound_before: tuple[int, int] | None = None
        self.memory_before = 0


_RUN = _Run()


@contextmanager
def watch_shares() -> Iterator[None]:
    """Limit the work in shares within the block. It only works in the main thread of a process."""
    global _RUN
    if _RUN.armed or not hasattr(_signal, "setitimer"):
        yield
        return
    _RUN = _Run()
    try:
        before: Any = _signal.signal(_signal.SIGPROF, _tick)
    except ValueError:  # another thread
        yield
        return
    _RUN.armed = True
    start_ticking()
    try:
        yield
    finally:
        _signal.setitimer(_signal.ITIMER_PROF, 0)
        _signal.signal(_signal.SIGPROF, before)
        _RUN.armed = False
        _unbind_memory()


def start_ticking() -> None:
    """Start the timer. A forked process must do it again, because it inherits the handler and not the timer."""
    if _RUN.armed:
        _signal.setitimer(_signal.ITIMER_PROF, _TICK, _TICK)


def limit(seconds: float | None, mebibytes: int | None) -> None:
    """Set the limits of the run. 0: no limit; None: the default."""
    _RUN.seconds, _RUN.memory = seconds, None if mebibytes is None else mebibytes << 20
    if _RUN.bound:  # before anybody knew
        _bind_memory()


def limit_looks() -> None:
    """Give each look of an editor less time than a run."""
    _RUN.base = SECONDS_OF_AN_EDITOR


def is_of_time(reason: str) -> bool:
    """Whether something was given up because of this machine's time, not because of its units of work."""
    return TOO_LONG in reason


def begin_stage() -> None:
    """Begin a stage with its own time: reading and rendering, summing up, checking, reporting."""
    _RUN.used = 0


def take_in(size: int) -> None:
    """Raise the limits, because so many bytes were read."""
    _RUN.read += size
    if _RUN.bound and _RUN.bound < _most_memory() - (64 << 20):
        _bind_memory()


def take_entries(number: int) -> None:
    """Raise the limits, because so many file names were listed."""
    take_in(_FOR_AN_ENTRY * number)


def was_stopped() -> bool:
    """Whether any work of this run was stopped for its time or memory. The result is then not cached, because another
    machine may get further."""
    return _RUN.stopped


def note_stop() -> None:
    """Note that some work was stopped for its time or memory."""
    _RUN.stopped = True
    note_doubt("something was given up because it takes too much")


class share:  # noqa: N801  # a context, named as functions are
    """Limit the work within the block to a part of the time that is left. `whole`: the block contains other shares.
    Raises OverBudgetError if the time is used up, at once if none is left."""

    __slots__ = ("_depth", "_whole")

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole

    def __enter__(self) -> None:
        run = _RUN
        self._depth = len(run.shares)
        if not run.armed:
            return
        # Not in the signal handler: an import there would break an import that it interrupts.
        if run.used and not run.bound:
            _bind_memory()
        if self._whole:
            run.shares.append(_WHOLE)
            return
        ticks_left = _most_ticks() - run.used
        if ticks_left <= 0:
            note_stop()
            raise OverBudgetError(TOO_LONG)
        run.shares.append(ticks_left // _PART + 1)

    def __exit__(self, *_: object) -> None:
        # Not only the last one: a tick may interrupt between the begin of a share and its block.
        del _RUN.shares[self._depth :]


def allowed_seconds(read: int, base: float | None = None) -> float:
    """The limit of processor time for so many bytes, in seconds; it holds for other processes too. `base`: the limit
    for no bytes, if it is not that of a stage."""
    if _RUN.seconds is None:
        return (base or _RUN.base or SECONDS) + SECONDS_FOR_A_MEGABYTE * read / 1e6
    return _RUN.seconds or _WITHOUT * _TICK


def _most_ticks() -> int:
    return int(allowed_seconds(_RUN.read) / _TICK) or 1


def _most_memory() -> int:
    return MEMORY + MEMORY_FOR_A_BYTE * _RUN.read if _RUN.memory is None else _RUN.memory


def _tick(number: int, frame: object) -> None:
    run = _RUN
    run.used += 1
    over = False
    for at, ticks_left in enumerate(run.shares):
        if ticks_left != _WHOLE:
            over = over or ticks_left == 0
            run.shares[at] = ticks_left - 1 if ticks_left else _GRACE
    if _WHOLE in run.shares and run.used > _most_ticks() + _GRACE:
        run.used -= _GRACE
        over = True
    if over:
        note_stop()
        raise OverBudgetError(TOO_LONG)


def _bind_memory() -> None:
    """Set the memory limit of the process. It is called after the first tick, because shorter runs need little memory.
    Systems without such a limit have none."""
    most = _most_memory()
    _RUN.bound = most or 1
    with suppress(ImportError, OSError, ValueError):
        import resource

        if _RUN.bound_before is None:
            _RUN.bound_before = resource.getrlimit(resource.RLIMIT_DATA)
            _RUN.memory_before = _memory_in_use(resource.getpagesize())
        soft, hard = _RUN.bound_before
        wanted = most + _RUN.memory_before if most else soft
        bounds = [bound for bound in (soft, wanted) if bound != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_DATA, (min(bounds, default=soft), hard))


def _memory_in_use(page: int) -> int:
    """The bytes that this process may write to, on Linux. A process that lives long, such as an editor's, has many
    before a run; and Python may crash where a limit leaves nothing."""
    try:
        with open("/proc/self/statm", encoding="utf-8") as file:
            return int(file.read().split()[5]) * page
    except (OSError, ValueError, IndexError):
        return 0


def _unbind_memory() -> None:
    if _RUN.bound_before is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, _RUN.bound_before)
        _RUN.bound_before = None
