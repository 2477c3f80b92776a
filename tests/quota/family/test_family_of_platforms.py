"""Quotas in a Profile of Kubeflow, an AccountQuota of kiosk and a FederatedResourceQuota of Karmada."""

from __future__ import annotations

from pathlib import Path

import pytest
from family_outcome import Case, document, expected, namespace, outcome_of, params, pod

PROFILE = document(
    "kubeflow.org/v1 Profile", "ann", "spec: {resourceQuotaSpec: {hard: {pods: 5, nvidia.com/gpu: 1}}}\n"
)
GPU = "Profile kf-resource-quota [ann] nvidia.com/gpu -/1 exact"
ACCOUNT = document("config.kiosk.sh/v1alpha1 AccountQuota", "q", 'spec: {account: ann, quota: {hard: {pods: "1"}}}\n')
SPACE = document("tenancy.kiosk.sh/v1alpha1 Space", "a", "spec: {account: ann}\n")
OTHER = document("tenancy.kiosk.sh/v1alpha1 Space", "b", "spec: {account: bob}\n")
HIDDEN = "account ann may have spaces that are not in view"
FEDERATED = document(
    "policy.karmada.io/v1alpha1 FederatedResourceQuota",
    "q",
    "spec: {overall: {memory: 1Gy, nvidia.com/gpu: 4}, staticAssignments: [{clusterName: m, hard: {pod: 2}}]}\n",
    namespace="shop",
)

CASES = [
    Case(
        "a Profile",
        PROFILE + pod("ann"),
        (GPU, "Profile kf-resource-quota [ann] pods 1/5 exact"),
        ("5 QL201 spec.resourceQuotaSpec.hard[nvidia.com/gpu]",),
    ),
    Case(
        "spaces of an account, by their object and by their label",
        ACCOUNT + SPACE + OTHER + namespace("c", "kiosk.sh/account: ann") + pod("a") + pod("b") + pod("c"),
        ("AccountQuota q [a c] pods 2/1 at-least",),
        ("5 QL301 spec.quota.hard[pods]",),
        unknowns=(HIDDEN,),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_it_counts_as_a_quota(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome_of(case, tmp_path, monkeypatch) == expected(case)


def test_a_quota_for_other_clusters_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = outcome_of(Case("federated", FEDERATED, ()), tmp_path, monkeypatch)
    assert [finding.partition(" ")[2] for finding in outcome.findings] == [
        "QL103 spec.overall[memory]",
        "QL102 spec.staticAssignments[0].hard[pod]",
    ]
