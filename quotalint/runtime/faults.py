"""Bugs of quotalint that appeared in this run. They are noted, so that everything else goes on.

A rule, a renderer or a report that raises has no answer for one subject; the others keep theirs. The code that notes a
fault returns an empty or unknown answer instead. The run ends with status 2 and a line for each fault.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from quotalint.named_tuples import NamedTuple
from quotalint.runtime.budget import excess
from quotalint.runtime.resource_limits import note_stop, share

_Result = TypeVar("_Result")
_Other = TypeVar("_Other")

OURS = "a bug in quotalint stopped it"
"""Why something is unknown because of a bug."""

_MOST = 20


class Fault(NamedTuple):
    """An exception, and where it was raised."""

    part: str
    """The rule or the work in progress: `QL301`, `rendering`, `the report json`."""
    subject: str
    """The file or folder that was being processed; empty if there is none."""
    error: str
    """The exception, in one line."""


_noted: list[Fault] = []


def note_fault(part: str, subject: str, error: Exception) -> None:
    """Note an exception. With QUOTALINT_DEBUG it is raised instead."""
    if os.environ.get("QUOTALINT_DEBUG"):
        raise error
    fault = Fault(part, subject, f"{type(error).__name__}: {error}")
    if fault not in _noted and len(_noted) < _MOST:
        _noted.append(fault)


def reason_of(part: str, subject: str, error: Exception) -> tuple[str, bool]:
    """Why there is no answer, and whether it took too much time or memory. Any other exception is noted as a fault."""
    reason = excess(error)
    if not reason:
        note_fault(part, subject, error)
    elif isinstance(error, MemoryError):
        note_stop()  # another machine may have more
    return reason or OURS, bool(reason)


def attempt(
    part: str,
    subject: str,
    work: Callable[[], _Result],
    instead: Callable[[str, bool], _Other],
    expected: type[Exception] | tuple[type[Exception], ...] = (),
    *,
    whole: bool = False,
) -> _Result | _Other:
    """The result of `work`. If it raises or takes too much, the result of `instead`, called with the reason and with
    whether it took too much. `expected` exceptions are raised: the caller handles them. `whole`: as in `share`."""
    try:
        with share(whole=whole):
            return work()
    except expected:
        raise
    except Exception as error:
        return instead(*reason_of(part, subject, error))


def noted_faults() -> tuple[Fault, ...]:
    """The faults since the last call. The list is then empty."""
    faults = tuple(_noted)
    _noted.clear()
    return faults
