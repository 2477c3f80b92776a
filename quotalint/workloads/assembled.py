"""The places of a pod template that a controller assembles from several parts of a manifest."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.kube.objects import Object
from quotalint.text.place import Derivation, Mixed, Origin, Path, Place


def assemble_place(owner: Object, whole: Place, parts: Mapping[Path, Place]) -> Place:
    """The place of this owner's pod template. Each path in `parts` is written at its place there, and everything else
    at `whole`."""
    origin = _mixed_origin(whole, parts)
    derivation = whole.made
    path = owner.place.path
    via, patches = (derivation.via, derivation.patches) if derivation else ((), ())
    return Place(whole.file, whole.real.document, path, Derivation(origin, len(path), via, patches))


def _mixed_origin(whole: Place, parts: Mapping[Path, Place]) -> Origin:
    if () in parts:
        return parts[()].origin
    below: dict[str | int, Mapping[Path, Place]] = {}
    for path, place in parts.items():
        below[path[0]] = {**below.get(path[0], {}), path[1:]: place}
    return Mixed(whole.real, {key: _mixed_origin(whole, inner) for key, inner in below.items()})
