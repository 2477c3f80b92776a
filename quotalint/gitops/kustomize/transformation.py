"""What a kustomization changes, in the order of Kustomize (kusttarget.go, `configureBuiltinTransformers`)."""

from __future__ import annotations

from quotalint.gitops.kustomize import patches, transformers
from quotalint.gitops.kustomize.builtin_transformers import run_configured
from quotalint.gitops.kustomize.field_specs import FieldSpec, field_specs
from quotalint.gitops.kustomize.label_selectors import SelectorError, UntriedError
from quotalint.gitops.kustomize.problems import REFUSED, TEXT, UNRENDERED
from quotalint.gitops.kustomize.replacements import ReplacementError, replaced
from quotalint.gitops.kustomize.resources import Kind
from quotalint.gitops.kustomize.traced import Traced, child, elements
from quotalint.gitops.kustomize.work import Work
from quotalint.kube.fields import mapping, text
from quotalint.text.place import Place

_METADATA_LABELS = FieldSpec(("metadata", "labels"), Kind("", "", ""), True)


def transform(work: Work) -> None:
    """Change the resources as the kustomization says."""
    _patch_all(work)
    _name(work)
    _label(work)
    for entry in work.kustomization.entries("patchesJson6902"):
        _patch(work, patches.from_json_entry(entry, work.load))
    _count(work)
    for entry in work.kustomization.entries("replacements"):
        for one in _replacements(work, entry):
            _replace(work, one)
    run_configured(work)


def _patch_all(work: Work) -> None:
    found = work.kustomization
    strategic = found.entries("patchesStrategicMerge")
    general = found.entries("patches")
    if found.legacy_patches:
        reason = "`patches` lists files: Kustomize refuses it since release 5, write `- path: …`"
        work.problem(general[0].place, reason)
        strategic, general = strategic + general, []
    for entry in strategic:
        _patch(work, patches.from_path_or_text(entry, work.load))
    for entry in general:
        _patch(work, patches.from_entry(entry, work.load))


def _patch(work: Work, patch: patches.Patch) -> None:
    work.resources, wrong = patches.applied(work.resources, patch, work.is_partial)
    work.problems += wrong


def _name(work: Work) -> None:
    namespace = work.kustomization.field("namespace")
    if namespace is not None:
        work.resources = transformers.with_namespace(work.resources, namespace)
        for one in transformers.conflicts(work.resources):
            work.problem(namespace.place, f"the namespace makes several {one.kind.kind} {one.name} one object")
    for field, before in (("namePrefix", True), ("nameSuffix", False)):
        affix = work.kustomization.field(field)
        if affix is not None:
            work.resources = transformers.with_affix(work.resources, affix, before)


def _label(work: Work) -> None:
    for entry in work.kustomization.entries("labels"):
        pairs = child(entry, "pairs")
        if pairs is not None:
            work.resources = transformers.with_pairs(work.resources, pairs, _label_specs(entry))
    for field in ("commonLabels", "commonAnnotations"):
        pairs = work.kustomization.field(field)
        if pairs is not None:
            work.resources = transformers.with_pairs(work.resources, pairs, field_specs(field))


def _label_specs(entry: Traced) -> list[FieldSpec]:
    body = mapping(entry.value)
    specs = []
    for given in map(mapping, [one.value for one in elements(child(entry, "fields") or entry)]):
        kind = Kind(*(text(given.get(field)) for field in ("group", "version", "kind")))
        specs.append(FieldSpec(tuple(text(given.get("path")).split("/")), kind, given.get("create") is True))
    if body.get("includeSelectors") is True:
        return [*specs, *field_specs("commonLabels")]
    if body.get("includeTemplates") is True:
        specs += (*field_specs("templateLabels"), *field_specs("volumeClaimTemplateLabels"))
    return [*specs, _METADATA_LABELS]


def _count(work: Work) -> None:
    for entry in work.kustomization.entries("replicas"):
        name = text(mapping(entry.value).get("name"))
        number = child(entry, "count")
        if number is None or number.value is None:
            number = Traced(0, entry.place)
        changed = transformers.with_replicas(work.resources, name, number)
        if changed is None and not work.is_partial:
            work.problem(entry.place, f"there is no workload {name} to give replicas to")
        elif changed is not None:
            work.resources = changed
    for entry in work.kustomization.entries("images", "imageTags"):
        work.resources = transformers.with_image(work.resources, mapping(entry.value), entry.place)


def _replacements(work: Work, entry: Traced) -> list[Traced]:
    path = text(mapping(entry.value).get("path"))
    if not path:
        return [entry]
    loaded = work.load(path, entry)
    if loaded is None or loaded.reading.failures:
        work.problem(entry.place, f"there is no readable {path}")
        return []
    found = []
    for document in loaded.reading.documents[:1]:
        whole = Traced(document.value, Place(loaded.name, document.index))
        found += elements(whole) if isinstance(document.value, list) else [whole]
    return found


def _replace(work: Work, replacement: Traced) -> None:
    try:
        work.resources, is_rewritten = replaced(work.resources, replacement)
    except (ReplacementError, SelectorError) as error:
        kind = UNRENDERED if work.is_partial or isinstance(error, UntriedError) else REFUSED
        work.problem(replacement.place, f"the replacement is not done: {error}", kind)
        return
    if is_rewritten:
        work.problem(replacement.place, "YAML in a text is written anew: it may look otherwise", TEXT)
