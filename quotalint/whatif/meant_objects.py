"""Which object of the repository is meant by a name: one, or nobody may guess which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quotalint.facts import Facts
from quotalint.kube.objects import Object, Ref
from quotalint.quota.quotas import Quota
from quotalint.settings.checking import nearest_word
from quotalint.whatif.wishes import Unclear
from quotalint.workloads import makes_pods

_SHOWN = 8
_SHORT = {
    "deploy": "Deployment",
    "sts": "StatefulSet",
    "ds": "DaemonSet",
    "rs": "ReplicaSet",
    "cj": "CronJob",
    "po": "Pod",
    "dc": "DeploymentConfig",
}


def workload_of(subject: str, environments: Sequence[Facts]) -> Ref | Unclear:
    """The workload that `NAME`, `KIND/NAME`, `NAMESPACE/NAME` or `NAMESPACE/KIND/NAME` stands for."""
    workloads = list(
        dict.fromkeys(
            obj.ref
            for facts in environments
            for obj in facts.cluster.objects
            if makes_pods(obj, facts.settings.workloads)
        )
    )
    matches = [ref for ref in workloads if _is_meant(ref, subject)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        return Unclear(f"{subject} may be any of these: {_list_names(map(way_to, matches))}")
    name = subject.rpartition("/")[2]
    near = nearest_word(name, dict.fromkeys(ref.name for ref in workloads))
    ways = sorted(way_to(ref) for ref in workloads if ref.name == (near if near != name else name))
    hint = f"; did you mean {_list_names(ways)}?" if ways else ""
    return Unclear(f"{subject}: there is no workload with this name{hint}")


def way_to(ref: Ref) -> str:
    """How a workload is named so that no other is meant."""
    return f"{ref.namespace}/{ref.kind}/{ref.name}"


def _is_meant(ref: Ref, subject: str) -> bool:
    *around, name = subject.split("/")
    if ref.name != name:
        return False
    if len(around) == 2:
        return around[0] == ref.namespace and _is_kind(around[1], ref.kind)
    return not around or (len(around) == 1 and (around[0] == ref.namespace or _is_kind(around[0], ref.kind)))


def _is_kind(text: str, kind: str) -> bool:
    return _SHORT.get(text.lower(), text).lower() == kind.lower()


def _list_names(names: Iterable[str]) -> str:
    labels = list(names)
    more = f" and {len(labels) - _SHOWN} more" if len(labels) > _SHOWN else ""
    return ", ".join(labels[:_SHOWN]) + more


def quota_of(subject: str, environments: Sequence[Facts]) -> tuple[tuple[str, str], str] | Unclear:
    """The namespace and name of the quota, and the entry, that `NAMESPACE/NAME.ENTRY` or `NAME.ENTRY` stands for."""
    quotas: dict[tuple[str, str], Quota] = {}
    for facts in environments:
        for quota in facts.quotas:
            quotas.setdefault((quota.namespace, quota.name), quota)
    namespace, slash, quota_name = subject.partition("/")
    if not slash or "." in namespace:  # the name of a resource may hold a slash
        namespace, quota_name = "", subject
    # Names may hold dots: the longest that there is counts.
    mine = [key for key in quotas if quota_name.startswith(f"{key[1]}.") and namespace in ("", key[0])]
    longest = max((len(name) for _, name in mine), default=0)
    longest_keys = [key for key in mine if len(key[1]) == longest]
    if len(longest_keys) == 1:
        return longest_keys[0], quota_name[longest + 1 :]
    ways = [f"quota.{namespace}/{name}" for namespace, name in longest_keys or quotas]
    if longest_keys:
        return Unclear(f"quota.{subject} may be any of these: {_list_names(ways)}")
    near = nearest_word(f"quota.{subject}", ways)
    hint = f"; did you mean {near}?" if near else f"; there are {_list_names(ways)}" if ways else "; there is none"
    return Unclear(f"quota.{subject}: there is no quota of this name with an entry after it{hint}")


def scaler_of(ref: Ref, facts: Facts) -> Object | None:
    """The autoscaler that moves the number of a workload's pods."""
    charged = (charge.demand for charge in facts.charges.get(ref.namespace, ()))
    scalers = (demand.size.scaler for demand in charged if demand.owner is not None and demand.owner.ref == ref)
    return next((scaler for scaler in scalers if scaler is not None), None)
