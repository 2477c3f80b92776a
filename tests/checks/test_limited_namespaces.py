"""Limited resources in namespaces that are not known, and quotas that may be there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from limited_resources import CRITICAL, CRITICAL_PODS, LIMIT, Files, Run, pod, quota, selecting, sentences_said, tenant

CASES: Mapping[str, tuple[Files, list[str]]] = {
    # namespaces
    "no namespace": ({**LIMIT, "p.yaml": pod(namespace=None)}, [f"p.yaml {CRITICAL_PODS}"]),
    "no namespace, and a quota that may cover it": (
        {**LIMIT, "x/p.yaml": pod(namespace=None), "y/q.yaml": selecting(CRITICAL, namespace="b")},
        [],
    ),
    "a quota without a namespace may cover it": (
        {**LIMIT, "x/p.yaml": pod(), "y/q.yaml": selecting(CRITICAL, namespace=None)},
        [],
    ),
    "a quota without a namespace that covers nothing": (
        {**LIMIT, "x/p.yaml": pod(), "y/q.yaml": quota({"pods": 9}, None)},
        [f"x/p.yaml {CRITICAL_PODS}"],
    ),
    "a placeholder for a namespace": ({**LIMIT, "p.yaml": pod(namespace="${NS}")}, []),
    "a quota in a placeholder for a namespace": (
        {**LIMIT, "p.yaml": pod(), "q.yaml": selecting(CRITICAL, namespace="${NS}")},
        [],
    ),
    # what is hidden
    "a quota may be in what was not rendered": (
        {**LIMIT, "p.yaml": pod(), "k/kustomization.yaml": {"resources": ["missing.yaml"]}},
        [],
    ),
    "not in that of another namespace": (
        {**LIMIT, "p.yaml": pod(), "k/kustomization.yaml": {"namespace": "b", "resources": ["missing.yaml"]}},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "a tenant may have the namespace": (
        {**LIMIT, "p.yaml": pod(), "t.yaml": tenant(selecting(CRITICAL))},
        [],
    ),
    "a tenant whose quotas cover nothing": (
        {**LIMIT, "p.yaml": pod(), "t.yaml": tenant(quota({"pods": 9}))},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "a quota of OpenShift over several namespaces": (
        {
            **LIMIT,
            "p.yaml": pod(),
            "n.yaml": {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a", "labels": {"team": "a"}}},
            "q.yaml": {
                "apiVersion": "quota.openshift.io/v1",
                "kind": "ClusterResourceQuota",
                "metadata": {"name": "q"},
                "spec": {"selector": {"labels": {"matchLabels": {"team": "a"}}}, "quota": selecting(CRITICAL)["spec"]},
            },
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "a policy that makes quotas": (
        {
            **LIMIT,
            "p.yaml": pod(),
            "c.yaml": {
                "apiVersion": "kyverno.io/v1",
                "kind": "ClusterPolicy",
                "metadata": {"name": "c"},
                "spec": {"rules": [{"generate": selecting(CRITICAL)}]},
            },
        },
        [],
    ),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_in_which_namespace(case: str, checked: Run) -> None:
    files, expected = CASES[case]
    assert sentences_said(checked(files)) == expected
