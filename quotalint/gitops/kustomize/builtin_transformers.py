"""Transformers that Kustomize brings along, where a kustomization configures them itself (api/internal/builtins)."""

from __future__ import annotations

from quotalint.gitops.kustomize.field_specs import FieldSpec, applies, split, updated
from quotalint.gitops.kustomize.reading import raw, written
from quotalint.gitops.kustomize.resources import Kind, Resource
from quotalint.gitops.kustomize.traced import Traced, follow
from quotalint.gitops.kustomize.transformers import conflicts, with_namespace
from quotalint.gitops.kustomize.work import Work
from quotalint.gitops.tree import join
from quotalint.kube.fields import mapping, sequence, text
from quotalint.text.place import Place

_NAMESPACE = "NamespaceTransformer"
_SUBJECTS = frozenset({"", "defaultOnly", "allServiceAccounts", "none"})


def configurations(work: Work, entry: Traced) -> tuple[list[Traced], bool]:
    """What an entry of `transformers` configures that is run here, and whether that is all of it."""
    path = text(entry.value)
    target = join(work.folder, path)
    inline = "\n" in path
    reading = raw(path.encode("utf-8", "surrogatepass")) if inline else written(work.tree, target)
    if reading is None or reading.failures:
        return [], False
    found = [Traced(one.value, entry.place if inline else Place(target, one.index)) for one in reading.documents]
    run = [one for one in found if _is_run(one)]
    return run, len(run) == len(found)


def _is_run(configuration: Traced) -> bool:
    body = mapping(configuration.value)
    return (
        body.get("apiVersion") == "builtin"
        and body.get("kind") == _NAMESPACE
        and isinstance(body.get("fieldSpecs", []), list)
        and isinstance(body.get("unsetOnly", False), bool)
        and text(body.get("setRoleBindingSubjects")) in _SUBJECTS
    )


def run_configured(work: Work) -> None:
    """Change the resources as `transformers` says: what the kustomization itself holds comes before what it names."""
    for entry in sorted(work.kustomization.entries("transformers"), key=lambda one: "\n" not in text(one.value)):
        for configuration in configurations(work, entry)[0]:
            _put_into_namespace(work, entry, configuration)


def _put_into_namespace(work: Work, entry: Traced, configuration: Traced) -> None:
    namespace = follow(configuration, "metadata", "namespace")
    if namespace is None or not text(namespace.value):
        return
    body = mapping(configuration.value)
    specs = [_spec(one) for one in sequence(body.get("fieldSpecs"))]
    if any(_leads_to_more(one, spec) for one in work.resources for spec in specs):
        work.problem(entry.place, "the namespace is not set: one of `fieldSpecs` leads to more than a text")
        return
    subjects, unset_only = text(body.get("setRoleBindingSubjects")), body.get("unsetOnly") is True
    work.resources = with_namespace(work.resources, namespace, specs, subjects, unset_only)
    for one in conflicts(work.resources):
        work.problem(entry.place, f"the namespace makes several {one.kind.kind} {one.name} one object")


def _leads_to_more(one: Resource, spec: FieldSpec) -> bool:
    found: list[object] = []

    def look(field: Traced) -> Traced:
        found.append(field.value)
        return field

    if applies(spec, one.id.kind):
        updated(one.traced, spec, look, make=False)
    return any(isinstance(value, (dict, list)) for value in found)


def _spec(written: object) -> FieldSpec:
    body = mapping(written)
    kind = Kind(*(text(body.get(part)) for part in ("group", "version", "kind")))
    return FieldSpec(split(text(body.get("path"))), kind, body.get("create") is True)
