"""The type of an evaluator: how objects of one kind are charged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from quotalint.kube.resource_list import ResourceList
from quotalint.kube.scopes import Requirement
from quotalint.named_tuples import NamedTuple

Missing = Mapping[str, tuple[str, ...]]
"""The containers that do not specify a resource, by resource."""


class Evaluator(NamedTuple):
    """How objects of one kind are charged (quota.Evaluator in Kubernetes)."""

    tracks: Callable[[str], bool]
    """Whether objects of this kind are charged to a name of `hard`."""
    scopes: frozenset[str]
    """The scopes that an object of this kind can match."""
    usage: Callable[[Any], ResourceList]
    """The charge of one object."""
    in_scope: Callable[[Any, Requirement], bool]
    """Whether an object satisfies one requirement of a quota."""
    missing: Callable[[Any, frozenset[str]], Missing]
    """The resources that a quota with these names requires and the object does not specify."""


def matches_no_scope(item: object, requirement: Requirement) -> bool:
    """False, for kinds that match no scope (generic.MatchesNoScopeFunc)."""
    return False


def nothing_missing(item: object, names: frozenset[str]) -> Missing:
    """Nothing, for kinds that need not specify any resource."""
    return {}
