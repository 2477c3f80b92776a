"""A line on standard error that shows what a long run does; it disappears at the end."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from quotalint.cli import printing
from quotalint.reports.terminal import column_width, safe_text
from quotalint.text.progress import Tell, tell_nobody

if TYPE_CHECKING:
    from types import FrameType, TracebackType

_PATIENCE = 1.0  # seconds that a run may take before there is anything to see
_EVERY = 0.1  # seconds
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Progress:
    """Shows the current step while the `with` block runs.

    A timer of the system draws it, also while a program runs for long; without such a timer (Windows), each step draws
    it. `wanted`: show it at all. Nothing is drawn unless standard error is a terminal.
    """

    def __init__(self, *, wanted: bool) -> None:
        self._shown = wanted and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._now = ("", 0, 0)
        self._began = self._drawn = 0.0
        self._turn = 0
        self._before: object = None
        self._ticks = False

    def __enter__(self) -> Tell:
        if not self._shown:
            return tell_nobody
        self._began = time.monotonic()
        self._drawn = self._began + _PATIENCE - _EVERY
        self._ticks = self._start_timer()
        return self._take_note

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ticks:
            import signal

            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)  # type: ignore[arg-type]  # what signal.signal returned
        if self._turn:
            with suppress(OSError):
                printing.erase(sys.stderr.fileno())

    def _start_timer(self) -> bool:
        import signal

        if not hasattr(signal, "setitimer"):
            return False
        try:
            self._before = signal.signal(signal.SIGALRM, self._on_tick)
        except ValueError:  # only the main thread may
            return False
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE, _EVERY)
        return True

    def _take_note(self, what: str, done: int = 0, of: int = 0) -> None:
        self._now = (what, done, of)
        if not self._ticks and time.monotonic() - self._drawn >= _EVERY:
            self._draw_line()

    def _on_tick(self, number: int, frame: FrameType | None) -> None:
        self._draw_line()

    def _draw_line(self) -> None:
        self._drawn = time.monotonic()
        # A terminal that is gone must not end the run.
        with suppress(OSError):
            printing.draw(self._current_line(), sys.stderr.fileno())
            self._turn += 1

    def _current_line(self) -> str:
        activity, done, of = self._now
        share = f" {done:,} of {of:,}" if of else ""
        head = f"{_SPINNER[self._turn % len(_SPINNER)]} {self._drawn - self._began:.0f} s  "
        width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        return head + _shorten_middle(safe_text(activity) + share, width - 1 - column_width(head))


def _shorten_middle(text: str, width: int) -> str:
    """Keep both ends of a long path."""
    if column_width(text) <= width:
        return text
    most = max(0, width - 1) // (1 if text.isascii() else 2)
    return f"{text[: most // 2]}…{text[len(text) - (most - most // 2) :]}"
