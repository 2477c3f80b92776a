"""The findings of two states → what became of each: it is new, or worse, or fixed, or nobody knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from quotalint.catalogue import SEVERITIES
from quotalint.checks.hit import Note
from quotalint.diff.pairs import matched
from quotalint.diff.shortages import EXCEEDED, shortage, shortages
from quotalint.diff.sight import Sight
from quotalint.diff.state import State
from quotalint.findings import Finding
from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.settings import Settings


class Worse(NamedTuple):
    """A finding that is more severe than before, or about a quota of which more is missing."""

    finding: Finding
    """As it is now."""
    severity: str
    """As it was."""
    short: tuple[Quantity, Quantity] | None
    """How much was missing and is; None where that is not what the finding is about."""

    @property
    def words(self) -> str:
        """What is worse, in words."""
        is_grave = self.severity != self.finding.severity
        said = [f"{_article(self.severity)} before, {_article(self.finding.severity)} now"] if is_grave else []
        if self.short is not None and self.short[0].nano < self.short[1].nano:
            was, now = map(quantity.show, self.short)
            said.append(f"{was} short before, {now} short now")
        return "; ".join(said)


class Fates(NamedTuple):
    """What became of findings. What is suppressed is not found."""

    new: tuple[Finding, ...]
    """Found now and not before, or worse than before."""
    worse: tuple[Worse, ...]
    """Those of the new ones that were found before."""
    fixed: tuple[Finding, ...]
    """Found before, and not now."""
    unknown: tuple[Finding, ...]
    """Found before and not now, since less is in view: they may still be true."""
    silenced: tuple[Finding, ...]
    """Reported before, and now suppressed, or of a rule that is off."""
    unchanged: tuple[Finding, ...]
    """As they are now."""


def fates(before: State, after: State, sight: Sight) -> Fates:
    """What became of the findings of a state, and which came to them. `sight` knows what went out of view."""
    come, worse, stay, gone = _paired(before, after)
    hushed = Counter(one.fingerprint for one in after.findings if one.suppressed is not None)
    hushed.subtract(Counter(one.fingerprint for one in before.findings if one.suppressed is not None))
    silenced: list[Finding] = []
    unknown: list[Finding] = []
    fixed: list[Finding] = []
    for one in gone:
        hushed[one.fingerprint] -= 1
        if hushed[one.fingerprint] >= 0 or _is_off(one, after.environments[0].settings):
            silenced.append(one)
            continue
        lost = sight.lost(one)
        (unknown if lost else fixed).append(_noted(one, "unknown", lost) if lost else one)
    return Fates(tuple(come), tuple(worse), tuple(fixed), tuple(unknown), tuple(silenced), tuple(stay))


def _paired(before: State, after: State) -> tuple[list[Finding], list[Worse], list[Finding], list[Finding]]:
    """What came, what of it was there and is worse, what stayed, and what went."""
    # Of several that are known by one fingerprint those stay that say the same, in the same place if they can.
    keys: tuple[Callable[[Finding], Hashable], ...] = (
        lambda one: (one.fingerprint, one.file, one.span, one.message),
        lambda one: (one.fingerprint, one.file, one.message),
        lambda one: (one.fingerprint, one.message),
        lambda one: one.fingerprint,
    )
    come: list[Finding] = []
    worse: list[Worse] = []
    stay: list[Finding] = []
    gone: list[Finding] = []
    missing = cache(lambda: (shortages(before), shortages(after)))
    for was, now in matched(_reported(before.findings), _reported(after.findings), keys):
        if now is None:
            gone.extend([was] if was else [])
        elif was is None:
            come.append(now)
        else:
            about_amounts = now.rule.id in EXCEEDED and was.message != now.message
            short = (
                _both(*(shortage(*pair) for pair in zip((was, now), missing(), strict=True))) if about_amounts else None
            )
            found = Worse(now, was.severity, short)
            if _is_worse(found):
                found = found._replace(finding=_noted(now, "worse", found.words))
                worse.append(found)
                come.append(found.finding)
            else:
                stay.append(now)
    return come, worse, stay, gone


def _reported(findings: Iterable[Finding]) -> Sequence[Finding]:
    return [one for one in findings if one.suppressed is None]


def _both(was: Quantity | None, now: Quantity | None) -> tuple[Quantity, Quantity] | None:
    return None if was is None or now is None else (was, now)


def _is_worse(one: Worse) -> bool:
    is_grave = SEVERITIES.index(one.finding.severity) < SEVERITIES.index(one.severity)
    return is_grave or (one.short is not None and one.short[0].nano < one.short[1].nano)


def _noted(one: Finding, label: str, text: str) -> Finding:
    return one._replace(notes=(Note(label, text), *one.notes))


def _article(severity: str) -> str:
    return {"error": "an error", "warning": "a warning"}.get(severity, severity)


def _is_off(one: Finding, settings: Settings) -> bool:
    """Whether the configuration is not to hear of the rule any more."""
    if settings.select and not one.rule.id.startswith(settings.select):
        return True
    configured = [prefix for prefix in settings.severity if one.rule.id.startswith(prefix)]
    if configured:
        return settings.severity[max(configured, key=len)] == "off"
    return one.rule.severity == "off" and not settings.select
