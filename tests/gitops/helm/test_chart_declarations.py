"""Which chart a HelmRelease or a kustomization asks for, and with which values, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import Case, checked, expected, outcome, params, unknowns
from manifests import quota

from quotalint.gitops.helm.library import is_installed

pytestmark = pytest.mark.skipif(not is_installed(), reason="Helm's library is not installed")

WORKLOAD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}"}
spec:
  replicas: {{ add (.Values.replicas | default 1) (.Values.more | default 0) }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: web}]}
"""
HOOK = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: before, annotations: {helm.sh/hook: pre-install}}
spec:
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: c}]}}
"""
"""Of a kind that stays once all has settled."""
FLEET = (
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: fleet, namespace: shop}\n"
    "spec: {url: 'https://example.com/fleet'}\n---\n"
)


def chart(folder: str = "charts/web", name: str = "web") -> dict[str, str]:
    """A chart of `replicas` and `more` pods: three and two by its own values."""
    return {
        f"{folder}/Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n",
        f"{folder}/values.yaml": "replicas: 3\nmore: 2\n",
        f"{folder}/templates/web.yaml": WORKLOAD,
    }


def release(spec: str, name: str = "web") -> str:
    return (
        f"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: {name}, namespace: shop}}\n"
        f"spec: {{{spec}}}\n"
    )


def git_chart(more: str = "") -> str:
    return f"chart: {{spec: {{chart: ./charts/web, sourceRef: {{kind: GitRepository, name: fleet}}{more}}}}}"


def config(kind: str, data: str) -> str:
    field = "data" if kind == "ConfigMap" else "stringData"
    return f"---\napiVersion: v1\nkind: {kind}\nmetadata: {{name: sizes, namespace: shop}}\n{field}: {{{data}}}\n"


HOME = {"quota.yaml": quota("shop"), **chart()}


def pods(number: int, certainty: str = "exact") -> tuple[str]:
    return (f"shop/base pods {number}/8 {certainty}",)


RELEASES = [
    Case("the chart's own values", {**HOME, "web.yaml": FLEET + release(git_chart())}, pods(5)),
    Case(
        "values files take the place of the chart's own",
        {**HOME, "small.yaml": "replicas: 2\n", "web.yaml": FLEET + release(git_chart(", valuesFiles: [small.yaml]"))},
        pods(2),
    ),
    Case(
        "the chart's own values among the files",
        {
            **HOME,
            "small.yaml": "replicas: 2\n",
            "web.yaml": FLEET + release(git_chart(", valuesFiles: [charts/web/values.yaml, small.yaml]")),
        },
        pods(4),
    ),
    Case(
        "a values file that may be missing",
        {
            **HOME,
            "small.yaml": "replicas: 2\n",
            "web.yaml": FLEET
            + release(git_chart(", valuesFiles: [small.yaml, none.yaml], ignoreMissingValuesFiles: true")),
        },
        pods(2),
    ),
    Case(
        "a HelmChart",
        {
            **HOME,
            "small.yaml": "replicas: 2\n",
            "web.yaml": FLEET
            + "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmChart\nmetadata: {name: web, namespace: shop}\n"
            "spec: {chart: charts/web, sourceRef: {kind: GitRepository, name: fleet}, valuesFiles: [small.yaml]}\n---\n"
            + release("chartRef: {kind: HelmChart, name: web}"),
        },
        pods(2),
    ),
    Case(
        "a value for a path",
        {
            **HOME,
            "web.yaml": FLEET
            + release(
                f"{git_chart()}, valuesFrom: [{{kind: ConfigMap, name: sizes, valuesKey: size, targetPath: replicas}}]"
            )
            + config("ConfigMap", "size: '4'"),
        },
        pods(6),
    ),
    Case(
        "a value for a path from a Secret in plain text, and values that win over it",
        {
            **HOME,
            "web.yaml": FLEET
            + release(
                f"{git_chart()}, values: {{more: 0}}, valuesFrom: "
                "[{kind: Secret, name: sizes, valuesKey: size, targetPath: replicas}]"
            )
            + config("Secret", "size: '4'"),
        },
        pods(4),
    ),
    Case(
        "several sources of values, the last one first",
        {
            **HOME,
            "web.yaml": FLEET
            + release(
                f"{git_chart()}, valuesFrom: [{{kind: ConfigMap, name: sizes}}, "
                "{kind: ConfigMap, name: sizes, valuesKey: more, targetPath: more}]"
            )
            + config("ConfigMap", "values.yaml: 'replicas: 1', more: '6'"),
        },
        pods(7),
    ),
]

OVERLAY = {"quota.yaml": quota("shop"), "app/values.yaml": "replicas: 2\n", **chart("app/charts/web")}


def kustomization(more: str) -> str:
    return f"namespace: shop\nhelmCharts: [{{name: web, releaseName: web{more}}}]\n"


CHARTS = [
    Case(
        "hooks that are skipped",
        {
            **OVERLAY,
            "app/charts/web/templates/hook.yaml": HOOK,
            "app/kustomization.yaml": kustomization(", skipHooks: true"),
        },
        pods(5),
    ),
    Case(
        "hooks that are not",
        {**OVERLAY, "app/charts/web/templates/hook.yaml": HOOK, "app/kustomization.yaml": kustomization("")},
        pods(6),
    ),
    Case(
        "the version of Kubernetes",
        {
            **OVERLAY,
            "app/charts/web/templates/web.yaml": WORKLOAD.replace(
                "{{ add", '{{ if semverCompare ">=1.30.0" .Capabilities.KubeVersion.Version }}7{{ else }}{{ add', 1
            ).replace("default 0) }}", "default 0) }}{{ end }}"),
            "app/kustomization.yaml": kustomization(", kubeVersion: 1.29.0"),
        },
        pods(5),
    ),
    Case(
        "inline values over those of a file",
        {
            **OVERLAY,
            "app/kustomization.yaml": kustomization(", valuesFile: values.yaml, valuesInline: {replicas: 1, more: 0}"),
        },
        pods(1),
    ),
    Case(
        "a file over inline values",
        {
            **OVERLAY,
            "app/kustomization.yaml": kustomization(
                ", valuesFile: values.yaml, valuesInline: {replicas: 1, more: 0}, valuesMerge: merge"
            ),
        },
        pods(2),
    ),
    Case(
        "inline values in the place of a file",
        {
            **OVERLAY,
            "app/kustomization.yaml": kustomization(
                ", valuesFile: values.yaml, valuesInline: {more: 1}, valuesMerge: replace"
            ),
        },
        pods(4),
    ),
    Case(
        "additional files over all",
        {
            **OVERLAY,
            "app/more.yaml": "more: 4\n",
            "app/kustomization.yaml": kustomization(
                ", valuesFile: values.yaml, valuesInline: {more: 1}, additionalValuesFiles: [more.yaml]"
            ),
        },
        pods(6),
    ),
]


@pytest.mark.parametrize("case", params((*RELEASES, *CHARTS)))
def test_what_a_chart_comes_to(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch).quotas == expected(case).quotas


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (
            "chartRef: {kind: HelmChart, name: none}",
            "web.yaml: HelmRelease web is not rendered: its chart is the HelmChart none, which is not in view",
        ),
        (
            "chartRef: {kind: OCIRepository, name: none}",
            "web.yaml: HelmRelease web is not rendered: its chart is the OCIRepository none, which is remote",
        ),
        (
            "chart: {spec: {chart: redis, sourceRef: {kind: HelmRepository, name: bitnami}}}",
            "web.yaml: HelmRelease web is not rendered: the chart redis of HelmRepository bitnami is remote",
        ),
    ],
)
def test_why_a_chart_is_not_in_view(spec: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"quota.yaml": quota("shop"), "web.yaml": release(spec)}
    assert unknowns(checked(tmp_path, files, monkeypatch))["shop/base pods"][0] == reason
