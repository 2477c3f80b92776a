"""Which folder a quota belongs to: mistakes, and beside each the spelling that is right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from written_files import write_as_is

from quotalint.cli import run


def namespace(name: str) -> str:
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}}}\n---\n"


def quota(where: str, name: str = "compute") -> str:
    return (
        f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: {name}, namespace: {where}}}\n"
        "spec: {hard: {pods: 9}}\n"
    )


def limits(where: str) -> str:
    return (
        f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: defaults, namespace: {where}}}\n"
        "spec: {limits: [{type: Container, default: {cpu: 500m}}]}\n"
    )


def web(where: str, name: str = "web") -> str:
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}, namespace: {where}}}\n"
        "spec: {template: {spec: {containers: [{name: a, image: a}]}}}\n"
    )


END = "---\n"
REED = {"teams/reed/all.yaml": namespace("reed") + quota("reed")}
MOSS = {"teams/moss/all.yaml": namespace("moss") + quota("moss")}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {
                "platform/all.yaml": namespace("moss") + quota("reed", "other") + END + web("reed") + END + web("moss"),
                "teams/fern-team/a.yaml": web("fern"),
                "teams/fern-team/b.yaml": quota("moss"),
            },
            ["teams/fern-team/b.yaml"],
            id="one that is declared beside others",
        ),
        pytest.param(
            {**REED, "teams/fern/a.yaml": namespace("fern"), "teams/fern/b.yaml": quota("fren")},
            ["teams/fern/b.yaml"],
            id="a slip, of a namespace that is nowhere",
        ),
        *(
            pytest.param(
                {
                    **REED,
                    "fern/a.yaml": namespace("fern"),
                    "fern/b.yaml": quota("fren"),
                    "fern/c.yaml": limits("fern").replace(", namespace: fern", elsewhere),
                },
                ["fern/b.yaml"],
                id=f"a slip, beside limits {which}",
            )
            for elsewhere, which in (("", "that name no namespace"), (", namespace: '${TEAM}'", "for any namespace"))
        ),
        pytest.param(
            {
                "teams/moss/all.yaml": quota("moss") + END + web("moss"),
                "teams/green/quota.yaml": quota("moss"),
                "teams/green/limits.yaml": limits("fern"),
                "teams/green/web.yaml": web("fern"),
            },
            ["teams/green/quota.yaml"],
            id="a copied quota of a namespace that has its own beside its workloads",
        ),
        pytest.param(
            {
                **MOSS,
                "teams/fern/a.yaml": namespace("fern"),
                "teams/fern/b.yaml": limits("moss") + END + web("moss"),
            },
            ["teams/fern/b.yaml"],
            id="a copied folder of which only the Namespace was renamed",
        ),
        pytest.param(
            {**REED, "teams/fern/a.yaml": namespace('"${NAMESPACE}"'), "teams/fern/b.yaml": quota("fren")},
            [],
            id="a folder that declares a namespace which is filled in later",
        ),
        pytest.param(
            {
                "teams/moss/all.yaml": quota("moss") + END + web("moss"),
                "teams/green/quota.yaml": quota("moss"),
                "teams/green/limits.yaml": limits('"${NAMESPACE}"'),
                "teams/green/web.yaml": web("fern"),
            },
            [],
            id="a folder with limits of a namespace that is filled in later",
        ),
        pytest.param(
            {"fern/a.yaml": namespace("fern"), "fern/b.yaml": quota("fern-jobs"), "fern/c.yaml": web("fern-jobs")},
            [],
            id="a second namespace with its workload, declared elsewhere",
        ),
        pytest.param(
            {
                **REED,
                "fern/a.yaml": namespace("fern"),
                "fern/b.yaml": quota("fern-jobs"),
                "fern/c.yaml": web("fern-jobs"),
            },
            [],
            id="a second namespace with its workload, beside other namespaces",
        ),
        pytest.param(
            {"fern/a.yaml": namespace("fern"), "fern/b.yaml": quota("fern"), "fern/c.yaml": quota("guests")},
            [],
            id="a quota for a namespace that is declared elsewhere, beside its own",
        ),
        pytest.param(
            {"fern/a.yaml": namespace("fern"), "fern/b.yaml": quota("kube-system")},
            [],
            id="a namespace that every cluster has",
        ),
        pytest.param(
            {"fern/a.yaml": namespace("fern"), "fern/b.yaml": quota("${TEAM}")}, [], id="a placeholder is none"
        ),
        pytest.param(
            {
                "quotas/a.yaml": quota("moss"),
                "quotas/b.yaml": quota("fern") + END + limits("fern"),
                "a/w.yaml": web("moss"),
            },
            [],
            id="a folder of all quotas, of two namespaces",
        ),
        pytest.param(
            {"a.yaml": quota("moss"), "b.yaml": quota("fern") + END + web("fern"), "moss/w.yaml": web("moss")},
            [],
            id="the top folder holds what several namespaces have",
        ),
        pytest.param(
            {
                "moss/q.yaml": quota("moss"),
                "app/q.yaml": quota("moss", "more"),
                "app/w.yaml": web("fern") + END + web("fern", "b"),
            },
            ["app/q.yaml"],
            id="a second quota of a neighbour among workloads of another namespace",
        ),
        pytest.param(
            {
                "moss/q.yaml": quota("moss"),
                "app/q.yaml": quota("moss", "more"),
                "app/t.yaml": quota("${TEAM}", "template"),
                "app/w.yaml": web("fern") + END + web("fern", "b"),
            },
            ["app/q.yaml"],
            id="a second quota of a neighbour, beside one that is to be filled in",
        ),
        pytest.param(
            {
                "moss/q.yaml": quota("moss"),
                "moss/kustomization.yaml": "configMapGenerator: [{name: a, namespace: tools, files: [q.yaml]}]\n",
                "app/q.yaml": quota("moss", "more"),
                "app/w.yaml": web("fern") + END + web("fern", "b"),
            },
            [],
            id="what is data of a ConfigMap is no second quota",
        ),
        pytest.param(
            {"fern/q.yaml": quota("fren"), "fern/a.yaml": limits("fern"), "fern/w.yaml": web("fern")},
            ["fern/q.yaml"],
            id="a slip, beside limits and a workload that are right",
        ),
        pytest.param(
            {"fern/q.yaml": quota("fren"), "fern/a.yaml": web("fern"), "fern/w.yaml": web("fern", "b")},
            [],
            id="nothing beside it that says what a namespace may have",
        ),
        pytest.param(
            {"fern/q.yaml": quota("fren"), "fern/a.yaml": limits("fern")},
            [],
            id="one against one",
        ),
        pytest.param(
            {
                "fern/a.yaml": namespace("fern"),
                "fern/b.yaml": quota("fern"),
                "fern/c.yaml": quota("fren", "fern-burst"),
                "fern/d.yaml": quota("fren", "burst"),
            },
            ["fern/c.yaml"],
            id="a second quota of the folder, told by its name",
        ),
        pytest.param(
            {**MOSS, "fern/a.yaml": namespace("${TEAM}"), "fern/b.yaml": quota("moss", "more")},
            [],
            id="a Namespace that is to be filled in declares none",
        ),
        pytest.param(
            {"moss/q.yaml": quota("moss"), "fern/q.yaml": quota("moss", "burst"), "reed/q.yaml": quota("reed")},
            [],
            id="another quota of a neighbour in a folder of its own",
        ),
        *(
            pytest.param(
                {"moss/q.yaml": quota("moss"), "fern/q.yaml": quota("moss"), "jobs/w.yaml": web("reed"), **others},
                expected,
                id=f"a copied quota in a folder beside {which}",
            )
            for which, others, expected in (
                ("one that is called as its namespace", {}, []),
                ("two that are called as their namespaces", {"reed/q.yaml": quota("reed")}, ["fern/q.yaml"]),
                ("two of these, and a workload", {"reed/q.yaml": quota("reed"), "fern/w.yaml": web("moss")}, []),
                (
                    "two of these, and one that is not",
                    {"reed/q.yaml": quota("reed"), "tools/q.yaml": quota("shared")},
                    [],
                ),
            )
        ),
    ],
)
def test_the_folder_decides(
    files: dict[str, str], expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_as_is(tmp_path, files)
    run(["check", "--format", "json", "--select", "QL601", str(tmp_path)])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["file"].removeprefix(f"{Path(findings[0]['file']).parents[0]}/") for finding in findings] == [
        Path(name).name for name in expected
    ]
    assert all(finding["file"].endswith(name) for finding, name in zip(findings, expected, strict=True))
