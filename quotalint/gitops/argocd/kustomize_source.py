"""The Kustomize options of an Argo CD source, which it writes into the kustomization (util/kustomize/kustomize.go)."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.gitops.argocd.build_environment import build_environment, filled_in
from quotalint.gitops.context import Context, not_in_view
from quotalint.gitops.kustomize.kustomization import Kustomization, kustomization
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, mapping_of, with_child
from quotalint.gitops.rendering import Rendering
from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.objects import Object

_REPLACED = ("namePrefix", "nameSuffix", "namespace")
_MAPS = ("commonAnnotations",)
_LISTS = ("patches", "components")


def kustomize_source(obj: Object, source: Traced, path: str, context: Context) -> Rendering:
    """The objects of a kustomization as an Application asks for it."""
    asked = child(source, "kustomize") or Traced({}, source.place)
    options = mapping(asked.value)
    if not any(value for field, value in options.items() if field != "version"):
        return context.units.kustomization(path)
    own_kustomization, _ = kustomization(context.units.tree, path)
    if own_kustomization is None:
        reason = f"there is no kustomization in {path}"
        missing = not_in_view(obj, reason, text(dig(obj.spec, "destination", "namespace")))
        below = context.units.tree.files(path, lambda _: True, lambda _: False)
        return missing._replace(units=frozenset({path}), used=frozenset(below), folder=path)
    environment = build_environment(obj, mapping(source.value))
    return context.units.overlay(_edit_kustomization(own_kustomization, asked, environment), path)


def _edit_kustomization(kustomization: Kustomization, asked: Traced, environment: Mapping[str, str]) -> Kustomization:
    traced = kustomization.traced
    options = mapping(asked.value)
    for field in _REPLACED:
        new = child(asked, field)
        if new is not None and text(new.value):
            traced = with_child(traced, field, new)
    for field in _MAPS:
        if mapping(options.get(field)):
            traced = _with_merged_mapping(traced, field, asked)
    traced = _with_labels(traced, asked)
    for field in _LISTS:
        new = child(asked, field)
        if new is not None and elements(new):
            traced = _with_more_entries(traced, field, elements(new))
    for field, key in (("images", "name"), ("replicas", "name")):
        new = child(asked, field)
        if new is not None and elements(new):
            items = [
                _image_entry(element, environment) if field == "images" else _replica_entry(element)
                for element in elements(new)
            ]
            names = {text(mapping(item.value).get(key)) for item in items}
            old = child(traced, field)
            untouched = (
                [element for element in elements(old) if text(mapping(element.value).get(key)) not in names]
                if old
                else []
            )
            traced = with_child(traced, field, list_of(items[0].place, [*untouched, *items]))
    return kustomization._replace(traced=traced)


def _with_labels(traced: Traced, asked: Traced) -> Traced:
    labels = child(asked, "commonLabels")
    if labels is None or not mapping(labels.value):
        return traced
    options = mapping(asked.value)
    if options.get("labelWithoutSelector") is not True:
        return _with_merged_mapping(traced, "commonLabels", asked)
    parts = [("pairs", labels)]
    if options.get("labelIncludeTemplates") is True:
        parts.append(("includeTemplates", Traced(value=True, origin=labels.place)))
    return _with_more_entries(traced, "labels", [mapping_of(labels.place, parts)])


def _with_merged_mapping(traced: Traced, field: str, asked: Traced) -> Traced:
    new = child(asked, field)
    if new is None:
        return traced
    old = child(traced, field) or Traced({}, new.place)
    for key in mapping(new.value):
        old = with_child(old, key, child(new, key))
    return with_child(traced, field, old)


def _with_more_entries(traced: Traced, field: str, more: list[Traced]) -> Traced:
    old = child(traced, field)
    return with_child(traced, field, list_of(more[0].place, [*(elements(old) if old else []), *more]))


def _replica_entry(traced: Traced) -> Traced:
    """Argo CD takes a count in quotes as well (IntOrString)."""
    count = child(traced, "count")
    if count is None or not isinstance(count.value, str) or not count.value.isdecimal():
        return traced
    return with_child(traced, "count", Traced(int(count.value), count.origin))


def _image_entry(traced: Traced, environment: Mapping[str, str]) -> Traced:
    """`name=new:tag`, as `kustomize edit set image` takes it, as an entry of `images`."""
    written = filled_in(text(traced.value), environment)
    name, equals, new = written.partition("=")
    new = new if equals else name
    target, at, digest = new.partition("@")
    before, colon, tag = target.rpartition(":")
    if not colon or "/" in tag:
        before, tag = target, ""
    entry = {"name": name if equals else before, "newName": before}
    if tag:
        entry["newTag"] = tag
    if at:
        entry["digest"] = digest
    return Traced(entry, traced.place)
