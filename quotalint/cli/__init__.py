"""The command line. The console script calls only `run`.

Importing click takes as long as checking ten files. So the most common command lines, `quotalint`, `quotalint check`
and these with paths, are parsed without it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from quotalint.runtime.faults import Fault, noted_faults, reason_of
from quotalint.runtime.resource_limits import watch_shares
from quotalint.runtime.streams import open_streams
from quotalint.runtime.transcript import note_doubt

COMMANDS = (
    "check",
    "usage",
    "render",
    "diff",
    "suggest",
    "what-if",
    "rules",
    "explain",
    "init",
    "fleet",
    "lsp",
    "snapshot",
    "vendor",
    "schema",
    "cache",
    "completion",
)
COMPLETING = "_QUOTALINT_COMPLETE"
"""The variable that a shell sets to ask for completions."""

_INTERRUPTED = 130
_FAILED = 2


def run(arguments: Sequence[str]) -> int:
    """Run a command line; the exit status. Every failure is printed in a line or two, never as a traceback."""
    open_streams()
    try:
        with watch_shares():
            status = _run_arguments(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        from quotalint.cli.printing import nobody_reads

        nobody_reads()
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        reason, is_expensive = reason_of("", "", error)
        if is_expensive:
            from quotalint.cli.printing import tell

            tell(f"quotalint: not judged: {reason}")
        status = _FAILED
    faults = noted_faults()
    if faults:
        note_doubt("quotalint has a bug")
    return _tell_faults(faults) if faults else status


def _tell_faults(faults: Iterable[Fault]) -> int:
    """Print bugs of quotalint, with their place; the exit status."""
    from quotalint.cli.printing import tell

    for fault in faults:
        where = f"{fault.part}{' on ' if fault.part and fault.subject else ''}{fault.subject}"
        tell(f"quotalint: this is a bug in quotalint, please report it: {where}{where and ': '}{fault.error}")
    tell("  QUOTALINT_DEBUG=1 shows where it happened")
    return _FAILED


def _run_arguments(arguments: Sequence[str]) -> int:
    from quotalint.cli.actions import check
    from quotalint.cli.request import CannotRun, Request, tell_failure

    try:
        paths = _plain_paths(arguments)
        if paths is not None:
            return check(Request(paths))
        revisions = _plain_revisions(arguments)
        if revisions:
            from quotalint.cli.comparing import diff

            return diff(Request(), *revisions)
        from quotalint.cli.commands import run_commands

        return run_commands(arguments)
    except CannotRun as error:
        tell_failure(error)
        return _FAILED


def _plain_paths(arguments: Sequence[str]) -> tuple[str, ...] | None:
    """The paths of a command line of only `check` and paths; None for any other."""
    paths = tuple(arguments[1:] if arguments[:1] == ["check"] else arguments)
    options = any(path.startswith("-") and path != "-" for path in paths)
    asked = COMPLETING in os.environ
    others = arguments[:1] and (arguments[0] in COMMANDS[1:] or arguments[0] in ("help", "version"))
    return None if options or others or asked else paths


def _plain_revisions(arguments: Sequence[str]) -> tuple[str, str | None] | None:
    """The revisions of a command line of only `diff` and revisions; None for any other."""
    command, *names = arguments or ("",)
    is_plain = command == "diff" and len(names) in (1, 2) and not any(name.startswith("-") for name in names)
    return (names[0], names[1] if len(names) == 2 else None) if is_plain and COMPLETING not in os.environ else None
