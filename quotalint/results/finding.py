"""Statements of checks → findings: texts, places, fixes and fingerprints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NewType

from quotalint.accounts.facts import Facts
from quotalint.catalogue import SEVERITIES, Rule, filled_text
from quotalint.checks.hit import EntryNeed, Hit, Note, Related, written_here
from quotalint.fixes.fix import Add, Edit, Fix, Rename
from quotalint.kube.guess import Guess, guess_sentences
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.results.fingerprint import fingerprint_of
from quotalint.results.selection import severity_of_hit
from quotalint.settings import Settings
from quotalint.suppression import UNUSED, Silence, Suppression
from quotalint.text.place import Place, Span

_SHOWN = 8  # places with the same label; others are counted


FOUND_AT = "found at"
"""The label of the original place, if a finding is reported at the line of the change that caused it."""


class RelatedPlace(NamedTuple):
    """Another place of a finding, with its lines."""

    label: str
    file: str
    span: Span
    message: str


class ChangeCause(NamedTuple):
    """The part of a change that caused a finding."""

    subject: str
    """The changed object: `Deployment web`."""
    changes: tuple[str, ...]
    """Its changes: `replicas 4 → 12`, `is new` or `is gone`."""
    file: str
    line: int
    """The changed line; empty and 0 if no line says so."""
    eases: bool = False
    """The change reduces a shortage, but not enough."""

    @property
    def label(self) -> str:
        """The label before the cause."""
        return "though" if self.eases else "because"


FindingId = NewType("FindingId", int)


class Finding(NamedTuple):
    """A reported finding."""

    rule: Rule
    severity: str
    message: str
    label: str
    help: str
    file: str
    span: Span
    namespace: str
    object: Object | None
    field: str
    related: tuple[RelatedPlace, ...]
    notes: tuple[Note, ...]
    environments: tuple[str, ...]
    """The environments that it is true in; empty if there is only one."""
    fingerprint: str
    """Identifies the same finding when its lines move."""
    suppressed: Suppression | None = None
    """The suppression that hides it; None if it is reported."""
    fix: Fix | None = None
    """A fix that repairs it everywhere."""
    ways: tuple[Fix, ...] = ()
    """Other fixes that the help names."""
    values: Mapping[str, str] = MappingProxyType({})
    """Values for the texts, such as how much is `short`."""
    guesses: tuple[Guess, ...] = ()
    """The guesses that it depends on."""
    cause: ChangeCause | None = None
    """In a comparison, the part of the change that caused it. Its place is the line of the cause, if there is one."""
    variant: str = "default"
    """The variant of the rule's texts."""
    subjects: frozenset[tuple[str, str, str]] = frozenset()
    """Kind, namespace and name of each object that it is true of: one line may make several objects."""
    needs: tuple[EntryNeed, ...] = ()
    """The needs of quota entries that allow less, if it is about them."""

    @property
    def short(self) -> Quantity | None:
        """By how much the first need exceeds its limit."""
        return self.needs[0].short if self.needs else None

    @property
    def counts(self) -> str:
        """What the rule adds up for the entry; empty if it is about none."""
        of_rule = self.rule.counts
        return of_rule.get(self.variant, of_rule.get("default", ""))

    @property
    def moment(self) -> str:
        """When the demand occurs, such as `during rollouts`; empty for the settled state."""
        of_rule = self.rule.moment
        return of_rule.get(self.variant, of_rule.get("default", ""))

    @property
    def identity(self) -> FindingId:
        """The key of this object in mappings: findings may be equal, and their values cannot be hashed."""
        return FindingId(id(self))

    @property
    def notes_for_people(self) -> tuple[Note, ...]:
        """The notes without those that hold only for one order of creation."""
        return tuple(note for note in self.notes if not note.of_order)

    @property
    def title(self) -> str:
        """The rule's name, and whether something was guessed."""
        return f"{self.rule.name} (assumed)" if self.guesses else self.rule.name


class Statement(NamedTuple):
    """One message about one place, from several objects or environments."""

    rule: Rule
    message: str
    hits: list[tuple[Facts, Hit]]
    silences: dict[Silence, None]


def places_of(statement: Statement) -> Iterator[Place]:
    hit = statement.hits[0][1]
    if not hit.line:
        yield hit.place.real
    yield from (related.place.real for related in _related_places(statement))


def _related_places(statement: Statement) -> Iterator[Related]:
    """The places that the check names, the origins of the object, and the other objects of the statement."""
    hit = statement.hits[0][1]
    yield from hit.related
    yield from _origin_places(hit)
    for _, other in statement.hits[1:]:
        if other.object is None or hit.object is None or other.object.ref == hit.object.ref:
            continue
        rendered_from = other.object.place.made
        place = rendered_from.via[0] if rendered_from is not None and rendered_from.via else other.object.place
        yield Related("also for", place, _distinction(hit.object, other.object))


def _distinction(first: Object, other: Object) -> str:
    """How another object differs from the one of the finding."""
    if other.name == first.name:
        return f"namespace {other.namespace}"
    named = f"{other.kind} {other.name}"
    return named if other.namespace == first.namespace else f"{named} of namespace {other.namespace}"


def _kind_beside(statement: Statement) -> str:
    """A noun for the other objects of a statement."""
    first = statement.hits[0][1].object
    others = [hit.object for _, hit in statement.hits[1:] if hit.object is not None]
    if first is None or all(other.name == first.name for other in others):
        return "namespace"
    return first.kind if all(other.kind == first.kind for other in others) else "object"


def _origin_places(hit: Hit) -> Iterator[Related]:
    """The base of a patched object, and the overlay that includes it."""
    obj = hit.object
    rendered_from = obj.place.made if obj is not None else None
    if obj is None or rendered_from is None:
        return
    here, base = hit.place.real, obj.place.real
    if (base.source, base.document) != (here.source, here.document) and hit.place.made is rendered_from:
        yield written_here(obj)._replace(place=base)
    if rendered_from.via and rendered_from.via[0].file != here.source:
        yield Related("through", rendered_from.via[0], f"{obj.kind} {obj.name} is included here")
    if hit.place.made is rendered_from and here.source == base.source:
        for patch in rendered_from.patches[:_SHOWN]:
            if not patch.path and patch.source != here.source:
                yield Related("values", patch, "sets some of its values")


def shown_others(places: Sequence[RelatedPlace], noun: str) -> tuple[Sequence[RelatedPlace], tuple[Note, ...]]:
    """The places of other objects that are shown, and a note that counts the rest."""
    more = len(places) - _SHOWN
    return places[:_SHOWN], (Note("and", f"{more} more {noun}{'s' * (more > 1)}"),) if more > 0 else ()


def finding_of(statement: Statement, settings: Settings, names: Sequence[str], spans: Mapping[Place, Span]) -> Finding:
    hit = statement.hits[0][1]
    place = hit.place.real
    span = Span(hit.line, hit.column, hit.line, hit.column + 1) if hit.line else spans[place]
    related = [
        RelatedPlace(item.label, item.place.file, spans[item.place.real], item.message)
        for item in _related_places(statement)
    ]
    shown = list(dict.fromkeys(item for item in related if item.label != "also for"))
    others: Sequence[RelatedPlace] = list(dict.fromkeys(item for item in related if item.label == "also for"))
    notes = (*hit.notes, *(Note("sure?", words) for words in guess_sentences(hit.guesses)))
    if others:
        others, beyond = shown_others(others, _kind_beside(statement))
        notes = (*notes, *beyond)
    true_in = {facts.environment for facts, _ in statement.hits}
    first = statement.hits[0][0].environment
    if first and any(other.notes != hit.notes for _, other in statement.hits[1:]):
        notes = (*notes, Note("note", f"the amounts here are those of {first}"))
    severities = [severity_of_hit(statement.rule, hit, settings) for _, hit in statement.hits]
    return Finding(
        rule=statement.rule,
        severity=min(severities, key=SEVERITIES.index),
        message=statement.message,
        label=filled_text(statement.rule.label, hit.variant, hit.values),
        help=filled_text(statement.rule.help, hit.variant, hit.values),
        file=place.source,
        span=span,
        namespace=hit.object.namespace if hit.object else "",
        object=hit.object,
        field=hit.field,
        related=(*shown, *others),
        notes=notes,
        environments=()
        if hit.line or statement.rule.id == UNUSED
        else tuple(name for name in names if name in true_in),
        fingerprint=fingerprint_of(statement.rule, hit, settings),
        fix=_common_fix([hit.fix for _, hit in statement.hits if hit.fix is not None]),
        ways=hit.ways,
        values=hit.values,
        needs=hit.needs,
        guesses=hit.guesses,
        variant=hit.variant,
        subjects=frozenset(
            (entry.object.kind, entry.object.namespace, entry.object.name)
            for _, entry in statement.hits
            if entry.object
        ),
    )


def _common_fix(fixes: Sequence[Fix]) -> Fix | None:
    """One fix for all hits of a statement: edits of the same place are made once."""
    if len(fixes) < 2:
        return next(iter(fixes), None)
    edits: dict[tuple[object, ...], Edit] = {}
    for edit in (edit for fix in fixes for edit in fix.edits):
        edits.setdefault((type(edit), edit.place, edit.key if isinstance(edit, Add) else ""), edit)
    obstacle = next((fix.obstacle for fix in fixes if fix.obstacle), "")
    # If one object does not need an entry and another needs it under its right name, rename it.
    first = next((fix for fix in fixes if any(isinstance(edit, Rename) for edit in fix.edits)), fixes[0])
    return first._replace(edits=tuple(edits.values()), obstacle=obstacle, safe=all(fix.safe for fix in fixes))
