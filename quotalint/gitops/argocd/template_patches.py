"""An ApplicationSet's templates over each other, and its templatePatch over an Application."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.gitops.argocd.set_templates import UnexpandableError
from quotalint.gitops.go.values import MAX_DEPTH
from quotalint.kube.fields import Body, mapping
from quotalint.text.loader import load
from quotalint.text.trouble import Trouble


def filled_up(template: Body, under: Body, depth: int = 0) -> Body:
    """A generator's own template, with what it leaves empty from that of the ApplicationSet (`mergeGeneratorTemplate`).

    Free-form values, which are bytes to Go, do not mix.
    """
    if not template:
        return under
    if depth > MAX_DEPTH:
        return template
    result = {**under, **{key: value for key, value in template.items() if value or key not in under}}
    for key in template.keys() & under.keys():
        mine, theirs = template[key], under[key]
        if mine and isinstance(mine, dict) and isinstance(theirs, dict) and key != "valuesObject":
            result[key] = filled_up(mine, theirs, depth + 1)
    return result


def apply_template_patch(application: Body, written: str) -> dict[str, object]:
    """The application after a rendered templatePatch (controllers/template/patch.go). Raises UnexpandableError.

    It is a strategic merge patch; no list in an Application has keys to merge by, so lists replace each other.
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
        raise UnexpandableError("templatePatch is nested too deeply")
    directive = patch.get("$patch")
    if directive not in (None, "merge", "replace", "delete") or any(key.startswith(_DIRECTIVES) for key in patch):
        raise UnexpandableError("templatePatch has directives that are not supported here")
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
