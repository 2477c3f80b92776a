"""The findings of two states → what became of each: it is new, or worse, or fixed, or nobody knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from quotalint.catalogue import SEVERITIES
from quotalint.checks.hit import Note
from quotalint.diff.pairs import matched
from quotalint.diff.sight import Sight
from quotalint.diff.state import State
from quotalint.findings import Finding
from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.selection import is_asked_for


class Worse(NamedTuple):
    """A finding that is more severe than before, or true of more, or about a quota of which more is missing."""

    finding: Finding
    """As it is now."""
    was: Finding

    @property
    def short(self) -> tuple[Quantity, Quantity] | None:
        """How much was missing and is; None where that is not what the finding is about."""
        was, now = _short(self.was), _short(self.finding)
        return None if was is None or now is None else (was, now)

    @property
    def words(self) -> str:
        """What is worse, in words; empty where nothing is."""
        was, now = self.was, self.finding
        said = []
        if SEVERITIES.index(now.severity) < SEVERITIES.index(was.severity):
            said.append(f"{_article(was.severity)} before, {_article(now.severity)} now")
        if self.short is not None and self.short[0].nano < self.short[1].nano:
            said.append("{} short before, {} short now".format(*map(quantity.show, self.short)))
        more = [one for one in now.environments if one not in was.environments] if was.environments else []
        if more:
            said.append(f"before in {', '.join(was.environments)} alone, now in {', '.join(more)} as well")
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
    settings = after.environments[0].settings
    come, worse, stay, gone = _paired(before, after)
    hushed = Counter(one.fingerprint for one in after.findings if one.suppressed is not None)
    hushed.subtract(Counter(one.fingerprint for one in before.findings if one.suppressed is not None))
    silenced: list[Finding] = []
    unknown: list[Finding] = []
    fixed: list[Finding] = []
    for one in gone:
        hushed[one.fingerprint] -= 1
        if hushed[one.fingerprint] >= 0 or not is_asked_for(one.rule.id, settings):
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
    for was, now in matched(_reported(before.findings), _reported(after.findings), keys):
        if now is None:
            gone.extend([was] if was else [])
        elif was is None:
            come.append(now)
        elif (found := Worse(now, was)).words:
            found = found._replace(finding=_noted(now, "worse", found.words))
            worse.append(found)
            come.append(found.finding)
        else:
            stay.append(now)
    return come, worse, stay, gone


def _reported(findings: Iterable[Finding]) -> Sequence[Finding]:
    return [one for one in findings if one.suppressed is None]


def _short(one: Finding) -> Quantity | None:
    """What is missing according to a finding."""
    short = quantity.parse(one.values[one.rule.worse_with]) if one.rule.worse_with else None
    return short if isinstance(short, Quantity) else None


def _noted(one: Finding, label: str, text: str) -> Finding:
    return one._replace(notes=(Note(label, text), *one.notes))


def _article(severity: str) -> str:
    return {"error": "an error", "warning": "a warning"}.get(severity, severity)
