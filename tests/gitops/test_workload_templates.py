"""Templates that write workloads beside manifests: nobody knows what they come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import flux_kustomization
from gitops_outcome import TWO, Case, expected, outcome, params
from manifests import quota, quota_and_web, web

HERE = quota_and_web("team", "team-a")
MORE = ("team-a/base pods 2/8 at-least",)
WORKER = web("{{ number }}", "{{ team }}", "worker")
ELSEWHERE = web("{{ number }}", "team-b", "worker")
CUE = 'deployment: api: {kind: "Deployment", metadata: namespace: "team-a"}\n'

CASES = [
    Case("Jinja beside manifests", {**HERE, "team/worker.yaml.j2": WORKER}, MORE),
    Case("Jinja in YAML", {**HERE, "team/worker.yaml": "{% for team in teams %}\n" + WORKER + "{% endfor %}\n"}, MORE),
    Case("CUE", {**HERE, "team/api.cue": CUE}, MORE),
    Case("Jsonnet", {**HERE, "team/api.jsonnet": "{ kind: 'StatefulSet', metadata: { name: 'a' } }"}, MORE),
    Case("Terraform", {**HERE, "team/main.tf": 'manifest = {\n  kind = "Deployment"\n}\n'}, MORE),
    Case("no workload", {**HERE, "team/settings.yaml.j2": WORKER.replace("Deployment", "ConfigMap")}, (TWO,)),
    Case(
        "what scales a workload is none",
        {
            **HERE,
            "team/scaler.yaml.j2": "kind: HorizontalPodAutoscaler\nspec:\n  scaleTargetRef:\n    kind: Deployment\n",
        },
        (TWO,),
    ),
    Case("what it comes to lies beside it", {**HERE, "team/web.yaml.j2": WORKER}, (TWO,)),
    Case("another folder", {**HERE, "hack/new-team/worker.yaml.j2": WORKER}, (TWO,)),
    Case("it names another namespace", {**HERE, "team/worker.yaml.j2": ELSEWHERE}, (TWO,)),
    Case(
        "a kustomization takes what it lists",
        {
            **HERE,
            "team/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
            "team/worker.yaml.j2": WORKER,
        },
        (TWO,),
    ),
    Case(
        "Flux takes manifests alone",
        {**HERE, "team/worker.yaml.j2": WORKER, "flux.yaml": flux_kustomization("./team")},
        (TWO,),
    ),
    Case(
        "a project of kluctl",
        {
            ".kluctl.yaml": "targets: [{name: prod, args: {number: 5}}]\n",
            **HERE,
            "apps/worker.yaml": web("{{ args.number }}", "team-a", "worker"),
        },
        MORE,
    ),
    Case(
        "environments are asked apart",
        {
            **{f"clusters/{name}/quota.yaml": quota("team-a") for name in ("dev", "prod")},
            **{f"clusters/{name}/web.yaml": web(2, "team-a") for name in ("dev", "prod")},
            "clusters/prod/worker.yaml.j2": WORKER,
        },
        (f"dev: {TWO}", f"prod: {MORE[0]}"),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_templates_of_workloads(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
