"""What repositories that Flux applies are made of."""

from __future__ import annotations

from deployer_objects import flux_kustomization, git_repository, helm_release
from manifests import quota, quota_and_web, web

APPS = quota_and_web("apps")


def flux(
    path: str = "./apps", more: str = "targetNamespace: team-a", name: str = "apps", source: str = "flux-system"
) -> str:
    """A Kustomization of Flux for the folder that most of these repositories have."""
    return flux_kustomization(path, more, name=name, source=source)


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
        f"clusters/{name}/flux-system/gotk-sync.yaml": git_repository()
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
    return helm_release(name, ", ".join(filter(None, (chart, more))), namespace)


BOTH = {"a.yaml": quota("team-a"), "b.yaml": quota("team-b"), "web.yaml": web(namespace="team-b")}
