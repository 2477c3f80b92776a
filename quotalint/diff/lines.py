"""The lines of what changes. Finding all other lines would take longer than everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from quotalint.accounts.quota_table import Consumer, QuotaTable
from quotalint.diff.changes import Changes, QuotaChange
from quotalint.text.place import Place, Span

Locate = Callable[[Iterable[Place]], Mapping[Place, Span]]


def locate_changes(changes: Changes, before: Locate, after: Locate) -> Changes:
    """The changes of quotas with their lines in each state."""
    old = before(
        dict.fromkeys(
            place for change in changes.quotas for place in _quota_places(change.before, _consumers_before(change))
        )
    )
    new = after(
        dict.fromkeys(
            place for change in changes.quotas for place in _quota_places(change.after, _consumers_after(change))
        )
    )
    return changes._replace(quotas=tuple(_locate_quota(change, old, new) for change in changes.quotas))


def _consumers_before(change: QuotaChange) -> Iterable[Consumer | None]:
    return (pair.before for pair in change.consumers)


def _consumers_after(change: QuotaChange) -> Iterable[Consumer | None]:
    return (pair.after for pair in change.consumers)


def _quota_places(table: QuotaTable | None, consumers: Iterable[Consumer | None]) -> Iterable[Place]:
    if table is not None:
        yield table.quota.place
    yield from (consumer.owner.place for consumer in consumers if consumer is not None)


def _locate_quota(change: QuotaChange, old: Mapping[Place, Span], new: Mapping[Place, Span]) -> QuotaChange:
    return change._replace(
        before=change.before and change.before._replace(line=old[change.before.quota.place].line),
        after=change.after and change.after._replace(line=new[change.after.quota.place].line),
        consumers=tuple(
            pair._replace(before=_locate_consumer(pair.before, old), after=_locate_consumer(pair.after, new))
            for pair in change.consumers
        ),
    )


def _locate_consumer(consumer: Consumer | None, spans: Mapping[Place, Span]) -> Consumer | None:
    return consumer and consumer._replace(line=spans[consumer.owner.place].line)
