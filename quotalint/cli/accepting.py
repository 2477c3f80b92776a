"""`--write-baseline`: what is found now is accepted, and no longer reported. And where a baseline may lie."""

from __future__ import annotations

from quotalint.cli import printing
from quotalint.cli.actions import CannotRun
from quotalint.cli.outputs import write_file
from quotalint.pipeline import Result
from quotalint.programs import in_repository
from quotalint.reports.terminal import count_noun
from quotalint.settings import Settings
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


def refuse_elsewhere(file: str, settings: Settings) -> None:
    """What a configuration calls the baseline lies in the repository, or beside a configuration that stands around it:
    a change may have written that, and what is wrong with another file would be shown."""
    if not any(in_repository(file, root) for root in (settings.repository, settings.root)):
        raise CannotRun(f"{file} lies outside the repository; `--baseline {file}` takes it all the same")
