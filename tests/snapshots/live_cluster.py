"""A cluster as kubectl shows it, and what the command prints of it."""

from __future__ import annotations

import random
from typing import Any

import pytest
import yaml

from quotalint.cli import run

TEMPLATE: dict[str, Any] = {
    "metadata": {"labels": {"app": "web"}, "annotations": {"token": "s3cr3t"}},
    "spec": {
        "containers": [
            {
                "name": "web",
                "image": "registry.example.com/web:1",
                "command": ["serve", "--password=s3cr3t"],
                "env": [{"name": "PASSWORD", "value": "s3cr3t"}],
                "resources": {"requests": {"cpu": "500m"}},
            }
        ]
    },
}


def live(api_version: str, kind: str, name: str, namespace: str = "shop", **more: Any) -> dict[str, Any]:
    """An object as a server has it."""
    metadata = {
        "name": name,
        **({"namespace": namespace} if namespace else {}),
        "uid": f"u-{name}",
        "resourceVersion": str(random.random()),
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "managedFields": [{"manager": "kubectl"}],
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "s3cr3t", "meta.helm.sh/release-name": "w"},
        **more.pop("metadata", {}),
    }
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **more}


def owner(api_version: str, kind: str, name: str) -> dict[str, Any]:
    reference = {"apiVersion": api_version, "kind": kind, "name": name, "uid": "u", "controller": True}
    return {"ownerReferences": [reference]}


def deployment(replicas: int = 3, name: str = "web", namespace: str = "shop") -> dict[str, Any]:
    spec = {"replicas": replicas, "template": TEMPLATE}
    return live("apps/v1", "Deployment", name, namespace, spec=spec, status={"readyReplicas": replicas})


def quota(used: str = "3", hard: str = "8", namespace: str = "shop") -> dict[str, Any]:
    status = {"hard": {"pods": hard}, "used": {"pods": used}}
    return live("v1", "ResourceQuota", "base", namespace, spec={"hard": {"pods": hard}}, status=status)


CLUSTER: dict[str, list[dict[str, Any]]] = {
    "namespaces": [live("v1", "Namespace", "shop", "")],
    "resourcequotas": [quota()],
    "limitranges": [],
    "pods": [
        live("v1", "Pod", "web-5d-a", metadata=owner("apps/v1", "ReplicaSet", "web-5d"), spec=TEMPLATE["spec"]),
        live("v1", "Pod", "db-0", metadata=owner("db.example.com/v1", "Database", "db"), spec=TEMPLATE["spec"]),
        live("v1", "Pod", "done", spec=TEMPLATE["spec"], status={"phase": "Succeeded"}),
    ],
    "deployments.apps": [deployment()],
    "replicasets.apps": [
        live("apps/v1", "ReplicaSet", "web-5d", metadata=owner("apps/v1", "Deployment", "web"), spec={"replicas": 3})
    ],
    "jobs.batch": [
        live(
            *("batch/v1", "Job", "migrate"),
            spec={"template": TEMPLATE},
            status={"conditions": [{"type": "Complete", "status": "True"}]},
        )
    ],
    "secrets": [live("v1", "Secret", "token", data={"token": "czNjcjN0"})],
    "rollouts.argoproj.io": [
        live(
            "argoproj.io/v1alpha1",
            "Rollout",
            "canary",
            spec={"replicas": 2, "strategy": {"canary": {}}, "template": TEMPLATE},
        )
    ],
}


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, str]:
    assert run(["snapshot", *arguments]) == status
    out, err = capsys.readouterr()
    return out, err


def items(text: str) -> dict[str, Any]:
    return {f"{item['kind']}/{item['metadata']['name']}": item for item in yaml.safe_load(text)["items"]}
