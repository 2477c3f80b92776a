"""What an edit is, and manifests that several repositories have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from written_files import Link


class Swap(NamedTuple):
    """What takes the place of the first of these words in a file."""

    old: str
    new: str


Files = Mapping[str, str]
Edit = Mapping[str, "str | Swap | Link | None"]
"""The new text of a file, what is another in it, where it leads to, or None where it goes."""
Rows = Mapping[str, tuple[Edit, ...]]
"""Edits one after the other; all is as before at the end. So a file that comes also goes."""


def config_map(name: str, value: str, namespace: str = "", kind: str = "ConfigMap") -> str:
    """A ConfigMap or Secret with one entry."""
    where = f", namespace: {namespace}" if namespace else ""
    field = "stringData" if kind == "Secret" else "data"
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}{where}}}\n{field}: {{N: '{value}'}}\n"


def service(name: str, namespace: str = "") -> str:
    """A Service."""
    where = f", namespace: {namespace}" if namespace else ""
    return f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}{where}}}\nspec: {{ports: [{{port: 80}}]}}\n"


def namespace(name: str, more: str = "") -> str:
    """A Namespace."""
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}{more}}}\n"


def limits(space: str, default: str = "2") -> str:
    """A LimitRange, which is refused where the default is less than is asked for by default."""
    return (
        f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: limits, namespace: {space}}}\n"
        f"spec: {{limits: [{{type: Container, default: {{cpu: {default}}}, defaultRequest: {{cpu: 1}}}}]}}\n"
    )


def binding(name: str, role: str, space: str = "team-a", kind: str = "ClusterRole", who: str = "a") -> str:
    """A RoleBinding."""
    return (
        f"apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {{name: {name}, namespace: {space}}}\n"
        f"roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: {kind}, name: {role}}}\n"
        f"subjects: [{{apiGroup: rbac.authorization.k8s.io, kind: Group, name: {who}}}]\n"
    )


def role(name: str, resources: str, metadata: str = "", kind: str = "ClusterRole") -> str:
    """A Role or ClusterRole that may write these resources."""
    return (
        f"apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {name}{metadata}}}\n"
        f'rules: [{{apiGroups: [""], resources: [{resources}], verbs: [create, update, delete]}}]\n'
    )


def application(name: str, path: str, directory: str = "", space: str = "team-e", project: str = "default") -> str:
    """An Application that deploys a folder of this repository."""
    return f"""apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: {name}, namespace: argocd}}
spec:
  project: {project}
  source: {{repoURL: "https://example.com/here.git", path: {path}, directory: {{{directory}}}}}
  destination: {{server: "https://kubernetes.default.svc", namespace: {space}}}
"""


def custom(api: str, kind: str, name: str, spec: str, space: str = "") -> str:
    """An object of another kind."""
    where = f", namespace: {space}" if space else ""
    return f"apiVersion: {api}\nkind: {kind}\nmetadata: {{name: {name}{where}}}\nspec: {{{spec}}}\n"


RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: team-a}
spec:
  interval: 1m
  chart: {spec: {chart: shop, version: "1.0.0", sourceRef: {kind: HelmRepository, name: charts}}}
  values: {image: "shop:1"}
"""
PATCH = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s}\nspec: {replicas: %d}\n"


def documents(*texts: str) -> str:
    """Several in one file."""
    return "---\n".join(texts)
