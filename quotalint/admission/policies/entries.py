"""Which entries of a quota a change of an object concerns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.kube.fields import mapping, sequence
from quotalint.text.lazy_patterns import lazy_pattern

EVERY_ENTRY = frozenset({""})
"""The empty name stands for all entries: the number of pods changes."""
_FIELDS = ("requests", "limits")
_ORDINARY = ("cpu", "memory", "ephemeral-storage")
# A field that is set in JSON or CEL (`requests: …`, `"+(limits)": …`).
_SET = lazy_pattern(r"(?<![./\w])(resources|requests|limits|replicas)\)?[\"']?\s*:")
_POINTER = lazy_pattern(r"/(resources|requests|limits|replicas)\b")
_RESOURCE = lazy_pattern(
    r"(?<![\w.-])(cpu|memory|ephemeral-storage|hugepages-\w+|[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/|~1)[\w.-]+)(?![\w-])"
)


def entries_of(field: str, resources: Iterable[object]) -> Iterator[str]:
    """The entries that requests or limits of these resources concern; a limit is the request where none is written."""
    for resource in resources:
        yield from (str(resource), f"requests.{resource}")
        if field == "limits":
            yield f"limits.{resource}"


def entries_set_by(text: str) -> frozenset[str]:
    """The entries that a patch may change, by the words in it; none if it sets neither amounts nor replicas."""
    fields = {*_SET.findall(text), *_POINTER.findall(text)}
    if not fields or "replicas" in fields:
        return EVERY_ENTRY if fields else frozenset()
    names = [name.replace("~1", "/") for name in _RESOURCE.findall(text)] or _ORDINARY
    return frozenset(entries_of("requests" if "requests" in fields and "limits" not in fields else "limits", names))


def changed_entries(before: object, after: object) -> frozenset[str]:
    """The entries that depend on what differs between two versions of an object."""
    return frozenset(_differences(before, after))


def _differences(before: object, after: object) -> Iterator[str]:
    if isinstance(before, list) or isinstance(after, list):
        old, new = sequence(before), sequence(after)
        for index in range(max(len(old), len(new))):
            yield from _differences(*(items[index] if index < len(items) else None for items in (old, new)))
        return
    old_fields, new_fields = mapping(before), mapping(after)
    for key in {**old_fields, **new_fields}:
        old_value, new_value = old_fields.get(key), new_fields.get(key)
        if old_value == new_value:
            continue
        if key in _FIELDS:
            amounts, others = mapping(old_value), mapping(new_value)
            names = {**amounts, **others}
            yield from entries_of(key, (name for name in names if amounts.get(name) != others.get(name)))
        elif key == "replicas":
            yield ""
        else:
            yield from _differences(old_value, new_value)
