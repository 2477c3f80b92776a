"""Which resources a patch or replacement is for (api/types/selector.go, resWrangler.Select)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from quotalint.gitops.kustomize.resources import Kind, Resource
from quotalint.kube.fields import Body, mapping, text

# What a hostile pattern needs to take for ever: a repetition of a repetition, or many of them.
_NESTED = re.compile(r"\([^()]*[*+{][^()]*\)\s*[*+{]")
_MANY = 4
_LABEL = re.compile(r"^\s*(!?)\s*([^\s=!,()]+)\s*(?:(==|=|!=|\s(?:not)?in\s)\s*(.*?))?\s*$")


class SelectorError(Exception):
    """A selector that Kustomize refuses, or that is not tried for its cost."""


def selected(resources: Sequence[Resource], target: Body) -> list[Resource]:
    """The resources that a `target` selects. Raises SelectorError."""
    return [one for one in resources if selects(target, one)]


def selects(target: Body, one: Resource) -> bool:
    """Whether a `target` selects a resource, by its original or its present name. Raises SelectorError."""
    namespaces = {_shown(one.original.effective), _shown(one.id.effective)}
    names = {one.original.name, one.id.name}
    kind = Kind(*(text(target.get(field)) for field in ("group", "version", "kind")))
    return (
        _any(text(target.get("namespace")), namespaces)
        and _any(text(target.get("name")), names)
        and all(_any(wanted, {have}) for wanted, have in zip(kind, one.id.kind, strict=True))
        and labels_match(text(target.get("labelSelector")), mapping(one.metadata.get("labels")))
        and labels_match(text(target.get("annotationSelector")), mapping(one.metadata.get("annotations")))
    )


def _shown(namespace: str) -> str:
    return "_non_namespaceable_" if namespace == "\0" else namespace


def _any(written: str, values: Iterable[str]) -> bool:
    return not written or any(pattern(written).search(value) for value in values)


@cache
def pattern(written: str) -> re.Pattern[str]:
    """A regular expression of a selector, for the whole text. Raises SelectorError."""
    if _NESTED.search(written) or len(re.findall(r"[*+{]", written)) > _MANY:
        raise SelectorError(f"the pattern `{written}` is too expensive to try")
    try:
        return re.compile(f"^(?:{written})$")
    except (re.error, OverflowError, RecursionError):
        raise SelectorError(f"`{written}` is not a regular expression") from None


def labels_match(selector: str, labels: Body) -> bool:
    """Whether labels (or annotations) satisfy a selector such as `app=web,tier in (a, b),!legacy`."""
    if not selector.strip():
        return True
    return all(_holds(part, labels) for part in re.split(r",(?![^(]*\))", selector))


def _holds(requirement: str, labels: Body) -> bool:
    found = _LABEL.match(requirement)
    if found is None:
        raise SelectorError(f"`{requirement}` is not a label selector")
    negated, key, operator, rest = found.groups()
    value = text(labels[key]) if key in labels else None
    if operator is None:
        return (value is None) if negated else value is not None
    operator = operator.strip()
    if operator in ("=", "=="):
        return value == rest
    if operator == "!=":
        return value != rest
    members = {item.strip() for item in rest.strip("()").split(",")}
    return (value in members) if operator == "in" else value not in members
