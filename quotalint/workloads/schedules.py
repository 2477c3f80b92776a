"""How many runs of a schedule there are at once, and how many ended ones are kept.

Kubernetes reads schedules with github.com/robfig/cron/v3 (ParseStandard): five fields, `@daily` and the like, and
`@every 90m`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from quotalint.kube.fields import integer, text
from quotalint.kube.objects import Object
from quotalint.workloads.demand import RUN, Numbers, Size, Step, constant_size, unknown_because

_MACROS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_EVERY = re.compile(r"@every\s+(?=\S)(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?")
_MOST = 10_000
"""Firings that are looked at: ten months of every five minutes of three hours a day."""


_HISTORY = (("successfulJobsHistoryLimit", 3), ("failedJobsHistoryLimit", 1))


def scheduled_runs(obj: Object, schedules: Sequence[str], lasts: int | None, *, suspended: bool) -> Size:
    """The runs of something that is scheduled like a CronJob: none, then one, and as many as can overlap. `lasts` are
    the seconds after which a run is ended, if anything ends it."""
    if suspended:
        return constant_size(0, "suspended")
    most = 1
    reason: tuple[str, ...] = ()
    if text(obj.spec.get("concurrencyPolicy")) not in ("Forbid", "Replace"):
        most, reason = _overlapping_runs(obj, schedules, lasts)
    step = Step(RUN, "one run of its schedule", ("spec", "schedule"))
    return Size(Numbers(0, 1, 0, most), "idle until its schedule fires", reason, step)


def count_kept_runs(obj: Object) -> int:
    """How many runs are kept that have ended."""
    limits = ((integer(obj.spec.get(field)), default) for field, default in _HISTORY)
    return sum(default if written is None else max(0, written) for written, default in limits)


def _overlapping_runs(obj: Object, schedules: Sequence[str], lasts: int | None) -> tuple[int, tuple[str, ...]]:
    """Runs that are under way together: those that fire while one may last. Without a deadline two are taken."""
    start = integer(obj.spec.get("startingDeadlineSeconds"))
    if lasts is None and start is None:
        return max(2, len(schedules)), ()
    within = max(0, lasts if lasts is not None else start or 0)
    fired = 0
    for schedule in schedules:
        runs = most_within(schedule, within)
        if runs is None:
            reason = f"the schedule {schedule[:40]!r} cannot be read, so two runs are taken to overlap"
            return max(2, len(schedules)), (unknown_because(obj, reason),)
        fired += runs
    # What may start late says nothing of how long it lasts.
    return max(1 if lasts is not None else 2, fired), ()


@lru_cache(maxsize=1024)
def most_within(schedule: str, seconds: int) -> int | None:
    """How many times at most a schedule fires in any stretch of so many seconds, the last of them not included; None
    where it cannot be read."""
    seconds = max(1, seconds)
    schedule = re.sub(r"^(CRON_)?TZ=\S+\s+", "", schedule.strip())
    interval_match = _EVERY.fullmatch(schedule)
    if interval_match is not None:
        if any(len(part or "") > 9 for part in interval_match.groups()):
            return None  # time.ParseDuration refuses what does not fit into 64 bits
        hours, minutes, seconds_part = (int(part or 0) for part in interval_match.groups())
        interval = max(1, hours * 3600 + minutes * 60 + seconds_part)
        return -(-seconds // interval)
    expression = _MACROS.get(schedule, schedule).replace("?", "*")
    if len(expression.split()) != 5:  # cronsim reads a sixth field for seconds
        return None
    from collections import deque
    from datetime import datetime, timedelta
    from itertools import islice

    from cronsim import CronSim, CronSimError

    try:
        # Any year will do that has a 29 February.
        start = datetime(2024, 1, 1)
        times = islice(CronSim(expression, start), _MOST)
        window: deque[datetime] = deque()
        most = 0
        length = timedelta(seconds=min(seconds, 10**9))
        days = _days_until_repeat(expression)
        for time in times:
            if time - start > timedelta(days=days) + length:
                break
            window.append(time)
            while time - window[0] >= length:
                window.popleft()
            most = max(most, len(window))
    except CronSimError:
        return None
    return most


def _days_until_repeat(expression: str) -> int:
    """After how many days a schedule begins anew; in 28 years every day of a year has been every day of the week."""
    day, month, weekday = expression.split()[2:]
    return 28 * 366 if (day, month) != ("*", "*") else 7 if weekday != "*" else 1
