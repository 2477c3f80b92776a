"""What the clusters of an ApplicationSet may be called: what stands in the place of their names in its paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.globs import Glob, Sign, Star, Term, covers, glob_of

_PIECE = re.compile(r"\{\{-?\s*\.?(?P<name>[A-Za-z_.]*)[^}]*\}\} | (?P<slash>/) | (?P<plain>[^/{]+|\{)", re.VERBOSE)
_OF_A_CLUSTER = frozenset(
    {"name", "nameNormalized", "cluster", "clusterName", "values.cluster", "metadata.labels.cluster"}
)
_SHARED = frozenset({"base", "bases", "common", "components", "default"})


class _Segment(NamedTuple):
    """A part of a path between two slashes."""

    glob: Glob
    names_cluster: bool


def cluster_names(obj: Object, folders: Callable[[], Sequence[str]]) -> tuple[str, ...]:
    """The names of the folders that the paths of an ApplicationSet would lead to with the name of a cluster; `folders`
    gives those of the repository, as paths from its root."""
    source = mapping(dig(obj.spec, "template", "spec", "source"))
    sources = [source, *map(mapping, sequence(dig(obj.spec, "template", "spec", "sources")))]
    patterns = [pattern for source in sources if (pattern := _path_segments(text(source.get("path"))))]
    names = {name for pattern in patterns for folder in folders() if (name := _cluster_in(folder, pattern))}
    return tuple(sorted(name for name in names if name.lower() not in _SHARED and not name.startswith(".")))


def _cluster_in(folder: str, pattern: Sequence[_Segment]) -> str:
    parts = folder.split("/")
    if len(parts) != len(pattern) or not all(
        covers(segment.glob, part) for segment, part in zip(pattern, parts, strict=True)
    ):
        return ""
    return next(part for segment, part in zip(pattern, parts, strict=True) if segment.names_cluster)


def _path_segments(path: str) -> list[_Segment]:
    """The segments of the path, in which parameters stand for anything; none where no whole segment is the name of a
    cluster, and where the path begins with a parameter, so that it may lead anywhere."""
    if path.lstrip("/").startswith("{{"):
        return []
    segments: list[_Segment] = []
    terms: list[Term] = []
    names_cluster = False
    at = 0
    path = path.strip("/")
    for match in _PIECE.finditer(path):
        if match["slash"]:
            segments.append(_Segment(glob_of(terms), names_cluster))
            terms, names_cluster = [], False
        elif match["plain"]:
            terms.append(match["plain"])
        else:
            whole = path[at - 1 : at] in ("", "/") and path[match.end() : match.end() + 1] in ("", "/")
            names_cluster = (
                whole and match["name"] in _OF_A_CLUSTER and not any(segment.names_cluster for segment in segments)
            )
            terms += (Sign((), negated=True), Star(stops=True))
        at = match.end()
    segments.append(_Segment(glob_of(terms), names_cluster))
    return segments if any(segment.names_cluster for segment in segments) else []
