"""Repairs of an exceeded quota: fewer or smaller pods, or a larger quota."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from quotalint.checks.exceeded.quota_words import namespaces_words
from quotalint.checks.exceeded.smaller_steps import fewer_replicas, most_replicas
from quotalint.diff.attribution import COMES, Culprit
from quotalint.diff.explained import Explained
from quotalint.diff.field_changes import FieldChange
from quotalint.diff.finding_subjects import Subject
from quotalint.diff.lines import Locate
from quotalint.diff.relevance import field_words
from quotalint.diff.shares import Share
from quotalint.fixes.fix import Replace
from quotalint.kube.amounts import amount, rounded_down
from quotalint.kube.fields import dig
from quotalint.kube.quantity import Quantity, show
from quotalint.named_tuples import NamedTuple
from quotalint.quota.fitting import objects_that_fit
from quotalint.settings import Scenario
from quotalint.text.place import Place, Span
from quotalint.workloads.autoscalers import MAXIMUM_PATHS, MINIMUM_PATHS


class NewLine(NamedTuple):
    """A line and its replacement."""

    file: str
    line: int
    before: str
    after: str


class Repair(NamedTuple):
    """One repair of a group of findings."""

    words: tuple[str, ...]
    """The new text: `replicas: 9`, one for each line."""
    file: str
    line: int
    """The first line; 0 if unknown."""
    lines: tuple[NewLine, ...] = ()
    """The replaced lines; empty if they cannot be written."""
    objects: int = 1
    """The number of changed objects."""
    raises: Mapping[Place, Replace] = MappingProxyType({})
    """The raised entries, if it enlarges a quota."""
    fits: int = 0
    """The number of other quotas that it repairs, if it is not sufficient for all."""
    shared_by: int = 0
    """The number of namespaces that it affects, if the change breaks only some of them and lowers no quota."""


class Proposal(NamedTuple):
    """The repairs for one quota, or for all that one line breaks."""

    repairs: tuple[Repair, ...]
    all_of_them: bool = False
    """All are needed; else one is sufficient."""

    @property
    def suggested(self) -> tuple[Repair, ...]:
        """The repairs to apply together: all, or the first."""
        return self.repairs if self.all_of_them else self.repairs[:1]


NO_PROPOSAL = Proposal(())
Sharing = Mapping[Place, AbstractSet[tuple[str, str]]]
"""Environment and namespace of each quota that has an entry from a place of a file."""
Text = Callable[[str], Sequence[str]]
"""The lines of a file."""


def find_proposal(broken: Sequence[Explained], locate: Locate, text: Text, shared: Sharing) -> Proposal:
    """The smallest repairs of what one changed line breaks: a smaller workload first, then a larger quota. Both, if a
    smaller quota breaks several namespaces and one of them grows beyond the others."""
    both = _raise_and_shrink(broken, locate, text)
    if both:
        return Proposal(both, all_of_them=True)
    fewer, raised = _fewer_pods(broken, locate, text), _raised_quota(broken, locate, text)
    names = {(about.environment, namespaces_words(about.new)) for explained in broken for about in explained.subjects}
    sharing = {name for place in (raised.raises if raised is not None else ()) for name in shared.get(place, ())}
    if raised is not None and sharing > names and not any(_is_lowered(explained) for explained in broken):
        # What all may use is no matter of the one that grows.
        raised = None if fewer is not None else raised._replace(shared_by=len(sharing))
    return Proposal(tuple(repair for repair in (fewer, raised) if repair is not None))


def with_largest_raises(proposals: Sequence[Proposal], locate: Locate, text: Text) -> list[Proposal]:
    """The proposals; those that raise the same entry all use the largest amount."""
    largest = _largest_edits(edit for way in _ways_of(proposals) for edit in way.raises.values())
    return [
        proposal._replace(
            repairs=tuple(_with_raises(way, largest, locate, text) if way.raises else way for way in proposal.repairs)
        )
        for proposal in proposals
    ]


def _ways_of(proposals: Iterable[Proposal]) -> Iterator[Repair]:
    return (way for proposal in proposals for way in proposal.repairs)


def _with_raises(way: Repair, largest: Mapping[Place, Replace], locate: Locate, text: Text) -> Repair:
    if all(largest[place].size == edit.size for place, edit in way.raises.items()):
        return way
    return _repair_of_edits({place: largest[place] for place in way.raises}, locate, text)._replace(
        fits=way.fits, shared_by=way.shared_by
    )


def _is_lowered(explained: Explained) -> bool:
    return any(culprit.hard is not None and not culprit.eases for culprit in explained.culprits)


def _is_own(explained: Explained) -> bool:
    """Whether a workload of the namespace grew, beside a smaller quota."""
    return _is_lowered(explained) and any(
        culprit.hard is None and culprit.move is not None and culprit.move.more > 0 and culprit.line is not None
        for culprit in explained.culprits
    )


def _raise_and_shrink(broken: Sequence[Explained], locate: Locate, text: Text) -> tuple[Repair, ...]:
    """A quota that is large enough for the namespaces that did not grow, and smaller workloads in those that did; empty
    if not both are needed."""
    by_quota: dict[tuple[str, str, str], list[Explained]] = {}
    for explained in broken:
        about = explained.subjects[0]
        by_quota.setdefault((about.environment, namespaces_words(about.new), about.new.name), []).append(explained)
    own = [findings for findings in by_quota.values() if any(map(_is_own, findings))]
    others = [findings for findings in by_quota.values() if not any(map(_is_own, findings))]
    if not own or not others:
        return ()
    edits = _raising_edits(explained for findings in others for explained in findings)
    shrunk: list[Repair] = []
    for findings in own:
        mine = _raising_edits(findings)
        if all(place in edits and edit.size <= edits[place].size for place, edit in mine.items()):
            others.append(findings)
            continue
        fewer = _fewer_pods(findings, locate, text, edits)
        if fewer is None:
            edits = _largest_edits((*edits.values(), *mine.values()))
            others.append(findings)
        else:
            shrunk.append(fewer)
    if not edits or not shrunk:
        return ()
    return (_repair_of_edits(edits, locate, text)._replace(fits=len(others)), *shrunk)


def _fewer_pods(
    explained_findings: Sequence[Explained],
    locate: Locate,
    text: Text,
    raised: Mapping[Place, Replace] = MappingProxyType({}),
) -> Repair | None:
    """The largest number or amount that fits, if one changed field decides for all findings. `raised`: the entries that
    will be larger."""
    wanted: list[tuple[Culprit, FieldChange, str]] = []
    for explained in explained_findings:
        for about in explained.subjects:
            grown = [culprit for culprit in explained.culprits if culprit.move is not None and culprit.hard is None]
            mine = next((culprit for culprit in grown if _is_of(culprit, about)), None)
            if mine is None or len({culprit.object.ref for culprit in grown}) > 1:
                return None
            fitting = _fitting_when_raised(mine, about, raised) if raised else _fitting_value(mine, about)
            if fitting is None:
                return None
            wanted.append((mine, *fitting))
    bounds = _lower_bounds(wanted, locate, text)
    if bounds is not None:
        return bounds
    if not wanted or not _is_one_field([(culprit, field) for culprit, field, _ in wanted]):
        return None
    culprit, field, _ = wanted[0]
    helped = () if raised else _values_of_ways(explained_findings, culprit.object.at(*field.path))
    least = min((*(value for _, _, value in wanted), *helped), key=_value_nano)
    if culprit.line is None or _value_nano(least) <= 0:
        return None
    line, file = culprit.line.span.line, culprit.line.file
    changed = _replace_value(_line_of(text(file), line), str(field.new), least)
    if not changed:  # what brought the object is another line than the one that says how many there are
        real = culprit.object.at(*field.path).real
        if real.path:  # of what a template works out no line is known but the one that the change wrote
            line, file = locate([real])[real].line, real.source
            changed = _replace_value(_line_of(text(file), line), str(field.new), least)
    written = _line_of(text(file), line)
    words = re.sub(r"\s#.*", "", changed).strip().lstrip("- ") if changed else f"{field_words(field)}: {least}"
    lines = (NewLine(file, line, written, changed),) if changed else ()
    return Repair((words,), file, line, lines)


def _lower_bounds(wanted: Sequence[tuple[Culprit, FieldChange, str]], locate: Locate, text: Text) -> Repair | None:
    """Both bounds of one autoscaler, if the change wrote both: a smaller minimum alone would leave a maximum that does
    not fit. None if other fields are needed."""
    culprit = wanted[0][0] if wanted else None
    paths = [path.get(culprit.object.kind) for path in (MINIMUM_PATHS, MAXIMUM_PATHS)] if culprit is not None else []
    written = [field for field in _deciding_fields(culprit) if field.path in paths] if culprit is not None else []
    if culprit is None or len(written) < 2:
        return None
    if any(other.object.ref != culprit.object.ref or field.path not in paths for other, field, _ in wanted):
        return None
    least = min((value for _, _, value in wanted), key=_value_nano)
    edits = [field for field in sorted(written, key=lambda field: paths.index(field.path)) if _exceeds(field, least)]
    places = [culprit.object.at(*field.path).real for field in edits]
    if _value_nano(least) <= 0 or not edits or not all(place.path for place in places):
        return None
    spans = locate(places)
    replaced = [(place, str(field.new), least) for place, field in zip(places, edits, strict=True)]
    words = tuple(f"{field_words(field)}: {least}" for field in edits)
    first = places[0]
    return Repair(words, first.source, spans[first].line, tuple(_new_lines(replaced, spans, text)))


def _exceeds(field: FieldChange, value: str) -> bool:
    return isinstance(field.new, int) and _value_nano(str(field.new)) > _value_nano(value)


def _is_one_field(wanted: Sequence[tuple[Culprit, FieldChange]]) -> bool:
    """Whether this is one field of one object, or of several objects that share the line."""
    if len({field.path for _, field in wanted}) != 1:
        return False
    if len({culprit.object.ref for culprit, _ in wanted}) == 1:
        return True
    places = {culprit.object.at(*field.path).real for culprit, field in wanted}
    return len(places) == 1 and bool(next(iter(places)).path)


def _fitting_when_raised(
    culprit: Culprit, about: Subject, raised: Mapping[Place, Replace]
) -> tuple[FieldChange, str] | None:
    """The deciding field and its largest value with raised entries, so that everything fits, rollouts too."""
    if about.now is None:
        return None
    hards = dict(_raised_hards(about, raised))
    fewer = _fitting_replicas(culprit, about, hards)
    if fewer is not None:
        return fewer
    rolling = about._replace(scenario=Scenario.SURGE, owner=(culprit.object.kind, culprit.object.name))
    share = next((move.after for move in rolling.moves if move.share.owner.ref == culprit.object.ref), None)
    hard = hards.get(about.resource, about.now.hard)
    if share is None or hard is None or not share.number:
        return None
    room = _room_beside(share, rolling, hard)
    sizes = ((field, _smaller_amount(field, share, room)) for field in _deciding_fields(culprit))
    return next(((field, smaller) for field, smaller in sizes if smaller is not None), None)


def _fitting_replicas(
    culprit: Culprit, about: Subject, hards: Mapping[str, Quantity]
) -> tuple[FieldChange, str] | None:
    """The replicas field and its largest value for which everything fits, rollouts too. `hards`: raised entries."""
    fewer = fewer_replicas(about.now, about.after, hards) if about.now is not None else None
    for field in _deciding_fields(culprit):
        for edit in fewer.edits if fewer is not None else ():
            if isinstance(edit, Replace) and edit.place.real == culprit.object.at(*field.path).real:
                return field, str(edit.after)
    return None


def _raised_hards(about: Subject, raised: Mapping[Place, Replace]) -> Iterator[tuple[str, Quantity]]:
    for name in about.new.hard:
        edit = raised.get(about.new.object.at(*about.new.way(name)).real)
        larger = amount(edit.after) if edit is not None else None
        if isinstance(larger, Quantity):
            yield name, larger


def _room_beside(share: Share, about: Subject, hard: Quantity) -> int:
    """The part of an entry that is left for one workload, in 10^-9 units."""
    entries = about.now.entries if about.now is not None else ()
    return hard.nano - sum(entry.amounts.of(about.scenario_of(entry)).nano for entry in entries) + share.amount.nano


def _values_of_ways(explained_findings: Iterable[Explained], place: Place) -> Iterator[str]:
    """The values that the help of the findings proposes for a place; they leave room for rollouts."""
    for explained in explained_findings:
        edits = (edit for way in explained.finding.ways for edit in way.edits)
        yield from (str(edit.after) for edit in edits if isinstance(edit, Replace) and edit.place.real == place.real)


def _is_of(culprit: Culprit, about: Subject) -> bool:
    """Whether the change of an object moved this quota: several objects may have one name."""
    return culprit.move is not None and any(move == culprit.move for move in about.moves)


def _fitting_value(culprit: Culprit, about: Subject) -> tuple[FieldChange, str] | None:
    """The deciding field, and its largest value that fits."""
    now, move = about.now, culprit.move
    share = move.after if move is not None else None
    if now is None or now.hard is None or share is None or not share.number:
        return None
    room = _room_beside(share, about, now.hard)
    for field in _deciding_fields(culprit):
        if field.new == share.number:
            fitting = objects_that_fit(room, 0, share.amount.nano // share.number)
            if field.path == MINIMUM_PATHS.get(culprit.object.kind):
                fitting = most_replicas(now, share.owner, about.after, fitting) or fitting
            return field, str(fitting)
        smaller = _smaller_amount(field, share, room)
        if smaller is not None:
            return field, smaller
    return _fitting_replicas(culprit, about, {})  # a rollout makes more pods than any field says


def _deciding_fields(culprit: Culprit) -> Iterator[FieldChange]:
    yield from culprit.fields
    obj = culprit.object
    for path in (("spec", "replicas"), MINIMUM_PATHS.get(obj.kind), MAXIMUM_PATHS.get(obj.kind)):
        number = dig(obj.body, *path) if path is not None and culprit.how == COMES else None
        if path is not None and isinstance(number, int):
            yield FieldChange(path, None, number)


def _smaller_amount(field: FieldChange, share: Share, room: int) -> str | None:
    """The largest amount of one container that fits, if the field is that amount."""
    asked = amount(field.new) if isinstance(field.new, str | int | float) else None
    if not isinstance(asked, Quantity) or len(field.path) < 2 or field.path[-2] not in ("requests", "limits"):
        return None
    amount_of_each = share.amount.nano // share.number
    if asked.nano > amount_of_each:
        return None
    most = room // share.number - (amount_of_each - asked.nano)
    rounded = rounded_down(str(field.path[-1]), Quantity(most, asked.format))
    return show(rounded) if 0 < rounded.nano < asked.nano else None


def _raised_quota(explained_findings: Sequence[Explained], locate: Locate, text: Text) -> Repair | None:
    """A larger quota: each entry as large as any finding needs."""
    edits = _raising_edits(explained_findings)
    return _repair_of_edits(edits, locate, text) if edits else None


def _raising_edits(explained_findings: Iterable[Explained]) -> dict[Place, Replace]:
    fixes = (explained.finding.fix for explained in explained_findings)
    edits = (edit for fix in fixes if fix is not None for edit in fix.edits)
    return _largest_edits(edit for edit in edits if isinstance(edit, Replace))


def _largest_edits(wanted: Iterable[Replace]) -> dict[Place, Replace]:
    edits: dict[Place, Replace] = {}
    for edit in wanted:
        real = edit.place.real
        if real not in edits or edits[real].size < edit.size:
            edits[real] = edit
    return edits


def _repair_of_edits(edits: Mapping[Place, Replace], locate: Locate, text: Text) -> Repair:
    spans = locate(edits)
    order = sorted(edits, key=lambda place: (place.source, spans[place].line))
    words = dict.fromkeys(f"{edits[place].place.path[-1]}: {edits[place].after}" for place in order)
    replaced = ((place, str(edits[place].before), str(edits[place].after)) for place in order)
    lines = tuple(_new_lines(replaced, spans, text))
    objects = len({(place.source, place.document) for place in order})
    return Repair(tuple(words), order[0].source, spans[order[0]].line, lines, objects, raises=edits)


def _new_lines(
    replaced: Iterable[tuple[Place, str, str]], spans: Mapping[Place, Span], text: Text
) -> Iterator[NewLine]:
    """Each line that changes, with every value that another one replaces."""
    lines: dict[tuple[str, int], NewLine] = {}
    for place, before, after in replaced:
        line = spans[place].line
        written = _line_of(text(place.source), line)
        so_far = lines.get((place.source, line), NewLine(place.source, line, written, written))
        changed = _replace_value(so_far.after, before, after)
        if changed:
            lines[place.source, line] = so_far._replace(after=changed)
    yield from lines.values()


def _line_of(lines: Sequence[str], number: int) -> str:
    """A line of a file; empty if the file is shorter."""
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _replace_value(line: str, old: str, new: str) -> str:
    """A line with another value; empty if the old value is not there exactly once."""
    marked = re.sub(rf"(?<![\w.-]){re.escape(old)}(?![\w.-])", lambda _: new, line)
    once = len(re.findall(rf"(?<![\w.-]){re.escape(old)}(?![\w.-])", line)) == 1
    return marked if once and marked != line else ""


def _value_nano(value: str) -> int:
    parsed = amount(value)
    return parsed.nano if isinstance(parsed, Quantity) else 0
