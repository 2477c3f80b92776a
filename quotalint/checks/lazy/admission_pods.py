"""A pod as ValidatingAdmissionPolicies get it: after the plugins before them have filled in fields.

Source: Kubernetes 1.36, pkg/kubeapiserver/options/plugins.go (AllOrderedPlugins); plugin/pkg/admission/serviceaccount/
admission.go (Admit, mountServiceAccountToken, TokenVolumeSource); plugin/pkg/admission/limitranger/admission.go
(mergeContainerResources).
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from quotalint.accounts.facts import Facts
from quotalint.admission import Admitted
from quotalint.kube import quantity
from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.pod import Container, Pod
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.stored_objects import FILLED_IN_PODS, stored_object

Body = dict[str, Any]

_MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount"
_TOKEN = "kube-api-access"
"""The prefix of the volume's name; five random characters follow."""


def pod_bodies(
    body: Mapping[str, Any], admission: Admitted, namespace: str, facts: Facts
) -> tuple[tuple[Body, ...], frozenset[str]]:
    """The possible bodies of a pod, and the names of fields that may get unknown values. There are two bodies if it is
    unknown whether the service account's token is mounted."""
    pod = stored_object("", "v1", "Pod", namespace, body)
    spec: Body = pod["spec"]
    filled = set(FILLED_IN_PODS)
    if isinstance(admission.item, Pod):
        filled |= _fill_resources(pod, admission.item)
    if any(not unseen.kinds or "LimitRange" in unseen.kinds for unseen in _hidden_in(facts, namespace)):
        filled |= {"resources", "requests", "limits"} if _lacks_amounts(spec) else set()
    account = text(spec.get("serviceAccountName")) or text(spec.get("serviceAccount")) or "default"
    spec["serviceAccountName"] = spec["serviceAccount"] = account
    account_object = _service_account(facts, namespace, account)
    if not spec.get("imagePullSecrets"):
        secrets = sequence(account_object.body.get("imagePullSecrets")) if account_object is not None else ()
        if secrets:
            spec["imagePullSecrets"] = secrets
        elif account_object is None:
            filled.add("imagePullSecrets")
    if not spec.get("priorityClassName"):
        filled.add("priorityClassName")
    without_token, with_token = pod, _with_token(pod)
    mounts_token = spec.get("automountServiceAccountToken")
    if not isinstance(mounts_token, bool):
        mounts_token = (
            None if account_object is None else account_object.body.get("automountServiceAccountToken") is not False
        )
    bodies = {True: (with_token,), False: (without_token,), None: (with_token, without_token)}[mounts_token]
    return bodies, frozenset(filled)


def _hidden_in(facts: Facts, namespace: str) -> Iterator[Any]:
    return (unseen for unseen in facts.unseen if unseen.namespace in ("", namespace))


def _lacks_amounts(spec: Mapping[str, Any]) -> bool:
    """Whether a LimitRange could fill in any amount."""
    for container in _listed_containers(spec):
        resources = mapping(container.get("resources"))
        for field in ("requests", "limits"):
            if not {"cpu", "memory"} <= mapping(resources.get(field)).keys():
                return True
    return False


def _service_account(facts: Facts, namespace: str, name: str) -> Object | None:
    accounts = facts.cluster.of("", "ServiceAccount")
    return next((account for account in accounts if (account.namespace, account.name) == (namespace, name)), None)


def _listed_containers(spec: Mapping[str, Any]) -> list[Body]:
    lists = (sequence(spec.get(field)) for field in ("containers", "initContainers"))
    return [container for containers in lists for container in containers if isinstance(container, dict)]


def _fill_resources(pod: Body, read_pod: Pod) -> frozenset[str]:
    """Adds the amounts that the API server and LimitRanger fill in; returns the fields with unknown amounts."""
    by_name = {container.name: container for container in read_pod.all_containers}
    unknown = False
    for container in _listed_containers(pod["spec"]):
        filled = by_name.get(text(container.get("name")))
        if filled is None:
            continue
        resources: Body = {**mapping(container.get("resources"))}
        for field, amounts, placeholders in (
            ("requests", filled.requests, filled.unknown_requests),
            ("limits", filled.limits, filled.unknown_limits),
        ):
            written = mapping(resources.get(field))
            if amounts:
                resources[field] = {**written, **_shown_amounts(amounts)}
            unknown = unknown or not placeholders <= written.keys()
        container["resources"] = resources
    words = "; ".join(_limit_ranger_words(read_pod))
    if words:
        metadata: Body = pod["metadata"]
        annotations = {
            **mapping(metadata.get("annotations")),
            "kubernetes.io/limit-ranger": f"LimitRanger plugin set: {words}",
        }
        metadata["annotations"] = annotations
    return frozenset(("resources", "requests", "limits") if unknown else ())


def _limit_ranger_words(pod: Pod) -> Iterator[str]:
    for container in pod.all_containers:
        for field in ("requests", "limits"):
            names = sorted(_set_by_limit_ranger(pod, container, field))
            if names:
                yield f"{', '.join(names)} {field.removesuffix('s')} for container {container.name}"


def _set_by_limit_ranger(pod: Pod, container: Container, field: str) -> Iterable[str]:
    for value in pod.filled:
        if (value.container, value.field) == (container.name, field) and value.plugin.startswith("LimitRange "):
            yield value.resource


def _shown_amounts(amounts: ResourceList) -> dict[str, str]:
    return {name: quantity.show(quantity.stored_quantity(amount)) for name, amount in amounts.items()}


def _with_token(pod: Body) -> Body:
    """The pod with its service account's token mounted in each container that mounts nothing at that path."""
    mounted = copy.deepcopy(pod)
    spec = mounted["spec"]
    needed = False
    volumes = [volume for volume in sequence(spec.get("volumes")) if isinstance(volume, dict)]
    name = next(
        (text(volume.get("name")) for volume in volumes if text(volume.get("name")).startswith(f"{_TOKEN}-")), ""
    )
    mount = {"name": name or f"{_TOKEN}-00000", "readOnly": True, "mountPath": _MOUNT_PATH}
    for container in _listed_containers(spec):
        mounts = list(sequence(container.get("volumeMounts")))
        if any(mapping(other).get("mountPath") == _MOUNT_PATH for other in mounts):
            continue
        container["volumeMounts"] = [*mounts, mount]
        needed = True
    if needed and not name:
        spec["volumes"] = [*sequence(spec.get("volumes")), {"name": mount["name"], "projected": _TOKEN_SOURCES}]
    return mounted


_TOKEN_SOURCES = {
    "defaultMode": 420,
    "sources": [
        {"serviceAccountToken": {"path": "token", "expirationSeconds": 3607}},
        {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
        {
            "downwardAPI": {
                "items": [{"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]
            }
        },
    ],
}
