"""Where an object's values are written: in a base, in what patches it, or in no file at all."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.fixes.contents import Contents
from quotalint.fixes.fix import Drop, Edit, Fix, Rename, Replace
from quotalint.fixes.text_edits import NOT_WRITTEN, at
from quotalint.text.place import Path, Place, Whole, place_of


def where_written(fix: Fix, files: Contents) -> tuple[Edit, ...] | str:
    """The edits of a fix where things are written, each once; or why one of them has nowhere to go."""
    if fix.obstacle:
        return fix.obstacle
    found: dict[str, Edit] = {}
    for edit in fix.edits:
        if isinstance(edit.place.origin, Whole):
            return f"{edit.place.real.source} does not say it: it comes from a template or from a program that renders"
        layers = _layers(edit.place, files) if isinstance(edit, (Rename, Drop)) else (edit.place.real,)
        if isinstance(layers, str):
            return layers
        for place in layers:
            bare = edit._replace(place=place)
            reason = _differs(bare, files, is_last=place == edit.place.real)
            if reason:
                return reason
            found[repr(bare)] = bare
    return tuple(found.values())


def kept(fix: Fix) -> Iterator[Place]:
    """The entries that have to keep their names, since not all that gives them to an object can be changed."""
    for edit in fix.edits:
        if isinstance(edit, (Rename, Drop)):
            yield edit.place.real
            yield from (top.at(*inner) for top, inner in _tops(edit.place))


def _differs(edit: Edit, files: Contents, is_last: bool) -> str:
    """Whether the file says something else than the object. What a later layer overrides may say anything."""
    try:
        here = files.value(edit.place)
    except LookupError:
        return NOT_WRITTEN
    if isinstance(edit, Replace) or (isinstance(edit, Drop) and is_last):
        return "" if here == edit.before and type(here) is type(edit.before) else NOT_WRITTEN
    return ""


def _layers(place: Place, files: Contents) -> tuple[Place, ...] | str:
    """Every place at which an entry is given to an object: in its base, and in what patches it."""
    real = place.real
    if place.made is None or not place.path:
        return (real,)
    name = str(place.path[-1])
    if real.path[-1:] != (name,):
        return f"{real.source} gives it in a patch that is not a mapping"
    found = {real: None}
    for whole, inner in _tops(place):
        try:
            value = files.value(whole)
        except LookupError:
            continue
        try:
            at(value, inner)
        except LookupError:
            # A JSON patch names the entry in a path, and a patch may stand in a string.
            pointer = name.replace("~", "~0").replace("/", "~1")
            if any(_mentions(value, word) for word in (name, pointer)) and not _holds(whole, real):
                return f"{whole.source} names it in a patch that is not a mapping"
        else:
            found[whole.at(*inner)] = None
    return tuple(found)


def _tops(place: Place) -> Iterator[tuple[Place, Path]]:
    """The base of an object and what patches it, each with the way to the place from there."""
    made = place.made
    for top in (place_of(made.origin), *made.patches) if made is not None else ():
        yield top.real, place.path[made.depth if made is not None else 0 :]


def _holds(whole: Place, real: Place) -> bool:
    """Whether a place lies in another."""
    return whole[:2] == real[:2] and real.path[: len(whole.path)] == whole.path


def _mentions(value: object, word: str) -> bool:
    todo = [value]
    for one in todo:
        if isinstance(one, dict):
            todo += [*one, *one.values()]
        elif isinstance(one, list):
            todo += one
        elif isinstance(one, str) and word in one:
            return True
    return False
