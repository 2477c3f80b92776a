"""Finds where the fields of rendered objects are written: in a values file if that is unambiguous, else in the
template.

Helm reports only the template of a document. A field comes from a value if both are equal and exactly one value fits.
It fits if the template inserts it at the field's key, or if both paths end in the same keys.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from quotalint.gitops.helm import ValuesLayer
from quotalint.gitops.helm.filled_in import TemplateInputs, leaves_of, written_as
from quotalint.kube.fields import dig, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Mixed, Origin, Path, Place, Whole, place_of

_REFERENCE = lazy_pattern(r"\.Values((?:\.[A-Za-z0-9_-]+)+)")
_KIND = lazy_pattern(r"(?m)^kind: *[\"']?([A-Za-z]+)[\"']?\s*$")
_MAX_VALUES = 50_000  # with more values, every field gets its template's place
_DIRECT = 100
_MENTIONED = 5


class WrittenTemplate(NamedTuple):
    """The source of a template."""

    place: Place
    scope: Path
    """The path of its chart's values in the release's values: the names of the subcharts."""
    lines: tuple[str, ...]
    """The lines that refer to values, a small part of the template; they are searched for each field."""
    is_parallel: bool = False
    """Whether the document of `place` has the fields of the object, as far as it writes them itself."""


def document_of(kind: str, documents: Sequence[str]) -> int | None:
    """The number of the only document in a template that writes an object of this kind; None if there is not one."""
    numbers = [number for number, text in enumerate(documents) if kind in _KIND.findall(text)]
    return numbers[0] if len(numbers) == 1 else None


def lines_that_name_values(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines of a template that refer to values."""
    return tuple(line for line in lines if ".Values." in line)


class WrittenValues:
    """The values of a release, including the chart's own, and where each is written."""

    def __init__(self, layers: Sequence[ValuesLayer], filled_in: Sequence[ValuesLayer] = ()) -> None:
        """A later layer wins. `filled_in` are the values with which templates among the layers were filled in."""
        self._layers = tuple(layers)
        self._filled_in = TemplateInputs(filled_in)
        self._by_text: dict[str, list[Path]] | None = None
        self._manifests: dict[object, list[tuple[Path, Mapping[str, object]]]] | None = None
        self._texts: dict[str, dict[Path, str]] | None = None

    def origin_of(self, body: Mapping[str, object], template: WrittenTemplate) -> Origin:
        """The origins of an object's fields."""
        object_path = self._given_object(body)
        base = self.place_of(object_path) if object_path is not None else None
        text_path = self._given_text(body) if base is None else None
        written = self.place_of(text_path) if text_path is not None else None
        if written is not None:
            return Mixed(written, _FieldOrigins(body, (), partial(self._filled_origin, body), written))
        origin_of = partial(self._field_place, body, template, object_path)
        otherwise = template.place
        fields = _FieldOrigins(body, (), origin_of, otherwise, is_parallel=template.is_parallel)
        return Mixed(base or otherwise, fields)

    def _filled_origin(self, body: Mapping[str, object], path: Path, value: object) -> Whole | None:
        """The origin of a field of an object that a helmfile template wrote as a string."""
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
        """Where the value at a path is written, in the winning layer."""
        for layer in reversed(self._layers):
            if _value_in(layer, path) is not None:
                return layer.place if layer.is_flat else layer.place.at(*path[len(layer.scope) :])
        return None

    def value_at(self, path: Path) -> object:
        """The value at a path, in the winning layer."""
        for layer in reversed(self._layers):
            layer_value = _value_in(layer, path)
            if layer_value is not None:
                return layer_value
        return None

    def source_of(self, path: Path, value: object, template: WrittenTemplate) -> Path | None:
        """The path of the value from which a field was rendered; None if it is ambiguous."""
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
        """Where the value at `source` is written. If a helmfile template wrote it, the place of that template's
        input."""
        for layer in reversed(self._layers):
            if _value_in(layer, source) is not None:
                taken = self._filled_in.source_of(path, value, body) if layer.is_flat else None
                return taken or (layer.place if layer.is_flat else layer.place.at(*source[len(layer.scope) :]))
        return None

    def _candidates(self, value: object, scope: Path) -> Iterator[tuple[Path, Path]]:
        """The paths of values equal to `value` that a chart sees: each as a release path and as a chart path."""
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
        """The path of a value that is a whole object and is rendered as such, as in `raw` charts."""
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
        """The path of a string value that is rendered as a whole object, template actions included."""
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


class _FieldOrigins(Mapping["str | int", Origin]):
    """The origins of a value's fields, each determined on first access."""

    def __init__(
        self,
        value: object,
        path: Path,
        origin_of: Callable[[Path, object], Place | Whole | None],
        otherwise: Place,
        *,
        is_parallel: bool = False,
    ) -> None:
        """A field for which `origin_of(path, value)` returns None is somewhere in `otherwise`; if that is parallel to
        the value, at the same path."""
        self._value = value
        self._path = path
        self._origin_of = origin_of
        self._otherwise = otherwise
        self._is_parallel = is_parallel

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        """Identity only: comparing contents would determine all origins."""
        return self is other

    def __getitem__(self, key: str | int) -> Origin:
        path = (*self._path, key)
        value = dig(self._value, key)
        otherwise = self._otherwise.at(*path) if self._is_parallel else self._otherwise
        origin = self._origin_of(path, value) or Whole(otherwise)
        if isinstance(value, (dict, list)) and value:
            fields = _FieldOrigins(value, path, self._origin_of, self._otherwise, is_parallel=self._is_parallel)
            return Mixed(place_of(origin), fields)
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
    """The manifests among the values."""
    if isinstance(value, Mapping):
        if path and isinstance(value.get("kind"), str) and isinstance(value.get("apiVersion"), str):
            yield path, value
        for key, inner in value.items():
            yield from _objects_in(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _objects_in(inner, (*path, number))


def _named_values(lines: Sequence[str]) -> tuple[Path, ...]:
    """The paths of the values that these template lines refer to."""
    return tuple(tuple(reference[1:].split(".")) for line in lines for reference in _REFERENCE.findall(line))


def _lines_of(lines: Sequence[str], path: Path) -> tuple[str, ...]:
    """The lines that write the field at a path, judged by its key."""
    key = next((str(key) for key in reversed(path) if isinstance(key, str)), "")
    beginnings = (f"{key}:", f'"{key}":', f"'{key}':")
    return tuple(line for line in lines if line.strip().removeprefix("- ").startswith(beginnings))


def _candidate_score(path: Path, candidate: Path, references: Sequence[Path], at_key: Sequence[Path]) -> int:
    """How likely a field comes from a value; 0: it does not."""
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
    """Whether a template that refers to `reference` at a field's key writes this value there."""
    path_below = candidate[len(reference) :]
    return candidate[: len(reference)] == reference and (
        not path_below or tuple(keys[-len(path_below) :]) == path_below
    )
