"""Charts that Flux installs, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import git_repository
from flux_repositories import BOTH, flux, release
from gitops_outcome import NONE, TWO, Case, checked, expected, needed_helm, outcome, params, unknowns
from manifests import quota, web
from workspace import Workspace
from written_files import Files

B = "team-b/base pods 2/8 exact"


RELEASES = [
    Case(
        "a chart of a HelmRepository",
        {**BOTH, "release.yaml": release()},
        (NONE, B),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a chart of an OCIRepository",
        {**BOTH, "release.yaml": release(chart="chartRef: {kind: OCIRepository, name: shop}")},
        (NONE, B),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a chart of a Bucket",
        {**BOTH, "release.yaml": release(chart="chart: {spec: {chart: shop, sourceRef: {kind: Bucket, name: x}}}")},
        (NONE, B),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "the namespace is that of targetNamespace",
        {**BOTH, "release.yaml": release(more="targetNamespace: team-b")},
        (NONE, "team-b/base pods 2/8 at-least"),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "the namespace is that of the Kustomization that applies it",
        {**BOTH, "apps/release.yaml": release(namespace="somewhere"), "flux.yaml": flux()},
        (NONE, B),
        ("apps/release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "where no namespace of a quota is concerned it is for information",
        {**BOTH, "release.yaml": release(namespace="team-c")},
        (NONE, B),
        ("release.yaml:1:1 QL003 info",),
    ),
    Case(
        "a chart of another GitRepository",
        {
            ".git/config": '[remote "origin"]\n\turl = git@example.com:team/fleet.git\n',
            **BOTH,
            "source.yaml": git_repository("charts", "url: https://example.com/team/charts"),
            "release.yaml": release(
                chart="chart: {spec: {chart: ./shop, sourceRef: {kind: GitRepository, name: charts, "
                "namespace: flux-system}}}"
            ),
        },
        (NONE, B),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "an overlay that patches a release into another namespace",
        {
            **BOTH,
            "apps/base/kustomization.yaml": "resources: [release.yaml]\n",
            "apps/base/release.yaml": release(),
            "apps/live/kustomization.yaml": "resources: [../base]\npatches: [{path: release.yaml}]\n",
            "apps/live/release.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
            "metadata: {name: shop, namespace: team-a}\nspec: {targetNamespace: team-b, values: {replicas: 3}}\n",
            "flux.yaml": flux("./apps/live", more=""),
        },
        (NONE, "team-b/base pods 2/8 at-least"),
        ("apps/base/release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "without the program helm the namespace is unknown",
        {
            **BOTH,
            ".quotalint.yaml": "renderers: {helm: program}\n",
            "charts/shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n",
            "charts/shop/templates/web.yaml": web(),
            "release.yaml": release(
                chart="chart: {spec: {chart: ./charts/shop, sourceRef: {kind: GitRepository, name: flux-system}}}"
            ),
        },
        (NONE, B),
        ("release.yaml:4:8 QL003 warning",),
    ),
    Case(
        "a chart that is not there",
        {
            **BOTH,
            "release.yaml": release(
                chart="chart: {spec: {chart: ./charts/gone, sourceRef: {kind: GitRepository, name: flux-system}}}"
            ),
        },
        (NONE, B),
        ("release.yaml:4:8 QL003 warning",),
    ),
]


CHART: Files = {
    "charts/shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n",
    "charts/shop/values.yaml": "replicas: 2\n",
    "charts/shop/more.yaml": "replicas: 5\n",
    "charts/shop/templates/web.yaml": web("{{ .Values.replicas }}", name="{{ .Release.Name }}").encode(),
    "charts/shop/templates/tests/test.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: test, annotations: "
    "{helm.sh/hook: test}}\nspec: {containers: [{name: app, image: web}]}\n",
    "quota.yaml": quota("team-a"),
}


HERE = "chart: {spec: {chart: ./charts/shop, sourceRef: {kind: GitRepository, name: flux-system}}}"


RENDERED = [
    Case("a chart of this repository", {**CHART, "release.yaml": release(chart=HERE)}, (TWO,)),
    Case(
        "its values",
        {**CHART, "release.yaml": release(chart=HERE, more="values: {replicas: 4}")},
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "its values files, named from the root of the repository",
        {
            **CHART,
            "release.yaml": release(
                chart=HERE.replace(
                    "./charts/shop,", "./charts/shop, valuesFiles: [charts/shop/values.yaml, charts/shop/more.yaml],"
                )
            ),
        },
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "values of a ConfigMap of the repository, and its own over them",
        {
            **CHART,
            "values.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values, namespace: team-a}\n"
            "data: {values.yaml: 'replicas: 3', own.yaml: 'replicas: 6'}\n",
            "one.yaml": release(
                "one", chart=HERE, more="valuesFrom: [{kind: ConfigMap, name: values, valuesKey: own.yaml}]"
            ),
            "two.yaml": release(
                "two", chart=HERE, more="valuesFrom: [{kind: ConfigMap, name: values}], values: {replicas: 1}"
            ),
        },
        ("team-a/base pods 7/8 exact",),
    ),
    Case(
        "values of a ConfigMap that is not in view make it unknown",
        {**CHART, "release.yaml": release(chart=HERE, more="valuesFrom: [{kind: ConfigMap, name: gone}]")},
        (NONE,),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "values that need not be there may be there all the same",
        {
            **CHART,
            "release.yaml": release(chart=HERE, more="valuesFrom: [{kind: ConfigMap, name: gone, optional: true}]"),
        },
        ("team-a/base pods 2/8 assumed",),
    ),
    Case(
        "values of a Secret may be numbers as well",
        {**CHART, "release.yaml": release(chart=HERE, more="valuesFrom: [{kind: Secret, name: gone}]")},
        ("team-a/base pods ?/8 unknown",),
        ("release.yaml:4:100 QL003 warning",),
    ),
    Case(
        "targetNamespace is where it goes, and part of its name",
        {
            **CHART,
            "release.yaml": release(chart=HERE, more="targetNamespace: team-a", namespace="flux-system"),
        },
        (TWO,),
    ),
    Case(
        "two releases of one chart",
        {**CHART, "one.yaml": release("one", chart=HERE), "two.yaml": release("two", chart=HERE)},
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "an overlay patches the values, for two clusters",
        {
            **CHART,
            "apps/base/kustomization.yaml": "resources: [release.yaml]\n",
            "apps/base/release.yaml": release(chart=HERE),
            **{
                f"apps/{stage}/{name}": text
                for stage, replicas in (("dev", 1), ("prod", 7))
                for name, text in (
                    ("kustomization.yaml", "resources: [../base]\npatches: [{path: release.yaml}]\n"),
                    ("release.yaml", release(chart="", more=f"values: {{replicas: {replicas}}}")),
                )
            },
        },
        ("dev: team-a/base pods 1/8 assumed", "prod: team-a/base pods 7/8 assumed"),
    ),
    Case(
        "postRenderers change what the chart gives",
        {
            **CHART,
            "release.yaml": release(
                chart=HERE,
                more="postRenderers: [{kustomize: {patches: [{target: {kind: Deployment}, "
                "patch: '- {op: replace, path: /spec/replicas, value: 6}'}]}}]",
            ),
        },
        ("team-a/base pods 6/8 exact",),
    ),
    Case(
        "a chart that is broken",
        {**CHART, "charts/shop/templates/more.yaml": '{{ fail "no" }}\n', "release.yaml": release(chart=HERE)},
        (NONE,),
        ("release.yaml:4:8 QL003 warning",),
    ),
    Case(
        "a quota in a chart",
        {
            **{name: text for name, text in CHART.items() if name != "quota.yaml"},
            "charts/shop/templates/quota.yaml": quota(hard='pods: "{{ .Values.pods }}"'),
            "release.yaml": release(chart=HERE, more="values: {pods: 1}"),
        },
        ("team-a/base pods 2/1 exact",),
        ("release.yaml:4:109 QL301 error",),
    ),
]


@pytest.mark.parametrize("case", params(RENDERED))
def test_what_a_user_of_flux_and_helm_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch, needed_helm()) == expected(case)


def test_what_is_not_in_view_is_said_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**BOTH, "release.yaml": release()}
    assert unknowns(checked(tmp_path, files, monkeypatch)) == {
        "team-a/base pods": (
            "release.yaml: HelmRelease shop is not rendered: the chart shop of HelmRepository charts is remote",
        )
    }


def test_charts_in_folders_that_do_not_exist_are_one_wrong_path_to_correct(workspace: Workspace) -> None:
    releases = "---\n".join(release(name, HERE.replace("./charts/shop", f"./charts/{name}")) for name in ("a", "b"))
    workspace.put({**BOTH, "release.yaml": releases})
    (finding,) = (finding for finding in workspace.report("check")["findings"] if finding["rule"] == "QL003")
    assert finding["message"].startswith("2 sources name a folder that does not exist (charts/a, charts/b); ")
    assert finding["help"].startswith("correct the path if it is wrong; ")


@pytest.mark.parametrize("case", params(RELEASES))
def test_what_is_told_of_charts(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
