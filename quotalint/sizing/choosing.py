"""Where there are sizes, one of them is chosen, and no amounts of its own."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from quotalint.facts import Facts
from quotalint.fixes.fix import Replace
from quotalint.kube.quantity import Quantity
from quotalint.quota.projection import EXACT
from quotalint.quota.quotas import Quota
from quotalint.sizing.amounts import Headroom
from quotalint.sizing.entries import Anchor, entry_place
from quotalint.sizing.proposed import EntryProposal, QuotaProposal
from quotalint.sizing.shirts import Component, Size, component_of, smallest
from quotalint.text.place import Place


def with_sizes(
    quotas: Sequence[QuotaProposal],
    configured: Sequence[Size],
    components: Mapping[str, Sequence[Size]],
    headroom: Headroom,
    facts: Facts,
) -> Iterator[QuotaProposal]:
    """The same, with the least size that is enough for each quota that has one, and for each new one."""
    chosen = {id(one): component for one in quotas if (component := component_of(one.quota, components, facts))}
    together: dict[Place, list[QuotaProposal]] = {}
    for one in quotas:
        if id(one) in chosen:
            together.setdefault(chosen[id(one)].place, []).append(one)
    for one in quotas:
        component = chosen.get(id(one))
        if component is not None:
            yield _with_component(one, component, together[component.place], headroom)
        elif configured and (one.new or _size_now(one, configured) is not None):
            yield _with_size(one, configured, [one], _size_now(one, configured), headroom)
        else:
            yield one


def anchored(components: Mapping[str, Sequence[Size]], facts: Facts) -> Anchor:
    """Where quotas get their amounts: where these are written, or where a size is chosen for all who go by it."""
    known: dict[int, Component | None] = {}

    def anchor(quota: Quota, name: str) -> Place:
        if id(quota) not in known:
            known[id(quota)] = component_of(quota, components, facts)
        component = known[id(quota)]
        return entry_place(quota, name) if component is None else component.place.at(name)

    return anchor


def _with_component(
    one: QuotaProposal, component: Component, sharing: Sequence[QuotaProposal], headroom: Headroom
) -> QuotaProposal:
    now = next(size for size in component.sizes if size.name == component.size)
    sized = _with_size(one, component.sizes, sharing, now, headroom)
    if sized.size in ("", now.name):
        # What other namespaces share is not to be changed for this one.
        return sized._replace(entries=tuple(map(_kept, sized.entries)), size=now.name)
    folder = posixpath.dirname(component.written.rstrip("/"))
    return sized._replace(instead=Replace(component.place, component.written, posixpath.join(folder, sized.size)))


def _with_size(
    one: QuotaProposal, sizes: Sequence[Size], sharing: Sequence[QuotaProposal], now: Size | None, headroom: Headroom
) -> QuotaProposal:
    """With the least size that is enough for all that share the choice."""
    needed: dict[str, Quantity] = {}
    sure = True
    for each in sharing:
        for entry in each.entries:
            sure = sure and entry.certainty == EXACT
            if entry.needed is not None:
                least = headroom.above(entry.needed)
                if entry.name not in needed or least.nano > needed[entry.name].nano:
                    needed[entry.name] = least
    if not needed:
        return one
    size = smallest(sizes, needed)
    if size is None:
        return one._replace(notes=(*one.notes, f"no size is large enough: {sizes[-1].name} is the largest"))
    if now is not None and (size.name == now.name or (not sure and sizes.index(size) < sizes.index(now))):
        entries = tuple(_kept(entry) for entry in one.entries)
        return one._replace(entries=entries, size=now.name)
    return one._replace(entries=tuple(_of_size(one, size)), size=size.name)


def _kept(entry: EntryProposal) -> EntryProposal:
    return entry._replace(after=None) if entry.before is not None else entry


def _of_size(one: QuotaProposal, size: Size) -> Iterator[EntryProposal]:
    known = {entry.name: entry for entry in one.entries}
    for name, hard in sorted(size.hard.items()):
        entry = known.get(name) or EntryProposal(name, None, None, None, "the size limits it")
        yield entry._replace(after=None if entry.before and entry.before.nano == hard.nano else hard)


def _size_now(one: QuotaProposal, sizes: Sequence[Size]) -> Size | None:
    """The size that a quota has, though nothing says so but its amounts."""
    hard = {name: amount.nano for name, amount in one.quota.hard.items()}
    if one.new:
        return None
    return next((size for size in sizes if {name: each.nano for name, each in size.hard.items()} == hard), None)
