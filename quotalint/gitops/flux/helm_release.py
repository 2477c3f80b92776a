"""What a Flux HelmRelease installs, where its chart lies in this repository."""

from __future__ import annotations

from quotalint.gitops.causes import REMOTE_CHART, REMOTE_REPOSITORY, Reason
from quotalint.gitops.context import Context, at_home, merged_values, nowhere
from quotalint.gitops.flux.post_renderers import post_rendered
from quotalint.gitops.helm import Release
from quotalint.gitops.kustomize.problems import UNRENDERED, Problem
from quotalint.gitops.rendering import Rendering, Unseen
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.place import Place

_MAX_NAME = 53  # helm-controller api/v2, GetReleaseName


def helm_release(obj: Object, context: Context) -> Rendering:
    """The objects that a HelmRelease installs."""
    spec = obj.spec
    target = text(spec.get("targetNamespace"))
    namespace = target or obj.namespace
    chart = mapping(dig(spec, "chart", "spec"))
    why = _why_not_here(obj, context)
    if why:
        return nowhere(obj, why, namespace)
    folder = at_home(text(chart.get("chart")), obj, context)
    name = text(spec.get("releaseName")) or (f"{target}-{obj.name}" if target else obj.name)
    # Flux takes the names of values files from the root of the source.
    files = [text(one) for one in (*sequence(chart.get("valuesFiles")), chart.get("valuesFile")) if text(one)]
    missing, values = _values(obj, context)
    release = Release(
        folder,
        name[:_MAX_NAME],
        namespace,
        tuple(at_home(file, obj, context) for file in files),
        values or None,
        values_place=obj.at("spec", "values"),
    )
    if any(not one.startswith("Secret ") for one in missing):
        # With other values than those that count its numbers would be guesses; a Secret holds passwords, mostly.
        reason = f"its values come from {', '.join(missing)}, not in view here"
        return nowhere(obj, reason, namespace)._replace(units=frozenset({folder}), folder=folder)
    found = context.charts.rendered(release, obj.at("spec", "chart"))
    if missing:
        reason = f"values of HelmRelease {obj.name} come from {', '.join(missing)}, not in view here"
        found = _doubted(found, obj.at("spec", "valuesFrom"), reason, namespace)
    if spec.get("postRenderers"):
        found = post_rendered(found, obj)
    return found._replace(destination=text(dig(spec, "kubeConfig", "secretRef", "name")))


def _doubted(found: Rendering, place: Place, reason: str, namespace: str) -> Rendering:
    target = "" if is_placeholder(namespace) else namespace
    problem = Problem(place, reason, UNRENDERED, namespace=target)
    unseen = Unseen(target, f"{place.real.source}: {reason}")
    return found._replace(problems=(*found.problems, problem), unseen=(*found.unseen, unseen))


def _why_not_here(obj: Object, context: Context) -> str:
    spec = obj.spec
    reference = mapping(spec.get("chartRef"))
    if reference:
        kind, name = text(reference.get("kind")), text(reference.get("name"))
        return Reason(f"its chart is the {kind} {name}, which is remote", REMOTE_CHART, name)
    chart = mapping(dig(spec, "chart", "spec"))
    path = text(chart.get("chart"))
    if not path:
        return "it names no chart"
    kind, name = (text(dig(chart, "sourceRef", field)) for field in ("kind", "name"))
    if kind != "GitRepository":
        return Reason(f"the chart {path} of {kind or 'its source'} {name} is remote", REMOTE_CHART, path)
    source = context.find(obj, kind, text(dig(chart, "sourceRef", "namespace")) or obj.namespace, name)
    url = text(source.spec.get("url")) if source is not None else ""
    if url and not context.is_here(url):
        return Reason(f"the chart {path} lies in the repository {url}", REMOTE_REPOSITORY, url)
    return ""


def _values(obj: Object, context: Context) -> tuple[list[str], dict[str, object]]:
    """What of `valuesFrom` is not in view, and the values: those of `values` win."""
    from quotalint.text.documents import read

    missing: list[str] = []
    values: dict[str, object] = {}
    for source in map(mapping, sequence(obj.spec.get("valuesFrom"))):
        kind, name = text(source.get("kind")), text(source.get("name"))
        found = context.find(obj, kind, obj.namespace, name)
        data = mapping(found.body.get("data")) if found is not None and kind == "ConfigMap" else {}
        written = data.get(text(source.get("valuesKey")) or "values.yaml")
        if not isinstance(written, str) or source.get("targetPath"):
            if source.get("optional") is not True or found is not None:
                missing.append(f"{kind} {name}")
            continue
        for document in read(written.encode("utf-8", "surrogatepass")).documents[:1]:
            values = merged_values(values, mapping(document.value))
    return missing, merged_values(values, mapping(obj.spec.get("values")))
