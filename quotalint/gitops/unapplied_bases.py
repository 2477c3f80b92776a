"""Which kustomizations nobody applies, though no other builds on them: bases among bases that others build on, and what
stands for nothing but a base of the overlays below it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from quotalint.gitops.labels import STAGE_SPELLINGS
from quotalint.gitops.tree import is_within
from quotalint.kube.fields import Body, sequence

if TYPE_CHECKING:
    from quotalint.gitops.layout import KustomizationFile

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
    is_base = bool(base_folder(folder))
    return "a base that nothing in view builds on" if is_base else "it only lists a base that overlays below build on"


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
