"""What repositories that Flux applies are made of."""

from __future__ import annotations

from gitops_outcome import (
    quota,
    quota_and_web,
    web,
)

SOURCE = "sourceRef: {kind: GitRepository, name: flux-system}"
APPS = quota_and_web("apps")


def flux(path: str = "./apps", more: str = "targetNamespace: team-a", name: str = "apps", source: str = SOURCE) -> str:
    """A Kustomization of Flux."""
    spec = ", ".join(filter(None, (f"path: {path}" if path else "", source, more)))
    return (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        f"metadata: {{name: {name}, namespace: flux-system}}\nspec: {{{spec}}}\n"
    )


def git(name: str = "flux-system", url: str = "ssh://git@example.com/team/fleet") -> str:
    """A GitRepository of Flux."""
    return (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
        f"metadata: {{name: {name}, namespace: flux-system}}\nspec: {{url: {url}}}\n"
    )


def settings(text: str, kind: str = "ConfigMap", namespace: str = "flux-system") -> str:
    """A ConfigMap or Secret with variables."""
    field = "data" if kind == "ConfigMap" else "stringData"
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: settings, namespace: {namespace}}}\n{field}: {{{text}}}\n"


def build(text: str) -> str:
    """A Kustomization that substitutes variables."""
    return flux(more=f"targetNamespace: team-a, postBuild: {{{text}}}")


VARIABLES = {"apps/quota.yaml": quota(hard='pods: "${PODS:=8}"'), "apps/web.yaml": web(replicas="${REPLICAS:=2}")}


def cluster(name: str) -> dict[str, str]:
    """What `flux bootstrap` writes into the folder of a cluster."""
    return {
        f"clusters/{name}/flux-system/kustomization.yaml": "resources: [gotk-components.yaml, gotk-sync.yaml]\n",
        f"clusters/{name}/flux-system/gotk-components.yaml": "apiVersion: v1\nkind: Namespace\n"
        "metadata: {name: flux-system}\n---\n"
        + quota("flux-system", "critical-pods-flux-system", "pods: 1000")
        + "---\n"
        + web(1, "flux-system", "source-controller"),
        f"clusters/{name}/flux-system/gotk-sync.yaml": git()
        + "---\n"
        + flux(f"./clusters/{name}", more="", name="flux-system"),
    }


FLUX_SYSTEM = "flux-system/critical-pods-flux-system pods 1/1k exact"


def release(
    name: str = "shop",
    chart: str = "chart: {spec: {chart: shop, sourceRef: {kind: HelmRepository, name: charts}}}",
    more: str = "",
    namespace: str = "team-a",
) -> str:
    """A HelmRelease."""
    spec = ", ".join(filter(None, (chart, more)))
    return (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
        f"metadata: {{name: {name}, namespace: {namespace}}}\nspec: {{{spec}}}\n"
    )


BOTH = {"a.yaml": quota("team-a"), "b.yaml": quota("team-b"), "web.yaml": web(namespace="team-b")}
