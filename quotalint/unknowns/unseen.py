"""Objects that may exist besides those in view, and files that are not counted."""

from __future__ import annotations

from quotalint.kube.objects import Owner
from quotalint.named_tuples import NamedTuple


class Unseen(NamedTuple):
    """Why a namespace may contain more than what is in view."""

    namespace: str
    """Empty: any namespace."""
    reason: str
    kinds: tuple[str, ...] = ()
    """The kinds of objects that may be missing; empty: any."""
    owners: tuple[Owner, ...] = ()
    """The owners of the missing objects: a cluster snapshot with an owner also contains its objects."""


CHART, TEMPLATE, UNAPPLIED, OTHER = "chart", "template", "unapplied", "other"
LIMITING = "limiting"


class Skipped(NamedTuple):
    """A file that was seen but is not counted."""

    name: str
    reason: str
    kind: str = OTHER
    """CHART, TEMPLATE, UNAPPLIED, OTHER, or LIMITING for a template that writes quotas or LimitRanges."""
    namespaces: tuple[str, ...] = ()
    """The namespaces that it may affect."""
    anywhere: bool = False  # it may affect any namespace
    kinds: tuple[str, ...] = ()  # of the objects it may contain; empty: any
