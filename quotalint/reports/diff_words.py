"""A change in sentences: what broke, because of what, what will happen, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quotalint.catalogue import filled_text
from quotalint.checks.hit import EntryNeed
from quotalint.diff.attribution import CHANGES, COMES, GOES, Culprit
from quotalint.diff.explained import STILL, Explained, RefusedPods
from quotalint.diff.field_changes import FieldChange
from quotalint.diff.relevance import field_words, part_noun
from quotalint.diff.repairs import Proposal, Repair
from quotalint.kube.objects import Object
from quotalint.reports.diff_cells import in_one_unit, in_people_units
from quotalint.reports.marks import mark_name, mark_place, mark_strong
from quotalint.reports.terminal import count_noun
from quotalint.results.finding import Finding
from quotalint.text.words import join_with_and
from quotalint.workloads.autoscalers import MAXIMUM_PATHS

_CULPRITS = 3  # that are named; the rest is counted
_FIELDS = 2  # of one object
_ENVIRONMENTS = 3
_REPAIRS = 3  # of those that are all needed

BESIDE = "beside"
"""The variant of a rule's headline for a second entry of the same quota."""


def finding_headline(finding: Finding, where: str, verdict: str) -> str:
    """A finding in a few words, with its names marked."""
    values = _values_for_people(finding)
    values["namespace"] = values["where"] = where
    for key in ("name", "meant"):
        if key in values:
            values[key] = mark_name(values[key])
    variant = "still" if verdict == STILL and "still" in finding.rule.headline else finding.variant
    return filled_text(finding.rule.headline, variant, values)


def compared_entries(finding: Finding) -> Sequence[str]:
    """The entries whose needed and allowed amounts the headline names."""
    written_out = finding.needs if len(finding.needs) <= 2 else finding.needs[:1]
    says_so = "{needs}" in finding.rule.headline.get(finding.variant, finding.rule.headline["default"])
    return [need.resource for need in written_out] if says_so else []


def second_headline(finding: Finding) -> str:
    """The second part of a headline: `4Gi short of limits.memory`."""
    return filled_text(finding.rule.headline, BESIDE, _values_for_people(finding))


def _values_for_people(finding: Finding) -> dict[str, str]:
    """The values of its texts, with what is compared in one unit."""
    values = dict(finding.values)
    if finding.needs:
        first = finding.needs[0]
        values["short"] = in_people_units(first.resource, first.short)
        values["needs"], values["allows"] = _needs_in_one_unit(finding.needs)
    return values


def _needs_in_one_unit(needs: Sequence[EntryNeed]) -> tuple[str, str]:
    """The needed and the allowed amount, for `limits.cpu 8400m of 8000m and 3 more entries`. If there are two entries,
    both are written."""
    (needed, allowed), *others = (in_one_unit(need.resource, (need.needed, need.allowed)) for need in needs)
    more_words = [f"{len(others)} more entries"] if len(others) > 1 else []
    if len(others) == 1:
        more_words = [f"{needs[1].resource} {' of '.join(others[0])}"]
    return f"{needs[0].resource} {needed}", join_with_and([allowed, *more_words])


def where_words(namespace: str, environments: Sequence[str]) -> str:
    """`shop`, `shop in environment prod`, `edge in 12 environments`."""
    if not environments or tuple(environments) == (namespace,):
        return mark_name(namespace)
    if len(environments) > _ENVIRONMENTS:
        return f"{mark_name(namespace)} in {len(environments)} environments"
    noun = "environment" if len(environments) == 1 else "environments"
    return f"{mark_name(namespace)} in {noun} {join_with_and(environments)}"


def cause_words(explained_findings: Iterable[Explained], *, fits: bool = False) -> str:
    """The cause of a changed sum: `because web goes from 4 to 12 replicas (web.yaml:7)`, or `though Job load is gone`
    if the change made it smaller; empty if there is none."""
    all_culprits = [culprit for explained in explained_findings for culprit in explained.culprits]
    culprits = _joined([culprit for culprit in all_culprits if not culprit.eases] or all_culprits)
    culprits_by_words: dict[str, list[Culprit]] = {}
    words_by_change: dict[object, str] = {}
    for culprit in culprits:
        # Of an object that changed, another field may matter most to another entry.
        paths = frozenset(field.path for field in culprit.fields)
        words = culprit_words(culprit)
        words = words_by_change.setdefault((culprit.object.identity, paths), words) if paths else words
        culprits_by_words.setdefault(words, []).append(culprit)
    shown = [
        _with_places(text, with_same_words) for text, with_same_words in list(culprits_by_words.items())[:_CULPRITS]
    ]
    more = [f"{len(culprits_by_words) - _CULPRITS} more"] if len(culprits_by_words) > _CULPRITS else []
    link = "though" if not fits and all(culprit.eases for culprit in culprits) else "because"
    return f"{link} {join_with_and([*shown, *more])}" if shown else ""


def _joined(culprits: Sequence[Culprit]) -> Sequence[Culprit]:
    """The culprits, what changed of an object on one line as one: each entry of a quota has fields of its own there."""
    by_line: dict[object, Culprit] = {}
    for culprit in culprits:
        line = culprit.line if culprit.how == CHANGES and culprit.hard is None else None
        key = (culprit.object.identity, line.file, line.span.line) if line is not None else len(by_line)
        first = by_line.setdefault(key, culprit)
        more = [field for field in culprit.fields if field not in first.fields]
        by_line[key] = first._replace(fields=(*first.fields, *more))
    return tuple(by_line.values())


def _with_places(text: str, culprits: Sequence[Culprit]) -> str:
    lines = dict.fromkeys(
        (culprit.line.file, culprit.line.span.line) for culprit in culprits if culprit.line is not None
    )
    if not lines:
        gone = next((culprit.object.place.file for culprit in culprits if culprit.how == GOES), "")
        before = next((f"before: {mark_name(culprit.file_before)}" for culprit in culprits if culprit.file_before), "")
        return f"{text} ({mark_name(gone) if gone else before or 'on no line of this change'})"
    more = f" and {count_noun(len(lines) - 1, 'more place')}" if len(lines) > 1 else ""
    return f"{text} ({mark_place(*next(iter(lines)))}{more})"


def culprit_words(culprit: Culprit) -> str:
    """What the change did to an object."""
    if culprit.hard is not None:
        return _quota_move(culprit)
    if culprit.how == COMES:
        return f"{culprit.object.kind} {mark_name(culprit.object.name)} is new"
    if culprit.how != CHANGES:
        return f"{culprit.object.kind} {mark_name(culprit.object.name)} is gone"
    kind = "" if culprit.move is not None and not _decides(culprit) else f"{culprit.object.kind} "
    subject = f"{kind}{mark_name(culprit.object.name)}"
    fields: dict[str, FieldChange] = {}  # equal words about several containers appear once
    for field in culprit.fields:
        fields.setdefault(_field_move(field, "its"), field)
    field_moves = [
        _field_move(field, subject if at == 0 else "its") for at, field in enumerate([*fields.values()][:_FIELDS])
    ]
    return " and ".join(field_moves) if field_moves else f"{subject} changes"


def _decides(culprit: Culprit) -> bool:
    """Whether an object moves the sum of another one, such as a LimitRange; autoscalers are called by their target."""
    move, kind = culprit.move, culprit.object.kind
    return move is not None and culprit.object.ref != move.share.owner.ref and kind not in MAXIMUM_PATHS


def _field_move(field: FieldChange, subject: str) -> str:
    name, old, new = field_words(field), field.old, field.new
    part = part_noun(field.path)
    if part and (old is None or new is None):
        of = "" if subject == "its" else f" of {subject}"
        return (
            f"{'its ' if not of else ''}{part} {mark_name(str(new or old))}{of} is {'new' if old is None else 'gone'}"
        )
    if name in ("replicas", "parallelism") and isinstance(new, int) and subject != "its":
        how_many = count_noun(new, "replica") if name == "replicas" else f"{count_noun(new, 'pod')} at once"
        return f"{subject} goes from {_value_words(old, name, 1)} to {how_many}"
    old_text, new_text = _value_words(old, name), _value_words(new, name)
    init = f" of init container {mark_name(field.init_container)}" if field.init_container else ""
    of = f"its {name}{init}" if subject == "its" else f"{name}{init} of {subject}"
    if not old_text:
        return f"{of} is set to {new_text}"
    return f"{of} goes from {old_text} to {new_text}" if new_text else f"{of} is not set any more"


def _quota_move(culprit: Culprit) -> str:
    """What the change did to an entry of a quota."""
    assert culprit.hard is not None
    resource = str(culprit.fields[0].path[-1])
    old, new = in_one_unit(resource, list(culprit.hard))
    quota = f"quota {mark_name(culprit.object.name)}"
    if not new:
        return f"{quota} no longer limits {resource}"
    if culprit.how == COMES:
        return f"{quota} is new and allows {resource} {new}"
    return f"{quota} allows {resource} {new}" + (f" instead of {old}" if old else ", which it did not limit before")


def _value_words(value: object, name: str, default: object = "") -> str:
    if value is None:
        return str(default)
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else f"another {name}"


def refused_words(refused: Sequence[RefusedPods]) -> Iterator[str]:
    """Which pods will not start."""
    own = [refusal for refusal in refused if _is_itself(refusal)]
    if own:
        names = [_object_words(refusal) for refusal in own[:_CULPRITS]]
        more = [count_noun(len(own) - _CULPRITS, "more object")] if len(own) > _CULPRITS else []
        text = join_with_and([*names, *more])
        yield f"{text[0].upper()}{text[1:]} will be refused."
    of_workloads = [refusal for refusal in refused if not _is_itself(refusal)]
    for refusal in of_workloads[:_CULPRITS]:
        name = _owner_names(refusal.owners)
        noun, do = ("pod", "start") if refusal.kind == "Pod" else (refusal.kind, "be created")
        of = f"of {name} "
        if refusal.refused is None:
            yield f"Some of the {refusal.new} new {noun}s {of}will not {do}."
        elif refusal.is_open:
            which = f"The new {noun}" if refusal.new == 1 else f"Some or all of the {refusal.new} new {noun}s"
            yield f"{which} {of}may not {do}."
        elif refusal.refused >= refusal.new:
            alone = refusal.new == 1
            yield (
                f"The new {noun} {of}will not {do}."
                if alone
                else f"None of the {refusal.new} new {noun}s {of}will {do}."
            )
        else:
            yield f"{refusal.refused} of the {refusal.new} new {noun}s {of}will not {do}."
    if len(of_workloads) > _CULPRITS:
        yield f"The same goes for {count_noun(len(of_workloads) - _CULPRITS, 'more workload')}."
    if any(refusal.kind == "Pod" for refusal in refused):
        yield "Running pods are not touched."


def _object_words(refusal: RefusedPods) -> str:
    return f"{'the change of ' * refusal.is_change}{refusal.kind} {_owner_names(refusal.owners)}"


def _is_itself(refusal: RefusedPods) -> bool:
    """Whether the object itself is refused, and not the objects that it creates."""
    return len(refusal.owners) == 1 and refusal.kind == refusal.owners[0].kind


def _owner_names(owners: Sequence[Object]) -> str:
    names = [mark_name(owner.name) for owner in owners]
    return join_with_and(names if len(names) <= _CULPRITS else [*names[:_CULPRITS], f"{len(names) - _CULPRITS} more"])


def consequence_sentences(explained_findings: Iterable[Explained]) -> Iterator[str]:
    """What will happen, in whole sentences. The number of refused pods is only written for one of the entries that
    count the same pods."""
    explained_findings = tuple(explained_findings)
    counted = {
        _pods_of(refusal) for explained in explained_findings for refusal in explained.refused if refusal.refused
    }
    for explained in explained_findings:
        if explained.finding.severity == "info":
            continue
        if explained.refused:
            known = [refusal for refusal in explained.refused if refusal.refused or _pods_of(refusal) not in counted]
            yield from refused_words(known)
        elif explained.finding.counts == "settled":
            notes = (note.text for note in explained.finding.notes_for_people if note.label == "so")
            yield from (f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in notes)
        elif explained.finding.rule.consequence:
            yield filled_text(explained.finding.rule.consequence, explained.finding.variant, explained.finding.values)


def _pods_of(refusal: RefusedPods) -> tuple[object, ...]:
    return refusal.kind, refusal.new, frozenset(owner.ref for owner in refusal.owners)


def repair_words(proposal: Proposal) -> str:
    """`Do one of: replicas: 9 in web.yaml:7 · limits.memory: 30Gi in quota.yaml:10`; empty where there is none."""
    phrases = [_repair_phrase(repair) for repair in proposal.repairs[:_REPAIRS]]
    if not phrases:
        return ""
    if len(phrases) == 1:
        return f"{mark_strong('To repair:')} {phrases[0]}"
    if not proposal.all_of_them:
        return f"{mark_strong('Do one of:')} {' · '.join(phrases)}"
    more = len(proposal.repairs) - _REPAIRS
    phrases += [f"what is suggested for {count_noun(more, 'more namespace')}"] if more > 0 else []
    if len(phrases) == 2:
        return f"{mark_strong('Do both:')} {', and '.join(phrases)}"
    return f"{mark_strong('Do all of:')} {' · '.join(phrases)}"


def _repair_phrase(repair: Repair) -> str:
    new_text = join_with_and([mark_name(text) for text in repair.words])
    if not repair.line:
        return new_text
    of = f"each of {repair.objects} quotas, the first at " if repair.objects > 1 else ""
    fits = f", which fits the other {repair.fits if repair.fits > 1 else 'namespace'}" if repair.fits else ""
    shared = f", which raises it for all {repair.shared_by} namespaces" if repair.shared_by else ""
    return f"{new_text} in {of}{mark_place(repair.file, repair.line)}{fits}{shared}"
