"""Objects that no quota in view counts and that decide nothing about others, so that their change affects no quota."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping

from quotalint.accounts.facts import Facts
from quotalint.deployed import is_deployer
from quotalint.evaluators import EVALUATORS
from quotalint.kube.fields import mapping, text, texts_below
from quotalint.kube.kinds import DEPLOYING, by_kind, declares_namespace, limits_namespace
from quotalint.kube.objects import Object, objects
from quotalint.text.place import Place
from quotalint.text.reading import File
from quotalint.text.tree import KUSTOMIZATION_NAMES
from quotalint.workloads import CONTROLLERS
from quotalint.workloads.operators import unknown_pods

_DECIDING = frozenset(
    {
        ("", "ConfigMap"),  # values and variables
        ("", "PodTemplate"),
        ("", "Secret"),
        ("node.k8s.io", "RuntimeClass"),
        ("scheduling.k8s.io", "PriorityClass"),
        ("storage.k8s.io", "StorageClass"),
    }
)
"""Kinds that use nothing themselves but decide on the use or the quota of others."""
_POLICIES = ("admissionregistration.k8s.io", "kyverno.io", "policies.kyverno.io", "mutations.gatekeeper.sh")
"""Groups whose objects change or refuse others."""


class InertObjects:
    """Finds inert files; it keeps the names of all quota entries, and the files."""

    def __init__(self, environments: Iterable[Facts], files: Mapping[str, File]) -> None:
        self._files = files
        self._counted = frozenset(_counted_names(environments, files.values()))

    def holds(self, name: str, document: int | None = None) -> bool:
        """Whether all objects of a file, or of one of its documents, are inert. A Kustomization is inert if all files
        that it names or that lie below it are."""
        return self._is_inert(name, document, set())

    def _is_inert(self, name: str, document: int | None, seen: set[str]) -> bool:
        if name in seen:
            return True
        seen.add(name)
        file = self._files.get(name)
        if file is None or file.reading.failures:
            return False
        if posixpath.basename(name) in KUSTOMIZATION_NAMES:
            return all(self._is_inert(other, None, seen) for other in self._reached(file))
        found = [of for of in file.reading.documents if document is None or of.index == document]
        listed = [list(objects(of.value, Place(name, of.index))) for of in found]
        return all(several and all(map(self._is_inert_object, several)) for several in listed)

    def _reached(self, kustomization: File) -> Iterator[str]:
        """The files that it names or that lie below it; an empty name for a remote one."""
        folder = posixpath.dirname(kustomization.source.name)
        for document in kustomization.reading.documents:
            for _, written in texts_below(document.value):
                if "://" in written or "?ref=" in written:
                    yield ""
                path = posixpath.normpath(posixpath.join(folder, written))
                if path in self._files:
                    yield path
                elif ".." in written:
                    yield from (name for name in self._files if name.startswith(f"{path}/"))
        yield from (name for name in self._files if name.startswith(f"{folder}/" if folder else ""))

    def _is_inert_object(self, obj: Object) -> bool:
        kind = (obj.group, obj.kind)
        if kind in CONTROLLERS or kind in EVALUATORS or kind in _DECIDING or obj.group in _POLICIES:
            return False
        if declares_namespace(obj) or limits_namespace(obj) or is_deployer(obj) or obj.kind in DEPLOYING:
            return False
        if unknown_pods(obj) or _holds_manifest(obj.body):
            return False
        known = by_kind(*kind)
        if known is not None:
            name = f"{known.plural}.{known.group}" if known.group else known.plural
            return not known.namespaced or self._counted.isdisjoint((name, f"count/{name}"))
        return not any(name.endswith(f".{obj.group}") for name in self._counted)


def _counted_names(environments: Iterable[Facts], files: Iterable[File]) -> Iterator[str]:
    """The resource names of all quotas, also of those that nothing deploys."""
    for facts in environments:
        for quota in facts.quotas:
            yield from quota.hard
    for file in files:
        if file.limiting:
            for document in file.reading.documents:
                hard = mapping(mapping(mapping(document.value).get("spec")).get("hard"))
                yield from (text(name) for name in hard)


def _holds_manifest(body: Mapping[str, object]) -> bool:
    """Whether the value contains another manifest."""
    waiting: list[object] = list(body.values())
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if "apiVersion" in value and "kind" in value:
                return True
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return False
