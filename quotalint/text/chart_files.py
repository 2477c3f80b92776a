"""Detects the files of Helm charts."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Set

from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.sources import Source

# Folders of a chart. `files` is a convention, `ci` belongs to chart-testing.
_CHART_FOLDERS = frozenset({"templates", "crds", "charts", "files", "ci"})
_CHART_FILE = lazy_pattern(r"Chart\.(?:yaml|lock)|requirements\.(?:yaml|lock)|values.*\.(?:ya?ml|json)")


def in_charts(sources: Iterable[Source]) -> tuple[tuple[Source, ...], tuple[str, ...]]:
    """The sources outside Helm charts, and the charts' folders."""
    sources = tuple(sources)
    named = {posixpath.dirname(source.name) for source in sources if is_chart_file(source.name)}
    if not named:
        return sources, ()
    outside = tuple(source for source in sources if source.explicit or not _is_of_a_chart(source.name, named))
    # A subchart (charts/) is part of its chart.
    return outside, tuple(sorted(folder for folder in named if not _is_of_a_chart(folder, named)))


def _is_of_a_chart(name: str, charts: Set[str]) -> bool:
    """Whether a file or folder is part of a chart for Helm. Other files next to a `Chart.yaml` are not, as in a
    repository with a chart at its root."""
    for folder in folders_above(name):
        if folder in charts:
            inside = name[len(folder) + 1 :] if folder else name
            top, _, below = inside.partition("/")
            if top in _CHART_FOLDERS if below else _CHART_FILE.fullmatch(top):
                return True
    return False


def is_chart_file(name: str) -> bool:
    """Whether a file marks its folder as a chart."""
    return name.endswith("Chart.yaml") and posixpath.basename(name) == "Chart.yaml"


def folders_above(name: str) -> Iterator[str]:
    """The folders above a path, from the innermost to the working directory (empty)."""
    while name.strip("/"):
        name = posixpath.dirname(name)
        yield name
