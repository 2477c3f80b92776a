"""`--fix` and `--diff`: apply or show fixes, with a line about each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from quotalint.named_tuples import NamedTuple

if TYPE_CHECKING:
    from quotalint.fixes.apply import FixOutcome, Plan
    from quotalint.pipeline import Result
    from quotalint.results.finding import Finding

_ROUNDS = 10
"""How often to check again: a fix may allow another one, for example a larger quota one for a rollout."""


class Fixes(NamedTuple):
    """The options for fixes."""

    write: bool = False
    unsafe: bool = False
    """Also fixes that need a decision."""
    diff: bool = False


Trial = Callable[["Result", Mapping[str, bytes]], "Result"]
"""The findings if files had other contents, by name."""


def repair_files(look: Callable[[], Result], trial: Trial, tell: Callable[[str], object], *, unsafe: bool) -> Result:
    """Apply fixes until none is left; the result after that."""
    result = look()
    repaired, files, failed = 0, set[str](), dict[str, str]()
    for _ in range(_ROUNDS):
        findings, plan = _plan_repairs(result, trial, failed, unsafe=unsafe)
        failures = _write_files(plan.files, result, tell)
        if failures:
            # The next round skips these files.
            failed |= failures
            result = look()
            continue
        for finding, outcome in zip(findings, plan.done, strict=True):
            if not outcome.reason:
                repaired += 1
                tell(f"fixed {_finding_place(finding)}: {outcome.fix.words}")
        if not plan.files:
            break
        files |= {name for name, _, _ in plan.files}
        result = look()
    _tell_left(findings, plan, tell)
    _tell_sum(repaired, len(files), result, tell, unsafe=unsafe)
    return result


def _write_files(
    files: Sequence[tuple[str, bytes, bytes]], result: Result, tell: Callable[[str], object]
) -> dict[str, str]:
    """Write all files or none, because a patch and its target may need both fixes. The files that failed, and why."""
    from quotalint.text.files import write_whole

    failures, done = {}, []
    for name, before, after in files:
        if result.content(name) != before:
            failures[name] = "it has been changed meanwhile"
        elif failure := write_whole(result.path(name), after):
            failures[name] = f"it cannot be written: {failure}"
        else:
            done.append((name, before))
    for name, before in done if failures else ():
        if failure := write_whole(result.path(name), before):
            tell(f"quotalint: {name} is changed, and cannot be made as it was: {failure}")
    return failures


def repair_difference(result: Result, trial: Trial, tell: Callable[[str], object], *, unsafe: bool) -> str:
    """A unified diff of the first round of fixes."""
    findings, plan = _plan_repairs(result, trial, {}, unsafe=unsafe)
    _tell_left(findings, plan, tell)
    return "".join(line for name, before, after in plan.files for line in unified_lines(name, before, after))


def _plan_repairs(
    result: Result, trial: Trial, failed: Mapping[str, str], *, unsafe: bool
) -> tuple[Sequence[Finding], Plan]:
    """The findings with a fix, and the outcome of each. Suppressed ones are included, because they may share text with
    others."""
    from functools import cache

    from quotalint.cli.trials import harmless_repairs
    from quotalint.fixes.apply import plan_fixes

    doubtful: dict[str, str] = {}
    content = cache(result.content)  # what changes meanwhile is noticed when it is written

    def refusal(name: str) -> str:
        return failed.get(name) or doubtful.get(name) or result.refusal(name)

    pairs = [
        (finding, finding.fix)
        for finding in result.findings
        if finding.fix is not None and (unsafe or finding.fix.safe)
    ]
    while True:
        planned = plan_fixes([fix for _, fix in pairs], content, refusal)
        doubts = second_opinions(planned.files)
        if not doubts:
            break
        doubtful |= doubts
    if planned.files:
        pairs = harmless_repairs(
            pairs, result, lambda fixes: plan_fixes(fixes, content, refusal), lambda files: trial(result, files)
        )
        planned = plan_fixes([fix for _, fix in pairs], content, refusal)
    return [finding for finding, _ in pairs], planned


def second_opinions(files: Sequence[tuple[str, bytes, bytes]]) -> dict[str, str]:
    """Objections of ruamel.yaml to the new contents of files."""
    from quotalint.fixes.file_contents import is_json
    from quotalint.fixes.second_reader import repair_doubt

    reasons = ((name, repair_doubt(before, after)) for name, before, after in files if not is_json(name))
    return {name: reason for name, reason in reasons if reason}


def _tell_left(findings: Sequence[Finding], plan: Plan, tell: Callable[[str], object]) -> None:
    for finding, outcome in zip(findings, plan.done, strict=True):
        if outcome.reason and not finding.suppressed:
            tell(f"left {_finding_place(finding)}: {_left_words(outcome)}")


def _left_words(outcome: FixOutcome) -> str:
    return f"{outcome.reason} (to do: {outcome.fix.words})"


def _finding_place(finding: Finding) -> str:
    return f"{finding.file}:{finding.span.line} {finding.rule.id}"


def _tell_sum(repaired: int, files: int, result: Result, tell: Callable[[str], object], *, unsafe: bool) -> None:
    from quotalint.reports.terminal import count_noun

    more = sum(
        finding.fix is not None and not finding.fix.safe and not finding.fix.obstacle for finding in result.findings
    )
    hint = f"; --unsafe-fixes can repair {more} more" if more and not unsafe else ""
    tell(f"quotalint: repaired {count_noun(repaired, 'finding')} in {count_noun(files, 'file')}{hint}")


def unified_lines(name: str, before: bytes, after: bytes) -> Iterator[str]:
    """The lines of a unified diff of one file."""
    from difflib import unified_diff

    for line in unified_diff(_lines_with_ends(before), _lines_with_ends(after), f"a/{name}", f"b/{name}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines_with_ends(data: bytes) -> list[str]:
    # Not str.splitlines(), which also cuts at characters that may stand in a string.
    *whole, last = data.decode(errors="replace").split("\n")
    return [*(f"{line}\n" for line in whole), *filter(None, [last])]
