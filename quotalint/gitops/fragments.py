"""Half an object: a patch that nobody refers to, which looks like an object and which the API server would refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.gitops.layout import Skipped
from quotalint.gitops.required_fields import missing_field
from quotalint.gitops.roots import Root
from quotalint.kube.objects import Object


def without_fragments(root: Root) -> tuple[Root, tuple[Skipped, ...]]:
    """The root without them, and what they are."""
    skipped = tuple(_skipped(obj for part in root.parts for obj in part.rendering.objects))
    if not skipped:
        return root, ()
    parts = []
    for part in root.parts:
        whole_objects = tuple(obj for obj in part.rendering.objects if not missing_field(obj))
        parts.append(part._replace(rendering=part.rendering._replace(objects=whole_objects)))
    return root._replace(parts=tuple(parts)), skipped


def _skipped(objects: Iterable[Object]) -> Iterator[Skipped]:
    for obj in objects:
        words = missing_field(obj)
        if words:
            named = f"{obj.kind} {obj.name}".rstrip()
            reason = f"{named} has no {words}, like a patch that nothing refers to"
            yield Skipped(obj.place.real.source, reason)
