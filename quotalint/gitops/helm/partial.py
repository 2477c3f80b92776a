"""Renders the rest of a chart if a part of it cannot be rendered here, because something of it is not in view."""

from __future__ import annotations

from collections.abc import Callable

from quotalint.gitops.helm import Release, RenderedChart
from quotalint.named_tuples import NamedTuple
from quotalint.unknowns.causes import UNVENDORED, cause_of

_MOST = 5
"""How many failing templates of a release are left out."""


class PartialChart(NamedTuple):
    """The rendering of a release, without what cannot be rendered."""

    rendered: RenderedChart
    missing: str = ""
    """The reason if dependencies are missing."""
    left_out: tuple[str, ...] = ()
    """The templates that are left out, as paths in the chart's folder."""
    error: str = ""
    """Why the first of them fails."""


def render_partially(
    release: Release,
    render: Callable[[Release], RenderedChart],
    is_template: Callable[[str], bool],
    needs_dependencies: Callable[[], bool],
) -> PartialChart:
    """The rendering of a release. What Helm refuses although everything is in view has an error, as has what fails
    even without the templates that fail. `needs_dependencies`: whether the chart's own values come from
    dependencies."""
    whole = rendered = render(release)
    cause = cause_of(whole.error)
    missing = whole.error if cause is not None and cause.family == UNVENDORED else ""
    if missing and not needs_dependencies():
        release = release._replace(without_dependencies=True)
        rendered = render(release)
    error = rendered.error
    if release.lacks_values or release.without_dependencies:
        while rendered.error and len(release.left_out) < _MOST and is_template(rendered.failed):
            release = release._replace(left_out=(*release.left_out, rendered.failed))
            rendered = render(release)
    if rendered.error or not rendered.templates:
        return PartialChart(whole)
    return PartialChart(rendered, missing, release.left_out, error)
