"""`check --fix`: repair, or show how, and then do what `check` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from quotalint.cli import printing
from quotalint.cli.actions import (
    CannotRun,
    Request,
    deliver,
    known_baseline,
    result_of,
    settings_of,
    snapshots_of,
    standard_input,
    status,
    write,
)
from quotalint.cli.fixing import difference, repaired
from quotalint.cli.formats import CHECK, report
from quotalint.cli.outputs import STDOUT
from quotalint.cli.trials import tried
from quotalint.faults import attempt
from quotalint.pipeline import Result
from quotalint.suppression import baseline_file
from quotalint.transcript import note_doubt


def fix(request: Request) -> int:
    """Repair, or show how, and then what `check` does."""
    note_doubt("it writes into the repository")
    stdin = standard_input()
    if request.fixes.diff:
        result = result_of(request, stdin)
        write(
            attempt(
                *("--fix", ""),
                lambda: difference(result, _trial(request, stdin), request.fixes.unsafe, printing.tell),
                _not_repaired,
                whole=True,
                expected=CannotRun,
            ),
            "patch",
        )
        request = request._replace(outputs=tuple(one for one in request.outputs if one.file != STDOUT))
    else:
        result = _repaired(request._replace(write_baseline=False), stdin)
        result = result_of(request, stdin) if request.write_baseline else result
    deliver(request, CHECK, report(result, request.quiet, request.verbose, asked=request.asked))
    return status(result)


def _repaired(request: Request, stdin: Callable[[], bytes]) -> Result:
    """What is found once files are repaired; what is found without, where repairing raises."""

    def look() -> Result:
        return result_of(request, stdin)

    def instead(reason: str, is_expensive: bool) -> Result:
        _not_repaired(reason, is_expensive)
        return look()

    def work() -> Result:
        return repaired(look, _trial(request, stdin), request.fixes.unsafe, printing.tell)

    return attempt("--fix", "", work, instead, whole=True, expected=CannotRun)


def _not_repaired(reason: str, is_expensive: bool) -> str:
    printing.tell(f"quotalint: not everything is repaired: {reason}")
    return ""


def _trial(request: Request, stdin: Callable[[], bytes]) -> Callable[[Result, Mapping[str, bytes]], Result]:
    """What finds out what there would be to say of other contents of files."""
    settings = settings_of(request.paths or (".",), request.options)
    baseline = known_baseline(baseline_file(request.baseline, settings), needed=False)
    snapshots = snapshots_of(request)
    return partial(tried, request.paths or (".",), stdin, snapshots, baseline)
