"""Which of the fields that changed can have moved an entry of a quota, and which did so most likely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quotalint.diff.field_changes import FieldChange

_NUMBERS = frozenset(
    {
        "replicas",
        "parallelism",
        "completions",
        "minReplicas",
        "maxReplicas",
        "minReplicaCount",
        "maxReplicaCount",
        "maxSurge",
        "maxUnavailable",
        "concurrencyPolicy",
        "schedule",
        "suspend",
        "minAvailable",
        "minScale",
        "maxScale",
        "podManagementPolicy",
        "revisionHistoryLimit",
    }
)
_SCOPES = frozenset({"priorityClassName", "activeDeadlineSeconds", "storageClassName", "runtimeClassName", "namespace"})
_SIZES = ("requests", "limits", "overhead", "default", "defaultRequest", "max", "min", "capacity", "maxAllowed")
_PARTS = frozenset({"containers", "initContainers", "volumes", "volumeClaimTemplates", "resourceClaims"})


def relevant_changes(changes: Iterable[FieldChange], resource: str, by_number: bool) -> tuple[FieldChange, ...]:
    """The changes that an entry of a quota depends on, the likeliest first; none where only others were made.
    `by_number`: it moved since there are more or fewer objects, rather than larger or smaller ones."""
    rated = [
        (rank, at, one)
        for at, one in enumerate(changes)
        if (rank := _change_rank(one, resource, by_number)) is not None
    ]
    return tuple(one for _, _, one in sorted(rated, key=lambda each: each[:2]))


def field_words(change: FieldChange) -> str:
    """The field as people call it: `replicas`, `requests.memory`, `default.memory`."""
    names = [str(step) for step in change.path if isinstance(step, str)]
    if len(names) > 1 and names[-2] in _SIZES:
        return f"{names[-2]}.{names[-1]}"
    return names[-1] if names else ""


def _change_rank(change: FieldChange, resource: str, by_number: bool) -> int | None:
    names = [step for step in change.path if isinstance(step, str)]
    leaf = names[-1] if names else ""
    if leaf in _NUMBERS or (leaf == "count" and isinstance(change.new, int)):
        return 0 if by_number else 4
    if leaf in _SCOPES:
        return 3
    kind, name = _resource_parts(resource)
    if name and leaf == name and any(size in names for size in _SIZES):
        exactly = kind in names or (kind == "limits" and "default" in names) or "defaultRequest" in names
        return 1 if exactly else 2
    if _is_part(change.path):
        return 5
    return None


def _is_part(path: Sequence[str | int]) -> bool:
    """A container, claim or volume as a whole, which comes or goes."""
    names = [step for step in path if isinstance(step, str)]
    return bool(names) and (names[-1] in _PARTS or (names[-1] == "name" and bool(_PARTS.intersection(names))))


def _resource_parts(resource: str) -> tuple[str, str]:
    """`limits.memory` → limits and memory; a number of objects has no such name."""
    plain = resource.rpartition("storageclass.storage.k8s.io/")[2]
    if plain.startswith(("requests.", "limits.")):
        kind, _, name = plain.partition(".")
        return kind, name
    return ("requests", plain) if plain in ("cpu", "memory", "ephemeral-storage") else ("", "")
