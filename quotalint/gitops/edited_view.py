"""What a repository comes to after an edit that changes what some objects ask for, and nothing else.

Most of what is typed changes a number in a workload or a quota. Where such an object is applied as it is written, what
is applied where follows from names, kinds, metadata and folders alone, so that the earlier view holds with the new
bodies in it. Whatever is not surely of this kind is for `view` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from quotalint.gitops.deployment import Environment, View
from quotalint.gitops.required_fields import missing_field
from quotalint.kube.fields import text
from quotalint.kube.objects import Object
from quotalint.text.reading import File

_KINDS = frozenset(
    {
        ("v1", "LimitRange"),
        ("v1", "Pod"),
        ("v1", "ReplicationController"),
        ("v1", "ResourceQuota"),
        ("apps/v1", "DaemonSet"),
        ("apps/v1", "Deployment"),
        ("apps/v1", "ReplicaSet"),
        ("apps/v1", "StatefulSet"),
        ("batch/v1", "CronJob"),
        ("batch/v1", "Job"),
    }
)
"""Kinds that deploy nothing, declare nothing, and that nothing looks up."""


class Edited(NamedTuple):
    """A view with other bodies in it."""

    seen: View
    limits: bool
    """A quota or a LimitRange stands in one of the files that were edited."""


def edited_view(before: View, were: Sequence[File], now: Sequence[File]) -> Edited | None:
    """The view of the files as they are now, where that differs from the one before in bodies alone; else None."""
    if len(were) != len(now):
        return None
    bodies: dict[int, dict[str, object]] = {}
    edited: set[str] = set()
    for old, new in zip(were, now, strict=True):
        if old is new:
            continue
        changed = _changed_bodies(old, new)
        name = old.source.name
        if changed is None or name in before.layout.kustomized or name in before.layout.data:
            return None
        bodies |= changed
        edited.add(name)
    everything = (*before.environments, *before.unapplied)
    placed = [obj for environment in everything for obj in environment.objects if obj.place.source in edited]
    # What is filled in, or was left out, is not the body that was written.
    if {id(obj.body) for obj in placed} != bodies.keys():
        return None
    if any(missing_field(obj._replace(body=bodies[id(obj.body)])) for obj in placed):
        return None
    seen = before._replace(
        environments=tuple(_with_new_bodies(environment, bodies) for environment in before.environments),
        unapplied=tuple(_with_new_bodies(environment, bodies) for environment in before.unapplied),
    )
    return Edited(seen, any(text(body.get("kind")) in ("LimitRange", "ResourceQuota") for body in bodies.values()))


def _changed_bodies(old: File, new: File) -> dict[int, dict[str, object]] | None:
    """The new bodies by the identity of the old ones; None where more has changed."""
    readings = old.reading, new.reading
    if old._replace(reading=new.reading) != new or any(reading.failures or reading.dropped for reading in readings):
        return None
    if len(old.reading.documents) != len(new.reading.documents):
        return None
    new_bodies: dict[int, dict[str, object]] = {}
    for before, after in zip(old.reading.documents, new.reading.documents, strict=True):
        old_body, new_body = before.value, after.value
        if not isinstance(old_body, dict) or not isinstance(new_body, dict) or before.index != after.index:
            return None
        kind = text(old_body.get("apiVersion")), text(old_body.get("kind"))
        if kind not in _KINDS or old_body.keys() != new_body.keys():
            return None
        # As text: to Python 1 is True.
        if any(repr(old_body.get(key)) != repr(new_body.get(key)) for key in ("apiVersion", "kind", "metadata")):
            return None
        new_bodies[id(old_body)] = new_body
    return new_bodies


def _with_new_bodies(environment: Environment, bodies: Mapping[int, dict[str, object]]) -> Environment:
    if not any(id(obj.body) in bodies for obj in environment.objects):
        return environment
    return environment._replace(
        renderings=tuple(
            rendering._replace(objects=_with_bodies(rendering.objects, bodies))
            if any(id(obj.body) in bodies for obj in rendering.objects)
            else rendering
            for rendering in environment.renderings
        )
    )


def _with_bodies(objects: Iterable[Object], bodies: Mapping[int, dict[str, object]]) -> tuple[Object, ...]:
    return tuple(obj._replace(body=bodies[id(obj.body)]) if id(obj.body) in bodies else obj for obj in objects)
