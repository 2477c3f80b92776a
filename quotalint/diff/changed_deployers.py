"""An object that comes or changes without a new line of its own → the changed line of its deployer: a new Application,
another element of an ApplicationSet, another path of a Flux Kustomization."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.deployed import is_deployer
from quotalint.diff.change_provenance import Provenance, WrittenLine, object_files
from quotalint.diff.field_changes import field_changes
from quotalint.kube.objects import Object, Ref

_PATHS = frozenset({"path", "chart"})


def deploying_line(
    obj: Object, old: Mapping[Ref, Object], new: Mapping[Ref, Object], trace: Provenance
) -> WrittenLine | None:
    """The first changed line of a deployer whose path leads to a file of the object."""
    lines = (_changed_line(before, deployer, trace) for before, deployer in changed_deployers(obj, old, new))
    return next(filter(None, lines), None)


def changed_deployers(
    obj: Object, old: Mapping[Ref, Object], new: Mapping[Ref, Object]
) -> Iterator[tuple[Object | None, Object]]:
    """The new or changed deployers of an object, each before and after the change."""
    for ref, deployer in new.items():
        before = old.get(ref)
        is_changed = before is None or before.body != deployer.body
        if is_changed and is_deployer(deployer) and any(_leads_to(deployer, file) for file in object_files(obj)):
            yield before, deployer


def _changed_line(before: Object | None, deployer: Object, trace: Provenance) -> WrittenLine | None:
    if before is None:
        return trace.of_object(deployer)
    lines = (trace.of_field(deployer, change) for change in field_changes(before.body, deployer.body))
    return next(filter(None, lines), None)


def _leads_to(deployer: Object, file: str) -> bool:
    """Whether a file lies below a path of a deployer; the part that a template fills in matches anything."""
    for path in _paths(deployer.spec):
        begin, template, _ = path.removeprefix("./").lstrip("/").partition("{{")
        begin = begin if template else f"{begin.rstrip('/')}/"
        if f"/{begin}" in f"/{file}":
            return True
    return False


def _paths(value: object) -> Iterator[str]:
    for key, below in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(below, str):
            if key in _PATHS and below.strip("./"):
                yield below
        else:
            yield from _paths(below)
