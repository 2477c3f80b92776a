"""Checks of pods that no API server would take, quota or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.admission import Admitted
from quotalint.checks.hit import Hit, check
from quotalint.checks.refused_pods import filled_notes
from quotalint.facts import Facts
from quotalint.kube.api_error import field_path
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.pod_validation import Invalid
from quotalint.text.place import Path

_KEYED = ("limits", "requests")


@check("QL404", Object)
def invalid_resources(obj: Object, facts: Facts) -> Iterator[Hit]:
    reported_fields: set[str] = set()
    for admitted in facts.invalid.get(obj.identity, ()):
        if not admitted.invalid or not isinstance(admitted.item, Pod) or admitted.demand.place is None:
            continue
        if admitted.demand.grown or admitted.item.finished:
            continue
        message = _api_message(admitted, obj)
        for error in admitted.invalid:
            hit = _invalid_pod_hit(admitted, obj, error, message)
            if hit.field not in reported_fields:
                reported_fields.add(hit.field)
                yield hit


def _invalid_pod_hit(admitted: Admitted, obj: Object, error: Invalid, message: str) -> Hit:
    assert admitted.demand.place is not None
    prefix = admitted.demand.place.path[len(obj.place.path) :]
    values = {
        "kind": obj.kind,
        "name": obj.name,
        "written": _written_words(obj, (*prefix, *error.path), error),
        "message": message,
        "field": _field_below(prefix, error),
    }
    itself = admitted.as_written or (obj.group, obj.kind) == ("", "Pod")
    variant = "unknown" if _is_unknown_field(error) else "itself" if itself else "default"
    place = admitted.demand.place.at(*error.path)
    return Hit(place, values, obj, values["field"], variant, notes=filled_notes(admitted.item, error.container))


def _is_unknown_field(error: Invalid) -> bool:
    return error.decoding and error.detail.startswith("unknown")


def _written_words(obj: Object, path: Path, error: Invalid) -> str:
    """What is wrong as the manifest has it: ` (container web: memory 32MiMi)`; nothing where nobody wrote it."""
    value: object = obj.body
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        else:
            value = value[step] if isinstance(value, list) and isinstance(step, int) and step < len(value) else None
    whose = f"container {error.container}" if error.container else ""
    value_text = f"{path[-1]} {value}" if path and isinstance(value, (str, int, float)) else ""
    description = ": ".join(filter(None, (whose, value_text)))
    return f" ({description})" if description else ""


def _api_message(admitted: Admitted, obj: Object) -> str:
    """What the API server says of it, in one sentence."""
    decoding = [error for error in admitted.invalid if error.decoding]
    if decoding and admitted.as_written:
        return _cannot_be_read(admitted, obj, decoding)
    whose = admitted.as_written and obj.kind != "Pod"
    prefix = admitted.demand.place.path[len(obj.place.path) :] if whose and admitted.demand.place else ()
    causes = [f"{_field_below(prefix, error)}: {error.detail}" for error in admitted.invalid]
    group = f".{obj.group}" if whose and obj.group else ""
    called = f'{obj.kind}{group} "{obj.name}"' if whose or obj.kind == "Pod" else f'Pod "{obj.name}-…"'
    return f"{called} is invalid: {causes[0] if len(causes) == 1 else '[' + ', '.join(causes) + ']'}"


def _cannot_be_read(admitted: Admitted, obj: Object, errors: Sequence[Invalid]) -> str:
    assert admitted.demand.place is not None
    begin = field_path(admitted.demand.place.path[len(obj.place.path) :])
    unknown = [
        error.detail.replace("{}", f"{begin}." if begin else "", 1) for error in errors if _is_unknown_field(error)
    ]
    unreadable = [error.detail for error in errors if not _is_unknown_field(error)]
    if unreadable:
        return f'{obj.kind} in version "{obj.version}" cannot be handled as a {obj.kind}: {unreadable[0]}'
    return f"strict decoding error: {', '.join(unknown)}"


def _field_below(prefix: Path, error: Invalid) -> str:
    begin = field_path(prefix, keyed=_KEYED)
    return f"{begin}.{error.field}" if begin else error.field
