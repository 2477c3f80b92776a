"""The namespaces of objects that do not name one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quotalint.gitops.rendering import Rendering
from quotalint.kube.discovery import Discovery, is_cluster_scoped
from quotalint.kube.guess import CONTENT, LEFT_OUT, NAMESPACE, Guess
from quotalint.kube.objects import Object
from quotalint.unknowns.problems import EXPENSIVE, REFUSED, Problem

DEFAULT = "default"


def place_objects(rendering: Rendering, discovery: Discovery, configured: Callable[[str], str | None]) -> Rendering:
    """The rendering with namespaces set on its objects."""
    objects, denied = (
        _placed_objects(own, discovery, rendering.namespace, configured)
        for own in (rendering.objects, rendering.denied)
    )
    doubts = tuple(
        dict.fromkeys(
            _doubt_of(problem)
            for problem in rendering.problems
            if problem.may_lower or problem.cycle or (problem.kind == REFUSED and problem.cause != EXPENSIVE)
        )
    )
    if doubts:
        objects = tuple(obj._replace(guesses=(*obj.guesses, *doubts)) for obj in objects)
    if objects is rendering.objects and denied is rendering.denied:
        return rendering
    return rendering._replace(objects=objects, denied=denied)


def _doubt_of(problem: Problem) -> Guess:
    if not problem.may_lower:
        reason = f"`kubectl apply -k` stops at {problem.place.file}, so what is applied may be older"
        return Guess(CONTENT, reason, "correct what QL003 reports there")
    reason = f"{problem.place.file}: {problem.reason}, so amounts may be lower or higher"
    advice = "fix that entry" if problem.kind == REFUSED else "pass a snapshot of the cluster with `--with`"
    return Guess(LEFT_OUT, reason, f"{advice}, or check what CI renders")


def with_resolved_namespaces(objects: Iterable[Object], discovery: Discovery) -> tuple[Object, ...]:
    """Objects of a snapshot, each with the namespace that it is applied to."""
    return _placed_objects(objects, discovery, "", lambda _: None)


def _placed_objects(
    objects: Iterable[Object], discovery: Discovery, deployer_namespace: str, configured: Callable[[str], str | None]
) -> tuple[Object, ...]:
    """The objects with their namespaces. In order: written, set by the deployer, configured for the file, the only one
    among neighbours (assumed), `default`.

    Cluster-scoped objects have none, whatever is written.
    """
    objects = tuple(objects)
    kinds = {(obj.group, obj.kind) for obj in objects}
    cluster_scoped = {kind for kind in kinds if is_cluster_scoped(discovery, *kind)}
    if all(bool(obj.namespace) is not ((obj.group, obj.kind) in cluster_scoped) for obj in objects):
        return objects  # every object names its namespace
    neighbours: dict[str, set[str]] = {}
    for obj in objects:
        if obj.namespace and (obj.group, obj.kind) not in cluster_scoped:
            neighbours.setdefault(_neighbourhood_key(obj), set()).add(obj.namespace)

    def place(obj: Object) -> Object:
        if (obj.group, obj.kind) in cluster_scoped:
            return obj._replace(namespace="") if obj.namespace else obj
        if obj.namespace:
            return obj
        namespace = deployer_namespace or _configured_namespace(obj, configured)
        if namespace:
            return obj._replace(namespace=namespace)
        named = neighbours.get(_neighbourhood_key(obj), set())
        if len(named) == 1:
            return _with_assumed_namespace(obj, next(iter(named)))
        return obj._replace(namespace=DEFAULT, homeless=True)

    return tuple(map(place, objects))


def _with_assumed_namespace(obj: Object, namespace: str) -> Object:
    where = (
        "what is rendered together" if obj.place.made is not None else f"{obj.folder}/" if obj.folder else "a folder"
    )
    guess = Guess(
        NAMESPACE,
        f"some objects in {where} name no namespace; the others name {namespace}",
        f"write `namespace: {namespace}` into the others, or their files under `namespaces` in .quotalint.yaml",
    )
    return obj._replace(namespace=namespace, guesses=(*obj.guesses, guess))


def _neighbourhood_key(obj: Object) -> str:
    """A key for neighbouring objects: the folder of plain manifests; all rendered objects share one."""
    return obj.folder if obj.place.made is None else "\0"


def _configured_namespace(obj: Object, configured: Callable[[str], str | None]) -> str | None:
    derivation = obj.place.made
    entry = configured(derivation.via[0].source) if derivation is not None and derivation.via else None
    return entry or configured(obj.place.source)
