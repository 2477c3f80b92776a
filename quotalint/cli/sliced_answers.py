"""Which answers may stand where a few files hold something else, and what is noted for that: what stands by itself, and
what the reports show of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from quotalint.transcript import note_slices, note_state, want_builds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from quotalint.cli.actions import Request
    from quotalint.cli.formats import Report
    from quotalint.finding import Finding
    from quotalint.slices.kept import ShownOfFiles
    from quotalint.transcript import Basis, Transcript

SLICED_FROM = 200  # files; fewer are looked at in no time
_OF_FINDINGS = frozenset(("text", "github", "gitlab", "junit", "rdjson"))
"""Formats of `check` that tell of sums only what is wrong with them, and how certain they are."""
_OF_SUMS = frozenset(("csv", "html", "markdown", "sarif"))
"""Those that show what of sums `shown_sums.py` compares, and nothing else."""
_FOR_PROGRAMS = frozenset(("json", "markdown", "sarif"))
"""Who asks for these alone is most often a program, which asks once."""
_WITHOUT_LINES = frozenset(("markdown",))
"""Formats of sums that show no lines of quotas and of who uses them."""


def want_slices_of_check(request: Request) -> None:
    """What is built is noted as well, if something is noted of the answer of `check`."""
    if not (request.snapshots or _formats(request) <= _FOR_PROGRAMS):
        want_builds(SLICED_FROM)


def note_slices_of_check(request: Request, report: Report) -> None:
    """Note what stands by itself, for this answer and for `diff`."""
    formats, result = _formats(request), report.result
    if request.snapshots or formats <= _FOR_PROGRAMS or not _is_sliced(report):
        return
    is_of_sums = not formats <= _OF_FINDINGS
    stands = formats <= _OF_FINDINGS | _OF_SUMS
    shows_lines = not formats - _OF_FINDINGS <= _WITHOUT_LINES
    show = partial(_shown_of, report, lines=shows_lines, documents=False) if is_of_sums and stands else _nothing_shown
    note_slices(partial(_slices_of, report, result.findings, show), of_answer=stands)
    if not formats.isdisjoint(_OF_FINDINGS):
        note_state(partial(_keep_state, request, report))


def want_slices_of_usage(request: Request) -> None:
    """What is built is noted as well, if something is noted of the answer of `usage`."""
    if not request.snapshots:
        want_builds(SLICED_FROM)


def note_slices_of_usage(request: Request, report: Report) -> None:
    """Note what stands by itself. No finding is shown, only how many there are."""
    if not request.snapshots and _is_sliced(report):
        lines, documents = _usage_shows_lines(request, report), "json" in _formats(request)
        show = partial(_shown_of, report, lines=lines, documents=documents)
        note_slices(partial(_slices_of, report, (), show), of_answer=True)


def _formats(request: Request) -> frozenset[str]:
    return frozenset(output.format for output in request.outputs)


def _is_sliced(report: Report) -> bool:
    return len(report.result.environments[0].repository.files) >= SLICED_FROM


def _usage_shows_lines(request: Request, report: Report) -> bool:
    formats = _formats(request) - _WITHOUT_LINES
    if formats != {"text"}:
        return bool(formats)
    from quotalint.reports.usage import shows_details

    return shows_details(report.chosen_tables(), report.choice)


def _slices_of(
    report: Report, findings: Sequence[Finding], show: Callable[[], ShownOfFiles | None], noted: Transcript
) -> bytes:
    from quotalint.slices.noting import noted_slices

    seen = report.result.seen
    environments = report.result.environments
    return noted_slices(environments, findings, seen, noted.deciding, show()) if seen is not None else b""


def _nothing_shown() -> None:
    """No report shows sums."""


def _shown_of(report: Report, *, lines: bool, documents: bool) -> ShownOfFiles:
    from quotalint.slices.kept import ShownOfFiles
    from quotalint.slices.shown_sums import shown_lines

    files = report.result.environments[0].repository.files if documents else ()
    numbers = {file.source.name: len(file.reading.documents) for file in files}
    return ShownOfFiles(shown_lines(report.tables() if lines else ()), numbers)


def _keep_state(request: Request, report: Report, noted: Transcript, of: Basis) -> None:
    from quotalint.cli.noted_by_check import keep_check

    keep_check(noted, request, report.result, of)
