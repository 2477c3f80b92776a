"""Objects that share text with what a fix is about, and of which nothing was found: they change along with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quotalint.fixes.fix import Drop, Fix, Rename
from quotalint.text.place import Derivation, Place, place_of


def with_others(fixes: Sequence[Fix | None], places: Iterable[Place]) -> list[Fix | None]:
    """The same fixes, with what they mean for other objects of those at `places`."""
    known = {entry.place for fix in fixes if fix is not None for entry in _entry_edits(fix)}
    if not known:  # nothing else is changed together with others
        return [fix and fix._replace(others=()) for fix in fixes]
    sharing: dict[Place, dict[Derivation, Place]] = {}
    for place in places:
        if place.made is not None:
            for top in _layer_places(place.made):
                sharing.setdefault(top, {})[place.made] = place

    def sharing_edits(fix: Fix) -> Iterator[Rename | Drop]:
        for entry in _entry_edits(fix):
            if entry.place.made is None:
                continue
            inner = entry.place.path[entry.place.made.depth :]
            for top in _layer_places(entry.place.made):
                same = (entry._replace(place=other.at(*inner)) for other in sharing.get(top, {}).values())
                yield from (edit for edit in same if edit.place not in known)

    return [
        fix and fix._replace(others=tuple({edit.place: edit for edit in sharing_edits(fix)}.values())) for fix in fixes
    ]


def _entry_edits(fix: Fix) -> Iterator[Rename | Drop]:
    return (edit for edit in fix.edits if isinstance(edit, (Rename, Drop)))


def _layer_places(rendered_from: Derivation) -> tuple[Place, ...]:
    return (place_of(rendered_from.origin).real, *(patch.real for patch in rendered_from.patches))
