"""`helmCharts` of a kustomization, where the chart lies in the repository (api/types/helmchartargs.go)."""

from __future__ import annotations

import posixpath

from quotalint.gitops.charts import Charts
from quotalint.gitops.helm import Release
from quotalint.gitops.kustomize.built import HelmChart
from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.kustomize.problems import MISSING, UNRENDERED, Problem
from quotalint.gitops.kustomize.resources import Resource, resource
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.tree import Tree, join
from quotalint.kube.fields import Body, dig, mapping, sequence, text


def inflated(tree: Tree, charts: Charts) -> HelmChart:
    """What renders an entry of `helmCharts`."""

    def render(entry: Traced, found: Kustomization, namespace: str) -> tuple[list[Resource], list[Problem]]:
        body = mapping(entry.value)
        folder = posixpath.dirname(found.name)
        chart = _chart(body, found.body, folder, tree)
        name = text(body.get("name"))
        if not chart:
            where = text(body.get("repo"))
            reason = f"the chart {name} is remote ({where})" if where else f"there is no chart {name}"
            return [], [Problem(entry.place, reason, MISSING, namespace=namespace)]
        files = [text(one) for one in (body.get("valuesFile"), *sequence(body.get("additionalValuesFiles")))]
        release = Release(
            chart,
            text(body.get("releaseName")) or "release-name",
            text(body.get("namespace")) or namespace,
            tuple(join(folder, file) for file in files if file),
            mapping(body.get("valuesInline")) or None,
            api_versions=tuple(map(text, sequence(body.get("apiVersions")))),
            skip_crds=body.get("includeCRDs") is not True,
        )
        rendered = charts.rendered(release, entry.place)
        problems = [one._replace(namespace=namespace) for one in rendered.problems]
        if text(body.get("valuesMerge")) not in ("", "override"):
            reason = f"valuesMerge {text(body.get('valuesMerge'))} is taken as `override`"
            problems.append(Problem(entry.place, reason, UNRENDERED, namespace=namespace))
        return [resource(Traced(obj.body, obj.place.origin)) for obj in rendered.objects], problems

    return render


def _chart(entry: Body, kustomization: Body, folder: str, tree: Tree) -> str:
    """The folder of the chart; empty where it is not in the repository."""
    home = text(dig(kustomization, "helmGlobals", "chartHome")) or text(entry.get("chartHome")) or "charts"
    name, version = text(entry.get("name") or entry.get("chartName")), text(entry.get("version"))
    pulled = [f"{home}/{name}-{version}/{name}"] if version else []
    places = (join(folder, one) for one in (*pulled, f"{home}/{name}"))
    return next((one for one in places if name and tree.is_file(join(one, "Chart.yaml"))), "")
