"""Private folders for copies of files. They are removed when the run ends, also if a signal ends it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def scratch_folder() -> Iterator[str]:
    """The real path of a new folder that nobody else may enter."""
    import tempfile

    end_by_exception()
    with _signals_held_back():  # or a folder may be left behind
        temporary = tempfile.TemporaryDirectory(prefix="quotalint-", ignore_cleanup_errors=True)
    with temporary as folder:
        yield os.path.realpath(folder)


@contextmanager
def _signals_held_back() -> Iterator[None]:
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGHUP, signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_by_exception() -> None:
    """Raise SystemExit on a signal that ends the run (a cancelled job, a closed terminal), so that temporary files are
    removed. By default such a signal ends the process at once."""
    import signal

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            try:
                signal.signal(number, _end)
            except ValueError:  # only the main thread may set a handler
                return


def _end(number: int, frame: object) -> NoReturn:
    import signal

    signal.signal(number, signal.SIG_IGN)  # Removing files must not be interrupted.
    raise SystemExit(128 + number)
