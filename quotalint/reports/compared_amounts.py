"""The amounts of an entry before and after a change: needed, allowed, and when."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.diff.explained import Explained
from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.reports.diff_cells import in_one_unit
from quotalint.reports.marks import mark_strong
from quotalint.text.words import join_with_and


class AmountsRow(NamedTuple):
    """An entry of a quota as a row: what is needed and what the quota allows, each before and after."""

    resource: str
    before: Quantity | None
    after: Quantity | None
    old_hard: Quantity | None
    new_hard: Quantity | None

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """All of them in one unit."""
        before, after, old, new = in_one_unit(self.resource, self[1:])
        return before, after, old, new

    @property
    def percent(self) -> int | None:
        """The needed share of the allowed amount, now."""
        if self.after is None or self.new_hard is None or self.new_hard.nano <= 0:
            return None
        return quantity.percent(self.after, self.new_hard)

    @property
    def short(self) -> int:
        """How far the needed amount exceeds the allowed one, in 10^-9 units."""
        return self.after.nano - self.new_hard.nano if self.after is not None and self.new_hard is not None else 0

    @property
    def is_as_before(self) -> bool:
        """Whether nothing is shown of what it was before."""
        before, after, old, new = self.texts
        return before in ("", after) and old in ("", new)

    @property
    def is_over(self) -> bool:
        """Whether more is needed now than is allowed."""
        return self.after is not None and self.new_hard is not None and self.after.nano > self.new_hard.nano

    @property
    def words(self) -> str:
        """`limits.memory 14Gi → 30Gi of 24Gi`."""
        before, after, old, new = self.texts
        used = after if before == after or not before else f"{before} → {after}"
        allowed = new if old == new or not old else f"{old} → {new}"
        return f"{self.resource} {used} of {allowed}" if allowed else f"{self.resource} {used}"


def amounts_of(explained: Explained) -> AmountsRow:
    """The amounts that the finding compares, before the change and after it."""
    about = explained.subjects[0]
    now, was = about.now, about.was
    sums: list[Quantity | None] = []
    for state in (was, now):
        if state is None:
            sums.append(None)
            continue
        total, of = 0, quantity.ZERO.format
        for entry in state.entries:
            part = entry.amounts.of(about.scenario_of(entry))
            total, of = total + part.nano, part.format if part.nano else of
        sums.append(Quantity(total, of))
    hards = [quota.hard.get(about.resource) if quota is not None else None for quota in (about.old, about.new)]
    return AmountsRow(about.resource, sums[0], sums[1], hards[0], hards[1])


AT_REST = "at rest"


def amounts_words(rows: Sequence[tuple[AmountsRow, str]]) -> str:
    """The compared amounts, each with its moment. Without it, an amount would be taken for the one at rest."""
    return join_with_and([f"{mark_strong(row.words)}{in_moment(moment)}" for row, moment in rows])


def in_moment(moment: str) -> str:
    """The words after an amount for the moment when it is needed; empty for none."""
    return f" {moment}" if moment else ""
