"""Values of a helmfile that are not in view, and the guesses made for them, one per cause."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Iterator, Sequence

from quotalint.gitops.helm import ValuesLayer
from quotalint.kube.guess import CONTENT, LEFT_OUT, Guess
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern


class Absent(NamedTuple):
    """Values that are not in view."""

    reason: str
    """A clause: `the values git::… are remote`."""
    folder: str = ""
    """The folder outside the repository that holds them, if that is the cause; of a deep absolute path its first two
    segments."""


def absent_outside(path: str) -> Absent:
    """The Absent value for a values file outside the repository."""
    names = path.split("/")
    folder = "/".join(names[:3]) if posixpath.isabs(path) and len(names) > 3 else posixpath.dirname(path)
    return Absent(f"the values file {path} lies outside the repository", folder)


def guesses_of(absent: Iterable[Absent]) -> tuple[Guess, ...]:
    """The guesses for objects of a release with absent values."""
    return tuple(dict.fromkeys(_guesses_of_absent(tuple(absent))))


def outer_folder(absent: Iterable[Absent]) -> str:
    """The first folder outside the repository that holds values; empty if there is none."""
    return next((hidden.folder for hidden in absent if hidden.folder), "")


def _guesses_of_absent(absent: tuple[Absent, ...]) -> Iterator[Guess]:
    folder = outer_folder(absent)
    for hidden in absent:
        if hidden.folder:
            reason = f"values files in {hidden.folder} lie outside the repository, and may change what is counted"
            yield Guess(CONTENT, reason, cure_for(hidden.folder))
        else:
            cure = cure_for(folder) if hidden.reason.startswith("`.") and folder else _IN_THE_REPOSITORY
            more = "" if ": " in hidden.reason else ", and may change what is counted"
            yield Guess(CONTENT, f"{hidden.reason}{more}", cure)


_IN_THE_REPOSITORY = "keep the values in a file of the repository"


def cure_for(folder: str) -> str:
    """The advice that resolves values in a folder outside the repository."""
    if not posixpath.isabs(folder):
        return _IN_THE_REPOSITORY
    return f"keep stand-ins in the repository and name their folder: `sources: {{{folder}: FOLDER}}`"


def guess_digested_values(layers: Iterable[ValuesLayer], objects: Sequence[Object], folder: str) -> Iterator[Guess]:
    """Guesses for placeholders that a chart consumed, so that its output does not show them. For example, `int` of a
    string is 0. The amounts are then unknown."""
    placeholders = {name for layer in layers for name in _placeholders_in(layer.values)}
    missing = sorted(placeholders.difference(*(_placeholders_in(obj.body) for obj in objects))) if placeholders else ()
    for name in missing:
        reason = f"{name} is not in view, and what the chart makes of it does not show"
        yield Guess(LEFT_OUT, reason, cure_for(folder) if folder else _IN_THE_REPOSITORY)


def _placeholders_in(value: object) -> frozenset[str]:
    return frozenset(_PLACEHOLDER.findall(json.dumps(value, default=str)))


_PLACEHOLDER = lazy_pattern(r"\$\([^()\s]+\)")
