"""What is wrong with a kustomization, or could not be rendered here."""

from __future__ import annotations

from quotalint.gitops.unseen_causes import SharedCause
from quotalint.kube.objects import Owner
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place

MISSING = "missing"  # objects are missing for it
REFUSED = "refused"  # Kustomize refuses to build
UNRENDERED = "unrendered"  # a field that is not rendered here: an object may look otherwise
TEXT = "text"  # long texts may differ in their line breaks, nothing else
ABSENT = "absent"  # the cause: a path of a kustomization leads to nothing in the repository
HELM = "helm"  # the cause: a chart is there, and what renders it is off, or a program that is not there
REFUSED_CHART = "chart"  # the cause: Helm itself refuses a chart with its values
HIDDEN = "hidden"  # the cause: what is here only stands for the content of a file (Git LFS, git-crypt)
LIBRARY = "library"  # the cause: a chart is there, and Helm's library is not
DENIED = "denied"  # a project of Argo CD does not allow it, so that nothing of it is applied
AS_OBJECT = "as object"  # Argo CD takes a kustomization for an object, so that no sync succeeds
BELOW = "below"  # the cause: that is none of the folder that an Application names, but lies below
FAILING = "failing"  # the cause: an ApplicationSet for which Argo CD can make no Applications
EXPENSIVE = "expensive"  # the cause: it takes more work than a run may do
SYNTAX = "syntax"  # the cause: Flux cannot read the variables of a text, and applies nothing
EMPTY_KUSTOMIZATION = "empty"  # Kustomize refuses to build what holds nothing, and nobody builds on it
KEPT_OUT = "kept out"  # a file that a generator reads is kept out of the repository on purpose
LOAD = "load"  # refused by Kustomize's load restrictions alone


class Problem(NamedTuple):
    """One of them."""

    place: Place
    """The entry that it is about."""
    reason: str
    kind: str
    via: tuple[Place, ...] = ()
    """The entries through which a kustomization comes to it, the outermost first."""
    namespace: str = ""
    """The namespace that all the objects are put into, where a kustomization on the way says so."""
    only: tuple[str, ...] = ()
    """The kinds of objects that may be missing; empty: any."""
    cycle: bool = False
    cause: str = ""
    """ABSENT, BELOW, FAILING, HELM, HIDDEN, LIBRARY, REFUSED_CHART, SYNTAX, or nothing in particular."""
    shared: SharedCause | None = None
    """What it has in common with problems elsewhere, where it has."""
    subject: str = ""
    """What is not rendered: `Application web`."""
    target: str = ""
    """Where a path that leads to nothing does lead, by its name in the repository: the same for all that name it."""
    limits: bool = False
    """Whether quotas or LimitRanges are written in what is missing."""
    may_lower: bool = False
    """What was left out might have changed the objects that are here, so that sums may be lower, too."""
    owners: tuple[Owner, ...] = ()
    """What the missing objects would belong to."""
    line: int = 0
    """The line and column in the file of the place, where reading stopped at them."""
    column: int = 0

    @property
    def hides_limits(self) -> bool:
        """Whether a quota or a LimitRange is not seen for what is wrong here. That Helm is not there is said by itself,
        once for all charts."""
        return self.limits and self.cause not in (HELM, LIBRARY)

    def seen_through(self, entry: Place, namespace: str) -> Problem:
        """As a kustomization sees it that comes to it through an entry."""
        # Where Kustomize refuses a base, it builds nothing of what takes it in either, in whichever namespace that is.
        kind = REFUSED if self.kind == EMPTY_KUSTOMIZATION else self.kind
        narrower = self.namespace if kind != REFUSED or self.may_lower else ""
        return self._replace(kind=kind, via=(entry, *self.via), namespace=namespace or narrower)
