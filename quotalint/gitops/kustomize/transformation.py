"""Runs a kustomization's transformers in Kustomize's order (kusttarget.go, `configureBuiltinTransformers`)."""

from __future__ import annotations

from quotalint.gitops.kustomize import patches, transformers
from quotalint.gitops.kustomize.field_specs import FieldSpec
from quotalint.gitops.kustomize.kustomize_resource import GroupVersionKind
from quotalint.gitops.kustomize.own_transformers import Accumulate, configured_plugins, run_transformers, run_validators
from quotalint.gitops.kustomize.steps import (
    apply_patch,
    apply_strategic,
    put_into_namespace,
    replace_all,
    set_image,
    set_replicas,
)
from quotalint.gitops.kustomize.traced import Traced, child, elements
from quotalint.gitops.kustomize.transformer_config import field_spec
from quotalint.gitops.kustomize.variables import VariableError, join_variables, read_variable, with_noted
from quotalint.gitops.kustomize.work import Work
from quotalint.kube.fields import mapping
from quotalint.unknowns.problems import REFUSED, TEXT, UNRENDERED

_METADATA_LABELS = FieldSpec(("metadata", "labels"), GroupVersionKind("", "", ""), create=True)


def transform_resources(work: Work, accumulate: Accumulate) -> None:
    """Apply the kustomization's transformers. `accumulate` adds the resources of a path."""
    if work.kustomization.only_lists:
        return
    _patch_all(work)
    _change_names(work)
    _change_labels(work)
    for entry in work.kustomization.entries("patchesJson6902"):
        apply_patch(work, patches.from_json_entry(entry, work.load_documents))
    for entry in work.kustomization.entries("replicas"):
        set_replicas(work, entry, work.config.specs_of("replicas"))
    for entry in work.kustomization.entries("images", "imageTags"):
        set_image(work, entry, work.config.specs_of("images"))
    for entry in work.kustomization.entries("replacements"):
        replace_all(work, entry)
    run_transformers(work, configured_plugins(work, "transformers", accumulate))
    _run_all_validators(work, accumulate)
    _note_variables(work)


def _patch_all(work: Work) -> None:
    kustomization = work.kustomization
    strategic = kustomization.entries("patchesStrategicMerge")
    general = kustomization.entries("patches")
    if kustomization.legacy_patches:
        reason = "`patches` lists files: Kustomize refuses it since release 5, write `- path: …`"
        work.note_problem(general[0].place, reason)
        strategic, general = strategic + general, []
    if strategic:
        apply_strategic(work, strategic, strategic[0].place)
    for entry in general:
        apply_patch(work, patches.from_entry(entry, work.load_documents))


def _change_names(work: Work) -> None:
    namespace = work.kustomization.field("namespace")
    if namespace is not None:
        put_into_namespace(work, namespace, namespace.place, work.config.specs_of("namespace"))
    for field, before in (("namePrefix", True), ("nameSuffix", False)):
        affix = work.kustomization.field(field)
        if affix is not None:
            work.resources = transformers.with_affix(
                work.resources, affix, before=before, specs=work.config.specs_of(field)
            )


def _change_labels(work: Work) -> None:
    for entry in work.kustomization.entries("labels"):
        pairs = child(entry, "pairs")
        if pairs is not None:
            work.resources = transformers.with_pairs(work.resources, pairs, _label_specs(work, entry))
    for field in ("commonLabels", "commonAnnotations"):
        pairs = work.kustomization.field(field)
        if pairs is not None:
            work.resources = transformers.with_pairs(work.resources, pairs, work.config.specs_of(field))


def _label_specs(work: Work, entry: Traced) -> list[FieldSpec]:
    body = mapping(entry.value)
    own_fields = child(entry, "fields")
    specs = [field_spec(element.value) for element in elements(own_fields)] if own_fields is not None else []
    specs += work.config.specs_of("labels")
    if body.get("includeSelectors") is True:
        return [*specs, *work.config.specs_of("commonLabels")]
    if body.get("includeTemplates") is True:
        specs += (*work.config.specs_of("templateLabels"), *work.config.specs_of("volumeClaimTemplateLabels"))
    return [*specs, _METADATA_LABELS]


def _run_all_validators(work: Work, accumulate: Accumulate) -> None:
    configured = configured_plugins(work, "validators", accumulate)
    if configured:
        run_validators(work, configured)
    for transformer in configured:
        if not transformer.is_builtin:
            work.note_problem(
                transformer.entry.place, f"the validator {transformer.kind} is a plugin, which is not run", TEXT
            )


def _note_variables(work: Work) -> None:
    for entry in work.kustomization.entries("vars"):
        configured_variable = read_variable(entry)
        try:
            work.resources = with_noted(work.resources, configured_variable)
            work.variables = join_variables(work.variables, (configured_variable,))
        except VariableError as error:
            work.note_problem(entry.place, str(error), UNRENDERED if work.is_partial else REFUSED)
