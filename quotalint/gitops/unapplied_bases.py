"""Which kustomizations nobody applies, though no other builds on them: bases among bases that others build on, and what
stands for nothing but a base of the overlays below it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from quotalint.gitops.labels import STAGE_SPELLINGS, Siblings
from quotalint.gitops.tree import is_within
from quotalint.kube import kinds
from quotalint.kube.fields import Body, sequence

if TYPE_CHECKING:
    from quotalint.gitops.layout import KustomizationFile
    from quotalint.gitops.rendering import Rendering
    from quotalint.kube.objects import Object

_OF_A_BASE = "a base that nothing in view builds on"
_LIST_FIELDS = frozenset({"apiVersion", "kind", "metadata", "resources", "bases"})


def only_lists(body: Body) -> bool:
    """Whether a kustomization changes nothing of what it lists."""
    return _LIST_FIELDS.issuperset(body)


def unapplied_bases(
    roots: Sequence[str], used: Mapping[str, Set[str]], by_folder: Mapping[str, KustomizationFile]
) -> tuple[str, ...]:
    """The folders of those, among the `roots` that no other builds on; `used` is what each folder builds on."""
    unapplied = {*_among_bases(roots, used), *_around_overlays(roots, used, by_folder)}
    return tuple(folder for folder in roots if folder in unapplied)


def why_unapplied(folder: str) -> str:
    """What is said of one of them."""
    return _OF_A_BASE if base_folder(folder) else "it only lists a base that overlays below build on"


def why_base_of_others(rendering: Rendering, siblings: Siblings) -> str:
    """That the kustomization of `apps/base`, which leaves the namespace of all its objects to others, is there for
    overlays that are not in view: those of the stages beside it do not build on it. Empty where it is not so, as of a
    base without overlays, which people apply as it is."""
    base = base_folder(rendering.folder)
    if not base or not siblings.has_overlays(posixpath.dirname(base)):
        return ""
    leaves_namespaces = not rendering.namespace and not any(
        obj.namespace or (obj.group, obj.kind) == ("", "Namespace") for obj in rendering.objects
    )
    return _OF_A_BASE if leaves_namespaces and any(map(_is_in_a_namespace, rendering.objects)) else ""


def _is_in_a_namespace(obj: Object) -> bool:
    kind = kinds.by_kind(obj.group, obj.kind)
    return kind is not None and kind.namespaced


def _among_bases(roots: Sequence[str], used: Mapping[str, Set[str]]) -> Iterator[str]:
    """Roots in a folder of bases from which something else that is applied takes others."""
    applied = [folder for folder in roots if not base_folder(folder)]
    bases = {base for folder in reached_folders(applied, used) if (base := base_folder(folder))}
    return (folder for folder in roots if (base := base_folder(folder)) and base in bases)


def _around_overlays(
    roots: Sequence[str], used: Mapping[str, Set[str]], by_folder: Mapping[str, KustomizationFile]
) -> Iterator[str]:
    """`k8s/` that lists `k8s/base` and nothing else, where `k8s/overlays/` has one of that base for each stage: it is
    there to look at. Where none of them is for production, this may be."""
    for folder in roots:
        bases, body = used[folder], by_folder[folder].body
        listed = [*sequence(body.get("resources")), *sequence(body.get("bases"))]
        if len(listed) != len(bases) or not bases or not only_lists(body):
            continue
        overlays = [other for other in roots if other != folder and is_within(other, folder) and bases <= used[other]]
        if len(overlays) > 1 and any(map(is_for_production, overlays)):
            yield folder


def is_for_production(folder: str) -> bool:
    """Whether a folder is called as the last stage is."""
    return STAGE_SPELLINGS.get(posixpath.basename(folder).lower()) == "prod"


def base_folder(folder: str) -> str:
    """The folder of bases that a folder is in: `apps/base` of `apps/base/web`."""
    segments = folder.split("/")
    at = next((number for number, segment in enumerate(segments, 1) if segment in ("base", "bases")), 0)
    return "/".join(segments[:at])


def reached_folders(folders: Sequence[str], used: Mapping[str, Set[str]]) -> set[str]:
    """These, and all that they build on."""
    reached: set[str] = set()
    waiting = list(folders)
    while waiting:
        folder = waiting.pop()
        if folder not in reached:
            reached.add(folder)
            waiting.extend(used.get(folder, ()))
    return reached
