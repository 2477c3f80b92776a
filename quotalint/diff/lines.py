"""Where what changes is written. To find the lines of everything else would take longer than all the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from quotalint.diff.changes import Changes, QuotaChange
from quotalint.reports.quota_table import Consumer, QuotaTable
from quotalint.text.place import Place, Span

Locate = Callable[[Iterable[Place]], Mapping[Place, Span]]


def without_lines(places: Iterable[Place]) -> Mapping[Place, Span]:
    """Stands for the lines until it is known which are needed."""
    return dict.fromkeys(places, Span(1, 1, 1, 1))


def locate_changes(found: Changes, before: Locate, after: Locate) -> Changes:
    """The changes of quotas with the lines that they are about, in each state."""
    old = before(
        dict.fromkeys(place for one in found.quotas for place in _quota_places(one.before, _consumers_before(one)))
    )
    new = after(
        dict.fromkeys(place for one in found.quotas for place in _quota_places(one.after, _consumers_after(one)))
    )
    return found._replace(quotas=tuple(_locate_quota(one, old, new) for one in found.quotas))


def _consumers_before(one: QuotaChange) -> Iterable[Consumer | None]:
    return (pair.before for pair in one.consumers)


def _consumers_after(one: QuotaChange) -> Iterable[Consumer | None]:
    return (pair.after for pair in one.consumers)


def _quota_places(table: QuotaTable | None, consumers: Iterable[Consumer | None]) -> Iterable[Place]:
    if table is not None:
        yield table.quota.place
    yield from (one.owner.place for one in consumers if one is not None)


def _locate_quota(one: QuotaChange, old: Mapping[Place, Span], new: Mapping[Place, Span]) -> QuotaChange:
    return one._replace(
        before=one.before and one.before._replace(line=old[one.before.quota.place].line),
        after=one.after and one.after._replace(line=new[one.after.quota.place].line),
        consumers=tuple(
            pair._replace(before=_locate_consumer(pair.before, old), after=_locate_consumer(pair.after, new))
            for pair in one.consumers
        ),
    )


def _locate_consumer(one: Consumer | None, spans: Mapping[Place, Span]) -> Consumer | None:
    return one and one._replace(line=spans[one.owner.place].line)
