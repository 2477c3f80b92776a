"""Checks of quotas and LimitRanges in namespaces that are not declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, check
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig
from quotalint.kube.kinds import LIMITING, declares_namespace, is_built_in
from quotalint.kube.objects import Object

_FEW = 4  # declared namespaces per undeclared one, for the latter to be exceptions
_ENOUGH = 2


@check("QL602", Facts)
def undeclared_namespace(facts: Facts, _: Facts) -> Iterator[Hit]:
    declared = {obj.name for obj in facts.repository.namespaces if obj.name}
    declared |= {obj.name for obj in facts.cluster.outline if obj.foreign and declares_namespace(obj)}
    by_namespace = _limits_by_namespace(facts) if declared else {}
    others = by_namespace.keys() & declared
    undeclared = [name for name in by_namespace if name not in declared and not is_built_in(name)]
    if not (others and undeclared):
        return
    from quotalint.checks.lazy.made_elsewhere import namespaces_elsewhere

    existing_elsewhere = namespaces_elsewhere(facts)
    undeclared = [name for name in undeclared if name not in existing_elsewhere.names]
    is_exception = not existing_elsewhere.others and len(others) >= max(_ENOUGH, _FEW * (len(undeclared) - 1))
    for name in undeclared:
        misspelt = _misspelt_namespace(name, declared, by_namespace)
        if misspelt or is_exception:
            meant = misspelt or _misspelt_namespace(name, declared, {})
            for obj in by_namespace[name]:
                values = {"kind": obj.kind, "name": obj.name, "namespace": name, "meant": meant}
                place = obj.at("metadata", "namespace")
                yield Hit(place, values, obj, "metadata.namespace", "suggested" if meant else "default")


def _limits_by_namespace(facts: Facts) -> dict[str, list[Object]]:
    """The quotas and LimitRanges with a written namespace, by namespace."""
    by_namespace: dict[str, list[Object]] = {}
    for kind in LIMITING:
        for obj in facts.cluster.of(*kind):
            says = dig(obj.body, "metadata", "namespace") == obj.namespace != ""
            if says and not (obj.foreign or is_placeholder(obj.namespace)):
                by_namespace.setdefault(obj.namespace, []).append(obj)
    return by_namespace


def _misspelt_namespace(name: str, declared: Set[str], by_namespace: Mapping[str, list[Object]]) -> str:
    """The declared namespace with a similar spelling and without its own quota or LimitRange; empty unless there is
    exactly one."""
    from quotalint.kube.spelling import is_typing_error

    kinds = {obj.kind for obj in by_namespace.get(name, ())}
    similar = [
        candidate
        for candidate in sorted(declared)
        if is_typing_error(name, candidate) and not kinds & {obj.kind for obj in by_namespace.get(candidate, ())}
    ]
    return similar[0] if len(similar) == 1 else ""
