"""`postBuild` of a Flux Kustomization: variable substitution (fluxcd/pkg, kustomize/kustomize_varsub.go)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import partial

from quotalint.gitops.deployer import Context
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.substitution import is_disabled, substitution_with
from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.guess import LEFT_OUT, Guess
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled
from quotalint.unknowns.causes import OUTSIDE_VARIABLES, SharedCause
from quotalint.unknowns.problems import SYNTAX, TEXT, UNRENDERED, Problem


class Variables(NamedTuple):
    """The values of the variables, as far as they are in view."""

    values: Mapping[str, str]
    hidden: tuple[str, ...]
    """ConfigMaps and Secrets that are missing or encrypted."""
    sealed: frozenset[str] | None = frozenset()
    """The variables that these may define: the keys of encrypted ones; None if one is missing, so that any is
    possible."""

    def without_hidden(self, names: Set[str]) -> Set[str]:
        """The names that no hidden source can define."""
        return names - self.sealed if self.sealed is not None else frozenset()


def substitute_variables(obj: Object, rendering: Rendering, context: Context) -> Rendering:
    """A Kustomization's rendering with variables substituted.

    A variable without a value becomes its default, or nothing, as in Flux. But if a ConfigMap or Secret of
    `substituteFrom` is not in view or encrypted, it is kept as written, and a problem (QL003) names that source.
    """
    build = mapping(obj.spec.get("postBuild"))
    if not build:
        return rendering
    variables = _declared_variables(obj, context)
    if not variables.values and not variables.hidden and build.get("substituteStrategy") != "Always":
        return rendering
    names = tuple(mapping(build.get("substitute")))
    plain = (tuple(variables.values.items()), variables.hidden, variables.sealed, names)
    return recalled("substituted", (obj, rendering), plain, partial(_with_values, obj, rendering, variables, names))


def _with_values(obj: Object, rendering: Rendering, variables: Variables, own: Sequence[str]) -> Rendering:
    """The rendering with variables substituted; `own` are the variables defined inline in the Kustomization."""
    new_objects: list[Object] = []
    problems: list[Problem] = []
    missing: set[str] = set()
    deciding: set[str] = set()
    substitute = substitution_with(variables.values, keep_missing=bool(variables.hidden))
    for built_object in rendering.objects:
        if is_disabled(built_object.body):
            new_objects.append(built_object)
            continue
        result = substitute(built_object.body)
        missing.update(result.missing)
        if result.error:
            reason = f"Flux refuses the variables in {built_object.kind} {built_object.name}: {result.error}"
            problems.append(Problem(built_object.place, reason, UNRENDERED, cause=SYNTAX))
        again = _with_new_body(built_object, result.value) if result.changed else built_object
        # A variable that is kept means an unknown amount; a substituted one may have another value.
        deciding_names = _deciding_variables(built_object.body) if variables.hidden else set()
        open_names = deciding_names.difference(own, result.missing)
        open_names -= variables.without_hidden(open_names)
        deciding |= open_names | deciding_names.intersection(result.missing)
        new_objects.append(
            _with_doubtful_variables(again, sorted(open_names), variables.hidden) if open_names else again
        )
    if (missing or deciding) and variables.hidden:
        problems.append(_hidden_problem(obj, sorted(deciding), variables.hidden))
    return rendering._replace(objects=tuple(new_objects), problems=(*rendering.problems, *problems))


def _hidden_problem(obj: Object, names: Sequence[str], hidden: Sequence[str]) -> Problem:
    """The problem that variables may have other values. Without `names` only fields that affect no quota are
    concerned."""
    what = f"the variables {', '.join(names[:5])}{', …' if len(names) > 5 else ''}" if names else "variables in texts"
    reason = f"{what} of Kustomization {obj.name} may come from {', '.join(hidden)}"
    return Problem(
        obj.at("spec", "postBuild", "substituteFrom"),
        f"{reason}, not in view here",
        UNRENDERED if names else TEXT,
        shared=SharedCause(OUTSIDE_VARIABLES, ", ".join(hidden)),
        subject=f"Kustomization {obj.name}",
    )


def _with_doubtful_variables(obj: Object, names: Sequence[str], hidden: Sequence[str]) -> Object:
    """An object with a guess: a source out of view overrides defaults and earlier sources."""
    listed_names = f"{', '.join(names[:3])}{', …' if len(names) > 3 else ''}"
    reason = f"{obj.place.file}: the variables {listed_names} may come from {', '.join(hidden)}, not in view here"
    return obj._replace(guesses=(*obj.guesses, Guess(LEFT_OUT, reason, "pass a snapshot of the cluster with `--with`")))


_IDLE = frozenset(
    ("annotations", "args", "command", "data", "env", "envFrom", "host", "hosts", "image", "labels", "stringData")
)
"""Fields that affect neither the number of pods nor their requests."""


def _deciding_variables(value: object) -> set[str]:
    """The variables in fields that may affect a quota."""
    if isinstance(value, dict):
        return set().union(
            *(_named_variables(key) | _deciding_variables(below) for key, below in value.items() if key not in _IDLE)
        )
    if isinstance(value, list):
        return set().union(*map(_deciding_variables, value))
    return _named_variables(value)


def _named_variables(value: object) -> set[str]:
    """The variables that occur in a string."""
    return (
        set(re.findall(r"\$\{([A-Za-z_][A-Za-z0-9_]*)", value)) if isinstance(value, str) and "${" in value else set()
    )


def _declared_variables(obj: Object, context: Context) -> Variables:
    build = mapping(obj.spec.get("postBuild"))
    values: dict[str, str] = {}
    hidden: list[str] = []
    sealed: set[str] | None = set()
    for source in map(mapping, sequence(build.get("substituteFrom"))):
        kind, name = text(source.get("kind")), text(source.get("name"))
        data_object = context.find(obj, kind, obj.namespace, name)
        data = data_of(data_object) if data_object is not None else {}
        encrypted = {key for key, value in data.items() if value.startswith("ENC[")}
        if data_object is None or encrypted:
            hidden.append(f"{kind} {name}")
        if data_object is None:
            sealed = None
        elif sealed is not None:
            sealed = (sealed - data.keys()) | encrypted
        values.update({key: value for key, value in data.items() if key not in encrypted})
    values.update({key: text(value) for key, value in mapping(build.get("substitute")).items()})
    return Variables(values, tuple(hidden), None if sealed is None else frozenset(sealed))


def data_of(obj: Object) -> dict[str, str]:
    """The data of a ConfigMap or Secret as strings; Secret values are decoded."""
    data = {key: text(value) for key, value in mapping(obj.body.get("data")).items()}
    if obj.kind != "Secret":
        return data
    plain = {key: text(value) for key, value in mapping(obj.body.get("stringData")).items()}
    return {**{key: _decode_secret(value) for key, value in data.items()}, **plain}


def _decode_secret(value: str) -> str:
    from base64 import b64decode

    if value.startswith("ENC["):
        return value
    try:
        return b64decode(value, validate=True).decode()
    except ValueError:
        return value


def _with_new_body(obj: Object, value: object) -> Object:
    """The object with substituted values at the same places."""
    body = mapping(value)
    metadata = mapping(body.get("metadata"))
    return obj._replace(body=body, namespace=text(metadata.get("namespace")), name=text(metadata.get("name")))
