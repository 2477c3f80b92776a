"""Objects without findings that share text with a fix and so change with it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from quotalint.fixes.fix import Drop, Fix, Rename
from quotalint.runtime.recall import recalled_each
from quotalint.text.disk import is_file, real_path, stand_in_at
from quotalint.text.files import lies_in
from quotalint.text.place import Derivation, Place, place_of
from quotalint.text.sources import OWN_FOLDER, TERRAFORM_SUFFIXES


def with_others(fixes: Sequence[Fix | None], environments: Sequence[Sequence[Place]]) -> list[Fix | None]:
    """The fixes, each with its effects on other objects of the environments, which are given as places."""
    entries = [entry for fix in fixes if fix is not None for entry in _entry_edits(fix)]
    if not entries:  # only such fixes change other objects
        return [fix and fix._replace(others=()) for fix in fixes]
    entry_places = {entry.place for entry in entries}
    sharing: dict[Place, dict[Derivation, Place]] = {top: {} for entry in entries for top in _layers(entry.place)}
    for number, places in enumerate(environments):
        for place, layers in zip(places, recalled_each(("layers", number), places, (), _layers), strict=True):
            for top in layers:
                if top in sharing and place.made is not None:
                    sharing[top][place.made] = place

    def sharing_edits(fix: Fix) -> Iterator[Rename | Drop]:
        for entry in _entry_edits(fix):
            if entry.place.made is None:
                continue
            inner = entry.place.path[entry.place.made.depth :]
            for top in _layers(entry.place):
                same = (entry._replace(place=other.at(*inner)) for other in sharing.get(top, {}).values())
                yield from (edit for edit in same if edit.place not in entry_places)

    return [
        fix and fix._replace(others=tuple({edit.place: edit for edit in sharing_edits(fix)}.values())) for fix in fixes
    ]


def _entry_edits(fix: Fix) -> Iterator[Rename | Drop]:
    return (edit for edit in fix.edits if isinstance(edit, (Rename, Drop)))


def _layers(place: Place) -> tuple[Place, ...]:
    """The places of the base and patches of a rendered object."""
    if place.made is None:
        return ()
    return (place_of(place.made.origin).real, *(patch.real for patch in place.made.patches))


def refusal_to_change(path: str, repository: str) -> str:
    """Why a file must not be changed; empty if it may be. A symbolic link counts as its target."""
    if not path or path == "<stdin>":
        return "standard input cannot be changed"
    if path.endswith(TERRAFORM_SUFFIXES):
        return "files of Terraform are not changed"
    real = real_path(path)
    if not lies_in(real, real_path(repository)):
        return "the file lies outside the repository"
    if OWN_FOLDER in real.split(os.sep):
        return "the file is vendored, and `quotalint.lock` names its content"
    if not is_file(real):
        return "it is not a file"
    return "" if stand_in_at(real) or os.access(real, os.W_OK) else "the file is write-protected"
