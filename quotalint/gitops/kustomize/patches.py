"""Reads patches, finds their targets and applies them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from quotalint.gitops.kustomize.json_patch import JsonPatchError, apply_operations
from quotalint.gitops.kustomize.kustomize_resource import (
    FORMER,
    Id,
    Resource,
    decides_amounts,
    id_of,
    resources_with_id,
    selected_resources,
)
from quotalint.gitops.kustomize.kustomize_yaml import find_misread_key, raw_operations, read_first_keys, read_inline
from quotalint.gitops.kustomize.merge_types import MergeTypes, builtin_types
from quotalint.gitops.kustomize.repeated_keys import with_repeats
from quotalint.gitops.kustomize.selector_text import SelectorError, UntriedError
from quotalint.gitops.kustomize.strategic_merge import MergeError, merge_strategically
from quotalint.gitops.kustomize.traced import Traced, child, elements, follow_keys, with_child, with_children
from quotalint.kube.fields import Body, mapping, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import Document, Reading
from quotalint.text.guards import why_content_is_elsewhere
from quotalint.text.place import Place
from quotalint.unknowns.problems import HIDDEN, REFUSED, UNRENDERED, Problem

Load = Callable[[str, Traced], "LoadedPatch | None"]


class LoadedPatch(NamedTuple):
    """A patch file, read in both ways that Kustomize uses."""

    name: str
    data: bytes
    reading: Reading
    """Read as objects."""
    operations: Reading
    """Read as a JSON patch."""


class Patch(NamedTuple):
    """The patch of one kustomization entry."""

    entry: Place
    parts: tuple[Traced, ...]
    """Objects to merge, or one list of JSON patch operations."""
    target: Body | None
    renames: bool = False
    changes_kind: bool = False
    wrong: str = ""
    """Why it cannot be applied; empty if it can."""
    elsewhere: str = ""
    """Where its content is stored if the file is only a pointer or encrypted; empty otherwise."""


def from_path_or_text(entry: Traced, load: Load) -> Patch:
    """The patch of an entry of `patchesStrategicMerge`: a path or an inline patch."""
    written = text(entry.value)
    if "\n" in written or ":" in written.rsplit("/", 1)[-1]:
        return _inline_patch(entry, entry, None)
    return _from_file(entry, written, None, load)


def from_entry(entry: Traced, load: Load) -> Patch:
    """The patch of an entry of `patches`."""
    body = mapping(entry.value)
    target = mapping(body["target"]) if isinstance(body.get("target"), dict) else None
    inline, path = child(entry, "patch"), text(body.get("path"))
    if inline is not None and text(inline.value).strip() and path:
        return Patch(entry.place, (), target, wrong="it gives both `patch` and `path`")
    if inline is not None and text(inline.value).strip():
        patch = _inline_patch(entry, inline, target)
    elif path:
        patch = _from_file(entry, path, target, load)
    else:
        return Patch(entry.place, (), target, wrong="it gives neither `patch` nor `path`")
    options = mapping(body.get("options"))
    return patch._replace(
        renames=options.get("allowNameChange") is True, changes_kind=options.get("allowKindChange") is True
    )


def from_json_entry(entry: Traced, load: Load) -> Patch:
    """The patch of an entry of `patchesJson6902`."""
    body = mapping(entry.value)
    target = mapping(body.get("target"))
    if not text(target.get("name")):
        return Patch(entry.place, (), target, wrong="its target has no name")
    inline, path = child(entry, "patch") or child(entry, "jsonOp"), text(body.get("path"))
    if inline is not None and text(inline.value) and path:
        return Patch(entry.place, (), target, wrong="it gives both operations and `path`")
    patch = _inline_patch(entry, inline, target) if inline is not None else _from_file(entry, path, target, load)
    return patch if patch.parts or patch.wrong or patch.elsewhere else patch._replace(wrong="it is empty")


def _inline_patch(entry: Traced, written: Traced, target: Body | None) -> Patch:
    loaded = _loaded_text(text(written.value).strip().encode("utf-8", "surrogatepass"))
    # The entry is the nearest known place: lines inside the inline string are not tracked.
    return _checked_patch(entry.place, loaded, target, lambda _: written.place)


@lru_cache
def _loaded_text(data: bytes) -> LoadedPatch:
    """A parsed inline patch; cached, because Flux applies the same patch to many folders."""
    return LoadedPatch("", data, read_inline(data), raw_operations(data))


def _from_file(entry: Traced, path: str, target: Body | None, load: Load) -> Patch:
    loaded = load(path, entry)
    if loaded is None:
        return Patch(entry.place, (), target, wrong=f"there is no {path}")
    elsewhere = why_content_is_elsewhere(loaded.data)
    if elsewhere:
        return Patch(entry.place, (), target, elsewhere=f"{path} is {elsewhere}")
    name = loaded.name
    return _checked_patch(entry.place, loaded, target, lambda document: Place(name, document.index))


def _checked_patch(entry: Place, loaded: LoadedPatch, target: Body | None, place: Callable[[Document], Place]) -> Patch:
    if loaded.operations.documents and isinstance(loaded.operations.documents[0].value, list):
        loaded = loaded._replace(reading=loaded.operations)
    elif any(document.duplicates for document in loaded.reading.documents):
        loaded = loaded._replace(reading=with_repeats(read_first_keys(loaded.data), loaded.reading))
    parts = [Traced(document.value, place(document)) for document in loaded.reading.documents]
    items = [item for part in parts for item in (_items_of_list(part) or [part])]
    return Patch(entry, tuple(items), target, wrong=_patch_fault(loaded, items))


def _items_of_list(part: Traced) -> list[Traced]:
    is_list = text(mapping(part.value).get("kind")) == "List"
    return elements(child(part, "items") or part) if is_list else []


def _patch_fault(loaded: LoadedPatch, parts: Sequence[Traced]) -> str:
    """Why Kustomize refuses a patch before it looks for a target; empty if it accepts it."""
    if loaded.reading.failures:
        return f"it cannot be read: {loaded.reading.failures[0].message}"
    if not parts:
        return ""  # an empty patch does nothing
    if isinstance(parts[0].value, list):
        return "what starts with `[` must be JSON" if loaded.data.startswith(b"[") and not _is_json(loaded.data) else ""
    key = find_misread_key(loaded.data)
    if key:
        return f"its key `{key}` is not a string; quote it"
    for part in map(mapping, (document.value for document in parts)):
        if part and not part.get("kind"):
            return "it has no kind"
        if part and not mapping(part.get("metadata")).get("name"):
            return "it has no name"
    return ""


def _is_json(data: bytes) -> bool:
    from json import loads

    try:
        loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def apply_to_resources(
    resources: Sequence[Resource], patch: Patch, types: MergeTypes | None = None, *, partial: bool
) -> tuple[list[Resource], list[Problem]]:
    """The resources after a patch, and the problem if it cannot be applied. With `partial`, resources are missing, so a
    missing target is no error. `types` are the merge rules; None: the built-in ones."""
    if patch.wrong:
        reason = f"the patch is not applied: {patch.wrong}"
        return list(resources), [Problem(patch.entry, reason, REFUSED, may_lower=True)]
    if patch.elsewhere:
        may_lower = patch.target is None or _concerns_amounts(resources, patch)
        reason = f"the patch is not applied: {patch.elsewhere}"
        return list(resources), [Problem(patch.entry, reason, UNRENDERED, cause=HIDDEN, may_lower=may_lower)]
    if not patch.parts:
        return list(resources), []
    try:
        if isinstance(patch.parts[0].value, list):
            return _apply_json_patch(resources, patch), []
        result = list(resources)
        for part in patch.parts:
            result = _apply_strategic_patch(result, patch, part, partial=partial, types=types or builtin_types())
    except (MergeError, JsonPatchError, SelectorError, _UnmatchedError) as error:
        untried = isinstance(error, UntriedError)
        kind, reason = UNRENDERED if untried else REFUSED, f"the patch is not applied: {error}"
        may_lower = untried or _concerns_amounts(resources, patch)
        return list(resources), [Problem(patch.entry, reason, kind, may_lower=may_lower)]
    return result, []


def _concerns_amounts(resources: Sequence[Resource], patch: Patch) -> bool:
    """Whether a skipped patch may change an object that uses quota, so that its usage is unknown. A patch whose target
    is absent counts only if another version or namespace of it exists."""
    if patch.target is not None:
        try:
            chosen = selected_resources(resources, patch.target)
        except SelectorError:
            return True
    else:
        meant = {(wanted.kind.kind, wanted.name) for wanted in map(id_of, patch.parts)}
        chosen = [
            resource for resource in resources if any((each.kind.kind, each.name) in meant for each in resource.all_ids)
        ]
    return any(decides_amounts(resource.id) for resource in chosen)


class _UnmatchedError(Exception):
    """A patch matches no object, or several."""


def _apply_json_patch(resources: Sequence[Resource], patch: Patch) -> list[Resource]:
    if patch.target is None:
        raise _UnmatchedError("a JSON patch needs a target")
    chosen = {id(resource) for resource in selected_resources(resources, patch.target)}
    return [
        _operate_on_resource(resource, patch.parts[0]) if id(resource) in chosen else resource for resource in resources
    ]


def _operate_on_resource(resource: Resource, operations: Traced) -> Resource:
    resource = resource.with_id_remembered()
    new = _with_patch_noted(
        resource, _without_id_annotations(apply_operations(_with_id_annotations(resource), operations)), operations
    )
    if not new.id.name or not new.id.kind.kind:
        raise JsonPatchError(f"what is left has no {'name' if new.id.kind.kind else 'kind'}")
    return new


def _with_id_annotations(resource: Resource) -> Traced:
    """The object with former ids in its annotations, as Kustomize stores them; JSON patch operations can see these."""
    metadata = follow_keys(resource.traced, "metadata")
    if metadata is None or not isinstance(metadata.value, dict):
        return resource.traced
    annotations = child(metadata, "annotations")
    if annotations is None or annotations.value is None:
        annotations = Traced({}, metadata.origin)
    if not isinstance(annotations.value, dict):
        return resource.traced
    ids = [(former.kind.kind, former.name, former.namespace) for former in resource.previous]
    noted = dict(zip(FORMER, map(",".join, zip(*ids, strict=True)), strict=True))
    annotations = Traced({**annotations.value, **noted}, annotations.origin)
    return with_child(resource.traced, "metadata", with_child(metadata, "annotations", annotations))


def _without_id_annotations(traced: Traced) -> Traced:
    """The object without the annotations of former ids."""
    annotations = follow_keys(traced, "metadata", "annotations")
    if annotations is None or not isinstance(annotations.value, dict):
        return traced
    annotations_left = {key: value for key, value in annotations.value.items() if key not in FORMER}
    metadata = child(traced, "metadata") or traced
    return with_child(
        traced,
        "metadata",
        with_child(metadata, "annotations", Traced(annotations_left, annotations.origin) if annotations_left else None),
    )


def _apply_strategic_patch(
    resources: Sequence[Resource], patch: Patch, part: Traced, types: MergeTypes, *, partial: bool
) -> list[Resource]:
    if not isinstance(part.value, dict):
        raise _UnmatchedError("it is neither an object nor a list of operations")
    if patch.target is not None:
        if len(patch.parts) > 1:
            raise _UnmatchedError("several patches in one entry cannot have a target")
        chosen = selected_resources(resources, patch.target)
    else:
        chosen = _only_match(resources, id_of(part), partial=partial)
    ids = {id(resource) for resource in chosen}
    result = []
    for resource in resources:
        new = _merge_into_resource(resource, patch, part, types) if id(resource) in ids else resource
        if new is not None:
            result.append(new)
    return result


def _only_match(resources: Sequence[Resource], wanted: Id, *, partial: bool) -> list[Resource]:
    candidates = resources_with_id(resources, wanted)
    if len(candidates) == 1 or (partial and not candidates):
        return candidates
    where = f" in namespace {wanted.namespace}" if wanted.namespace else ""
    which = f"{wanted.kind.kind} {wanted.name}{where} ({_api_version_of(wanted)})"
    if candidates:
        raise _UnmatchedError(f"there is more than one {which}")
    raise _UnmatchedError(f"there is no {which}{_probable_match(resources, wanted)}")


def _probable_match(resources: Sequence[Resource], wanted: Id) -> str:
    """A hint for the message: objects of the same kind and name in another namespace or version."""
    alike = [
        resource.id
        for resource in resources
        if (resource.id.kind.kind, resource.id.name) == (wanted.kind.kind, wanted.name)
    ]
    if not alike:
        return ""
    places = dict.fromkeys(
        f"in namespace {resource_id.namespace}" if resource_id.namespace else "without a namespace"
        for resource_id in alike
        if resource_id.kind == wanted.kind
    )
    versions = dict.fromkeys(_api_version_of(resource) for resource in alike if resource.kind != wanted.kind)
    where = " and ".join((*places, *(f"of {version}" for version in versions)))
    return f"; there is {'one' if len(alike) == 1 else 'one each'} {where}"


def _api_version_of(wanted: Id) -> str:
    return f"{wanted.kind.group}/{wanted.kind.version}" if wanted.kind.group else wanted.kind.version


def _merge_into_resource(resource: Resource, patch: Patch, part: Traced, types: MergeTypes) -> Resource | None:
    """The resource after a patch; None if the patch deletes it. Name and kind stay unless the options allow a
    change."""
    if mapping(part.value).get("$patch") == "replace":
        return resource  # upstream creates another object from the patch, but keeps the old one (Resource.ApplyFilter)
    body = with_child(part, "apiVersion", child(resource.traced, "apiVersion")) if patch.target is not None else part
    new = merge_strategically(resource.traced, body, types)
    if new is None:
        return None
    if patch.renames or patch.changes_kind:
        resource = resource.with_id_remembered()
    changes: dict[str, Traced | None] = {}
    if not patch.changes_kind:
        changes["kind"] = child(resource.traced, "kind") or new
    named: dict[str, Traced | None] = {}
    for field in ("namespace",) if patch.renames else ("name", "namespace"):
        before = follow_keys(resource.traced, "metadata", field)
        if before is not None or follow_keys(new, "metadata", field) is not None:
            named[field] = before
    if named:
        metadata = child(new, "metadata")
        if metadata is None or not isinstance(metadata.value, dict):
            metadata = Traced({}, next(filter(None, named.values())).place)
        changes["metadata"] = with_children(metadata, named)
    return _with_patch_noted(resource, with_children(new, changes), part)


def _with_patch_noted(resource: Resource, new: Traced, part: Traced) -> Resource:
    return resource.with_body(new)._replace(patches=(*resource.patches, part.place))
