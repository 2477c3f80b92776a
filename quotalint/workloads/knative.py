"""Knative's Service and Configuration.

Source: Knative Serving 0.50 (1.19): pkg/apis/autoscaling/register.go, config/core/configmaps/{autoscaler,gc}.yaml,
pkg/reconciler/revision/resources/{deploy,queue}.go, pkg/reconciler/serverlessservice/resources/services.go,
pkg/reconciler/route/resources/service.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.objects import Object
from quotalint.workloads.demand import (
    ROLLOUT,
    Demand,
    Kept,
    Numbers,
    Size,
    Step,
    Surroundings,
    implied_objects,
    pods,
    unknown_because,
)

_ANNOTATIONS = "autoscaling.knative.dev/"
_OLD = 20  # kept revisions without traffic; min-non-active-revisions
_PATH = ("spec", "template", "metadata", "annotations")


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The revisions of the object, each with a Deployment and Services, and the pods of the newest ones."""
    yield from _made_objects(obj)
    size = _size_of_service(obj)
    yield from pods(obj, obj.spec.get("template"), obj.at("spec", "template"), size, surroundings)


def _size_of_service(obj: Object) -> Size:
    """One pod while there are requests, within the scale bounds. A new revision starts beside the old one, and each may
    grow to the maximum."""
    reasons = [unknown_because(obj, "the container queue-proxy that Knative adds to each pod is not counted")]
    least = _scale_of(obj, "min-scale", "minScale", 0, reasons)
    most = _scale_of(obj, "max-scale", "maxScale", 0, reasons)
    first = _scale_of(obj, "initial-scale", "initialScale", 1, reasons)
    steady = max(1, least)
    if most:
        steady = min(steady, most)
    else:
        reasons.append(unknown_because(obj, "without max-scale nothing limits how many pods there may be"))
    high = max(steady, most)
    new = max(steady, first)
    step = Step(ROLLOUT, "a new revision starts beside the old one", _PATH)
    numbers = Numbers(steady, steady + new, high, high + max(high, new))
    because = f"min-scale {least}" if steady == least and least > 1 else "one pod while there are requests"
    return Size(numbers, because, tuple(reasons), step, obj if most else None)


def _scale_of(obj: Object, name: str, old_name: str, default: int, reasons: list[str]) -> int:
    annotations = mapping(dig(obj.body, *_PATH))
    written = annotations.get(_ANNOTATIONS + name, annotations.get(_ANNOTATIONS + old_name))
    if written is None:
        return default
    count_text = text(written)
    if isinstance(written, (str, int)) and count_text.isascii() and count_text.isdigit() and len(count_text) < 10:
        return int(count_text)
    reasons.append(unknown_because(obj, f"{_ANNOTATIONS}{name} is not a number of pods: {str(written)[:40]!r}"))
    return default


def _made_objects(obj: Object) -> Iterator[Demand]:
    # Of Services there is a public and a private one.
    made = ((obj.group, "Revision", 1), ("apps", "Deployment", 1), ("apps", "ReplicaSet", 1), ("", "Service", 2))
    for group, kind, each in made:
        revisions = Numbers(*(each * number for number in (1, 2, 1, 2 + _OLD)))
        yield implied_objects(obj, group, kind, revisions)._replace(kept=Kept(each * _OLD, each, ROLLOUT))
    if obj.kind == "Service":
        yield implied_objects(obj, obj.group, "Configuration", name=obj.name)
        yield implied_objects(obj, obj.group, "Route", name=obj.name)
        yield implied_objects(obj, "", "Service", name=obj.name)
