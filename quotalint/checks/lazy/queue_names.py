"""Checks of names in Kueue's objects that nothing in view defines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from functools import partial
from itertools import chain

from quotalint.accounts.facts import Facts
from quotalint.checks.folder_namespaces import written_objects
from quotalint.checks.hit import Hit
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import text
from quotalint.kube.kinds import KUEUE, QUEUE_KINDS
from quotalint.kube.objects import Object
from quotalint.kube.queue_names import QUEUE_NAME, labels_path, stated_queue
from quotalint.kube.spelling import most_similar
from quotalint.kueue.queues import QueueNode, Queues, cluster_queue_name, queues_of
from quotalint.runtime.recall import recalled_each
from quotalint.text.place import Path

_OF_OPEN_DATA_HUB = frozenset({"default", "default-flavor", "nvidia-gpu-flavor", "amd-gpu-flavor"})
"""What the operators of Open Data Hub and OpenShift AI make (opendatahub-operator,
internal/controller/components/kueue/kueue_support.go)."""
_DEFINED = frozenset(kind for _, kind in QUEUE_KINDS)


def undefined_names(facts: Facts) -> Iterator[Hit]:
    """Queues, cohorts and flavors that are named and not defined, where such are defined."""
    queues = queues_of(facts.cluster)
    written = _written_names(facts)
    # What is not rendered may define anything that several namespaces share.
    if not facts.unseen:
        yield from _undefined_shared(queues, written)
    yield from _unknown_local_queues(facts, queues)


def _undefined_shared(queues: Queues, written: dict[str, Set[str]]) -> Iterator[Hit]:
    for local in queues.local_queues.values():
        yield from _undefined(local, ("spec", "clusterQueue"), cluster_queue_name(local), "ClusterQueue", written)
    nodes = (*queues.cluster_queues.values(), *queues.cohorts.values())
    shared = Counter(node.parent for node in nodes)
    for node in nodes:
        # A cohort needs no object; what several queues name is meant as it is.
        if node.object is not None and node.parent and shared[node.parent] == 1:
            yield from _undefined(node.object, node.parent_path, node.parent, "Cohort", written)
        yield from _undefined_flavors(node, written)


def _undefined_flavors(node: QueueNode, written: dict[str, Set[str]]) -> Iterator[Hit]:
    for group in node.groups:
        for index, name in enumerate(group.flavors):
            if node.object is not None:
                path = (*group.path, "flavors", index, "name")
                yield from _undefined(node.object, path, name, "ResourceFlavor", written)


def _unknown_local_queues(facts: Facts, queues: Queues) -> Iterator[Hit]:
    """Workloads whose LocalQueue is not in their namespace, where LocalQueues and ClusterQueues are."""
    names_in: dict[str, set[str]] = {}
    for namespace, name in queues.local_queues:
        names_in.setdefault(namespace, set()).add(name)
    everywhere = set(chain.from_iterable(names_in.values()))
    for namespace, members in facts.cluster.by_namespace.items():
        own = names_in.get(namespace, set())
        for obj in members:
            name = stated_queue(obj)
            # Without a LocalQueue in the namespace, or without ClusterQueues, its queues may be made elsewhere.
            is_elsewhere = obj.homeless or obj.has_assumed_namespace
            is_complete = bool(own) and bool(queues.cluster_queues)
            if name and name not in own and not is_elsewhere and (is_complete or name in everywhere):
                elsewhere = sorted(other for other, named in names_in.items() if name in named)
                path = (*labels_path(obj), QUEUE_NAME)
                yield from _hit(obj, path, name, "LocalQueue", own, elsewhere)


def _undefined(obj: Object, path: Path, name: str, kind: str, written: dict[str, Set[str]]) -> Iterator[Hit]:
    defined = written[kind]
    if name and defined and name not in defined and name not in _OF_OPEN_DATA_HUB:
        yield from _hit(obj, path, name, kind, defined)


def _hit(
    obj: Object, path: Path, name: str, kind: str, defined: Iterable[str], elsewhere: Iterable[str] = ()
) -> Iterator[Hit]:
    if obj.foreign or is_placeholder(name):
        return
    suggestion = most_similar(name, defined) or ""
    values = {
        "kind": obj.kind,
        "name": obj.name or text(obj.metadata.get("generateName")),
        "missing": f"{kind} {name}",
        "in_namespace": f" in namespace {obj.namespace}" if kind == "LocalQueue" else "",
        "suggestion": suggestion,
        "namespaces": ", ".join(elsewhere),
    }
    variant = "elsewhere" if values["namespaces"] else "suggested" if suggestion else "default"
    yield Hit(obj.at(*path), values, obj, field_path(path, keyed=("labels",)), variant, guesses=obj.guesses)


def _written_names(facts: Facts) -> dict[str, Set[str]]:
    """The names by kind, in this cluster or any file: another environment may apply a file."""
    names: dict[str, set[str]] = {kind: {obj.name for obj in facts.cluster.of(KUEUE, kind)} for kind in _DEFINED}
    in_files = recalled_each("queues written", facts.repository.files, (), partial(written_objects, _DEFINED))
    for obj in chain.from_iterable(filter(None, in_files)):
        if obj.group == KUEUE and obj.kind in names:
            names[obj.kind].add(obj.name)
    return {kind: frozenset(found) for kind, found in names.items()}
