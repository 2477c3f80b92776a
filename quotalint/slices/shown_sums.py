"""What reports show of quotas beside what is said of them: how much is asked for, by whom, and in which lines all that
begins."""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.deployed import cause_of
from quotalint.facts import Facts
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.quota.headroom import Headroom
from quotalint.quota.quotas import Quota
from quotalint.quota_table import Consumer, QuotaTable, quota_tables, without_lines
from quotalint.slices.kept import ShownLines, ShownOfFiles
from quotalint.text.files import content
from quotalint.text.guards import MAX_BYTES
from quotalint.text.place import Path, Place
from quotalint.text.reading import File, read_all
from quotalint.text.sources import Source
from quotalint.transcript import digest

_MOST_REPLICAS = 200  # of which a page says how a rollout of them goes


def sums_digest(facts: Facts) -> bytes:
    """What stands for all that reports show of the quotas of an environment, but for lines and files."""
    tables = quota_tables((facts,), without_lines, rooms=True)
    return digest(repr(list(map(_shown_table, tables))).encode("utf-8", "surrogatepass"))


def _shown_table(table: QuotaTable) -> object:
    """All of it but the objects, of which a change says something else."""
    quota = table.quota
    about = table.environment, quota.namespaces, quota.namespace, quota.name, quota.object.kind, quota.path
    reasons = [(type(reason).__name__, str(reason), cause_of(reason)) for reason in table.unknowns]
    consumers = [_shown_consumer(consumer, quota) for consumer in table.consumers]
    certainty = table.rejected, table.certainty, reasons, table.guesses, table.unstated
    return about, quota.object.has_assumed_namespace, table.scopes, certainty, table.rows, consumers


def _shown_consumer(consumer: Consumer, quota: Quota) -> object:
    owner = consumer.owner
    amounts = map(_ordered, (consumer.usage, consumer.peak, consumer.step))
    room = None if consumer.room is None else _shown_room(consumer.room, quota)
    return owner.kind, owner.namespace, owner.name, consumer.pods, list(amounts), room


def _shown_room(room: Headroom, quota: Quota) -> object:
    replica = [(charge.number, charge.admitted.as_written) for charge in room.replica]
    limited_by = [(limit.namespace, limit.name, name) for limit, name in room.limited_by]
    amounts = room.steady, room.rolling, room.is_refused, limited_by
    return amounts, replica, _ordered(room.each_of(quota)), room.surges(_MOST_REPLICAS)


def _ordered(amounts: ResourceList) -> list[tuple[str, Quantity]]:
    return sorted(amounts.items())


def shown_lines(tables: Iterable[QuotaTable]) -> ShownLines:
    """The lines in which quotas and those begin who use them."""
    lines: dict[str, dict[tuple[int, Path, int], None]] = {}
    for table in tables:
        places = ((consumer.owner.place, consumer.line) for consumer in table.consumers)
        for place, line in ((table.quota.place, table.line), *places):
            file, document, path, _ = place.real
            lines.setdefault(file, {})[document, path, line] = None
    return {file: tuple(begins) for file, begins in lines.items()}


def is_as_shown(name: str, path: str, shown: ShownOfFiles) -> bool:
    """Whether a file holds as many documents as it did, and all that is shown of it begins in the same lines, as far as
    reports show that."""
    number = shown.documents.get(name)
    if number is not None:
        (file,) = read_all([Source(name, path, explicit=False)], bytes, 1)
        if not isinstance(file, File) or len(file.reading.documents) != number:
            return False
    begins = shown.lines.get(name, ())
    if not begins:
        return True
    from quotalint.text.spans import locate

    data = content(path, MAX_BYTES) or b""
    spans = locate(data, [Place(name, document, way) for document, way, _ in begins])
    return all(spans[Place(name, document, way)].line == line for document, way, line in begins)


def places_digest(objects: Iterable[Object]) -> bytes:
    """What stands for where these objects are written, but for lines."""
    places = [tuple(obj.place.real[:3]) for obj in objects]
    return digest(repr(places).encode("utf-8", "surrogatepass"))
