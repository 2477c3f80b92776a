"""What a step prints: commands of its own, and text of others in which the runner must see none.

The runner obeys each line that begins with `::`, on both streams (actions/runner, ActionCommand.cs).
"""

from __future__ import annotations

import re
import secrets
import sys

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_MOST = 4000  # characters of a message; the log has the rest


def say(text: str) -> None:
    """A sentence of ours; what is quoted in it comes from others."""
    # The older form of a command stands anywhere in a line.
    _write(f"quotalint: {' '.join(text.split()).replace('##[', '# #[')}\n")


def notice(text: str) -> None:
    """An annotation of the run that asks for nothing."""
    _command("notice", text)


def warning(text: str) -> None:
    """An annotation of the run that somebody should look at."""
    _command("warning", text)


def error(text: str) -> None:
    """An annotation of the run that says why it failed."""
    _command("error", text)


def foreign(text: str) -> None:
    """Text in which nothing is a command, whatever it says."""
    if not text.strip():
        return
    token = secrets.token_hex(16)
    _write(f"::stop-commands::{token}\n{text.rstrip()}\n::{token}::\n")


def obeyed(report: str) -> None:
    """The report in the format github, whose lines are commands."""
    _write(report)


def _command(name: str, text: str) -> None:
    data = text[:_MOST].replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    _write(f"::{name} title=quotalint::{data}\n")


def _write(text: str) -> None:
    # What moves a cursor, changes a colour or turns the writing direction in a log is escaped.
    sys.stdout.write(_UNSAFE.sub(lambda found: ascii(found[0])[1:-1], text))
    sys.stdout.flush()
