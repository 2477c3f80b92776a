"""Why the API server refuses a workload for a pod template that is sound by itself and does not go with it. What is not
written (a selector, labels, the restart policy of a Job) is refused as well, and not looked at here.

Source: Kubernetes 1.36, pkg/apis/apps/validation/validation.go (ValidatePodTemplateSpecForReplicaSet,
ValidateStatefulSetSpec, ValidateDaemonSetSpec) and pkg/apis/batch/validation/validation.go (validateJobSpec).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

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
"""The kinds whose pods are always restarted, and how validation calls them."""


def workload_errors(group: str, kind: str, spec: Body, template: Body) -> Iterator[Invalid]:
    """What is wrong with a pod template beside the spec that it belongs to."""
    pod_spec = mapping(template.get("spec"))
    policy = pod_spec.get("restartPolicy")
    called = _CALLED.get((group, kind))
    if called is None:
        if group == "batch" and policy == "Always":
            yield _invalid(("spec", "restartPolicy"), 'Required value: valid values: "OnFailure", "Never"')
        return
    labels = mapping(mapping(template.get("metadata")).get("labels"))
    # Reports and snapshots hold workloads without the labels of their templates.
    if labels and _misses(spec.get("selector"), labels):
        shown = json.dumps(labels, separators=(",", ":"), sort_keys=True)
        yield _invalid(("metadata", "labels"), f"Invalid value: {shown}: `selector` does not match template `labels`")
    if policy in ("Never", "OnFailure"):
        yield _invalid(("spec", "restartPolicy"), f'Unsupported value: "{policy}": supported values: "Always"')
    if isinstance(pod_spec.get("activeDeadlineSeconds"), int):
        detail = f"Forbidden: activeDeadlineSeconds in {called} is not Supported"
        yield _invalid(("spec", "activeDeadlineSeconds"), detail)


def _invalid(path: Path, detail: str) -> Invalid:
    return Invalid(".".join(map(str, path)), path, detail, "")


def _misses(selector: object, labels: Body) -> bool:
    """Whether a selector asks for other labels than these, as far as all of them are known."""
    keys = selector_keys(selector)
    written = (*labels.values(), *mapping(mapping(selector).get("matchLabels")).values())
    known = all(isinstance(value, str) and not is_stand_in(value) for value in written)
    return bool(keys) and known and not any(map(is_stand_in, (*keys, *labels))) and not selects(selector, labels)
