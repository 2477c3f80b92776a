"""A release of a Helm chart, and its rendering or the reason for its failure; the same for every renderer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quotalint.kube.guess import Guess
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path, Place
from quotalint.unknowns.causes import UNVENDORED, Reason


class ValuesLayer(NamedTuple):
    """Values that override those of earlier layers."""

    values: Mapping[str, object]
    place: Place
    """Where they are written: the value at `path` has the place `place.at(*path)`."""
    is_flat: bool = False
    """Whether single values have no place of their own: a string, or a template's output."""
    scope: Path = ()
    """The key path in the release's values at which they apply; a subchart's values are under its name."""


class Parameter(NamedTuple):
    """A value as `--set` takes it."""

    name: str
    """The path of the value: `web.ports[0].name`."""
    value: str
    is_string: bool = False
    """Whether it is always a string (`--set-string`)."""
    place: Place | None = None
    """Where it is written."""


class Release(NamedTuple):
    """A release to render. Paths are names in a `Tree` for `Charts`, and absolute for renderers."""

    chart: str
    """The folder of the chart."""
    name: str
    namespace: str
    """Empty: `default`."""
    values_files: tuple[str, ...] = ()
    """A later file wins."""
    values: Mapping[str, object] | None = None
    """These override the files and layers."""
    parameters: tuple[Parameter, ...] = ()
    """These override the values."""
    file_parameters: tuple[tuple[str, str], ...] = ()
    """Name of the parameter, and the file with its value; these override everything."""
    kube_version: str = ""
    """Empty: the version that Helm was built for."""
    api_versions: tuple[str, ...] = ()
    """API versions of the cluster, besides Kubernetes' own."""
    skip_schema: bool = False
    """Whether the chart's values schemas are ignored; those in packed dependencies still apply."""
    skip_crds: bool = False
    skip_hooks: bool = False
    """Whether all hooks are omitted (`--no-hooks`)."""
    layers: tuple[ValuesLayer, ...] = ()
    """Values between the files and `values`; a later layer wins."""
    values_place: Place | None = None
    """Where `values` is written."""
    filled_in: tuple[ValuesLayer, ...] = ()
    """The values with which templates among the layers were filled in."""
    lacks_values: bool = False
    """Whether values used at installation may be missing here, so that a failure here may succeed there."""
    without_cluster: bool = False
    """Whether it is rendered without a cluster, as by `helm template`, so that `lookup` finds nothing."""
    own_values: bool = True
    """Whether the chart's values.yaml applies; those of subcharts always do."""
    without_dependencies: bool = False
    """Whether it is rendered even if dependencies are missing; Helm would refuse it."""
    left_out: tuple[str, ...] = ()
    """Templates to leave out, as paths in the chart's folder."""


class RenderedTemplate(NamedTuple):
    """The output of a template or of a file in crds/."""

    source: str
    """Its path in the chart's folder; `charts/redis/templates/sts.yaml` for a subchart."""
    documents: tuple[object, ...]
    """Includes hooks, except test hooks."""


class RenderedChart(NamedTuple):
    templates: tuple[RenderedTemplate, ...]
    error: str = ""
    """Why the chart could not be rendered, in one line; there are no templates then."""
    guesses: tuple[Guess, ...] = ()
    """The assumptions behind the rendering."""
    is_refused: bool = False
    """Whether Helm itself refuses templates or values, so that it would fail in a cluster too."""
    failed: str = ""
    """The template that fails, as a path in the chart's folder; empty: no single one."""


_FAILS_AT = lazy_pattern(r"(?:template: |execution error at \(|YAML parse error on )?([^\s:()]+):")


def failed_template(error: str) -> str:
    """The template that an error of Helm names, as a path in the chart's folder; empty if it names none."""
    at = _FAILS_AT.match(error)
    return at[1].partition("/")[2] if at else ""


def dependencies_missing(names: Iterable[str]) -> str:
    """The reason for a chart whose dependencies are not vendored."""
    names = tuple(dict.fromkeys(names))
    is_plural = len(names) > 1
    subject = f"dependencies {', '.join(names)} are" if is_plural else f"dependency {names[0]} is"
    missing = f"its {subject} not vendored (charts/ is missing {'them' if is_plural else 'it'})"
    return Reason(missing, UNVENDORED, ", ".join(names))


def no_application(kind: str) -> str:
    """The reason for a chart that cannot be installed because of its type."""
    if kind == "library":
        return "it is a library chart, made for other charts to use: it renders nothing itself"
    return f"it is a chart of type {kind}, which is not installable"
