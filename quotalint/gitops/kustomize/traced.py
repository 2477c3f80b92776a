"""A value with the place where each part was written: base, overlay, patch or generator.

Merging shares unchanged parts. An origin is the place of the whole value plus the places of parts from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Mixed, Origin, Place, place_of, step


class Traced(NamedTuple):
    """A value and its origin. Values are shared between objects and must not be changed."""

    value: object
    origin: Origin

    @property
    def place(self) -> Place:
        """The place of the value as a whole."""
        return place_of(self.origin)


def child(parent: Traced, key: str) -> Traced | None:
    """The value under a key of a mapping; None if there is none, or if it is no mapping."""
    value, origin = parent
    return Traced(value[key], step(origin, key)) if isinstance(value, dict) and key in value else None


def follow_keys(value: Traced, *path: str) -> Traced | None:
    """The value at a path of mapping keys; None if the path does not exist."""
    reached: Traced | None = value
    for key in path:
        if reached is None:
            return None
        reached = child(reached, key)
    return reached


def elements(parent: Traced) -> list[Traced]:
    """The items of a list; empty for any other value."""
    if not isinstance(parent.value, list):
        return []
    return [Traced(item, step(parent.origin, number)) for number, item in enumerate(parent.value)]


def with_child(parent: Traced, key: str, new: Traced | None) -> Traced:
    """The mapping with a key set, or removed if `new` is None."""
    return with_children(parent, {key: new})


def with_children(parent: Traced, children: Mapping[str, Traced | None]) -> Traced:
    """The mapping with these keys set; a key with None is removed."""
    value = dict(parent.value) if isinstance(parent.value, dict) else {}
    below = dict(parent.origin.below) if isinstance(parent.origin, Mixed) else {}
    place = parent.place
    for key, new in children.items():
        below.pop(key, None)
        if new is None:
            value.pop(key, None)
            continue
        value[key] = new.value
        if new.origin != place.at(key):
            below[key] = new.origin
    return Traced(value, Mixed(place, below) if below else place)


def mapping_of(place: Place, children: Iterable[tuple[str, Traced]]) -> Traced:
    """A mapping built from traced children."""
    value: dict[str, object] = {}
    below: dict[str | int, Origin] = {}
    for key, item in children:
        value[key] = item.value
        if item.origin != place.at(key):
            below[key] = item.origin
    return Traced(value, Mixed(place, below) if below else place)


def list_of(place: Place, items: Iterable[Traced]) -> Traced:
    """A list built from traced items."""
    value: list[object] = []
    below: dict[str | int, Origin] = {}
    for number, item in enumerate(items):
        value.append(item.value)
        if item.origin != place.at(number):
            below[number] = item.origin
    return Traced(value, Mixed(place, below) if below else place)


def set_at(value: Traced, path: tuple[str, ...], new: Traced) -> Traced:
    """The value with a new value at a path of keys; missing mappings are created."""
    if not path:
        return new
    inner = child(value, path[0])
    if inner is None or not isinstance(inner.value, dict):
        inner = Traced({}, new.place) if len(path) > 1 else new
    return with_child(value, path[0], set_at(inner, path[1:], new))
