"""What an API server limits by default × quotas → refusals, for charges as they are."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.admission import admit_demand
from quotalint.admission.plugins import cluster_plugins
from quotalint.kube.cluster import build_cluster
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.limited_resources import LimitedResource
from quotalint.kube.objects import Object, objects
from quotalint.kube.scopes import OPERATORS, SCOPES, Requirement
from quotalint.quota.charges import Charge, charges
from quotalint.quota.default_limits import uncovered_reasons
from quotalint.quota.quotas import Quota, quota
from quotalint.settings import Nodes
from quotalint.text.place import Place
from quotalint.workloads.namespace_contents import demands

HERE = Place("limits.yaml")
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "a"}}
CONTAINER = {"name": "c", "resources": {"requests": {"cpu": "1", "memory": "0"}, "limits": {"cpu": "2"}}}


def object_of(body: Mapping[str, object]) -> Object:
    return next(objects(body, Place("a.yaml")))


def charge_of(body: Mapping[str, object]) -> Charge:
    """The charge of the object itself."""
    discovery = discover_kinds((), "1.34")
    namespace_plugins = cluster_plugins(build_cluster((object_of(body),), discovery), (), "1.34").within("a")
    actual_charges = charges(
        (admit_demand(demand, namespace_plugins) for demand in demands((object_of(body),), Nodes())), discovery
    )
    return next(charge for charge in actual_charges if charge.owner is not None)


def quota_of(hard: Mapping[str, object], *expressions: object) -> Quota:
    spec = {"hard": hard, "scopeSelector": {"matchExpressions": list(expressions)}}
    return quota(object_of({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"namespace": "a"}, "spec": spec}))


def containing(*texts: str, resource: str = "pods") -> LimitedResource:
    return LimitedResource("", resource, texts, (), HERE)


def scoped(*scopes: Requirement) -> LimitedResource:
    return LimitedResource("", "pods", (), scopes, HERE)


def requirement(scope: str, operator: str = "Exists", *values: str) -> Requirement:
    return Requirement(scope, operator, values, ())


COMPUTE = charge_of({**POD, "spec": {"containers": [CONTAINER]}})
CRITICAL = charge_of({**POD, "spec": {"priorityClassName": "critical"}})
EMPTY = charge_of({**POD, "spec": {}})
EXISTS = {"scopeName": "PriorityClass", "operator": "Exists"}
LONG = "x" * 64

MESSAGES: Mapping[str, tuple[Charge, tuple[Quota, ...], tuple[LimitedResource, ...], list[str]]] = {
    "names are sorted and joined by commas": (
        COMPUTE,
        (),
        (containing("cpu"),),
        ["insufficient quota to consume: cpu,limits.cpu,requests.cpu"],
    ),
    "by entries of any order": (
        COMPUTE,
        (),
        (containing("requests.c"), containing("limits"), containing("limits")),
        ["insufficient quota to consume: limits.cpu,requests.cpu"],
    ),
    "an amount of zero is not consumed": (COMPUTE, (), (containing("memory"),), []),
    "only what a quota lists is covered": (
        COMPUTE,
        (quota_of({"requests.cpu": "0"}),),
        (containing("cpu"),),
        ["insufficient quota to consume: cpu,limits.cpu"],
    ),
    "several quotas together cover": (
        COMPUTE,
        (quota_of({"requests.cpu": "0", "cpu": "1"}), quota_of({"limits.cpu": "1"})),
        (containing("cpu"),),
        [],
    ),
    "a quota that does not match the pod covers nothing that it consumes": (
        COMPUTE,
        (quota_of({"cpu": "1", "limits.cpu": "1", "requests.cpu": "1"}, EXISTS),),
        (containing("cpu"),),
        ["insufficient quota to consume: cpu,limits.cpu,requests.cpu"],
    ),
    "scopes are printed as Go prints structs": (
        CRITICAL,
        (),
        (scoped(requirement("PriorityClass", "In", "low", "critical"), requirement("BestEffort")),),
        ["insufficient quota to match these scopes: [{PriorityClass In [low critical]} {BestEffort Exists []}]"],
    ),
    "the same scope twice is printed twice": (
        CRITICAL,
        (),
        (scoped(requirement("PriorityClass")), scoped(requirement("PriorityClass"))),
        ["insufficient quota to match these scopes: [{PriorityClass Exists []} {PriorityClass Exists []}]"],
    ),
    "a selector covers by its scope, whatever its operator": (
        CRITICAL,
        (quota_of({}, {"scopeName": "PriorityClass", "operator": "NotIn", "values": ["low"]}),),
        (scoped(requirement("PriorityClass", "In", "critical")),),
        [],
    ),
    "unless it does not match": (
        EMPTY,
        (quota_of({}, EXISTS),),
        (scoped(requirement("PriorityClass", "DoesNotExist")),),
        ["insufficient quota to match these scopes: [{PriorityClass DoesNotExist []}]"],
    ),
    "DoesNotExist with values fails, so nothing is checked": (
        CRITICAL,
        (),
        (scoped(requirement("PriorityClass"), requirement("PriorityClass", "DoesNotExist", "low")), containing("pods")),
        [],
    ),
    "a value that is no label fails": (
        CRITICAL,
        (),
        (scoped(requirement("PriorityClass", "In", "critical", LONG)),),
        [],
    ),
    "Exists never fails": (
        CRITICAL,
        (),
        (scoped(requirement("PriorityClass", "Exists", LONG)),),
        [f"insufficient quota to match these scopes: [{{PriorityClass Exists [{LONG}]}}]"],
    ),
    "the operator of other scopes is not looked at": (
        CRITICAL,
        (),
        (scoped(requirement("BestEffort", "Nonsense", "x")),),
        ["insufficient quota to match these scopes: [{BestEffort Nonsense [x]}]"],
    ),
}


@pytest.mark.parametrize("case", MESSAGES, ids=str)
def test_what_no_quota_covers_is_said(case: str) -> None:
    charge, quotas, limited, expected = MESSAGES[case]
    assert [uncovered.message for uncovered in uncovered_reasons(charge, quotas, limited)] == expected


def test_it_names_what_limits() -> None:
    cpu, other = containing("cpu"), containing("storage")
    (uncovered,) = uncovered_reasons(COMPUTE, (quota_of({"cpu": "1", "limits.cpu": "1"}),), (other, cpu))
    assert (uncovered.names, uncovered.by) == (("requests.cpu",), (cpu,))


TEXTS = st.sampled_from(["", "cpu", "pods", "count/", "limits.", "nothing"])
REQUIREMENTS = st.builds(
    Requirement,
    st.sampled_from(sorted(SCOPES)),
    st.sampled_from(OPERATORS),
    st.lists(st.sampled_from(["critical", "low"]), max_size=2).map(tuple),
    st.just(()),
)
LIMITED = st.builds(
    LimitedResource,
    st.just(""),
    st.sampled_from(["pods", "services"]),
    st.lists(TEXTS, max_size=2).map(tuple),
    st.lists(REQUIREMENTS, max_size=2).map(tuple),
    st.just(HERE),
)
QUOTAS = st.builds(
    lambda hard, requirements: quota_of(dict.fromkeys(hard, "1"))._replace(requirements=tuple(requirements)),
    st.lists(st.sampled_from(["cpu", "requests.cpu", "limits.cpu", "pods", "count/pods"])),
    st.lists(REQUIREMENTS, max_size=2),
)
CHARGES = st.sampled_from([COMPUTE, CRITICAL, EMPTY])


@given(CHARGES, st.lists(QUOTAS, max_size=3), QUOTAS, st.lists(LIMITED, max_size=3))
def test_another_quota_only_covers_more(
    charge: Charge, quotas: list[Quota], more: Quota, limited: list[LimitedResource]
) -> None:
    before, after = uncovered_reasons(charge, quotas, limited), uncovered_reasons(charge, [*quotas, more], limited)
    assert _left(after) <= _left(before)


def _left(actual: tuple[object, ...]) -> set[object]:
    return {item for element in actual for part in element[1:3] for item in part}  # type: ignore[index]  # names and scopes
