"""Checks of pods that the API server refuses quota or not: their content, their number, and resources that
an operator passes to its pods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quotalint.accounts.facts import Facts
from quotalint.admission import Admitted
from quotalint.checks.hit import Hit, check
from quotalint.checks.refused_pods import filled_notes
from quotalint.kube.amounts import is_stand_in
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import dig
from quotalint.kube.guess import Guess, guesses_of_both
from quotalint.kube.objects import Object
from quotalint.kube.passthrough_resources import KINDS, resource_paths
from quotalint.kube.pod import Pod, pod
from quotalint.kube.pod_validation import Invalid, decoding_errors, pod_errors
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path
from quotalint.workloads import makes_pods

_KEYED = ("limits", "requests")
_RESOURCES = ("resources", "overhead")


@check("QL404", Object)
def invalid_resources(obj: Object, facts: Facts) -> Iterator[Hit]:
    if (obj.group, obj.kind) in KINDS and not makes_pods(obj, facts.settings.workloads):
        return  # operator_resources
    reported_fields: set[str] = set()
    for admitted in facts.invalid.get(obj.identity, ()):
        errors = [error for error in admitted.invalid if not error.of_priority]
        if not errors or not isinstance(admitted.item, Pod) or admitted.demand.place is None:
            continue
        if admitted.demand.grown or admitted.item.finished:
            continue
        message = _api_message(admitted, obj)
        for error in errors:
            hit = _invalid_pod_hit(admitted, obj, error, message)
            if error.by_plugin:
                hit = hit._replace(guesses=_guesses_of_classes(admitted.item, obj, facts))
            elif admitted.item.filled and not admitted.as_written:
                hit = hit._replace(guesses=_guesses_of_limit_ranges(obj, facts))
            if admitted.guesses and not error.decoding:
                of_policies = (guess for guesses in admitted.guesses.values() for guess in guesses)
                hit = hit._replace(guesses=tuple(dict.fromkeys((*hit.guesses, *of_policies))))
            if hit.field not in reported_fields and not _awaits_filling(admitted, obj, error, facts):
                reported_fields.add(hit.field)
                yield hit


def _invalid_pod_hit(admitted: Admitted, obj: Object, error: Invalid, message: str) -> Hit:
    from quotalint.checks.lazy.pod_remedies import remedy

    assert admitted.demand.place is not None
    prefix = () if error.of_workload else admitted.demand.place.path[len(obj.place.path) :]
    place = obj.at(*error.path) if error.of_workload else admitted.demand.place_of(*error.path)
    path = place.path[len(obj.place.path) :]
    value = dig(obj.body, *path)
    values = {
        "kind": obj.kind,
        "name": obj.name,
        "written": _written_words(value, error),
        "remedy": _SPELLING if _is_unknown_field(error) else remedy(error.path, error.detail, value),
        "message": message,
        "field": field_path(path, keyed=_KEYED) if admitted.demand.parts else _field_below(prefix, error),
    }
    itself = admitted.as_written or (obj.group, obj.kind) == ("", "Pod")
    if error.of_workload:
        variant = "workload"
    elif error.of_template:
        variant = "template"
    elif any(step in _RESOURCES for other in admitted.invalid for step in other.path):
        variant = "itself" if itself else "default"  # one for all errors of a pod, so that they are shown together
    else:
        variant = "pod" if itself else "pods"
    return Hit(place, values, obj, values["field"], variant, notes=filled_notes(admitted.item, error.container))


_SPELLING = (
    "correct the name or the indentation: `resources` has `requests`, `limits` and `claims`, and amounts stand below "
    "the first two"
)


def _awaits_filling(admitted: Admitted, obj: Object, error: Invalid, facts: Facts) -> bool:
    """Whether the amount is filled in before the manifest is applied."""
    if not error.decoding or error.of_workload or admitted.demand.place is None:
        return False
    from quotalint.accounts.filling import is_filled_in_later

    path = (*admitted.demand.place.path[len(obj.place.path) :], *error.path)
    return is_filled_in_later(obj, path, facts)


def _guesses_of_classes(item: Pod, obj: Object, facts: Facts) -> tuple[Guess, ...]:
    """The guesses about a pod and the classes that it is compared with."""
    named = (
        ("scheduling.k8s.io", "PriorityClass", item.priority_class),
        ("node.k8s.io", "RuntimeClass", item.runtime_class),
    )
    return _guesses_beside(
        obj, [other for *kind, name in named for other in facts.cluster.of(*kind) if other.name == name]
    )


def _guesses_of_limit_ranges(obj: Object, facts: Facts) -> tuple[Guess, ...]:
    """The guesses about a pod and the LimitRanges that fill in its defaults."""
    ranges = [limit_range.object for limit_range in facts.limit_ranges if limit_range.namespace == obj.namespace]
    return _guesses_beside(obj, ranges)


def _guesses_beside(obj: Object, others: Iterable[Object]) -> tuple[Guess, ...]:
    return tuple(dict.fromkeys(guess for other in others for guess in guesses_of_both(obj.guesses, other.guesses)))


def _is_unknown_field(error: Invalid) -> bool:
    return error.decoding and error.detail.startswith("unknown")


def _written_words(value: object, error: Invalid) -> str:
    """The wrong value as it is written: ` (container web: memory 32MiMi)`; empty if it is not written."""
    container_words = f"container {error.container}" if error.container else ""
    is_shown = bool(error.path) and value != "" and isinstance(value, (str, int, float))
    value_text = f"{error.path[-1]} {str(value)[:80]}" if is_shown else ""
    description = ": ".join(filter(None, (container_words, value_text)))
    return f" ({description})" if description else ""


def forbidden_message(obj: Object, detail: str) -> str:
    """The API server's message if an admission plugin refuses a pod, or the pods of a workload."""
    called = obj.name if obj.kind == "Pod" else f"{obj.name}-…"
    return f'pods "{called}" is forbidden: {detail}'


def _api_message(admitted: Admitted, obj: Object) -> str:
    """The API server's message for all errors of a pod."""
    decoding = [error for error in admitted.invalid if error.decoding]
    if decoding and admitted.as_written:
        return _cannot_be_read(admitted, obj, decoding)
    if admitted.invalid[0].by_plugin:
        return forbidden_message(obj, admitted.invalid[0].detail)
    in_workload = admitted.as_written and obj.kind != "Pod"
    prefix = admitted.demand.place.path[len(obj.place.path) :] if in_workload and admitted.demand.place else ()
    causes = [f"{_field_below(prefix, error)}: {error.detail}" for error in admitted.invalid]
    group = f".{obj.group}" if in_workload and obj.group else ""
    called = f'{obj.kind}{group} "{obj.name}"' if in_workload or obj.kind == "Pod" else f'Pod "{obj.name}-…"'
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
    begin = "" if error.of_workload else field_path(prefix, keyed=_KEYED)
    return f"{begin}.{error.field}" if begin else error.field


_INT32, _INT64_BITS = 2**31, 64


class Count(NamedTuple):
    """A field with a number of pods."""

    path: Path
    structure: str
    """The Go structure of the field, which the decoder's message names."""
    least: int = 0
    below: str = "must be greater than or equal to 0"
    """The validation message for smaller values."""


_JOB = ("parallelism", "completions")
_TEMPLATE = ("spec", "jobTemplate", "spec")
_COUNTS = {
    ("apps", "Deployment"): (Count(("spec", "replicas"), "DeploymentSpec"),),
    ("apps", "StatefulSet"): (Count(("spec", "replicas"), "StatefulSetSpec"),),
    ("apps", "ReplicaSet"): (Count(("spec", "replicas"), "ReplicaSetSpec"),),
    ("", "ReplicationController"): (Count(("spec", "replicas"), "ReplicationControllerSpec"),),
    ("batch", "Job"): tuple(Count(("spec", field), "JobSpec") for field in _JOB),
    ("batch", "CronJob"): tuple(Count((*_TEMPLATE, field), "JobSpec") for field in _JOB),
    ("autoscaling", "HorizontalPodAutoscaler"): (
        Count(("spec", "minReplicas"), "HorizontalPodAutoscalerSpec", 0, "must be greater than or equal to 1"),
        Count(("spec", "maxReplicas"), "HorizontalPodAutoscalerSpec", 1, "must be greater than 0"),
    ),
}


@check("QL405", Object, kinds=_COUNTS)
def invalid_count(obj: Object, _: Facts) -> Iterator[Hit]:
    hits = [hit for count in _COUNTS[obj.group, obj.kind] for hit in _count_hits(obj, count)]
    yield from hits
    if not hits and (obj.group, obj.kind) == ("autoscaling", "HorizontalPodAutoscaler"):
        least, most = obj.spec.get("minReplicas"), obj.spec.get("maxReplicas")
        if isinstance(least, int) and isinstance(most, int) and most < least:
            detail = f"Invalid value: {most}: must be greater than or equal to `minReplicas`"
            message = f'HorizontalPodAutoscaler.autoscaling "{obj.name}" is invalid: spec.maxReplicas: {detail}'
            yield _count_hit(obj, ("spec", "maxReplicas"), message, "bounds")


def _count_hits(obj: Object, count: Count) -> Iterator[Hit]:
    written = dig(obj.body, *count.path)
    if written is None or is_stand_in(written):
        return  # the substituted value may be valid
    message = _refusal_message(obj, count, written)
    if message:
        yield _count_hit(obj, count.path, message)


def _count_hit(obj: Object, path: Path, message: str, variant: str = "default") -> Hit:
    values = {"kind": obj.kind, "name": obj.name, "message": message}
    return Hit(obj.at(*path), values, obj, ".".join(map(str, path)), variant=variant)


def _refusal_message(obj: Object, count: Count, written: object) -> str:
    """The API server's message; empty if it accepts the number. A whole number may be written as 5.0 or 5e0."""
    field = ".".join(map(str, count.path))
    if isinstance(written, bool) or not isinstance(written, (int, float)):
        return _decoding_message(obj, count, _json_type(written))
    if not -_INT32 <= written < _INT32 or written != int(written):
        return _decoding_message(obj, count, f"number {_number_text(written)}")
    if written < count.least:
        called = f"{obj.kind}.{obj.group}" if obj.group else obj.kind
        return f'{called} "{obj.name}" is invalid: {field}: Invalid value: {int(written)}: {count.below}'
    return ""


def _decoding_message(obj: Object, count: Count, json_type: str) -> str:
    field = f"{count.structure}.{'.'.join(map(str, count.path))}"
    return (
        f'{obj.kind} in version "{obj.version}" cannot be handled as a {obj.kind}: '
        f"json: cannot unmarshal {json_type} into Go struct field {field} of type int32"
    )


def _json_type(value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, dict):
        return "object"
    return "array" if isinstance(value, list) else "string"


def _number_text(number: int | float) -> str:
    """A number as JSON has it. Python does not print integers with more than 4,300 digits, so longer numbers are
    abbreviated."""
    if isinstance(number, float) or number.bit_length() <= _INT64_BITS:
        return str(number)
    return f"of about {number.bit_length() * 301 // 1000 + 1} digits"


_INSIDE: Path = ("spec", "containers", 0, "resources")


@check("QL404", Object, kinds=KINDS)
def operator_resources(obj: Object, facts: Facts) -> Iterator[Hit]:
    if obj.foreign or makes_pods(obj, facts.settings.workloads):
        return
    found: list[tuple[Path, Path, str]] = []
    for path in resource_paths(obj.group, obj.kind, obj.body):
        body = {"spec": {"containers": [{"name": "operator", "resources": dig(obj.body, *path)}]}}
        parsed_pod = pod(body)
        unread = [
            (unknown.path, unknown.reason) for unknown in parsed_pod.unknowns if "not a quantity" in unknown.reason
        ]
        invalid = [
            (error.path, error.detail.replace("{}", "")) for error in decoding_errors(body) or pod_errors(parsed_pod)
        ]
        for below, detail in unread or invalid:
            if below[: len(_INSIDE)] == _INSIDE:
                found.append((path, below[len(_INSIDE) :], detail))
    message = ", ".join(dict.fromkeys(f"{field_path(path)}: {detail}" for path, _, detail in found))
    for path, below, detail in found:
        yield _operator_hit(obj, path, below, detail, message)


def _operator_hit(obj: Object, path: Path, below: Path, detail: str, message: str) -> Hit:
    from quotalint.checks.lazy.pod_remedies import remedy

    full_path = (*path, *below)
    field = field_path(full_path, keyed=("requests", "limits"))
    values = {
        "kind": obj.kind,
        "name": obj.name,
        "written": "",
        "remedy": remedy(full_path, detail, dig(obj.body, *full_path)),
        "message": message,
        "field": field,
    }
    return Hit(obj.at(*full_path), values, obj, field)
