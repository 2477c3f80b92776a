"""Hits → findings: identity, severity, words and lines are stamped here, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quotalint.catalogue import SEVERITIES, Rule, rule, words
from quotalint.checks.hit import Check, Hit, Note, Related
from quotalint.facts import Facts
from quotalint.kube.objects import Object
from quotalint.settings import Settings
from quotalint.suppression import Suppression as Suppression
from quotalint.text.place import Place, Span
from quotalint.text.reading import File
from quotalint.text.sources import Unreadable

_SHOWN = 8  # other objects of which the same is true; the rest is summed up


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
    environments: tuple[str, ...]
    """Where it is true; none where there is but one environment."""
    fingerprint: str
    """The same for the same finding wherever its lines move."""
    suppressed: Suppression | None = None
    """Why it is not shown and does not count; None for what is reported."""


class _Said(NamedTuple):
    """The same thing said of a place, by several objects or environments."""

    rule: Rule
    message: str
    hits: list[tuple[Facts, Hit]]


def findings(
    environments: Sequence[Facts],
    checks: Iterable[Check],
    locate: Callable[[Iterable[Place]], Mapping[Place, Span]],
) -> tuple[Finding, ...]:
    """Every finding of these checks that the settings ask for, in order of file and line."""
    said: dict[tuple[object, ...], _Said] = {}
    settings = environments[0].settings
    for check in checks:
        if not _selected(check.rule, settings):
            continue
        one = rule(check.rule)
        for facts, hit in _hits(environments, check):
            if _severity(one, hit, settings) == "off":
                continue
            message = words(one.message, hit.variant, hit.values)
            key = (one.id, hit.place.real, hit.line, hit.column, hit.field, message)
            said.setdefault(key, _Said(one, message, [])).hits.append((facts, hit))
    spans = locate(place for one in said.values() for place in _places(one))
    names = [facts.environment for facts in environments] if len(environments) > 1 else []
    found = [_finding(one, settings, names, spans) for one in said.values()]
    found.sort(key=lambda one: (one.file, one.span.line, one.span.column, one.rule.id, one.field, one.message))
    return tuple(found)


def _hits(environments: Sequence[Facts], check: Check) -> Iterator[tuple[Facts, Hit]]:
    # Files are the same in every environment.
    for facts in environments[:1] if check.subject in (File, Unreadable) else environments:
        for subject in facts.subjects(check.subject):
            for hit in check.run(subject, facts):
                if _is_foreign(hit):
                    continue
                if not facts.settings.is_ignored(check.rule, hit.place.real.source, hit.resource):
                    yield facts, hit


def _is_foreign(hit: Hit) -> bool:
    """It is about an object of the cluster that the repository has no part in."""
    if hit.object is None or not hit.object.foreign:
        return False
    snapshot = hit.object.place.source
    return all(one.place.source == snapshot for one in hit.related)


def _selected(rule_id: str, settings: Settings) -> bool:
    return not settings.select or rule_id.startswith(settings.select)


def _severity(one: Rule, hit: Hit, settings: Settings) -> str:
    matching = [prefix for prefix in settings.severity if one.id.startswith(prefix)]
    if matching:
        return settings.severity[max(matching, key=len)]
    if one.severity == "off":
        return "warning" if settings.select else "off"
    return hit.severity or one.severity


def _places(one: _Said) -> Iterator[Place]:
    hit = one.hits[0][1]
    if not hit.line:
        yield hit.place.real
    yield from (related.place.real for related in _related(one))


def _related(one: _Said) -> Iterator[Related]:
    """What the check names, what the object was made of, and the other objects of which it is true."""
    hit = one.hits[0][1]
    yield from hit.related
    yield from _origins(hit)
    for _, other in one.hits[1:]:
        if other.object is not None and hit.object is not None and other.object.namespace != hit.object.namespace:
            made = other.object.place.made
            place = made.via[0] if made is not None and made.via else other.object.place
            yield Related("also for", place, f"namespace {other.object.namespace}")


def _origins(hit: Hit) -> Iterator[Related]:
    """The base of what a patch says, and the overlay that an object comes through."""
    obj = hit.object
    made = obj.place.made if obj is not None else None
    if obj is None or made is None:
        return
    here, base = hit.place.real, obj.place.real
    if (base.source, base.document) != (here.source, here.document) and hit.place.made is made:
        yield Related("base", base, f"{obj.kind} {obj.name} is written here, and changed there")
    if made.via and made.via[0].real.source != here.source:
        yield Related("through", made.via[0], f"{obj.kind} {obj.name} comes in here")
    if hit.place.made is made and here.source == base.source:
        for patch in made.patches[:_SHOWN]:
            if not patch.path and patch.source != here.source:
                yield Related("values", patch, "the values of the release")


def _finding(one: _Said, settings: Settings, names: Sequence[str], spans: Mapping[Place, Span]) -> Finding:
    hit = one.hits[0][1]
    place = hit.place.real
    span = Span(hit.line, hit.column, hit.line, hit.column + 1) if hit.line else spans[place]
    related = [
        RelatedPlace(item.label, item.place.real.source, spans[item.place.real], item.message) for item in _related(one)
    ]
    shown = list(dict.fromkeys(item for item in related if item.label != "also for"))
    others = list(dict.fromkeys(item for item in related if item.label == "also for"))
    notes = hit.notes
    if len(others) > _SHOWN:
        notes = (*notes, Note("and", f"{len(others) - _SHOWN} more namespaces"))
    true_in = {facts.environment for facts, _ in one.hits}
    severities = [_severity(one.rule, hit, settings) for _, hit in one.hits]
    return Finding(
        rule=one.rule,
        severity=min(severities, key=SEVERITIES.index),
        message=one.message,
        label=words(one.rule.label, hit.variant, hit.values),
        help=words(one.rule.help, hit.variant, hit.values),
        file=place.source,
        span=span,
        namespace=hit.object.namespace if hit.object else "",
        object=hit.object,
        field=hit.field,
        related=(*shown, *others[:_SHOWN]),
        notes=notes,
        environments=tuple(name for name in names if name in true_in) if not _is_of_a_file(hit) else (),
        fingerprint=_fingerprint(one.rule, hit),
    )


def _is_of_a_file(hit: Hit) -> bool:
    return bool(hit.line)


def _fingerprint(one: Rule, hit: Hit) -> str:
    from hashlib import sha256

    obj = hit.object
    place = hit.place.real
    identity = (obj.group, obj.kind, obj.namespace, obj.name) if obj else (place.source, str(place.document))
    about = hit.resource or hit.field or hit.values.get("key", "") or hit.values.get("reason", "")
    parts = (one.id, *identity, hit.field, about, hit.values.get("quota", ""), hit.values.get("detail", ""))
    # An object that gives each of several namespaces a quota is in none of them.
    if obj is not None and not obj.namespace and hit.values.get("namespace"):
        parts += (hit.values["namespace"],)
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]
