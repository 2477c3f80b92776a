"""What the charts of a run may take together, whoever renders them."""

from __future__ import annotations

from quotalint.runtime.resource_limits import allowed_seconds, note_stop

USED_UP = "charts have used up what one run may spend on them (--max-seconds allows more)"

_MOST_STOPPED = 4
"""How many releases may take too much, until none is rendered any more: the run itself must end."""

_HASTE = 5
"""What part of its time the others may take, once one took too much."""


class Allowance:
    """Seconds of computing that are left. A class because they get fewer."""

    def __init__(self, for_a_release: float, most: float) -> None:
        """`for_a_release` is what each release adds to the usual of a stage, `most` what one may take."""
        self._for_a_release = for_a_release
        self._most = most
        self._left = allowed_seconds(0)
        self._stopped = 0

    def take_in(self, size: int) -> None:
        """So many bytes more are read, so that more time may be taken."""
        self._left += allowed_seconds(size) - allowed_seconds(0)

    def add_release(self) -> float:
        """How many seconds a further release may take."""
        self._left += self._for_a_release
        return min(self._most, max(1.0, self._left))

    @property
    def longest(self) -> float:
        """How many seconds one release may take, whatever is left."""
        return min(self._most, max(1.0, self._most / _HASTE)) if self._stopped else self._most

    def is_used_up(self) -> bool:
        """Whether nothing may be rendered any more, which is noted."""
        if self._stopped >= _MOST_STOPPED or self._left < 0:
            note_stop()
            return True
        return False

    def spend(self, seconds: float) -> None:
        """A release took that long."""
        self._left -= seconds

    def note_stopped(self, *, all_used: bool = False) -> None:
        """A release took too much; `all_used`: all that was left."""
        self._stopped += 1
        if all_used:
            self._left = -1
