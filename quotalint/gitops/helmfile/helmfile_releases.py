"""The releases of a helmfile, with inherited fields and filled-in templates (pkg/state/state_exec_tmpl.go)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from quotalint.gitops.go.encodings import to_yaml
from quotalint.gitops.helmfile import HelmfileError
from quotalint.gitops.helmfile.helmfile_states import HelmfileState, Written
from quotalint.gitops.helmfile.helmfile_templates import HelmfileTemplating, state_data
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import read
from quotalint.text.tree import Tree

_MOST_PASSES = 6  # templates may produce templates
_MOST_INHERITED = 20


class DeclaredRelease(NamedTuple):
    """A release that helmfile installs in one environment."""

    body: Body
    written: Written
    """Its entry in the helmfile."""
    entries: tuple[Written, ...]
    """The entries of its `values`."""
    templating: HelmfileTemplating
    """The data that fills in its values files."""
    notes: list[str]
    """Assumptions about values that are not in view, as clauses; `templating` adds to them."""


def declared_releases(state: HelmfileState, tree: Tree) -> Iterator[DeclaredRelease | tuple[Written, str]]:
    """The installed releases of a state; an unreadable one as its entry with the reason."""
    for written in state.lists.get("releases", ()):
        release = _declared_or_why(state, written, tree)
        if isinstance(release, str):
            yield written, release
        elif release is not None:
            yield release


def _declared_or_why(state: HelmfileState, written: Written, tree: Tree) -> DeclaredRelease | str | None:
    try:
        return _declare_release(state, written, tree)
    except HelmfileError as error:
        return str(error)


def _declare_release(state: HelmfileState, written: Written, tree: Tree) -> DeclaredRelease | None:
    body, entries = _with_inherited(state, mapping(written.value), written, ())
    labels = {**mapping(body.get("labels")), **mapping(state.body.get("commonLabels"))}
    body = {**body, "labels": labels}
    notes: list[str] = []
    for _ in range(_MOST_PASSES):
        templating = HelmfileTemplating(tree, state.folder, _release_data(state, body), notes.append)
        filled, filled_entries = _fill_body(body, templating), tuple(_filled_entries(entries, templating))
        if (filled, filled_entries) == (body, entries):
            break
        body, entries = filled, filled_entries
    else:
        raise HelmfileError("recursive references can't be resolved")
    if not _is_installed(body, state, notes):
        return None
    templated = tuple(_values_template(body, written, templating))
    return DeclaredRelease(body, written, (*templated, *entries), templating, notes)


def _with_inherited(
    state: HelmfileState, body: Body, written: Written, path: tuple[str, ...]
) -> tuple[dict[str, object], tuple[Written, ...]]:
    """The body and `values` entries of a release or template, with inherited ones."""
    own = tuple(written.written_below(item, "values", at) for at, item in enumerate(sequence(body.get("values"))))
    result: dict[str, object] = {}
    entries: tuple[Written, ...] = ()
    inherits = [mapping(inheritance) for inheritance in _as_list(body.get("inherit"))]
    default = [{"template": name} for name in _as_list(state.body.get("defaultInherit"))] if not path else []
    named = {text(inherit.get("template")) for inherit in inherits}
    for inherit in (*(inheritance for inheritance in default if inheritance["template"] not in named), *inherits):
        name = text(inherit.get("template"))
        template = mapping(state.body.get("templates")).get(name)
        if name in path or len(path) > _MOST_INHERITED:
            raise HelmfileError(f"cyclic inheritance detected: {'->'.join((*path, name))}")
        if not isinstance(template, dict):
            raise HelmfileError(f"it inherits from a template {name}, which does not exist")
        place = Written(template, written.place, is_flat=True)
        above, above_entries = _with_inherited(state, template, place, (*path, name))
        for field in map(str, sequence(inherit.get("except"))):
            above.pop(field, None)
            above_entries = () if field == "values" else above_entries
        result = _merge_inherited(result, above)
        entries = (*entries, *above_entries)
    own_fields = {key: value for key, value in body.items() if key not in ("inherit", "values")}
    return _merge_inherited(result, own_fields), (*entries, *own)


def _as_list(value: object) -> Sequence[object]:
    return sequence(value) if isinstance(value, list) else [value] if value else []


def _merge_inherited(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """Two inherited bodies merged: earlier values win (mergo.Merge without override), lists are concatenated."""
    result = dict(below)
    for key, value in above.items():
        before = result.get(key)
        if isinstance(before, list) and isinstance(value, list):
            result[key] = [*before, *value]
        elif isinstance(before, dict) and isinstance(value, dict):
            result[key] = {**value, **before}
        elif not before:
            result[key] = value
    return result


def _release_data(state: HelmfileState, body: Body) -> dict[str, object]:
    release = {
        "Name": text(body.get("name")),
        "Namespace": text(body.get("namespace")),
        "Chart": text(body.get("chart")),
        "ChartVersion": text(body.get("version")),
        "Labels": mapping(body.get("labels")),
        "KubeContext": text(body.get("kubeContext")),
    }
    data = state_data(state.environment, state.values, hidden=bool(state.absent))
    return {**data, "Namespace": text(state.body.get("namespace")), "Chart": "", "KubeContext": "", "Release": release}


_FILLED = ("name", "chart", "namespace", "version", "installedTemplate", "conditionTemplate")


def _fill_body(body: Body, templating: HelmfileTemplating) -> dict[str, object]:
    result = dict(body)
    for key in _FILLED:
        if isinstance(result.get(key), str):
            result[key] = templating.fill_text(text(result[key]), f"`{key}`").strip()
    result["labels"] = {
        key: templating.fill_text(str(value), f"the label {key}") for key, value in mapping(body.get("labels")).items()
    }
    if "setTemplate" in result:
        result["setTemplate"] = [_filled_texts(item, templating) for item in sequence(result["setTemplate"])]
    return result


def _filled_texts(value: object, templating: HelmfileTemplating) -> object:
    if isinstance(value, str):
        return templating.fill_text(value, "`setTemplate`")
    if isinstance(value, dict):
        return {key: _filled_texts(inner, templating) for key, inner in value.items()}
    return [_filled_texts(inner, templating) for inner in value] if isinstance(value, list) else value


def _filled_entries(entries: Sequence[Written], templating: HelmfileTemplating) -> Iterator[Written]:
    """The entries with templates in file names filled in; maps are not templates."""
    for entry in entries:
        if isinstance(entry.value, str):
            yield entry._replace(value=templating.fill_text(entry.value, "the name of a values file"))
        else:
            yield entry


def _values_template(body: Body, written: Written, templating: HelmfileTemplating) -> Iterator[Written]:
    """The filled-in entries of `valuesTemplate`."""
    for template in sequence(body.get("valuesTemplate")):
        if isinstance(template, str):
            yield Written(templating.fill_text(template, "`valuesTemplate`"), written.place, is_flat=True)
            continue
        filled = templating.fill_text(to_yaml(template), "`valuesTemplate`")
        reading = read(filled.encode("utf-8", "surrogatepass"))
        if reading.failures:
            raise HelmfileError(f"`valuesTemplate` does not render to YAML: {reading.failures[0].message}")
        yield Written(mapping(reading.documents[0].value) if reading.documents else {}, written.place, is_flat=True)


def _is_installed(body: Body, state: HelmfileState, notes: list[str]) -> bool:
    installed = body.get("installed")
    if isinstance(body.get("installedTemplate"), str):
        installed = _read_boolean(text(body["installedTemplate"]), "installedTemplate")
    if installed is False:
        return False
    condition = text(body.get("condition"))
    if isinstance(body.get("conditionTemplate"), str):
        return _read_boolean(text(body["conditionTemplate"]), "conditionTemplate")
    return _condition_holds(condition, state, notes)


def _read_boolean(written: str, field: str) -> bool:
    word = written.strip().strip("\"'").lower()
    if is_placeholder(word):
        return True  # the template's own note states the assumption
    if word not in ("true", "false"):
        raise HelmfileError(f"`{field}` renders to {written.strip() or 'nothing'}, which is neither true nor false")
    return word == "true"


def _condition_holds(condition: str, state: HelmfileState, notes: list[str]) -> bool:
    """Whether a condition such as `redis.enabled` is true in the environment's values (pkg/state/state.go,
    ConditionEnabled)."""
    if not condition:
        return True
    if condition.lower() in ("true", "false"):
        return condition.lower() == "true"
    *above, last = condition.split(".")
    if last != "enabled":
        raise HelmfileError("condition value must be in the form 'foo.enabled'")
    below: object = state.values
    for key in above:
        if not isinstance(below, dict) or key not in below:
            if state.absent:
                notes.append(f"`condition: {condition}` is not in view: it is assumed to hold")
                return True
            raise HelmfileError(f"environment values field '{key}' of `condition: {condition}` not found")
        below = below[key]
    return isinstance(below, dict) and below.get("enabled") is True


def is_selected(body: Body, selectors: Sequence[str]) -> bool:
    """Whether a release matches one of the label selectors, such as `tier=web,name!=x`; true without selectors."""
    chart = text(body.get("chart")).rpartition("/")[2]
    labels = {key: str(value) for key, value in mapping(body.get("labels")).items()}
    labels |= {"name": text(body.get("name")), "namespace": text(body.get("namespace")), "chart": chart}
    return not selectors or any(_satisfies_selector(labels, selector) for selector in selectors)


def _satisfies_selector(labels: Mapping[str, str], selector: str) -> bool:
    for term in selector.split(","):
        key, sign, value = re.match(r"([^!=]*)(!?=)?(.*)", term.strip()).groups()  # type: ignore[union-attr]  # matches all
        if (labels.get(key) == value) == (sign == "!="):
            return False
    return True
