"""The namespaces of a cluster, as far as they are known, and which of them a selector matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import Body, mapping, sequence
from quotalint.kube.label_selectors import NAMESPACE_NAME, selects
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple

_KINDS = (("project.openshift.io", "Project"), ("", "Project"), ("", "Namespace"))


class Namespace(NamedTuple):
    """One namespace; `objects` is empty if objects are in it but none describes it."""

    name: str
    objects: tuple[Object, ...]
    """The applied objects, then those of a snapshot; labels that others added stay."""
    labels: Body
    annotations: Body

    @property
    def is_described(self) -> bool:
        """Whether its labels and annotations are known."""
        return bool(self.objects)


class Namespaces(NamedTuple):
    """All known namespaces."""

    by_name: Mapping[str, Namespace]
    are_shown: bool
    """A snapshot shows the namespaces of the cluster, so there are no others."""
    by_label: Mapping[tuple[str, object], tuple[str, ...]]
    """The names of the namespaces by label and value."""
    unsure: tuple[str, ...]
    """The names of namespaces whose labels are not fully known."""

    def candidates(self, selector: object) -> tuple[Namespace, ...]:
        """The namespaces that a selector may match, found by its first label to avoid testing all."""
        for key, value in mapping(mapping(selector).get("matchLabels")).items():
            if isinstance(value, str) and not is_placeholder(value):
                names = {*self.by_label.get((key, value), ()), *self.unsure}
                return tuple(self.by_name[name] for name in sorted(names))
        return tuple(self.by_name.values())

    def namespace_named(self, name: str) -> Namespace:
        """The namespace of this name; only the name if no object describes it."""
        return self.by_name.get(name) or Namespace(name, (), {NAMESPACE_NAME: name}, {})


def described_namespaces(cluster: Cluster) -> Namespaces:
    """The namespaces that objects describe or are in."""
    described: dict[str, list[Object]] = {}
    live = [obj for obj in cluster.live if (obj.group, obj.kind) in _KINDS]
    for obj in (*(obj for kind in _KINDS for obj in cluster.of(*kind)), *live):
        if obj.name:
            described.setdefault(obj.name, []).append(obj)
    by_name = {
        name: _describe_namespace(name, described.get(name, [])) for name in sorted({*described, *cluster.by_namespace})
    }
    shown = any(obj.foreign for objects in described.values() for obj in objects)
    by_label: dict[tuple[str, object], list[str]] = {}
    for namespace in by_name.values():
        for key, value in namespace.labels.items():
            if isinstance(value, str):
                by_label.setdefault((key, value), []).append(namespace.name)
    unsure = (
        namespace.name
        for namespace in by_name.values()
        if not namespace.objects or any(map(is_placeholder, namespace.labels.values()))
    )
    return Namespaces(by_name, shown, {pair: tuple(names) for pair, names in by_label.items()}, tuple(unsure))


def _describe_namespace(name: str, objects: list[Object]) -> Namespace:
    labels: dict[str, object] = {}
    annotations: dict[str, object] = {}
    for obj in reversed(objects):
        labels |= mapping(obj.metadata.get("labels"))
        annotations |= mapping(obj.metadata.get("annotations"))
    return Namespace(name, tuple(objects), {**labels, NAMESPACE_NAME: name}, annotations)


def matches_labels(selector: object, namespace: Namespace) -> bool | None:
    """Whether a label selector matches a namespace; None if labels that it needs are unknown."""
    return all_hold(_decide_label(key, requirement, namespace) for key, requirement in _split_requirements(selector))


def matches_annotations(wanted: Body, namespace: Namespace) -> bool | None:
    """Whether a namespace has all of these annotations; None if they are unknown."""
    return all_hold(_matches_annotation(key, value, namespace) for key, value in wanted.items())


def all_hold(answers: Iterator[bool | None]) -> bool | None:
    """Whether all answers are true: False if any is False, else None if any is None."""
    unknown = False
    for answer in answers:
        if answer is False:
            return False
        unknown = unknown or answer is None
    return None if unknown else True


def names_in(selector: object) -> frozenset[str] | None:
    """The only namespaces that a selector can match; None unless it selects by name."""
    names_so_far: frozenset[str] | None = None
    for key, requirement in _split_requirements(selector):
        names = (
            frozenset(_required_values(requirement))
            if key == NAMESPACE_NAME and not _has_placeholder(requirement)
            else frozenset()
        )
        if names:
            names_so_far = names if names_so_far is None else names_so_far & names
    return names_so_far


def _required_values(requirement: Body) -> Iterator[str]:
    """The allowed values of the label; empty for operators other than In."""
    values = [*mapping(requirement.get("matchLabels")).values()]
    for expression in map(mapping, sequence(requirement.get("matchExpressions"))):
        values += sequence(expression.get("values")) if expression.get("operator") == "In" else ()
    return (value for value in values if isinstance(value, str))


def _split_requirements(selector: object) -> Iterator[tuple[object, Body]]:
    """Each requirement of a selector, with its label."""
    written = mapping(selector)
    for key, value in mapping(written.get("matchLabels")).items():
        yield key, {"matchLabels": {key: value}}
    for expression in sequence(written.get("matchExpressions")):
        yield mapping(expression).get("key"), {"matchExpressions": [expression]}


def _decide_label(key: object, requirement: Body, namespace: Namespace) -> bool | None:
    is_known = namespace.is_described or key == NAMESPACE_NAME
    label = namespace.labels.get(key) if isinstance(key, str) else None
    if not is_known or is_placeholder(label) or _has_placeholder(requirement):
        return None
    return selects(requirement, namespace.labels)


def _has_placeholder(requirement: Body) -> bool:
    values = [*mapping(requirement.get("matchLabels")).values()]
    for expression in map(mapping, sequence(requirement.get("matchExpressions"))):
        values += sequence(expression.get("values"))
    return any(map(is_placeholder, values))


def _matches_annotation(key: str, value: object, namespace: Namespace) -> bool | None:
    written = namespace.annotations.get(key)
    if not namespace.is_described or is_placeholder(written) or is_placeholder(value):
        return None
    return key in namespace.annotations and written == value
