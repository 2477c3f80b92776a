"""`--write-baseline`: what is found now is accepted, and no longer reported."""

from __future__ import annotations

from quotalint.cli import printing
from quotalint.cli.actions import CannotRun
from quotalint.cli.outputs import write_file
from quotalint.pipeline import Result
from quotalint.reports.terminal import count_noun
from quotalint.suppression import BASELINE, UNUSED
from quotalint.suppression.baseline import baseline_text, entry_of


def write_baseline(file: str, result: Result) -> None:
    """Everything that is found goes into the baseline; of what is in it, only what this run cannot judge stays."""
    new_entries = [
        entry_of(finding.rule.id, finding.file, finding.message, finding.fingerprint, finding.suppressed, file)
        for finding in result.findings
        # Of the baseline itself nothing is to be excused.
        if not (finding.rule.id == UNUSED and finding.file == file)
        and (finding.suppressed is None or finding.suppressed.by == BASELINE)
    ]
    entries = (*result.untold, *new_entries)
    failure = write_file(file, baseline_text(entries))
    if failure:
        raise CannotRun(f"{file} cannot be written: {failure}")
    printing.tell(f"wrote {file} ({count_noun(len(entries), 'finding')})")
