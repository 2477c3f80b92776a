"""Check of containers' amounts that are a thousand times those of the other containers in the file, or a thousandth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, Related, check
from quotalint.checks.implausible import amount_hit, beyond_its_pair, is_of_tests
from quotalint.kube.amounts import amount
from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.objects import Object
from quotalint.kube.plausibility import NEIGHBOURS, Absurd, absurd_amount, among_containers, is_extreme
from quotalint.kube.pod_resources import StatedResources, stated_resources
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled_each
from quotalint.settings import Workload
from quotalint.text.place import Path, Place
from quotalint.workloads import makes_pods

_AGREE = 20  # a request and a limit that are no farther apart were thought of together

_OTHER_HALF = {"requests": "limits", "limits": "requests"}


class Amount(NamedTuple):
    """What a container asks for, of one resource."""

    owner: Object
    stated: StatedResources
    side: str
    resource: str
    written: object
    path: Path
    value: int
    """In units of 10^-9."""
    place: Place
    """Where it is written."""


_AmountsByFile = dict[tuple[str, str, str], dict[tuple[int, Path], "Amount | None"]]


@check("QL603", Facts)
def container_out_of_line(facts: Facts, _: Facts) -> Iterator[Hit]:
    """Files and neighbours are looked for only where an amount is extreme by itself: hardly any is."""
    workloads = facts.settings.workloads
    of_no_namespace = tuple(obj for obj in facts.cluster.objects if not obj.namespace)
    groups = (*facts.cluster.by_namespace.values(), of_no_namespace)
    extreme = recalled_each(
        ("extremes", facts.environment), groups, (workloads,), partial(extreme_amounts, workloads=workloads)
    )
    sources = {place.source for places in extreme for place in places}
    if not sources:
        return
    # What a kustomization or a chart makes may have an amount of any file.
    near = [obj for obj in facts.cluster.objects if obj.place.made is not None or obj.place.source in sources]
    pods = [obj for obj in near if makes_pods(obj, workloads) and not obj.foreign]
    pods = [obj for obj in pods if not is_of_tests(obj)]
    amounts = [*chain.from_iterable(recalled_each(("amounts", facts.environment), pods, (), _stated_amounts))]
    by_file = _amounts_by_file(amounts)
    for own in amounts:
        if not is_extreme(own.side, own.resource, own.value) or _is_said_already(own) or _only_waits(own):
            continue
        others = _neighbouring_amounts(own, by_file)
        why = among_containers(
            (own.side, own.resource),
            own.written,
            [neighbour.value for neighbour in others],
            meant_so=_is_meant(own, others),
        )
        if why is not None:
            yield _neighbour_hit(own, why, others)


def extreme_amounts(objects: Iterable[Object], workloads: Mapping[str, Workload]) -> list[Place]:
    """Where these state amounts that are extreme by themselves."""
    of_containers = ((obj, stated) for obj in objects if makes_pods(obj, workloads) for stated in stated_resources(obj))
    return [
        obj.at(*stated.at(side, resource)).real
        for obj, stated in of_containers
        for side, resource, written in stated.amounts()
        if isinstance(value := amount(written), Quantity) and value.nano > 0 and is_extreme(side, resource, value.nano)
    ]


def _stated_amounts(obj: Object) -> tuple[Amount, ...]:
    return tuple(
        Amount(obj, stated, side, resource, written, path, value.nano, obj.at(*path).real)
        for stated in stated_resources(obj)
        for side, resource, written in stated.amounts()
        for path in (stated.at(side, resource),)
        if isinstance(value := amount(written), Quantity) and value.nano > 0
    )


def _amounts_by_file(amounts: Iterable[Amount]) -> _AmountsByFile:
    """The amounts of each file, side and resource by where they are written; None where a template makes now this and
    now that of one line, which is no neighbour of itself, and speaks for nothing."""
    by_file: _AmountsByFile = {}
    for stated in amounts:
        at = stated.place.document, stated.place.path
        first = by_file.setdefault(_file_key(stated), {}).setdefault(at, stated)
        if first is not None and first.value != stated.value:
            by_file[_file_key(stated)][at] = None
    return by_file


def _file_key(stated: Amount) -> tuple[str, str, str]:
    return stated.side, stated.resource, stated.place.source


def _neighbouring_amounts(own: Amount, by_file: _AmountsByFile) -> list[Amount]:
    """The same of the other containers that are written in the file, sorted."""
    by_place, mine = by_file[_file_key(own)], (own.place.document, own.place.path)
    if by_place[mine] is None:
        return []
    others = [stated for at, stated in by_place.items() if stated is not None and at != mine]
    return sorted(others, key=lambda neighbour: neighbour.value)


def _is_meant(own: Amount, others: Iterable[Amount]) -> bool:
    """Whether the container's other half is about as large, or the others are helpers beside it in its own pod."""
    half = amount(mapping(own.stated.resources.get(_OTHER_HALF[own.side])).get(own.resource))
    if isinstance(half, Quantity) and own.value <= half.nano * _AGREE and half.nano <= own.value * _AGREE:
        return True
    return sum(neighbour.owner is not own.owner for neighbour in others) < NEIGHBOURS


def _is_said_already(own: Amount) -> bool:
    flat = {f"{side}.{name}": written for side, name, written in own.stated.amounts()}
    name = f"{own.side}.{own.resource}"
    return (
        absurd_amount(own.resource, own.written, flat) is not None
        or beyond_its_pair(name, own.written, flat) is not None
    )


def _only_waits(own: Amount) -> bool:
    """Whether it is a container that does nothing, which needs next to nothing."""
    return "pause" in text(mapping(dig(own.owner.body, *own.stated.path[:-1])).get("image"))


def _neighbour_hit(own: Amount, why: Absurd, others: list[Amount]) -> Hit:
    usual = others[len(others) // 2]
    where = f"container {own.stated.container} of {own.owner.kind} {own.owner.name}"
    hit = amount_hit(own.owner, own.path, f"{own.side}.{own.resource}", where, own.written, why)
    there = f"{own.side}.{own.resource} {text(usual.written)} of container {usual.stated.container}"
    related = Related("compare", usual.owner.at(*usual.path), f"{there} of {usual.owner.kind} {usual.owner.name}")
    values = {**hit.values, "others": str(len(others)), "usual": text(usual.written)}
    return hit._replace(values=values, variant="beside", related=(related,))
