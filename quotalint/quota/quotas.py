"""ResourceQuota objects → quotas with exact amounts and requirements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quotalint.kube.amounts import Unknown, amounts
from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.kube.scopes import Requirement
from quotalint.text.place import Place


class Quota(NamedTuple):
    """A ResourceQuota as the API server stores it."""

    object: Object
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

    def entry(self, name: str) -> Place:
        """The place of an entry of `hard`."""
        return self.object.at("spec", "hard", name)


def quota(obj: Object) -> Quota:
    """The quota that a ResourceQuota object describes. What is malformed is left out: validation reports it."""
    unknowns: list[Unknown] = []
    hard = amounts(obj.spec.get("hard"), ("spec", "hard"), unknowns)
    return Quota(obj, hard, (*_scopes(obj), *_selector(obj)), tuple(unknowns))


def _scopes(obj: Object) -> tuple[Requirement, ...]:
    # A scope means the same as a selector with Exists (generic/evaluator.go, getScopeSelectorsFromQuota).
    return tuple(
        Requirement(text(scope), "Exists", (), ("spec", "scopes", index))
        for index, scope in enumerate(sequence(obj.spec.get("scopes")))
    )


def _selector(obj: Object) -> tuple[Requirement, ...]:
    found = []
    for index, written in enumerate(sequence(mapping(obj.spec.get("scopeSelector")).get("matchExpressions"))):
        expression = mapping(written)
        values = tuple(map(text, sequence(expression.get("values"))))
        path = ("spec", "scopeSelector", "matchExpressions", index)
        found.append(Requirement(text(expression.get("scopeName")), text(expression.get("operator")), values, path))
    return tuple(found)
