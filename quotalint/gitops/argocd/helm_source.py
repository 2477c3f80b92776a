"""The Helm options of an Argo CD source (argo-cd, reposerver/repository/repository.go, helmTemplate)."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.gitops.argocd.build_environment import build_environment, filled_in
from quotalint.gitops.context import Context, at_home, not_in_view
from quotalint.gitops.helm import Parameter, Release
from quotalint.gitops.origins import argo_origin, why_elsewhere
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.tree import join_path
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.documents import read
from quotalint.text.place import Place


def helm_source(
    obj: Object, source: Body, place: Place, path: str, references: Mapping[str, Body], context: Context
) -> Rendering:
    """The objects of a chart as an Application asks for it."""
    helm = mapping(source.get("helm"))
    namespace = text(helm.get("namespace")) or text(dig(obj.spec, "destination", "namespace")) or "default"
    environment = build_environment(obj, source)
    files, hidden = _values_files(obj, helm, path, references, environment, context)
    values, unread = _inline_values(helm)
    release = Release(
        chart=path,
        name=text(helm.get("releaseName")) or obj.name,
        namespace=text(helm.get("namespace")) or namespace,
        values_files=tuple(files),
        values=values,
        values_place=place.at("helm", "valuesObject" if helm.get("valuesObject") else "values"),
        parameters=tuple(
            Parameter(
                text(parameter.get("name")),
                filled_in(text(parameter.get("value")), environment),
                parameter.get("forceString") is True,
                place.at("helm", "parameters", number),
            )
            for number, parameter in enumerate(map(mapping, sequence(helm.get("parameters"))))
        ),
        file_parameters=tuple(
            (
                text(file_parameter.get("name")),
                join_path(path, filled_in(text(file_parameter.get("path")), environment)),
            )
            for file_parameter in map(mapping, sequence(helm.get("fileParameters")))
        ),
        kube_version=text(helm.get("kubeVersion")),
        api_versions=tuple(map(text, sequence(helm.get("apiVersions")))),
        skip_schema=helm.get("skipSchemaValidation") is True,
        skip_crds=helm.get("skipCrds") is True,
        lacks_values=any(str(key).startswith(_IMAGE_UPDATER) for key in mapping(obj.metadata.get("annotations"))),
    )
    if hidden or unread:
        # With other values than those that count its numbers would be guesses.
        why = "; ".join((*hidden, *unread))
        rendering = not_in_view(obj, why, namespace)
        return rendering._replace(units=frozenset({path}), folder=path)
    rendering = context.charts.render_chart(release, place)
    if release.namespace == namespace:
        return rendering
    # What a template gives no namespace is applied to that of the Application, whatever the release's is.
    unseen = (*rendering.unseen, *(part._replace(namespace=namespace) for part in rendering.unseen))
    return rendering._replace(namespace=namespace or "default", unseen=unseen)


# It may write parameters into Applications in the cluster (its write-back-method argocd, the usual one).
_IMAGE_UPDATER = "argocd-image-updater.argoproj.io/"


def _values_files(
    obj: Object,
    helm: Body,
    path: str,
    references: Mapping[str, Body],
    environment: Mapping[str, str],
    context: Context,
) -> tuple[list[str], list[str]]:
    """The files that are in view, and why others are not."""
    files, hidden = [], []
    for written in map(text, sequence(helm.get("valueFiles"))):
        reference, _, below = written[1:].partition("/")
        below = filled_in(below, environment)
        if written.startswith("$") and reference in references:
            source = references[reference]
            folder = context.vendored(text(source.get("repoURL")))
            if folder is None and why_elsewhere(argo_origin(source), context.above, context.is_here):
                hidden.append(f"the values file {written} is not in this repository")
                continue
            name = at_home(below, obj, context) if folder is None else join_path(folder, below)
        else:
            values_file = filled_in(written, environment)
            if "://" in values_file:
                hidden.append(f"the values file {written} is remote")
                continue
            name = at_home(values_file, obj, context) if values_file.startswith("/") else join_path(path, values_file)
        if context.units.tree.is_file(name):
            files.append(name)
        elif helm.get("ignoreMissingValueFiles") is not True:
            hidden.append(f"there is no values file {name}")
    return files, hidden


def _inline_values(helm: Body) -> tuple[dict[str, object] | None, list[str]]:
    """`valuesObject`, else `values`, which is text."""
    values_object = helm.get("valuesObject")
    if isinstance(values_object, dict) and values_object:
        return dict(values_object), []
    written = helm.get("values")
    if not isinstance(written, str) or not written.strip():
        return None, []
    reading = read(written.encode("utf-8", "surrogatepass"))
    if reading.failures or not reading.documents:
        return None, ["its `values` cannot be read"]
    return dict(mapping(reading.documents[0].value)) or None, []
