"""Transformers that Kustomize brings along, where a kustomization configures them itself (api/internal/builtins)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping

from quotalint.gitops.kustomize import generators, patches, transformers
from quotalint.gitops.kustomize.field_specs import FieldSpec
from quotalint.gitops.kustomize.plugins import Plugin
from quotalint.gitops.kustomize.problems import MISSING
from quotalint.gitops.kustomize.steps import (
    apply_patch,
    apply_strategic,
    put_into_namespace,
    replace_all,
    set_image,
    set_replicas,
)
from quotalint.gitops.kustomize.traced import Traced, child, elements, follow
from quotalint.gitops.kustomize.transformer_config import field_spec
from quotalint.gitops.kustomize.value_add import add_values
from quotalint.gitops.kustomize.work import Work
from quotalint.kube.fields import mapping, sequence, text

_SUBJECTS = frozenset({"", "defaultOnly", "allServiceAccounts", "none"})


def run_transformers(work: Work, configured: list[Plugin]) -> None:
    """Change the resources as `transformers` says. What is no part of Kustomize is left out by name."""
    for transformer in configured:
        run = _TRANSFORMERS.get(transformer.kind) if transformer.is_builtin else None
        if run is not None:
            run(work, transformer.configuration)
        elif transformer.is_builtin:
            work.problem(transformer.entry.place, f"{transformer.kind} is a generator; it belongs under `generators`")
        else:
            reason = f"the transformer {transformer.kind} is a plugin, which is not run"
            work.problem(transformer.entry.place, reason, MISSING, may_lower=True)


def run_validators(work: Work, configured: list[Plugin]) -> None:
    """Validators change nothing: one that would is refused."""
    before = work.resources
    run_transformers(work, [transformer for transformer in configured if transformer.is_builtin])
    if any(old is not new for old, new in zip(before, work.resources, strict=False)):
        work.problem(configured[0].entry.place, "a validator changes objects, which it must not")
    work.resources = before


def _specs(configuration: Traced) -> list[FieldSpec]:
    return [field_spec(entry) for entry in sequence(mapping(configuration.value).get("fieldSpecs"))]


def _annotate(work: Work, configuration: Traced) -> None:
    _write_pairs(work, configuration, "annotations")


def _label(work: Work, configuration: Traced) -> None:
    _write_pairs(work, configuration, "labels")


def _write_pairs(work: Work, configuration: Traced, field: str) -> None:
    pairs = child(configuration, field)
    if pairs is not None:
        work.resources = transformers.with_pairs(work.resources, pairs, _specs(configuration))


def _hash(work: Work, configuration: Traced) -> None:
    work.resources = [generators.with_hash(resource) for resource in work.resources]


def _retag(work: Work, configuration: Traced) -> None:
    image = child(configuration, "imageTag") or Traced({}, configuration.origin)
    set_image(work, image, _specs(configuration))


def _put_into_namespace(work: Work, configuration: Traced) -> None:
    namespace = follow(configuration, "metadata", "namespace")
    body = mapping(configuration.value)
    subjects = text(body.get("setRoleBindingSubjects"))
    if subjects not in _SUBJECTS:
        work.problem(configuration.place, f"setRoleBindingSubjects cannot be {subjects}")
    elif namespace is not None and text(namespace.value):
        unset_only = body.get("unsetOnly") is True
        put_into_namespace(work, namespace, configuration.place, _specs(configuration), subjects, unset_only=unset_only)


def _patch_by_operations(work: Work, configuration: Traced) -> None:
    apply_patch(work, patches.from_json_entry(configuration, work.load))


def _patch(work: Work, configuration: Traced) -> None:
    apply_patch(work, patches.from_entry(configuration, work.load))


def _merge(work: Work, configuration: Traced) -> None:
    paths, inline = child(configuration, "paths"), child(configuration, "patches")
    entries = [*(elements(paths) if paths is not None else ())]
    if inline is not None and text(inline.value):
        entries.append(inline)
    if not entries:
        work.problem(configuration.place, "the patches are not applied: they are empty")
    apply_strategic(work, entries, configuration.place)


def _prefix(work: Work, configuration: Traced) -> None:
    _affix(work, configuration, "prefix")


def _suffix(work: Work, configuration: Traced) -> None:
    _affix(work, configuration, "suffix")


def _affix(work: Work, configuration: Traced, field: str) -> None:
    if mapping(configuration.value).get("fieldSpecs") is None:
        work.problem(configuration.place, "`fieldSpecs` is missing: no field gets the affix")
        return
    affix = child(configuration, field) or Traced("", configuration.origin)
    work.resources = transformers.with_affix(
        work.resources, affix, before=field == "prefix", specs=_specs(configuration)
    )


def _prefix_and_suffix(work: Work, configuration: Traced) -> None:
    _prefix(work, configuration)
    _suffix(work, configuration)


def _replace(work: Work, configuration: Traced) -> None:
    listed = child(configuration, "replacements")
    for entry in elements(listed) if listed is not None else ():
        replace_all(work, entry)


def _count(work: Work, configuration: Traced) -> None:
    replica = child(configuration, "replica") or Traced({}, configuration.origin)
    set_replicas(work, replica, _specs(configuration))


def _add_values(work: Work, configuration: Traced) -> None:
    root = posixpath.basename(work.folder) or posixpath.basename(work.tree.root.replace("\\", "/"))
    add_values(work, configuration, root)


_TRANSFORMERS: Mapping[str, Callable[[Work, Traced], None]] = {
    "AnnotationsTransformer": _annotate,
    "HashTransformer": _hash,
    "ImageTagTransformer": _retag,
    "LabelTransformer": _label,
    "NamespaceTransformer": _put_into_namespace,
    "PatchJson6902Transformer": _patch_by_operations,
    "PatchStrategicMergeTransformer": _merge,
    "PatchTransformer": _patch,
    "PrefixSuffixTransformer": _prefix_and_suffix,
    "PrefixTransformer": _prefix,
    "ReplacementTransformer": _replace,
    "ReplicaCountTransformer": _count,
    "SuffixTransformer": _suffix,
    "ValueAddTransformer": _add_values,
}
