"""What a check yields: a place and the values for the words that stand in the rule catalogue."""

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
"""The variant of the words of a rule that speaks of several."""
UNDECIDED = "undecided"
"""The variant of a hit that says why a policy is neither kept nor broken: never more than information."""


class Related(NamedTuple):
    """Another place that has to do with a finding."""

    label: str
    """How it stands to it, in a word or two: `used by`."""
    place: Place
    message: str


def written_here(obj: Object) -> Related:
    """Where an object begins of which a part is written elsewhere."""
    is_template = "/templates/" in f"/{obj.place.file}"
    how = "comes from this template" if is_template else "is written here, and changed there"
    return Related("base", obj.place, f"{obj.kind} {obj.name} {how}")


class Note(NamedTuple):
    """Another sentence of a finding."""

    label: str
    text: str
    of_order: bool = False
    """It is true if everything is created in the order of the files, and nobody knows that: only programs are told."""


class EntryNeed(NamedTuple):
    """What is asked of an entry of a quota, and what it allows."""

    resource: str
    """The name of the entry."""
    needed: Quantity
    allowed: Quantity

    @property
    def short(self) -> Quantity:
        """How much is missing."""
        return subtract(self.needed, self.allowed)


class Hit(NamedTuple):
    """A rule that applies to a place."""

    place: Place
    values: Mapping[str, str]
    """What the rule's texts name in braces."""
    object: Object | None = None
    field: str = ""
    """The API server's path of the field."""
    variant: str = "default"
    """Which of the rule's texts to use, where it has several."""
    related: tuple[Related, ...] = ()
    notes: tuple[Note, ...] = ()
    line: int = 0
    """A line and column known from reading, for what no path names (text that could not be parsed)."""
    column: int = 0
    severity: str = ""
    """Where this case is more or less severe than the rule's default."""
    resource: str = ""
    """The resource that it is about, for `ignore: {resources: …}`."""
    fix: Fix | None = None
    """What repairs it."""
    ways: tuple[Fix, ...] = ()
    """What else the help names that would."""
    group: tuple[str, ...] = ()
    """What it is one of many of: they are said together, with the `many` words of the rule."""
    guesses: tuple[Guess, ...] = ()
    """What it rests on and nothing in view says; stamped where the subject is known."""
    entries: tuple[str, ...] = ()
    """The entries of its quota that it is about: what is guessed of who uses the others is not what it rests on. Empty:
    all."""
    needs: tuple[EntryNeed, ...] = ()
    """What is asked of entries that allow less, where that is what it is about."""


def with_guesses(hit: Hit, guesses: tuple[Guess, ...]) -> tuple[Hit, tuple[Guess, ...]]:
    """A hit that rests on what its subject rests on as well, and that."""
    return (hit._replace(guesses=tuple(dict.fromkeys((*hit.guesses, *guesses)))) if guesses else hit), guesses


class Check(NamedTuple):
    """A function that decides one rule, and what it is called with."""

    rule: str
    subject: type
    run: Callable[[Any, Facts], Iterator[Hit]]
    kinds: Set[tuple[str, str]] = frozenset()
    """Groups and kinds of objects: where none of them is, there is nothing to say. Of objects only these are subjects.
    Empty: whatever there is."""

    def subjects(self, facts: Facts) -> Sequence[Any]:
        """What it is called with, in order."""
        if not self.concerns(facts):
            return ()
        present = [kind for kind in self.kinds if facts.cluster.of(*kind)]
        if self.subject is Object and len(present) == 1:  # no need to look through all of ten thousand
            return facts.cluster.of(*present[0])
        return self.of_kinds(facts.subjects(self.subject))

    def concerns(self, facts: Facts) -> bool:
        """Whether there is anything of the kinds that it is about."""
        return not self.kinds or any(facts.cluster.of(*kind) for kind in sorted(self.kinds))

    def of_kinds(self, subjects: Sequence[Any]) -> Sequence[Any]:
        """Those that it is called with, once it concerns anything."""
        if not self.kinds or self.subject is not Object:
            return subjects
        return [obj for obj in subjects if (obj.group, obj.kind) in self.kinds]


def check(
    rule: str, subject: type, kinds: Iterable[tuple[str, str]] = ()
) -> Callable[[Callable[[Any, Facts], Iterator[Hit]]], Check]:
    """Label a function as the judgement of a rule. It is called once for each subject of the type, may read all facts,
    and reports on its subject alone; with `kinds` only where there are such objects."""
    return lambda run: Check(rule, subject, run, frozenset(kinds))
