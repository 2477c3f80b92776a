"""Quotas and workloads as text, each with its name on the third line."""

from __future__ import annotations

from textwrap import dedent


def head(version: str, kind: str, name: str, namespace: str = "team") -> str:
    """The first lines of an object, up to what it specifies."""
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}, namespace: {namespace}}}\n"


def namespace(name: str, labels: str = "") -> str:
    """A Namespace; its labels are the inside of a flow mapping."""
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}{f', labels: {{{labels}}}' if labels else ''}}}\n"


def quota(namespace: str = "", name: str = "base", hard: str = 'pods: "8"', more: str = "") -> str:
    """A ResourceQuota; `hard` is the inside of a flow mapping on the fourth line."""
    where = f", namespace: {namespace}" if namespace else ""
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: {name}{where}}}\nspec: {{hard: {{{hard}}}{more}}}\n"


def web(replicas: object = 2, namespace: str = "", name: str = "web", cpu: str = "", kind: str = "Deployment") -> str:
    """A workload."""
    where = f", namespace: {namespace}" if namespace else ""
    resources = f", resources: {{requests: {{cpu: {cpu}}}}}" if cpu else ""
    return dedent(
        f"""\
        apiVersion: apps/v1
        kind: {kind}
        metadata: {{name: {name}{where}}}
        spec:
          replicas: {replicas}
          selector: {{matchLabels: {{app: {name}}}}}
          template:
            metadata: {{labels: {{app: {name}}}}}
            spec: {{containers: [{{name: app, image: web{resources}}}]}}
        """
    )


def quota_and_web(folder: str = "", namespace: str = "") -> dict[str, str]:
    """The folder that most repositories of these tests deploy: a quota of eight pods, and a workload of two."""
    files = {"quota.yaml": quota(namespace), "web.yaml": web(namespace=namespace)}
    return {f"{folder}/{name}" if folder else name: text for name, text in files.items()}


LIST = "resources: [quota.yaml, web.yaml]\n"
"""The kustomization of both."""
