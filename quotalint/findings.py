"""Hits → findings: identity, severity, words and lines are stamped here, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from quotalint.catalogue import Rule, rule, words
from quotalint.checks.hit import Check, Hit, Note
from quotalint.facts import Facts
from quotalint.kube.objects import Object
from quotalint.settings import Settings
from quotalint.text.place import Place, Span


class RelatedPlace(NamedTuple):
    """Another place of a finding, with its lines."""

    label: str
    file: str
    span: Span
    message: str


class Finding(NamedTuple):
    """What is reported."""

    rule: Rule
    severity: str
    message: str
    label: str
    help: str
    file: str
    span: Span
    namespace: str
    object: Object | None
    field: str
    related: tuple[RelatedPlace, ...]
    notes: tuple[Note, ...]
    fingerprint: str
    """The same for the same finding wherever its lines move."""


def findings(
    facts: Facts, checks: Iterable[Check], locate: Callable[[Iterable[Place]], Mapping[Place, Span]]
) -> tuple[Finding, ...]:
    """Every finding of these checks that the settings ask for, in order of file and line."""
    hits = [(rule(check.rule), hit) for check, hit in _hits(facts, checks)]
    kept = [(severity, one, hit) for one, hit in hits if (severity := _severity(one, hit, facts.settings)) != "off"]
    spans = locate(place for _, _, hit in kept for place in _places(hit))
    found = [_finding(severity, one, hit, spans) for severity, one, hit in kept]
    found.sort(key=lambda one: (one.file, one.span.line, one.span.column, one.rule.id, one.field, one.message))
    return tuple(found)


def _hits(facts: Facts, checks: Iterable[Check]) -> Iterator[tuple[Check, Hit]]:
    for check in checks:
        if not _selected(check.rule, facts.settings):
            continue
        for subject in facts.subjects(check.subject):
            for hit in check.run(subject, facts):
                if not facts.settings.is_ignored(check.rule, hit.place.source, hit.resource):
                    yield check, hit


def _selected(rule_id: str, settings: Settings) -> bool:
    return not settings.select or rule_id.startswith(settings.select)


def _severity(one: Rule, hit: Hit, settings: Settings) -> str:
    matching = [prefix for prefix in settings.severity if one.id.startswith(prefix)]
    if matching:
        return settings.severity[max(matching, key=len)]
    if one.severity == "off":
        return "warning" if settings.select else "off"
    return hit.severity or one.severity


def _places(hit: Hit) -> Iterator[Place]:
    if not hit.line:
        yield hit.place
    yield from (related.place for related in hit.related)


def _finding(severity: str, one: Rule, hit: Hit, spans: Mapping[Place, Span]) -> Finding:
    span = Span(hit.line, hit.column, hit.line, hit.column + 1) if hit.line else spans[hit.place]
    message = words(one.message, hit.variant, hit.values)
    related = tuple(
        RelatedPlace(item.label, item.place.source, spans[item.place], item.message) for item in hit.related
    )
    return Finding(
        rule=one,
        severity=severity,
        message=message,
        label=words(one.label, hit.variant, hit.values),
        help=words(one.help, hit.variant, hit.values),
        file=hit.place.source,
        span=span,
        namespace=hit.object.namespace if hit.object else "",
        object=hit.object,
        field=hit.field,
        related=related,
        notes=hit.notes,
        fingerprint=_fingerprint(one, hit),
    )


def _fingerprint(one: Rule, hit: Hit) -> str:
    from hashlib import sha256

    obj = hit.object
    identity = (obj.group, obj.kind, obj.namespace, obj.name) if obj else (hit.place.source, str(hit.place.document))
    about = hit.resource or hit.field or hit.values.get("key", "") or hit.values.get("reason", "")
    parts = (one.id, *identity, hit.field, about, hit.values.get("quota", ""), hit.values.get("detail", ""))
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]
