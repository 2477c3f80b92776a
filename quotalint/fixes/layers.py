"""Where an object's values are written: in a base, in a patch, or in no file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quotalint.fixes.document_tree import value_at
from quotalint.fixes.file_contents import FileContents
from quotalint.fixes.fix import Drop, Edit, Fix, Rename, Replace
from quotalint.fixes.text_edits import NOT_WRITTEN
from quotalint.text.place import Path, Place, Whole, place_of


def where_written(fix: Fix, files: FileContents) -> tuple[Edit, ...] | str:
    """The edits of a fix at the places where values are written, each once; or why an edit has no such place."""
    if fix.obstacle:
        return fix.obstacle
    layer_edits: dict[str, Edit] = {}
    for edit in fix.edits:
        if isinstance(edit.place.origin, Whole):
            return f"{edit.place.file} does not say it: it comes from a template or from a program that renders"
        layers = _entry_layers(edit, files) if isinstance(edit, (Rename, Drop)) else (edit.place.real,)
        if isinstance(layers, str):
            return layers
        for place in layers:
            written_edit = edit._replace(place=place)
            reason = _why_different(written_edit, files, is_last=place == edit.place.real)
            if reason:
                return reason
            layer_edits[repr(written_edit)] = written_edit
    changed = {edit.place for edit in layer_edits.values()}
    for other in fix.others:
        if changed.isdisjoint(top.at(*inner) for top, inner in _layer_tops(other.place)):
            continue
        layer_places = _given_places(other, files)
        if isinstance(layer_places, str):
            return layer_places
        if isinstance(other, Rename):
            layer_edits |= {
                repr(written_edit): written_edit
                for written_edit in (other._replace(place=place) for place in layer_places)
            }
    return tuple(layer_edits.values())


def kept_places(fix: Fix) -> Iterator[Place]:
    """The entries that must keep their names, because some file that sets them cannot be changed."""
    for edit in fix.edits:
        if isinstance(edit, (Rename, Drop)):
            yield edit.place.real
            yield from (top.at(*inner) for top, inner in _layer_tops(edit.place))


def _why_different(edit: Edit, files: FileContents, *, is_last: bool) -> str:
    """Why the file differs from the object; empty if it does not. Values that a later layer overrides may differ."""
    try:
        file_value = files.value(edit.place)
    except LookupError:
        return NOT_WRITTEN
    if isinstance(edit, Replace) or (isinstance(edit, Drop) and is_last):
        return "" if file_value == edit.before and type(file_value) is type(edit.before) else NOT_WRITTEN
    return ""


def _entry_layers(edit: Rename | Drop, files: FileContents) -> tuple[Place, ...] | str:
    """Every place that sets an entry of an object: in its base, and in its patches."""
    place, real = edit.place, edit.place.real
    if place.made is None or not place.path:
        return (real,)
    if real.path[-1:] != place.path[-1:]:
        return f"{real.source} gives it in a patch that is not a mapping"
    layer_places = _given_places(edit, files)
    return layer_places if isinstance(layer_places, str) else tuple(dict.fromkeys((real, *layer_places)))


def _given_places(edit: Rename | Drop, files: FileContents) -> tuple[Place, ...] | str:
    """The places of an entry in the files of an object; a reason if they are unknown, or if the entry would be lost
    under its new name."""
    layer_places, place = [], edit.place
    for whole, inner in _layer_tops(place):
        try:
            value = files.value(whole)
        except LookupError:
            continue
        if _has_path(value, inner):
            layer_places.append(whole.at(*inner))
        # A JSON patch has the entry in a path, and a patch may be in a string.
        elif _mentions_name(value, str(place.path[-1])) and not _place_holds(whole, place.real):
            return f"{whole.source} names it in a patch that is not a mapping"
        if isinstance(edit, Rename):
            reason = _why_taken(value, (*inner[:-1], edit.new))
            if reason:
                return f"{whole.source} {reason}"
    return tuple(layer_places)


def _why_taken(patch: object, inner: Path) -> str:
    """Why a patch may change the entry under its new name."""
    new = str(inner[-1])
    if not isinstance(patch, dict):
        return f"names {new} in a patch that is not a mapping" if _mentions_name(patch, new) else ""
    return f"takes {new} away" if _has_path(patch, inner) and value_at(patch, inner) is None else ""


def _has_path(value: object, path: Path) -> bool:
    try:
        value_at(value, path)
    except LookupError:
        return False
    return True


def _layer_tops(place: Place) -> Iterator[tuple[Place, Path]]:
    """The base of an object and its patches, each with the remaining path to the place."""
    rendered_from = place.made
    for top in (place_of(rendered_from.origin), *rendered_from.patches) if rendered_from is not None else ():
        yield top.real, place.path[rendered_from.depth if rendered_from is not None else 0 :]


def _place_holds(whole: Place, real: Place) -> bool:
    """Whether a place contains another."""
    return whole[:2] == real[:2] and real.path[: len(whole.path)] == whole.path


def _mentions_name(value: object, name: str) -> bool:
    """Whether a value contains a name as a separate word, not as the end of `requests.nvidia.com/gpu`."""
    words = (name, name.replace("~", "~0").replace("/", "~1"))
    pattern = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, words))})(?![\w.~/-])")
    todo = [value]
    for node in todo:
        if isinstance(node, dict):
            todo += [*node, *node.values()]
        elif isinstance(node, list):
            todo += node
        elif isinstance(node, str) and pattern.search(node):
            return True
    return False
