"""What repositories that Argo CD applies are made of."""

from __future__ import annotations

from manifests import LIST, quota_and_web

URL = "https://git.example.com/team/fleet.git"
REMOTE = f'[remote "origin"]\n\turl = {URL}\n'
APPS = quota_and_web("apps")


def source(path: str = "apps", more: str = "", url: str = URL) -> str:
    """A source of an Application."""
    return "{" + ", ".join(filter(None, (f"repoURL: '{url}'", f"path: {path}" if path else "", more))) + "}"


def spec(where: str = "namespace: team-a", sources: str = "", path: str = "apps", more: str = "") -> str:
    """The spec of an Application."""
    given = sources or f"source: {source(path, more)}"
    return f"{{project: default, {given}, destination: {{{where}}}}}"


def app(
    where: str = "namespace: team-a", sources: str = "", path: str = "apps", more: str = "", name: str = "a"
) -> str:
    """An Application."""
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"
        f"metadata: {{name: {name}, namespace: argocd}}\nspec: {spec(where, sources, path, more)}\n"
    )


def app_set(generators: str, template: str, name: str = "'{{name}}'", go: bool = False) -> str:
    """An ApplicationSet; `template` is the spec of its Applications."""
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: apps, namespace: argocd}\nspec:\n"
        f"  goTemplate: {str(go).lower()}\n  generators: [{generators}]\n"
        f"  template: {{metadata: {{name: {name}}}, spec: {template}}}\n"
    )


def overlays(**replicas: int) -> dict[str, str]:
    """A base with an overlay for each stage."""
    text = "resources: [../../base]\nreplicas: [{{name: web, count: {}}}]\n"
    return {
        "base/kustomization.yaml": LIST,
        **quota_and_web("base"),
        **{f"overlays/{stage}/kustomization.yaml": text.format(count) for stage, count in replicas.items()},
    }


LISTED = "{list: {elements: [{name: dev, url: 'https://dev'}, {name: prod, url: 'https://prod'}]}}"
STAGES = spec("namespace: team-a, server: '{{url}}'", path="'overlays/{{name}}'")

CLUSTERS = """\
clusters:
  dev: {server: 'https://dev', labels: {env: dev}}
  prod: {server: 'https://prod', labels: {env: prod}}
"""
"""The clusters of a configuration."""
