"""Folders without a namespace: each is applied on its own, to the namespace that is current at that time.

Nothing states that two of them share a namespace. So plain folders are never summed: if there are several, each is its
own environment. Kustomizations in one environment are summed, with a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from quotalint.gitops.labels import ROOT_FOLDER, short_names
from quotalint.gitops.rendering import Rendering
from quotalint.kube.guess import NAMESPACE, Guess
from quotalint.named_tuples import NamedTuple

_COUNTED = frozenset(
    (
        *("CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "ReplicationController", "StatefulSet"),
        *("LimitRange", "PersistentVolumeClaim", "ResourceQuota"),
    )
)


class AppliedRendering(NamedTuple):
    """A rendering in an environment."""

    rendering: Rendering
    is_plain: bool
    """Whether it is a folder of plain manifests."""
    is_by_hand: bool = True
    """Whether no object in view deploys it."""


def split_units(environments: Mapping[str, Sequence[AppliedRendering]]) -> dict[str, list[Rendering]]:
    """The environments, with plain folders split off that are not known to share a namespace."""
    result: dict[str, list[Rendering]] = {}
    for name, all_applied in environments.items():
        loose = [applied for applied in all_applied if applied.is_by_hand and lacks_namespace(applied.rendering)]
        if len(loose) < 2:
            result[name] = [applied.rendering for applied in all_applied]
            continue
        apart = {id(applied) for applied in loose if applied.is_plain}
        kustomized = [applied.rendering for applied in loose if not applied.is_plain]
        loose = [applied for applied in loose if applied.is_plain]
        marked = set(map(id, kustomized))
        guess = _guess_of_namespace(kustomized) if len(kustomized) > 1 else None
        unsplit = [
            _with_guess(applied.rendering, guess) if guess and id(applied.rendering) in marked else applied.rendering
            for applied in all_applied
            if id(applied) not in apart
        ]
        if unsplit:
            result[name] = unsplit
        names = unit_names(applied.rendering.folder for applied in loose)
        for applied in loose:
            unit = names[applied.rendering.folder]
            result.setdefault(f"{name}/{unit}" if name else unit, []).append(applied.rendering)
    return result


def unit_names(folders: Iterable[str]) -> dict[str, str]:
    """The names of plain folders that are environments of their own: their last segments."""
    labels = {folder: tuple(folder.split("/")) for folder in folders}
    names = short_names(labels.values())
    return {folder: names[label] or ROOT_FOLDER for folder, label in labels.items()}


def lacks_namespace(rendering: Rendering) -> bool:
    """Whether an object that counts for quotas has no namespace."""
    return any(obj.homeless and obj.kind in _COUNTED for obj in rendering.objects)


def _guess_of_namespace(renderings: Sequence[Rendering]) -> Guess:
    """The guess that folders without a namespace share one."""
    folders = sorted({f"{rendering.folder}/" if rendering.folder else "the root folder" for rendering in renderings})
    others = f"{len(folders) - 1} other folders" if len(folders) > 2 else folders[-1]
    reason = f"{folders[0]} and {others} name no namespace, and are assumed to share one"
    cure = "write `namespace` into their kustomizations, or list them under `namespaces` in .quotalint.yaml"
    return Guess(NAMESPACE, reason, cure)


def _with_guess(rendering: Rendering, guess: Guess) -> Rendering:
    objects = (obj._replace(guesses=(*obj.guesses, guess)) if obj.homeless else obj for obj in rendering.objects)
    return rendering._replace(objects=tuple(objects))
