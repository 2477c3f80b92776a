"""Limits the work that one run may spend on expanding little text, in units that do not depend on the machine.

Reading text costs time in proportion to its size. Expanding it may cost far more: bases that use other bases twice,
aliases of aliases in many overlays, replacements of a field into itself. Such work spends units; one is about the cost
of rendering a small object in a kustomization. Each file that is read adds units. When none are left,
OverBudgetError is raised. The caller, which knows the file, reports a problem, "not judged: too expensive".
"""

from __future__ import annotations

START = 30_000
"""Units that every run has; the kustomizations of the largest public repositories known take 40,000 for 7,000 files."""

FOR_A_FILE = 40
"""Units that each document adds, and each kilobyte that kustomizations name."""

FOR_A_CHARGE = 10
"""Units that each object which counts in a quota adds. A comparison of a workload with a quota spends one."""

VALUES = 50
"""The values from aliases and copies, or bytes of generated text, that cost one unit."""


class OverBudgetError(Exception):
    """The work costs more than a run may spend. The message says why; reports write it after "not judged: "."""


TOO_MUCH_MEMORY = "too expensive: it takes more memory than one run may (--max-memory allows more)"
TOO_DEEP = "too expensive: it is nested too deeply"


def excess(error: Exception) -> str:
    """Why work was too expensive, from its exception; empty for any other exception, which is a bug."""
    if isinstance(error, OverBudgetError):
        return str(error)
    return TOO_MUCH_MEMORY if isinstance(error, MemoryError) else TOO_DEEP if isinstance(error, RecursionError) else ""


class _Budget:
    """The units that are left. A class because the number changes."""

    def __init__(self) -> None:
        self.left: float = START
        self.spent: float = 0


_RUN = _Budget()


def renew() -> None:
    """Begin a run."""
    _RUN.left, _RUN.spent = START, 0


def allow(units: float) -> None:
    """Add units, because something was read."""
    _RUN.left += units


def spend(units: float, what: str) -> None:
    """Spend units. Raises OverBudgetError, which names the work (`what`)."""
    if units > _RUN.left:
        raise OverBudgetError(f"too expensive: {what}")
    _RUN.left -= units
    _RUN.spent += units


def spent() -> float:
    """Units that were spent since the run began, for tests that bound the work."""
    return _RUN.spent
