"""Named quota sizes, chosen in place of single amounts: from the configuration, or Kustomize Components with a
quota."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from quotalint.accounts.facts import Facts
from quotalint.fixes.fix import Replace
from quotalint.kube.amounts import amounts
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.objects import objects
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import nano_by_name
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import EXACT
from quotalint.quota.quotas import Quota
from quotalint.settings import Settings
from quotalint.sizing.entries import Anchor, Sizing, entry_place
from quotalint.sizing.proposed import EntryProposal, QuotaProposal
from quotalint.text.place import Place
from quotalint.text.reading import File


class ShirtSize(NamedTuple):
    """A quota size with a name, such as `x-small`."""

    name: str
    hard: Mapping[str, Quantity]
    written: Mapping[str, object]
    """The amounts as written."""

    def covers(self, needed: Mapping[str, Quantity]) -> bool:
        """Whether it allows the needed amounts, as far as it limits them."""
        return all(name not in self.hard or self.hard[name].nano >= amount.nano for name, amount in needed.items())


class Component(NamedTuple):
    """The Component from which a quota gets its size."""

    place: Place
    """The entry of `components` that names it."""
    written: str
    """The written path."""
    size: str
    """The name of its current size."""
    sizes: tuple[ShirtSize, ...]
    """All sizes, the smallest first."""


def smallest(sizes: Sequence[ShirtSize], needed: Mapping[str, Quantity]) -> ShirtSize | None:
    """The first size that allows the needed amounts; None if no size does."""
    return next((size for size in sizes if size.covers(needed)), None)


def configured_sizes(settings: Settings) -> tuple[ShirtSize, ...]:
    """The sizes in `sizes:`, the smallest first."""
    return _in_order(ShirtSize(name, amounts(dict(hard), ())[0], hard) for name, hard in settings.sizes.items())


def component_of(quota: Quota, components: Mapping[str, Sequence[ShirtSize]], facts: Facts) -> Component | None:
    """The Component of a quota; None if it has none, or if there is no other size."""
    origin = quota.object.place.made
    component_folder = posixpath.dirname(quota.place.file)
    parent_folder, name = posixpath.split(component_folder)
    sizes = tuple(components.get(parent_folder, ()))
    if origin is None or len(sizes) < 2 or name not in (size.name for size in sizes):
        return None
    for place in reversed([step.real for step in origin.via if step.path[:1] == ("components",)]):
        written = _text_at(place, facts)
        if posixpath.basename(written.rstrip("/")) == name:
            return Component(place, written, name, sizes)
    return None


def _text_at(place: Place, facts: Facts) -> str:
    """The text at a place of a file."""
    for file in facts.repository.files:
        if file.source.name == place.source:
            values = (document.value for document in file.reading.documents if document.index == place.document)
            return text(dig(mapping(next(values, None)), *place.path))
    return ""


def component_sizes(facts: Facts) -> Mapping[str, tuple[ShirtSize, ...]]:
    """The sizes in the repository, by the parent folder of their Components."""
    components = {posixpath.dirname(file.source.name) for file in facts.repository.files if _is_component(file)}
    sizes_by_folder: dict[str, list[ShirtSize]] = {}
    for file in facts.repository.files:
        folder = posixpath.dirname(file.source.name)
        if folder in components and file.limiting:
            parent_folder, name = posixpath.split(folder)
            sizes_by_folder.setdefault(parent_folder, []).extend(_sizes(file, name))
    choices = {
        parent_folder: sizes
        for parent_folder, sizes in sizes_by_folder.items()
        if len({size.name for size in sizes}) == len(sizes) > 1
    }
    return {parent_folder: _in_order(sizes) for parent_folder, sizes in choices.items()}


def _is_component(file: File) -> bool:
    values = (mapping(document.value) for document in file.reading.documents)
    return any(
        value.get("kind") == "Component" and text(value.get("apiVersion")).startswith("kustomize.config.k8s.io/")
        for value in values
    )


def _sizes(file: File, name: str) -> Iterator[ShirtSize]:
    for document in file.reading.documents:
        for obj in objects(document.value, Place(file.source.name, document.index)):
            if obj.kind == "ResourceQuota" and not obj.group and not sequence(obj.spec.get("scopes")):
                hard = mapping(obj.spec.get("hard"))
                yield ShirtSize(name, amounts(hard, ())[0], hard)


def _in_order(sizes: Iterable[ShirtSize]) -> tuple[ShirtSize, ...]:
    """The sizes in ascending order: by the entries that all have, in the order of their names."""
    sizes = tuple(sizes)
    shared = sorted(set.intersection(*(set(size.hard) for size in sizes))) if sizes else []
    return tuple(sorted(sizes, key=lambda size: (*(size.hard[name].nano for name in shared), size.name)))


def with_sizes(
    quotas: Sequence[QuotaProposal],
    configured: Sequence[ShirtSize],
    components: Mapping[str, Sequence[ShirtSize]],
    by: Sizing,
    facts: Facts,
) -> Iterator[QuotaProposal]:
    """The proposals, with the smallest sufficient size for each quota that uses sizes, and for each new one."""
    chosen = [component_of(proposal.quota, components, facts) for proposal in quotas]
    proposals_by_place: dict[Place, list[QuotaProposal]] = {}
    for proposal, component in zip(quotas, chosen, strict=True):
        if component is not None:
            proposals_by_place.setdefault(component.place, []).append(proposal)
    for proposal, component in zip(quotas, chosen, strict=True):
        if component is not None:
            yield _with_component(proposal, component, proposals_by_place[component.place], by)
        elif configured and (proposal.new or _size_now(proposal, configured) is not None):
            yield _with_size(proposal, configured, [proposal], _size_now(proposal, configured), by)
        else:
            yield proposal


def anchor_of(components: Mapping[str, Sequence[ShirtSize]], facts: Facts) -> Anchor:
    """A function for the place of a quota's amount: where it is written, or where the size is chosen for all quotas
    that share it."""
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
        # The Component itself is shared with other namespaces, so it is not changed.
        return sized._replace(entries=tuple(map(_unchanged_entry, sized.entries)), size=now.name)
    folder = posixpath.dirname(component.written.rstrip("/"))
    return sized._replace(instead=Replace(component.place, component.written, posixpath.join(folder, sized.size)))


def _with_size(
    proposal: QuotaProposal,
    sizes: Sequence[ShirtSize],
    sharing: Sequence[QuotaProposal],
    now: ShirtSize | None,
    by: Sizing,
) -> QuotaProposal:
    """The proposal with the smallest size that is sufficient for all quotas that share the choice."""
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
        entries = tuple(_unchanged_entry(entry) for entry in proposal.entries)
        notes = proposal.notes
        if sure and size.name != now.name:
            notes = (*notes, f"size {size.name} would do")
        return proposal._replace(entries=entries, size=now.name, notes=notes)
    return proposal._replace(entries=tuple(_entries_of_size(proposal, size)), size=size.name)


def _unchanged_entry(entry: EntryProposal) -> EntryProposal:
    return entry._replace(after=None, sufficient=None) if entry.before is not None else entry


def _entries_of_size(proposal: QuotaProposal, size: ShirtSize) -> Iterator[EntryProposal]:
    by_name = {entry.name: entry for entry in proposal.entries}
    for name, hard in sorted(size.hard.items()):
        entry = by_name.get(name) or EntryProposal(name, None, None, None, "the size limits it")
        yield entry._replace(after=None if entry.before and entry.before.nano == hard.nano else hard)


def _size_now(proposal: QuotaProposal, sizes: Sequence[ShirtSize]) -> ShirtSize | None:
    """The configured size that equals a quota's amounts."""
    hard = nano_by_name(proposal.quota.hard)
    if proposal.new:
        return None
    return next((size for size in sizes if nano_by_name(size.hard) == hard), None)
