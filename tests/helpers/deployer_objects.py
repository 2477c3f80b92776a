"""The objects that tell Flux and Argo CD what to deploy."""

from __future__ import annotations

QUOTA_OF_FLUX = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: critical-pods-flux-system, namespace: flux-system}
spec:
  hard: {pods: "1000"}
  scopeSelector:
    matchExpressions:
    - {operator: In, scopeName: PriorityClass, values: [system-node-critical, system-cluster-critical]}
"""
"""The quota that Flux installs beside itself, in gotk-components.yaml."""


def flux_kustomization(
    path: str, more: str = "", *, name: str = "apps", source: str = "flux-system", namespace: str = "flux-system"
) -> str:
    """A Kustomization of Flux for a folder of the repository, or with an empty path for all of it; `source` is a
    GitRepository, or says its kind as well (`OCIRepository/apps`), and `more` is what else the spec says."""
    kind, _, called = source.rpartition("/")
    reference = f"sourceRef: {{kind: {kind or 'GitRepository'}, name: {called}}}"
    spec = ", ".join(filter(None, (f"path: {path}" if path else "", reference, more)))
    return (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        f"metadata: {{name: {name}, namespace: {namespace}}}\nspec: {{{spec}}}\n"
    )


def git_repository(name: str = "flux-system", spec: str = "url: ssh://git@example.com/team/fleet") -> str:
    """A GitRepository of Flux."""
    return (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
        f"metadata: {{name: {name}, namespace: flux-system}}\nspec: {{{spec}}}\n"
    )


def helm_release(name: str, spec: str, namespace: str = "team-a") -> str:
    """A HelmRelease of Flux."""
    return (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
        f"metadata: {{name: {name}, namespace: {namespace}}}\nspec: {{{spec}}}\n"
    )


def argo_application(
    path: str = "", where: str = "namespace: team-a", *, name: str = "apps", source: str = "", project: str = ""
) -> str:
    """An Application of Argo CD for a folder of some repository, or for what `source` says."""
    spec = ", ".join(
        filter(
            None,
            (
                f"project: {project}" if project else "",
                f"source: {{{source or f'repoURL: x, path: {path}'}}}",
                f"destination: {{{where}}}",
            ),
        )
    )
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"
        f"metadata: {{name: {name}, namespace: argocd}}\nspec: {{{spec}}}\n"
    )
