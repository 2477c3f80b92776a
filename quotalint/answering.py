"""A command line → its exit status: from memory, where nothing has changed that the answer rests on, and otherwise by
running it, with the answer kept for the next time.

A run that is answered from memory imports `quotalint.cache` and nothing else: reading what it takes to check costs more
than to look at a thousand files.
"""

from __future__ import annotations

import sys

from quotalint import transcript
from quotalint.cache.answers import give, keep_answer, kept_answer, question
from quotalint.streams import open_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from quotalint.cache.kept_answer import KeptAnswer
    from quotalint.transcript import Transcript


def answer(arguments: Sequence[str]) -> int:
    """Answer a command line; the exit status."""
    open_streams()
    asked, stored = None, None
    # What is kept is a help and no more: whatever is wrong with it, there is the run itself.
    try:
        asked = question(arguments)
        stored = kept_answer(asked, _still_true) if asked else None
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception:
        asked = None
    if stored is not None:
        status = _give_again(stored)
        if status is not None:
            return status
    from quotalint.cli import run

    if asked is None:
        return run(arguments)
    transcript.begin(asked.folder)
    status = run(arguments)
    noted = transcript.end()
    try:
        if noted is not None:
            keep_answer(asked, noted, status)
            for do in noted.at_end:
                do(noted, asked.began)
    except (Exception, KeyboardInterrupt):
        return status
    return status


_INTERRUPTED = 130


def _still_true(slices: bytes, changed: Sequence[str]) -> Transcript | None:
    """What was read to find that an answer is still true; None where it may not be."""
    from quotalint.slices.verdict import is_still_true

    transcript.begin("")
    try:
        stands = is_still_true(slices, changed)
    except Exception:
        stands = False
    finally:
        read = transcript.end()
    return read if stands else None


def _give_again(noted: KeptAnswer) -> int | None:
    """The exit status of an answer that was given again; None where it could not be."""
    try:
        if not give(noted):
            return None
        sys.stdout.flush()
    except BrokenPipeError:
        from quotalint.cli.printing import nobody_reads

        nobody_reads()
        return 0
    except OSError as error:
        from quotalint.cli.printing import nobody_reads, tell

        nobody_reads()
        tell(f"quotalint: standard output cannot be written: {error.strerror}")
        return 2
    return noted.status
