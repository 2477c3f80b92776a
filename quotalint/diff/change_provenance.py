"""A changed field → the changed line that sets it, also for rendered and patched objects."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from quotalint.diff.edited_lines import Replaced, WrittenLines
from quotalint.diff.field_changes import FieldChange
from quotalint.diff.lines import Locate
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path, Place, Span

_TEMPLATES = "/templates/"


class WrittenLine(NamedTuple):
    """A line that the change wrote."""

    file: str
    span: Span


class Provenance:
    """Finds the changed lines of fields; it reads the changed lines once."""

    def __init__(self, edited: WrittenLines, locate: Locate) -> None:
        self._edited, self._locate = edited, locate
        self._written: tuple[Replaced, ...] | None = None

    def of_place(self, place: Place) -> WrittenLine | None:
        """The line of a value, if the change wrote it."""
        real = place.real
        if not self._edited.lines(real.source):
            return None
        span = self._locate([real])[real]
        return WrittenLine(real.source, span) if span.line in self._edited.lines(real.source) else None

    def of_field(self, obj: Object, change: FieldChange) -> WrittenLine | None:
        """The changed line that set a field: where it is written, what includes the object, a line that goes from the
        old value to the new one, or the place of removed lines."""
        place = obj.at(*change.path)
        return (
            (self.of_place(place) if change.new is not None else None)
            or self._way_in(obj)
            or self._of_value(obj, change)
            or self._nearest_gap(obj, place)
        )

    def of_object(self, obj: Object, *paths: tuple[str | int, ...]) -> WrittenLine | None:
        """The changed line that added an object: one of these fields, its beginning, or what lists it."""
        for path in paths:
            line = self.of_place(obj.at(*path))
            if line is not None:
                return line
        return (
            self.of_place(obj.place)
            or self._way_in(obj)
            or self._nearest_gap(obj, obj.place)
            or (self._turned_on(obj) if _TEMPLATES in obj.place.file else None)
        )

    def _way_in(self, obj: Object) -> WrittenLine | None:
        """The changed line that lists or patches the object."""
        rendering = obj.place.made
        for place in (*reversed(rendering.via), *rendering.patches) if rendering is not None else ():
            line = self.of_place(place)
            if line is not None:
                return line
        return None

    def _of_value(self, obj: Object, change: FieldChange) -> WrittenLine | None:
        """A line that goes from the old value to the new one: near a file of the object, or the only one at all."""
        if isinstance(change.new, dict | list) or change.new is None:
            return None
        key = str(change.path[-1]).lower()  # as in REPLICAS, maxReplicas
        related = set(object_files(obj))
        rated: list[tuple[int, Replaced]] = []
        for replaced in self._all_written():
            if _says_value(replaced.text, change.new) and any(
                _says_value(text, change.old) for text in replaced.before
            ):
                near = any(_lies_near(replaced.file, file) for file in related)
                rated.append((2 * (key in replaced.text.lower()) + near, replaced))
        best = max((rate for rate, _ in rated), default=0)
        best_lines = [replaced for rate, replaced in rated if rate == best]
        if not best_lines or (best < 2 and len(best_lines) > 1):
            return None
        return _whole_line(best_lines[0])

    def _turned_on(self, obj: Object) -> WrittenLine | None:
        """The line of a values file that goes from false to true and so enables a subchart. Near the chart, or the only
        one at all; None if there are several."""
        own = obj.place.file.rpartition(_TEMPLATES)[0]
        chart = own.rpartition("/charts/")[0] or own
        written = [
            replaced
            for replaced in self._all_written()
            if _says_value(replaced.text, True) and any(_says_value(text, False) for text in replaced.before)
        ]
        near = [replaced for replaced in written if _lies_near(replaced.file, f"{chart}/Chart.yaml")] or written
        return _whole_line(near[0]) if len(near) == 1 else None

    def _nearest_gap(self, obj: Object, place: Place) -> WrittenLine | None:
        """The seam (added or removed lines) nearest to a place, in a file of the object; in a values file, a seam among
        the values that the object uses."""
        here = place.real
        for file in dict.fromkeys((here.source, *object_files(obj), *(given.source for given in _given_places(obj)))):
            seams = self._edited.seams(file)
            if seams:
                line = self._locate([here])[here].line if file == here.source else 1
                among = None if file == here.source else self._seam_among(obj, file, seams)
                near = among or min(seams, key=lambda seam: (abs(seam - line), seam))
                return WrittenLine(file, Span(near, 1, near, 1))
        return None

    def _seam_among(self, obj: Object, file: str, seams: Collection[int]) -> int | None:
        """The seam in the innermost mapping with a value of the object, above that value: `enabled: true`."""
        places = [place for place in _given_places(obj) if place.source == file]
        spans = self._locate([_cut(place, depth) for place in places for depth in range(1, len(place.path) + 1)])
        rated: list[tuple[int, int]] = []
        for place in places:
            for depth in range(1, len(place.path)):
                begin, end = spans[_cut(place, depth)].line, spans[place].line
                rated += [(depth, seam) for seam in seams if begin <= seam <= end]
        return max(rated)[1] if rated else None

    def _all_written(self) -> tuple[Replaced, ...]:
        if self._written is None:
            self._written = tuple(self._edited.written_lines())
        return self._written


def object_files(obj: Object) -> Iterator[str]:
    """All files that an object is made of."""
    yield obj.place.file
    rendering = obj.place.made
    if rendering is not None:
        yield from (place.file for place in (*rendering.patches, *reversed(rendering.via)))


def _given_places(obj: Object) -> tuple[Place, ...]:
    """The places in values files that set fields of a templated object."""
    if obj.place.made is None:
        return ()
    own = obj.place.file
    written = (obj.at(*path).real for path in _leaf_paths(obj.body))
    return tuple(dict.fromkeys(place for place in written if place.source != own and place.path))


def _leaf_paths(value: object, path: Path = ()) -> Iterator[Path]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        if isinstance(below, dict | list):
            yield from _leaf_paths(below, (*path, key))
        else:
            yield (*path, key)


def _cut(place: Place, depth: int) -> Place:
    return place._replace(path=place.path[:depth])


def _lies_near(file: str, other: str) -> bool:
    """Whether a file is in the folder of another, or below it."""
    folder = other.rpartition("/")[0]
    return file.startswith(f"{folder}/") if folder else True


def _says_value(text: str, value: object) -> bool:
    if value is None:
        return False
    text_of_value = {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    return re.search(rf"(?<![\w.-]){re.escape(text_of_value)}(?![\w-]|\.\w)", text) is not None


def _whole_line(replaced: Replaced) -> WrittenLine:
    indent = len(replaced.text) - len(replaced.text.lstrip())
    return WrittenLine(replaced.file, Span(replaced.line, indent + 1, replaced.line, len(replaced.text.rstrip()) + 1))
