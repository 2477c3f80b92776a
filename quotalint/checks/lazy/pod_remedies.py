"""How to repair resources that the API server refuses in a pod, found by its message."""

from __future__ import annotations

from quotalint.kube import spelling
from quotalint.kube.pod_validation import page_size
from quotalint.text.place import Path

_BY_WORDS = {
    "less than or equal to pod limits": "make the limit of the pod as a whole at least that of each container, or lower"
    " that of the container",
    "less than or equal to": "make each request an amount that is not above its limit; where a LimitRange gives the "
    "limit, write one beside the request or raise its default",
    "aggregate container requests": "raise the request of the pod as a whole to what its containers ask for together, "
    "or lower theirs",
    "aggregate container limits": "raise the limit of the pod as a whole to what its containers have together, or "
    "lower theirs",
    'supported values: "cpu"': "write {resource} in the containers: a pod as a whole asks for cpu, memory and huge "
    "pages alone",
    "Limit must be set": "write {resource} below `limits` as well, with the same amount",
    "must be equal to": "write the same amount of {resource} below `requests` and `limits`",
    "must be an integer": "write a whole number of {resource}",
    "greater than or equal to 0": "write an amount that is not below zero",
    "HugePages require": "ask for cpu or memory as well",
    "integer multiple": "write a multiple of the size of one page",
    "`selector` does not match": "write the same labels in `selector` and in the template; the selector of a workload"
    " that is there already cannot change",
    'supported values: "Always"': "remove `restartPolicy`: the pods of this kind are always restarted",
    "activeDeadlineSeconds in": "remove `activeDeadlineSeconds`, or let a Job run it",
    "valid values: ": "write `restartPolicy: Never`, or `OnFailure`",
    "names in pod.spec.resourceClaims": "name one of the `resourceClaims` of the pod, or add this claim to them",
    "must be unique": "give each mount its own path",
    "other than '='": "write only the name here, and its value below `value`",
    "Duplicate value": "name each claim once, or each request of it; a claim that is named alone is meant with all of"
    " its requests",
    "claims cannot be set": "name the claim in the containers that use it",
    "for a windows pod": "write `resources` in the containers: a Windows pod as a whole has none",
    "non-init containers": "remove `restartPolicy` from the container, or move the container to "
    "`initContainers`, where `Always` keeps it running; Kubernetes 1.35 accepts it unchanged",
    "must be between 1 and": "write a number of seconds from 1 to 2147483647, or remove the field",
    "must not be provided": "remove the field: the API server writes there what the PriorityClass of the pod says",
    "runtimeClass.scheduling": "write the value that the RuntimeClass has, or name another RuntimeClass",
    "empty selector": "write the labels of the template in `selector`, as `matchLabels`",
    "greater than minReadySeconds": "write a longer `progressDeadlineSeconds`, or fewer `minReadySeconds`",
    "completion mode is Indexed": "write the number of `completions`",
    'supported values: "Allow"': "write `Allow`, `Forbid` or `Replace`",
    "fields, found": "write five fields: minute, hour, day of the month, month and day of the week",
    "descriptor": "write five fields, or one of @hourly, @daily, @weekly, @monthly, @yearly and `@every 1h`",
    "duration": "write how long, as in `@every 1h30m`",
    "of range": "write numbers in range: minutes 0-59, hours 0-23, days 1-31, months 1-12, days of the week 0-6 "
    "(Sunday is 0), from the lower one to the higher one",
    "parse int": "write numbers, `*`, or names such as MON and JAN",
    "hyphens": "write one range after another, with commas",
    "slashes": "write one step, as in `*/5`",
    "time zone": "write the name of a time zone, such as Europe/Berlin or Etc/GMT-2 (which is two hours ahead of UTC)",
    "location name": "write the name of a time zone, such as Europe/Berlin",
    "timeZone must": "write the name of a time zone, such as Europe/Berlin, or remove the field",
    "Overhead": "remove `overhead`: the API server writes there what the RuntimeClass of the pod says",
}
"""The first whose key occurs in the message is used."""
_MISSING = {
    "schedule": "write a schedule, such as `0 3 * * *`",
    "name": "give the container a name; in a patch, that of the container which it is to change",
    "containers": "list the containers; a patch whose `containers` have no `name` takes those of the base away",
}
_CLAIM = "write the name of one of the `resourceClaims` of the pod"
_VOLUME = "name one of the `volumes` of the pod, or add this one to them"
_RESOURCES = "write a resource that containers have: cpu, memory, ephemeral-storage, hugepages-2Mi, nvidia.com/gpu"
_PAGES = "name the size of a page as Kubernetes reads it: hugepages-2Mi, hugepages-1Gi"
_AMOUNT = "write a number with one of the suffixes m, k, M, G, T, P, E or Ki, Mi, Gi, Ti, Pi, Ei and nothing else"
_MEANT = {"gpu": "nvidia.com/gpu", "gpus": "nvidia.com/gpu", "storage": "ephemeral-storage"}


def remedy(path: Path, detail: str, written: object) -> str:
    """The advice for the amount at a path; `written` is its current value."""
    resource = str(path[-1])
    if resource == "name" and detail.startswith(("Duplicate", "Not found")):
        return _VOLUME if "volumeMounts" in path else "give each of them a name of its own"
    if "standard resource" in detail or "fully qualified" in detail:
        meant = _MEANT.get(resource.lower()) or spelling.most_similar(resource, ("cpu", "memory", "ephemeral-storage"))
        return f"write {meant}, if that was meant" if meant else _RESOURCES
    if "integer multiple" in detail and page_size(resource) is None:
        return _PAGES
    for words, advice in _BY_WORDS.items():
        if words in detail:
            return advice.format(resource=resource)
    if detail == "Required value":
        return _MISSING.get(resource, _CLAIM)
    meant_amount = spelling.amount(written) if isinstance(written, str) else None
    return f"write `{meant_amount}`, if that was meant" if meant_amount else _AMOUNT
