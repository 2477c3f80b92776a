"""What the clusters of an ApplicationSet may be called: what stands in the place of their names in its paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.objects import Object

_PARAMETER = re.compile(r"\{\{-?\s*\.?(?P<name>[A-Za-z_.]*)[^}]*\}\}")
_OF_A_CLUSTER = frozenset(
    {"name", "nameNormalized", "cluster", "clusterName", "values.cluster", "metadata.labels.cluster"}
)
_SHARED = frozenset({"base", "bases", "common", "components", "default"})


def cluster_names(obj: Object, folders: Callable[[], Sequence[str]]) -> tuple[str, ...]:
    """The names of the folders that the paths of an ApplicationSet would lead to with the name of a cluster; `folders`
    gives those of the repository, as paths from its root."""
    source = mapping(dig(obj.spec, "template", "spec", "source"))
    sources = [source, *map(mapping, sequence(dig(obj.spec, "template", "spec", "sources")))]
    patterns = [pattern for one in sources if (pattern := _pattern(text(one.get("path")))) is not None]
    found = (match["cluster"] for pattern in patterns for folder in folders() if (match := pattern.fullmatch(folder)))
    return tuple(sorted({name for name in found if name.lower() not in _SHARED and not name.startswith(".")}))


def _pattern(path: str) -> re.Pattern[str] | None:
    """The path with any segment for each parameter, and a group for the name of the cluster; None without one, and
    where the path begins with a parameter, so that it may lead anywhere."""
    parts = list(_pieces(path.strip("/")))
    if path.lstrip("/").startswith("{{"):
        return None
    return re.compile("".join(parts)) if any("(?P<cluster>" in part for part in parts) else None


def _pieces(path: str) -> Iterator[str]:
    start, is_named = 0, False
    for match in _PARAMETER.finditer(path):
        yield re.escape(path[start : match.start()])
        start = match.end()
        whole = path[match.start() - 1 : match.start()] in ("", "/") and path[start : start + 1] in ("", "/")
        names = whole and not is_named and match["name"] in _OF_A_CLUSTER
        is_named = is_named or names
        yield "(?P<cluster>[^/]+)" if names else "[^/]+"
    yield re.escape(path[start:])
