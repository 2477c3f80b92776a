"""Checks of projections: does what the repository asks for fit."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.hit import Hit, Note, Related, check
from quotalint.facts import Facts
from quotalint.kube import quantity
from quotalint.kube.objects import Object
from quotalint.quota.projection import AT_LEAST, MISSING, Entry, Projection
from quotalint.quota.refusals import Refusal, refusals
from quotalint.text.place import Place

_SHOWN = 8  # consumers of an entry; the rest is summed up in a line


@check("QL301", Projection)
def quota_exceeded(projection: Projection, facts: Facts) -> Iterator[Hit]:
    if not projection.exceeded or projection.hard is None:
        return
    quota = projection.quota
    refused = [
        refusal
        for refusal in refusals(quota, facts.charges_of(quota))
        if projection.name in refusal.names
    ]
    short = quantity.subtract(projection.used, projection.hard)
    values = {**_values(projection), "short": quantity.show(short)}
    field = f"spec.hard[{projection.name}]"
    yield Hit(
        quota.entry(projection.name),
        values,
        quota.object,
        field,
        variant="at-least" if projection.certainty == AT_LEAST else "default",
        related=tuple(_used_by(projection)),
        notes=(*_so(refused), *_more(projection), *_homeless(projection)),
        resource=projection.name,
    )


@check("QL305", Projection)
def quota_nearly_full(projection: Projection, facts: Facts) -> Iterator[Hit]:
    hard, used = projection.hard, projection.used
    if hard is None or projection.tracked == MISSING or projection.exceeded or hard.nano <= 0:
        return
    if used.nano * 100 <= hard.nano * facts.settings.nearly_full:
        return
    values = {
        **_values(projection),
        "percent": str(_percent(used.nano, hard.nano)),
        "free": quantity.show(quantity.subtract(hard, used)),
        "threshold": str(facts.settings.nearly_full),
    }
    quota = projection.quota
    field = f"spec.hard[{projection.name}]"
    yield Hit(quota.entry(projection.name), values, quota.object, field, resource=projection.name)


def _percent(used: int, hard: int) -> int:
    """Rounded, but full only when nothing is free."""
    rounded = (used * 100 + hard // 2) // hard
    return min(rounded, 99) if used < hard else rounded


def _values(projection: Projection) -> dict[str, str]:
    quota = projection.quota
    return {
        "namespace": quota.namespace,
        "quota": quota.name,
        "resource": projection.name,
        "used": quantity.show(projection.used),
        "hard": quantity.show(projection.hard or quantity.ZERO),
    }


def _used_by(projection: Projection) -> Iterator[Related]:
    for entry in _largest(projection)[:_SHOWN]:
        owner = entry.charge.admitted.demand.owner
        if owner is not None:
            each = quantity.show(entry.charge.each[projection.name])
            kind = entry.charge.admitted.demand.kind
            what = "pods" if kind == "Pod" and entry.number != 1 else kind if kind != "Pod" else "pod"
            sum_ = f"{entry.number} {what} × {each} = {quantity.show(entry.amount)}"
            patched = _patched(owner)
            yield Related("used by", patched or owner.place, f"{owner.kind} {owner.name}: {sum_}")
            if patched is not None:
                yield Related("base", owner.place, f"{owner.kind} {owner.name} is written here, and changed there")


def _patched(owner: Object) -> Place | None:
    """Where a patch says how many pods there are, or what each asks for."""
    here = owner.place.real
    for path in (("spec", "replicas"), ("spec", "template", "spec", "containers", 0, "resources")):
        place = owner.at(*path).real
        if (place.source, place.document) != (here.source, here.document):
            return place
    return None


def _more(projection: Projection) -> Iterator[Note]:
    entries = _largest(projection)[_SHOWN:]
    if entries:
        total = quantity.ZERO
        for entry in entries:
            total = quantity.add(total, entry.amount)
        yield Note("and", f"{len(entries)} more use {quantity.show(total)}")
    nobody = [entry for entry in projection.entries if entry.charge.admitted.demand.owner is None]
    for entry in nobody:
        demand = entry.charge.admitted.demand
        yield Note("and", f"{demand.kind} {demand.name} is in every namespace: {quantity.show(entry.amount)}")


def _homeless(projection: Projection) -> Iterator[Note]:
    """The sum may be of several namespaces: nothing says that these objects share one."""
    quota = projection.quota.object
    owners = [entry.charge.admitted.demand.owner for entry in projection.entries]
    if quota.homeless or any(owner is not None and owner.homeless for owner in owners):
        yield Note(
            "but",
            "some of these name no namespace, so `default` is taken; `namespaces:` in .quotalint.yaml says better",
        )


def _largest(projection: Projection) -> list[Entry]:
    owned = [entry for entry in projection.entries if entry.charge.admitted.demand.owner is not None]
    return sorted(owned, key=lambda entry: -entry.amount.nano)


def _so(refused: list[Refusal]) -> Iterator[Note]:
    for position, refusal in enumerate(refused[:_SHOWN]):
        demand = refusal.charge.admitted.demand
        owner = f"{demand.owner.kind} {demand.owner.name}" if demand.owner else demand.name
        if demand.owner and (demand.kind, demand.name) == (demand.owner.kind, demand.owner.name):
            text = f"{owner} will be refused"
        else:
            what = "pods" if demand.kind == "Pod" else f"{demand.kind}s"
            text = f"{refusal.refused} of {demand.number} {what} of {owner} will be refused"
        if position == 0:
            text += f": {refusal.message}"
        yield Note("so", text)
