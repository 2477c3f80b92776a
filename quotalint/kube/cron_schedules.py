"""Why the API server refuses a schedule, and when it fires.

Source: Kubernetes 1.36, vendor/github.com/robfig/cron/v3/{parser,spec}.go (ParseStandard, dayMatches).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_DESCRIPTORS = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
_DURATION = lazy_pattern(r"[+-]?(?:0|(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)")
_NUMBER = lazy_pattern(r"[+-]?[0-9]{1,18}")


class _Field(NamedTuple):
    """The allowed values of one of the five fields."""

    least: int
    most: int
    names: tuple[str, ...] = ()
    """The names of its numbers, beginning with the smallest."""


_FIELDS = (_Field(0, 59), _Field(0, 23), _Field(1, 31), _Field(1, 12, _MONTHS), _Field(0, 6, _DAYS))


@lru_cache(maxsize=1024)  # schedules repeat often
def schedule_error(schedule: str) -> str:
    """The parser's message for an invalid schedule; empty if it is valid, or if it depends on the server's version."""
    if not schedule:
        return "Required value"
    if "TZ" in schedule:
        return ""
    if schedule.startswith("@"):
        return _descriptor_error(schedule)
    fields = schedule.split()
    if len(fields) != len(_FIELDS):
        return f"expected exactly {len(_FIELDS)} fields, found {len(fields)}: [{' '.join(fields)}]"
    errors = (
        error
        for bounds, field in zip(_FIELDS, fields, strict=True)
        for expression in field.split(",")
        if expression
        for error in _range_errors(expression, bounds)
    )
    return next(errors, "")


def firings(schedule: str) -> Iterator[int]:
    """When a schedule of five fields without errors fires: minutes from 2024-01-01, a leap year, without an end or,
    if no day of 28 years matches, none."""
    from datetime import date

    fields = [[part for part in field.split(",") if part] for field in schedule.split()]
    minutes, hours, days, months, weekdays = (
        {value for expression in parts for value in _values(expression, bounds)}
        for parts, bounds in zip(fields, _FIELDS, strict=True)
    )
    # Of two restricted fields, one has to match.
    matches_both = any(part in _EVERY for parts in (fields[2], fields[4]) for part in parts)
    in_a_day = sorted(hour * 60 + minute for hour in hours for minute in minutes)
    first, fired = date(2024, 1, 1).toordinal(), False
    for passed in count() if in_a_day else ():
        day = date.fromordinal(first + passed)
        of_month, of_week = day.day in days, day.isoweekday() % 7 in weekdays
        if day.month in months and ((of_month and of_week) if matches_both else (of_month or of_week)):
            fired = True
            yield from (passed * 1440 + at for at in in_a_day)
        elif not fired and passed > 28 * 366:
            return


_EVERY = frozenset(f"{every}{step}" for every in "*?" for step in ("", "/1"))


def _values(expression: str, bounds: _Field) -> range:
    """The numbers of one range without errors."""
    span, _, step = expression.partition("/")
    low, _, high = span.partition("-")
    if low in ("*", "?"):
        return range(bounds.least, bounds.most + 1, int(step or 1))
    start = _number(low, bounds) or 0
    end = _number(high, bounds) if high else bounds.most if step else start
    return range(start, (end or 0) + 1, int(step or 1))


def is_name(text: str) -> bool:
    """Whether it is the name of a month or weekday."""
    return text.lower() in (*_MONTHS, *_DAYS)


def _descriptor_error(schedule: str) -> str:
    if schedule in _DESCRIPTORS:
        return ""
    duration = schedule.removeprefix("@every ")
    if duration == schedule:
        return f"unrecognized descriptor: {schedule}"
    if _DURATION.fullmatch(duration):
        return ""
    return f'failed to parse duration {schedule}: time: invalid duration "{duration}"'


def _range_errors(expression: str, bounds: _Field) -> Iterator[str]:
    """The errors of one range: `5`, `1-5`, `*/2`, `mon-fri`, `10/5`."""
    span, *steps = expression.split("/")
    low, *highs = span.split("-")
    start = end = bounds.least
    if low in ("*", "?"):
        end = bounds.most
    else:
        ends = [_number(text, bounds) for text in (low, *highs)]
        yield from (
            f'failed to parse int from {text}: strconv.Atoi: parsing "{text}": invalid syntax'
            for text, number in zip((low, *highs), ends, strict=True)
            if number is None
        )
        if len(highs) > 1:
            yield f"too many hyphens: {expression}"
        start, end = ends[0] or 0, ends[-1] or 0
    if len(steps) > 1:
        yield f"too many slashes: {expression}"
    step = _number(steps[0], _Field(0, 0)) if steps else 1
    if step is None:
        yield f'failed to parse int from {steps[0]}: strconv.Atoi: parsing "{steps[0]}": invalid syntax'
    elif step < 0:
        yield f"negative number ({step}) not allowed: {steps[0]}"
    if steps and not highs:
        end = bounds.most  # up to the maximum
    if start < bounds.least:
        yield f"beginning of range ({start}) below minimum ({bounds.least}): {expression}"
    if end > bounds.most:
        yield f"end of range ({end}) above maximum ({bounds.most}): {expression}"
    if start > end:
        yield f"beginning of range ({start}) beyond end of range ({end}): {expression}"
    if step == 0:
        yield f"step of range should be a positive number: {expression}"


def _number(text: str, bounds: _Field) -> int | None:
    if text.lower() in bounds.names:
        return bounds.least + bounds.names.index(text.lower())
    return int(text) if _NUMBER.fullmatch(text) else None
