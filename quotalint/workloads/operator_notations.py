"""Resources of containers that Spark and Flink write in their own notations, as they request them of Kubernetes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.fields import Body, mapping, text
from quotalint.kube.objects import Object
from quotalint.text.lazy_patterns import lazy_pattern

_MIB = 2**20
_SIZE = lazy_pattern(r"([0-9]{1,15}) ?([kmgt])b?", re.IGNORECASE)
_FACTOR = lazy_pattern(r"([0-9]{1,3})(?:\.([0-9]{1,6}))?")
_UNITS = {"k": 2**10, "m": _MIB, "g": 2**30, "t": 2**40}
_LEAST_OVERHEAD = 384 * _MIB
_JVM = ("Java", "Scala")

Read = tuple[Body, Mapping[tuple[str, str], str]]
"""The resources, and the field of each amount."""


def bytes_of(written: object) -> int | None:
    """The bytes of a size in the JVM's notation, in which `512m` are mebibytes; None for any other."""
    match = _SIZE.fullmatch(text(written).strip())
    return int(match[1]) * _UNITS[match[2].lower()] if match else None


def spark_resources(obj: Object, pod: Body) -> Read:
    """Those of a driver or executor: memory with the overhead, as request and limit."""
    conf = mapping(obj.spec.get("sparkConf"))
    unknown = UnknownAmount(
        (), "is not known", for_all=f"the settings of Spark decide amounts of {obj.kind} {obj.name}"
    )
    is_request = pod.get("coreRequest") is not None
    cores = pod.get("coreRequest") if is_request else pod.get("cores")
    requests = {"cpu": unknown if cores is None else cores, "memory": _spark_memory(obj, pod) or unknown}
    limits: dict[str, object] = {"memory": requests["memory"]}
    if pod.get("coreLimit") is not None:
        limits["cpu"] = pod["coreLimit"]
    elif pod.get("template") or obj.spec.get("sparkConfigMap") or any(".limit.cores" in str(key) for key in conf):
        limits["cpu"] = unknown
    return {"requests": requests, "limits": limits}, {
        ("requests", "cpu"): "coreRequest" if is_request else "cores",
        ("limits", "cpu"): "coreLimit",
        ("requests", "memory"): "memory",
        ("limits", "memory"): "memory",
    }


def _spark_memory(obj: Object, pod: Body) -> str:
    memory = bytes_of(pod.get("memory"))
    overhead = bytes_of(pod.get("memoryOverhead"))
    is_configured = any("memoryOverhead" in str(key) for key in mapping(obj.spec.get("sparkConf")))
    if memory is not None and pod.get("memoryOverhead") is None and not is_configured:
        written = obj.spec.get("memoryOverheadFactor")
        default = "0.1" if text(obj.spec.get("type")) in _JVM else "0.4"
        factor = _FACTOR.fullmatch(default if written is None else text(written))
        if factor:
            overhead = max(memory * int(f"{factor[1]}{factor[2] or '':0<6}") // 10**6, _LEAST_OVERHEAD)
    return "" if memory is None or overhead is None else f"{(memory + overhead) // _MIB}Mi"


def flink_resources(obj: Object, resource: Body) -> Read:
    """Those of a JobManager or TaskManager: the same amounts as requests and limits."""
    words = f"the settings of Flink decide amounts of {obj.kind} {obj.name}"
    amounts: dict[str, object] = dict.fromkeys(("cpu", "memory"), UnknownAmount((), "is not known", for_all=words))
    if resource.get("cpu") is not None:
        amounts["cpu"] = resource["cpu"]
    memory = text(resource.get("memory"))
    if memory:
        size = bytes_of(memory)
        amounts["memory"] = memory if size is None else f"{size // _MIB}Mi"
    fields = {(side, name): name for side in ("requests", "limits") for name in amounts}
    return {"requests": amounts, "limits": amounts}, fields


READERS: Mapping[str, Callable[[Object, Body], Read]] = {"flink": flink_resources, "spark": spark_resources}
