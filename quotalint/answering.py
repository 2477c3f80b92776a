"""A command line → its exit status: from memory, where nothing has changed that the answer rests on, and otherwise by
running it, with the answer kept for the next time.

A run that is answered from memory imports `quotalint.cache` and what prints, and nothing else: reading what it takes to
check costs more than to look at a thousand files.
"""

from __future__ import annotations

from quotalint.cache.answers import keep_answer, kept_answer, named_files, question
from quotalint.runtime import transcript
from quotalint.runtime.streams import open_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from quotalint.cache.kept_answer import KeptAnswer


def answer(arguments: Sequence[str]) -> int:
    """Answer a command line; the exit status."""
    open_streams()
    asked, stored = None, None
    # What is kept is a help and no more: whatever is wrong with it, there is the run itself.
    try:
        asked = question(arguments)
        stored = kept_answer(asked) if asked else None
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception:
        asked = None
    if stored is not None:
        status = _give_again(stored, arguments)
        if status is not None:
            return status
    from quotalint.cli import run

    if asked is None:
        return run(arguments)
    transcript.begin()
    status = run(arguments)
    noted = transcript.end()
    try:
        if noted is not None:
            keep_answer(asked, noted, status)
    except (Exception, KeyboardInterrupt):
        return status
    return status


_INTERRUPTED = 130


def _give_again(known: KeptAnswer, arguments: Sequence[str]) -> int | None:
    """The exit status of a cached answer; None if it cannot be used. It is written like a fresh answer, and only to
    files that this command line names: a restored cache may contain a forged entry."""
    if not {path for path, _, _ in known.written} <= named_files(arguments):
        return None
    if known.written:
        from quotalint.cli.outputs import Output, deliver_file

        if any(deliver_file(Output(kind, path), text) for path, kind, text in known.written):
            return None
    from quotalint.cli.printing import OutputError, say_again, tell

    try:
        for said in known.said:
            say_again(said)
    except OutputError as error:
        tell(f"quotalint: {error}")
        return 2
    return known.status
