"""The name and version of the renderer for kustomizations; it affects results, so reports show it."""

from __future__ import annotations

BUILT_IN = "built in, as Kustomize 5.8"


def kustomize_renderer(which: str, root: str) -> str:
    """The renderer of a repository's kustomizations, with its version; `which` is the setting `renderers.kustomize`."""
    if which == "off":
        return "off"
    if which != "binary":
        return BUILT_IN
    from quotalint.gitops.kustomize_program import find_program, version_of

    command = find_program(root)
    return version_of(command) if command is not None else "no program: neither kustomize nor kubectl was found"
