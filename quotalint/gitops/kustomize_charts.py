"""`helmCharts` of a kustomization, where the chart lies in the repository (api/types/helmchartargs.go)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from quotalint.gitops.charts import Charts
from quotalint.gitops.helm import Release, ValuesLayer
from quotalint.gitops.helm.value_layers import ValuesError, file_layer
from quotalint.gitops.kustomize.built import HelmChart
from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.kustomize.kustomize_resource import Resource, resource_of
from quotalint.gitops.kustomize.problems import MISSING, Problem
from quotalint.gitops.kustomize.traced import Traced, child
from quotalint.gitops.tree import CHART, Tree, join_path
from quotalint.gitops.unseen_causes import REMOTE_CHART, SharedCause
from quotalint.gitops.vendored import chart_below
from quotalint.kube.fields import Body, dig, mapping, sequence, text


def chart_inflater(tree: Tree, charts: Charts) -> HelmChart:
    """What renders an entry of `helmCharts`."""

    def render(entry: Traced, kustomization: Kustomization, namespace: str) -> tuple[list[Resource], list[Problem]]:
        body = mapping(entry.value)
        folder = posixpath.dirname(kustomization.name)
        chart = _chart_folder(body, kustomization.body, folder, tree)
        name = text(body.get("name"))
        if not chart:
            where = text(body.get("repo"))
            reason = f"the chart {name} is remote ({where})" if where else f"there is no chart {name}"
            problem = Problem(entry.place, reason, MISSING, namespace=namespace)
            return [], [
                problem._replace(shared=SharedCause(REMOTE_CHART, name), subject=f"chart {name}") if where else problem
            ]
        release = Release(
            chart,
            text(body.get("releaseName")) or "release-name",
            text(body.get("namespace")) or namespace,
            kube_version=text(body.get("kubeVersion")),
            api_versions=tuple(map(text, sequence(body.get("apiVersions")))),
            skip_crds=body.get("includeCRDs") is not True,
            skip_hooks=body.get("skipHooks") is True,
        )
        try:
            release = release._replace(layers=tuple(_value_layers(entry, folder, chart, tree)))
        except ValuesError as error:
            reason = f"the chart {chart} (release {release.name}) is not rendered: {error}"
            return [], [Problem(entry.place, reason, MISSING, namespace=namespace)]
        tree.hear((CHART + chart,))
        rendered = charts.render_chart(release, entry.place)
        problems = [problem._replace(namespace=namespace) for problem in rendered.problems]
        return [resource_of(Traced(obj.body, obj.place.origin)) for obj in rendered.objects], problems

    return render


def _value_layers(entry: Traced, folder: str, chart: str, tree: Tree) -> Iterator[ValuesLayer]:
    """The values of an entry (kustomize api/internal/builtins/HelmChartInflationGenerator.go): what is inline is merged
    with the values file, by default the chart's own, and further files win over both."""
    body = mapping(entry.value)
    inline, how = child(entry, "valuesInline"), text(body.get("valuesMerge")) or "override"
    if how not in ("override", "merge", "replace"):
        raise ValuesError(f"valuesMerge must be merge, override or replace, not {how}")
    own = text(body.get("valuesFile"))
    file = join_path(folder, own) if own else join_path(chart, "values.yaml")
    layers = [file_layer(file, tree.reading(file))] if own or tree.is_file(file) else []
    if inline is not None and mapping(inline.value):
        written = ValuesLayer(mapping(inline.value), inline.place)
        layers = [written] if how == "replace" else [written, *layers] if how == "merge" else [*layers, written]
    yield from layers
    for name in map(text, sequence(body.get("additionalValuesFiles"))):
        yield file_layer(join_path(folder, name), tree.reading(join_path(folder, name)))


def _chart_folder(entry: Body, kustomization: Body, folder: str, tree: Tree) -> str:
    """The folder of the chart; empty where it is not in the repository."""
    home = text(dig(kustomization, "helmGlobals", "chartHome")) or text(entry.get("chartHome")) or "charts"
    name, version = text(entry.get("name") or entry.get("chartName")), text(entry.get("version"))
    pulled = [f"{home}/{name}-{version}/{name}"] if version else []
    places = (join_path(folder, path) for path in (*pulled, f"{home}/{name}"))
    place = next((place for place in places if name and tree.is_file(join_path(place, "Chart.yaml"))), "")
    repository = text(entry.get("repo")).rstrip("/")
    vendored = tree.vendored(repository) if repository and name and not place else None
    return place if vendored is None else chart_below(vendored, name, version, tree)
