"""The labels and annotations that an Application asks for on the namespace that Argo CD makes for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from argocd_repositories import source
from gitops_outcome import Case, expected, outcome, params
from manifests import quota, web

LABELLED = "syncOptions: [CreateNamespace=true], managedNamespaceMetadata: {labels: {team: a}}"
RANCHER = """
    syncOptions: [CreateNamespace=true]
    managedNamespaceMetadata:
      labels: {team: a}
      annotations:
        field.cattle.io/resourceQuota: '{"limit": {"pods": "1"}}'
"""
OF_TEAM_A = (
    "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: team}\n"
    'spec:\n  selector: {labels: {matchLabels: {team: a}}}\n  quota:\n    hard:\n      pods: "1"\n'
)
NAMED_ANEW = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a, labels: {team: b}}\n"


def _application(sync_policy: str, name: str = "a", path: str = "apps") -> str:
    written = sync_policy if sync_policy.startswith("\n") else f" {{{sync_policy}}}\n"
    return (
        f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}, namespace: argocd}}\nspec:\n"
        f"  project: default\n  source: {source(path)}\n  destination: {{namespace: team-a}}\n  syncPolicy:{written}"
    )


CASES = [
    Case(
        "a label by which a quota for several namespaces is chosen",
        {"apps/web.yaml": web(), "apps/crq.yaml": OF_TEAM_A, "argocd/a.yaml": _application(LABELLED)},
        ("team-a/team pods 2/1 at-least",),
        ("apps/crq.yaml:8:7 QL301 error",),
    ),
    Case(
        "an annotation that is a quota, where it is written",
        {"apps/web.yaml": web(), "argocd/a.yaml": _application(RANCHER)},
        ("team-a/default-* pods 2/1 exact",),
        ("argocd/a.yaml:13:9 QL301 error",),
    ),
    Case(
        "two Applications that ask for the same",
        {
            "apps/web.yaml": web(),
            "apps/crq.yaml": OF_TEAM_A,
            "more/shop.yaml": web(name="shop"),
            "argocd/a.yaml": _application(LABELLED),
            "argocd/b.yaml": _application(LABELLED, "b", "more"),
        },
        ("team-a/team pods 4/1 at-least",),
        ("apps/crq.yaml:8:7 QL301 error",),
    ),
    Case(
        "not where Argo CD does not make the namespace",
        {"apps/web.yaml": web(), "argocd/a.yaml": _application(RANCHER.replace("CreateNamespace=true", "Prune=false"))},
        (),
    ),
    Case(
        "not where the Application brings the namespace itself",
        {
            "apps/web.yaml": web(),
            "apps/namespace.yaml": NAMED_ANEW,
            "argocd/a.yaml": _application(RANCHER),
        },
        (),
    ),
    Case(
        "no neighbour by which a quota beside the Application seems misplaced",
        {"apps/web.yaml": web(), "argocd/a.yaml": _application(LABELLED), "argocd/quota.yaml": quota("argocd")},
        ("argocd/base pods ?/8 unknown",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_is_asked_for_the_namespace(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
