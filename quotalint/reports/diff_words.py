"""A change in sentences: what broke, because of what, what will happen, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from quotalint.catalogue import filled_text
from quotalint.diff.causes import CHANGES, COMES, GOES, Culprit
from quotalint.diff.explained import STILL, Explained, Refused
from quotalint.diff.field_changes import FieldChange
from quotalint.diff.relevance import field_words
from quotalint.diff.repairs import Repair
from quotalint.finding import Finding
from quotalint.kube import quantity
from quotalint.kube.amounts import amount
from quotalint.kube.quantity import Quantity
from quotalint.reports.marks import mark_name, mark_place, mark_strong
from quotalint.reports.people_units import in_one_unit, in_people_units
from quotalint.reports.terminal import count_noun

_CULPRITS = 3  # that are named; the rest is counted
_FIELDS = 2  # of one object
_ENVIRONMENTS = 3


BESIDE = "beside"
"""The variant of a rule's headline that goes on with another entry of the same quota."""


def finding_headline(one: Finding, where: str, verdict: str) -> str:
    """A finding in a few words, with its names marked."""
    values = {key: _people_values(one, key, value) for key, value in one.values.items()}
    values["namespace"] = values["where"] = where
    for key in ("name", "meant"):
        if key in values:
            values[key] = mark_name(values[key])
    variant = "still" if verdict == STILL and "still" in one.rule.headline else one.variant
    return filled_text(one.rule.headline, variant, values)


def second_headline(one: Finding) -> str:
    """What the sentence goes on with: `4Gi short of limits.memory`."""
    return filled_text(
        one.rule.headline, BESIDE, {key: _people_values(one, key, value) for key, value in one.values.items()}
    )


def where_words(namespace: str, environments: Sequence[str]) -> str:
    """`shop`, `shop in prod`, `edge in 12 environments`."""
    within = ""
    if environments and tuple(environments) != (namespace,):
        few = len(environments) <= _ENVIRONMENTS
        within = f" in {', '.join(environments) if few else f'{len(environments)} environments'}"
    return mark_name(namespace) + within


def cause_words(told: Iterable[Explained]) -> str:
    """What of the change moved the sum: `because web goes from 4 to 12 replicas (web.yaml:7)`; else empty."""
    culprits = [each for one in told for each in one.culprits]
    said: dict[str, list[Culprit]] = {}
    for one in culprits:
        said.setdefault(culprit_words(one), []).append(one)
    shown = [_with_places(text, several) for text, several in list(said.items())[:_CULPRITS]]
    more = [f"{len(said) - _CULPRITS} more"] if len(said) > _CULPRITS else []
    return "because " + join_with_and([*shown, *more]) if shown else ""


def _with_places(text: str, several: Sequence[Culprit]) -> str:
    lines = dict.fromkeys((one.line.file, one.line.span.line) for one in several if one.line is not None)
    if not lines:
        gone = next((one.object.place.real.source for one in several if one.how == GOES), "")
        return f"{text} ({mark_name(gone)})" if gone else f"{text} (on no line of this change)"
    more = f" and {count_noun(len(lines) - 1, 'more place')}" if len(lines) > 1 else ""
    return f"{text} ({mark_place(*next(iter(lines)))}{more})"


def culprit_words(one: Culprit) -> str:
    """What the change did to an object."""
    if one.hard is not None:
        return _quota_move(one)
    if one.how == COMES:
        return f"{one.object.kind} {mark_name(one.object.name)} is new"
    if one.how != CHANGES:
        return f"{one.object.kind} {mark_name(one.object.name)} is gone"
    kind = "" if one.move is not None and one.object.kind != "LimitRange" else f"{one.object.kind} "
    subject = f"{kind}{mark_name(one.object.name)}"
    said = [_field_move(field, subject if at == 0 else "its") for at, field in enumerate(one.fields[:_FIELDS])]
    return " and ".join(said) if said else f"{subject} changes"


def _field_move(field: FieldChange, subject: str) -> str:
    name, old, new = field_words(field), field.old, field.new
    if name in ("replicas", "parallelism") and isinstance(new, int) and subject != "its":
        what = count_noun(new, "replica") if name == "replicas" else f"{count_noun(new, 'pod')} at once"
        return f"{subject} goes from {_value_words(old, name, 1)} to {what}"
    old_text, new_text = _value_words(old, name), _value_words(new, name)
    of = f"its {name}" if subject == "its" else f"{name} of {subject}"
    if not old_text:
        return f"{of} is set to {new_text}"
    return f"{of} goes from {old_text} to {new_text}" if new_text else f"{of} is not set any more"


def _quota_move(one: Culprit) -> str:
    """What the change did to an entry of a quota."""
    assert one.hard is not None
    resource = str(one.fields[0].path[-1])
    old, new = in_one_unit(resource, list(one.hard))
    quota = f"quota {mark_name(one.object.name)}"
    if not new:
        return f"{quota} no longer limits {resource}"
    if one.how == COMES:
        return f"{quota} is new and allows {resource} {new}"
    return f"{quota} allows {resource} {new}" + (f" instead of {old}" if old else ", which it did not limit before")


def _value_words(value: object, name: str, default: object = "") -> str:
    if value is None:
        return str(default)
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else f"another {name}"


def refused_words(refused: Sequence[Refused]) -> Iterator[str]:
    """Which pods will not start."""
    for one in refused[:_CULPRITS]:
        name = mark_name(one.owner.name)
        if one.kind == one.owner.kind:
            yield f"{one.owner.kind} {name} will be refused."
            continue
        what, do = ("pod", "start") if one.kind == "Pod" else (one.kind, "be created")
        of = f"of {name} "
        if one.refused >= one.new:
            alone = one.new == 1
            yield f"The new {what} {of}will not {do}." if alone else f"None of the {one.new} new {what}s {of}will {do}."
        else:
            yield f"{one.refused} of the {one.new} new {what}s {of}will not {do}."
    if len(refused) > _CULPRITS:
        yield f"Neither will some of {count_noun(len(refused) - _CULPRITS, 'more workload')}."
    if any(one.kind == "Pod" for one in refused):
        yield "Running pods are not touched."


def consequence_sentences(told: Iterable[Explained]) -> Iterator[str]:
    """What will happen, in whole sentences."""
    for one in told:
        if one.finding.severity == "info":
            continue
        if one.refused:
            yield from refused_words(one.refused)
        elif one.finding.rule.counts == "settled":
            notes = (note.text for note in one.finding.notes_for_people if note.label == "so")
            yield from (f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in notes)
        elif one.finding.rule.consequence:
            yield filled_text(one.finding.rule.consequence, one.finding.variant, one.finding.values)


def repair_words(repairs: Sequence[Repair]) -> str:
    """`Do one of: replicas: 9 in web.yaml:7 · limits.memory: 30Gi in quota.yaml:10`; empty where there is none."""
    said = [_repair_phrase(one) for one in repairs]
    if not said:
        return ""
    return f"{mark_strong('Do one of:' if len(said) > 1 else 'To repair:')} {' · '.join(said)}"


def _repair_phrase(one: Repair) -> str:
    what = join_with_and([mark_name(text) for text in one.words])
    if not one.line:
        return what
    of = f"each of {one.objects} quotas, the first at " if one.objects > 1 else ""
    return f"{what} in {of}{mark_place(one.file, one.line)}"


class Amounts(NamedTuple):
    """An entry of a quota as a row: what is asked for before and after, of what, each before and after."""

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
        """How much of what is allowed is asked for now."""
        if self.after is None or self.new_hard is None or self.new_hard.nano <= 0:
            return None
        return quantity.percent(self.after, self.new_hard)

    @property
    def words(self) -> str:
        """`limits.memory 14Gi → 30Gi of 24Gi`."""
        before, after, old, new = self.texts
        used = after if before == after or not before else f"{before} → {after}"
        allowed = new if old == new or not old else f"{old} → {new}"
        return f"{self.resource} {used} of {allowed}" if allowed else f"{self.resource} {used}"


def amounts_of(one: Explained) -> Amounts:
    """What the finding compares, before the change and after it."""
    about = one.subjects[0]
    now, was = about.now, about.was
    owner = one.finding.values.get("kind", ""), one.finding.values.get("name", "")
    sums: list[Quantity | None] = []
    for each in (was, now):
        if each is None:
            sums.append(None)
            continue
        total, of = 0, quantity.ZERO.format
        for entry in each.entries:
            found = entry.charge.admitted.demand.owner
            mine = about.number == "steady" or (found is not None and (found.kind, found.name) == owner)
            mine = mine or not one.finding.values.get("name")
            part = getattr(entry.amounts, about.number if mine else "steady")
            total, of = total + part.nano, part.format if part.nano else of
        sums.append(Quantity(total, of))
    hards = [one.hard.get(about.resource) if one is not None else None for one in (about.old, about.new)]
    return Amounts(about.resource, sums[0], sums[1], hards[0], hards[1])


def _people_values(one: Finding, key: str, value: str) -> str:
    """An amount among the values of a message in the units of people."""
    resource = one.values.get("resource", "")
    if key in ("short", "free", "used", "hard") and resource:
        parsed = amount(value)
        return in_people_units(resource, parsed) if isinstance(parsed, Quantity) else value
    return value


def join_with_and(items: Sequence[str]) -> str:
    """`a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
