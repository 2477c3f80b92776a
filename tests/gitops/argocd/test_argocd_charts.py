"""Charts that Argo CD installs, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from argocd_repositories import LISTED, REMOTE, app, app_set, source, spec
from gitops_outcome import NONE, TWO, Case, checked, expected, needed_helm, outcome, params, unknowns
from manifests import quota, web
from written_files import Files

CHART: Files = {
    "argocd/quota.yaml": quota("team-a"),
    "charts/shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n",
    "charts/shop/values.yaml": "replicas: 2\n",
    "charts/shop/values-prod.yaml": "replicas: 5\n",
    "charts/shop/templates/web.yaml": web("{{ .Values.replicas }}", name="{{ .Release.Name }}").encode(),
    "values/a.yaml": "replicas: 1\n",
    "values/prod.yaml": "replicas: 7\n",
    "values/shop-eu.yaml": "note: x\nreplicas: 3\n",
    "values/z/prod.yaml": "replicas: 6\n",
}


def chart(helm: str = "") -> str:
    return app(path="charts/shop", more=f"helm: {{{helm}}}" if helm else "", name="shop")


REFERRED = (
    f"sources: [{source('charts/shop', 'helm: {valueFiles: [$values/values/prod.yaml]}')}, {source('', 'ref: values')}]"
)


RENDERED = [
    *(
        Case(f"a chart with {what}", {**CHART, "argocd/a.yaml": chart(helm)}, (f"team-a/base pods {pods}/8 exact",))
        for what, helm, pods in (
            ("its own values", "", 2),
            ("values", "values: 'replicas: 4'", 4),
            ("an object of values", "valuesObject: {replicas: 4}", 4),
            ("an object of values, which wins over values", "valuesObject: {replicas: 4}, values: 'replicas: 3'", 4),
            ("a values file", "valueFiles: [values-prod.yaml]", 5),
            ("values over a values file", "valueFiles: [values-prod.yaml], values: 'replicas: 4'", 4),
            ("a values file above", "valueFiles: [../../values/prod.yaml]", 7),
            ("a values file from the root", "valueFiles: [/values/prod.yaml]", 7),
            ("two values files", "valueFiles: [/values/prod.yaml, values-prod.yaml]", 5),
            ("a parameter over all", "valuesObject: {replicas: 4}, parameters: [{name: replicas, value: '6'}]", 6),
            ("values files of a folder", "valueFiles: [/values/*.yaml]", 3),
            ("values files of folders below, which come later", "valueFiles: ['/values/**/*.yaml']", 6),
            ("values files by name, whichever matches first", "valueFiles: [/values/z/*.yaml, '/values/**/*.yaml']", 3),
            ("a values file that is listed by its name too", "valueFiles: [/values/*.yaml, /values/a.yaml]", 1),
            ("values files beside it", "valueFiles: ['values-?rod.yaml']", 5),
            ("values files called by a variable", "valueFiles: ['/values/$ARGOCD_APP_NAME*.yaml']", 3),
            ("values files that may be none", "valueFiles: ['env/*.yaml'], ignoreMissingValueFiles: true", 2),
            ("a values file that may be missing", "valueFiles: [gone.yaml], ignoreMissingValueFiles: true", 2),
        )
    ),
    *(
        Case(
            f"a chart that looks at {what}",
            {
                **CHART,
                "charts/shop/templates/web.yaml": web(f"{{{{ {pods} }}}}", name="shop").encode(),
                "argocd/a.yaml": chart(helm),
            },
            ("team-a/base pods 3/8 exact",),
        )
        for what, helm, pods in (
            ("its own Kubernetes", "kubeVersion: '1.29'", '.Capabilities.KubeVersion.Minor | eq "29" | ternary 3 1'),
            ("the namespace of the release", "namespace: other", '.Release.Namespace | eq "other" | ternary 3 1'),
        )
    ),
    Case(
        "a chart whose schema is passed over",
        {
            **CHART,
            "charts/shop/values.schema.json": '{"required": ["absent"]}',
            "argocd/a.yaml": chart("skipSchemaValidation: true"),
        },
        ("team-a/base pods 2/8 exact",),
    ),
    Case(
        "two releases of one chart",
        {
            **CHART,
            "argocd/a.yaml": chart("releaseName: one"),
            "argocd/b.yaml": chart("releaseName: two").replace("name: shop,", "name: b,"),
        },
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "a values file that is missing",
        {**CHART, "argocd/a.yaml": chart("valueFiles: [gone.yaml]")},
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a values file from the net",
        {**CHART, "argocd/a.yaml": chart("valueFiles: ['https://example.com/values.yaml']")},
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case(
        "values of a source that is referred to",
        {**CHART, "argocd/a.yaml": app(sources=REFERRED)},
        ("team-a/base pods 7/8 exact",),
    ),
    *(
        Case(
            f"a chart with a kustomization beside it, {what}",
            {
                **CHART,
                "charts/shop/kustomization.yaml": "resources: [plain.yaml]\n",
                "charts/shop/plain.yaml": web(3, name="plain"),
                "argocd/a.yaml": app(path="charts/shop", more=more, name="shop"),
            },
            (quotas,),
            findings,
        )
        for what, more, quotas, findings in (
            ("which Argo CD finds last", "", "team-a/base pods 3/8 exact", ()),
            ("and said to be one", "helm: {releaseName: x}", TWO, ()),
            ("said to be that", "kustomize: {nameSuffix: -x}", "team-a/base pods 3/8 exact", ()),
            (
                "said to be both",
                "helm: {releaseName: x}, kustomize: {nameSuffix: -x}",
                NONE,
                ("argocd/a.yaml:1:1 QL003 warning",),
            ),
        )
    ),
    Case(
        "values of a source that there is not, under the name of a folder of the repository",
        {**CHART, "argocd/a.yaml": app(sources=REFERRED.replace("$values/", "$other/"))},
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    *(
        Case(
            f"a parameter from a file {where}",
            {
                **CHART,
                "charts/shop/values.yaml": "replicas: '2'\n",
                "numbers/replicas": "6",
                "argocd/a.yaml": app(sources=REFERRED.replace("valueFiles: [$values/values/prod.yaml]", files)),
            },
            ("team-a/base pods 6/8 exact",),
        )
        for where, files in (
            ("of a source", "fileParameters: [{name: replicas, path: $values/numbers/replicas}]"),
            ("of the repository", "fileParameters: [{name: replicas, path: /numbers/replicas}]"),
        )
    ),
    Case(
        "values of a source that is another repository",
        {
            **CHART,
            ".git/config": REMOTE,
            "argocd/a.yaml": app(
                sources=f"sources: [{source('charts/shop', 'helm: {valueFiles: [$values/values/prod.yaml]}')}, "
                "{repoURL: 'https://git.example.com/team/values', ref: values}]"
            ),
        },
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a chart of Applications",
        {
            "quotas/quota.yaml": quota(),
            "apps/web.yaml": web(),
            "charts/apps/Chart.yaml": "{apiVersion: v2, name: apps, version: 1.0.0}\n",
            "charts/apps/values.yaml": "namespace: nobody\n",
            "charts/apps/templates/apps.yaml": app("namespace: '{{ .Values.namespace }}'", name="apps").encode()
            + b"---\n"
            + app("namespace: '{{ .Values.namespace }}'", path="quotas", name="quotas").encode(),
            "argocd/a.yaml": app(
                "namespace: argocd", path="charts/apps", more="helm: {valuesObject: {namespace: team-a}}", name="root"
            ),
        },
        (TWO,),
    ),
    Case(
        "an ApplicationSet with a values file for each stage",
        {
            **CHART,
            "charts/shop/templates/quota.yaml": quota(),
            "values/dev.yaml": "replicas: 1\n",
            "argocd/set.yaml": app_set(
                LISTED,
                spec(
                    "namespace: team-a, name: '{{name}}'",
                    path="charts/shop",
                    more="helm: {valueFiles: ['/values/{{name}}.yaml']}",
                ),
            ),
        },
        (
            "dev: team-a/base pods 1/8 exact",
            "in-cluster: team-a/base pods ?/8 unknown",
            "prod: team-a/base pods 7/8 exact",
        ),
    ),
    Case(
        "a chart goes to the destination and is not counted with its own values as well",
        {**CHART, "argocd/a.yaml": app("namespace: team-b", path="charts/shop")},
        (NONE,),
    ),
]


@pytest.mark.parametrize("case", params(RENDERED))
def test_what_a_user_of_argo_cd_and_helm_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch, needed_helm()) == expected(case)


def test_without_helm_the_namespace_of_a_chart_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**CHART, "argocd/a.yaml": chart(), ".quotalint.yaml": "renderers: {helm: program}\n"}
    result = checked(tmp_path, files, monkeypatch)
    assert unknowns(result) == {
        "team-a/base pods": (
            "argocd/a.yaml: the chart charts/shop (release shop) is not rendered: it needs the program `helm` on PATH",
        )
    }
