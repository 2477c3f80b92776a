"""Installs a Flux HelmRelease: renders its chart if that is in this repository."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quotalint.gitops.deployer import Context, locate_path, not_in_view
from quotalint.gitops.flux.applied_objects import apply_common_metadata, as_resumed
from quotalint.gitops.flux.flux_sources import EXTERNAL_ARTIFACT, cluster_of, registry_address, resolve_source_path
from quotalint.gitops.flux.post_build import data_of
from quotalint.gitops.flux.post_renderers import post_rendered
from quotalint.gitops.helm import Release, ValuesLayer
from quotalint.gitops.helm.set_flags import ParameterError, with_parameters
from quotalint.gitops.helm.value_layers import merge_layers
from quotalint.gitops.remote_sources import locate_chart
from quotalint.gitops.rendering import Rendering, with_owners
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import HELM, Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import read
from quotalint.text.place import Place
from quotalint.text.tree import join_path
from quotalint.unknowns.causes import REMOTE_CHART, Reason
from quotalint.unknowns.problems import UNRENDERED, Problem

_MAX_NAME = 53  # helm-controller api/v2, GetReleaseName


def helm_release(obj: Object, context: Context) -> Rendering:
    """The rendering of a HelmRelease."""
    namespace = text(obj.spec.get("targetNamespace")) or obj.namespace
    storage = text(obj.spec.get("storageNamespace")) or obj.namespace
    release = release_name(obj)
    owners = {("HelmRelease", obj.namespace, obj.name), (HELM, namespace, release), (HELM, storage, release)}
    rendering = _install_release(obj, context)._replace(destination=cluster_of(obj))
    return with_owners(as_resumed(obj, rendering), *sorted(owners))


def release_name(obj: Object) -> str:
    """The Helm release name of a HelmRelease."""
    target = text(obj.spec.get("targetNamespace"))
    name = text(obj.spec.get("releaseName")) or (f"{target}-{obj.name}" if target else obj.name)
    return name[:_MAX_NAME]


def _install_release(obj: Object, context: Context) -> Rendering:
    spec = obj.spec
    target = text(spec.get("targetNamespace"))
    namespace = target or obj.namespace
    chart = chart_of(obj, context)
    if chart.why_not:
        return not_in_view(obj, chart.why_not, namespace)
    folder = chart.folder
    try:
        missing, optional, layers = _value_layers(obj, context)
    except ParameterError as error:
        return not_in_view(obj, f"one of its targetPaths is wrong: {error}", namespace)
    release = Release(
        folder,
        release_name(obj),
        namespace,
        chart.values_files,
        dict(mapping(spec.get("values"))) or None,
        layers=layers,
        skip_hooks=all(dig(spec, action, "disableHooks") is True for action in ("install", "upgrade")),
        values_place=obj.at("spec", "values"),
        lacks_values=bool(missing or optional),
        # source-controller replaces the chart's values.yaml by these files.
        own_values=not chart.values_files,
    )
    if any(not reference.startswith("Secret ") for reference in missing):
        # Rendered without all values, the numbers would be guesses. A missing Secret is accepted, because it mostly
        # holds passwords.
        reason = f"its values come from {', '.join(missing)}, not in view here"
        return not_in_view(obj, reason, namespace)._replace(folders=frozenset({folder}), folder=folder)
    rendering = context.charts.render_chart(release, obj.at("spec", "chart"))
    if missing:
        reason = f"values of HelmRelease {obj.name} come from {', '.join(missing)}, not in view here"
        rendering = _with_unseen_values(rendering, obj.at("spec", "valuesFrom"), reason, namespace)
    if optional:
        reason = f"{', '.join(optional)} of HelmRelease {obj.name} is optional and not in view, and taken for not there"
        guess = Guess(CONTENT, reason, "keep it in the repository, or pass a snapshot of the cluster with `--with`")
        rendering = rendering.with_guess(guess)
    if spec.get("postRenderers"):
        rendering = post_rendered(rendering, obj)
    return apply_common_metadata(obj, rendering)


def _with_unseen_values(rendering: Rendering, place: Place, reason: str, namespace: str) -> Rendering:
    """The rendering with a problem for unknown values, which may raise or lower amounts or disable objects."""
    target = "" if is_placeholder(namespace) else namespace
    return rendering.lacking(Problem(place, reason, UNRENDERED, namespace=target, may_lower=True))


def _value_layers(obj: Object, context: Context) -> tuple[list[str], list[str], tuple[ValuesLayer, ...]]:
    """The required and the optional sources of `valuesFrom` that are not in view, and the layers of the others. A later
    layer wins (fluxcd/pkg/chartutil)."""
    missing: list[str] = []
    optional: list[str] = []
    layers: list[ValuesLayer] = []
    for source in map(mapping, sequence(obj.spec.get("valuesFrom"))):
        kind, name = text(source.get("kind")), text(source.get("name"))
        key = text(source.get("valuesKey")) or "values.yaml"
        values_source = context.find(obj, kind, obj.namespace, name)
        written = data_of(values_source).get(key) if values_source is not None else None
        if values_source is None or written is None or written.startswith("ENC["):
            is_there = source.get("optional") is not True or values_source is not None
            (missing if is_there else optional).append(f"{kind} {name}")
            continue
        place = values_source.at(
            "stringData" if key in mapping(values_source.body.get("stringData")) else "data", key
        ).real
        target = text(source.get("targetPath"))
        if target:
            # A list index in the path depends on earlier values: `hosts[1].name`.
            values = _with_target(merge_layers(tuple(layer.values for layer in layers)), target, written)
            layers.append(
                ValuesLayer(
                    {first: values[first] for first in values if first == _first_key(target)}, place, is_flat=True
                )
            )
            continue
        # A string inside a manifest has one place; a generated one has the place of its file.
        documents = read(written.encode("utf-8", "surrogatepass")).documents[:1]
        layers += (ValuesLayer(mapping(document.value), place, bool(place.path)) for document in documents)
    return missing, optional, tuple(layers)


def _with_target(values: Mapping[str, object], target: str, written: str) -> dict[str, object]:
    """The values with a value at a target path, parsed as by `--set`, or `--set-string` if quoted
    (ReplacePathValue)."""
    for quote in "'\"":
        if len(written) > 1 and written.startswith(quote) and written.endswith(quote):
            return with_parameters(values, f"{target}={written.strip(quote)}", is_string=True)
    return with_parameters(values, f"{target}={written}")


def _first_key(target: str) -> str:
    return next(iter(with_parameters({}, f"{target}=x")), "")


class Chart(NamedTuple):
    """The chart of a HelmRelease."""

    folder: str = ""
    why_not: str = ""
    """Why it is not in view; empty if it is."""
    values_files: tuple[str, ...] = ()
    """Files that replace the chart's values.yaml; empty: it is used."""


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
    registry, _, chart = registry_address(source).rpartition("/")
    found = locate_chart(registry, chart, _artifact_version(source), context.folders.tree)
    if found:
        return Chart("", found) if isinstance(found, Reason) else Chart(found)
    words = f"its chart is the {kind} {name}{f' ({url})' if url else ''}, which is remote"
    return Chart("", Reason(words, REMOTE_CHART, url or name))


def _artifact_version(source: Object | None) -> str:
    """The version of an OCIRepository. The precedence is digest, semver, tag (source-controller, api/v1)."""
    reference = mapping(source.spec.get("ref")) if source is not None else {}
    return next((text(reference[name]) for name in ("digest", "semver", "tag") if text(reference.get(name))), "latest")


def _named_chart(obj: Object, spec: Body, context: Context) -> Chart:
    """The chart of a HelmChart's spec, or of the same fields in a HelmRelease."""
    path, reference = text(spec.get("chart")), mapping(spec.get("sourceRef"))
    if not path:
        return Chart("", "it names no chart")
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    if kind in ("GitRepository", EXTERNAL_ARTIFACT):
        return _in_source(obj, reference, path, spec, context)
    source = context.find(obj, kind, text(reference.get("namespace")) or obj.namespace, name)
    folder = locate_chart(registry_address(source), path, text(spec.get("version")), context.folders.tree)
    if isinstance(folder, Reason):
        return Chart("", folder)
    if not folder:
        return Chart("", Reason(f"the chart {path} of {kind or 'its source'} {name} is remote", REMOTE_CHART, path))
    # For a registry chart, values files are paths inside the chart.
    return Chart(folder, "", _values_files(spec, lambda file: join_path(folder, file), context))


def _in_source(obj: Object, reference: Body, path: str, spec: Body, context: Context) -> Chart:
    source = resolve_source_path(obj, reference, path, context)
    if source.why_not:
        return Chart("", source.why_not)

    def of_source(file: str) -> str:
        # Flux resolves values files from the root of the source.
        return locate_path(file, obj, context) if source.top == context.top else join_path(source.top, file.lstrip("/"))

    return Chart(source.name, "", _values_files(spec, of_source, context))


def _values_files(spec: Body, place: Callable[[str], str], context: Context) -> tuple[str, ...]:
    listed = [
        text(values_file)
        for values_file in (*sequence(spec.get("valuesFiles")), spec.get("valuesFile"))
        if text(values_file)
    ]
    names = tuple(place(file) for file in listed)
    if spec.get("ignoreMissingValuesFiles") is True:
        return tuple(name for name in names if context.folders.tree.is_file(name))
    return names
