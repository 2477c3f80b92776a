"""Words for the namespaces of a quota, and for numbers of objects."""

from __future__ import annotations

from quotalint.kube.objects import Object
from quotalint.quota.quotas import Quota
from quotalint.text.words import list_some

_SHOWN = 5  # namespaces in a message


def namespaces_words(quota: Quota) -> str:
    """`team-a`, `3 namespaces (team-a, team-b, team-c)`; for a budget, the quotas that share it."""
    names = quota.namespaces
    name = names[0] if len(names) == 1 else f"{len(names)} namespaces ({list_some(names, _SHOWN)})"
    if quota.shares is not None:
        return f"The quota of {name}" if len(names) == 1 else f"The quotas of {name}"
    return name


def owner_words(owner: Object, quota: Quota) -> str:
    """`Deployment web`, with its namespace if the quota counts several."""
    words = f"{owner.kind} {owner.title}"
    counts_several = len(quota.namespaces) > 1 and quota.shares is None
    return f"{words} of {owner.namespace}" if counts_several and owner.namespace else words


def number_words(number: int, kind: str) -> str:
    """`1 pod`, `2 pods`, `3 ReplicaSets`."""
    noun = "pod" if kind == "Pod" else kind
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def share_words(number: int, total: int, kind: str) -> str:
    """`4 of 14 pods`, or `the pod` if there is only one."""
    return f"the {'pod' if kind == 'Pod' else kind}" if total == 1 else f"{number} of {number_words(total, kind)}"


def namespaces_verbs(quota: Quota) -> dict[str, str]:
    """The verbs for the namespaces of a quota, as `{asks}` and `{uses}`."""
    is_single = len(quota.namespaces) == 1
    if quota.shares is not None:
        return {"asks": "comes to" if is_single else "add up to", "uses": "takes" if is_single else "take"}
    return {"asks": "asks for" if is_single else "ask for", "uses": "uses" if is_single else "use"}
