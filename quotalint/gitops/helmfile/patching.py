"""`strategicMergePatches` and `jsonPatches` of a release, applied to the chart's objects with Kustomize. Other fields
that change objects are noted as not supported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.gitops.flux.post_renderers import resource_of_object
from quotalint.gitops.go.encodings import to_yaml
from quotalint.gitops.helmfile import HelmfileError
from quotalint.gitops.helmfile.helmfile_releases import DeclaredRelease
from quotalint.gitops.kustomize import patches
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.rendering import Rendering, object_of, unseen_of
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import mapping, sequence, text
from quotalint.text.tree import join_path
from quotalint.unknowns.problems import MISSING, Problem

_CHANGING = ("transformers", "postRenderer", "forceNamespace")


def patch_release(rendering: Rendering, release: DeclaredRelease, defaults: Mapping[str, object]) -> Rendering:
    """The rendering of a release after its patches; `defaults` are `helmDefaults`. Raises HelmfileError."""
    body = release.body
    unsupported = tuple(_unsupported_fields(release, defaults))
    problems = [*rendering.problems, *unsupported]
    rendering = rendering._replace(unseen=(*rendering.unseen, *map(unseen_of, unsupported)))
    entries = [
        _strategic_entry(strategic_merge_patch, release)
        for strategic_merge_patch in sequence(body.get("strategicMergePatches"))
    ]
    entries += (_json_entry(json_patch, release) for json_patch in sequence(body.get("jsonPatches")))
    if not entries:
        return rendering._replace(problems=tuple(problems))
    resources = [resource_of_object(rendered_object) for rendered_object in rendering.objects]
    for entry in entries:
        traced = Traced(entry, release.written.place)
        resources, wrong = patches.apply_to_resources(
            resources, patches.from_entry(traced, lambda *_: None), partial=False
        )
        problems += wrong
    return rendering._replace(objects=tuple(map(object_of, resources)), problems=tuple(problems))


def _unsupported_fields(release: DeclaredRelease, defaults: Mapping[str, object]) -> Iterator[Problem]:
    """A problem for each field that changes or adds objects and is not supported here."""
    body, place = release.body, release.written.place
    name, namespace = text(body.get("name")), text(body.get("namespace"))
    target = "" if is_placeholder(namespace) else namespace
    for field in (*_CHANGING, "dependencies"):
        if body.get(field) or (field == "postRenderer" and defaults.get(field)):
            reason = f"`{field}` of the release {name} is not supported here"
            yield Problem(place, reason, MISSING, namespace=target, may_lower=field in _CHANGING)


def _strategic_entry(entry: object, release: DeclaredRelease) -> dict[str, object]:
    return {"patch": _file_text(entry, release) if isinstance(entry, str) else to_yaml(entry)}


def _json_entry(entry: object, release: DeclaredRelease) -> dict[str, object]:
    body = mapping(entry)
    if not body:
        raise HelmfileError("an entry of `jsonPatches` names no target")
    patch = body.get("patch")
    written = _file_text(text(body.get("path")), release) if body.get("path") else to_yaml(patch)
    return {"target": dict(mapping(body.get("target"))), "patch": written}


def _file_text(name: str, release: DeclaredRelease) -> str:
    templating = release.templating
    data = templating.tree.data(join_path(templating.folder, name))
    if data is None:
        raise HelmfileError(f"there is no patch {name}")
    written = data.decode(errors="replace")
    return templating.fill_text(written, name) if name.endswith(".gotmpl") else written
