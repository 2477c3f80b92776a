"""How often a schedule fires."""

from __future__ import annotations

import pytest

from quotalint.workloads.jobs import most_firings_within


@pytest.mark.parametrize(
    ("schedule", "seconds", "expected"),
    [
        ("*/10 * * * *", 1800, 3),
        ("*/10 * * * *", 1801, 4),
        ("* * * * *", 0, 1),
        ("* * * * *", -5, 1),
        ("*/5 9-11 * * *", 900, 3),
        ("55,59 23 * * *", 86400, 2),
        ("58 23 * * 0", 7 * 86400 + 1, 2),
        ("0 0 1 * *", 28 * 86400, 1),
        ("0 0 1 * *", 28 * 86400 + 1, 2),
        ("0 0 29 2 *", 86400, 1),
        ("0 0 30 2 *", 86400, None),
        ("@yearly", 10**12, 32),
        ("@every 90s", 180, 2),
        ("@hourly", 3601, 2),
        ("0 0 */2 * 1", 86401, 2),  # one of the two has to match: a step other than 1 restricts
        ("0 0 */1 * 1", 86401, 1),
        ("0 0 ? * mon-wed", 3 * 86400, 3),
        ("30/15,,5 0 1 jan *", 3600, 3),
        ("TZ=Europe/Berlin 0 12 * * *", 86401, 2),
        ("0 0 * * * *", 60, None),
        ("*/" + "9" * 4301 + " * * * *", 60, None),
        (", 0 * * *", 60, None),
        ("now and then", 60, None),
        ("", 60, None),
    ],
)
def test_the_most_runs_within_some_seconds_are_counted(schedule: str, seconds: int, expected: int | None) -> None:
    assert most_firings_within(schedule, seconds) == expected
