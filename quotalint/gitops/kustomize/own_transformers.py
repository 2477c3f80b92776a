"""A kustomization's `generators`, `transformers` and `validators` (kusttarget.go, configureExternalTransformers), and
the built-in transformers (api/internal/builtins)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping

from quotalint.gitops.kustomize import generators, patches, transformers
from quotalint.gitops.kustomize.field_specs import FieldSpec, split_path
from quotalint.gitops.kustomize.kustomization_fields import PLUGINS, misfits_of, respell_fields
from quotalint.gitops.kustomize.kustomize_resource import Resource, is_cluster_scoped, selected_resources
from quotalint.gitops.kustomize.kustomize_yaml import read_inline
from quotalint.gitops.kustomize.selector_text import SelectorError
from quotalint.gitops.kustomize.steps import (
    apply_patch,
    apply_strategic,
    put_into_namespace,
    replace_all,
    set_image,
    set_replicas,
)
from quotalint.gitops.kustomize.traced import Traced, child, elements, follow_keys, set_at
from quotalint.gitops.kustomize.transformer_config import field_spec
from quotalint.gitops.kustomize.work import Work
from quotalint.kube.fields import mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place
from quotalint.unknowns.problems import MISSING

_BUILTIN = "builtin"
_MAPPING_CHARACTERS = frozenset(":?{")
"""Every YAML mapping contains at least one of these characters."""


class Plugin(NamedTuple):
    """A configured generator or transformer."""

    entry: Traced
    """The kustomization entry that names or contains it."""
    kind: str
    configuration: Traced

    @property
    def is_builtin(self) -> bool:
        """Whether it is built into Kustomize; all others are external programs."""
        return mapping(self.configuration.value).get("apiVersion") == _BUILTIN and self.kind in PLUGINS


Accumulate = Callable[[Work, Traced], None]
"""Adds the resources of one entry of `resources`."""


def configured_plugins(work: Work, field: str, accumulate: Accumulate) -> list[Plugin]:
    """The plugins of a field: inline configurations first, then those in files."""
    inline: list[Plugin] = []
    named: list[Plugin] = []
    for entry in work.kustomization.entries(field):
        documents = _inline_objects(entry)
        if documents is None:
            named += _named_plugins(work, entry, accumulate)
        else:
            inline += [_plugin(entry, document) for document in documents]
    return [plugin for plugin in (*inline, *named) if not _is_misfit(work, plugin)]


def _inline_objects(entry: Traced) -> list[Traced] | None:
    """The inline objects of an entry; None if the entry is a path."""
    written = text(entry.value)
    if _MAPPING_CHARACTERS.isdisjoint(written):
        return None
    reading = read_inline(written.encode("utf-8", "surrogatepass"))
    bodies = [document.value for document in reading.documents]
    if reading.failures or not bodies or not all(isinstance(body, dict) for body in bodies):
        return None
    return [Traced(body, entry.place) for body in bodies]


def _named_plugins(work: Work, entry: Traced, accumulate: Accumulate) -> Iterable[Plugin]:
    plugin_work = Work(work.tree, work.kustomization, work.folder, "")
    accumulate(plugin_work, entry)
    work.problems += plugin_work.problems
    work.used |= plugin_work.used
    return [_plugin(entry, resource.traced) for resource in plugin_work.resources]


def _plugin(entry: Traced, configuration: Traced) -> Plugin:
    kind = text(mapping(configuration.value).get("kind")) or "unknown"
    return Plugin(entry, kind, respell_fields(configuration, PLUGINS.get(kind, {})))


def _is_misfit(work: Work, plugin: Plugin) -> bool:
    if not plugin.is_builtin:
        return False
    wrong = list(
        misfits_of(
            plugin.configuration.value, plugin.configuration.place, PLUGINS[plugin.kind], plugin.kind, strictly=False
        )
    )
    for misfit in wrong:
        work.note_problem(misfit.place, misfit.reason)
    return bool(wrong)


_SUBJECTS = frozenset({"", "defaultOnly", "allServiceAccounts", "none"})


def run_transformers(work: Work, configured: list[Plugin]) -> None:
    """Apply the built-in `transformers` to the resources; plugins are noted as skipped."""
    for transformer in configured:
        run = _TRANSFORMERS.get(transformer.kind) if transformer.is_builtin else None
        if run is not None:
            run(work, transformer.configuration)
        elif transformer.is_builtin:
            work.note_problem(
                transformer.entry.place, f"{transformer.kind} is a generator; it belongs under `generators`"
            )
        else:
            reason = f"the transformer {transformer.kind} is a plugin, which is not run"
            work.note_problem(transformer.entry.place, reason, MISSING, may_lower=True)


def run_validators(work: Work, configured: list[Plugin]) -> None:
    """Run the built-in validators. Kustomize refuses a validator that changes an object."""
    before = work.resources
    run_transformers(work, [transformer for transformer in configured if transformer.is_builtin])
    if any(old is not new for old, new in zip(before, work.resources, strict=False)):
        work.note_problem(configured[0].entry.place, "a validator changes objects, which it must not")
    work.resources = before


def _configured_specs(configuration: Traced) -> list[FieldSpec]:
    return [field_spec(entry) for entry in sequence(mapping(configuration.value).get("fieldSpecs"))]


def _add_annotations(work: Work, configuration: Traced) -> None:
    _write_pairs(work, configuration, "annotations")


def _add_labels(work: Work, configuration: Traced) -> None:
    _write_pairs(work, configuration, "labels")


def _write_pairs(work: Work, configuration: Traced, field: str) -> None:
    pairs = child(configuration, field)
    if pairs is not None:
        work.resources = transformers.with_pairs(work.resources, pairs, _configured_specs(configuration))


def _add_hashes(work: Work, configuration: Traced) -> None:
    work.resources = [generators.with_hash(resource) for resource in work.resources]


def _replace_image_tag(work: Work, configuration: Traced) -> None:
    image = child(configuration, "imageTag") or Traced({}, configuration.origin)
    set_image(work, image, _configured_specs(configuration))


def _put_into_namespace(work: Work, configuration: Traced) -> None:
    namespace = follow_keys(configuration, "metadata", "namespace")
    body = mapping(configuration.value)
    subjects = text(body.get("setRoleBindingSubjects"))
    if subjects not in _SUBJECTS:
        work.note_problem(configuration.place, f"setRoleBindingSubjects cannot be {subjects}")
    elif namespace is not None and text(namespace.value):
        unset_only = body.get("unsetOnly") is True
        put_into_namespace(
            work, namespace, configuration.place, _configured_specs(configuration), subjects, unset_only=unset_only
        )


def _patch_by_operations(work: Work, configuration: Traced) -> None:
    apply_patch(work, patches.from_json_entry(configuration, work.load_documents))


def _patch_from_configuration(work: Work, configuration: Traced) -> None:
    apply_patch(work, patches.from_entry(configuration, work.load_documents))


def _merge_patches(work: Work, configuration: Traced) -> None:
    paths, inline = child(configuration, "paths"), child(configuration, "patches")
    entries = [*(elements(paths) if paths is not None else ())]
    if inline is not None and text(inline.value):
        entries.append(inline)
    if not entries:
        work.note_problem(configuration.place, "the patches are not applied: they are empty")
    apply_strategic(work, entries, configuration.place)


def _prefix_names(work: Work, configuration: Traced) -> None:
    _affix_names(work, configuration, "prefix")


def _suffix_names(work: Work, configuration: Traced) -> None:
    _affix_names(work, configuration, "suffix")


def _affix_names(work: Work, configuration: Traced, field: str) -> None:
    if mapping(configuration.value).get("fieldSpecs") is None:
        work.note_problem(configuration.place, "`fieldSpecs` is missing: no field gets the affix")
        return
    affix = child(configuration, field) or Traced("", configuration.origin)
    work.resources = transformers.with_affix(
        work.resources, affix, before=field == "prefix", specs=_configured_specs(configuration)
    )


def _prefix_and_suffix(work: Work, configuration: Traced) -> None:
    _prefix_names(work, configuration)
    _suffix_names(work, configuration)


def _replace_values(work: Work, configuration: Traced) -> None:
    listed = child(configuration, "replacements")
    for entry in elements(listed) if listed is not None else ():
        replace_all(work, entry)


def _replica_counts(work: Work, configuration: Traced) -> None:
    replica = child(configuration, "replica") or Traced({}, configuration.origin)
    set_replicas(work, replica, _configured_specs(configuration))


def _add_values(work: Work, configuration: Traced) -> None:
    root = posixpath.basename(work.folder) or posixpath.basename(work.tree.root.replace("\\", "/"))
    add_values(work, configuration, root)


_TRANSFORMERS: Mapping[str, Callable[[Work, Traced], None]] = {
    "AnnotationsTransformer": _add_annotations,
    "HashTransformer": _add_hashes,
    "ImageTagTransformer": _replace_image_tag,
    "LabelTransformer": _add_labels,
    "NamespaceTransformer": _put_into_namespace,
    "PatchJson6902Transformer": _patch_by_operations,
    "PatchStrategicMergeTransformer": _merge_patches,
    "PatchTransformer": _patch_from_configuration,
    "PrefixSuffixTransformer": _prefix_and_suffix,
    "PrefixTransformer": _prefix_names,
    "ReplacementTransformer": _replace_values,
    "ReplicaCountTransformer": _replica_counts,
    "SuffixTransformer": _suffix_names,
    "ValueAddTransformer": _add_values,
}


# ValueAddTransformer: writes one value to many fields, or inserts it into paths (api/filters/valueadd).
_NAMESPACE = "metadata/namespace"


def add_values(work: Work, configuration: Traced, root: str) -> None:
    """Write the configured value, else the root folder's name, to the targets."""
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
    """The resource with the value written; None if the field cannot hold it."""
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
    """The path with one part inserted (filesys.InsertPathPart)."""
    lead = "/" if path.startswith("/") else ""
    parts = [part for part in path.split("/") if part]
    return lead + "/".join((*parts[:position], value, *parts[position:]))
