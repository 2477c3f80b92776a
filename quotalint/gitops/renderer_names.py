"""What renders kustomizations, in words. It decides the result, so it is said beside it."""

from __future__ import annotations

BUILT_IN = "built in, as Kustomize 5.8"


def kustomize_renderer(which: str, root: str) -> str:
    """What renders the kustomizations of a repository, with its version, where `renderers.kustomize` is `which`."""
    if which == "off":
        return "off"
    if which != "binary":
        return BUILT_IN
    from quotalint.gitops.kustomize_program import find_program, version_of

    command = find_program(root)
    return version_of(command) if command is not None else "no program: neither kustomize nor kubectl was found"
