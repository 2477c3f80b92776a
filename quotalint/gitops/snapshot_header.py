"""What a snapshot says of itself where `quotalint snapshot` wrote it: of which cluster it is, and what was not read."""

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
    """Where it could not be read; empty: nowhere."""


class About(NamedTuple):
    """What a snapshot is of."""

    cluster: str = ""
    """What tells the cluster from others, such as the name of its context; empty where nothing says."""
    environment: str = ""
    namespaces: tuple[str, ...] = ()
    """The only ones that were read; none: all of them."""
    taken: str = ""
    """RFC 3339; empty where nothing says."""
    read: tuple[str, ...] = ()
    """The kinds; none where nobody knows which were asked for."""
    unread: tuple[Unread, ...] = ()


def is_header(obj: Object) -> bool:
    """Whether an object is what a snapshot says of itself."""
    return obj.group == _GROUP and obj.kind == _KIND


def is_snapshot(reading: Reading) -> bool:
    """Whether a file is one that `quotalint snapshot` wrote."""
    value = reading.documents[0].value if len(reading.documents) == 1 else None
    items = value.get("items") if isinstance(value, dict) and value.get("kind") == "List" else None
    first = mapping(items[0]) if isinstance(items, list) and items else None
    return first is not None and first.get("kind") == _KIND and first.get("apiVersion") == SNAPSHOT_VERSION


def about_of(obj: Object) -> About:
    """What the first item of a snapshot says."""
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
