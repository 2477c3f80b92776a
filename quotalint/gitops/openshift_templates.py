"""Processes OpenShift Templates into objects (`templates: true`).

Source: openshift/library-go, pkg/template/templateprocessing/template.go (Process, stripNamespace,
EvaluateParameterSubstitution) and object.go (visitObjectStrings).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NoReturn

from quotalint.gitops.rendering import Rendering
from quotalint.kube import kinds
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object, objects
from quotalint.text.lazy_patterns import lazy_pattern

_KINDS = (("template.openshift.io", "Template"), ("", "Template"))
_TEXT = lazy_pattern(r"\$\{([a-zA-Z0-9_]+)\}")
_VALUE = lazy_pattern(r"\$\{\{([a-zA-Z0-9_]+)\}\}")
_MOST = 4 * 1024 * 1024  # the most characters substituted in one template; later placeholders stay
_DEPTH = 200  # deeper than any object


def process_templates(rendering: Rendering) -> Rendering:
    """The rendering with its Templates replaced by the objects they create."""
    if not any((obj.group, obj.kind) in _KINDS for obj in rendering.objects):
        return rendering
    return rendering._replace(objects=tuple(_processed_objects(rendering.objects)))


def _processed_objects(objs: Iterable[Object]) -> Iterator[Object]:
    for obj in objs:
        if (obj.group, obj.kind) in _KINDS:
            yield from _objects_of_template(obj)
        else:
            yield obj


def _objects_of_template(template: Object) -> Iterator[Object]:
    substitute = _Substitution(_parameter_values(template.body))
    labels = {
        substitute.substitute_text(key): substitute.substitute_value(value, 0)
        for key, value in mapping(template.body.get("labels")).items()
    }
    for index, written in enumerate(sequence(template.body.get("objects"))):
        value = substitute.substitute_value(_without_namespace(written), 0)
        for obj in objects(_with_labels(value, labels), template.at("objects", index)):
            yield obj._replace(group=_GROUPS[obj.kind]) if not obj.group and obj.kind in _GROUPS else obj


def _parameter_values(body: Body) -> Mapping[str, str]:
    """The values of the parameters. Generated and required parameters have none."""
    values_by_name = {}
    for parameter in map(mapping, sequence(body.get("parameters"))):
        value, required = parameter.get("value"), parameter.get("required") is True
        if isinstance(value, (str, int, float)) and (value != "" or not (required or parameter.get("generate"))):
            values_by_name[text(parameter.get("name"))] = text(value)
    return values_by_name


def _without_namespace(written: object) -> object:
    """The object without a literal namespace; it goes where the template is processed."""
    metadata = mapping(mapping(written).get("metadata"))
    if not metadata.get("namespace") or _TEXT.search(text(metadata["namespace"])):
        return written
    remaining_metadata = {key: value for key, value in metadata.items() if key != "namespace"}
    return {**mapping(written), "metadata": remaining_metadata}


def _with_labels(value: object, labels: Mapping[str, object]) -> object:
    if not labels or not isinstance(value, dict):
        return value
    metadata = mapping(value.get("metadata"))
    return {**value, "metadata": {**metadata, "labels": {**mapping(metadata.get("labels")), **labels}}}


class _Substitution:
    """Substitutes parameters in values, within a limit."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        self._parameters = parameters
        self._left = _MOST

    def substitute_value(self, written: object, depth: int) -> object:
        """A value with all strings in it substituted."""
        if isinstance(written, str):
            return self._substitute_scalar(written)
        if depth > _DEPTH:
            return written
        if isinstance(written, dict):
            return {
                self.substitute_text(key): self.substitute_value(inner, depth + 1) for key, inner in written.items()
            }
        if isinstance(written, list):
            return [self.substitute_value(inner, depth + 1) for inner in written]
        return written

    def substitute_text(self, written: str) -> str:
        """A text with all `${NAME}` replaced."""
        return (
            _TEXT.sub(lambda match: self._parameter_value(match[1], match[0]), written) if "${" in written else written
        )

    def _substitute_scalar(self, written: str) -> object:
        whole = _VALUE.fullmatch(written)
        if whole is None or whole[1] not in self._parameters:
            return self.substitute_text(written)
        import json

        value = self._parameter_value(whole[1], written)
        try:
            return json.loads(value, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            return value

    def _parameter_value(self, name: str, otherwise: str) -> str:
        value = self._parameters.get(name)
        if value is None or len(value) > self._left:
            return otherwise
        self._left -= len(value)
        return value


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_GROUPS = {kind.kind: kind.group for kind in kinds.OPENSHIFT}
"""OpenShift moved kinds from the core group to groups of their own (legacygroupification)."""
