"""ValueAddTransformer: one value in many fields, or as one part of paths in them (api/filters/valueadd)."""

from __future__ import annotations

from quotalint.gitops.kustomize.field_specs import split_path
from quotalint.gitops.kustomize.kustomize_resource import Resource, is_cluster_scoped
from quotalint.gitops.kustomize.selector_text import SelectorError
from quotalint.gitops.kustomize.selectors import selected_resources
from quotalint.gitops.kustomize.traced import Traced, child, elements, follow_keys, set_at
from quotalint.gitops.kustomize.work import Work
from quotalint.kube.fields import mapping, text
from quotalint.text.place import Place

_NAMESPACE = "metadata/namespace"


def add_values(work: Work, configuration: Traced, root: str) -> None:
    """Write the value, or else the name of the root folder, where the targets say."""
    written = child(configuration, "value") or Traced("", configuration.origin)
    value = Traced(text(written.value).strip() or root, written.origin)
    targets = _add_targets(work, configuration)
    if not targets:
        work.note_problem(configuration.place, "the value is not added: it has no targets")
    for target in targets:
        _add_to_target(work, target, value)


def _add_targets(work: Work, configuration: Traced) -> list[Traced]:
    listed = child(configuration, "targets")
    targets = elements(listed) if listed is not None else []
    path = child(configuration, "targetFilePath")
    if path is None or not text(path.value):
        return targets
    loaded = work.load_documents(text(path.value), configuration)
    if loaded is None or not loaded.reading.documents:
        work.note_problem(path.place, f"there is no readable {text(path.value)}")
        return targets
    document = loaded.reading.documents[0]
    more = child(Traced(document.value, Place(loaded.name, document.index)), "targets")
    return [*targets, *(elements(more) if more is not None else ())]


def _add_to_target(work: Work, target: Traced, value: Traced) -> None:
    body = mapping(target.value)
    path, position = text(body.get("fieldPath")), body.get("filePathPosition", 0)
    if not path or not isinstance(position, int) or position < 0:
        work.note_problem(target.place, "the value is not added: its target has no fieldPath, or a position below 0")
        return
    try:
        selector = body.get("selector")
        chosen = work.resources if selector is None else selected_resources(work.resources, mapping(selector))
    except SelectorError as error:
        work.note_problem(target.place, f"the value is not added: {error}")
        return
    ids = {id(resource) for resource in chosen}
    result = []
    for resource in work.resources:
        new = _add_to_resource(resource, path, position, value) if id(resource) in ids else resource
        if new is None:
            work.note_problem(
                target.place,
                f"the value is not added: {path} of {resource.id.kind.kind} {resource.id.name} is not text",
            )
        result.append(new or resource)
    work.resources = result


def _add_to_resource(resource: Resource, path: str, position: int, value: Traced) -> Resource | None:
    """The resource with the value; None where there is no place for it."""
    parts = split_path(path)
    if path == _NAMESPACE:
        return (
            resource
            if is_cluster_scoped(resource.id.kind)
            else resource.with_body(set_at(resource.traced, parts, value))
        )
    for number in range(1, len(parts)):
        above = follow_keys(resource.traced, *parts[:number])
        if above is not None and above.value is not None and not isinstance(above.value, dict):
            return None
    field = follow_keys(resource.traced, *parts)
    if field is not None and isinstance(field.value, (dict, list)):
        return None
    new = value
    if position > 0:
        before = text(field.value) if field is not None else ""
        new = Traced(_insert_path_part(before, position - 1, text(value.value)), value.origin)
    return resource.with_body(set_at(resource.traced, parts, new))


def _insert_path_part(path: str, position: int, value: str) -> str:
    """A path with one part more (filesys.InsertPathPart)."""
    lead = "/" if path.startswith("/") else ""
    parts = [part for part in path.split("/") if part]
    return lead + "/".join((*parts[:position], value, *parts[position:]))
