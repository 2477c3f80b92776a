"""Manifests, and configurations of an API server that limits resources; what is said of both."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pipeline_runs import run_pipeline
from written_files import write_as_is

from quotalint.pipeline import Result
from quotalint.snapshots.snapshot import Snapshot

Files = Mapping[str, object]


Run = Callable[..., Result]


CRITICAL = {"scopeName": "PriorityClass", "operator": "In", "values": ["system-node-critical"]}


CRITICAL_PODS = "insufficient quota to match these scopes: [{PriorityClass In [system-node-critical]}]"


QUOTA_V1 = {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "ResourceQuotaConfiguration"}


ADMISSION_V1 = {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AdmissionConfiguration"}


def limits(*limited: object, head: Mapping[str, object] = QUOTA_V1) -> dict[str, object]:
    return {**head, "limitedResources": list(limited)}


def scoped(*scopes: object, resource: str = "pods") -> dict[str, object]:
    return {"resource": resource, "matchScopes": list(scopes)}


def containing(resource: str, *texts: str, group: str = "") -> dict[str, object]:
    return {"apiGroup": group, "resource": resource, "matchContains": list(texts)}


def admission(configuration: object, head: Mapping[str, object] = ADMISSION_V1, **more: object) -> dict[str, object]:
    return {**head, "plugins": [{"name": "ResourceQuota", "configuration": configuration, **more}]}


def quota(hard: Mapping[str, object], namespace: str | None = "a", **spec: object) -> dict[str, object]:
    metadata = {"name": "q", **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard, **spec}}


def selecting(*expressions: object, namespace: str | None = "a", **spec: object) -> dict[str, object]:
    return quota({"pods": "9"}, namespace, scopeSelector={"matchExpressions": list(expressions)}, **spec)


def tenant(tenant_body: Mapping[str, object]) -> dict[str, object]:
    head = {"apiVersion": "capsule.clastix.io/v1beta2", "kind": "Tenant", "metadata": {"name": "t"}}
    return {**head, "spec": {"resourceQuotas": {"items": [tenant_body["spec"]]}}}


def pod_spec(priority: str = "system-node-critical", **resources: object) -> dict[str, object]:
    return {"priorityClassName": priority, "containers": [{"name": "c", "image": "c", "resources": resources}]}


def pod(namespace: str | None = "a", **spec: Any) -> dict[str, object]:
    metadata = {"name": "p", **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {**pod_spec(), **spec}}


def deployment(**spec: object) -> dict[str, object]:
    metadata = {"name": "web", "namespace": "a"}
    spec = {"template": {"spec": pod_spec()}, **spec}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def claim(**spec: object) -> dict[str, object]:
    metadata = {"name": "data", "namespace": "a"}
    spec = {"resources": {"requests": {"storage": "1Gi"}}, **spec}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}


def service(**spec: object) -> dict[str, object]:
    metadata = {"name": "web", "namespace": "a"}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 80}], **spec}}


def config_map() -> dict[str, object]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m", "namespace": "a"}}


def widget() -> dict[str, object]:
    return {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "a"}}


LIMIT = {"limits.yaml": limits(scoped(CRITICAL))}


EVERY_SCOPE_OF_PODS = ("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity")


def exists(scope: str) -> dict[str, object]:
    return {"scopeName": scope, "operator": "Exists"}


def consume(*names: str) -> str:
    return f"insufficient quota to consume: {','.join(names)}"


def scopes(text: str) -> str:
    return f"insufficient quota to match these scopes: [{text}]"


def sentences_said(result: Result) -> list[str]:
    """The file and what the API server will say, of each finding of the rule."""
    return [
        f"{finding.file} {note.text.removeprefix('the API server will say: ')}"
        for finding in result.findings
        if finding.rule.id == "QL403"
        for note in finding.notes
        if note.label == "so"
    ]


def reasons_skipped(result: Result) -> list[tuple[str, str]]:
    return [(skipped.name, skipped.reason) for skipped in result.environments[0].repository.skipped]


def checks_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs quotalint on files of these contents, in a folder of their own."""

    def of(files: Files, *snapshots: Snapshot) -> Result:
        (folder / ".git").mkdir(exist_ok=True)
        write_as_is(folder, {name: json.dumps(value) for name, value in files.items()})
        monkeypatch.chdir(folder)
        return run_pipeline(snapshots=snapshots)

    return of
