"""Where a value of a helmfile template's output is written: among the environment's values, if that is unambiguous."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from quotalint.gitops.helm import ValuesLayer
from quotalint.kube.fields import dig, text
from quotalint.text.place import Path, Place


# Scalar values inside nested values.
def leaves_of(value: object, path: Path) -> Iterator[tuple[Path, object]]:
    """The scalars in a value with their paths, which begin with `path`."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves_of(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from leaves_of(inner, (*path, number))
    elif path:
        yield path, value


def written_as(value: object) -> str:
    """A scalar as a template prints it; empty for null."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return "" if value is None else str(value)


_MOST_VALUES = 50_000


class TemplateInputs:
    """The values with which templates were filled in."""

    def __init__(self, layers: Sequence[ValuesLayer]) -> None:
        """A later layer wins."""
        self._layers = layers
        self._by_text: dict[str, dict[Path, Place]] | None = None

    def source_of(self, path: Path, value: object, body: Mapping[str, object]) -> Place | None:
        """Where the value of an object's field is written; None if that is ambiguous.

        Both paths must end in the same keys. A candidate whose path has the object's name or namespace is preferred,
        then the shortest.
        """
        written = written_as(value)
        keys = _dotted_keys(path)
        names = {text(dig(body, "metadata", "namespace")), text(dig(body, "metadata", "name"))} - {""}
        best: tuple[int, int, int] = (0, 0, 0)
        filled_places: list[Place] = []
        for candidate, place in self._index_of_texts().get(written, {}).items() if written else ():
            common = len(posixpath.commonprefix((keys[::-1], _dotted_keys(candidate)[::-1])))
            rank = (len(names.intersection(map(str, candidate))), common, -len(candidate))
            if common and rank >= best:
                filled_places = [*filled_places, place] if rank == best else [place]
                best = rank
        return filled_places[0] if len(filled_places) == 1 else None

    def _index_of_texts(self) -> Mapping[str, Mapping[Path, Place]]:
        if self._by_text is None:
            self._by_text = {}
            indexed_paths: set[Path] = set()
            for layer in reversed(self._layers):
                for path, value in leaves_of(layer.values, layer.scope):
                    if path not in indexed_paths and len(indexed_paths) < _MOST_VALUES:
                        indexed_paths.add(path)
                        place = layer.place if layer.is_flat else layer.place.at(*path[len(layer.scope) :])
                        self._by_text.setdefault(written_as(value), {})[path] = place
        return self._by_text


def _dotted_keys(path: Path) -> tuple[str, ...]:
    """The keys of a path, split at dots: `requests.cpu` gives two."""
    return tuple(part for key in path if isinstance(key, str) for part in key.split("."))
