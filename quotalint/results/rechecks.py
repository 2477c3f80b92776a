"""Reuse of what checks found in earlier looks of an editor, as long as everything that they read is unchanged.

Each look builds new facts, except for parts that have not changed (`runtime/recall.py`). Then, for each check:

- Its subjects are split into groups: a namespace or a folder each; a check of everything has one group.
- The hits of a group are stored with the paths through the facts that the check read (`watched.py`), such as `enforced`
  of namespace `shop`, or all of `cluster.objects`.
- In the next look, a group runs again if its subjects or the values at these paths have changed. The hits of other
  groups are reused, in the order of subjects.

So the cost of a change depends on what reads it. A check that raises runs without reuse.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from quotalint.accounts.facts import Facts, RefusedQuota
from quotalint.checks.hit import Check, Hit, with_guesses
from quotalint.kube.guess import Guess
from quotalint.kube.limit_range import LimitRange
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.projection import Projection
from quotalint.quota.quotas import Quota
from quotalint.results.selection import guesses_of
from quotalint.runtime.resource_limits import share
from quotalint.runtime.watched import Watched, Way, is_same, start_of, value_at
from quotalint.text.place import Place
from quotalint.text.reading import File

SubjectHits = tuple[object, Sequence[tuple[Hit, tuple[Guess, ...]]]]
"""The hits of a subject, each with the guesses that it depends on."""
_Group = tuple[object, ...]
_Where = tuple[Place, str]
_FEW = 1000  # unused paths that may collect before they are removed


class _CheckHits:
    """The hits of one check in one environment. A class because changed groups are replaced in place."""

    def __init__(self) -> None:
        self.ways: dict[object, frozenset[Way]] = {}
        """By group: the paths that the check read."""
        self.groups: dict[Way, set[object]] = {}
        """By path: the groups that read it."""
        self.hits: dict[object, list[SubjectHits]] = {}
        """The hits of each group that has any."""
        self.checked_groups: Mapping[object, _Group] | None = None
        """The groups of the last look. If they are the same objects, all of them have been checked."""
        self.in_order: tuple[dict[int, int] | None, list[SubjectHits]] = None, []
        """All hits in the order of subjects, and that order."""

    def forget(self, group: object) -> None:
        for way in self.ways.pop(group, ()):
            self.groups[way].discard(group)
        self.hits.pop(group, None)
        self.in_order = None, []

    def keep(self, group: object, ways: Iterable[Way], results: list[SubjectHits]) -> None:
        self.ways[group] = frozenset(ways)
        for way in self.ways[group]:
            self.groups.setdefault(way, set()).add(group)
        if results:
            self.hits[group] = results
        self.in_order = None, []


class _Scene(NamedTuple):
    """One environment in one look."""

    name: str
    """The name of the environment; for unapplied facts a name that no environment has."""
    facts: Facts
    subjects: dict[type, Mapping[object, _Group]]
    changed: dict[type, set[object]]
    """By type of subject, the groups that have changed."""
    ways: set[Way]
    """The paths whose values have changed."""


class Rechecks:
    """The stored hits. A class because it lasts from look to look."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str, object], _CheckHits] = {}
        self._values: dict[str, dict[Way, dict[Way, object]]] = {}
        """By environment and by the beginning of a path: the value at the end of each path."""
        self._sizes: dict[str, int] = {}
        """By environment: the number of paths after unused ones were removed."""
        self._subjects: dict[tuple[str, type], tuple[object, Mapping[object, _Group]]] = {}
        """The subjects in groups, and the value that they were taken from."""
        self._orders: dict[tuple[str, type], tuple[object, dict[int, int]]] = {}
        self._facts: dict[str, Facts] = {}
        """The facts of the last look."""
        self._scenes: dict[str, _Scene] = {}
        self._names: dict[int, str] = {}
        """The name of the environment, by the `id` of its facts."""

    def begin(self, environments: Iterable[Facts], unapplied: Iterable[Facts]) -> None:
        """Start a look: find what has changed in each environment, and in unapplied facts."""
        named = [(facts.environment, facts) for facts in environments]
        named += [(f"\0{number}", facts) for number, facts in enumerate(unapplied)]
        self._names = {id(facts): name for name, facts in named}
        self._scenes = {name: self._scene(name, facts) for name, facts in named}
        self._answers = {key: answers for key, answers in self._answers.items() if key[0] in self._scenes}
        self._subjects = {key: subjects for key, subjects in self._subjects.items() if key[0] in self._scenes}
        self._orders = {key: order for key, order in self._orders.items() if key[0] in self._scenes}
        for name in self._facts.keys() - self._scenes.keys():
            del self._facts[name], self._values[name]

    def _scene(self, name: str, facts: Facts) -> _Scene:
        known = self._values.setdefault(name, {})
        if sum(map(len, known.values())) > 2 * self._sizes.get(name, 0):
            own = [answers for key, answers in self._answers.items() if key[0] == name]
            taken = {way for answers in own for way, groups in answers.groups.items() if groups}
            self._values[name] = known = {
                start: {way: value for way, value in ways.items() if way in taken} for start, ways in known.items()
            }
            self._sizes[name] = sum(map(len, known.values())) + _FEW
        changed = set()
        earlier = self._facts.get(name)
        for start, ways in known.items():
            beginning = value_at(facts, start)
            if earlier is not None and value_at(earlier, start) is beginning:
                continue
            for way, before in ways.items():
                now = value_at(beginning, way[len(start) :])
                if before is now:
                    continue
                if not is_same(before, now):
                    changed.add(way)
                # Use the new value, so that the old one can be freed.
                ways[way] = now
        self._facts[name] = facts
        return _Scene(name, facts, {}, {}, changed)

    def find_hits(self, check: Check, facts: Facts) -> Iterator[SubjectHits] | None:
        """The hits of a check in an environment, in the order of its subjects; None if it raises: the caller then runs
        it without reuse."""
        try:
            return self._find_hits(check, facts)
        except Exception:
            self._answers.pop((self._names[id(facts)], check.rule, check.run), None)
            return None

    def ways(self) -> Iterator[Way]:
        """All paths through the facts that checks have read, in all environments."""
        for answers in self._answers.values():
            for ways in answers.ways.values():
                yield from ways

    def _find_hits(self, check: Check, facts: Facts) -> Iterator[SubjectHits]:
        scene = self._scenes[self._names[id(facts)]]
        groups = self._groups(check.subject, scene)
        answers = self._answers.setdefault((scene.name, check.rule, check.run), _CheckHits())
        stale = {group for way in scene.ways for group in answers.groups.get(way, ())}
        stale |= scene.changed[check.subject]
        if answers.checked_groups is not groups:
            stale.update(group for group in groups if group not in answers.ways)
            answers.checked_groups = groups
        for group in stale:
            before = answers.hits.get(group, ())
            answers.forget(group)
            if group in groups:
                self._check_group(check, group, groups[group], scene, answers, _hits_by_place(before))
        order = self._order(check.subject, scene) if len(answers.hits) > 1 else {}
        if answers.in_order[0] is not order:
            results = [result for of_group in answers.hits.values() for result in of_group]
            if len(answers.hits) > 1:
                results.sort(key=lambda result: order[id(result[0])])
            answers.in_order = order, results
        return iter(answers.in_order[1])

    def _check_group(
        self,
        check: Check,
        group: object,
        subjects: _Group,
        scene: _Scene,
        answers: _CheckHits,
        earlier: Mapping[_Where, Hit],
    ) -> None:
        ways: set[Way] = set()
        watched: Any = Watched(scene.facts, ways)
        results: list[SubjectHits] = []
        with share():
            # Read the object itself: through the facts, the answer would depend on all objects of its kind.
            for subject in check.of_kinds(subjects) if check.subject is Object or check.concerns(watched) else ():
                hits = list(check.run(watched if subject is scene.facts else subject, watched))
                if hits:
                    with_all = (with_guesses(hit, guesses_of(check, subject, hit, watched)) for hit in hits)
                    results.append((subject, [(_as_before(hit, earlier), guesses) for hit, guesses in with_all]))
        known = self._values[scene.name]
        for way in ways:
            beginning = known.setdefault(way[: start_of(way)], {})
            if way not in beginning:
                beginning[way] = value_at(scene.facts, way)
        answers.keep(group, ways, results)

    def _groups(self, kind: type, scene: _Scene) -> Mapping[object, _Group]:
        if kind not in scene.subjects:
            key = scene.name, kind
            source = _source(kind, scene.facts)
            known_source, before = self._subjects.get(key, (None, {}))
            if source is not None and source is known_source:
                scene.changed[kind] = set()
                scene.subjects[kind] = before
                return before
            now = _group_subjects(kind, scene.facts)
            scene.changed[kind] = {
                group for group in before.keys() | now.keys() if not is_same(before.get(group), now.get(group))
            }
            if kind is Facts:  # only the paths count
                scene.changed[kind] = set()
            scene.subjects[kind] = now
            self._subjects[key] = source, now
        return scene.subjects[kind]

    def _order(self, kind: type, scene: _Scene) -> dict[int, int]:
        source, order = self._orders.get((scene.name, kind), (None, {}))
        if source is None or source is not _source(kind, scene.facts):
            source = _source(kind, scene.facts)
            order = {id(subject): at for at, subject in enumerate(scene.facts.subjects(kind))}
            self._orders[scene.name, kind] = source, order
        return order


def _hits_by_place(statements: Iterable[SubjectHits]) -> Mapping[_Where, Hit]:
    return {(hit.place, hit.field): hit for _, hits in statements for hit, _ in hits}


def _as_before(hit: Hit, earlier: Mapping[_Where, Hit]) -> Hit:
    """The stored hit object if an equal one was found at the place before."""
    before = earlier.get((hit.place, hit.field))
    return before if before is not None and before.object is hit.object and before == hit else hit


def _source(kind: type, facts: Facts) -> object:
    """The source of the subjects of a kind: the same value for the same subjects."""
    if kind is Facts:
        return None
    return facts.charges if kind is Charge else facts.subjects(kind)


def _group_subjects(kind: type, facts: Facts) -> Mapping[object, _Group]:
    if kind is Charge:
        return {namespace: charges for namespace, charges in facts.charges.items() if charges}
    if kind not in _GROUPS:  # a subject may occur several times
        return {"": facts.subjects(kind)}
    group_of = _GROUPS[kind]
    groups: dict[object, list[object]] = {}
    for subject in facts.subjects(kind):
        groups.setdefault(group_of(subject), []).append(subject)
    return {group: tuple(subjects) for group, subjects in groups.items()}


_GROUPS: Mapping[type, Any] = {
    Object: lambda obj: obj.namespace,
    Quota: lambda quota: quota.object.namespace,
    RefusedQuota: lambda refused: refused.quota.object.namespace,
    Projection: lambda projection: projection.quota.object.namespace,
    LimitRange: lambda limits: limits.namespace,
    File: lambda file: posixpath.dirname(file.source.name),
}
