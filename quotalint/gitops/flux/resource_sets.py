"""Renders a ResourceSet of the Flux Operator for its inputs (internal/builder/resourceset.go, internal/inputs)."""

from __future__ import annotations

import itertools
import math
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence

from quotalint.gitops.deployer import Context
from quotalint.gitops.flux.applied_objects import with_common_metadata
from quotalint.gitops.go.go_templates import render_template
from quotalint.gitops.go.values import GoError, as_decoded
from quotalint.gitops.object_index import every_object
from quotalint.gitops.rendering import Rendering, with_owners
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object, Ref, objects
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import read
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Derivation, Place, Whole
from quotalint.unknowns.problems import MISSING, Problem

PROVIDER = "ResourceSetInputProvider"
_RECONCILE = "fluxcd.controlplane.io/reconcile"
_MOST = 5_000
"""The largest number of objects of one ResourceSet."""
_MOST_PERMUTATIONS = 10_000

Inputs = Mapping[str, object]


class _InputSets(NamedTuple):
    sets: tuple[Inputs, ...]
    unknown: tuple[str, ...]
    """Why there may be more or other input sets."""


def resource_set(obj: Object, context: Context) -> Rendering:
    """The rendering of a ResourceSet."""
    if text(dig(obj.metadata, "annotations", _RECONCILE)) == "disabled":
        reason = "its reconciliation is disabled, so what runs may be older than what is written here"
        return _with_unknown_inputs(obj, Rendering(), (reason,))
    inputs = _inputs_of_set(obj, context)
    from_outside = bool(sequence(obj.spec.get("inputsFrom")))
    # Without inputs the resources are rendered once, unless input providers exist and return none.
    sets: tuple[Inputs | None, ...] = inputs.sets or (() if from_outside or inputs.unknown else (None,))
    try:
        return _with_unknown_inputs(obj, Rendering(_first_of_each_identity(obj, sets)), inputs.unknown)
    except GoError as error:
        # The operator then applies nothing.
        return _with_unknown_inputs(obj, Rendering(), (*inputs.unknown, f"its template fails: {error}"))


def _first_of_each_identity(obj: Object, sets: Sequence[Inputs | None]) -> tuple[Object, ...]:
    """The rendered objects; of several with one identity, the first. Raises GoError."""
    by_reference: dict[Ref, Object] = {}
    common = mapping(obj.spec.get("commonMetadata"))
    for part, place in _resource_holders(obj):
        for part_object in _render_part(part, place, sets):
            by_reference.setdefault(part_object.ref, with_common_metadata(part_object, common))
            if len(by_reference) > _MOST:
                raise GoError(f"it makes more than {_MOST:,} objects")
    return tuple(by_reference.values())


def _resource_holders(obj: Object) -> Iterator[tuple[Body, Place]]:
    """The bodies that contain resources: the steps if there are any, else the spec."""
    steps = sequence(obj.spec.get("steps"))
    if not steps:
        yield obj.spec, obj.at("spec")
    for number, step in enumerate(steps):
        yield mapping(step), obj.at("spec", "steps", number)


def _with_unknown_inputs(obj: Object, rendering: Rendering, unknown: tuple[str, ...]) -> Rendering:
    """The rendering with its unknown parts, per target namespace."""
    messages = (f"ResourceSet {obj.name} is only partly rendered: {reason}" for reason in dict.fromkeys(unknown))
    problems = (
        Problem(obj.place, message, MISSING, namespace=namespace)
        for message in messages
        for namespace in _target_namespaces(obj)
    )
    return with_owners(rendering.lacking(*problems), ("ResourceSet", obj.namespace, obj.name))


def _target_namespaces(obj: Object) -> tuple[str, ...]:
    """The namespaces of its resources if all are written out; otherwise "" for any."""
    parts = [part for part, _ in _resource_holders(obj)]
    if any(part.get("resourcesTemplate") for part in parts):
        return ("",)
    resources = [mapping(resource) for part in parts for resource in sequence(part.get("resources"))]
    names = {text(dig(resource, "metadata", "namespace")) or obj.namespace for resource in resources}
    deploying = any(
        text(resource.get("kind")) in ("Kustomization", "HelmRelease", "ResourceSet") for resource in resources
    )
    is_open = deploying or any(is_template(name) or is_placeholder(name) for name in names)
    return ("",) if is_open or not names else tuple(sorted(names))


def _inputs_of_set(obj: Object, context: Context) -> _InputSets:
    """The inline inputs, and those of static providers."""
    written = [_with_provider(input_, "ResourceSet", obj) for input_ in map(mapping, sequence(obj.spec.get("inputs")))]
    groups: list[_InputGroup] = []
    unknown: list[str] = []
    for source in map(mapping, sequence(obj.spec.get("inputsFrom"))):
        providers = _selected_providers(obj, source, context)
        if not providers:
            unknown.append(f"its inputs come from {PROVIDER} {_describe_source(source)}, which is not in view")
        for provider in providers:
            kind = text(provider.spec.get("type"))
            if kind == "Static":
                values = mapping(provider.spec.get("defaultValues"))
                groups.append(_InputGroup(provider.name, [_with_provider(values, PROVIDER, provider)]))
            else:
                unknown.append(f"its inputs come from {PROVIDER} {provider.name} ({kind}), which asks a server")
    groups.sort(key=lambda group: group.name)
    if text(dig(obj.spec, "inputStrategy", "name")) == "Permute":
        own = [_InputGroup(obj.name, written)] if written else []
        return _permute_inputs([*own, *groups], unknown)
    return _InputSets((*written, *(input_set for group in groups for input_set in group.sets)), tuple(unknown))


class _InputGroup(NamedTuple):
    """The inputs of one provider, or the ResourceSet's inline inputs."""

    name: str
    sets: Sequence[Inputs]


def _permute_inputs(groups: Sequence[_InputGroup], unknown: Sequence[str]) -> _InputSets:
    """One input set for each combination of one set per provider, with the providers' names as keys
    (internal/inputs/permuter.go)."""
    if unknown:
        return _InputSets((), (*unknown, "its inputs are permuted, so nothing is made without all of them"))
    if math.prod(len(group.sets) for group in groups) > _MOST_PERMUTATIONS:
        return _InputSets((), (f"its inputs have more than {_MOST_PERMUTATIONS:,} permutations",))
    sets = []
    for choice in itertools.product(*(range(len(group.sets)) for group in groups)) if groups else ():
        named = [
            (_template_key(group.name), group.sets[number], number)
            for group, number in zip(groups, choice, strict=True)
        ]
        choice_id = "/".join(f"{name}={number}" for name, _, number in named)
        sets.append({**{name: inputs for name, inputs, _ in named}, "id": str(zlib.adler32(choice_id.encode()))})
    return _InputSets(tuple(sets), ())


def _template_key(name: str) -> str:
    """A provider's name as a key in templates."""
    words = re.sub("[^a-z0-9]", lambda sign: "_" if sign[0] in "-_. " else "", name.lower()).split("_")
    return "_".join(filter(None, words))


def _with_provider(values: Body, kind: str, provider: Object) -> Inputs:
    about = {
        "apiVersion": provider.api_version,
        "kind": kind,
        "name": provider.name,
        "namespace": provider.namespace,
    }
    return {**mapping(as_decoded(dict(values))), "provider": about}


def _selected_providers(obj: Object, source: Body, context: Context) -> list[Object]:
    name = text(source.get("name"))
    if name:
        provider = context.find(obj, PROVIDER, obj.namespace, name)
        return [] if provider is None else [provider]
    wanted = mapping(dig(source, "selector", "matchLabels"))
    if not wanted or mapping(source.get("selector")).get("matchExpressions"):
        return []
    return [
        provider
        for provider in context.nearest(obj, PROVIDER, every_object)
        if provider.namespace == obj.namespace and wanted.items() <= mapping(provider.metadata.get("labels")).items()
    ]


def _describe_source(source: Body) -> str:
    return text(source.get("name")) or "by a selector"


def _render_part(part: Body, place: Place, sets: Sequence[Inputs | None]) -> Iterator[Object]:
    for number, resource in enumerate(sequence(part.get("resources"))):
        at = place.at("resources", number)
        for inputs in sets:
            body = filled_value(resource, inputs or {})
            derivation = Derivation(at.origin, len(at.path), at.made.via if at.made else ())
            yield from _enabled_objects(body, at._replace(made=derivation))
    template = part.get("resourcesTemplate")
    if not isinstance(template, str) or not template.strip():
        return
    at = place.at("resourcesTemplate")
    for inputs in sets:
        reading = read(filled_text(template, inputs or {}).encode("utf-8", "surrogatepass"))
        for failure in reading.failures[:1]:
            raise GoError(f"its result is not YAML: {failure.message}")
        for document in reading.documents:
            # The line of the template that produced a field is unknown.
            derivation = Derivation(Whole(at.real), len(at.path), at.made.via if at.made else ())
            yield from _enabled_objects(document.value, at._replace(made=derivation))


def _enabled_objects(body: object, place: Place) -> Iterator[Object]:
    for obj in objects(body, place):
        if text(dig(obj.metadata, "annotations", _RECONCILE)) != "disabled":
            yield obj


# ResourceSet templates: Go templates with other delimiters and the function `inputs` (Flux Operator,
# internal/builder/resourceset.go).
_ACTION = lazy_pattern(r"<<(.*?)>>", re.DOTALL)
_PART = lazy_pattern(r'("(?:[^"\\]|\\.)*"|`[^`]*`)|(?<![\w.$])inputs(?!\w)')
_BRACES = {"{{": "\ue000", "}}": "\ue001"}
"""Placeholders for literal braces in the text."""


def is_template(written: str) -> bool:
    """Whether a text has template actions."""
    return "<<" in written


def filled_text(written: str, inputs: object) -> str:
    """A template with its inputs filled in. Raises GoError."""
    for braces, sign in _BRACES.items():
        written = written.replace(braces, sign)
    template = _ACTION.sub(lambda match: "{{" + _PART.sub(_inputs_variable, match[1]) + "}}", written)
    result = render_template(template, {"inputs": inputs}, "error")
    if result.error:
        raise GoError(result.error)
    text = result.text
    for braces, sign in _BRACES.items():
        text = text.replace(sign, braces)
    return text


def _inputs_variable(match: re.Match[str]) -> str:
    return match[1] or "$.inputs"


def filled_value(value: object, inputs: object, depth: int = 0) -> object:
    """A resource with its inputs filled in. The operator renders its YAML as text and parses it again, so unquoted
    results may change type. Raises GoError."""
    if depth > 100:
        raise GoError("a resource is nested too deeply")
    if isinstance(value, str):
        return _filled_scalar(value, inputs) if is_template(value) else value
    if isinstance(value, list):
        return [filled_value(item, inputs, depth + 1) for item in value]
    if isinstance(value, dict):
        return {
            filled_text(key, inputs) if is_template(key) else key: filled_value(below, inputs, depth + 1)
            for key, below in value.items()
        }
    return value


def _filled_scalar(written: str, inputs: object) -> object:
    text = filled_text(written, inputs)
    if "\n" in written or _read_unquoted(written) != (written,):
        return text  # written in quotes or as a block
    read_again = _read_unquoted(text)
    if read_again is None:
        raise GoError(f"its result is not YAML: {text[:60]}")
    return read_again[0]


def _read_unquoted(text: str) -> tuple[object] | None:
    """The value that YAML reads from unquoted text, in a tuple; None if it is invalid."""
    reading = read(b"x: " + text.encode("utf-8", "surrogatepass"))
    value = reading.documents[0].value if reading.documents and not reading.failures else None
    return (value["x"],) if isinstance(value, dict) and value.keys() == {"x"} else None
