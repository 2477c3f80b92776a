"""What would make an exceeded quota fit again: fewer or smaller pods where the change made more, or a larger quota."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from quotalint.diff.attribution import COMES, Culprit
from quotalint.diff.explained import Explained
from quotalint.diff.field_changes import FieldChange
from quotalint.diff.finding_subjects import Subject
from quotalint.diff.lines import Locate
from quotalint.diff.relevance import field_words
from quotalint.diff.shares import Share
from quotalint.fixes.fix import Replace
from quotalint.kube.amounts import amount, rounded_down
from quotalint.kube.quantity import Quantity, show
from quotalint.named_tuples import NamedTuple
from quotalint.quota.fitting import objects_that_fit
from quotalint.text.place import Place


class NewLine(NamedTuple):
    """A line that gives way to another."""

    file: str
    line: int
    before: str
    after: str


class Repair(NamedTuple):
    """One way out, which satisfies every finding that it was asked of."""

    words: tuple[str, ...]
    """What is written then: `replicas: 9`, one for each line."""
    file: str
    line: int
    """Where the first of it stands; 0 where no line is known."""
    lines: tuple[NewLine, ...] = ()
    """The lines as they would be; none where that cannot be told."""
    objects: int = 1
    """How many objects it changes."""


def find_repairs(
    explained_findings: Sequence[Explained], locate: Locate, text: Callable[[str], Sequence[str]]
) -> tuple[Repair, ...]:
    """The smallest repairs of what is said of one quota: of what the change made larger first, then of the quota.
    `text` has the lines of a file."""
    ways_out = [_fewer_pods(explained_findings, locate, text), _raised_quota(explained_findings, locate, text)]
    return tuple(repair for repair in ways_out if repair is not None)


def _fewer_pods(
    explained_findings: Sequence[Explained], locate: Locate, text: Callable[[str], Sequence[str]]
) -> Repair | None:
    """As many as fit, where one number or amount that the change wrote decides for all of the findings."""
    wanted: list[tuple[Culprit, FieldChange, str]] = []
    for explained in explained_findings:
        for about in explained.subjects:
            grown = [culprit for culprit in explained.culprits if culprit.move is not None and culprit.hard is None]
            mine = next((culprit for culprit in grown if _is_of(culprit, about)), None)
            fitting = _fitting_value(mine, about) if mine is not None else None
            if mine is None or fitting is None or len({culprit.object.ref for culprit in grown}) > 1:
                return None
            wanted.append((mine, *fitting))
    if not wanted or len({(wanted_culprit.object.ref, field.path) for wanted_culprit, field, _ in wanted}) != 1:
        return None
    culprit, field, _ = wanted[0]
    helped = _values_of_ways(explained_findings, culprit.object.at(*field.path))
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


def _values_of_ways(explained_findings: Iterable[Explained], place: Place) -> Iterator[str]:
    """What the help of the findings would write at a place: fewer than fit at rest, where a rollout needs room too."""
    for explained in explained_findings:
        edits = (edit for way in explained.finding.ways for edit in way.edits)
        yield from (str(edit.after) for edit in edits if isinstance(edit, Replace) and edit.place.real == place.real)


def _is_of(culprit: Culprit, about: Subject) -> bool:
    """Whether an object counts in this environment's quota: of one name there may be several."""
    return culprit.move is not None and any(move == culprit.move for move in about.moves)


def _fitting_value(culprit: Culprit, about: Subject) -> tuple[FieldChange, str] | None:
    """The field that decides how much is asked for, and the most that it may say."""
    now, move = about.now, culprit.move
    share = move.after if move is not None else None
    if now is None or now.hard is None or share is None or not share.number:
        return None
    total = sum(entry.amounts.of(about.scenario_of(entry)).nano for entry in now.entries)
    room = now.hard.nano - (total - share.amount.nano)
    for field in _deciding_fields(culprit):
        if field.new == share.number:
            return field, str(objects_that_fit(room, 0, share.amount.nano // share.number))
        smaller = _smaller_amount(field, share, room)
        if smaller is not None:
            return field, smaller
    return None


def _deciding_fields(culprit: Culprit) -> Iterator[FieldChange]:
    yield from culprit.fields
    replicas = culprit.object.spec.get("replicas")
    if culprit.how == COMES and isinstance(replicas, int):
        yield FieldChange(("spec", "replicas"), None, replicas)


def _smaller_amount(field: FieldChange, share: Share, room: int) -> str | None:
    """What one container may ask for, where that is what grew, as people write it."""
    asked = amount(field.new) if isinstance(field.new, str | int | float) else None
    if not isinstance(asked, Quantity) or len(field.path) < 2 or field.path[-2] not in ("requests", "limits"):
        return None
    amount_of_each = share.amount.nano // share.number
    if asked.nano > amount_of_each:
        return None
    most = room // share.number - (amount_of_each - asked.nano)
    rounded = rounded_down(str(field.path[-1]), Quantity(most, asked.format))
    return show(rounded) if 0 < rounded.nano < asked.nano else None


def _raised_quota(
    explained_findings: Sequence[Explained], locate: Locate, text: Callable[[str], Sequence[str]]
) -> Repair | None:
    """Every entry as large as the largest that any of the findings needs."""
    edits: dict[Place, Replace] = {}
    for explained in explained_findings:
        fix = explained.finding.fix
        for edit in fix.edits if fix is not None else ():
            real = edit.place.real
            if isinstance(edit, Replace) and (real not in edits or edits[real].size < edit.size):
                edits[real] = edit
    if not edits:
        return None
    spans = locate(edits)
    order = sorted(edits, key=lambda place: (place.source, spans[place].line))
    words = dict.fromkeys(f"{edits[place].place.path[-1]}: {edits[place].after}" for place in order)
    lines = tuple(_new_lines(((place, edits[place]) for place in order), spans, text))
    objects = len({(place.source, place.document) for place in order})
    return Repair(tuple(words), order[0].source, spans[order[0]].line, lines, objects)


def _new_lines(
    edits: Iterable[tuple[Place, Replace]], spans: Mapping[Place, object], text: Callable[[str], Sequence[str]]
) -> Iterator[NewLine]:
    for place, edit in edits:
        line: int = spans[place].line  # type: ignore[attr-defined]
        written = _line_of(text(place.source), line)
        changed = _replace_value(written, str(edit.before), str(edit.after))
        if changed:
            yield NewLine(place.source, line, written, changed)


def _line_of(lines: Sequence[str], number: int) -> str:
    """A line of a file; empty where it has none of that number."""
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _replace_value(line: str, old: str, new: str) -> str:
    """A line with another value; empty where the old one does not stand there once."""
    marked = re.sub(rf"(?<![\w.-]){re.escape(old)}(?![\w.-])", lambda _: new, line)
    once = len(re.findall(rf"(?<![\w.-]){re.escape(old)}(?![\w.-])", line)) == 1
    return marked if once and marked != line else ""


def _value_nano(value: str) -> int:
    parsed = amount(value)
    return parsed.nano if isinstance(parsed, Quantity) else 0
