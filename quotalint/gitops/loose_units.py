"""Plain folders that name no namespace: each is applied by itself, into whatever namespace is current then.

That two of them come to one namespace is written nowhere, so they are never added up: where there are several, each is
an environment of its own, named after its folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quotalint.gitops.labels import short_names
from quotalint.gitops.rendering import Rendering

_COUNTED = frozenset(
    (
        *("CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "ReplicationController", "StatefulSet"),
        *("LimitRange", "PersistentVolumeClaim", "ResourceQuota"),
    )
)


class Applied(NamedTuple):
    """A rendering in an environment."""

    rendering: Rendering
    is_plain: bool
    """The files of a folder, as somebody applies them by hand."""


def split_units(environments: Mapping[str, Sequence[Applied]]) -> dict[str, list[Rendering]]:
    """The environments, with the plain folders apart of which nothing says that they come to one namespace."""
    result: dict[str, list[Rendering]] = {}
    for name, several in environments.items():
        loose = [one for one in several if one.is_plain and is_loose(one.rendering)]
        if len(loose) < 2:
            result[name] = [one.rendering for one in several]
            continue
        apart = {id(one) for one in loose}
        rest = [one.rendering for one in several if id(one) not in apart]
        if rest:
            result[name] = rest
        folders = {one.rendering.folder: tuple(one.rendering.folder.split("/")) for one in loose}
        names = short_names(folders.values())
        for one in loose:
            unit = names[folders[one.rendering.folder]] or "."
            result.setdefault(f"{name}/{unit}" if name else unit, []).append(one.rendering)
    return result


def is_loose(rendering: Rendering) -> bool:
    """Whether something here that a quota can feel goes to whatever namespace is current."""
    return any(obj.homeless and obj.kind in _COUNTED for obj in rendering.objects)
