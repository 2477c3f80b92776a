"""What must be true of a run: it ends, nothing is raised, and its reports are what they claim to be."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fuzz.commands import format_of
from fuzz.reports import ERRORS, unreadable

_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_COMMAND = re.compile(r"^[^\S\n]*::(?!(?:error|warning|notice) |group::|endgroup::)|##\[", re.MULTILINE)


def wrong(arguments: Sequence[str], status: int, out: str, err: str) -> str:
    """What is wrong with the outcome of a run; empty where nothing is."""
    if status not in (0, 1, 2):
        return f"exit status {status}"
    if "bug in quotalint" in err or "Traceback" in err:
        return f"a bug: {err[:300]}"
    if status == 2 and not err.strip():
        return "status 2 without a word"
    if _ACTING.search(err) or _COMMAND.search(err):
        return f"standard error acts: {err[:300]!r}"
    name = format_of(tuple(arguments))
    if _ACTING.search(out.replace("\r\n", "\n") if name == "patch" else out) or _COMMAND.search(out):
        return "standard output acts on terminals or runners"
    if status == 2:
        return ""
    try:
        reason = unreadable(name, out, arguments[0])
    except (*ERRORS, RecursionError) as error:
        return f"{name}: {type(error).__name__}: {str(error)[:300]}"
    return reason and f"{name}: {reason}"
