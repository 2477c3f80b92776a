"""What reports say of repairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from quotalint.finding import Finding
from quotalint.fixes.fix import Fix
from quotalint.text.place import Whole

if TYPE_CHECKING:
    from quotalint.fixes.contents import Change


class Proposal(NamedTuple):
    """A repair that can be made, and what it would write if it were the only one."""

    safe: bool
    description: str
    edits: tuple[Change, ...]


def propose_repairs(
    fixes: Sequence[Fix | None], content: Callable[[str], bytes], refusal: Callable[[str], str]
) -> list[Proposal | None]:
    """Those of several findings, in their order; None where there is none, or it cannot be made."""
    from quotalint.fixes.apply import apply_each
    from quotalint.fixes.contents import changed_lines

    done = iter(apply_each([one for one in fixes if one is not None], content, refusal))
    found: list[Proposal | None] = []
    for fix in fixes:
        one = next(done) if fix is not None else None
        made = one is not None and not one.reason and one.files
        found.append(
            Proposal(one.fix.safe, one.fix.words, changed_lines(one.files)) if one is not None and made else None
        )
    return found


def count_repairable(findings: Iterable[Finding]) -> tuple[int, int]:
    """How many findings `--fix` is likely to repair, and how many more `--unsafe-fixes`.

    As far as that is known without reading a file again: what a file will not let be changed shows when it is tried.
    """
    options = [_likely_fix(one.fix) for one in findings if one.suppressed is None and one.file != "<stdin>"]
    return sum(one is not None and one.safe for one in options), sum(
        one is not None and not one.safe for one in options
    )


def _likely_fix(fix: Fix | None) -> Fix | None:
    """A fix or what to do otherwise, whichever nothing is known to speak against."""
    while fix is not None and (fix.obstacle or any(isinstance(edit.place.origin, Whole) for edit in fix.edits)):
        fix = fix.otherwise
    return fix
