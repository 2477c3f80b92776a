"""Half an object: a patch that nobody refers to, which looks like an object and which the API server would refuse."""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.gitops.layout import Skipped
from quotalint.gitops.required_fields import missing_field
from quotalint.gitops.roots import Root


def without_fragments(roots: Iterable[Root]) -> tuple[tuple[Root, ...], tuple[Skipped, ...]]:
    """The roots without them, and what they are, each once."""
    whole_roots: list[Root] = []
    fragments: dict[Skipped, None] = {}
    for root in roots:
        skipped = [
            Skipped(
                obj.place.real.source,
                f"{f'{obj.kind} {obj.name}'.rstrip()} has no {words}, like a patch that nothing refers to",
            )
            for part in root.parts
            for obj in part.rendering.objects
            if (words := missing_field(obj))
        ]
        whole_roots.append(_without_fragments(root) if skipped else root)
        fragments.update(dict.fromkeys(skipped))
    return tuple(whole_roots), tuple(fragments)


def _without_fragments(root: Root) -> Root:
    parts = []
    for part in root.parts:
        whole_objects = tuple(obj for obj in part.rendering.objects if not missing_field(obj))
        parts.append(part._replace(rendering=part.rendering._replace(objects=whole_objects)))
    return root._replace(parts=tuple(parts))
