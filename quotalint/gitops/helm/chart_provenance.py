"""Where the fields of what a template comes to are written: in a values file if that can be told, else in the template.

Helm says only which template a document comes from. A field is that of a value if it is equal to it, and either the
template fills in this very value at its key, or the ways to both end in the same keys; and if only one value is so.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from quotalint.gitops.helm import ValuesLayer
from quotalint.gitops.helm.filled_in import FilledIn, leaves_of, written_as
from quotalint.kube.fields import dig, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Mixed, Origin, Path, Place, Whole, place_of

_REFERENCE = lazy_pattern(r"\.Values((?:\.[A-Za-z0-9_-]+)+)")
_KIND = lazy_pattern(r"(?m)^kind: *[\"']?([A-Za-z]+)[\"']?\s*$")
_MAX_VALUES = 50_000  # beyond, every field is that of its template
_DIRECT = 100
_MENTIONED = 5


class WrittenTemplate(NamedTuple):
    """A template as it is written."""

    place: Place
    scope: Path
    """Where in the values of the release those of its chart stand: the names of subcharts."""
    lines: tuple[str, ...]
    """Those that name values, which are few of a long one; they are looked at for each field."""


def lines_that_name_values(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines of a template by which one can tell where a field is written."""
    return tuple(line for line in lines if ".Values." in line)


class WrittenValues:
    """The values of a release, the chart's own among them, and where each is written."""

    def __init__(self, layers: Sequence[ValuesLayer], filled_in: Sequence[ValuesLayer] = ()) -> None:
        """A later layer wins. `filled_in`: what templates among them were filled in with."""
        self._layers = tuple(layers)
        self._filled_in = FilledIn(filled_in)
        self._by_text: dict[str, list[Path]] | None = None
        self._manifests: dict[object, list[tuple[Path, Mapping[str, object]]]] | None = None
        self._texts: dict[str, dict[Path, str]] | None = None

    def origin_of(self, body: Mapping[str, object], template: WrittenTemplate) -> Origin:
        """Where the fields of an object are written."""
        object_path = self._given_object(body)
        base = self.place_of(object_path) if object_path is not None else None
        text_path = self._given_text(body) if base is None else None
        written = self.place_of(text_path) if text_path is not None else None
        if written is not None:
            return Mixed(written, _Fields(body, (), partial(self._filled_origin, body), written))
        origin_of = partial(self._field_place, body, template, object_path)
        return Mixed(base or template.place, _Fields(body, (), origin_of, template.place))

    def _filled_origin(self, body: Mapping[str, object], path: Path, value: object) -> Whole | None:
        """Of a field of an object that a template of helmfile wrote as a text."""
        source = None if value and isinstance(value, (dict, list)) else self._filled_in.source_of(path, value, body)
        return Whole(source) if source else None

    def _field_place(
        self,
        body: Mapping[str, object],
        template: WrittenTemplate,
        object_path: Path | None,
        path: Path,
        value: object,
    ) -> Place | None:
        if object_path is not None and self.value_at((*object_path, *path)) is not None:
            return self.refined_place((*object_path, *path), path, value, body)
        source = None if isinstance(value, (dict, list)) else self.source_of(path, value, template)
        return None if source is None else self.refined_place(source, path, value, body)

    def place_of(self, path: Path) -> Place | None:
        """Where the value at a path is written, in the layer that wins."""
        for layer in reversed(self._layers):
            if _value_in(layer, path) is not None:
                return layer.place if layer.is_flat else layer.place.at(*path[len(layer.scope) :])
        return None

    def value_at(self, path: Path) -> object:
        """What stands at a path, in the layer that wins."""
        for layer in reversed(self._layers):
            layer_value = _value_in(layer, path)
            if layer_value is not None:
                return layer_value
        return None

    def source_of(self, path: Path, value: object, template: WrittenTemplate) -> Path | None:
        """Where among the values that stands that a field at a path was given; None where that cannot be told."""
        best, score, is_tie = None, 0, False
        candidates = list(self._candidates(value, template.scope))
        references = _named_values(template.lines) if candidates else ()
        at_key = _named_values(_lines_of(template.lines, path)) if candidates else ()
        for candidate, inner in candidates:
            value_score = _candidate_score(path, inner, references, at_key)
            if value_score > score:
                best, score, is_tie = candidate, value_score, False
            elif value_score == score and value_score:
                is_tie = True
        return best if best is not None and not is_tie else None

    def refined_place(self, source: Path, path: Path, value: object, body: Mapping[str, object]) -> Place | None:
        """Where the value at `source` is written that the field at a path has: if a template wrote it, where that took
        it from."""
        for layer in reversed(self._layers):
            if _value_in(layer, source) is not None:
                taken = self._filled_in.source_of(path, value, body) if layer.is_flat else None
                return taken or (layer.place if layer.is_flat else layer.place.at(*source[len(layer.scope) :]))
        return None

    def _candidates(self, value: object, scope: Path) -> Iterator[tuple[Path, Path]]:
        """The ways to what equals a value among those that a chart sees, and the same as the chart sees them."""
        for path in self._paths_of_equals(value):
            if path[: len(scope)] == scope:
                yield path, path[len(scope) :]
            elif path[0] == "global":
                yield path, path

    def _paths_of_equals(self, value: object) -> Sequence[Path]:
        written = written_as(value)
        return self._paths_by_text().get(written, ()) if written else ()

    def _paths_by_text(self) -> dict[str, list[Path]]:
        if self._by_text is None:
            self._by_text = {}
            indexed_paths = set()
            number = 0
            for layer in reversed(self._layers):
                for path, value in leaves_of(layer.values, layer.scope):
                    number += 1
                    if number > _MAX_VALUES:
                        self._by_text = {}
                        return self._by_text
                    if path not in indexed_paths:
                        indexed_paths.add(path)
                        self._by_text.setdefault(written_as(value), []).append(path)
        return self._by_text

    def _given_object(self, body: Mapping[str, object]) -> Path | None:
        """Where in the values a whole object stands that a template prints, as `raw` charts do."""
        if self._manifests is None:
            self._manifests = {}
            for layer in self._layers:
                for path, manifest in _objects_in(layer.values, layer.scope):
                    self._manifests.setdefault(text(manifest.get("kind")), []).append((path, manifest))
        manifests = self._manifests.get(text(body.get("kind")), ())
        name = text(dig(body, "metadata", "name"))
        alike = {
            path: None
            for path, value in manifests
            if value.get("apiVersion") == body.get("apiVersion") and text(dig(value, "metadata", "name")) in (name, "")
        }
        templated = {path: None for path, value in manifests if "{{" in text(dig(value, "metadata", "name"))}
        candidates = list(alike or templated)
        return candidates[0] if len(candidates) == 1 else None

    def _given_text(self, body: Mapping[str, object]) -> Path | None:
        """Where in the values the text stands that a template prints as an object, actions of templates and all."""
        if self._texts is None:
            self._texts = {}
            for layer in self._layers:
                for path, value in leaves_of(layer.values, layer.scope):
                    for written in set(_KIND.findall(value)) if isinstance(value, str) else ():
                        self._texts.setdefault(written, {})[path] = str(value)
        candidates = list(self._texts.get(text(body.get("kind")), {}).items())
        for field in ("name", "namespace") if candidates else ():
            wanted = re.escape(text(dig(body, "metadata", field)))
            expression = re.compile(rf"(?m)^[ \t]+{field}: *[\"']?{wanted}[\"']?\s*(?:#.*)?$")
            candidates = [
                candidate for candidate in candidates if wanted and expression.search(candidate[1])
            ] or candidates
        return candidates[0][0] if len(candidates) == 1 else None


class _Fields(Mapping["str | int", Origin]):
    """The origins of what stands in a value, each looked for when it is asked for."""

    def __init__(
        self,
        value: object,
        path: Path,
        origin_of: Callable[[Path, object], Place | Whole | None],
        otherwise: Place,
    ) -> None:
        """What `origin_of` a path and the value there is not known stands somewhere in `otherwise`."""
        self._value = value
        self._path = path
        self._origin_of = origin_of
        self._otherwise = otherwise

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        """Each is equal to itself alone: to compare two would look for all of their origins."""
        return self is other

    def __getitem__(self, key: str | int) -> Origin:
        path = (*self._path, key)
        value = dig(self._value, key)
        origin = self._origin_of(path, value) or Whole(self._otherwise)
        if isinstance(value, (dict, list)) and value:
            return Mixed(place_of(origin), _Fields(value, path, self._origin_of, self._otherwise))
        return origin

    def __iter__(self) -> Iterator[str | int]:
        yield from _keys_of(self._value)

    def __len__(self) -> int:
        return len(_keys_of(self._value))


def _keys_of(value: object) -> Sequence[str | int]:
    return tuple(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()


def _value_in(layer: ValuesLayer, path: Path) -> object:
    length = len(layer.scope)
    return dig(layer.values, *path[length:]) if path[:length] == layer.scope else None


def _objects_in(value: object, path: Path) -> Iterator[tuple[Path, Mapping[str, object]]]:
    """The manifests that stand among values."""
    if isinstance(value, Mapping):
        if path and isinstance(value.get("kind"), str) and isinstance(value.get("apiVersion"), str):
            yield path, value
        for key, inner in value.items():
            yield from _objects_in(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _objects_in(inner, (*path, number))


def _named_values(lines: Sequence[str]) -> tuple[Path, ...]:
    """The values that lines of a template name."""
    return tuple(tuple(reference[1:].split(".")) for line in lines for reference in _REFERENCE.findall(line))


def _lines_of(lines: Sequence[str], path: Path) -> tuple[str, ...]:
    """Those that give the field at a path, as far as one can tell by its key."""
    key = next((str(key) for key in reversed(path) if isinstance(key, str)), "")
    beginnings = (f"{key}:", f'"{key}":', f"'{key}':")
    return tuple(line for line in lines if line.strip().removeprefix("- ").startswith(beginnings))


def _candidate_score(path: Path, candidate: Path, references: Sequence[Path], at_key: Sequence[Path]) -> int:
    """How much speaks for a value to be that of a field; 0: nothing."""
    keys = tuple(key for key in path if isinstance(key, str))
    candidate_keys = tuple(key for key in candidate if isinstance(key, str))
    common = len(posixpath.commonprefix((keys[::-1], candidate_keys[::-1])))
    score = 10 * common
    if any(_leads_to(reference, candidate, keys) for reference in at_key):
        score += _DIRECT
    if score and any(candidate[: len(reference)] == reference for reference in references):
        score += _MENTIONED
    return score


def _leads_to(reference: Path, candidate: Path, keys: Sequence[str | int]) -> bool:
    """Whether a template that names `reference` at the key of a field prints this value there."""
    path_below = candidate[len(reference) :]
    return candidate[: len(reference)] == reference and (
        not path_below or tuple(keys[-len(path_below) :]) == path_below
    )
