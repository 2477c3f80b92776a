"""A document's syntax tree: the position of each key and value, with aliases, and lookups by path.

PyYAML's nodes lack this: an alias is its anchor's node, and a block collection ends where the next token begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import yaml

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.nodes import STRING
from quotalint.text.place import Path
from quotalint.text.scalars import plain_keys, tagged_key

SCALAR, MAPPING, SEQUENCE, ALIAS = "scalar", "mapping", "sequence", "alias"


class Spot(NamedTuple):
    """A key or value in the text of a document. Offsets count characters."""

    kind: str
    start: int
    """The start, including its anchor and tag."""
    end: int
    """After its last character; for a block scalar, the start of the next token."""
    value: str
    """The value of a scalar."""
    tag: str
    style: str
    """For a scalar: a quote, `|`, `>`, or empty for a plain one; for a flow collection `{`."""
    children: tuple[Spot, ...]
    """Items, alternating keys and values, or the target of an alias."""

    @property
    def target(self) -> Spot:
        """Itself, or the target of an alias."""
        return self.children[0] if self.kind == ALIAS else self

    @property
    def pairs(self) -> tuple[tuple[Spot, Spot], ...]:
        """The written keys and values of a mapping, including `<<`."""
        return tuple(zip(self.children[::2], self.children[1::2], strict=True))


class TreeEntry(NamedTuple):
    """An entry of a mapping, or an item of a list (without a key)."""

    parent: Spot
    position: int
    """The index of the pair or item."""
    key: Spot | None
    value: Spot


def parse_spots(text: str) -> Spot | None:
    """The first document of a readable text; None if it is empty."""
    open_: list[tuple[Any, list[Spot]]] = [(None, [])]
    anchors: dict[str, Spot] = {}
    for event in yaml.parse(text, Loader=yaml.CLoader if yaml.__with_libyaml__ else yaml.Loader):
        if isinstance(event, yaml.DocumentEndEvent):
            break
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            open_.append((event, []))
            continue
        if isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            begun, children = open_.pop()
            spot = _collection_spot(begun, event, tuple(children))
        elif isinstance(event, (yaml.ScalarEvent, yaml.AliasEvent)):
            begun = event
            spot = _scalar_spot(event) if isinstance(event, yaml.ScalarEvent) else _alias_spot(event, anchors)
        else:
            continue
        if begun.anchor and spot.kind != ALIAS:
            anchors[begun.anchor] = spot
        open_[-1][1].append(spot)
    return next(iter(open_[0][1]), None)


def find_entry(root: Spot, path: Path) -> TreeEntry | None:
    """The entry at a path; after an alias or merge, the entry at the anchor."""
    entry_reached: TreeEntry | None = None
    for step in path:
        inside = entry_reached.value.target if entry_reached else root
        entry_reached = _list_item(inside, step) if isinstance(step, int) else mapping_entry(inside, step)
        if entry_reached is None:
            return None
    return entry_reached


def mapping_entry(mapping: Spot, key: str) -> TreeEntry | None:
    """The entry of a mapping that Kubernetes uses: the last one, including merged ones."""
    last_entry = None
    for position, (written, value) in enumerate(mapping.pairs if mapping.kind == MAPPING else ()):
        if is_merge(written):
            last_entry = next(
                filter(None, (mapping_entry(merged_mapping, key) for merged_mapping in _merged_mappings(value))),
                last_entry,
            )
        elif key_text(written) == key:
            last_entry = TreeEntry(mapping, position, written, value)
    return last_entry


def is_merge(key: Spot) -> bool:
    """Whether an entry merges other mappings."""
    return key.kind == SCALAR and key.value == "<<" and key.tag in ("", "tag:yaml.org,2002:merge")


def key_text(key: Spot) -> str:
    """A key as Kubernetes reads it."""
    key = key.target
    if key.tag == STRING or key.kind != SCALAR:
        return key.value
    return tagged_key(key.tag, key.value) if key.tag else plain_keys[key.value]


def token_span(text: str, spot: Spot) -> tuple[int, int]:
    """The position of a scalar without its anchor and tag."""
    properties = _PROPERTIES.match(text, spot.start, spot.end)
    return (properties.end() if properties and spot.kind == SCALAR else spot.start), spot.end


_PROPERTIES = lazy_pattern(r"(?:[&!][^\s,\[\]{}]*\s+)*")


def _list_item(inside: Spot, step: int) -> TreeEntry | None:
    if inside.kind != SEQUENCE or not 0 <= step < len(inside.children):
        return None
    return TreeEntry(inside, step, None, inside.children[step])


def _merged_mappings(value: Spot) -> Iterator[Spot]:
    """The mappings that a `<<` merges; the first wins."""
    sources = value.target.children if value.target.kind == SEQUENCE else (value,)
    return (source.target for source in sources)


def _scalar_spot(event: Any) -> Spot:
    # A missing value has no characters of its own; it is after the `:`.
    style = "" if event.style in (None, "") else event.style
    tag = "" if event.implicit[0] else event.tag or STRING
    return Spot(SCALAR, event.start_mark.index, event.end_mark.index, event.value, tag, style, ())


def _alias_spot(event: Any, anchors: dict[str, Spot]) -> Spot:
    return Spot(ALIAS, event.start_mark.index, event.end_mark.index, "", "", "", (anchors[event.anchor],))


def _collection_spot(begun: Any, ended: Any, children: tuple[Spot, ...]) -> Spot:
    start = begun.start_mark.index
    kind = MAPPING if isinstance(begun, yaml.MappingStartEvent) else SEQUENCE
    if begun.flow_style:
        return Spot(kind, start, ended.end_mark.index, "", "", "{", children)
    return Spot(kind, start, max([start, *(child.end for child in children)]), "", "", "", children)


def value_at(value: object, path: Path) -> object:
    """The value at a path of a document; raises LookupError if there is none."""
    for step in path:
        below = value.get(step, _NOTHING) if isinstance(value, dict) else _NOTHING
        if isinstance(value, list) and isinstance(step, int) and step < len(value):
            below = value[step]
        if below is _NOTHING:
            raise LookupError(step)
        value = below
    return value


_NOTHING = object()


def with_value(value: object, path: Path, change: Callable[[object], object]) -> object:
    """A copy of a document with another value at a path, sharing the rest."""
    if not path:
        return change(value)
    step, below = path[0], path[1:]
    if isinstance(value, dict) and isinstance(step, str):
        return {**value, step: with_value(value[step], below, change)}
    if isinstance(value, list) and isinstance(step, int):
        return [*value[:step], with_value(value[step], below, change), *value[step + 1 :]]
    raise LookupError(step)
