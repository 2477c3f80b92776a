"""Keeps the identity of objects that are equal to those of the last look, so that caches by identity find them.

After a new look all objects are new values, most of them equal to old ones. Replacing them by the old values lets
`recall.py` reuse results, from files up to environments. A changed comment thus keeps the reading of its file.
"""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.gitops.rendering import Environment, Rendering, View
from quotalint.kube.objects import Object
from quotalint.runtime.recall import are_same_items
from quotalint.text.reading import File


def with_earlier_values(before: File, now: File) -> File:
    """The file with unchanged documents replaced by their earlier values; the earlier reading if all are unchanged."""
    if before is now or before.reading is now.reading:
        return now
    old, new = before.reading, now.reading
    if len(old.documents) != len(new.documents):
        return now
    documents = tuple(
        after._replace(value=before.value) if _is_same_value(before.value, after.value) else after
        for before, after in zip(old.documents, new.documents, strict=True)
    )
    new = new._replace(documents=documents)
    are_same = are_same_items([each.value for each in old.documents], [each.value for each in documents])
    return now._replace(reading=old if are_same and new == old else new)


def _is_same_value(before: object, now: object) -> bool:
    # Compared as text too: in Python 1 == True.
    return before is now or (before == now and repr(before) == repr(now))


_Key = tuple[int, str, str, str, int]


def with_earlier_objects(before: View, now: View) -> View:
    """The view with unchanged objects replaced by their earlier values."""
    earlier = {id(obj): obj for environment in _environments_of(before) for obj in environment.objects}
    bodies = {
        id(obj.body) for environment in _environments_of(now) for obj in environment.objects if id(obj) not in earlier
    }
    known: dict[_Key, list[Object]] = {}
    for obj in earlier.values() if bodies else ():
        if id(obj.body) in bodies:
            known.setdefault(_identity_key(obj), []).append(obj)
    return now._replace(
        environments=tuple(
            _as_before(before.environments, _with_earlier_objects(each, known)) for each in now.environments
        ),
        unapplied=tuple(_as_before(before.unapplied, _with_earlier_objects(each, known)) for each in now.unapplied),
        unseen=before.unseen if before.unseen == now.unseen else now.unseen,
    )


def _as_before(earlier: Iterable[Environment], now: Environment) -> Environment:
    """The earlier environment if it has identical objects and is otherwise equal."""
    for before in earlier:
        if before.name == now.name and before.unseen == now.unseen and len(before.renderings) == len(now.renderings):
            pairs = zip(before.renderings, now.renderings, strict=True)
            if all(_is_same_rendering(old, new) for old, new in pairs):
                return before
    return now


def _is_same_rendering(old: Rendering, new: Rendering) -> bool:
    return old is new or (
        are_same_items(old.objects, new.objects)
        and are_same_items(old.denied, new.denied)
        and old._replace(objects=(), denied=()) == new._replace(objects=(), denied=())
    )


def _environments_of(seen: View) -> Iterable[Environment]:
    return (*seen.environments, *seen.unapplied)


def _identity_key(obj: Object) -> _Key:
    # The object keeps its body alive, so the identity is unique.
    return id(obj.body), obj.namespace, obj.name, obj.place.source, obj.place.document


def _with_earlier_objects(environment: Environment, known: dict[_Key, list[Object]]) -> Environment:
    return environment._replace(
        renderings=tuple(_rendering_as_before(rendering, known) for rendering in environment.renderings)
    )


def _rendering_as_before(rendering: Rendering, known: dict[_Key, list[Object]]) -> Rendering:
    if not known:
        return rendering
    objects = tuple(_earlier_object(obj, known) for obj in rendering.objects)
    return rendering if are_same_items(objects, rendering.objects) else rendering._replace(objects=objects)


def _earlier_object(obj: Object, known: dict[_Key, list[Object]]) -> Object:
    for old in known.get(_identity_key(obj), ()):
        # Origins are compared by identity only.
        if old is obj or (old.place.made is obj.place.made and old == obj):
            return old
    return obj


def with_objects_of(before: Rendering, now: Rendering) -> Rendering:
    """The rendering with unchanged objects replaced by their earlier values."""
    known: dict[tuple[object, ...], list[Object]] = {}
    for obj in before.objects:
        known.setdefault((obj.ref, obj.place[:3]), []).append(obj)
    objects = (
        next((earlier for earlier in known.get((obj.ref, obj.place[:3]), ()) if _is_same_object(earlier, obj)), obj)
        for obj in now.objects
    )
    return now._replace(objects=tuple(objects))


def _is_same_object(before: Object, now: Object) -> bool:
    """Whether two objects are equal, including the places of their fields."""
    old, new = before.place.made, now.place.made
    if before is now:
        return True
    if old is None or new is None or before._replace(body=now.body, place=now.place) != now:
        return False
    if not _is_same_value(before.body, now.body):
        return False
    return (old.depth, old.via, old.patches, old.origin) == (new.depth, new.via, new.patches, new.origin)
