"""`--write-baseline`: accept all current findings. Also checks where a baseline may lie."""

from __future__ import annotations

from quotalint.cli import printing
from quotalint.cli.outputs import write_file
from quotalint.cli.request import CannotRun
from quotalint.pipeline import Result
from quotalint.programs import in_repository
from quotalint.reports.terminal import count_noun
from quotalint.settings import Settings
from quotalint.suppression import BASELINE, UNUSED
from quotalint.suppression.baseline import baseline_text, entry_of


def write_baseline(file: str, result: Result) -> None:
    """Write all findings to the baseline; of its former entries, keep those that this run cannot judge."""
    new_entries = [
        entry_of(finding.rule.id, finding.file, finding.message, finding.fingerprint, finding.suppressed, file)
        for finding in result.findings
        # Findings in the baseline itself are not accepted.
        if not (finding.rule.id == UNUSED and finding.file == file)
        and (finding.suppressed is None or finding.suppressed.by == BASELINE)
    ]
    entries = (*result.untold, *new_entries)
    failure = write_file(file, baseline_text(entries))
    if failure:
        raise CannotRun(f"{file} cannot be written: {failure}")
    printing.tell(f"wrote {file} ({count_noun(len(entries), 'finding')})")


def refuse_elsewhere(file: str, settings: Settings) -> None:
    """Refuse a baseline outside the repository that a configuration names, unless the configuration is there too: a
    change may have written the name, and errors would show text of another file. Raises CannotRun."""
    if not any(in_repository(file, root) for root in (settings.repository, settings.root)):
        raise CannotRun(f"{file} lies outside the repository; `--baseline {file}` takes it all the same")
