"""The only writer of standard output and standard error, which removes control characters.

Names, messages and lines come from manifests that anybody may have written. Terminals obey escape sequences; logs of
runners obey each line that begins with `::`, and `##[` anywhere in a line (actions/runner, ActionCommand.cs). So
everything is cleaned here, whatever its format did before.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping

from quotalint.reports.terminal import safe_text
from quotalint.runtime.transcript import STDERR, STDOUT, Said, note_doubt, note_said
from quotalint.text.lazy_patterns import lazy_pattern

_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_CLEAR_LINE = "\r\x1b[2K"
_CLEAR_SCREEN = "\x1b[H\x1b[2J\x1b[3J"


class OutputError(Exception):
    """Standard output cannot be written; the message says why."""


def tell(line: str) -> None:
    """Print one line on standard error; a line break in it is escaped."""
    _put_text(sys.stderr, f"{_without_commands(safe_text(line))}\n", "")


def write(text: str, kind: str = "text", *, colored: bool = False) -> None:
    """Print a report of a format. Raises OutputError."""
    try:
        _put_text(sys.stdout, clean_text(text, kind, colored=colored), kind, colored=colored)
        sys.stdout.flush()
    except BrokenPipeError:
        nobody_reads()
    except OSError as error:
        nobody_reads()
        raise OutputError(f"standard output cannot be written: {error.strerror}") from None


def clean_text(text: str, kind: str = "text", *, colored: bool = False) -> str:
    """A report without active control characters. A format with escapes keeps its meaning; text, Markdown and patches
    show the characters instead. Terminal colours stay if `colored`."""
    return _without_controls(text, _BUT_COLORS) if colored else _CLEANING.get(kind, _without_controls)(text)


def draw(line: str, to: int) -> None:
    """Replace the last line of a terminal. It bypasses the stream, because a timer may interrupt a write to it."""
    os.write(to, (_CLEAR_LINE + _without_commands(safe_text(line))).encode("utf-8", "backslashreplace"))


def erase(to: int) -> None:
    """Remove what was drawn."""
    os.write(to, _CLEAR_LINE.encode())


def clear_screen() -> None:
    """Clear the screen, if standard output is a terminal."""
    if sys.stdout.isatty():
        sys.stdout.write(_CLEAR_SCREEN)


def nobody_reads() -> None:
    """Stop writing: the reader is gone (`| head`), or the disk is full. The buffer must not be flushed at exit
    either."""
    note_doubt("nobody reads it to its end")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_again(said: Said) -> None:
    """Print the output of an earlier run, cleaned again, because its store may have been changed. Raises
    OutputError."""
    stream, kind, colored, text = said
    if stream == STDERR:
        tell(text.removesuffix("\n"))
    else:
        write(text, kind, colored=colored)


def _put_text(stream: object, text: str, kind: str, *, colored: bool = False) -> None:
    note_said((STDERR if stream is sys.stderr else STDOUT, kind, colored, text))
    stream.write(text)  # type: ignore[attr-defined]  # a text stream, whatever took the place of the real one


_CONTROLS = lazy_pattern(f"[{_CONTROL}]")
_BUT_COLORS = lazy_pattern(rf"(?!\x1b\[[0-9;]*m)[{_CONTROL}]")
_IN_LINES = lazy_pattern(rf"(?!\r\n)[{_CONTROL}]")
_COMMAND = lazy_pattern(r"^((?:[^\S\n]|\x1b\[[0-9;]*m)*):(?=:)", re.MULTILINE)
_OWN_COMMANDS = ("::error ", "::warning ", "::notice ", "::group::", "::endgroup::")


def _without_controls(text: str, controls: re.Pattern[str] = _CONTROLS) -> str:
    return _without_commands(controls.sub(_escape_control, text))


def _without_commands(text: str) -> str:
    if "::" in text:
        text = _COMMAND.sub(r"\1\\x3a", text)
    return text.replace("##[", "#\\x23[")


def _escape_control(match: re.Match[str]) -> str:
    return ascii(match[0])[1:-1]


def _clean_patch(text: str) -> str:
    """Clean a patch; CRLF line ends stay, so that it applies."""
    return _without_controls(text, _IN_LINES)


def _clean_json(text: str) -> str:
    """Clean JSON with its own escapes, so that it reads back the same: such characters occur only in strings."""
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text).replace("##[", "#\\u0023[")


def _clean_markup(text: str) -> str:
    """Clean with character references of XML and HTML."""
    return _CONTROLS.sub(lambda match: f"&#x{ord(match[0]):x};", text).replace("##[", "#&#35;[")


def _clean_commands(text: str) -> str:
    """Clean the format `github`, which consists of commands."""
    lines = _CONTROLS.sub(_escape_control, text).split("\n")
    return "\n".join(line if line.startswith(_OWN_COMMANDS) else _without_commands(line) for line in lines)


_CLEANING: Mapping[str, Callable[[str], str]] = {
    "json": _clean_json,
    "gitlab": _clean_json,
    "rdjson": _clean_json,
    "sarif": _clean_json,
    "junit": _clean_markup,
    "html": _clean_markup,
    "github": _clean_commands,
    "patch": _clean_patch,
}
