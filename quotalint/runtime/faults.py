"""Bugs of quotalint that came to light in this run: noted where they are met, so that everything else goes on.

A rule, a renderer or a report that raises has no answer for one subject; the others keep theirs. Whoever notes a fault
puts something in the place of the answer that claims nothing, and the run ends with status 2 and a line for each.
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
"""Why something is not known, where nothing but us is to blame."""

_MOST = 20


class Fault(NamedTuple):
    """Where something raised, and what."""

    part: str
    """The rule, or what was going on: `QL301`, `rendering`, `the report json`."""
    subject: str
    """The file or folder that it was about; empty where there is none."""
    error: str
    """The exception, in one line."""


_noted: list[Fault] = []


def note_fault(part: str, subject: str, error: Exception) -> None:
    """Keep in mind that something raised. With QUOTALINT_DEBUG the exception goes on its way instead."""
    if os.environ.get("QUOTALINT_DEBUG"):
        raise error
    fault = Fault(part, subject, f"{type(error).__name__}: {error}")
    if fault not in _noted and len(_noted) < _MOST:
        _noted.append(fault)


def reason_of(part: str, subject: str, error: Exception) -> tuple[str, bool]:
    """Why there is no answer, and whether it is for what that takes; if not, it is our fault, which is noted."""
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
    """What some work on one thing, or a `whole`, comes to; where it raises or takes too much, `instead` of it what is
    made of the reason, and of whether that is what it takes. What is `expected` is no fault: somebody else says it."""
    try:
        with share(whole=whole):
            return work()
    except expected:
        raise
    except Exception as error:
        return instead(*reason_of(part, subject, error))


def noted_faults() -> tuple[Fault, ...]:
    """What raised since the last call, which forgets it."""
    faults = tuple(_noted)
    _noted.clear()
    return faults
