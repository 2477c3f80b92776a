"""Tries fixes in memory before any is written: a fix must not cause a finding as severe as its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from quotalint.catalogue import SEVERITIES
from quotalint.pipeline import Result, run
from quotalint.text.files import pretend_contents
from quotalint.text.sources import find

if TYPE_CHECKING:
    from quotalint.fixes.apply import Plan
    from quotalint.fixes.fix import Fix
    from quotalint.results.finding import Finding
    from quotalint.snapshots.snapshot import Snapshot
    from quotalint.suppression.baseline import Baseline

_MOST_LOOKS = 300
"""The most checks of the repository: a hundred harmless fixes take one, each harmful fix some ten."""

Repair = tuple["Finding", "Fix"]
Look = Callable[[Mapping[str, bytes]], Result]
"""The findings if files had other contents, by their names in reports."""
Planned = Callable[[Sequence["Fix"]], "Plan"]


def try_files(
    paths: Sequence[str],
    stdin: Callable[[], bytes],
    snapshots: Sequence[Snapshot],
    baseline: Baseline | None,
    before: Result,
    files: Mapping[str, bytes],
) -> Result:
    """A function that returns the findings for other contents of files."""
    settings = before.environments[0].settings
    earlier_files = {
        file.source: file for file in before.environments[0].repository.files if file.source.name not in files
    }
    with pretend_contents({before.path(name): data for name, data in files.items()}):
        return run(
            find(paths, settings.root, settings.exclude), settings, stdin, 1, snapshots, baseline, (), earlier_files.get
        )


def harmless_repairs(repairs: Sequence[Repair], result: Result, planned: Planned, look: Look) -> list[Repair]:
    """The fixes, with an obstacle for each that would add a finding at or above its own severity."""
    # A fix that is not applied may block others that edit the same text.
    trials = _Trials(result, planned, look, [number for number, (_, fix) in enumerate(repairs) if fix.obstacle])
    trials.admit([number for number, (_, fix) in enumerate(repairs) if not fix.obstacle], repairs)
    return [
        (finding, fix._replace(obstacle=trials.harm[number], otherwise=None) if number in trials.harm else fix)
        for number, (finding, fix) in enumerate(repairs)
    ]


class _Trials:
    """The admitted fixes, and the findings with them. Several fixes are tried at once, and halved only if they do
    harm."""

    def __init__(self, result: Result, planned: Planned, look: Look, admitted: Sequence[int]) -> None:
        self._planned = planned
        self._look = look
        self._before = result
        self._admitted = list(admitted)
        self._left = _MOST_LOOKS
        self.harm: dict[int, str] = {}
        """Why a repair is not made, by its number."""

    def admit(self, numbers: Sequence[int], repairs: Sequence[Repair]) -> None:
        """Admit further fixes that do no harm together with those that are already admitted."""
        if not numbers:
            return
        self._left -= 1
        if self._left < 0:
            self.harm.update(dict.fromkeys(numbers, "not tried: too expensive beside so many that do harm"))
            return
        together = sorted((*self._admitted, *numbers))
        files = self._planned([repairs[number][1] for number in together]).files
        after = self._look({name: data for name, _, data in files}) if files else self._before
        least = max((_severity_rank(repairs[number][0]) for number in numbers), default=0)
        worst = next(
            (finding for finding in _added_findings(self._before, after) if _severity_rank(finding) <= least), None
        )
        if worst is None:
            self._before, self._admitted = after, together
        elif len(numbers) == 1:
            self.harm[numbers[0]] = f"it would bring {worst.rule.id} in {worst.file}: {worst.message}"
        else:
            half = len(numbers) // 2
            self.admit(numbers[:half], repairs)
            self.admit(numbers[half:], repairs)


def _added_findings(before: Result, after: Result) -> Iterator[Finding]:
    """The findings that are new or more severe; the worst first."""
    there = Counter(_finding_identity(finding) for finding in before.findings if not finding.suppressed)
    worst: dict[object, int] = {}
    for finding in before.findings:
        if not finding.suppressed:
            worst[_finding_identity(finding)] = min(
                _severity_rank(finding), worst.get(_finding_identity(finding), len(SEVERITIES))
            )
    for finding in sorted(after.findings, key=_severity_rank):
        if not finding.suppressed:
            there[_finding_identity(finding)] -= 1
            if there[_finding_identity(finding)] < 0 or _severity_rank(finding) < worst[_finding_identity(finding)]:
                yield finding


def _finding_identity(finding: Finding) -> tuple[str, ...]:
    """The identity of a finding, without amounts, lines, the namespace and names of entries, which fixes change."""
    subject = (finding.object.kind, finding.object.name) if finding.object else ()
    return (finding.rule.id, finding.file, *subject)


def _severity_rank(finding: Finding) -> int:
    """0 for the most severe."""
    return SEVERITIES.index(finding.severity)
