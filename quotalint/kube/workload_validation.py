"""Why the API server refuses a workload whose valid pod template conflicts with its spec. Templates without labels and
Jobs without a restart policy are refused too, but not checked here.

Source: Kubernetes 1.36, pkg/apis/apps/validation/validation.go (ValidatePodTemplateSpecForReplicaSet,
ValidateStatefulSetSpec, ValidateDaemonSetSpec) and pkg/apis/batch/validation/validation.go (validateJobSpec).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from quotalint.kube.amounts import is_stand_in
from quotalint.kube.fields import Body, mapping
from quotalint.kube.label_selectors import selector_keys, selects
from quotalint.kube.pod_validation import Invalid
from quotalint.text.place import Path

_CALLED: Mapping[tuple[str, str], str] = {
    ("apps", "DaemonSet"): "DaemonSet",
    ("apps", "Deployment"): "ReplicaSet",
    ("apps", "ReplicaSet"): "ReplicaSet",
    ("apps", "StatefulSet"): "StatefulSet",
}
"""The kinds whose pods are always restarted, and their names in validation messages."""
_OPERATORS = ("DoesNotExist", "Exists", "In", "NotIn")


def workload_errors(group: str, kind: str, spec: Body, template: Body) -> Iterator[Invalid]:
    """The conflicts between a pod template and the spec that contains it."""
    pod_spec = mapping(template.get("spec"))
    policy = pod_spec.get("restartPolicy")
    called = _CALLED.get((group, kind))
    if called is None:
        if group == "batch" and policy == "Always":
            yield _invalid(("spec", "restartPolicy"), 'Required value: valid values: "OnFailure", "Never"')
        return
    labels = mapping(mapping(template.get("metadata")).get("labels"))
    # Reports and snapshots have workloads without their template's labels.
    if labels and _misses(spec.get("selector"), labels):
        shown = json.dumps(labels, separators=(",", ":"), sort_keys=True)
        yield _invalid(("metadata", "labels"), f"Invalid value: {shown}: `selector` does not match template `labels`")
    if policy in ("Never", "OnFailure"):
        yield _invalid(("spec", "restartPolicy"), f'Unsupported value: "{policy}": supported values: "Always"')
    if isinstance(pod_spec.get("activeDeadlineSeconds"), int):
        detail = f"Forbidden: activeDeadlineSeconds in {called} is not Supported"
        yield _invalid(("spec", "activeDeadlineSeconds"), detail)


def _invalid(path: Path, detail: str) -> Invalid:
    return Invalid(".".join(map(str, path)), path, detail, "", of_template=True)


def _misses(selector: object, labels: Body) -> bool:
    """Whether a selector does not match these labels, as far as all of them are known; a missing selector matches
    nothing."""
    wanted = selector.get("matchLabels") if isinstance(selector, dict) and len(selector) == 1 else None
    if isinstance(wanted, dict) and wanted.items() <= labels.items():
        return False  # the common case: no placeholder needs to be checked
    words = _deciding_words(mapping(selector), labels)
    known = all(isinstance(word, str) and not is_stand_in(word) for word in words)
    return selector is None or (bool(selector_keys(selector)) and known and not selects(selector, labels))


def _deciding_words(selector: Body, labels: Body) -> Iterator[object]:
    """All values that decide whether these labels are selected; malformed parts are returned unchanged."""
    for pairs in (labels, mapping(selector.get("matchLabels"))):
        yield from pairs
        yield from pairs.values()
    for expression in map(mapping, _items(selector.get("matchExpressions"))):
        operator = expression.get("operator")
        yield operator if operator in _OPERATORS else None
        yield expression.get("key")
        yield from _items(expression.get("values"))


def _items(written: object) -> Iterable[object]:
    """The items of a list; a single None if it is no list."""
    return written if isinstance(written, list) else () if written is None else (None,)
