"""What reports say of repairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from quotalint.fixes.apply import each
from quotalint.fixes.contents import Change, changes
from quotalint.fixes.fix import Fix


class Proposal(NamedTuple):
    """A repair that can be made, and what it would write if it were the only one."""

    safe: bool
    description: str
    edits: tuple[Change, ...]


def proposals(
    fixes: Sequence[Fix | None], content: Callable[[str], bytes], refusal: Callable[[str], str]
) -> list[Proposal | None]:
    """Those of several findings, in their order; None where there is none, or it cannot be made."""
    done = iter(each([one for one in fixes if one is not None], content, refusal))
    found: list[Proposal | None] = []
    for fix in fixes:
        one = next(done) if fix is not None else None
        made = one is not None and not one.reason and one.files
        found.append(Proposal(one.fix.safe, one.fix.words, changes(one.files)) if one is not None and made else None)
    return found
