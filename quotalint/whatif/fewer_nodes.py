"""Another number of nodes: for DaemonSets, and for what the cluster has."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from quotalint.kube import quantity
from quotalint.kube.amounts import amount
from quotalint.kube.quantity import Quantity
from quotalint.settings import Capacity, Nodes, Settings
from quotalint.whatif.wishes import NODES, Unclear, Wish


def with_nodes(settings: Settings, wish: Wish) -> Settings | Unclear:
    """The settings with another number of nodes. All nodes count as equally large, so that capacity goes with it."""
    if wish.kind == NODES:
        return _each(settings, wish.number)
    default = settings.nodes.default
    if default is None:
        return Unclear(f"{wish.text}: how many nodes are there? Say so with --nodes N, or `nodes:` in .quotalint.yaml")
    if wish.number > default:
        return Unclear(f"{wish.text}: there are only {default} nodes")
    return _each(settings, default - wish.number)


def _each(settings: Settings, number: int) -> Settings:
    before = settings.nodes.default
    particulars = {
        name: particular._replace(
            nodes=None if particular.nodes is None else particular.nodes._replace(default=number),
            capacity=None
            if particular.capacity is None
            else _scale_capacity(particular.capacity, particular.nodes or settings.nodes, number),
        )
        for name, particular in settings.particulars.items()
    }
    return settings._replace(
        nodes=settings.nodes._replace(default=number),
        capacity=_scale_capacity(settings.capacity, settings.nodes, number) if before else settings.capacity,
        particulars=MappingProxyType(particulars),
    )


def _scale_capacity(capacity: Capacity, nodes: Nodes, number: int) -> Capacity:
    if not nodes.default:
        return capacity
    before = nodes.default
    return capacity._replace(amounts=MappingProxyType(_shares(capacity.amounts, number, before)))


def _shares(amounts: Mapping[str, str], number: int, of: int) -> dict[str, str]:
    """What so many of the nodes have, rounded down."""
    shares = {}
    for name, written in amounts.items():
        parsed = amount(written)
        if isinstance(parsed, Quantity):
            shares[name] = quantity.show(Quantity(parsed.nano * number // of, parsed.format))
    return shares
