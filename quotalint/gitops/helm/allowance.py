"""The time limit that all charts of a run share, for each renderer."""

from __future__ import annotations

from quotalint.runtime.resource_limits import SECONDS_OF_CHARTS, allowed_seconds, note_stop

USED_UP = "charts have used up what one run may spend on them (--max-seconds allows more)"

_MOST_STOPPED = 4
"""How many releases may exceed the limit before no more are rendered: the run itself must end."""

_REDUCTION = 5
"""Divides the time limit of later releases once a release has exceeded it."""


class Allowance:
    """The remaining seconds of CPU time. It is a class because they are spent step by step."""

    def __init__(self, for_a_release: float, most: float) -> None:
        """`for_a_release` seconds are added per release; `most` is the limit of one release."""
        self._for_a_release = for_a_release
        self._most = most
        self._left = allowed_seconds(0, SECONDS_OF_CHARTS)
        self._stopped = 0

    def take_in(self, size: int) -> None:
        """Add time for reading this many more bytes."""
        self._left += allowed_seconds(size) - allowed_seconds(0)

    def add_release(self) -> float:
        """The seconds that one more release may take."""
        self._left += self._for_a_release
        return min(self._most, max(1.0, self._left))

    @property
    def longest(self) -> float:
        """The limit of one release in seconds, whatever time is left."""
        return min(self._most, max(1.0, self._most / _REDUCTION)) if self._stopped else self._most

    def is_used_up(self) -> bool:
        """Whether nothing more may be rendered; this is noted as a stop."""
        if self._stopped >= _MOST_STOPPED or self._left < 0:
            note_stop()
            return True
        return False

    def spend(self, seconds: float) -> None:
        """Subtract the seconds that a release took."""
        self._left -= seconds

    def note_stopped(self, *, all_used: bool = False) -> None:
        """Note that a release exceeded its limit; `all_used`: it used all the remaining time."""
        self._stopped += 1
        if all_used:
            self._left = -1
