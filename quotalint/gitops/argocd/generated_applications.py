"""Expands ApplicationSets into the Applications that Argo CD generates from them (argo-cd 3.6, applicationset)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from quotalint.gitops.argocd.git_generator import RepositoryFiles as RepositoryFiles
from quotalint.gitops.argocd.set_generators import Generated, GeneratorContext, generate_sets
from quotalint.gitops.argocd.set_templates import Parameters, SetTemplating, UnexpandableError, UnfollowedError
from quotalint.gitops.go.values import MAX_DEPTH, GoError
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.settings import ConfiguredCluster
from quotalint.text.loader import Trouble, load

MAX_REASONS = 20
"""The largest number of reasons reported; a failing template usually fails for every Application alike."""


class Application(NamedTuple):
    """An Application that Argo CD generates."""

    body: dict[str, object]
    parameters: Mapping[str, object]
    """The parameters that filled its template."""


class ExpandedSet(NamedTuple):
    """The result of expanding an ApplicationSet."""

    applications: tuple[Application, ...]
    unknown: tuple[str, ...]
    """Why there may be more or other Applications, in words."""
    failures: tuple[str, ...] = ()
    """The reasons for which a generator or template fails; Argo CD then creates or changes none of the set's
    Applications."""


def expand_set(
    body: Mapping[str, object], repository: RepositoryFiles, clusters: Sequence[ConfiguredCluster]
) -> ExpandedSet:
    """The Applications of an ApplicationSet (controllers/template/template.go, `GenerateApplications`).

    Takes any body and raises nothing.
    """
    spec = mapping(body.get("spec"))
    context = GeneratorContext(repository, clusters, SetTemplating(spec))
    unknown: list[str] = []
    failures: list[str] = []
    applications: list[Application] = []
    namespace = text(mapping(body.get("metadata")).get("namespace"))
    for entry in map(mapping, sequence(spec.get("generators"))):
        try:
            results = generate_sets(entry, context)
        except UnfollowedError as error:
            unknown.append(str(error))
            continue
        except (UnexpandableError, GoError) as error:
            failures.append(str(error))
            continue
        if not results:
            unknown.append(f"there is no generator of type {', '.join(map(str, entry)) or '(none)'}")
        for result in results:
            unknown += result.unknown
            applications += _applications_of(result, spec, namespace, context.templating, failures, unknown)
    return _valid_applications(applications, [*failures, *unknown])._replace(failures=tuple(dict.fromkeys(failures)))


def _applications_of(
    result: Generated,
    spec: Body,
    namespace: str,
    templating: SetTemplating,
    failures: list[str],
    unknown: list[str],
) -> list[Application]:
    template = complete_template(result.template, mapping(spec.get("template")))
    applications = []
    for parameters in result.sets:
        application = _fill_template(template, spec, namespace, parameters, templating)
        if not isinstance(application, UnexpandableError):
            applications.append(Application(application, parameters))
        elif isinstance(application, UnfollowedError):
            unknown.append(str(application))
        else:
            failures.append(str(application))
    return applications


def _fill_template(
    template: Body, spec: Body, namespace: str, parameters: Parameters, templating: SetTemplating
) -> dict[str, object] | UnexpandableError:
    """The Application for one set of parameters, or the error of its template."""
    try:
        return _render_application(template, spec, namespace, parameters, templating)
    except UnexpandableError as error:
        return error


def _render_application(
    template: Body, spec: Body, namespace: str, parameters: Parameters, templating: SetTemplating
) -> dict[str, object]:
    filled = mapping(templating.fill_value(template, parameters))
    application: dict[str, object] = {
        "metadata": dict(mapping(filled.get("metadata"))),
        "spec": dict(mapping(filled.get("spec"))),
    }
    written = spec.get("templatePatch")
    if isinstance(written, str):
        application = apply_template_patch(application, templating.replace_parameters(written, parameters))
    metadata = {key: value for key, value in mapping(application["metadata"]).items() if key != "namespace"}
    if namespace:  # it stays in the namespace of its ApplicationSet
        metadata["namespace"] = namespace
    kind = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application"}
    return {**kind, "metadata": metadata, "spec": application["spec"]}


def _valid_applications(applications: Sequence[Application], unknown: list[str]) -> ExpandedSet:
    """The Applications that Argo CD accepts (applicationset_controller.go, `validateGeneratedApplications`)."""
    names = [text(mapping(application.body["metadata"]).get("name")) for application in applications]
    counts = Counter(names)
    for name, count in counts.items():
        if not name:
            unknown.append("an Application has no name")
        elif count > 1:
            unknown.append(f"{count} Applications are named {name}, so Argo CD creates none of them")
        elif "{{" in name:
            unknown.append(f"an Application is named {name}: nothing fills in the braces")
    valid = tuple(
        application for application, name in zip(applications, names, strict=True) if name and counts[name] == 1
    )
    reasons = list(dict.fromkeys(unknown))
    if len(reasons) > MAX_REASONS:
        reasons = [*reasons[:MAX_REASONS], f"and {len(reasons) - MAX_REASONS} more reasons"]
    return ExpandedSet(valid, tuple(reasons))


def complete_template(template: Body, under: Body, depth: int = 0) -> Body:
    """A generator's template, completed with fields from the ApplicationSet's template (`mergeGeneratorTemplate`).

    `valuesObject` is raw bytes in Go, so it is replaced, not merged.
    """
    if not template:
        return under
    if depth > MAX_DEPTH:
        return template
    result = {**under, **{key: value for key, value in template.items() if value or key not in under}}
    for key in template.keys() & under.keys():
        own_value, set_value = template[key], under[key]
        if own_value and isinstance(own_value, dict) and isinstance(set_value, dict) and key != "valuesObject":
            result[key] = complete_template(own_value, set_value, depth + 1)
    return result


def apply_template_patch(application: Body, written: str) -> dict[str, object]:
    """The Application after a rendered templatePatch (controllers/template/patch.go). Raises UnexpandableError.

    The patch is a strategic merge patch. Lists are replaced, because no list in an Application has merge keys.
    """
    loaded = load(written.encode("utf-8", "surrogatepass"))
    if isinstance(loaded, Trouble):
        raise UnexpandableError(f"templatePatch does not produce YAML: {loaded.message}")
    if loaded.value is None:
        return dict(application)
    if not isinstance(loaded.value, dict):
        raise UnexpandableError("templatePatch does not produce a mapping")
    result = _merge_patch(application, loaded.value, 0)
    spec = dict(mapping(result.get("spec")))
    before = mapping(application.get("spec"))
    spec.pop("project", None)
    if "project" in before:  # a patch cannot change the project
        spec["project"] = before["project"]
    return {"metadata": dict(mapping(result.get("metadata"))), "spec": spec}


def _merge_patch(base: Mapping[str, object], patch: Body, depth: int) -> dict[str, object]:
    if depth > MAX_DEPTH:
        raise UnfollowedError("templatePatch is nested too deeply")
    directive = patch.get("$patch")
    if directive not in (None, "merge", "replace", "delete") or any(key.startswith(_DIRECTIVES) for key in patch):
        raise UnfollowedError("templatePatch has directives that are not supported here")
    if directive == "delete":
        return {}
    fields_of_patch = {key: value for key, value in patch.items() if key != "$patch"}
    if directive == "replace":
        return fields_of_patch
    result = dict(base)
    for key, value in fields_of_patch.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict):
            result[key] = _merge_patch(mapping(base.get(key)), value, depth + 1)
        else:
            result[key] = value
    return result


_DIRECTIVES = ("$retainKeys", "$setElementOrder", "$deleteFromPrimitiveList")
