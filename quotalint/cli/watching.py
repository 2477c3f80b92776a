"""`--watch`: runs again if a file of the repository changes."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable

from quotalint.cli import printing
from quotalint.cli.actions import settings_of
from quotalint.cli.outputs import STDOUT
from quotalint.cli.request import CannotRun, Request, tell_failure
from quotalint.runtime.recall import Memory, recalling
from quotalint.runtime.transcript import end as end_transcript
from quotalint.settings import Settings
from quotalint.suppression import baseline_file
from quotalint.text.files import lies_in

_WAKE = 100  # ms between looks at what the system has told


def watch_repository(request: Request, run: Callable[[Request], int]) -> int:
    """Run now and after every change, until interrupted. It never returns."""
    if "-" in request.paths:
        raise CannotRun("--watch: standard input does not change")
    try:
        import watchfiles
    except ImportError:
        raise CannotRun("--watch needs the package watchfiles: pip install 'quotalint[watch]'") from None
    end_transcript()  # a long process would grow with every answer
    gc.enable()  # one run is short, many are not
    settings = settings_of(request.paths or (".",), request.options)
    files = [output.file for output in request.outputs if output.file != STDOUT]
    files += [baseline_file(request.baseline, settings)] if request.write_baseline else []
    written = frozenset(map(os.path.realpath, files))

    def is_relevant(change: object, path: str) -> bool:
        # Reports of a run must not start the next one.
        return f"{os.sep}.git{os.sep}" not in path and path not in written and not path.endswith(".tmp")

    changes = watchfiles.watch(
        *_watched_paths(request, settings),
        watch_filter=is_relevant,
        rust_timeout=_WAKE,
        yield_on_timeout=True,
        raise_interrupt=True,
    )
    # The first answer, of no change, comes once the system watches: what changes during the first run is not missed.
    memory = Memory()
    for number, changed in enumerate(changes):
        if changed or number == 0:
            with recalling(memory):
                _run_again(request, run)
            memory.forget_unused()
    raise KeyboardInterrupt


def _watched_paths(request: Request, settings: Settings) -> set[str]:
    """The repository, and files of the run outside it."""
    named = (
        *request.paths,
        *_snapshot_files(request),
        settings.file or "",
        request.baseline or settings.baseline or "",
    )
    outside = (os.path.realpath(path) for path in named if path and os.path.exists(path))
    repository = os.path.realpath(settings.repository)
    return {repository, *(path for path in outside if not lies_in(path, repository))}


def _snapshot_files(request: Request) -> tuple[str, ...]:
    if not request.snapshots:
        return ()
    from quotalint.cli.given_files import snapshot_files

    return tuple(snapshot_files(request.snapshots))


def _run_again(request: Request, run: Callable[[Request], int]) -> None:
    printing.clear_screen()
    try:
        run(request)
    except CannotRun as error:  # a configuration that is just being written, say
        tell_failure(error)
    printing.tell("quotalint: waiting for changes; Ctrl-C ends this")
