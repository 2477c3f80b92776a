"""What a check yields: a place, and the values for the texts of the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from quotalint.accounts.facts import Facts
from quotalint.fixes.fix import Fix
from quotalint.kube.guess import Guess
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity, subtract
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place

MANY = "many"
"""The variant of a rule's texts for several findings together."""
UNDECIDED = "undecided"
"""The variant of a hit that says why a policy could not be decided: always information."""


class Related(NamedTuple):
    """Another place that belongs to a finding."""

    label: str
    """Its relation to the finding in one or two words: `used by`."""
    place: Place
    message: str


def written_here(obj: Object) -> Related:
    """The beginning of an object that is partly written elsewhere."""
    is_template = "/templates/" in f"/{obj.place.file}"
    how = "comes from this template" if is_template else "is written here, and changed there"
    return Related("base", obj.place, f"{obj.kind} {obj.name} {how}")


class Note(NamedTuple):
    """Another sentence of a finding."""

    label: str
    text: str
    of_order: bool = False
    """It holds only if everything is created in file order, which is unknown; only machine-readable reports have it."""


def hook_notes(owner: Object) -> tuple[Note, ...]:
    """A note on what stops if the pods of a hook are refused; empty for other objects."""
    if "annotations" not in owner.metadata:  # the common case imports nothing
        return ()
    from quotalint.kube.hooks import ARGO_CD, hook_annotation

    annotation = hook_annotation(owner)
    if not annotation:
        return ()
    if annotation == ARGO_CD:
        return (Note("then", "Argo CD waits for this hook, so the sync stops here"),)
    return (Note("then", "Helm waits for this hook, so the release stops here, and a sync that runs it"),)


class EntryNeed(NamedTuple):
    """The needed and the allowed amount of a quota entry."""

    resource: str
    """The name of the entry."""
    needed: Quantity
    allowed: Quantity

    @property
    def short(self) -> Quantity:
        """By how much the need exceeds the limit."""
        return subtract(self.needed, self.allowed)


class Hit(NamedTuple):
    """One violation of a rule at a place."""

    place: Place
    values: Mapping[str, str]
    """The values for the braces in the rule's texts."""
    object: Object | None = None
    field: str = ""
    """The API server's path of the field."""
    variant: str = "default"
    """Which of the rule's texts is used, if there are several."""
    related: tuple[Related, ...] = ()
    notes: tuple[Note, ...] = ()
    line: int = 0
    """A line and column for text that could not be parsed, and so has no path."""
    column: int = 0
    severity: str = ""
    """The severity, if it differs from the rule's default."""
    resource: str = ""
    """The resource for `ignore: {resources: …}`."""
    fix: Fix | None = None
    """The fix that is applied."""
    ways: tuple[Fix, ...] = ()
    """Other fixes that the help names."""
    group: tuple[str, ...] = ()
    """A key: hits with the same key are reported together, with the rule's `many` texts."""
    guesses: tuple[Guess, ...] = ()
    """The guesses that it depends on; added where the subject is known."""
    entries: tuple[str, ...] = ()
    """The quota entries that it depends on: guesses about users of other entries do not count. Empty: all entries."""
    needs: tuple[EntryNeed, ...] = ()
    """The needs that exceed limits, if the hit is about that."""


def with_guesses(hit: Hit, guesses: tuple[Guess, ...]) -> tuple[Hit, tuple[Guess, ...]]:
    """A hit with the guesses of its subject added, and those guesses."""
    return (hit._replace(guesses=tuple(dict.fromkeys((*hit.guesses, *guesses)))) if guesses else hit), guesses


class Check(NamedTuple):
    """The function that decides one rule, and the type of its subjects."""

    rule: str
    subject: type
    run: Callable[[Any, Facts], Iterator[Hit]]
    kinds: Set[tuple[str, str]] = frozenset()
    """Groups and kinds of objects: without any such object the check does not run, and only such objects are its
    subjects. Empty: all kinds."""

    def subjects(self, facts: Facts) -> Sequence[Any]:
        """The values that the check is called with, in order."""
        if not self.concerns(facts):
            return ()
        present = [kind for kind in self.kinds if facts.cluster.of(*kind)]
        if self.subject is Object and len(present) == 1:  # avoids a search of all objects
            return facts.cluster.of(*present[0])
        return self.of_kinds(facts.subjects(self.subject))

    def concerns(self, facts: Facts) -> bool:
        """Whether the cluster has any object of its kinds."""
        return not self.kinds or any(facts.cluster.of(*kind) for kind in sorted(self.kinds))

    def of_kinds(self, subjects: Sequence[Any]) -> Sequence[Any]:
        """The subjects of its kinds."""
        if not self.kinds or self.subject is not Object:
            return subjects
        return [obj for obj in subjects if (obj.group, obj.kind) in self.kinds]


def check(
    rule: str, subject: type, kinds: Iterable[tuple[str, str]] = ()
) -> Callable[[Callable[[Any, Facts], Iterator[Hit]]], Check]:
    """A decorator for the function of a rule. The function is called once for each subject of the type, with all facts,
    and reports only on its subject; with `kinds` only for such objects."""
    return lambda run: Check(rule, subject, run, frozenset(kinds))
