"""What went out of view between two states: findings about it may still be true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from quotalint.accounts.facts import Facts
from quotalint.diff.state import State
from quotalint.kube.objects import Object, Ref
from quotalint.quota.projection import Uninhabited
from quotalint.results.finding import Finding
from quotalint.text.place import Place
from quotalint.text.reading import File
from quotalint.unknowns.problems import MISSING, REFUSED_CHART
from quotalint.unknowns.unseen import Unseen

_IDLE = frozenset({"ConfigMap", "Secret"})


class LostVisibility:
    """What went out of view between two states."""

    def __init__(self, before: State, after: State, lost: Mapping[Ref, str] = MappingProxyType({})) -> None:
        """`lost`: why objects whose files are still there went out of view."""
        self._lost = lost
        self._before, self._after = before.environments, after.environments
        self._there = frozenset(obj.ref for facts in self._after for obj in facts.cluster.objects)
        self._withheld = {ref: why for facts in self._after for ref, why in facts.withheld.items()}
        unseen = _unseen(self._before)
        self._broken = tuple(self._unread())
        self._hidden = (*self._broken, *(gap for gap in _unseen(self._after) if gap not in unseen))
        unrendered = frozenset(_unrendered(self._before))
        self._unrendered = dict(gap for gap in _unrendered(self._after) if gap not in unrendered)
        self._left = _idle_files(self._after) if _is_by_hand(self._before) else frozenset[str]()

    def lost_reason(self, finding: Finding) -> str:
        """Why a finding of the base may still be true; empty if it is known to be fixed."""
        about = finding.object
        if finding.rule.looks_at == "file":
            return ""
        if about is None or about.ref not in self._there:
            return self.lost_object(about) if about is not None else _reason(self._hidden, "", "")
        if finding.rule.looks_at == "object":
            return ""
        if finding.rule.looks_at == "entry":
            return self._of_entry(about.ref, finding.field)
        return _reason(self._hidden, about.namespace, "")

    def lost_object(self, obj: Object) -> str:
        """Why an object of the base may still exist; empty if it is known to be gone."""
        if obj.ref in self._there:
            return ""
        # Argo CD takes away what is no longer there when it applies the rest.
        withheld = self._withheld.get(obj.ref)
        if withheld:
            return f"{withheld}; what it has applied before stays until somebody deletes it"
        unrendered = next(filter(None, (self._unrendered.get(place) for place in _ways_to(obj))), "")
        if unrendered:
            return unrendered
        file = obj.place.file
        # A person who applied it by hand may still do so.
        left = f"{file} is here as before, though nothing in view deploys it" if file in self._left else ""
        return _reason(self._hidden, obj.namespace, obj.kind) or left or self._lost.get(obj.ref, "")

    def _of_entry(self, quota: Ref, field: str) -> str:
        """Why the sum of an entry is less certain than before."""
        if any(
            candidate.object.ref == quota and facts.is_rejected(candidate)
            for facts in self._after
            for candidate in facts.quotas
        ):
            return "the API server refuses the quota, so that nothing is limited by it"
        earlier_reasons = frozenset(_reasons(self._before, quota, field))
        new_reason = next(
            (reason for reason in _reasons(self._after, quota, field) if reason not in earlier_reasons), ""
        )
        limited = {
            name
            for facts in self._after
            for candidate in facts.quotas
            if candidate.object.ref == quota
            for name in candidate.namespaces
        }
        return new_reason or next(filter(None, (_reason(self._broken, name, "") for name in sorted(limited))), "")

    def _unread(self) -> Iterator[Unseen]:
        """The objects of files that were readable before and are not now."""
        broken = _unreadable(self._after) - _unreadable(self._before)
        held = (obj for facts in self._before if broken for obj in facts.cluster.objects)
        for obj in dict.fromkeys((obj.place.file, obj.ref) for obj in held):
            name, ref = obj
            if name in broken and ref not in self._there:
                yield Unseen(ref.namespace, f"{name} could not be read", (ref.kind,))


def _unrendered(environments: Iterable[Facts]) -> Iterator[tuple[Place, str]]:
    """The places that name sources that could not be rendered, and why."""
    for facts in environments:
        for problem in facts.problems:
            if problem.kind == MISSING:
                stays = "; what it has installed before stays as it is" if problem.cause == REFUSED_CHART else ""
                yield problem.place.real, f"{problem.reason}{stays}"


def _ways_to(obj: Object) -> Iterator[Place]:
    """The entries that include a rendered object, and what each entry is part of."""
    for place in obj.place.made.via if obj.place.made is not None else ():
        path = place.real.path
        yield from (place.real._replace(path=path[:end]) for end in range(len(path), -1, -1))


def _idle_files(environments: Sequence[Facts]) -> frozenset[str]:
    return environments[0].repository.idle - environments[0].repository.fixtures


def _is_by_hand(environments: Sequence[Facts]) -> bool:
    """Whether everything is applied by hand: a repository with deployers has folders that nothing deploys."""
    return not _idle_files(environments)


def _unseen(environments: Iterable[Facts]) -> Mapping[Unseen, None]:
    return dict.fromkeys(gap for facts in environments for gap in facts.unseen)


def _reason(hidden: Iterable[Unseen], namespace: str, kind: str) -> str:
    """Why hidden objects of a kind may be in a namespace; an empty kind means anything that uses a quota."""
    for gap in hidden:
        if gap.namespace in ("", namespace) and (not gap.kinds or (kind in gap.kinds if kind else _matters(gap))):
            return gap.reason
    return ""


def _matters(gap: Unseen) -> bool:
    # Of what is in no namespace nothing uses a quota.
    return bool(gap.namespace) and not _IDLE.issuperset(gap.kinds)


def _reasons(environments: Iterable[Facts], quota: Ref, field: str) -> Iterator[str]:
    for facts in environments:
        for projection in facts.projections:
            if projection.quota.object.ref == quota and projection.quota.field(projection.name) == field:
                # That the last workload went is no secret.
                yield from (reason for reason in projection.unknowns if not isinstance(reason, Uninhabited))


def _unreadable(environments: Iterable[Facts]) -> frozenset[str]:
    repository = next(iter(environments)).repository
    failed: Iterable[File] = (file for file in repository.files if file.reading.failures)
    return frozenset(
        (*(unreadable.name for unreadable in repository.unreadable), *(file.source.name for file in failed))
    )
