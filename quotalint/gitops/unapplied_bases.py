"""Finds kustomizations that are not applied although no other builds on them: unused bases among used ones, and parents
that only list the base of their overlays."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from quotalint.gitops.labels import STAGE_SPELLINGS, Siblings
from quotalint.kube import kinds
from quotalint.kube.fields import Body, sequence
from quotalint.text.tree import is_within

if TYPE_CHECKING:
    from quotalint.gitops.layout import KustomizationFile
    from quotalint.gitops.rendering import Rendering
    from quotalint.kube.objects import Object

_OF_A_BASE = "a base that nothing in view builds on"
_LIST_FIELDS = frozenset({"apiVersion", "kind", "metadata", "resources", "bases"})


def only_lists(body: Body) -> bool:
    """Whether a kustomization only lists resources and changes none."""
    return _LIST_FIELDS.issuperset(body)


def unapplied_bases(
    roots: Sequence[str], used: Mapping[str, Set[str]], by_folder: Mapping[str, KustomizationFile]
) -> tuple[str, ...]:
    """The roots that are not applied; `used` maps each folder to those it builds on."""
    unapplied = {*_unused_bases(roots, used), *_parents_of_overlays(roots, used, by_folder)}
    return tuple(folder for folder in roots if folder in unapplied)


def why_unapplied(folder: str) -> str:
    """The reason for such a folder."""
    return _OF_A_BASE if base_folder(folder) else "it only lists a base that overlays below build on"


def why_base_of_others(rendering: Rendering, siblings: Siblings) -> str:
    """The reason if a kustomization such as `apps/base` leaves namespaces open for overlays that are not in view: the
    stages beside it do not build on it.

    Empty for a base without overlays, which may be applied as it is.
    """
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


def _unused_bases(roots: Sequence[str], used: Mapping[str, Set[str]]) -> Iterator[str]:
    """The roots in a folder of bases, from which an applied folder uses other bases."""
    applied = [folder for folder in roots if not base_folder(folder)]
    bases = {base for folder in reached_folders(applied, used) if (base := base_folder(folder))}
    return (folder for folder in roots if (base := base_folder(folder)) and base in bases)


def _parents_of_overlays(
    roots: Sequence[str], used: Mapping[str, Set[str]], by_folder: Mapping[str, KustomizationFile]
) -> Iterator[str]:
    """Folders such as `k8s/` that list only `k8s/base`, if `k8s/overlays/` has several overlays of that base. Without
    an overlay for production, the folder itself may be production."""
    for folder in roots:
        bases, body = used[folder], by_folder[folder].body
        listed = [*sequence(body.get("resources")), *sequence(body.get("bases"))]
        if len(listed) != len(bases) or not bases or not only_lists(body):
            continue
        overlays = [other for other in roots if other != folder and is_within(other, folder) and bases <= used[other]]
        if len(overlays) > 1 and any(map(is_for_production, overlays)):
            yield folder


def is_for_production(folder: str) -> bool:
    """Whether a folder is named after the production stage."""
    return STAGE_SPELLINGS.get(posixpath.basename(folder).lower()) == "prod"


def base_folder(folder: str) -> str:
    """The folder of bases that contains a folder: `apps/base` for `apps/base/web`."""
    segments = folder.split("/")
    at = next((number for number, segment in enumerate(segments, 1) if segment in ("base", "bases")), 0)
    return "/".join(segments[:at])


def reached_folders(folders: Sequence[str], used: Mapping[str, Set[str]]) -> set[str]:
    """These folders, and all that they build on."""
    reached: set[str] = set()
    waiting = list(folders)
    while waiting:
        folder = waiting.pop()
        if folder not in reached:
            reached.add(folder)
            waiting.extend(used.get(folder, ()))
    return reached
