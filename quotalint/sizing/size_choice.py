"""Where there are sizes, one of them is chosen, and no amounts of its own."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from quotalint.facts import Facts
from quotalint.fixes.fix import Replace
from quotalint.kube.quantity import Quantity
from quotalint.quota.projection import EXACT
from quotalint.quota.quotas import Quota
from quotalint.sizing.entries import Anchor, Sizing, entry_place
from quotalint.sizing.proposed import EntryProposal, QuotaProposal
from quotalint.sizing.shirts import Component, ShirtSize, component_of, smallest
from quotalint.text.place import Place


def with_sizes(
    quotas: Sequence[QuotaProposal],
    configured: Sequence[ShirtSize],
    components: Mapping[str, Sequence[ShirtSize]],
    by: Sizing,
    facts: Facts,
) -> Iterator[QuotaProposal]:
    """The same, with the least size that is enough for each quota that has one, and for each new one."""
    chosen = [component_of(proposal.quota, components, facts) for proposal in quotas]
    together: dict[Place, list[QuotaProposal]] = {}
    for proposal, component in zip(quotas, chosen, strict=True):
        if component is not None:
            together.setdefault(component.place, []).append(proposal)
    for proposal, component in zip(quotas, chosen, strict=True):
        if component is not None:
            yield _with_component(proposal, component, together[component.place], by)
        elif configured and (proposal.new or _size_now(proposal, configured) is not None):
            yield _with_size(proposal, configured, [proposal], _size_now(proposal, configured), by)
        else:
            yield proposal


def anchor_of(components: Mapping[str, Sequence[ShirtSize]], facts: Facts) -> Anchor:
    """Where quotas get their amounts: where these are written, or where a size is chosen for all who go by it."""
    anchors: dict[int, Component | None] = {}

    def anchor(quota: Quota, name: str) -> Place:
        if id(quota) not in anchors:
            anchors[id(quota)] = component_of(quota, components, facts)
        component = anchors[id(quota)]
        return entry_place(quota, name) if component is None else component.place.at(name)

    return anchor


def _with_component(
    proposal: QuotaProposal, component: Component, sharing: Sequence[QuotaProposal], by: Sizing
) -> QuotaProposal:
    now = next(size for size in component.sizes if size.name == component.size)
    sized = _with_size(proposal, component.sizes, sharing, now, by)
    if sized.size in ("", now.name):
        # What other namespaces share is not to be changed for this one.
        return sized._replace(entries=tuple(map(_left_alone, sized.entries)), size=now.name)
    folder = posixpath.dirname(component.written.rstrip("/"))
    return sized._replace(instead=Replace(component.place, component.written, posixpath.join(folder, sized.size)))


def _with_size(
    proposal: QuotaProposal,
    sizes: Sequence[ShirtSize],
    sharing: Sequence[QuotaProposal],
    now: ShirtSize | None,
    by: Sizing,
) -> QuotaProposal:
    """With the least size that is enough for all that share the choice."""
    needed: dict[str, Quantity] = {}
    sure = True
    for quota_proposal in sharing:
        for entry in quota_proposal.entries:
            sure = sure and entry.certainty == EXACT
            if entry.needed is not None:
                least = by.headroom.above(entry.needed)
                if entry.name not in needed or least.nano > needed[entry.name].nano:
                    needed[entry.name] = least
    if not needed:
        return proposal
    size = smallest(sizes, needed)
    if size is None:
        return proposal._replace(notes=(*proposal.notes, f"no size is large enough: {sizes[-1].name} is the largest"))
    if now is not None and (
        size.name == now.name or ((not sure or not by.lower) and sizes.index(size) < sizes.index(now))
    ):
        entries = tuple(_left_alone(entry) for entry in proposal.entries)
        notes = proposal.notes
        if sure and size.name != now.name:
            notes = (*notes, f"size {size.name} would do")
        return proposal._replace(entries=entries, size=now.name, notes=notes)
    return proposal._replace(entries=tuple(_of_size(proposal, size)), size=size.name)


def _left_alone(entry: EntryProposal) -> EntryProposal:
    return entry._replace(after=None, sufficient=None) if entry.before is not None else entry


def _of_size(proposal: QuotaProposal, size: ShirtSize) -> Iterator[EntryProposal]:
    by_name = {entry.name: entry for entry in proposal.entries}
    for name, hard in sorted(size.hard.items()):
        entry = by_name.get(name) or EntryProposal(name, None, None, None, "the size limits it")
        yield entry._replace(after=None if entry.before and entry.before.nano == hard.nano else hard)


def _size_now(proposal: QuotaProposal, sizes: Sequence[ShirtSize]) -> ShirtSize | None:
    """The size that a quota has, though nothing says so but its amounts."""
    hard = {name: amount.nano for name, amount in proposal.quota.hard.items()}
    if proposal.new:
        return None
    return next((size for size in sizes if {name: amount.nano for name, amount in size.hard.items()} == hard), None)
