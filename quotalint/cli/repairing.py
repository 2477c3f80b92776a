"""`check --fix`: applies or shows fixes, then does what `check` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from quotalint.cli import printing
from quotalint.cli.actions import (
    deliver_check,
    exit_status,
    known_baseline,
    print_report,
    result_of,
    settings_of,
    snapshots_of,
    standard_input,
)
from quotalint.cli.fixing import repair_difference, repair_files
from quotalint.cli.outputs import STDOUT
from quotalint.cli.request import CannotRun, Request
from quotalint.cli.trials import try_files
from quotalint.pipeline import Result
from quotalint.runtime.faults import attempt
from quotalint.runtime.transcript import note_doubt
from quotalint.suppression import baseline_file


def run_fixes(request: Request) -> int:
    """Apply or show fixes, then check; the exit status."""
    note_doubt("it writes into the repository")
    stdin = standard_input()
    if request.fixes.diff:
        result = result_of(request, stdin)
        print_report(
            attempt(
                *("--fix", ""),
                lambda: repair_difference(
                    result, _trial_of(request, stdin), printing.tell, unsafe=request.fixes.unsafe
                ),
                _not_repaired,
                whole=True,
                expected=CannotRun,
            ),
            "patch",
        )
        request = request._replace(outputs=tuple(output for output in request.outputs if output.file != STDOUT))
    else:
        result = _repair_files(request._replace(write_baseline=False), stdin)
        result = result_of(request, stdin) if request.write_baseline else result
    deliver_check(request, result)
    return exit_status(result)


def _repair_files(request: Request, stdin: Callable[[], bytes]) -> Result:
    """The result after fixes; the result before, if fixing raises."""

    def look_again() -> Result:
        return result_of(request, stdin)

    def fall_back(reason: str, is_expensive: bool) -> Result:
        _not_repaired(reason, is_expensive)
        return look_again()

    def repair_all() -> Result:
        return repair_files(look_again, _trial_of(request, stdin), printing.tell, unsafe=request.fixes.unsafe)

    return attempt("--fix", "", repair_all, fall_back, whole=True, expected=CannotRun)


def _not_repaired(reason: str, is_expensive: bool) -> str:
    printing.tell(f"quotalint: not everything is repaired: {reason}")
    return ""


def _trial_of(request: Request, stdin: Callable[[], bytes]) -> Callable[[Result, Mapping[str, bytes]], Result]:
    """A function that checks other contents of files."""
    settings = settings_of(request.paths or (".",), request.options)
    baseline = known_baseline(baseline_file(request.baseline, settings), needed=False)
    snapshots = snapshots_of(request)
    return partial(try_files, request.paths or (".",), stdin, snapshots, baseline)
