"""The objects as quotalint sees them, as YAML that can be applied: `quotalint render`."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from quotalint.kube.discovery import Discovery, discover_kinds, is_scope_known
from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object, ObjectId
from quotalint.text.aliases import aliased_share
from quotalint.text.dumping import dump_yaml
from quotalint.text.place import Place, Span

ENVIRONMENT, ORIGIN, ASSUMED = "quotalint.dev/environment", "quotalint.dev/origin", "quotalint.dev/assumed"

Environments = Sequence[tuple[str, Sequence[Object]]]


def render(
    environments: Environments,
    locate: Callable[[Iterable[Place]], Mapping[Place, Span]],
    kube_version: str = "1.34",
    left_out: Container[ObjectId] = frozenset(),
) -> str:
    """Every object of every environment, with its origin, its patches and the guesses about it."""
    spans = locate({place.real for _, objects in environments for obj in objects for place in _object_places(obj)})
    discovery = discover_kinds((obj for _, objects in environments for obj in objects), kube_version)
    named_objects = ((name, obj) for name, objects in environments for obj in objects)
    return dump_yaml(
        _annotated_body(obj, name, spans, discovery) for name, obj in named_objects if obj.identity not in left_out
    )


def render_bare(objects: Iterable[Object], left_out: Container[ObjectId] = frozenset()) -> str:
    """The objects without added annotations."""
    return dump_yaml(dict(obj.body) for obj in objects if obj.identity not in left_out)


def render_body(body: Mapping[str, Any]) -> str:
    """One object, or a part of one."""
    return dump_yaml([body])


def too_large(objects: Iterable[Object]) -> Iterator[Object]:
    """The objects that are too large to print: YAML aliases and copies are written out each time."""
    copies_left = _MOST_COPIES
    for obj in objects:
        copies = aliased_share((obj.body,))
        copies_left -= copies
        if copies_left < 0 < copies:
            yield obj


_MOST_COPIES = 200_000  # values


def _object_places(obj: Object) -> Iterator[Place]:
    yield obj.place
    if obj.place.made is not None:
        yield from obj.place.made.patches


def _annotated_body(obj: Object, environment: str, spans: Mapping[Place, Span], discovery: Discovery) -> dict[str, Any]:
    origins = dict.fromkeys(
        f"{real.source}:{spans[real].line}" for real in (place.real for place in _object_places(obj))
    )
    metadata = dict(obj.metadata)
    if obj.namespace:
        metadata["namespace"] = obj.namespace
    written = mapping(metadata.get("annotations"))
    notes = {ENVIRONMENT: environment, ORIGIN: ", ".join(origins)}
    guesses = list(_guess_words(obj, discovery))
    if guesses:
        notes[ASSUMED] = "; ".join(guesses)
    metadata["annotations"] = {**written, **notes}
    return {**obj.body, "apiVersion": obj.api_version, "kind": obj.kind, "metadata": metadata}


def _guess_words(obj: Object, discovery: Discovery) -> Iterator[str]:
    yield from dict.fromkeys(guess.reason for guess in obj.guesses)
    if obj.homeless:
        yield "no namespace is written anywhere; assumed to be `default`"
    if obj.namespace and not obj.metadata.get("namespace") and not is_scope_known(discovery, obj.group, obj.kind):
        yield f"it is unknown whether a {obj.kind} has a namespace; assumed to have one"
