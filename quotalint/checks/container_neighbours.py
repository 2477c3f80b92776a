"""Check of containers' amounts that are at least a thousand times those of the other containers in the file, or a
thousandth."""

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

_AGREE = 20  # the largest ratio of a request and limit that agree

_OTHER_HALF = {"requests": "limits", "limits": "requests"}


class Amount(NamedTuple):
    """One amount that a container states, for one resource."""

    owner: Object
    stated: StatedResources
    side: str
    resource: str
    written: object
    path: Path
    value: int
    """In units of 10^-9."""
    place: Place
    """The place where it is written."""


_AmountsByFile = dict[tuple[str, str, str], dict[tuple[int, Path], "Amount | None"]]


@check("QL603", Facts)
def container_out_of_line(facts: Facts, _: Facts) -> Iterator[Hit]:
    """Compares an amount with other containers only if it is extreme by itself, because hardly any is."""
    workloads = facts.settings.workloads
    of_no_namespace = tuple(obj for obj in facts.cluster.objects if not obj.namespace)
    groups = (*facts.cluster.by_namespace.values(), of_no_namespace)
    extreme = recalled_each(
        ("extremes", facts.environment), groups, (workloads,), partial(extreme_amounts, workloads=workloads)
    )
    sources = {place.source for places in extreme for place in places}
    if not sources:
        return
    # A kustomization or chart may take an amount from any file.
    candidates = [obj for obj in facts.cluster.objects if obj.place.made is not None or obj.place.source in sources]
    pods = [obj for obj in candidates if makes_pods(obj, workloads) and not obj.foreign]
    pods = [obj for obj in pods if not is_of_tests(obj)]
    amounts = [*chain.from_iterable(recalled_each(("amounts", facts.environment), pods, (), _stated_amounts))]
    by_file = _amounts_by_file(amounts)
    for extreme_amount in amounts:
        if (
            not is_extreme(extreme_amount.side, extreme_amount.resource, extreme_amount.value)
            or _is_reported_elsewhere(extreme_amount)
            or _is_pause_container(extreme_amount)
        ):
            continue
        neighbours = _neighbouring_amounts(extreme_amount, by_file)
        reason = among_containers(
            (extreme_amount.side, extreme_amount.resource),
            extreme_amount.written,
            [neighbour.value for neighbour in neighbours],
            meant_so=_is_intended(extreme_amount, neighbours),
        )
        if reason is not None:
            yield _neighbour_hit(extreme_amount, reason, neighbours)


def extreme_amounts(objects: Iterable[Object], workloads: Mapping[str, Workload]) -> list[Place]:
    """The places of extreme amounts in these objects."""
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
    """The amounts of each file, side and resource, by their place. None if a template gives different values for one
    place, so that it cannot be compared."""
    by_file: _AmountsByFile = {}
    for stated in amounts:
        at = stated.place.document, stated.place.path
        first = by_file.setdefault(_file_key(stated), {}).setdefault(at, stated)
        if first is not None and first.value != stated.value:
            by_file[_file_key(stated)][at] = None
    return by_file


def _file_key(stated: Amount) -> tuple[str, str, str]:
    return stated.side, stated.resource, stated.place.source


def _neighbouring_amounts(extreme_amount: Amount, by_file: _AmountsByFile) -> list[Amount]:
    """The amounts of the other containers in the file, for the same side and resource, sorted."""
    by_place, own_place = by_file[_file_key(extreme_amount)], (extreme_amount.place.document, extreme_amount.place.path)
    if by_place[own_place] is None:
        return []
    neighbours = [stated for at, stated in by_place.items() if stated is not None and at != own_place]
    return sorted(neighbours, key=lambda neighbour: neighbour.value)


def _is_intended(own: Amount, others: Iterable[Amount]) -> bool:
    """Whether the amount is intended: its request and limit agree, or all others are containers of the same pod."""
    half = amount(mapping(own.stated.resources.get(_OTHER_HALF[own.side])).get(own.resource))
    if isinstance(half, Quantity) and own.value <= half.nano * _AGREE and half.nano <= own.value * _AGREE:
        return True
    return sum(neighbour.owner is not own.owner for neighbour in others) < NEIGHBOURS


def _is_reported_elsewhere(own: Amount) -> bool:
    flat = {f"{side}.{name}": written for side, name, written in own.stated.amounts()}
    name = f"{own.side}.{own.resource}"
    return (
        absurd_amount(own.resource, own.written, flat) is not None
        or beyond_its_pair(name, own.written, flat) is not None
    )


def _is_pause_container(own: Amount) -> bool:
    """Whether it is a pause container, which needs almost nothing."""
    return "pause" in text(mapping(dig(own.owner.body, *own.stated.path[:-1])).get("image"))


def _neighbour_hit(own: Amount, absurdity: Absurd, others: list[Amount]) -> Hit:
    usual = others[len(others) // 2]
    where = f"container {own.stated.container} of {own.owner.kind} {own.owner.name}"
    hit = amount_hit(own.owner, own.path, f"{own.side}.{own.resource}", where, own.written, absurdity)
    there = f"{own.side}.{own.resource} {text(usual.written)} of container {usual.stated.container}"
    related = Related("compare", usual.owner.at(*usual.path), f"{there} of {usual.owner.kind} {usual.owner.name}")
    values = {**hit.values, "others": str(len(others)), "usual": text(usual.written)}
    return hit._replace(values=values, variant="beside", related=(related,))
