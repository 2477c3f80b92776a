"""Which files are those of Helm charts."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Set

from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.sources import Source

# Templates, and what is for them alone: `files` by habit, `ci` for chart-testing.
_CHART_FOLDERS = frozenset({"templates", "crds", "charts", "files", "ci"})
_CHART_FILE = lazy_pattern(r"Chart\.(?:yaml|lock)|requirements\.(?:yaml|lock)|values.*\.(?:ya?ml|json)")


def in_charts(sources: Iterable[Source]) -> tuple[tuple[Source, ...], tuple[str, ...]]:
    """The sources outside of Helm charts, and the folders of the charts."""
    sources = tuple(sources)
    named = {posixpath.dirname(source.name) for source in sources if is_chart_file(source.name)}
    if not named:
        return sources, ()
    outside = tuple(source for source in sources if source.explicit or not _is_of_a_chart(source.name, named))
    # A chart in a chart (charts/) is part of it.
    return outside, tuple(sorted(folder for folder in named if not _is_of_a_chart(folder, named)))


def _is_of_a_chart(name: str, charts: Set[str]) -> bool:
    """Whether Helm takes a file or folder for part of a chart. What else lies beside a `Chart.yaml` is nobody's, as in
    a repository that has its own chart at the root."""
    for folder in folders_above(name):
        if folder in charts:
            inside = name[len(folder) + 1 :] if folder else name
            top, _, below = inside.partition("/")
            if top in _CHART_FOLDERS if below else _CHART_FILE.fullmatch(top):
                return True
    return False


def is_chart_file(name: str) -> bool:
    """Whether a file says that its folder is a chart."""
    return name.endswith("Chart.yaml") and posixpath.basename(name) == "Chart.yaml"


def folders_above(name: str) -> Iterator[str]:
    """The folders that something stands in, from the innermost to the working directory (empty)."""
    while name.strip("/"):
        name = posixpath.dirname(name)
        yield name
