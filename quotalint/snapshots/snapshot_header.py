"""The header of a snapshot written by `quotalint snapshot`: its cluster, and what was not read."""

from __future__ import annotations

from quotalint.kube.fields import mapping, sequence, strings, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import Reading

SNAPSHOT_VERSION = "quotalint.dev/v1"
_GROUP, _KIND = "quotalint.dev", "Snapshot"


class Unread(NamedTuple):
    """A kind that could not be read."""

    resource: str
    """As the API server lists it: `jobs.batch`."""
    reason: str
    namespace: str = ""
    """The namespace in which it could not be read; empty: in none."""


class About(NamedTuple):
    """The header of a snapshot."""

    cluster: str = ""
    """The cluster's name, such as that of its context; empty if unknown."""
    environment: str = ""
    namespaces: tuple[str, ...] = ()
    """The namespaces that were read; empty: all."""
    taken: str = ""
    """RFC 3339; empty if unknown."""
    read: tuple[str, ...] = ()
    """The kinds that were read; empty if unknown."""
    unread: tuple[Unread, ...] = ()


def is_header(obj: Object) -> bool:
    """Whether an object is a snapshot's header."""
    return obj.group == _GROUP and obj.kind == _KIND


def is_snapshot(reading: Reading) -> bool:
    """Whether a file was written by `quotalint snapshot`."""
    value = reading.documents[0].value if len(reading.documents) == 1 else None
    items = value.get("items") if isinstance(value, dict) and value.get("kind") == "List" else None
    first = mapping(items[0]) if isinstance(items, list) and items else None
    return first is not None and first.get("kind") == _KIND and first.get("apiVersion") == SNAPSHOT_VERSION


def about_of(obj: Object) -> About:
    """The header of a snapshot, from its first item."""
    spec = obj.spec
    unread = (
        Unread(text(entry.get("resource")), text(entry.get("reason")), text(entry.get("namespace")))
        for entry in map(mapping, sequence(spec.get("unread")))
    )
    return About(
        cluster=obj.name,
        environment=text(spec.get("environment")),
        namespaces=strings(spec.get("namespaces")),
        taken=text(spec.get("taken")),
        read=strings(spec.get("read")),
        unread=tuple(unread_resource for unread_resource in unread if unread_resource.resource),
    )
