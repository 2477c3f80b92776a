"""What looks at several namespaces, or at every object, looks at what has changed in one of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from edited_repositories import answered, at_work, replaced
from kept_answers import anew, asked
from test_slices import plain_repository

POLICY = """apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: ["*"], operations: ["*"], resources: ["*"]}]}
  validations: [{expression: object.spec.replicas < 3}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec: {policyName: few, validationActions: [Deny]}
"""
QUOTA = """apiVersion: quota.openshift.io/v1
kind: ClusterResourceQuota
metadata: {name: all}
spec: {selector: {labels: {matchExpressions: [{key: z, operator: DoesNotExist}]}}, quota: {hard: {pods: 16}}}
"""


@pytest.mark.parametrize("text", [POLICY, QUOTA], ids=["a policy", "a quota of all namespaces"])
def test_one_more_is_seen(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def make(top: Path) -> None:
        plain_repository(top)
        (top / "all.yaml").write_text(text)

    with at_work(monkeypatch, make):
        before = asked("check")
        replaced("a/web.yaml", "replicas: 2", "replicas: 3")
        after, is_whole = answered(monkeypatch, "check")
        assert (after, is_whole) == (anew("check"), True)
        assert after != before
