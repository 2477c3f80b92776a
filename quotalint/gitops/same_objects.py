"""The very same objects as in an earlier look, where they are equal, so that what was made of them is found."""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.gitops.deployment import Environment, View
from quotalint.kube.objects import Object

_Key = tuple[int, str, str, str, int]


def with_earlier_objects(before: View, now: View) -> View:
    """A view in which each object that was there before is the value that it was."""
    known: dict[_Key, list[Object]] = {}
    for obj in {id(obj): obj for environment in _environments_of(before) for obj in environment.objects}.values():
        known.setdefault(_identity_key(obj), []).append(obj)
    return now._replace(
        environments=tuple(_with_earlier_objects(environment, known) for environment in now.environments),
        unapplied=tuple(_with_earlier_objects(environment, known) for environment in now.unapplied),
    )


def _environments_of(seen: View) -> Iterable[Environment]:
    return (*seen.environments, *seen.unapplied)


def _identity_key(obj: Object) -> _Key:
    # The body lives as long as the object that has it, so that nothing else has its identity.
    return id(obj.body), obj.namespace, obj.name, obj.place.source, obj.place.document


def _with_earlier_objects(environment: Environment, known: dict[_Key, list[Object]]) -> Environment:
    return environment._replace(
        renderings=tuple(
            rendering._replace(objects=tuple(_earlier_object(obj, known) for obj in rendering.objects))
            for rendering in environment.renderings
        )
    )


def _earlier_object(obj: Object, known: dict[_Key, list[Object]]) -> Object:
    for old in known.get(_identity_key(obj), ()):
        # Of where its fields are written nothing is compared that is not the very same.
        if old is obj or (old.place.made is obj.place.made and old == obj):
            return old
    return obj
