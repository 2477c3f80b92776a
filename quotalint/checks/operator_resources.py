"""Checks of resources that an operator hands on to the pods of what it runs."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.hit import Hit, check
from quotalint.facts import Facts
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import dig
from quotalint.kube.handed_on import KINDS, resource_paths
from quotalint.kube.objects import Object
from quotalint.kube.pod import pod
from quotalint.kube.pod_validation import decoding_errors, pod_errors
from quotalint.text.place import Path
from quotalint.workloads import makes_pods

_INSIDE: Path = ("spec", "containers", 0, "resources")


@check("QL404", Object, kinds=KINDS)
def operator_resources(obj: Object, facts: Facts) -> Iterator[Hit]:
    if obj.foreign or makes_pods(obj, facts.settings.workloads):
        return
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
                way = (*path, *below[len(_INSIDE) :])
                message = f"{field_path(path)}: {detail}"
                values = {"kind": obj.kind, "name": obj.name, "written": "", "message": message}
                yield Hit(obj.at(*way), values, obj, field_path(way, keyed=("requests", "limits")))
