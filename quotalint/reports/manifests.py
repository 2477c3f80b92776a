"""The objects as quotalint sees them, as YAML that can be applied: `quotalint render`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

import yaml

from quotalint.kube.discovery import Discovery, discovery, is_scope_known
from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object, ObjectId
from quotalint.text.aliases import aliased_share
from quotalint.text.guards import MAX_DEPTH
from quotalint.text.place import Place, Span
from quotalint.text.scalars import plain

ENVIRONMENT, ORIGIN, ASSUMED = "quotalint.dev/environment", "quotalint.dev/origin", "quotalint.dev/assumed"

Environments = Sequence[tuple[str, Sequence[Object]]]


def render(
    environments: Environments,
    locate: Callable[[Iterable[Place]], Mapping[Place, Span]],
    kube_version: str = "1.34",
    left_out: Container[ObjectId] = frozenset(),
) -> str:
    """Every object of every environment, with where it comes from, what patched it and what was guessed of it."""
    spans = locate({place.real for _, objects in environments for obj in objects for place in _object_places(obj)})
    known = discovery((obj for _, objects in environments for obj in objects), kube_version)
    named_objects = ((name, obj) for name, objects in environments for obj in objects)
    return dump_yaml(
        _annotated_body(obj, name, spans, known) for name, obj in named_objects if obj.identity not in left_out
    )


def render_bare(objects: Iterable[Object], left_out: Container[ObjectId] = frozenset()) -> str:
    """The objects as they are, without a word of ours."""
    return dump_yaml(dict(obj.body) for obj in objects if obj.identity not in left_out)


def render_body(body: Mapping[str, Any]) -> str:
    """One object, or a part of one."""
    return dump_yaml([body])


def too_large(objects: Iterable[Object]) -> Iterator[Object]:
    """The objects for which there is no room: what aliases and copies stand for is written out here each time."""
    left = _MOST_COPIES
    for obj in objects:
        copies = aliased_share((obj.body,))
        left -= copies
        if left < 0 < copies:
            yield obj


_MOST_COPIES = 200_000  # values


def dump_yaml(documents: Iterable[Mapping[str, Any]]) -> str:
    """Documents as YAML that Kubernetes reads back as they are."""
    before = sys.getrecursionlimit()
    # PyYAML calls itself for what lies in each other, of which the reader allows MAX_DEPTH.
    sys.setrecursionlimit(max(before, 12 * MAX_DEPTH))
    try:
        text: str = yaml.dump_all(documents, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
    finally:
        sys.setrecursionlimit(before)
    return _ACTING.sub(lambda match: _escape_character(match[0]), text)


def _object_places(obj: Object) -> Iterator[Place]:
    yield obj.place
    if obj.place.made is not None:
        yield from obj.place.made.patches


def _annotated_body(obj: Object, environment: str, spans: Mapping[Place, Span], known: Discovery) -> dict[str, Any]:
    origins = dict.fromkeys(
        f"{real.source}:{spans[real].line}" for real in (place.real for place in _object_places(obj))
    )
    metadata = dict(obj.metadata)
    if obj.namespace:
        metadata["namespace"] = obj.namespace
    written = mapping(metadata.get("annotations"))
    notes = {ENVIRONMENT: environment, ORIGIN: ", ".join(origins)}
    guesses = list(_guess_words(obj, known))
    if guesses:
        notes[ASSUMED] = "; ".join(guesses)
    metadata["annotations"] = {**written, **notes}
    return {**obj.body, "apiVersion": obj.api_version, "kind": obj.kind, "metadata": metadata}


def _guess_words(obj: Object, known: Discovery) -> Iterator[str]:
    yield from dict.fromkeys(guess.reason for guess in obj.guesses)
    if obj.homeless:
        yield "no namespace is written anywhere, so `default` is taken"
    if obj.namespace and not obj.metadata.get("namespace") and not is_scope_known(known, obj.group, obj.kind):
        yield f"nothing says whether a {obj.kind} has a namespace, so it is taken to have one"


class _Dumper(yaml.CSafeDumper):
    """Writes what Kubernetes reads back as it was."""

    def ignore_aliases(self, data: object) -> bool:
        return True


_WIDTH = (1 << 31) - 1  # Within quotes PyYAML breaks lines at it.
# What terminals and the logs of runners obey. It comes out in double quotes alone, where it has escapes.
_ACTING = re.compile("##\\[|[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_COMMAND = re.compile(r"^\s*::", re.MULTILINE)


def _escape_character(character: str) -> str:
    return "#\\x23[" if character == "##[" else f"\\u{ord(character):04x}"


def _represent_text(dumper: _Dumper, value: str) -> yaml.ScalarNode:
    if _ACTING.search(value) or _COMMAND.search(value):
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"')
    if "\n" in value and value.isascii() and not any(line.endswith((" ", "\t")) for line in value.split("\n")):
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|")
    # What a plain scalar would be another value to Kubernetes, or to a reader of YAML 1.1.
    style = None if plain[value] == value and value.lower() not in ("y", "n") else "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _represent_text)
