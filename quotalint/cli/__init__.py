"""The command line. `run` is all that the console script needs; click is imported inside."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130
FAILED = 2


def run(arguments: Sequence[str]) -> int:
    """Run a command line; the exit status. Whatever goes wrong is said in one line, never in a traceback."""
    _speak_utf8()
    try:
        from quotalint.cli.commands import main

        status = main.main(list(arguments), prog_name="quotalint", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough (`| head`); nothing must be flushed at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        return _failed(error, arguments)
    return status if isinstance(status, int) else 0


def _speak_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _failed(error: Exception, arguments: Sequence[str]) -> int:
    import click

    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.Abort):
        return INTERRUPTED
    if isinstance(error, click.ClickException):
        error.show()
        return FAILED
    if os.environ.get("QUOTALINT_DEBUG"):
        raise error
    sys.stderr.write(
        f"quotalint: this is a bug in quotalint, please report it: {type(error).__name__}: {error}\n"
        f"  command: quotalint {' '.join(arguments)}\n  QUOTALINT_DEBUG=1 shows where it happened\n"
    )
    return FAILED
