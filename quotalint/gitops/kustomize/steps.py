"""The steps of a transformation, run by a kustomization's fields or by its transformers."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.gitops.kustomize import patches, transformers
from quotalint.gitops.kustomize.field_specs import FieldSpec, spec_applies, update_field
from quotalint.gitops.kustomize.kustomize_resource import Resource, decides_amounts
from quotalint.gitops.kustomize.replacements import ReplacementError, concerns_amounts, replace_values
from quotalint.gitops.kustomize.selector_text import SelectorError, UntriedError
from quotalint.gitops.kustomize.traced import Traced, child, elements
from quotalint.gitops.kustomize.work import Work
from quotalint.kube.fields import mapping, text
from quotalint.text.place import Place
from quotalint.text.words import join_with_and
from quotalint.unknowns.problems import REFUSED, TEXT, UNRENDERED


def apply_patch(work: Work, patch: patches.Patch) -> None:
    """Apply one patch to the resources."""
    work.resources, wrong = patches.apply_to_resources(work.resources, patch, partial=work.is_partial, types=work.types)
    work.problems += wrong


def apply_strategic(work: Work, entries: Sequence[Traced], place: Place) -> None:
    """Apply strategic merge patches; Kustomize refuses the list if all are empty."""
    loaded = [patches.from_path_or_text(entry, work.load_documents) for entry in entries]
    if loaded and not any(patch.parts or patch.wrong or patch.elsewhere for patch in loaded):
        work.note_problem(place, "the patches are not applied: they are empty")
    for patch in loaded:
        apply_patch(work, patch)


def put_into_namespace(
    work: Work,
    namespace: Traced,
    place: Place,
    specs: Sequence[FieldSpec],
    subjects: str = "",
    *,
    unset_only: bool = False,
) -> None:
    """Set the namespace of all resources; `place` is the entry that sets it."""
    if any(_leads_to_more(resource, spec) for resource in work.resources for spec in specs):
        work.note_problem(place, "the namespace is not set: one of `fieldSpecs` leads to something other than a string")
        return
    resources = transformers.with_namespace(work.resources, namespace, specs, subjects, unset_only=unset_only)
    # Only one of each id is kept, so that overlays do not report the same conflict again.
    work.resources, conflicting_ids = transformers.without_conflicts(resources)
    if conflicting_ids:
        # One finding per entry. Which object remains is unknown; for most kinds it does not matter.
        names = list(dict.fromkeys(f"{conflict.kind.kind} {conflict.name}" for conflict in conflicting_ids))
        if len(names) > _MOST_NAMES:
            names = [*names[:_MOST_NAMES], f"{len(names) - _MOST_NAMES} more"]
        reason = f"several objects become one in this namespace: {join_with_and(names)}"
        work.note_problem(place, reason, may_lower=any(map(decides_amounts, conflicting_ids)))


_MOST_NAMES = 3


def _leads_to_more(resource: Resource, spec: FieldSpec) -> bool:
    bodies: list[object] = []

    def look(field: Traced) -> Traced:
        bodies.append(field.value)
        return field

    if spec_applies(spec, resource.id.kind):
        update_field(resource.traced, spec, look, make=False)
    return any(isinstance(value, (dict, list)) for value in bodies)


def set_replicas(work: Work, entry: Traced, specs: Sequence[FieldSpec]) -> None:
    """Set `replicas` of the workloads with a name."""
    name = text(mapping(entry.value).get("name"))
    number = child(entry, "count")
    if number is None or number.value is None:
        number = Traced(0, entry.place)
    changed = transformers.with_replicas(work.resources, name, number, specs)
    if changed is None and not work.is_partial:
        work.note_problem(entry.place, f"there is no workload {name} to give replicas to")
    elif changed is not None:
        work.resources = changed


def set_image(work: Work, image: Traced, specs: Sequence[FieldSpec]) -> None:
    """Set a new name, tag or digest for images of a name."""
    try:
        work.resources = transformers.with_image(work.resources, mapping(image.value), image.place, specs)
    except SelectorError as error:
        kind = UNRENDERED if isinstance(error, UntriedError) else REFUSED
        work.note_problem(image.place, f"the image is not changed: {error}", kind)


def replace_all(work: Work, entry: Traced) -> None:
    """Apply an entry of `replacements`, or those in the file that it names."""
    for replacement in _replacement_entries(work, entry):
        try:
            work.resources, is_rewritten = replace_values(work.resources, replacement)
        except (ReplacementError, SelectorError) as error:
            kind = UNRENDERED if work.is_partial or isinstance(error, UntriedError) else REFUSED
            may_lower = isinstance(error, UntriedError) or concerns_amounts(work.resources, replacement)
            work.note_problem(replacement.place, f"the replacement is not made: {error}", kind, may_lower=may_lower)
            continue
        if is_rewritten:
            work.note_problem(replacement.place, "YAML inside a string is rewritten and may look different", TEXT)


def _replacement_entries(work: Work, entry: Traced) -> list[Traced]:
    body = mapping(entry.value)
    path = text(body.get("path"))
    if not path:
        return [entry]
    if body.get("source") or body.get("targets"):
        work.note_problem(entry.place, "the replacement gives both a path and what to replace")
        return []
    loaded = work.load_documents(path, entry)
    if loaded is None or loaded.reading.failures:
        work.note_problem(entry.place, f"there is no readable {path}")
        return []
    transformers = []
    for document in loaded.reading.documents[:1]:
        whole = Traced(document.value, Place(loaded.name, document.index))
        transformers += elements(whole) if isinstance(document.value, list) else [whole]
    return transformers
