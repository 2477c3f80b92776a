"""What a Flux HelmRelease installs, where its chart lies in this repository."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.gitops.causes import REMOTE_CHART, REMOTE_REPOSITORY, Reason
from quotalint.gitops.context import Context, at_home, nowhere
from quotalint.gitops.flux.post_renderers import post_rendered
from quotalint.gitops.helm import Layer, Release
from quotalint.gitops.helm.parameters import ParameterError, with_parameters
from quotalint.gitops.helm.value_layers import merged
from quotalint.gitops.kustomize.problems import UNRENDERED, Problem
from quotalint.gitops.rendering import Rendering, Unseen, owned
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.owners import HELM
from quotalint.text.documents import read
from quotalint.text.place import Place

_MAX_NAME = 53  # helm-controller api/v2, GetReleaseName


def helm_release(obj: Object, context: Context) -> Rendering:
    """The objects that a HelmRelease installs."""
    namespace = text(obj.spec.get("targetNamespace")) or obj.namespace
    storage = text(obj.spec.get("storageNamespace")) or obj.namespace
    release = release_name(obj)
    owners = {("HelmRelease", obj.namespace, obj.name), (HELM, namespace, release), (HELM, storage, release)}
    return owned(_installed(obj, context), *sorted(owners))


def release_name(obj: Object) -> str:
    """What the release of a HelmRelease is called."""
    target = text(obj.spec.get("targetNamespace"))
    name = text(obj.spec.get("releaseName")) or (f"{target}-{obj.name}" if target else obj.name)
    return name[:_MAX_NAME]


def _installed(obj: Object, context: Context) -> Rendering:
    spec = obj.spec
    target = text(spec.get("targetNamespace"))
    namespace = target or obj.namespace
    chart = _chart_of(obj, context)
    why = _why_not_here(obj, chart, context)
    if why:
        return nowhere(obj, why, namespace)
    folder = at_home(text(chart.get("chart")), obj, context)
    name = release_name(obj)
    # Flux takes the names of values files from the root of the source.
    files = [text(one) for one in (*sequence(chart.get("valuesFiles")), chart.get("valuesFile")) if text(one)]
    try:
        missing, layers = _layers(obj, context)
    except ParameterError as error:
        return nowhere(obj, f"HelmRelease {obj.name} is not rendered: a targetPath of it is wrong: {error}", namespace)
    release = Release(
        folder,
        name,
        namespace,
        tuple(at_home(file, obj, context) for file in files),
        dict(mapping(spec.get("values"))) or None,
        layers=layers,
        skip_hooks=all(dig(spec, action, "disableHooks") is True for action in ("install", "upgrade")),
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


def _chart_of(obj: Object, context: Context) -> Body:
    """`chart.spec`, or the HelmChart that it names instead."""
    reference = mapping(obj.spec.get("chartRef"))
    if not reference or text(reference.get("kind")) != "HelmChart":
        return mapping(dig(obj.spec, "chart", "spec"))
    found = context.find(
        obj, "HelmChart", text(reference.get("namespace")) or obj.namespace, text(reference.get("name"))
    )
    return found.spec if found is not None else {}


def _why_not_here(obj: Object, chart: Body, context: Context) -> str:
    reference = mapping(obj.spec.get("chartRef"))
    if reference and not chart:
        kind, name = text(reference.get("kind")), text(reference.get("name"))
        return Reason(f"its chart is the {kind} {name}, which is remote", REMOTE_CHART, name)
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


def _layers(obj: Object, context: Context) -> tuple[list[str], tuple[Layer, ...]]:
    """What of `valuesFrom` is not in view, and what it comes to: a later entry wins (fluxcd/pkg/chartutil)."""
    missing: list[str] = []
    layers: list[Layer] = []
    for source in map(mapping, sequence(obj.spec.get("valuesFrom"))):
        kind, name = text(source.get("kind")), text(source.get("name"))
        key = text(source.get("valuesKey")) or "values.yaml"
        found = context.find(obj, kind, obj.namespace, name)
        data = mapping(found.body.get("data")) if found is not None and kind == "ConfigMap" else {}
        written = data.get(key)
        if found is None or not isinstance(written, str):
            if source.get("optional") is not True or found is not None:
                missing.append(f"{kind} {name}")
            continue
        place = found.at("data", key).real
        target = text(source.get("targetPath"))
        if target:
            # Its place among the values before it is part of the path: `hosts[1].name`.
            values = _with_target(merged(tuple(layer.values for layer in layers)), target, written)
            layers.append(Layer({first: values[first] for first in values if first == _first_key(target)}, place, True))
            continue
        # A text within a manifest has one place; one that a generator took from a file has the file's.
        documents = read(written.encode("utf-8", "surrogatepass")).documents[:1]
        layers += (Layer(mapping(document.value), place, bool(place.path)) for document in documents)
    return missing, tuple(layers)


def _with_target(values: Mapping[str, object], target: str, written: str) -> dict[str, object]:
    """As `--set` reads it, or as `--set-string` where it is quoted (ReplacePathValue)."""
    for quote in "'\"":
        if len(written) > 1 and written.startswith(quote) and written.endswith(quote):
            return with_parameters(values, f"{target}={written.strip(quote)}", True)
    return with_parameters(values, f"{target}={written}")


def _first_key(target: str) -> str:
    return next(iter(with_parameters({}, f"{target}=x")), "")
