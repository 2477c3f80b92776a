"""Plans and states of Terraform, as `terraform show -json` prints them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from gitops_outcome import Case, expected, outcome, outcome_of, params
from pipeline_runs import run_pipeline
from written_files import write

from quotalint.snapshots.snapshot import Snapshot, shown_by

METADATA = [{"name": "base", "namespace": "team-a", "labels": None, "generate_name": None}]
QUOTA = {
    "address": "kubernetes_resource_quota_v1.base",
    "mode": "managed",
    "type": "kubernetes_resource_quota_v1",
    "values": {"metadata": METADATA, "spec": [{"hard": {"pods": "8"}, "scopes": None, "scope_selector": []}]},
}
WEB = {
    "address": "module.web.kubernetes_deployment_v1.web[0]",
    "mode": "managed",
    "type": "kubernetes_deployment_v1",
    "values": {
        "metadata": [{"name": "web", "namespace": "team-a"}],
        "spec": [
            {
                "replicas": "2",
                "selector": [{"match_labels": {"app": "web"}}],
                "template": [
                    {
                        "metadata": [{"labels": {"app": "web"}}],
                        "spec": [{"active_deadline_seconds": 0, "container": [{"name": "web", "image": "web:1"}]}],
                    }
                ],
            }
        ],
    },
}
JOB = {
    "address": "kubernetes_job_v1.load",
    "mode": "managed",
    "type": "kubernetes_job_v1",
    "values": {
        "metadata": [{"name": "load", "namespace": "team-a"}],
        "spec": [{"parallelism": 3, "template": [{"spec": [{"container": [{"name": "a", "image": "a:1"}]}]}]}],
    },
}


def plan(*resources: object, unknown: Mapping[str, object] | None = None, contents: str = "planned_values") -> str:
    """What is printed of a plan; the workload lies in a module."""
    root = {"resources": [each for each in resources if each != WEB]}
    modules = {"child_modules": [{"address": "module.web", "resources": [WEB]}]} if WEB in resources else {}
    changes = [{"address": QUOTA["address"], "change": {"after_unknown": unknown}}] if unknown else []
    body = {"format_version": "1.2", contents: {"root_module": {**root, **modules}}, "resource_changes": changes}
    return json.dumps(body, indent=1)


TF = """\
resource "kubernetes_resource_quota_v1" "base" {
  metadata {
    name      = "base"
    namespace = "team-a"
  }
  spec {
    hard = { pods = data.aws_ssm_parameter.pods.value }
  }
}
"""

CASES = [
    Case("a plan", {"plan.json": plan(QUOTA, WEB)}, ("team-a/base pods 2/8 exact",)),
    Case("a state", {"state.json": plan(QUOTA, WEB, contents="values")}, ("team-a/base pods 2/8 exact",)),
    Case("it takes the place of its folder", {"a.json": plan(QUOTA, WEB), "a.tf": TF}, ("team-a/base pods 2/8 exact",)),
    Case(
        "a namespace that is known after the apply",
        {"plan.json": plan(QUOTA, unknown={"metadata": [{"namespace": True, "uid": True}]})},
        (),
        ("plan.json:6:5 QL003 warning",),
    ),
    Case(
        "an amount that is known after the apply",
        {"plan.json": plan(QUOTA, WEB, unknown={"id": True, "spec": [{"hard": {"cpu": True}}]})},
        ("team-a/base cpu ?/? unknown", "team-a/base pods 2/8 exact"),
        ("plan.json:21:9 QL003 warning",),
    ),
    Case("the provider completes a job once", {"plan.json": plan(QUOTA, JOB)}, ("team-a/base pods 1/8 exact",)),
    Case("a file that looks like a plan", {"package.json": '{"format_version": "1", "values": 1}'}, ()),
]  # fmt: skip


@pytest.mark.parametrize("case", params(CASES))
def test_what_a_plan_says_counts(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


@pytest.mark.parametrize(
    ("tf", "quotas"),
    [
        (TF, ["team-a/base pods 2/8 exact"]),
        (TF.replace("  spec", "  for_each = var.teams\n  spec"), ["team-a/base pods 2/8 exact"]),
        (TF.replace('"base" {', '"other" {').replace('"base"', '"other"'),
         ["team-a/base pods 2/8 exact", "team-a/other pods ?/? unknown"]),
    ],
)  # fmt: skip
def test_a_plan_settles_what_is_not_in_view(
    tf: str, quotas: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"main.tf": tf})
    monkeypatch.chdir(tmp_path)
    shown = shown_by(plan(QUOTA, WEB).encode(), "../plan.json")
    assert isinstance(shown, tuple)
    assert isinstance(shown[0], Snapshot)
    assert outcome_of(run_pipeline(".", snapshots=shown)).quotas == quotas
