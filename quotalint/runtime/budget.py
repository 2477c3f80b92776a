"""How much work one run may do on what a repository makes of little text, in units that do not depend on the machine.

What is written costs time in proportion, and is bounded by its size. What is made of it need not be: bases that build
twice on bases, aliases of aliases in each of many overlays, replacements of a field into itself. Each of these spends
units here, one for about as much as a small object costs on its way through a kustomization; what is read adds some.
When none is left, what was asked for is given up by an exception that names what it was, and is caught by whoever knows
the file: it becomes a problem, "not judged: too expensive", and not a hang.
"""

from __future__ import annotations

START = 30_000
"""Units that every run has; the kustomizations of the largest public repositories known take 40,000 for 7,000 files."""

FOR_A_FILE = 40
"""Units that each document adds, and each kilobyte that kustomizations name."""

VALUES = 50
"""How many values that aliases and copies stand for, or bytes of text that is made, come for a unit."""


class OverBudgetError(Exception):
    """What was asked for takes more than a run may spend; the message says why, to be read after "not judged: "."""


TOO_MUCH_MEMORY = "too expensive: it takes more memory than one run may (--max-memory allows more)"
TOO_DEEP = "too expensive: it is nested too deeply"


def excess(error: Exception) -> str:
    """Why what raised was given up for what it takes; empty where the error is another one, and ours."""
    if isinstance(error, OverBudgetError):
        return str(error)
    return TOO_MUCH_MEMORY if isinstance(error, MemoryError) else TOO_DEEP if isinstance(error, RecursionError) else ""


class _Budget:
    """What is left. A class because of that alone."""

    def __init__(self) -> None:
        self.left: float = START
        self.spent: float = 0


_RUN = _Budget()


def renew() -> None:
    """Begin a run."""
    _RUN.left, _RUN.spent = START, 0


def allow(units: float) -> None:
    """Something was read, so that more may be made of it."""
    _RUN.left += units


def spend(units: float, what: str) -> None:
    """Take away from what is left. Raises OverBudgetError, with `what` was to be done."""
    if units > _RUN.left:
        raise OverBudgetError(f"too expensive: {what}")
    _RUN.left -= units
    _RUN.spent += units


def spent() -> float:
    """Units that were spent since the run began, for tests that bound the work."""
    return _RUN.spent
