"""Checks of numbers of pods that no API server would take."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.hit import Hit, check
from quotalint.facts import Facts
from quotalint.kube.amounts import is_stand_in
from quotalint.kube.fields import dig
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

_INT32, _INT64_BITS = 2**31, 64


class Count(NamedTuple):
    """A field that says how many pods there are to be."""

    path: Path
    structure: str
    """The Go structure that has it, which the decoder names."""
    least: int = 0
    below: str = "must be greater than or equal to 0"
    """What validation says of less."""


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


@check("QL405", Object)
def invalid_count(obj: Object, _: Facts) -> Iterator[Hit]:
    for count in _COUNTS.get((obj.group, obj.kind), ()):
        written = dig(obj.body, *count.path)
        if written is None or is_stand_in(written):
            continue  # whatever is filled in may fit
        message = _refusal_message(obj, count, written)
        if message:
            field = ".".join(map(str, count.path))
            values = {"kind": obj.kind, "name": obj.name, "message": message}
            yield Hit(obj.at(*count.path), values, obj, field)


def _refusal_message(obj: Object, count: Count, written: object) -> str:
    """In the API server's words; empty where it takes the number. A whole number may be written as 5.0 or 5e0."""
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
    """As JSON has it. Python writes no whole number of more than 4,300 digits, and 40 are enough to find it by."""
    if isinstance(number, float) or number.bit_length() <= _INT64_BITS:
        return str(number)
    return f"of about {number.bit_length() * 301 // 1000 + 1} digits"
