"""Checks of manifests with placeholders that nothing fills in."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, check
from quotalint.kube.amounts import is_placeholder, is_stand_in
from quotalint.kube.fields import mapping, sequence
from quotalint.kube.kinds import limits_namespace
from quotalint.kube.limit_range import FIELDS
from quotalint.kube.objects import Object
from quotalint.text.place import Path
from quotalint.text.reading import File


@check("QL007", Object)
def unfilled_placeholder(obj: Object, facts: Facts) -> Iterator[Hit]:
    metadata = obj.metadata
    if not (limits_namespace(obj) or is_stand_in(metadata.get("name")) or is_stand_in(metadata.get("namespace"))):
        return  # the common case
    placeholders = list(unfilled_fields(obj))
    if placeholders and not obj.foreign:
        from quotalint.accounts.filling import is_filled_in

        for path, written in placeholders:
            if not is_filled_in(obj, path, written, facts):
                values = {"kind": obj.kind, "written": written, "field": ".".join(map(str, path))}
                yield Hit(obj.at(*path), values, obj, ".".join(map(str, path)))


@check("QL007", File)
def template_among_manifests(file: File, facts: Facts) -> Iterator[Hit]:
    """Reports templates among manifests: unquoted `{{ … }}` is invalid YAML, so the file cannot be read."""
    if file.reading.failures and file.templated and file.claims and not file.source.explicit:
        from quotalint.checks.lazy.unread_actions import first_action

        hit = first_action(file, facts)
        if hit is not None:
            yield hit


def unfilled_fields(obj: Object) -> Iterator[tuple[Path, str]]:
    """The paths of names and amounts that are placeholders, and their values."""
    metadata = obj.metadata
    for field in ("name", "namespace"):
        written = metadata.get(field)
        if isinstance(written, str) and is_stand_in(written):
            yield ("metadata", field), written
    if not limits_namespace(obj):
        return
    for name, written in mapping(obj.spec.get("hard")).items():
        if isinstance(written, str) and is_placeholder(written):
            yield ("spec", "hard", name), written
    for number, item in enumerate(sequence(obj.spec.get("limits"))):
        for field in FIELDS:
            for name, written in mapping(mapping(item).get(field)).items():
                if isinstance(written, str) and is_placeholder(written):
                    yield ("spec", "limits", number, field, name), written
