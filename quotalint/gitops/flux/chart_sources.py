"""Where the chart of a HelmRelease lies (helm-controller, api/v2; source-controller, api/v1, HelmChart)."""

from __future__ import annotations

from collections.abc import Callable

from quotalint.gitops.context import Context, at_home
from quotalint.gitops.flux.artifacts import EXTERNAL_ARTIFACT
from quotalint.gitops.flux.flux_sources import taken_folder
from quotalint.gitops.tree import join_path
from quotalint.gitops.unseen_causes import REMOTE_CHART, Reason
from quotalint.gitops.vendored import chart_below
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple


class Chart(NamedTuple):
    """The chart of a HelmRelease."""

    folder: str = ""
    why_not: str = ""
    """Why it is not in view; empty where it is."""
    values_files: tuple[str, ...] = ()
    """What takes the place of the chart's own values.yaml; empty: that counts."""


def chart_of(obj: Object, context: Context) -> Chart:
    """The chart that a HelmRelease installs."""
    reference = mapping(obj.spec.get("chartRef"))
    if not reference:
        return _named_chart(obj, mapping(dig(obj.spec, "chart", "spec")), context)
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    namespace = text(reference.get("namespace")) or obj.namespace
    if kind == "HelmChart":
        repository_object = context.find(obj, kind, namespace, name)
        if repository_object is None:
            return Chart("", f"its chart is the {kind} {name}, which is not in view")
        return _named_chart(repository_object, repository_object.spec, context)
    if kind in ("GitRepository", EXTERNAL_ARTIFACT):
        return _in_source(obj, {**reference, "namespace": namespace}, ".", {}, context)
    source = context.find(obj, kind, namespace, name)
    url = text(source.spec.get("url")) if source is not None else ""
    folder = context.vendored(url)
    if folder is not None and context.charts.is_chart(folder):
        return Chart(folder)
    words = f"its chart is the {kind} {name}{f' ({url})' if url else ''}, which is remote"
    return Chart("", Reason(words, REMOTE_CHART, url or name))


def _named_chart(obj: Object, spec: Body, context: Context) -> Chart:
    """The chart that a HelmChart names, or a HelmRelease in the same words."""
    path, reference = text(spec.get("chart")), mapping(spec.get("sourceRef"))
    if not path:
        return Chart("", "it names no chart")
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    if kind in ("GitRepository", EXTERNAL_ARTIFACT):
        return _in_source(obj, reference, path, spec, context)
    source = context.find(obj, kind, text(reference.get("namespace")) or obj.namespace, name)
    url = text(source.spec.get("url")).rstrip("/") if source is not None else ""
    folder = _vendored_folder(url, path, text(spec.get("version")), context)
    if not folder:
        return Chart("", Reason(f"the chart {path} of {kind or 'its source'} {name} is remote", REMOTE_CHART, path))
    # Of a chart from a registry the values files are those in it.
    return Chart(folder, "", _values_files(spec, lambda file: join_path(folder, file), context))


def _in_source(obj: Object, reference: Body, path: str, spec: Body, context: Context) -> Chart:
    source = taken_folder(obj, reference, path, context)
    if source.why_not:
        return Chart("", source.why_not)

    def of_source(file: str) -> str:
        # Flux takes the names of values files from the root of the source.
        return at_home(file, obj, context) if source.top == context.top else join_path(source.top, file.lstrip("/"))

    return Chart(source.name, "", _values_files(spec, of_source, context))


def _values_files(spec: Body, place: Callable[[str], str], context: Context) -> tuple[str, ...]:
    listed = [
        text(values_file)
        for values_file in (*sequence(spec.get("valuesFiles")), spec.get("valuesFile"))
        if text(values_file)
    ]
    names = tuple(place(file) for file in listed)
    if spec.get("ignoreMissingValuesFiles") is True:
        return tuple(name for name in names if context.units.tree.is_file(name))
    return names


def _vendored_folder(url: str, chart: str, version: str, context: Context) -> str:
    """The folder that stands for a chart of a registry; empty where none does."""
    whole = context.vendored(f"{url}/{chart}") if url else None
    if whole is not None and context.charts.is_chart(whole):
        return whole
    folder = context.vendored(url)
    return "" if folder is None else chart_below(folder, chart, version, context.units.tree)
