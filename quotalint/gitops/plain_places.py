"""Where rendered values are written, in plain values that can be kept from run to run."""

from __future__ import annotations

from typing import Any

from quotalint.text.place import Mixed, Origin, Place, Whole, place_of

PlainOrigin = tuple[Any, ...]
"""A place, and what stands elsewhere below it; whether nobody can tell its parts apart where nothing does."""
PlainPlace = tuple[Any, ...]


def plain_origin(origin: Origin) -> PlainOrigin:
    """An origin in plain values; how the places in it were made themselves is left out."""
    below: dict[str | int, PlainOrigin] | bool = isinstance(origin, Whole)
    if isinstance(origin, Mixed):
        below = {key: plain_origin(part) for key, part in origin.below.items()}
    return (*place_of(origin)[:3], below)


def origin_of(plain: PlainOrigin) -> Origin:
    """The origin again."""
    *at, below = plain
    place = Place(*at)
    if isinstance(below, dict):
        return Mixed(place, {key: origin_of(part) for key, part in below.items()})
    return Whole(place) if below else place


def plain_place(place: Place) -> PlainPlace:
    """A place that stands in a file. Raises ValueError for one in an object that was made itself."""
    if place.made is not None:
        raise ValueError("a place in what was made")
    return place[:3]


def is_written(origin: Origin) -> bool:
    """Whether all of it stands in files, and nothing in an object that was made itself."""
    own = place_of(origin).made is None
    return own and (not isinstance(origin, Mixed) or all(map(is_written, origin.below.values())))
