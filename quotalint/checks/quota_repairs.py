"""Fixes for quotas: names, scopes, operators, and amounts that are too small."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.accounts.facts import Facts
from quotalint.fixes.fix import Add, Drop, Edit, Fix, Rename, Replace
from quotalint.kube import quantity
from quotalint.kube.amounts import amount, is_placeholder
from quotalint.kube.fields import dig, mapping
from quotalint.kube.quantity import Quantity
from quotalint.kube.scopes import EXISTS_ONLY, OPERATORS, Requirement
from quotalint.kube.spelling import certain_name, certain_scope
from quotalint.quota.quotas import Quota
from quotalint.text.place import Path
from quotalint.text.words import join_with_and

FOREIGN = "it is an object of the cluster, not of the repository"
MOST_COMPARED = 200
"""The most entries that are compared with a renamed one."""


def rename_entry(quota: Quota, name: str, facts: Facts) -> Fix | None:
    """A fix that renames an entry of `hard`; None unless the right name is certain."""
    hard = mapping(quota.spec.get("hard"))
    discovery = facts.cluster.discovery
    meant = certain_name(name, discovery)
    if meant is None or quota.way(name)[-1] != name:
        return None
    rename = Fix((Rename(quota.entry(name), meant),), safe=True, words=f"write {meant} in place of {name}")
    if quota.object.foreign:
        return rename._replace(obstacle=FOREIGN)
    if len(hard) > MOST_COMPARED:
        return rename._replace(obstacle=f"another of its {len(hard)} entries may mean the same")
    own_amount = amount(hard.get(name))
    rivals = (
        [meant]
        if meant in hard
        else [
            name_in_hard
            for name_in_hard in hard
            if name_in_hard != name and certain_name(name_in_hard, discovery) == meant
        ]
    )
    for rival in rivals:
        other = amount(hard[rival])
        if not (isinstance(own_amount, Quantity) and isinstance(other, Quantity) and own_amount.nano == other.nano):
            return rename._replace(obstacle=f"{rival} is there as well, with another value")
    remaining_name = (
        meant
        if rivals == [meant]
        else next(name_in_hard for name_in_hard in hard if name_in_hard == name or name_in_hard in rivals)
    )
    if remaining_name != name:
        drop = Drop(quota.entry(name), hard[name])
        return Fix((drop,), safe=True, words=f"remove {name}: {remaining_name} is there, with the same value")
    return rename


def correct_scope(quota: Quota, path: Path, written: str, scopes: frozenset[str]) -> Fix | None:
    """A scope with the capitals of Kubernetes."""
    meant = certain_scope(written, scopes)
    if meant is None:
        return None
    words = f"write {meant} in place of {written}"
    return _unless_foreign(quota, Fix((Replace(quota.object.at(*path), written, meant),), safe=True, words=words))


def correct_operator(quota: Quota, requirement: Requirement) -> Fix | None:
    """The operator that was certainly meant. DoesNotExist and NotIn mean the opposite, and values may be meant: these
    are not fixed."""
    written = requirement.operator
    folded = next(
        (operator_name for operator_name in OPERATORS if operator_name.lower() == written.strip().lower()), None
    )
    body = quota.object.body
    values = dig(body, *requirement.path, "values")
    only_exists = requirement.scope in EXISTS_ONLY
    if is_placeholder(written):
        return None
    if only_exists and (folded == "Exists" or (folded in (None, "In") and not values)):
        meant = "Exists"
    elif not only_exists and folded is not None and folded != written:
        meant = folded
    else:
        return None
    place = quota.object.at(*requirement.path)
    present = mapping(dig(body, *requirement.path))
    edits: list[Edit] = [Add(place, "operator", meant, "scopeName")]
    if "operator" in present:
        edits = [Replace(place.at("operator"), present["operator"], meant)]
    if only_exists and "values" in present:
        edits.append(Drop(place.at("values"), present["values"]))
    return _unless_foreign(quota, Fix(tuple(edits), safe=True, words=f"write `operator: {meant}`"))


def drop_values(quota: Quota, requirement: Requirement) -> Fix:
    """A fix that removes values from an operator that takes none. For a class they may be intended and the operator
    wrong."""
    place = quota.object.at(*requirement.path, "values")
    drop = Drop(place, dig(quota.object.body, *requirement.path, "values"))
    words = f"remove `values`, which {requirement.operator} does not take"
    return _unless_foreign(quota, Fix((drop,), safe=requirement.scope in EXISTS_ONLY, words=words))


def raise_entries(quota: Quota, needed: Mapping[str, Quantity]) -> Fix:
    """A fix that raises entries of `hard` to the needed amounts."""
    before = {name: dig(quota.object.body, *quota.way(name)) for name in needed}
    edits = tuple(
        Replace(quota.entry(name), before[name], quantity.show(value), value.nano) for name, value in needed.items()
    )
    words = "raise " + join_with_and([f"{name} to {quantity.show(value)}" for name, value in needed.items()])
    # Rancher's annotation has all amounts in one text.
    inside = [
        name
        for name, written in before.items()
        if not isinstance(parsed := amount(written), Quantity) or parsed.nano != quota.hard[name].nano
    ]
    obstacle = f"{inside[0]} is not written there by itself" if inside else ""
    return _unless_foreign(quota, Fix(edits, safe=False, words=words, obstacle=obstacle))


def _unless_foreign(quota: Quota, fix: Fix) -> Fix:
    return fix._replace(obstacle=FOREIGN) if quota.object.foreign else fix
