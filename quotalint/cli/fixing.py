"""`--fix` and `--diff`: repairs are made, or shown, and each of them is told in a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from quotalint.findings import Finding
    from quotalint.fixes.apply import Done, Plan
    from quotalint.pipeline import Result

_ROUNDS = 10
"""One repair may bring out what another can repair, as a larger quota does with what a rollout needs."""


class Fixes(NamedTuple):
    """What is asked for."""

    write: bool = False
    unsafe: bool = False
    """Also those that decide something."""
    diff: bool = False


def repaired(look: Callable[[], Result], unsafe: bool, tell: Callable[[str], object]) -> Result:
    """Repair files until nothing is left that can be; what is found then."""
    from quotalint.fixes.files import replace
    from quotalint.reports.terminal import safe

    result = look()
    made, files, failed = 0, set[str](), dict[str, str]()
    for _ in range(_ROUNDS):
        found, plan = _planned(result, unsafe)
        for name, _before, after in plan.files:
            failure = replace(result.path(name), after)
            if failure and name not in failed:
                tell(f"quotalint: {safe(name)} cannot be written: {failure}\n")
            failed |= {name: failure} if failure else {}
        changed = {name for name, _, _ in plan.files} - failed.keys()
        for finding, one in zip(found, plan.done, strict=True):
            if not one.reason and not any(name in failed for name, _, _ in one.files):
                made += 1
                tell(f"fixed {_line(finding)}: {safe(one.fix.words)}\n")
        files |= changed
        if not changed:
            break
        result = look()
    _tell_left(*_planned(result, unsafe), tell)
    _tell_sum(made, len(files), result, unsafe, tell)
    return result


def difference(result: Result, unsafe: bool, tell: Callable[[str], object]) -> str:
    """What the first round of repairs would write, as a unified diff."""
    found, plan = _planned(result, unsafe)
    _tell_left(found, plan, tell)
    return "".join(line for name, before, after in plan.files for line in _unified(name, before, after))


def _planned(result: Result, unsafe: bool) -> tuple[Sequence[Finding], Plan]:
    """The findings that there is a repair for, and what these come to."""
    from quotalint.fixes.apply import plan

    found = [one for one in _repairable(result) if unsafe or (one.fix is not None and one.fix.safe)]
    return found, plan([one.fix for one in found if one.fix is not None], result.content, result.refusal)


def _repairable(result: Result) -> Iterator[Finding]:
    return (one for one in result.findings if one.fix is not None and not one.suppressed)


def _tell_left(found: Sequence[Finding], plan: Plan, tell: Callable[[str], object]) -> None:
    for finding, one in zip(found, plan.done, strict=True):
        if one.reason:
            tell(f"left {_line(finding)}: {_words(one)}\n")


def _words(one: Done) -> str:
    from quotalint.reports.terminal import safe

    return safe(f"{one.reason} (to do: {one.fix.words})")


def _line(finding: Finding) -> str:
    from quotalint.reports.terminal import safe

    return f"{safe(finding.file)}:{finding.span.line} {finding.rule.id}"


def _tell_sum(made: int, files: int, result: Result, unsafe: bool, tell: Callable[[str], object]) -> None:
    from quotalint.reports.terminal import counted

    more = sum(one.fix is not None and not one.fix.safe and not one.fix.obstacle for one in _repairable(result))
    hint = f"; --unsafe-fixes can repair {more} more" if more and not unsafe else ""
    tell(f"quotalint: repaired {counted(made, 'finding')} in {counted(files, 'file')}{hint}\n")


def _unified(name: str, before: bytes, after: bytes) -> Iterator[str]:
    from difflib import unified_diff

    for line in unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(data: bytes) -> list[str]:
    # Not str.splitlines(), which also cuts at characters that may stand in a string.
    *whole, rest = data.decode(errors="replace").split("\n")
    return [*(f"{line}\n" for line in whole), *filter(None, [rest])]
