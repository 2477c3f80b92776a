"""Applications with a base and an overlay for each stage."""

from __future__ import annotations

from manifests import quota, web

ROOT = {"quotas/quota.yaml": quota("team-a")}
"""A quota that no stage has to itself."""


def base(folder: str, name: str = "web", namespace: str = "team-a") -> dict[str, str]:
    """A kustomization that others build on."""
    return {
        f"{folder}/kustomization.yaml": f"namespace: {namespace}\nresources: [{name}.yaml]\n",
        f"{folder}/{name}.yaml": web(1, name=name),
    }


def over(folder: str, below: str, replicas: int, name: str = "web") -> dict[str, str]:
    """A kustomization that builds on another."""
    up = "../" * len(folder.split("/"))
    text = f"resources: [{up}{below}]\nreplicas: [{{name: {name}, count: {replicas}}}]\n"
    return {f"{folder}/kustomization.yaml": text}


def staged(app: str, **replicas: int) -> dict[str, str]:
    """An application with a base and an overlay for each stage."""
    folder = f"apps/{app}"
    files = base(f"{folder}/base", app)
    for stage, count in replicas.items():
        files.update(over(f"{folder}/overlays/{stage}", f"{folder}/base", count, app))
    return files


def plain(folder: str, replicas: int, name: str = "web") -> dict[str, str]:
    return {f"{folder}/{name}.yaml": web(replicas, "team-a", name)}
