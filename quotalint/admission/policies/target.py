"""What a policy sees of a request, and answers that may be unknown: None means that nothing in view decides."""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, mapping, sequence
from quotalint.kube.label_selectors import NAMESPACE_NAME, selector_keys, selects
from quotalint.named_tuples import NamedTuple


class Target(NamedTuple):
    """An object as the request that creates it has it."""

    group: str
    version: str
    kind: str
    namespace: str
    name: str
    """The name, or what it is generated from."""
    body: Body
    namespace_labels: Body | None
    """None if no Namespace of this name is in view."""

    @property
    def labels(self) -> Body:
        return mapping(mapping(self.body.get("metadata")).get("labels"))

    @property
    def annotations(self) -> Body:
        return mapping(mapping(self.body.get("metadata")).get("annotations"))


class Change(NamedTuple):
    """What a policy does to an object."""

    entries: frozenset[str]
    """The names of the entries of `hard` whose use it may change; the empty name stands for all."""
    body: Body | None = None
    """The object afterwards; None if what it sets is not known here."""


def all_of(answers: Iterable[bool | None]) -> bool | None:
    """False if any is false, else None if any is unknown, else True."""
    known: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        known = known and answer
    return known


def any_of(answers: Iterable[bool | None]) -> bool | None:
    """True if any is true, else None if any is unknown, else False."""
    known: bool | None = False
    for answer in answers:
        if answer:
            return True
        known = None if answer is None else known
    return known


def negated(answer: bool | None) -> bool | None:
    """The opposite of an answer."""
    return None if answer is None else not answer


def matches_wildcard(pattern: str, text: str) -> bool:
    """Whether a text matches a pattern with `*` and `?`, in linear space and without regular expressions."""
    at = start = mark = 0
    star = -1
    while at < len(text):
        if start < len(pattern) and pattern[start] == "*":
            star, mark, start = start, at, start + 1
        elif start < len(pattern) and pattern[start] in ("?", text[at]):
            at, start = at + 1, start + 1
        elif star >= 0:
            mark += 1
            at, start = mark, star + 1
        else:
            return False
    return pattern[start:].strip("*") == ""


def is_selected(selector: object, labels: Body) -> bool | None:
    """Whether an object with these labels is selected; a missing selector selects all."""
    if selector is None:
        return True
    written = mapping(selector)
    values = [*mapping(written.get("matchLabels")).values()]
    values += [value for part in sequence(written.get("matchExpressions")) for value in mapping(part).values()]
    read = (labels.get(key) for key in selector_keys(selector))
    return None if any(map(is_placeholder, (*values, *read))) else selects(selector, labels)


def is_namespace_selected(selector: object, target: Target) -> bool | None:
    """Whether the namespace of an object is selected by its labels."""
    if selector is None:
        return True
    if target.namespace_labels is None and selector_keys(selector) - {NAMESPACE_NAME}:
        return None
    return is_selected(selector, {**(target.namespace_labels or {}), NAMESPACE_NAME: target.namespace})
