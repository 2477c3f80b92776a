"""ResourceQuota objects → quotas with exact amounts and requirements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quotalint.kube.amounts import Unknown, amounts
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.kube.scopes import Requirement
from quotalint.text.place import Path, Place

_SPEC: Path = ("spec",)


class Quota(NamedTuple):
    """A ResourceQuota as the API server stores it, or another object that limits what namespaces use."""

    object: Object
    namespaces: tuple[str, ...]
    """Whose usage is added up."""
    path: Path
    """Where in the object `hard` and the scopes stand."""
    hard: Mapping[str, Quantity]
    requirements: tuple[Requirement, ...]
    """Scopes and scope selector alike; all must hold."""
    unknowns: tuple[Unknown, ...]
    """Entries of `hard` whose amount is not known here."""

    @property
    def name(self) -> str:
        return self.object.name

    @property
    def namespace(self) -> str:
        return self.object.namespace

    @property
    def spec(self) -> Body:
        """What is written there."""
        return mapping(dig(self.object.body, *self.path))

    @property
    def place(self) -> Place:
        """Where the quota begins: the object, or the part of one that holds several."""
        return self.object.place if self.path == _SPEC else self.object.at(*self.path)

    def entry(self, name: str) -> Place:
        """The place of an entry of `hard`."""
        return self.object.at(*self.path, "hard", name)


def quota(obj: Object, namespaces: tuple[str, ...] | None = None, path: Path = _SPEC) -> Quota:
    """The quota that an object describes, of its own namespace unless others are given. What is malformed is left out:
    validation reports it."""
    unknowns: list[Unknown] = []
    spec = mapping(dig(obj.body, *path))
    hard = amounts(spec.get("hard"), (*path, "hard"), unknowns)
    requirements = (*_scopes(spec, path), *_selector(spec, path))
    return Quota(obj, (obj.namespace,) if namespaces is None else namespaces, path, hard, requirements, tuple(unknowns))


def _scopes(spec: Body, path: Path) -> tuple[Requirement, ...]:
    # A scope means the same as a selector with Exists (generic/evaluator.go, getScopeSelectorsFromQuota).
    return tuple(
        Requirement(text(scope), "Exists", (), (*path, "scopes", index))
        for index, scope in enumerate(sequence(spec.get("scopes")))
    )


def _selector(spec: Body, within: Path) -> tuple[Requirement, ...]:
    found = []
    for index, written in enumerate(sequence(mapping(spec.get("scopeSelector")).get("matchExpressions"))):
        expression = mapping(written)
        values = tuple(map(text, sequence(expression.get("values"))))
        path = (*within, "scopeSelector", "matchExpressions", index)
        found.append(Requirement(text(expression.get("scopeName")), text(expression.get("operator")), values, path))
    return tuple(found)
