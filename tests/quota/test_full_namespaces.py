"""Where anything may be refused is played object by object; elsewhere sums are enough, and nothing is refused."""

from __future__ import annotations

import pytest
from pipeline_runs import facts_of

from quotalint.quota.admissions import full_namespaces


def quota(namespace: str, hard: str) -> str:
    metadata = f"{{name: q, namespace: {namespace}}}"
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {metadata}\nspec: {{hard: {{{hard}}}}}\n"


def shared_quota(hard: str) -> str:
    return (
        "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: all}\n"
        f"spec: {{selector: {{labels: {{matchLabels: {{shared: 'yes'}}}}}}, quota: {{hard: {{{hard}}}}}}}\n"
    )


def namespace(name: str, shared: bool = True) -> str:
    labels = f"{{shared: '{'yes' if shared else 'no'}'}}"
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}, labels: {labels}}}\n"


def web(namespace: str, replicas: int = 2, resources: str = "{}") -> str:
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web, namespace: {namespace}}}\n"
        f"spec:\n  replicas: {replicas}\n  template:\n"
        f"    {{spec: {{containers: [{{name: c, image: c, resources: {resources}}}]}}}}\n"
    )


CPU = "{requests: {cpu: 1}}"
BROKEN = "{requests: {cpu: 2}, limits: {cpu: 1}}"


@pytest.mark.parametrize(
    ("documents", "full"),
    [
        ((quota("shop", "pods: 9"), web("shop")), set()),
        ((quota("shop", "pods: 1"), web("shop")), {"shop"}),
        # It fits, but not beside its own rollout.
        ((quota("shop", "pods: 2"), web("shop")), {"shop"}),
        # It would fit, and is refused for another reason.
        ((quota("shop", "requests.cpu: 9"), web("shop")), {"shop"}),
        ((quota("shop", "requests.cpu: 9"), web("shop", resources=CPU)), set()),
        ((quota("shop", "pods: 9"), web("shop", resources=BROKEN)), {"shop"}),
        # Those that share a quota with it are played with it, and nobody else.
        (
            (
                *(namespace("a"), namespace("b"), namespace("c", shared=False)),
                *(shared_quota("pods: 9"), quota("a", "requests.cpu: 9"), quota("c", "pods: 9")),
                *map(web, "abc"),
            ),
            {"a", "b"},
        ),
        (
            (namespace("a"), namespace("b"), shared_quota("pods: 9"), quota("a", "pods: 9"), *map(web, "ab")),
            set(),
        ),
    ],
)
def test_where_anything_may_be_refused(documents: tuple[str, ...], full: set[str]) -> None:
    facts = facts_of(*documents)
    assert full_namespaces(facts.charges, facts.enforced, facts.by_quota) == full


def test_pods_that_are_refused_for_another_reason_are_no_use_of_any_quota() -> None:
    facts = facts_of(quota("shop", "requests.cpu: 9, pods: 9"), web("shop"))
    (pods,) = (charge for charge in facts.charges["shop"] if charge.kind == "Pod")
    fate = facts.admissions.fate_of(pods)
    assert (fate.admitted, fate.refused) == (0, 2)
    (limit,) = facts.quotas
    assert facts.admissions.ledger.used_by(limit)["pods"].nano == 0
