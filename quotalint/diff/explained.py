"""A finding of a change → its causes, its line, and the pods that are refused."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from functools import partial

from quotalint.accounts.facts import Facts
from quotalint.checks.exceeded.refusal_notes import contested_growth, depends_on_earlier, new_number, new_refusals
from quotalint.checks.hit import Note
from quotalint.diff.attribution import CHANGES, COMES, Culprit, Versions
from quotalint.diff.change_provenance import Provenance, WrittenLine
from quotalint.diff.changes import Changes, QuotaPairs
from quotalint.diff.edited_lines import WrittenLines
from quotalint.diff.finding_changes import Lasting
from quotalint.diff.finding_subjects import Subject, find_subjects
from quotalint.diff.relevance import is_idle, is_weighty
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.results.finding import FOUND_AT, ChangeCause, Finding, RelatedPlace, shown_others

NEW, WORSE, STILL, BETTER = "new", "worse", "still", "better"


class RefusedPods(NamedTuple):
    """Pods of a workload that are refused."""

    owners: tuple[Object, ...]
    """One workload; or several, if the order of their pods is unknown."""
    refused: int | None
    """None if it depends on the order."""
    new: int
    """How many pods the change creates: the additional ones, or all if each asks for more."""
    kind: str
    """The refused kind: Pod, PersistentVolumeClaim, …"""
    is_change: bool = False
    """The object exists, and its update is refused."""
    is_open: bool = False
    """The number depends on pods that had no room before."""


UNWRITTEN = "no single line of this change says so; what it adds up to does"


class Explained(NamedTuple):
    """A finding that the change affects."""

    finding: Finding
    """At a changed line, if there is one."""
    verdict: str
    was: Finding | None
    """The finding of the base, if there was one."""
    subjects: tuple[Subject, ...]
    """The entry of a quota that it is about, in each environment."""
    culprits: tuple[Culprit, ...]
    """The changes that caused it, the largest first."""
    refused: tuple[RefusedPods, ...]


def explain_findings(changes: Changes, edited: WrittenLines, trace: Provenance) -> tuple[Explained, ...]:
    """The findings that are new, worse, still there or better, with their causes."""
    finding_changes = changes.findings
    worse = {lasting.finding.identity: lasting.was for lasting in finding_changes.worse}
    explainer = _Explainer(changes.pairs, edited, trace)
    cases = [
        (finding, WORSE if finding.identity in worse else NEW, worse.get(finding.identity))
        for finding in finding_changes.new
    ]
    cases += [(lasting.finding, STILL, lasting.was) for lasting in finding_changes.still]
    cases += [(finding, BETTER, None) for finding in finding_changes.better]
    return tuple(explainer.explain(*case) for case in cases)


def with_causes(changes: Changes, explained_findings: Sequence[Explained]) -> Changes:
    """The changes, with findings at the lines that caused them."""
    by_verdict: dict[str, list[Explained]] = {}
    for explained in explained_findings:
        by_verdict.setdefault(explained.verdict, []).append(explained)
    worse, still = (by_verdict.get(verdict, []) for verdict in (WORSE, STILL))
    moved = changes.findings._replace(
        new=tuple(explained.finding for explained in explained_findings if explained.verdict in (NEW, WORSE)),
        worse=tuple(Lasting(explained.finding, explained.was) for explained in worse if explained.was is not None),
        still=tuple(Lasting(explained.finding, explained.was) for explained in still if explained.was is not None),
        better=tuple(explained.finding for explained in by_verdict.get(BETTER, ())),
    )
    return changes._replace(findings=moved)


class _Explainer:
    """Explains findings by both states; it indexes the objects of each environment once."""

    def __init__(self, pairs: Sequence[QuotaPairs], edited: WrittenLines, trace: Provenance) -> None:
        self._pairs, self._edited, self._trace = pairs, edited, trace
        self._versions: dict[tuple[str | None, str], Versions] = {}

    def explain(self, finding: Finding, verdict: str, was: Finding | None) -> Explained:
        about = tuple(find_subjects(finding, self._pairs))
        if about:
            culprits = tuple(culprit for subject in about for culprit in self._of_entry(subject))
            if not culprits and finding.object is not None:
                versions = self._versions_of(about[0].before, about[0].after)
                own_settings = versions.of_settings(finding.object, about[0].resource)
                culprits = (own_settings,) if own_settings is not None else ()
            culprits = culprits or tuple(culprit for subject in about for culprit in self._of_other_changes(subject))
            if not culprits and was is not None and was.guesses and not finding.guesses:
                culprits = tuple(culprit for subject in about for culprit in self._of_certainty(subject))
        else:
            culprits = tuple(self._of_object(finding))
        refused = tuple(refused_pods for subject in about[:1] for refused_pods in _refused_workloads(finding, subject))
        return Explained(
            self._place_finding(finding, was, culprits, of_entry=bool(about)), verdict, was, about, culprits, refused
        )

    def _of_entry(self, about: Subject) -> Iterator[Culprit]:
        """The changes that moved the sum or the limit of an entry, the largest first."""
        versions = self._versions_of(about.before, about.after)
        quota = versions.of_quota(about.old, about.new, about.resource)
        moves = about.moves
        growing = [move for move in moves if move.more > 0]
        of_moves = [tuple(versions.of_move(move, about.resource)) for move in growing or moves]
        # Other scopes are a cause of what is counted now though it was not changed itself.
        if quota is not None and quota.hard is None and all(of_moves):
            quota = None
        comes = quota is not None and (quota.hard is None or quota.hard[0] is None)
        if quota is not None and (comes or about.amount_lowered > sum(move.more for move in growing) or not growing):
            yield quota
            quota = None
        for culprits in of_moves if growing or quota is None else ():
            yield from culprits
        if quota is not None and about.amount_lowered > 0:
            yield quota

    def _of_other_changes(self, about: Subject) -> Iterator[Culprit]:
        """Other changes of workloads that use more of an entry."""
        versions = self._versions_of(about.before, about.after)
        yield from filter(None, (versions.of_other_changes(move) for move in about.moves if move.more > 0))

    def _of_certainty(self, about: Subject) -> Iterator[Culprit]:
        """The changes that turn a guess into a fact: a Kustomization is no longer suspended."""
        versions = self._versions_of(about.before, about.after)
        owners = (entry.owner for entry in about.now.entries) if about.now is not None else ()
        for owner in {owner.ref: owner for owner in owners if owner is not None}.values():
            yield from versions.of_deployers(owner)

    def _of_object(self, finding: Finding) -> Iterator[Culprit]:
        """The changes of the finding's object, of the objects that it names, or of those that decide for its
        namespace."""
        for facts, old_facts in self._states_of(finding):
            versions = self._versions_of(old_facts, facts)
            if finding.object is not None and "bound" in finding.values:
                causes = tuple(versions.of_refusal(finding.object, partial(_violation_messages, finding)))
                if causes:
                    yield from causes
                    return
            mine = versions.of_object(finding.object) if finding.object is not None else None
            is_cause = mine is not None and _may_be_cause(mine, finding, versions)
            deciders: tuple[Culprit, ...] = ()
            if not is_cause and (finding.namespace or finding.object is not None):
                # A new quota that a Role lets people delete is the cause of that, not a LimitRange that comes with it.
                named = tuple(versions.of_new_at(finding.related))
                deciders = named or tuple(versions.of_deciders(finding.namespace))
            # Another text or image is the cause only of what nothing else explains.
            if mine is not None and (is_cause or not (deciders or self._related_line(finding))):
                yield mine
            yield from deciders
            return

    def _states_of(self, finding: Finding) -> list[tuple[Facts, Facts | None]]:
        """The environments of a finding in the head and in the base; first those that had its object."""
        states = [
            (pair.new_facts, pair.old_facts)
            for pair in self._pairs
            if pair.new_facts is not None
            and (not finding.environments or pair.new_facts.environment in finding.environments)
        ]
        here = {facts.environment for facts, _ in states[:1]}
        joined_states = [state for state in states if state[0].environment in here]
        if len(joined_states) < 2 or finding.object is None:
            return states
        # Two environments became this one.
        ref = finding.object.ref
        return sorted(
            joined_states,
            key=lambda state: state[1] is None or not any(obj.ref == ref for obj in state[1].cluster.objects),
        )

    def _versions_of(self, before: Facts | None, after: Facts) -> Versions:
        # Of two environments that became one, both go on in it.
        both = before.environment if before is not None else None, after.environment
        if both not in self._versions:
            elsewhere = ((pair.old_facts, pair.new_facts) for pair in self._pairs if pair.new_facts is not after)
            self._versions[both] = Versions(before, after, self._trace, tuple(elsewhere))
        return self._versions[both]

    def _place_finding(
        self, finding: Finding, was: Finding | None, culprits: Sequence[Culprit], *, of_entry: bool
    ) -> Finding:
        """The finding at the line that caused it; at its own line, if the change wrote that."""
        main = next((culprit for culprit in culprits if culprit.line is not None), None)
        first = culprits[0] if culprits else None
        mine = finding.span.line in self._edited.lines(finding.file)
        if main is None and not mine:
            main, line = None, self._related_line(finding)
        else:
            line = main.line if main is not None else None
            if (
                main is not None
                and finding.object is not None
                and main.object.ref != finding.object.ref
                and not of_entry
            ):
                line = self._related_line(finding) or line  # the very bound of what changed elsewhere
        keeps = mine and (not of_entry or finding.counts != "settled" or line is None or _is_at(line, finding))
        cause = _finding_cause(main or first, finding if keeps else None, line)
        if cause is not None and finding.short is None:  # nothing that it could have eased
            cause = cause._replace(eases=False)
        if cause is not None and not of_entry and was is not None and _is_nearer(finding, was):
            cause = cause._replace(eases=True)
        if keeps or line is None:
            # What changed is said by the cause itself.
            is_said = mine or keeps or cause is not None
            note = () if is_said else (Note("cause", self._reason_without_line(finding)),)
            return finding._replace(cause=cause, notes=(*finding.notes, *note))
        where = RelatedPlace(
            "limited by" if finding.counts == "settled" else FOUND_AT,
            finding.file,
            finding.span,
            _own_place(finding),
        )
        more = [
            RelatedPlace("and", culprit.line.file, culprit.line.span, f"{culprit.object.kind} {culprit.object.name}")
            for culprit in culprits
            if culprit is not main and culprit.line is not None and culprit.line != line
        ]
        others, beyond = shown_others(list(dict.fromkeys(more)), "object")
        notes = (*(Note("because", f"{note.text} changed") for note in beyond), *finding.notes)
        moved = finding._replace(cause=cause, file=line.file, span=line.span, notes=notes)
        return moved._replace(related=(*others, where, *finding.related))

    def _reason_without_line(self, finding: Finding) -> str:
        """Why no changed line can be shown; for an unparsable file, the nearest changed line above."""
        rule = finding.rule
        is_text = rule.looks_at == "file" and rule.severity == "error"
        above = [line for line in self._edited.lines(finding.file) if line < finding.span.line] if is_text else ()
        if above:
            return f"the change wrote line {max(above)}, above it"
        if rule.looks_at == "file" and "name" in finding.values:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(finding.file), finding.values["name"]))
            if self._edited.is_removed(path):
                return f"the change removes {path}"
        return UNWRITTEN

    def _related_line(self, finding: Finding) -> WrittenLine | None:
        """The first related place of a finding that the change wrote."""
        for place in finding.related:
            if place.span.line in self._edited.lines(place.file):
                return WrittenLine(place.file, place.span)
        return None


def _violation_messages(finding: Finding, charge: Charge) -> tuple[str, ...]:
    """The messages of a charge's violations of the bound that the finding is about."""
    about = tuple(finding.values[name] for name in ("limit_range", "bound"))
    return tuple(
        violation.message
        for violation in charge.admitted.violations
        if (violation.limit_range, ".".join(map(str, violation.limit.path[-2:]))) == about
    )


def _may_be_cause(mine: Culprit, finding: Finding, versions: Versions) -> bool:
    """Whether the change of a finding's object may have caused it."""
    if not mine.fields:
        return True
    if all(map(is_idle, mine.fields)):
        return False
    name = finding.values.get("limit_range")
    bounds = (decider.object for decider in versions.of_deciders(finding.namespace)) if name else ()
    # Where the bound itself is another one, a probe or a mount that the change adds as well has no part in it.
    is_bound_new = any((bound.kind, bound.name) == ("LimitRange", name) for bound in bounds)
    return not is_bound_new or any(map(is_weighty, mine.fields))


def _is_nearer(finding: Finding, was: Finding) -> bool:
    """Whether the amount is nearer to its bound than before."""
    return finding.short is not None and was.short is not None and finding.short.nano < was.short.nano


def _is_at(line: WrittenLine, finding: Finding) -> bool:
    return (line.file, line.span.line) == (finding.file, finding.span.line)


def _own_place(finding: Finding) -> str:
    """A description of the finding's own place, for the list of related places."""
    if "quota" in finding.values and "resource" in finding.values and "hard" in finding.values:
        return f"quota {finding.values['quota']}: {finding.values['resource']} {finding.values['hard']}"
    obj = finding.object
    return f"{obj.kind} {obj.name}" if obj is not None else "what is said here"


def _finding_cause(culprit: Culprit | None, own: Finding | None, line: WrittenLine | None) -> ChangeCause | None:
    if culprit is None:
        return None
    how = culprit.field_words if culprit.how == CHANGES else (_HOW[culprit.how],)
    subject = f"{culprit.object.kind} {culprit.object.name}".rstrip()
    if own is not None:
        return ChangeCause(subject, how, own.file, own.span.line, culprit.eases)
    return ChangeCause(subject, how, line.file if line else "", line.span.line if line else 0, culprit.eases)


_HOW = {COMES: "is new", "goes": "is gone"}


def _refused_workloads(finding: Finding, about: Subject) -> Iterator[RefusedPods]:
    """The pods that the entry refuses, by workload; all together if several workloads grow."""
    if finding.counts != "settled":
        return
    refusals = about.after.admissions.refusals_of(about.new, about.resource)
    by_charge = [(refusal.charge, new_refusals(refusal, about.after)) for refusal in refusals]
    changes = {refusal.charge.identity for refusal in refusals if refusal.is_change}
    is_open = about.now is not None and depends_on_earlier(about.now, about.after)
    by_owner = [
        RefusedPods(
            (owner,),
            refused,
            new_number(charge, about.after),
            charge.demand.kind,
            is_change=charge.identity in changes,
            is_open=is_open,
        )
        for charge, refused in by_charge
        if refused and (owner := charge.demand.owner) is not None
    ]
    contested = contested_growth(about.now, refusals, about.after) if about.now is not None else ()
    kinds = {entry.charge.kind for entry, _ in contested}
    if by_owner and len(kinds) == 1:
        owners = {entry.owner.identity: entry.owner for entry, _ in contested if entry.owner is not None}
        alike = len({entry.each.nano for entry, _ in contested}) == 1
        identities = {entry.charge.identity for entry, _ in contested}
        number = sum(refused for charge, refused in by_charge if charge.identity in identities) if alike else None
        yield RefusedPods(tuple(owners.values()), number, sum(more for _, more in contested), kinds.pop())
    else:
        yield from by_owner
