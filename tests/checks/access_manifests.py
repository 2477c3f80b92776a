"""Roles and bindings, and what is said of who may change a quota."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from manifests import quota
from written_files import Files
from yaml_texts import dump_documents

from quotalint.results.finding import Finding

Manifest = dict[str, Any]
RBAC = "rbac.authorization.k8s.io"
NO_NEWS: list[str] = []
QUOTA = {"quota.yaml": quota("team-a")}
NAMES = {"Role": "r", "ClusterRole": "cr"}


def messages(findings: Iterable[Finding]) -> list[str]:
    """What QL504 says: place, severity, message."""
    return [
        f"{finding.file}:{finding.span.line} {finding.severity} {finding.message}"
        for finding in findings
        if finding.rule.id == "QL504"
    ]


def rule(verbs: str = "*", resources: str = "resourcequotas", groups: str = "", names: str = "") -> Manifest:
    """A rule of a role; several words in a field are several entries."""
    entry: Manifest = {
        "apiGroups": groups.split() or [""],
        "resources": resources.split(),
        "verbs": verbs.split(),
    }
    return {**entry, "resourceNames": names.split()} if names else entry


def role(*rules: Any, kind: str = "Role", name: str = "", labels: Manifest | None = None, **more: Any) -> Manifest:
    metadata: Manifest = {"name": name or NAMES[kind], "labels": labels or {}}
    if kind == "Role":
        metadata["namespace"] = "team-a"
    return {"apiVersion": f"{RBAC}/v1", "kind": kind, "metadata": metadata, "rules": list(rules), **more}


def sum_of(*selectors: Any, name: str = "cr", labels: Manifest | None = None) -> Manifest:
    """An aggregated ClusterRole."""
    return role(kind="ClusterRole", name=name, labels=labels, aggregationRule={"clusterRoleSelectors": list(selectors)})


def binding(kind: str = "Role", *subjects: Any, name: str = "", namespace: str = "team-a") -> Manifest:
    return {
        "apiVersion": f"{RBAC}/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "b", "namespace": namespace},
        "roleRef": {"apiGroup": RBAC, "kind": kind, "name": name or NAMES[kind]},
        "subjects": list(subjects) or [{"kind": "Group", "apiGroup": RBAC, "name": "devs"}],
    }


def files(*manifests: Manifest) -> Files:
    return {**QUOTA, "rbac.yaml": dump_documents(manifests, sort_keys=False)}


def lets(may: str, who: str = "Role r", whom: str = "Group devs", quotas: str = "base") -> str:
    return f"warning {who} lets {whom} {may} ResourceQuota {quotas} of team-a"


def verdict(actual: list[str]) -> str:
    """The one thing that is said, without its place."""
    assert len(actual) <= 1, actual
    return actual[0].partition(" ")[2] if actual else ""


def sa(namespace: str, name: str = "deployer") -> Manifest:
    return {"kind": "ServiceAccount", "name": name, "namespace": namespace}


def user(name: str) -> Manifest:
    return {"kind": "User", "name": name}


def group(name: str) -> Manifest:
    return {"kind": "Group", "name": name}


MINE = {"matchLabels": {"mine": "yes"}}


def by(key: str, operator: str, *values: str) -> Manifest:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


def part(labels: Manifest, name: str = "part") -> Manifest:
    return role(rule("delete"), kind="ClusterRole", name=name, labels=labels)


def namespace(**labels: str) -> Manifest:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team-a", "labels": labels}}
