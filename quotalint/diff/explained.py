"""A finding and what became of it → why: what of the change brought it about, whose pods it refuses, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quotalint.checks.hit import Note
from quotalint.checks.tight.refusal_notes import new_refusals
from quotalint.diff.causes import CHANGES, COMES, Culprit, Versions
from quotalint.diff.changes import Changes, QuotaPairs
from quotalint.diff.edited_lines import Edited
from quotalint.diff.fates import Fates, Lasting
from quotalint.diff.provenance import Provenance, WrittenLine
from quotalint.diff.subjects import Subject, find_subjects
from quotalint.facts import Facts
from quotalint.finding import Cause, Finding, RelatedPlace
from quotalint.kube.objects import Object

NEW, WORSE, STILL, BETTER = "new", "worse", "still", "better"


class RefusedPods(NamedTuple):
    """Pods of a workload that find no room."""

    owner: Object
    refused: int
    new: int
    """How many of its pods the change makes: those that are more than before, or all where each asks for more."""
    kind: str
    """What is refused: Pod, PersistentVolumeClaim, …"""


class Explained(NamedTuple):
    """A finding that the change has to do with."""

    finding: Finding
    """At the line that the change wrote, where there is one."""
    verdict: str
    was: Finding | None
    """As it was, where it was there before."""
    subjects: tuple[Subject, ...]
    """The entry of a quota that it is about, in each environment."""
    culprits: tuple[Culprit, ...]
    """What of the change moved it, the most first."""
    refused: tuple[RefusedPods, ...]


def explain_findings(found: Changes, edited: Edited, trace: Provenance) -> tuple[Explained, ...]:
    """Every finding that the change brings, makes worse or leaves, with its cause."""
    fates = found.findings
    worse = {id(one.finding): one.was for one in fates.worse}
    seen = _Explainer(found.pairs, edited, trace)
    told = [(one, WORSE if id(one) in worse else NEW, worse.get(id(one))) for one in fates.new]
    told += [(one.finding, STILL, one.was) for one in fates.still]
    told += [(one, BETTER, None) for one in fates.better]
    return tuple(seen.explain(*one) for one in told)


def with_causes(found: Changes, told: Sequence[Explained]) -> Changes:
    """The changes with findings that stand where the change brought them about."""
    fates = found.findings
    by_verdict: dict[str, list[Explained]] = {}
    for one in told:
        by_verdict.setdefault(one.verdict, []).append(one)
    worse, still = (by_verdict.get(one, []) for one in (WORSE, STILL))
    moved = Fates(
        new=tuple(one.finding for one in told if one.verdict in (NEW, WORSE)),
        worse=tuple(Lasting(one.finding, one.was) for one in worse if one.was is not None),
        still=tuple(Lasting(one.finding, one.was) for one in still if one.was is not None),
        better=tuple(one.finding for one in by_verdict.get(BETTER, ())),
        fixed=fates.fixed,
        outdone=fates.outdone,
        unknown=fates.unknown,
        silenced=fates.silenced,
        unchanged=fates.unchanged,
    )
    return found._replace(findings=moved)


class _Explainer:
    """Both states, to explain findings by; a class because it looks up the objects of each environment but once."""

    def __init__(self, pairs: Sequence[QuotaPairs], edited: Edited, trace: Provenance) -> None:
        self._pairs, self._edited, self._trace = pairs, edited, trace
        self._versions: dict[str, Versions] = {}

    def explain(self, one: Finding, verdict: str, was: Finding | None) -> Explained:
        about = tuple(find_subjects(one, self._pairs))
        if about:
            culprits = tuple(culprit for each in about for culprit in self._of_entry(each))
        else:
            culprits = tuple(self._of_object(one))
        refused = tuple(each for subject in about[:1] for each in _refused_workloads(one, subject))
        return Explained(self._placed(one, culprits, bool(about)), verdict, was, about, culprits, refused)

    def _of_entry(self, about: Subject) -> Iterator[Culprit]:
        """Who moved the sum of an entry against what is allowed of it, the most first."""
        versions = self._of(about.before, about.after)
        quota = versions.of_quota(about.old, about.new, about.resource)
        moves = about.moves
        growing = [one for one in moves if one.more > 0]
        comes = quota is not None and (quota.hard is None or quota.hard[0] is None)
        if quota is not None and (comes or about.lowered > sum(one.more for one in growing) or not growing):
            yield quota
            quota = None
        for one in growing or (moves if quota is None else ()):
            yield from versions.of_move(one, about.resource)
        if quota is not None and about.lowered > 0:
            yield quota

    def _of_object(self, one: Finding) -> Iterator[Culprit]:
        """What the change did to the object of a finding, to what it names, or to what decides for its namespace."""
        for pair in self._pairs:
            facts = pair.new_facts
            if facts is None or (one.environments and facts.environment not in one.environments):
                continue
            versions = self._of(pair.old_facts, facts)
            mine = versions.of_object(one.object) if one.object is not None else None
            if mine is not None:
                yield mine
            elif one.namespace or one.object is not None:
                yield from versions.deciding(one.namespace)
            return

    def _of(self, before: Facts | None, after: Facts) -> Versions:
        if after.environment not in self._versions:
            self._versions[after.environment] = Versions(before, after, self._trace)
        return self._versions[after.environment]

    def _placed(self, one: Finding, culprits: Sequence[Culprit], of_entry: bool) -> Finding:
        """The finding at the line that brought it about; its own, where the change wrote that."""
        main = next((each for each in culprits if each.line is not None), None)
        first = culprits[0] if culprits else None
        mine = one.span.line in self._edited.lines(one.file)
        if main is None and not mine:
            main, line = None, self._related(one)
        else:
            line = main.line if main is not None else None
        keeps = mine and (not of_entry or one.rule.counts != "settled" or line is None or _is_at(line, one))
        cause = _finding_cause(main or first, one if keeps else None, line)
        if keeps or line is None:
            note = () if mine or keeps else (Note("cause", _elsewhere_words(first, self._edited.is_written)),)
            return one._replace(cause=cause, notes=(*one.notes, *note))
        where = RelatedPlace(
            "limited by" if one.rule.counts == "settled" else "found at", one.file, one.span, _own_place(one)
        )
        more = [
            RelatedPlace("also", each.line.file, each.line.span, f"{each.object.kind} {each.object.name}")
            for each in culprits
            if each.line is not None and each.line != line
        ]
        related = (where, *dict.fromkeys(more), *one.related)
        return one._replace(cause=cause, file=line.file, span=line.span, related=related)

    def _related(self, one: Finding) -> WrittenLine | None:
        """The first place of a finding that the change wrote."""
        for each in one.related:
            if each.span.line in self._edited.lines(each.file):
                return WrittenLine(each.file, each.span)
        return None


def _is_at(line: WrittenLine, one: Finding) -> bool:
    return (line.file, line.span.line) == (one.file, one.span.line)


def _own_place(one: Finding) -> str:
    """What stands where a finding would be but for its cause."""
    if "quota" in one.values and "resource" in one.values and "hard" in one.values:
        return f"quota {one.values['quota']}: {one.values['resource']} {one.values['hard']}"
    obj = one.object
    return f"{obj.kind} {obj.name}" if obj is not None else one.message


def _finding_cause(culprit: Culprit | None, own: Finding | None, line: WrittenLine | None) -> Cause | None:
    if culprit is None:
        return None
    how = culprit.field_words if culprit.how == CHANGES else (_HOW[culprit.how],)
    subject = f"{culprit.object.kind} {culprit.object.name}"
    if own is not None:
        return Cause(subject, how, own.file, own.span.line)
    return Cause(subject, how, line.file if line else "", line.span.line if line else 0)


_HOW = {COMES: "is new", "goes": "is gone"}


def _elsewhere_words(culprit: Culprit | None, is_written: bool) -> str:
    """Why no line of the change can be shown; of a wish nobody expects one."""
    if culprit is None:
        return "no single line of this change says so; what it adds up to does"
    how = ", ".join(culprit.field_words) if culprit.how == CHANGES else _HOW[culprit.how]
    where = culprit.object.place.real.source
    unsaid = "; no line of this change says so" if is_written else ""
    return f"{culprit.object.kind} {culprit.object.name} of {where}: {how}{unsaid}"


def _refused_workloads(one: Finding, about: Subject) -> Iterator[RefusedPods]:
    """Whose pods the entry refuses, together for each workload."""
    if one.rule.counts != "settled" or about.new.shares is not None or about.after.rejected(about.new):
        return
    before = about.after.admissions.asked_before or {}
    for refusal in about.after.admissions.refusals_of(about.new, about.resource):
        demand = refusal.charge.admitted.demand
        refused = new_refusals(refusal, about.after)
        if demand.owner is not None and refused:
            yield RefusedPods(
                demand.owner, refused, demand.number - before.get(refusal.charge.identity, 0), demand.kind
            )
