"""Charts that cannot be rendered: where they bring the quota, nobody is told that all is well."""

from __future__ import annotations

import os

import pytest
from deployer_objects import argo_application, helm_release
from gitops_outcome import needed_helm
from manifests import quota, web
from workspace import Workspace

pytest.importorskip("helm_python")

CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "argocd/app.yaml": argo_application("charts/web", "namespace: shop"),
}
REQUIRED = '{{ required "size is required" .Values.size }}'


@pytest.fixture
def helm() -> str:
    return needed_helm()


def test_a_chart_that_would_bring_the_quota(workspace: Workspace) -> None:
    workspace.put({**CHART, "charts/web/templates/quota.yaml": quota(hard=f"pods: {REQUIRED}")})
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], finding["severity"]) == ("QL003", "warning")
    assert "size is required. Helm refuses it, so it deploys nothing to namespace shop" in finding["message"]
    _, text, _ = workspace.text("check")
    assert "Not rendered in full" not in text


def test_a_chart_of_workloads_alone_where_nothing_is_limited(workspace: Workspace) -> None:
    workspace.put({**CHART, "charts/web/templates/web.yaml": web(REQUIRED)})
    assert workspace.report("check")["findings"] == []
    _, text, _ = workspace.text("check")
    assert "Not rendered in full: argocd/app.yaml" in text


def _refused_beside_a_quota() -> dict[str, str]:
    """An Application whose chart Helm refuses, in a namespace that another one puts a quota into."""
    return {
        **CHART,
        "charts/web/templates/web.yaml": web(REQUIRED),
        "argocd/limits.yaml": argo_application("limits", "namespace: shop", name="limits"),
        "limits/quota.yaml": quota(hard="pods: 4"),
    }


def test_what_helm_refuses_is_said_to_be_refused(workspace: Workspace) -> None:
    workspace.put(_refused_beside_a_quota())
    _assert_refused(workspace)


def test_what_the_program_refuses_is_said_to_be_refused(
    helm: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.path.dirname(helm))
    workspace.put({**_refused_beside_a_quota(), ".quotalint.yaml": "renderers: {helm: program}\n"})
    _assert_refused(workspace)


def test_a_template_that_is_none_is_refused_whatever_the_cluster_says(workspace: Workspace) -> None:
    unparsable = "{{ if .Capabilities.APIVersions }}a: {{ .Values.(.size).x }}{{ end }}\n"
    workspace.put({**_refused_beside_a_quota(), "charts/web/templates/web.yaml": unparsable})
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert "parse error at (web/templates/web.yaml:1)" in finding["message"]
    assert finding["message"].endswith("Helm refuses it, so it deploys nothing to namespace shop")


def test_a_chart_that_is_refused_for_several_applications_is_told_once(workspace: Workspace) -> None:
    other = argo_application("charts/web", "namespace: shop-prod", name="prod")
    workspace.put({**_refused_beside_a_quota(), "argocd/prod.yaml": other, "limits/prod.yaml": quota("shop-prod")})
    _, text, _ = workspace.text("check", "--select", "QL003")
    assert text.count("Helm refuses it") == 1
    assert "until then nothing of these releases is installed or changed" in " ".join(text.split())


def _assert_refused(workspace: Workspace) -> None:
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert finding["message"].endswith("size is required. Helm refuses it, so it deploys nothing to namespace shop")
    assert finding["help"].startswith("correct the template or the values: until then")


WITH_VALUES = {
    "argocd/app.yaml": argo_application(
        where="namespace: shop", source="repoURL: x, path: charts/web, helm: {valueFiles: [a.yaml]}"
    )
}
BROKEN = "size: 1\nport: 80: 81\n"


def test_values_that_are_no_yaml_are_refused_where_they_are_written(workspace: Workspace) -> None:
    workspace.put({**_refused_beside_a_quota(), **WITH_VALUES, "charts/web/a.yaml": BROKEN})
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert (finding["file"], finding["line"], finding["column"]) == ("charts/web/a.yaml", 2, 9)
    assert finding["message"].endswith("Helm refuses it, so it deploys nothing to namespace shop")
    assert [(place["label"], place["file"]) for place in finding["related"]] == [("through", "argocd/app.yaml")]
    workspace.put({"charts/web/a.yaml": "- size\n"})
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert (finding["file"], finding["line"]) == ("charts/web/a.yaml", 1)
    assert "it is not a map of values. Helm refuses it" in finding["message"]


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(f"{{{{ size }}}}: 2\n{BROKEN}", id="something fills them in before"),
        pytest.param(f"size: 1\n---\n{BROKEN}", id="Helm reads the document above"),
    ],
)
def test_values_that_may_be_read_may_not_be_refused(workspace: Workspace, values: str) -> None:
    workspace.put({**_refused_beside_a_quota(), **WITH_VALUES, "charts/web/a.yaml": values})
    _assert_not_rendered(workspace)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "in Git LFS, and only a pointer"),
        ("$ANSIBLE_VAULT;1.1;AES256\n6638\n", "encrypted with Ansible Vault"),
        (b"\0GITCRYPT\0\x8a\x03", "encrypted by git-crypt"),
    ],
    ids=["Git LFS", "Ansible Vault", "git-crypt"],
)
def test_values_that_are_elsewhere_are_not_refused(workspace: Workspace, values: str | bytes, why: str) -> None:
    """Whoever installs the chart fetches or decrypts them first."""
    workspace.put({**_refused_beside_a_quota(), **WITH_VALUES, "charts/web/a.yaml": values})
    _assert_not_rendered(workspace)
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert f"charts/web/a.yaml is {why}" in finding["message"]


@pytest.mark.parametrize("asked", ['lookup "v1" "Secret" "" ""', '.Capabilities.APIVersions.Has "example.com/v1"'])
def test_what_a_cluster_would_answer_otherwise_may_not_be_refused(workspace: Workspace, asked: str) -> None:
    depends = f'{{{{ if not ({asked}) }}}}{{{{ fail "no" }}}}{{{{ end }}}}'
    workspace.put({**_refused_beside_a_quota(), "charts/web/templates/secret.yaml": depends})
    _assert_not_rendered(workspace)


def _assert_not_rendered(workspace: Workspace) -> None:
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert "Helm refuses" not in finding["message"]
    assert finding["message"].endswith("what it deploys to namespace shop is not counted")


def test_what_lacks_values_here_may_not_be_refused(workspace: Workspace) -> None:
    """An image updater writes parameters into the Application, in the cluster."""
    updated = CHART["argocd/app.yaml"].replace(
        "namespace: argocd}", "namespace: argocd, annotations: {argocd-image-updater.argoproj.io/image-list: web}}"
    )
    workspace.put({**_refused_beside_a_quota(), "argocd/app.yaml": updated})
    _assert_not_rendered(workspace)


def test_values_that_are_optional_may_be_there(workspace: Workspace) -> None:
    spec = (
        "chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: flux-system}}}, "
        "valuesFrom: [{kind: Secret, name: size, optional: true}]"
    )
    files = {**_refused_beside_a_quota(), "clusters/web.yaml": helm_release("web", spec, "shop")}
    workspace.put({name: text for name, text in files.items() if name != "argocd/app.yaml"})
    _assert_not_rendered(workspace)


def test_the_reason_is_given_once(workspace: Workspace) -> None:
    workspace.put(_refused_beside_a_quota())
    _, text, _ = workspace.text("check")
    assert "1 namespace could not be judged: shop (see QL003 above)." in text
    assert text.count("size is required") == 1


def test_charts_that_lack_their_dependencies_are_one_finding(workspace: Workspace) -> None:
    for name in ("a", "b"):
        lacking = (
            f"apiVersion: v2\nname: {name}\nversion: 1.0.0\ndependencies: [{{name: {name}-core, version: 1.0.0}}]\n"
        )
        workspace.put(
            {
                f"charts/{name}/Chart.yaml": lacking,
                f"argocd/{name}.yaml": argo_application(f"charts/{name}", "namespace: shop", name=name),
            }
        )
    workspace.put({"argocd/limits.yaml": argo_application("limits", "namespace: shop", name="limits")})
    workspace.put({"limits/quota.yaml": quota(hard="pods: 4")})
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert finding["message"].startswith(
        "2 charts lack dependencies that are not vendored (a-core, b-core); what they "
    )
    assert finding["help"].startswith(
        "not vendored: quotalint vendor; or run `helm dependency build` before, or keep charts/ in the repository, or "
    )
