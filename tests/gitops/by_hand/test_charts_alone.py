"""Charts that nothing deploys are rendered with their own values where nothing else deploys anything."""

from __future__ import annotations

from typing import Any

import pytest
from deployer_objects import argo_application
from manifests import quota, web
from workspace import Workspace

from quotalint.unknowns.causes import UNDEPLOYED_CHART

pytest.importorskip("helm_python")


def chart(name: str = "web", folder: str = "charts/", more: str = "", **fields: Any) -> dict[str, str]:
    """A chart with a workload of `replicas` of its values."""
    return {
        f"{folder}{name}/Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n{more}",
        f"{folder}{name}/values.yaml": "replicas: 3\n",
        f"{folder}{name}/templates/web.yaml": web("{{ .Values.replicas }}", name=name, **fields),
    }


QUOTA = {"k8s/quota.yaml": quota("team-a", hard="pods: 4")}


def rows(workspace: Workspace, *arguments: str) -> dict[str, str]:
    """`[environment:]namespace/quota` of one entry each, with its sum."""
    tables = workspace.report("usage", *arguments)["quotas"]
    return {
        f"{table['environment']}:{table['namespace']}/{table['name']}".lstrip(":"): (
            f"{table['resources'][0]['steady']} {table['resources'][0]['certainty']}"
        )
        for table in tables
    }


def skipped(workspace: Workspace) -> dict[str, str]:
    return {skip["file"]: skip["reason"] for skip in workspace.report("check")["skipped"]}


def test_a_chart_meets_the_quota_beside_it(workspace: Workspace) -> None:
    workspace.put({**chart(), **QUOTA})
    assert rows(workspace) == {"team-a/base": "3 assumed"}
    (table,) = workspace.report("usage")["quotas"]
    assert [guess["reason"] for guess in table["assumptions"]] == [
        "nothing in view deploys the chart charts/web, so it counts with its own values, in namespace team-a, the only "
        "one with a quota"
    ]
    assert "{charts/web: {release: web, namespace: team-a}}" in table["assumptions"][0]["cure"]


def test_a_repository_is_one_chart_with_a_quota(workspace: Workspace) -> None:
    templates = {"templates/web.yaml": web(8, "orders"), "templates/quota.yaml": quota("orders", hard="pods: 6")}
    workspace.put({"Chart.yaml": "apiVersion: v2\nname: orders\nversion: 1.0.0\n", **templates})
    assert rows(workspace) == {"orders/base": "8 assumed"}
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], finding["severity"]) == ("QL301", "warning")
    _, text, _ = workspace.text("check")
    assert "1 warning in 2 files (1 namespace, 1 quota)." in text


def test_a_chart_meets_the_quota_of_a_snapshot(workspace: Workspace) -> None:
    workspace.put({**chart(), "cluster/quota.yaml": quota("team-b", hard="pods: 4")})
    assert rows(workspace, "charts", "--with", "cluster/quota.yaml") == {"team-b/base": "3 assumed"}


@pytest.mark.parametrize(("namespace", "row"), [("team-c", "team-c/base"), ("", "default/base")])
def test_a_chart_meets_a_quota_that_is_named(namespace: str, row: str, workspace: Workspace) -> None:
    workspace.put({**chart(), "quotas/small.yaml": quota(namespace, hard="pods: 4")})
    assert rows(workspace, "charts/web", "--quota", "quotas/small.yaml") == {row: "3 assumed"}


def test_a_quota_is_proposed_for_a_chart(workspace: Workspace) -> None:
    workspace.put(chart(cpu="100m"))
    (proposed,) = workspace.report("suggest")["quotas"]
    assert proposed["namespace"] == "default"


def test_values_files_are_environments(workspace: Workspace) -> None:
    workspace.put(
        {
            **chart(),
            **QUOTA,
            "charts/web/values-dev.yaml": "replicas: 1\n",
            "charts/web/values.prod.yml": "replicas: 6\n",
            "charts/web/values.schema.json": "{}",
        }
    )
    assert rows(workspace) == {"dev:team-a/base": "1 assumed", "prod:team-a/base": "6 assumed"}


def test_values_of_tests_come_beside_a_charts_own(workspace: Workspace) -> None:
    workspace.put({**chart(), **QUOTA, "charts/web/ci/large-values.yaml": "replicas: 5\n"})
    assert rows(workspace) == {"default:team-a/base": "3 assumed", "ci/large:team-a/base": "5 assumed"}


def test_two_charts_without_a_namespace_are_not_added_up(workspace: Workspace) -> None:
    workspace.put({**chart(), **chart("api"), **QUOTA})
    assert rows(workspace) == {"api:team-a/base": "3 assumed", "web:team-a/base": "3 assumed"}


def test_charts_that_name_their_namespace_are_added_up(workspace: Workspace) -> None:
    workspace.put({**chart(namespace="team-a"), **chart("api", namespace="team-a"), **QUOTA})
    assert rows(workspace) == {"team-a/base": "6 assumed"}


def test_a_chart_that_another_depends_on_is_a_part_of_it(workspace: Workspace) -> None:
    more = "dependencies: [{name: api, version: 1.0.0, repository: 'file://../api'}]\n"
    workspace.put({**chart(more=more), **chart("api"), **QUOTA})
    assert rows(workspace) == {"team-a/base": "6 assumed"}


@pytest.mark.parametrize(
    "deploying",
    [
        pytest.param({"apps/other.yaml": argo_application("k8s")}, id="Argo CD"),
        pytest.param(
            {"helmfile.yaml": "releases: [{name: other, namespace: other, chart: ./charts/other}]\n"}, id="helmfile"
        ),
        pytest.param({"helmfile.yaml": "releases:\n{{- range .x }}\n- name: {{ . }}\n{{- end }}\n"}, id="a template"),
        pytest.param({"charts/apps/templates/app.yaml": argo_application("k8s"), **chart("apps")}, id="a chart"),
        pytest.param(
            {".quotalint.yaml": "renderers: {helm: {charts/other: {release: a, namespace: b}}}\n"}, id="configuration"
        ),
    ],
)
def test_where_something_deploys_the_chart_is_not_deployed(deploying: dict[str, str], workspace: Workspace) -> None:
    workspace.put({**chart(), **chart("other"), **QUOTA, **deploying})
    assert not any(row.startswith(("3", "6")) for row in rows(workspace).values())
    assert "nothing in view deploys, so" in skipped(workspace)["charts/web/Chart.yaml"]


def test_a_chart_of_what_plain_manifests_apply(workspace: Workspace) -> None:
    workspace.put({**chart(), "k8s/web.yaml": web(2, "team-a"), **QUOTA})
    assert rows(workspace) == {"team-a/base": "2 at-least"}
    assert skipped(workspace)["charts/web/Chart.yaml"] == UNDEPLOYED_CHART


def test_a_chart_beside_workloads_is_not_alone(workspace: Workspace) -> None:
    """Something that is not in view, such as a Makefile, installs it where nobody knows."""
    workspace.put({**chart(), "k8s/other.yaml": web(2, "team-a", name="other"), **QUOTA})
    assert rows(workspace) == {"team-a/base": "2 at-least"}
    assert skipped(workspace)["charts/web/Chart.yaml"] == UNDEPLOYED_CHART


def test_an_example_beside_other_charts(workspace: Workspace) -> None:
    workspace.put({**chart(namespace="team-a"), **chart("demo", "examples/", namespace="team-a"), **QUOTA})
    assert rows(workspace) == {"team-a/base": "3 assumed"}
    assert skipped(workspace) == {"examples/demo/Chart.yaml": "an example"}


def test_a_library_chart_renders_nothing_and_hides_nothing(workspace: Workspace) -> None:
    workspace.put({**chart(), **chart("base", more="type: library\n"), **QUOTA})
    assert rows(workspace) == {"team-a/base": "3 assumed"}
    assert "library chart, made for other charts" in skipped(workspace)["charts/base/Chart.yaml"]


def test_a_chart_that_needs_more_values(workspace: Workspace) -> None:
    needing = web('{{ required "how many?" .Values.number }}')
    workspace.put({**chart(), **QUOTA, "charts/web/templates/web.yaml": needing})
    assert rows(workspace) == {"team-a/base": "0 unknown"}
    assert "not rendered by itself: execution error" in skipped(workspace)["charts/web/Chart.yaml"]
    assert workspace.report("check")["findings"] == []


def test_nothing_is_checked_without_a_renderer(workspace: Workspace) -> None:
    workspace.put(
        {
            **chart(folder=""),
            "web/templates/quota.yaml": quota(hard="pods: {{ .Values.pods }}"),
            ".quotalint.yaml": "renderers: {helm: off}\n",
        }
    )
    _, text, _ = workspace.text("check", "web", "-c", ".quotalint.yaml")
    assert "0 files" not in text
