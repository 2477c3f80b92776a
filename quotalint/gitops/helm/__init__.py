"""A release of a Helm chart, and what it comes to or why it comes to nothing, whatever renders it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quotalint.gitops.unseen_causes import UNVENDORED, Reason
from quotalint.kube.guess import Guess
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path, Place


class ValuesLayer(NamedTuple):
    """Values that are laid over others."""

    values: Mapping[str, object]
    place: Place
    """Where they are written: what stands at `path` in them stands at `place.at(*path)`."""
    is_flat: bool = False
    """Whether nobody can tell apart where its parts are written: a text, what a template comes to."""
    scope: Path = ()
    """Below which keys of the values of the release they count: those of a subchart below its name."""


class Parameter(NamedTuple):
    """A value as `--set` takes it."""

    name: str
    """The path to it: `web.ports[0].name`."""
    value: str
    is_string: bool = False
    """Whether it is a string, whatever it looks like."""
    place: Place | None = None
    """Where it is written."""


class Release(NamedTuple):
    """What to render. Paths are names of a `Tree` for `Charts`, and absolute for what renders."""

    chart: str
    """The folder of the chart."""
    name: str
    namespace: str
    """Empty: `default`."""
    values_files: tuple[str, ...] = ()
    """A later one wins."""
    values: Mapping[str, object] | None = None
    """These win over the files and the layers."""
    parameters: tuple[Parameter, ...] = ()
    """These win over the values."""
    file_parameters: tuple[tuple[str, str], ...] = ()
    """Name, and the path of the file that holds the value; these win over all."""
    kube_version: str = ""
    """Empty: the one that helm was built for."""
    api_versions: tuple[str, ...] = ()
    """What the cluster serves beside Kubernetes' own."""
    skip_schema: bool = False
    """Whether the chart's schemas for its values say nothing; one in a packed dependency does all the same."""
    skip_crds: bool = False
    skip_hooks: bool = False
    """Whether hooks are left out, whatever they are for (`--no-hooks`)."""
    layers: tuple[ValuesLayer, ...] = ()
    """Values between the files and `values`; a later layer wins."""
    values_place: Place | None = None
    """Where `values` are written."""
    filled_in: tuple[ValuesLayer, ...] = ()
    """What templates among the layers were filled in with."""
    lacks_values: bool = False
    """Whether values that count where it is installed may not be in view, so that what is refused here may do there."""
    without_cluster: bool = False
    """Whether it is rendered apart from the cluster, as by `helm template`, so that `lookup` finds nothing."""
    own_values: bool = True
    """Whether the values.yaml of the chart itself counts; those of charts in it always do."""


class RenderedTemplate(NamedTuple):
    """A template, or a file of crds/, that came to something."""

    source: str
    """Its path below the chart's folder; `charts/redis/templates/sts.yaml` for one of a subchart."""
    documents: tuple[object, ...]
    """Hooks among them, tests not."""


class RenderedChart(NamedTuple):
    templates: tuple[RenderedTemplate, ...]
    error: str = ""
    """In one line why the chart could not be rendered; there are no templates then."""
    guesses: tuple[Guess, ...] = ()
    """What all of it rests on."""
    is_refused: bool = False
    """Whether the error is Helm's own, of the templates or the values, and would come up in a cluster as well."""


def dependencies_missing(names: Iterable[str]) -> str:
    """A chart lacks dependencies."""
    names = tuple(dict.fromkeys(names))
    is_plural = len(names) > 1
    subject = f"dependencies {', '.join(names)} are" if is_plural else f"dependency {names[0]} is"
    missing = f"its {subject} not vendored (charts/ is missing {'them' if is_plural else 'it'})"
    return Reason(missing, UNVENDORED, ", ".join(names))


def no_application(kind: str) -> str:
    """A chart is none that can be installed."""
    if kind == "library":
        return "it is a library chart, made for other charts to use: it renders nothing itself"
    return f"it is a chart of type {kind}, which is not installable"
