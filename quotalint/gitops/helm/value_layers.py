"""The layered values of a release, with the place where each is written."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping

from quotalint.gitops.helm import Release, ValuesLayer
from quotalint.gitops.helm.set_flags import ParameterError, with_parameters
from quotalint.named_tuples import NamedTuple
from quotalint.programs import one_line
from quotalint.text.documents import Reading
from quotalint.text.place import Place


class BrokenFile(NamedTuple):
    """The place at which a file cannot be read."""

    place: Place
    line: int = 0
    """The line and column at which a parser stopped; 0 if unknown."""
    column: int = 0


class ValuesError(Exception):
    """The values of a release cannot be determined; the message says why."""

    def __init__(self, reason: str, broken: BrokenFile | None = None) -> None:
        """`broken` is the place of an invalid values file."""
        super().__init__(reason)
        self.broken = broken


def given_layers(release: Release, reading: Callable[[str], Reading | None], asked: Place) -> tuple[ValuesLayer, ...]:
    """The values that a release passes to its chart, without parameters; the last layer wins. Paths are names for
    `reading`.

    Raises ValuesError if a file cannot be read.
    """
    files = (file_layer(name, reading(name)) for name in release.values_files)
    inline = ValuesLayer(release.values, release.values_place or asked) if release.values else None
    return (*files, *release.layers, *((inline,) if inline else ()))


def file_layer(name: str, reading: Reading | None) -> ValuesLayer:
    """The values of a file. Raises ValuesError."""
    if reading is None:
        raise ValuesError(f"there is no readable {name}")
    if reading.failures:
        failure = reading.failures[0]
        reason = one_line(f"failed to parse {name}: line {failure.line}: {failure.message}")
        # Helm reads only the first document.
        is_first = not any(document.index == 0 for document in reading.documents)
        raise ValuesError(reason, BrokenFile(Place(name), failure.line, failure.column) if is_first else None)
    if not reading.documents:
        return ValuesLayer({}, Place(name))
    document = reading.documents[0]
    if not isinstance(document.value, dict):
        broken = BrokenFile(Place(name, document.index))
        raise ValuesError(f"failed to parse {name}: it is not a map of values", broken)
    return ValuesLayer(document.value, Place(name, document.index))


def merge_layers(layers: Iterator[Mapping[str, object]] | tuple[Mapping[str, object], ...]) -> dict[str, object]:
    """Value maps merged as helm merges values files; later ones win (pkg/cli/values/options.go, MergeMaps)."""
    result: dict[str, object] = {}
    for values in layers:
        result = _merge_maps(result, values)
    return result


def _merge_maps(base: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    result = dict(base)
    for key, value in over.items():
        below = result.get(key)
        result[key] = _merge_maps(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return result


def with_release_parameters(
    values: Mapping[str, object], release: Release, data: Callable[[str], bytes | None]
) -> dict[str, object]:
    """The values with a release's parameters set; `data` returns the bytes of a file.

    Raises ValuesError.
    """
    from quotalint.gitops.helm.program import one_value

    result = dict(values)
    try:
        for name, value, is_string, *_ in release.parameters:
            result = with_parameters(result, f"{name}={one_value(value)}", is_string=is_string)
        for name, file in release.file_parameters:
            content = data(file)
            if content is None:
                raise ValuesError(f"there is no {posixpath.normpath(file)}")
            text = content.decode(errors="replace")
            result = with_parameters(result, f"{name}={_escape_for_set(text)}", is_string=True)
    except ParameterError as error:
        raise ValuesError(one_line(f"failed parsing --set data: {error}")) from None
    return result


def _escape_for_set(text: str) -> str:
    """A string escaped for `--set`."""
    escaped = text.replace("\\", "\\\\").replace(",", "\\,")
    return f"\\{escaped}" if escaped.startswith("{") else escaped


def parameter_layers(release: Release, asked: Place) -> Iterator[ValuesLayer]:
    """The parameters of a release as layers, for finding where a value is written."""
    from quotalint.gitops.helm.program import one_value

    for name, value, is_string, *place in release.parameters:
        try:
            values = with_parameters({}, f"{name}={one_value(value)}", is_string=is_string)
        except ParameterError:
            continue
        yield ValuesLayer(values, (place[0] if place else None) or asked, is_flat=True)
