"""Finishes a build: accumulated resources become the objects that `kustomize build` prints
(api/internal/target/kusttarget.go, `makeCustomizedResMap`)."""

from __future__ import annotations

from quotalint.gitops.kustomize import generators
from quotalint.gitops.kustomize.kustomize_resource import Resource
from quotalint.gitops.kustomize.name_references import with_references
from quotalint.gitops.kustomize.traced import Traced, child, with_child
from quotalint.gitops.kustomize.variables import VariableError, substitute_variables, value_of
from quotalint.gitops.kustomize.work import Built
from quotalint.kube.fields import mapping, text
from quotalint.unknowns.problems import MISSING, REFUSED, UNRENDERED, Problem

_LOCAL = "config.kubernetes.io/local-config"
_INTERNAL = frozenset(
    (
        *(
            f"internal.config.kubernetes.io/{name}"
            for name in (
                "annotations-migration-resource-id",
                "generatorBehavior",
                "id",
                "index",
                "needsHashSuffix",
                "path",
                "prefixes",
                "previousKinds",
                "previousNames",
                "previousNamespaces",
                "refBy",
                "seqindent",
                "suffixes",
            )
        ),
        "alpha.config.kubernetes.io/transformations",
        "config.k8s.io/id",
        "config.kubernetes.io/index",
        "config.kubernetes.io/origin",
        "config.kubernetes.io/path",
    )
)


def finish_build(built: Built) -> Built:
    """The build after name hashes, name references and variables are resolved, without objects marked local-config."""
    problems = list(built.problems)
    is_partial = any(problem.kind == MISSING and not problem.only for problem in problems)

    def unclear(resource: Resource, what: str) -> None:
        problems.append(
            Problem(resource.traced.place, f"{resource.id.kind.kind} {resource.id.name} names {what}", REFUSED)
        )

    hashed = [generators.with_hash(resource) for resource in built.resources]
    resources = with_references(hashed, built.config.references, unclear)
    if built.variables:
        resources, wrong = _with_variables(built, resources, UNRENDERED if is_partial else REFUSED)
        problems += wrong
    plain_resources = [plain for resource in resources if not _is_local(plain := _without_build_annotations(resource))]
    return built._replace(resources=tuple(plain_resources), problems=tuple(problems))


def _with_variables(built: Built, resources: list[Resource], kind: str) -> tuple[list[Resource], list[Problem]]:
    """The resources with variables replaced, and the problems found, which get this `kind`."""
    values: dict[str, Traced] = {}
    problems: list[Problem] = []
    for variable in built.variables:
        try:
            values[variable.name] = value_of(resources, variable)
        except VariableError as error:  # noqa: PERF203 - one error must not hide the next
            problems.append(Problem(variable.place, str(error), kind))
    specs = built.config.specs_of("varReference")
    result = []
    for resource in resources:
        try:
            result.append(substitute_variables(resource, values, specs))
        except VariableError as error:  # noqa: PERF203
            result.append(resource)
            problems.append(Problem(resource.traced.place, str(error), REFUSED))
    return result, problems


def _is_local(resource: Resource) -> bool:
    annotations = mapping(resource.metadata.get("annotations"))
    return _LOCAL in annotations and text(annotations[_LOCAL]) != "false"


def _without_build_annotations(resource: Resource) -> Resource:
    """The resource without Kustomize's internal annotations; other annotation values become strings
    (RemoveBuildAnnotations)."""
    if "annotations" not in resource.metadata:
        return resource
    annotations = resource.metadata["annotations"]  # null is removed too
    plain_annotations = {key: text(value) for key, value in mapping(annotations).items() if key not in _INTERNAL}
    if plain_annotations and plain_annotations == annotations:
        return resource
    metadata = child(resource.traced, "metadata") or resource.traced
    old = child(metadata, "annotations") or metadata
    new = with_child(metadata, "annotations", Traced(plain_annotations, old.origin) if plain_annotations else None)
    return resource.with_body(with_child(resource.traced, "metadata", new))
