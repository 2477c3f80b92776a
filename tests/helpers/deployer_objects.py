"""The objects that tell Flux and Argo CD what to deploy."""

from __future__ import annotations


def flux_kustomization(
    path: str, more: str = "", *, name: str = "apps", source: str = "flux-system", namespace: str = "flux-system"
) -> str:
    """A Kustomization of Flux for a folder of the repository; `more` is what else its spec says."""
    spec = ", ".join(filter(None, (f"path: {path}", f"sourceRef: {{kind: GitRepository, name: {source}}}", more)))
    return (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
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
