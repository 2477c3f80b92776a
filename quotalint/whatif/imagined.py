"""The deployed objects after edits that nobody has written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from quotalint.deployed import Environment, Rendering, View
from quotalint.kube.fields import Body
from quotalint.kube.objects import Object
from quotalint.text.place import Path

Change = Callable[[str, Object], Object]
"""The name of an environment and an object → the edited object, or the object itself."""


def imagine_view(view: View, change: Change, added: Mapping[str, Iterable[Object]]) -> View:
    """The view with edited objects; `added`: new objects by environment."""
    return view._replace(
        environments=tuple(_change_environment(environment, change, added) for environment in view.environments)
    )


def _change_environment(environment: Environment, change: Change, added: Mapping[str, Iterable[Object]]) -> Environment:
    name = environment.name
    renderings = [
        rendering._replace(objects=tuple(change(name, obj) for obj in rendering.objects))
        for rendering in environment.renderings
    ]
    more = tuple(added.get(name, ()))
    return environment._replace(renderings=(*renderings, *([Rendering(more)] if more else [])))


def with_field(body: Body, path: Path, value: object) -> Body:
    """A body with a new value of a field; missing parents are created. Raises LookupError if the path leads through a
    scalar."""
    return cast(Body, _with(body, path, value))


def _with(inside: Any, path: Path, value: object) -> object:
    if not path:
        return value
    key, *path_below = path
    if isinstance(inside, list) and isinstance(key, int):
        copied = list(inside)
        copied[key] = _with(inside[key], tuple(path_below), value)
        return copied
    if not isinstance(inside, dict) and inside is not None:
        raise LookupError(key)
    inside = inside or {}
    return {**inside, key: _with(inside.get(key), tuple(path_below), value)}
