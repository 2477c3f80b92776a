"""Manifests and charts that are not applied yet → the objects that would come."""

from __future__ import annotations

import os
from collections.abc import Sequence

from quotalint.deployed import deployed
from quotalint.facts import Facts
from quotalint.kube.objects import Object
from quotalint.settings import ChartRelease, Settings
from quotalint.text.sources import find
from quotalint.whatif.wishes import CHART, Unclear, Wish
from quotalint.workloads import makes_pods

_CHART = "Chart.yaml"


def objects_of(wish: Wish, settings: Settings, environments: Sequence[Facts]) -> tuple[Object, ...] | Unclear:
    """What a folder, a file or a chart would bring."""
    path, namespace = wish.subject, wish.value
    if wish.kind != CHART and not os.path.lexists(path) and "@" in path:
        path, _, namespace = path.rpartition("@")
    if not os.path.exists(path):
        return Unclear(f"{wish.text}: no such file or folder: {path}")
    if wish.kind == CHART and not os.path.isfile(os.path.join(path, _CHART)):
        return Unclear(f"{wish.text}: there is no chart in {path}: it has no {_CHART}")
    if wish.kind == CHART:
        if not namespace:
            namespaces = dict.fromkeys(name for facts in environments for name in facts.enforced)
            if len(namespaces) != 1:
                return Unclear(
                    f"{wish.text}: into which namespace? Write {wish.text}@{next(iter(namespaces), 'NAMESPACE')}"
                )
            (namespace,) = namespaces
        way = os.path.relpath(os.path.realpath(path), os.path.realpath(settings.root)).replace(os.sep, "/")
        name = os.path.basename(os.path.realpath(path))
        releases = (ChartRelease(way, name, namespace),)
        settings = settings._replace(renderers=settings.renderers._replace(releases=releases), environments=())
    view = deployed(find([path], settings.root, ()), settings).view
    objects = view.objects
    problems = [problem for rendering in view.renderings for problem in rendering.problems]
    if not any(makes_pods(obj, settings.workloads) for obj in objects) and problems:
        return Unclear(f"{wish.text}: {problems[0].reason}")
    homeless = [obj for obj in objects if obj.homeless]
    if homeless and not namespace:
        return Unclear(f"{wish.text}: into which namespace? Nothing in it says so; write {wish.text}@NAMESPACE")
    return tuple(obj._replace(namespace=namespace, homeless=False) if obj.homeless else obj for obj in objects)
