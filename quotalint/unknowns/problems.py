"""Problems of a kustomization: refused, missing or not rendered here."""

from __future__ import annotations

from quotalint.kube.objects import Owner
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place
from quotalint.unknowns.causes import SharedCause

MISSING = "missing"  # objects are missing
REFUSED = "refused"  # Kustomize refuses to build
UNRENDERED = "unrendered"  # a field is not rendered here, so an object may differ
TEXT = "text"  # only line breaks in long strings may differ
ABSENT = "absent"  # cause: a path in a kustomization does not exist in the repository
HELM = "helm"  # cause: a chart is not rendered because its renderer is off or not installed
REFUSED_CHART = "chart"  # cause: Helm refuses the chart with its values
HIDDEN = "hidden"  # cause: a file is a Git LFS pointer or encrypted by git-crypt
LIBRARY = "library"  # cause: a chart is not rendered because Helm's library is missing
DENIED = "denied"  # an Argo CD project denies it, so nothing of it is applied
AS_OBJECT = "as object"  # Argo CD applies a kustomization as an object, so that no sync succeeds
BELOW = "below"  # cause: that kustomization is not in the Application's folder but below it
FAILING = "failing"  # cause: Argo CD cannot generate Applications from an ApplicationSet
UNREAD = "unread"  # cause: a file in another language cannot be parsed
EXPENSIVE = "expensive"  # cause: it exceeds the work limit of a run
SYNTAX = "syntax"  # cause: Flux cannot parse the variables in a text, and applies nothing
EMPTY_KUSTOMIZATION = "empty"  # Kustomize refuses to build an empty kustomization; no other one builds on it
KEPT_OUT = "kept out"  # a generator reads a file that is deliberately not in the repository
LOAD = "load"  # refused only by Kustomize's load restrictions


class Problem(NamedTuple):
    """A problem found while building."""

    place: Place
    """The entry that has the problem."""
    reason: str
    kind: str
    via: tuple[Place, ...] = ()
    """The kustomization entries that lead to it, outermost first."""
    namespace: str = ""
    """The namespace that an overlay on the way sets for all objects; empty if none does."""
    only: tuple[str, ...] = ()
    """The kinds of objects that may be missing; empty: any kind."""
    cycle: bool = False
    cause: str = ""
    """ABSENT, BELOW, FAILING, HELM, HIDDEN, LIBRARY, REFUSED_CHART, SYNTAX, UNREAD, or empty."""
    shared: SharedCause | None = None
    """The cause shared with problems elsewhere; None if there is none."""
    subject: str = ""
    """The object that is not rendered: `Application web`."""
    target: str = ""
    """The repository path of a missing target; the same for all entries that name it."""
    limits: bool = False
    """Whether the missing part defines quotas or LimitRanges."""
    may_lower: bool = False
    """Whether the skipped part might change rendered objects, so that sums may be lower too."""
    owners: tuple[Owner, ...] = ()
    """The owners of the missing objects."""
    line: int = 0
    """Line and column in the file of `place` where a parser stopped; 0 if unknown."""
    column: int = 0

    @property
    def hides_limits(self) -> bool:
        """Whether the problem hides a quota or LimitRange. Missing Helm is reported once for all charts, so it does not
        count."""
        return self.limits and self.cause not in (HELM, LIBRARY)

    def seen_through(self, entry: Place, namespace: str) -> Problem:
        """The problem as the kustomization reports it that includes the source through `entry`."""
        # If Kustomize refuses a base, it builds nothing that includes it, in any namespace.
        kind = REFUSED if self.kind == EMPTY_KUSTOMIZATION else self.kind
        narrower = self.namespace if kind != REFUSED or self.may_lower else ""
        return self._replace(kind=kind, via=(entry, *self.via), namespace=namespace or narrower)
