"""Repositories of several clusters, as those of people are laid out."""

from __future__ import annotations

from deployer_objects import flux_kustomization
from manifests import quota, web
from written_files import Files


def kustomized(folder: str, *names: str, more: str = "") -> dict[str, str]:
    """A kustomization of files and folders."""
    return {f"{folder}/kustomization.yaml": f"resources: [{', '.join(names)}]\n{more}"}


def counted(name: str, replicas: int) -> str:
    """The line of a kustomization that sets replicas."""
    return f"replicas: [{{name: {name}, count: {replicas}}}]\n"


def of_list(name: str, elements: str, path: str, where: str) -> str:
    """An ApplicationSet over the elements of a list."""
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\n"
        f"metadata: {{name: {name}, namespace: argocd}}\nspec:\n"
        f"  generators: [{{list: {{elements: [{elements}]}}}}]\n"
        f"  template: {{metadata: {{name: '{name}-{{{{name}}}}'}}, "
        f"spec: {{source: {{repoURL: x, path: '{path}'}}, destination: {{{where}}}}}}}\n"
    )


def bootstrapped(cluster: str) -> dict[str, str]:
    """A cluster as `flux bootstrap` sets it up."""
    return {
        f"clusters/{cluster}/flux-system/gotk-sync.yaml": flux_kustomization(
            f"./clusters/{cluster}", name="flux-system"
        )
    }


NESTED_CLUSTERS: Files = {
    **kustomized("base", "web.yaml", "quota.yaml", more="namespace: shop\n"),
    "base/web.yaml": web(1),
    "base/quota.yaml": quota(),
    **kustomized("production/c1", "../../base", more=counted("web", 3)),
    **kustomized("production/c2", "../../base", more=counted("web", 4)),
    **kustomized("staging/c3", "../../base", more=counted("web", 2)),
}


RINGS: Files = {
    **kustomized("web/base", "web.yaml", "quota.yaml", more="namespace: shop\n"),
    "web/base/web.yaml": web(1),
    "web/base/quota.yaml": quota(),
    **kustomized("web/rings/ring-1/c1", "../../../base", more=counted("web", 2)),
    **kustomized("web/rings/ring-2/c2", "../../../base", more=counted("web", 3)),
    **kustomized("api/base", "api.yaml", more="namespace: shop\n"),
    "api/base/api.yaml": web(1, name="api"),
    **kustomized("api/production/c1", "../../base", more=counted("api", 3)),
    **kustomized("api/production/c2", "../../base", more=counted("api", 4)),
}


WRONG_COPY: Files = {
    **{f"namespaces/team-{letter}/quota.yaml": quota(f"team-{letter}") for letter in "abcd"},
    **{f"namespaces/team-{letter}/web.yaml": web(2, f"team-{letter}") for letter in "abcd"},
    "namespaces/team-b/quota.yaml": quota("team-a", hard='pods: "9"'),
}


ELEMENTS = "{name: eu-1, size: small}, {name: us-1, size: large}"


LISTED: Files = {
    "argocd/web.yaml": of_list("web", ELEMENTS, "web/{{size}}", "namespace: shop, name: '{{name}}'"),
    "argocd/quota.yaml": of_list("quota", ELEMENTS, "quotas/{{name}}", "namespace: shop, name: '{{name}}'"),
    "web/small/web.yaml": web(2),
    "web/large/web.yaml": web(5),
    "web/huge/web.yaml": web(9),
    "quotas/eu-1/quota.yaml": quota(),
    "quotas/us-1/quota.yaml": quota(),
    "quotas/old-1/quota.yaml": quota(),
}


FLUX_CLUSTERS: Files = {
    **bootstrapped("fra-1"),
    **bootstrapped("lon-1"),
    "clusters/fra-1/apps.yaml": flux_kustomization("./apps", "targetNamespace: shop"),
    "clusters/lon-1/apps.yaml": flux_kustomization("./more", "targetNamespace: shop"),
    **kustomized("apps", "web.yaml", "quota.yaml"),
    "apps/web.yaml": web(2),
    "apps/quota.yaml": quota(),
    **kustomized("more", "../apps", "api.yaml"),
    "more/api.yaml": web(3, name="api"),
}
