"""The limits of a run: what the units of work in budget.py do not foresee ends here, by processor time and memory.

Units are counted where somebody thought of them, and are the same on every machine. A timer of the system sees to the
rest: it ticks while this process computes, and what has used up its share is given up by an OverBudgetError wherever it
is. Who works on one thing, a file, a root, the quotas of a namespace, a rule, does so in a `share`, and knows what to
say instead. A run that does not come to this point never notices; one that does says so (QL009).

What a run may take grows with what it reads, many times what that takes. Waiting is not counted: programs have limits
of their own.
"""

from __future__ import annotations

# `signal` would be an import for every run, and this is what it is made of.
import _signal  # type: ignore[import-not-found]  # no stub has it
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from quotalint.runtime.budget import OverBudgetError
from quotalint.runtime.transcript import note_doubt

SECONDS = 5.0
"""Of processor time, for each stage of a run; it takes some hundredths for a small repository."""

SECONDS_FOR_A_MEGABYTE = 10.0
"""More for each million bytes that are read, which takes about one."""

MEMORY = 768 << 20
"""Bytes that a run may write to."""

MEMORY_FOR_A_BYTE = 32
"""More for each byte that is read; what is in it takes about ten."""

_FOR_AN_ENTRY = 100  # bytes: reading them takes a fiftieth of a millisecond
_TICK = 0.05  # seconds between two looks
_PART = 3  # one thing may take this part of what is left
_GRACE = 40  # ticks that what is given up has for taking away what it made
_WITHOUT = 1 << 40  # ticks: for ever
_WHOLE = -1  # in place of the ticks that a share has: what holds others ends long after they have to

TOO_LONG = "too expensive: it takes more time than one run may spend on it (--max-seconds allows more)"


class _Run:
    """What is left. A class because of that alone."""

    def __init__(self) -> None:
        self.armed = False
        self.seconds: float | None = None
        self.memory: int | None = None
        self.read = 0
        self.used = 0
        self.shares: list[int] = []
        self.stopped = False
        self.bound = 0
        self.bound_before: tuple[int, int] | None = None


_RUN = _Run()


@contextmanager
def watch_shares() -> Iterator[None]:
    """While this lasts, whatever works in a share is watched. In the main thread of a process alone."""
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
    """Again in a process that was forked, which has the handler and no timer."""
    if _RUN.armed:
        _signal.setitimer(_signal.ITIMER_PROF, _TICK, _TICK)


def limit(seconds: float | None, mebibytes: int | None) -> None:
    """Set the limits of the run. 0: no limit; None: the default."""
    _RUN.seconds, _RUN.memory = seconds, None if mebibytes is None else mebibytes << 20
    if _RUN.bound:  # before anybody knew
        _bind_memory()


def begin_stage() -> None:
    """Reading and rendering, adding up, looking for what is wrong, and reporting have as much time each."""
    _RUN.used = 0


def take_in(size: int) -> None:
    """So many bytes were read, so that more time and memory may be taken."""
    _RUN.read += size
    if _RUN.bound and _RUN.bound < _most_memory() - (64 << 20):
        _bind_memory()


def take_entries(number: int) -> None:
    """So many names of files were looked at, so that more time may be taken."""
    take_in(_FOR_AN_ENTRY * number)


def was_stopped() -> bool:
    """Whether anything was given up for its time or memory since the run began: then another machine may say more, and
    nothing of this is to be kept for later runs."""
    return _RUN.stopped


def note_stop() -> None:
    """Something was given up for what it took."""
    _RUN.stopped = True
    note_doubt("something was given up because it takes too much")


class share:  # noqa: N801  # a context, named as functions are
    """While this lasts, one thing is worked on that may take a part of the time that is left; `whole` is for what holds
    such parts. Raises OverBudgetError once that is used up, and at once where nothing is left."""

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
        # Not the last alone: a tick may come between a share that has begun and its block.
        del _RUN.shares[self._depth :]


def allowed_seconds(read: int) -> float:
    """How many seconds of processor time may be spent on so many bytes, also by other processes."""
    if _RUN.seconds is None:
        return SECONDS + SECONDS_FOR_A_MEGABYTE * read / 1e6
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
    """Behind the first tick, since what is over sooner takes little. Where the system bounds nothing, nothing is."""
    most = _most_memory()
    _RUN.bound = most or 1
    with suppress(ImportError, OSError, ValueError):
        import resource

        if _RUN.bound_before is None:
            _RUN.bound_before = resource.getrlimit(resource.RLIMIT_DATA)
        soft, hard = _RUN.bound_before
        bounds = [bound for bound in (soft, most or soft) if bound != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_DATA, (min(bounds, default=soft), hard))


def _unbind_memory() -> None:
    if _RUN.bound_before is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, _RUN.bound_before)
        _RUN.bound_before = None
