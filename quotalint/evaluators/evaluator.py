"""The vocabulary of the quota engine: what it must know of a kind to charge it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from quotalint.kube.resource_list import ResourceList
from quotalint.kube.scopes import Requirement
from quotalint.named_tuples import NamedTuple

Missing = Mapping[str, tuple[str, ...]]
"""Resource → the containers that do not specify it."""


class Evaluator(NamedTuple):
    """How objects of one kind are charged (quota.Evaluator upstream)."""

    tracks: Callable[[str], bool]
    """Whether objects of this kind are charged to this name of `hard`."""
    scopes: frozenset[str]
    """The scopes that an object of this kind can match."""
    usage: Callable[[Any], ResourceList]
    """What one object is charged."""
    in_scope: Callable[[Any, Requirement], bool]
    """Whether an object satisfies one requirement of a quota."""
    missing: Callable[[Any, frozenset[str]], Missing]
    """What a quota on these names would have the object specify, and it does not."""


def matches_no_scope(item: object, requirement: Requirement) -> bool:
    """For kinds that match no scope at all (generic.MatchesNoScopeFunc)."""
    return False


def nothing_missing(item: object, names: frozenset[str]) -> Missing:
    """For kinds that no quota asks anything of."""
    return {}
