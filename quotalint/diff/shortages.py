"""How much of a quota is missing, by what is said of it: whether something that was wrong before is worse now."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.catalogue import rule, words
from quotalint.checks import checks
from quotalint.diff.state import State
from quotalint.findings import Finding
from quotalint.kube import quantity
from quotalint.kube.objects import Ref
from quotalint.kube.quantity import Quantity

EXCEEDED = ("QL301", "QL302", "QL303", "QL304")
"""The rules about demand that a quota has no room for. What they give as `short` is what is missing."""

_Key = tuple[str, Ref, str, str]
Shortages = Mapping[_Key, Quantity]


def shortages(state: State) -> Shortages:
    """What is missing of each entry that is exceeded in a state."""
    found: dict[_Key, Quantity] = {}
    for check in (one for one in checks() if one.rule in EXCEEDED):
        texts = rule(check.rule).message
        for facts in state.environments:
            for subject in facts.subjects(check.subject):
                for hit in check.run(subject, facts):
                    short = quantity.parse(hit.values["short"])
                    if hit.object is not None and isinstance(short, Quantity):
                        said = words(texts, hit.variant, hit.values)
                        found[check.rule, hit.object.ref, hit.field, said] = short
    return found


def shortage(one: Finding, among: Shortages) -> Quantity | None:
    """What is missing according to a finding."""
    return among.get((one.rule.id, one.object.ref, one.field, one.message)) if one.object is not None else None
