"""What a developer certainly meant to write: of the suggestions of `spelling`, those that leave no choice."""

from __future__ import annotations

import re

from quotalint.kube import kinds, spelling
from quotalint.kube.discovery import KNOWN, Discovery, resolve
from quotalint.kube.resources import STANDARD_QUOTA, is_extended_quota, quota_name_errors


def certain_name(name: str, discovery: Discovery) -> str | None:
    """The name of `hard` that one which is refused, or never enforced, can only have meant."""
    if quota_name_errors(name):
        suggested, meant = spelling.resource(name), _meant_by_refused(name.strip())
    elif name.startswith("count/"):
        suggested, meant = (
            spelling.object_count(name[len("count/") :], discovery),
            _meant_by_count(name[len("count/") :], discovery),
        )
    else:
        suggested, meant = spelling.tracked_resource(name, discovery), _meant_by_qualified(name, discovery)
    return meant if meant == suggested and meant is not None and _is_enforced(meant, discovery) else None


def certain_scope(written: str, scopes: frozenset[str]) -> str | None:
    """The scope that was meant, written with other capitals or with signs between its words."""
    return next(
        (scope for scope in sorted(scopes) if scope != written and scope.lower() == _letters_only(written)), None
    )


def _letters_only(written: str) -> str:
    return re.sub(r"[-_\s]", "", written).lower()


def _is_enforced(name: str, discovery: Discovery) -> bool:
    if name.startswith("count/"):
        return resolve(discovery, name[len("count/") :]) == KNOWN
    return name in STANDARD_QUOTA or name.startswith("requests.hugepages-") or is_extended_quota(name)


_SIDES = {"limit": "limits", "limits": "limits", "request": "requests", "requests": "requests"}
_RESOURCES = ("cpu", "memory", "ephemeral-storage")


def _meant_by_refused(name: str) -> str | None:
    """Of a name without a slash, or with too many."""
    lower = name.lower()
    words = lower.replace("_", ".").split(".")
    for side, other in (words, words[::-1]) if len(words) == 2 else ():
        if side in _SIDES and (other in _RESOURCES or (other, _SIDES[side]) == ("storage", "requests")):
            return f"{_SIDES[side]}.{other}"
    if name.startswith("limits.hugepages-"):
        return "requests." + name[len("limits.") :]  # huge pages are never overcommitted: both are one number
    for spelled in (lower, lower + "s"):
        if spelled in STANDARD_QUOTA:
            return spelled
    if name.startswith(("count.", "counts/")):
        counted_word = name[6:].lstrip("/")
        return f"count/{counted_word}" if _is_namespaced(counted_word) else _meant_by_word(counted_word)
    return f"count/{name}" if _is_namespaced(name) else _meant_by_word(name)


def _meant_by_count(name: str, discovery: Discovery) -> str | None:
    """Of what follows `count/`."""
    plural, _, group = name.partition(".")
    custom = {
        f"count/{kind.plural}.{kind.group}"
        for kind in discovery.by_plural.values()
        if plural.lower() in (kind.plural, kind.kind.lower()) and group in ("", kind.group)
    }
    own_kind = custom.pop() if len(custom) == 1 else None
    return _meant_by_word(name) or own_kind or (name.lower() if name.lower() in STANDARD_QUOTA else None)


def _meant_by_qualified(name: str, discovery: Discovery) -> str | None:
    """Of a name with a slash."""
    prefix, _, last = name.partition("/")
    if name in ("alpha.kubernetes.io/nvidia-gpu", "requests.alpha.kubernetes.io/nvidia-gpu"):
        return "requests.nvidia.com/gpu"
    side, dot, vendor = prefix.partition(".")
    if dot and side in _SIDES:
        return f"requests.{vendor}/{last}" if "." in vendor else f"count/{last}" if vendor == "count" else None
    if (prefix, last) in discovery.by_plural or kinds.by_plural(prefix, last):
        return f"count/{last}.{prefix}"
    return f"requests.{name}" if "." in prefix else None


def _meant_by_word(name: str) -> str | None:
    """The object count of a plural, a singular or a short name, not of one that merely resembles them."""
    return kinds.suggest_count(name) if kinds.is_countable(name.partition(".")[0].lower()) else None


def _is_namespaced(name: str) -> bool:
    plural, _, group = name.partition(".")
    kind = kinds.by_plural(group, plural)
    return kind is not None and kind.namespaced
