"""Whether anything ever counts an entry of `hard`."""

from __future__ import annotations

from quotalint.evaluators import EVALUATORS
from quotalint.evaluators.counts import ALIASES
from quotalint.kube.discovery import KNOWN, MISSING, Discovery, resolve
from quotalint.kube.releases import release
from quotalint.kube.scopes import Requirement

_COUNTED = frozenset(ALIASES.values())


def tracking_state(name: str, known: Discovery) -> str:
    """KNOWN, MISSING or UNKNOWN: whether an evaluator of this cluster charges objects to a name of `hard`.

    Source: apiserver/pkg/quota/v1/resources.go (CalculateUsage): an entry that no evaluator matches never gets a
    `status.used`, and without one nothing is ever compared with it.
    """
    if not release(known.kube_version).counts_entry(name):
        return MISSING
    if name in _COUNTED or any(evaluator.tracks(name) for evaluator in EVALUATORS.values()):
        return KNOWN
    prefix, slash, counted = name.partition("/")
    return resolve(known, counted) if slash and prefix == "count" else MISSING


def matchable_scopes(name: str) -> frozenset[str]:
    """The scopes that the objects charged to a name can match at all."""
    scopes = [evaluator.scopes for evaluator in EVALUATORS.values() if evaluator.tracks(name)]
    return frozenset().union(*scopes)


def can_count(name: str, requirements: tuple[Requirement, ...]) -> bool:
    """Whether an object charged to this name can satisfy the kind of every requirement."""
    if not requirements:
        return True
    matchable = matchable_scopes(name)
    return all(requirement.scope in matchable for requirement in requirements)
