"""Folders that name no environment beside others that do: what is guessed of several in one way is one guess."""

from __future__ import annotations

import pytest
from workspace import Workspace

QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {{name: base, namespace: shop-{of}}}
spec: {{hard: {{pods: "1"}}}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: shop-dev}}
spec: {{containers: [{{name: c, image: a}}]}}
"""
SERVICES = {f"k8s/base/{name}/pod.yaml": POD.format(name=name) for name in ("api", "web", "worker")}
QUOTAS = {f"k8s/overlays/{of}/quota.yaml": QUOTA.format(of=of) for of in ("dev", "prod")}


def guessed_folders(workspace: Workspace, files: dict[str, str]) -> list[str]:
    workspace.put(files)
    assumptions = [item for quota in workspace.report("usage")["quotas"] for item in quota["assumptions"]]
    return sorted({item["reason"].partition(" names ")[0] for item in assumptions})


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        ({}, ["k8s/base/"]),
        ({"k8s/base/prod/quota.yaml": QUOTA.format(of="more")}, ["k8s/base/api/", "k8s/base/web/", "k8s/base/worker/"]),
        ({"k8s/base/more/web2/pod.yaml": POD.format(name="web2")}, ["k8s/base/"]),
        ({"apps/pod.yaml": POD.format(name="alone")}, ["apps/", "k8s/base/"]),
        (
            {
                "k8s/base/shared/pod.yaml": POD.format(name="shared"),
                "k8s/base/shared/kustomization.yaml": "resources: [pod.yaml]\n",
                "k8s/overlays/dev/kustomization.yaml": "resources: [quota.yaml, ../../base/shared]\n",
            },
            ["k8s/base/api/", "k8s/base/web/", "k8s/base/worker/"],
        ),
    ],
    ids=["beside-each-other", "one-of-an-environment", "deeper", "elsewhere", "a-base-of-an-overlay"],
)
def test_the_folder_that_all_share_is_named(workspace: Workspace, beside: dict[str, str], expected: list[str]) -> None:
    assert guessed_folders(workspace, {**SERVICES, **QUOTAS, **beside}) == expected


def test_what_settles_it_settles_all(workspace: Workspace) -> None:
    files = {**SERVICES, **QUOTAS, ".quotalint.yaml": "environments: {dev: [/k8s/base/]}\n"}
    assert guessed_folders(workspace, files) == []
    status, text, _ = workspace.text("check")
    assert status == 1
    assert "shop-dev asks for pods 3; quota base allows 1" in text


def test_the_environment_that_limits_the_namespace_is_named_first(workspace: Workspace) -> None:
    of_prod = POD.format(name="probe").replace("shop-dev", "shop-prod")
    workspace.put({**QUOTAS, "k8s/hardening/pod.yaml": of_prod, "k8s/tools/pod.yaml": POD.format(name="tool")})
    assumptions = [item for quota in workspace.report("usage")["quotas"] for item in quota["assumptions"]]
    assert sorted(item["cure"].partition("}")[0] for item in assumptions) == [
        "write `environments: {dev: [/k8s/tools/]",
        "write `environments: {prod: [/k8s/hardening/]",
    ]


def test_what_an_overlay_applies_counts_and_not_what_is_guessed_to_be_applied(workspace: Workspace) -> None:
    replica_set = (
        "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {{name: web, namespace: shop-dev}}\n"
        "spec: {{replicas: {}, template: {{spec: {{containers: [{{name: c, image: a}}]}}}}}}\n"
    )
    workspace.put(
        {
            **{name: text.replace('"1"', '"4"') for name, text in QUOTAS.items()},
            "k8s/overlays/dev/web.yaml": replica_set.format(2),
            "k8s/overlays/dev/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
            "k8s/tools/web.yaml": replica_set.format(9),
            "k8s/tools/tool.yaml": POD.format(name="tool"),
            "k8s/tools/probe.yaml": POD.format(name="probe"),
        }
    )
    (quota,) = (quota for quota in workspace.report("usage")["quotas"] if quota["namespace"] == "shop-dev")
    assert (quota["resources"][0]["steady"], quota["certainty"]) == ("4", "assumed")
    assert {consumer["file"] for consumer in quota["consumers"]} == {
        "k8s/overlays/dev/web.yaml",
        "k8s/tools/tool.yaml",
        "k8s/tools/probe.yaml",
    }


@pytest.mark.parametrize("name", ["values.yaml", "settings.yml", "app.json"])
def test_folders_of_settings_make_no_environments(name: str, workspace: Workspace) -> None:
    settings = {f"environments/{of}/{name}": '{"replicas": 2}\n' for of in ("dev", "prod")}
    manifests = {**SERVICES, "k8s/base/quota.yaml": QUOTA.format(of="dev")}
    workspace.put({**settings, **manifests})
    status, text, _ = workspace.text("check")
    assert status == 1
    assert "error  QL301" in text
    assert "environment" not in text
