"""What the API server takes for no schedule."""

from __future__ import annotations

import pytest

from quotalint.kube.cron_schedules import schedule_error

NO_NUMBER = 'failed to parse int from {0}: strconv.Atoi: parsing "{0}": invalid syntax'


@pytest.mark.parametrize(
    "schedule",
    [
        *(
            "0 3 * * *",
            "*/5 0-6,22,23 1 jan-Mar,DEC mon-fri",
            "? ? ? ? ?",
            "0 0 1-10/3 * 0",
            "5/15 * * * *",
            "* * * * ,",
        ),
        *("@daily", "@every 1h30m", "@every 1.5h", "@every 90s", " 0\t3 * * * "),
        *("TZ=Europe/Berlin 0 3 * * *", "CRON_TZ=UTC 0 3 * *"),  # which objects that there are may keep
    ],
)
def test_a_schedule(schedule: str) -> None:
    assert schedule_error(schedule) == ""


@pytest.mark.parametrize(
    ("schedule", "error"),
    [
        ("0 3 * *", "expected exactly 5 fields, found 4: [0 3 * *]"),
        ("0 0 3 * * *", "expected exactly 5 fields, found 6: [0 0 3 * * *]"),
        (" @daily", "expected exactly 5 fields, found 1: [@daily]"),
        ("@reboot", "unrecognized descriptor: @reboot"),
        ("@Daily", "unrecognized descriptor: @Daily"),
        ("@every 1d", 'failed to parse duration @every 1d: time: invalid duration "1d"'),
        ("0 3 * * 7", "end of range (7) above maximum (6): 7"),
        ("60 3 * * *", "end of range (60) above maximum (59): 60"),
        ("0 3 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("0 3 * * fri-mon", "beginning of range (5) beyond end of range (1): fri-mon"),
        ("0 3 * * monday", NO_NUMBER.format("monday")),
        ("0 3 * 1-2-3 *", "too many hyphens: 1-2-3"),
        ("*/5/5 * * * *", "too many slashes: */5/5"),
        ("*/0 * * * *", "step of range should be a positive number: */0"),
        ("*/-5 * * * *", "negative number (-5) not allowed: -5"),
        ("*/x * * * *", NO_NUMBER.format("x")),
        ("0 L * * *", NO_NUMBER.format("L")),
        ("H 3 * * *", NO_NUMBER.format("H")),
    ],
)
def test_no_schedule(schedule: str, error: str) -> None:
    assert schedule_error(schedule) == error
