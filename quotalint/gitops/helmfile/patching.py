"""`strategicMergePatches` and `jsonPatches` of a release: what helmfile has Kustomize change in what a chart gives."""

from __future__ import annotations

from quotalint.gitops.flux.post_renderers import resource_of_object
from quotalint.gitops.go.encodings import to_yaml
from quotalint.gitops.helmfile import HelmfileError
from quotalint.gitops.helmfile.releases import DeclaredRelease
from quotalint.gitops.kustomize import patches
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.rendering import Rendering, object_of
from quotalint.gitops.tree import join
from quotalint.kube.fields import mapping, sequence, text

_NOT_DONE = ("transformers", "postRenderer", "dependencies", "adopt")


def patched(found: Rendering, release: DeclaredRelease) -> Rendering:
    """The objects of a release as its patches leave them. Raises HelmfileError."""
    body = release.body
    for field in _NOT_DONE:
        if body.get(field):
            raise HelmfileError(f"its `{field}` are not rendered here")
    entries = [_strategic(one, release) for one in sequence(body.get("strategicMergePatches"))]
    entries += (_json_entry(one, release) for one in sequence(body.get("jsonPatches")))
    if not entries:
        return found
    resources = [resource_of_object(one) for one in found.objects]
    problems = list(found.problems)
    for entry in entries:
        traced = Traced(entry, release.written.place)
        resources, wrong = patches.applied(resources, patches.from_entry(traced, lambda *_: None), False)
        problems += wrong
    return found._replace(objects=tuple(map(object_of, resources)), problems=tuple(problems))


def _strategic(entry: object, release: DeclaredRelease) -> dict[str, object]:
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
    data = templating.tree.data(join(templating.folder, name))
    if data is None:
        raise HelmfileError(f"there is no patch {name}")
    written = data.decode(errors="replace")
    return templating.filled(written, name) if name.endswith(".gotmpl") else written
