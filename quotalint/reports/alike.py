"""Merges findings with the same cause in several quotas, containers or namespaces into one that names all.

People fix one cause once, so text, Markdown and annotations show it once. Reports for programs keep each finding:
baselines, code scanning and comparisons identify it by its fingerprint, and fix it at its own place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from quotalint.catalogue import Alike, filled_text
from quotalint.results.finding import FOUND_AT, Finding, RelatedPlace, shown_others
from quotalint.text.words import join_with_and

LIMITING = ("limited by", "demanded by")
"""The labels of related places that are limits."""
_LIMITS = {"quotas": "quotas", "quota": "quota", "limit_range": "LimitRange"}
"""The values that name limits, and their nouns."""
_EACH = "_each"  # the end of the name of a list of amounts; equal amounts are shown once, with "each"


def merge_alike(findings: Sequence[Finding]) -> list[Finding]:
    """The findings in their order; similar ones are merged at the place of the worst."""
    return _merge_namespaces(_merge_quotas(findings))


def _merge_quotas(findings: Sequence[Finding]) -> list[Finding]:
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        likeness = _likeness_key(finding)
        if likeness:
            groups.setdefault(likeness, []).append(finding)
    stays = {finding.identity: finding for finding in findings}
    for group in groups.values():
        if len(group) > 1:
            worst = max(group, key=_missing_amount)  # of equals the first
            for finding in group:
                del stays[finding.identity]
            stays[worst.identity] = _merge_group([worst, *(finding for finding in group if finding is not worst)])
    return [stays[finding.identity] for finding in findings if finding.identity in stays]


def _likeness_key(finding: Finding) -> tuple[object, ...]:
    """The key of findings that are merged; empty for a finding that stays separate."""
    alike = finding.rule.alike
    if alike is None or finding.suppressed is not None or any(name not in finding.values for name in alike.by):
        return ()
    # An error in a file is the same wherever it is applied, for example a missing base of two overlays.
    where = () if finding.rule.looks_at == "file" else finding.environments
    common = (*_common_key(finding), finding.namespace, where, bool(finding.guesses))
    return (*common, *(finding.values[name] for name in alike.by))


def _common_key(finding: Finding) -> tuple[object, ...]:
    """The part of the key that every kind of merge has: the same words about any subject."""
    cause, obj = finding.cause, finding.object
    of_itself = cause is not None and obj is not None and cause.subject == f"{obj.kind} {obj.name}"
    # Several new workloads have one reason: they are new.
    why = cause and (None if of_itself else (cause.subject, cause.changes))
    return finding.rule.id, finding.variant, finding.severity, why


def _missing_amount(finding: Finding) -> int:
    return finding.short.nano if finding.short is not None and finding.rule.worse_with else 0


def _merge_group(findings: Sequence[Finding]) -> Finding:
    """The first finding, with texts that cover all of the group."""
    first, alike = findings[0], findings[0].rule.alike
    assert alike is not None
    lists = {
        name: _list_values(name, [_fill_text(text, finding) for finding in findings])
        for name, text in alike.lists.items()
    }
    values = {**first.values, **lists}
    here = (first.file, first.span.line)
    # The list covers findings of the same line; others are named with their places.
    others = [each for each in findings[1:] if not alike.lists or (each.file, each.span.line) != here]
    own = [place for finding in others for place in _own_places(finding, alike, first.related)]
    return first._replace(
        message=filled_text(_texts_for_several(first.rule.message, alike), first.variant, values),
        help=filled_text(_texts_for_several(first.rule.help, alike), first.variant, values),
        related=(*first.related, *dict.fromkeys(own)),
        environments=tuple(dict.fromkeys(name for finding in findings for name in finding.environments)),
        values=values,
    )


def _merge_namespaces(findings: Sequence[Finding]) -> list[Finding]:
    """Merge findings that one line causes in several namespaces, for example if overlays share a base. Each namespace
    may have one limit under a name of its own."""
    position = {finding.identity: number for number, finding in enumerate(findings)}
    groups = sorted(_groups_by_line(findings), key=lambda group: position[group[0].identity])
    return [_with_others(group, "namespace", partial(_other_namespace, group[0])) for group in groups]


def same_elsewhere(finding: Finding, findings: Sequence[Finding]) -> Sequence[Finding]:
    """The findings of other namespaces with the same line as cause."""
    group = next((group for group in _groups_by_line(findings) if any(other is finding for other in group)), ())
    return [other for other in group if other.namespace != finding.namespace]


def _groups_by_line(findings: Sequence[Finding]) -> Iterator[Sequence[Finding]]:
    for group in _groups(findings, _line_key_without_limits):
        in_each = len({finding.namespace for finding in group}) == len(group)
        yield from [group] if in_each else _groups(group, _line_key)


def _groups(
    findings: Sequence[Finding], key_of: Callable[[Finding], tuple[object, ...]]
) -> Iterable[Sequence[Finding]]:
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        alone = not finding.namespace or finding.suppressed is not None
        groups.setdefault((finding.identity,) if alone else key_of(finding), []).append(finding)
    return groups.values()


def _line_key(finding: Finding) -> tuple[object, ...]:
    """The key of findings in several namespaces that one line causes."""
    values = frozenset((name, text) for name, text in finding.values.items() if text != finding.namespace)
    return (*_common_key(finding), finding.file, finding.span, finding.notes, values)


def _line_key_without_limits(finding: Finding) -> tuple[object, ...]:
    """The key without the names of limits."""
    names = [finding.values[name] for name in _LIMITS if name in finding.values]
    if not names:
        return _line_key(finding)
    named = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?![\w.-])")
    values = {name: named.sub("\0", text) for name, text in finding.values.items()}
    notes = tuple(note._replace(text=named.sub("\0", note.text)) for note in finding.notes)
    return _line_key(finding._replace(values=values, notes=notes))


def merge_others(findings: Sequence[Finding]) -> list[Finding]:
    """Merge findings with the same cause in several workloads, objects or copies of a file; the first one names the
    others."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_reason_key(finding) or (finding.identity,), []).append(finding)
    nouns = {"file": "file", "object": "object", "entry": "limit"}
    return [
        _with_others(_telling_first(group), nouns.get(group[0].rule.looks_at, "workload"), _other_subject)
        for group in groups.values()
    ]


def _telling_first(group: Sequence[Finding]) -> Sequence[Finding]:
    """The findings, with the one that states the consequence first: among exceeded entries of a quota, the one that
    refuses pods."""
    telling = next((finding for finding in group if _says_so(finding)), group[0])
    return [telling, *(finding for finding in group if finding is not telling)]


def _says_so(finding: Finding) -> bool:
    return any(note.label == "so" and not note.of_order for note in finding.notes)


def _reason_key(finding: Finding) -> tuple[object, ...]:
    """The key of findings about several subjects that are merged; empty for a finding that stays separate."""
    others = finding.rule.others
    if others is None:
        return ()
    common = (*_common_key(finding), finding.namespace, finding.environments, finding.guesses)
    return (*common, *(finding.values.get(name, "") for name in others.by))


def _with_others(findings: Sequence[Finding], what: str, other_place: Callable[[Finding], RelatedPlace]) -> Finding:
    """The first finding, with the places of the others as so many more of `what`."""
    first, *others = findings
    if not others:
        return first
    shown, beyond = shown_others([other_place(finding) for finding in others], what)
    return first._replace(
        related=(*first.related, *shown),
        notes=(*first.notes, *beyond),
        environments=tuple(dict.fromkeys(name for finding in findings for name in finding.environments)),
    )


def _other_subject(finding: Finding) -> RelatedPlace:
    assert finding.rule.others is not None
    own = next((place for place in finding.related if place.label == FOUND_AT), finding)
    return RelatedPlace("also", own.file, own.span, _fill_text(finding.rule.others.name, finding))


def _other_namespace(first: Finding, finding: Finding) -> RelatedPlace:
    through = next((place for place in finding.related if place.label == "through"), None)
    where = (through.file, through.span) if through is not None else (finding.file, finding.span)
    name = next((name for name in _LIMITS if name in finding.values), "")
    limit = finding.values[name] if name else ""
    by_it = f", by {_LIMITS[name]} {limit}" if name and limit != first.values.get(name) else ""
    return RelatedPlace("also for", *where, f"namespace {finding.namespace}{by_it}")


def _own_places(finding: Finding, alike: Alike, related_places: Sequence[RelatedPlace]) -> Iterator[RelatedPlace]:
    """The limits that only this finding names; without any, its own place."""
    limits = [place for place in finding.related if place.label in LIMITING and place not in related_places]
    yield from limits or [RelatedPlace("also", finding.file, finding.span, _fill_text(alike.also, finding))]


def _texts_for_several(texts: Mapping[str, str], alike: Alike) -> Mapping[str, str]:
    """The texts, with words about one replaced by words about several."""
    changed = dict(texts)
    for name in changed:
        for singular, many in alike.instead.items():
            changed[name] = changed[name].replace(singular, many)
    return changed


def _fill_text(text: str, finding: Finding) -> str:
    return filled_text({"default": text}, "default", finding.values)


def _list_values(name: str, items: Sequence[str]) -> str:
    if name.endswith(_EACH):
        return f"{items[0]} each" if len(set(items)) == 1 else _join_values(items)
    return _join_values(list(dict.fromkeys(items)))


def _join_values(items: Sequence[str]) -> str:
    """`a, b and c`; with semicolons if an item is more than a name."""
    return "; ".join(items) if any(": " in item for item in items) else join_with_and(items)
