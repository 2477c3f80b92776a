"""Templates that ask the cluster with `lookup`: what they come to is taken to be so where Helm installs them there."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import argo_application, helm_release
from gitops_outcome import outcome
from manifests import quota, web

pytest.importorskip("helm_python")

ASKING = '{{- if not (lookup "v1" "ConfigMap" .Release.Namespace "seen") }}\n' + web(2) + "{{- end }}\n"
CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "charts/web/templates/quota.yaml": quota(hard="pods: 4"),
}
FROM_GIT = "chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: flux-system}}}"
FLUX = {"release.yaml": helm_release("web", FROM_GIT)}
ARGO = {"app.yaml": argo_application("charts/web")}
HELMFILE = {"helmfile.yaml": "releases: [{name: web, namespace: team-a, chart: ./charts/web}]\n"}
KUSTOMIZE = {
    "kustomization.yaml": "namespace: team-a\nhelmCharts: [{name: web, releaseName: web}]\n",
}


@pytest.mark.parametrize(
    ("deployer", "template", "certainty"),
    [
        pytest.param(FLUX, ASKING, "assumed", id="Flux"),
        pytest.param(FLUX, web(2), "exact", id="Flux, without a question"),
        pytest.param(FLUX, "# lookup(s)\n" + web(2), "exact", id="Flux, with the word"),
        pytest.param(FLUX, web(2) + '{{- /* as\n{{ lookup "v1" "ConfigMap" */ -}}\n', "exact", id="Flux, in a comment"),
        pytest.param(FLUX, '# lookup "v1"\n' + web(2), "exact", id="Flux, outside of what is filled in"),
        pytest.param(HELMFILE, ASKING, "assumed", id="helmfile"),
        pytest.param(ARGO, ASKING, "exact", id="Argo CD"),
        pytest.param(KUSTOMIZE, ASKING, "exact", id="Kustomize"),
    ],
)
def test_what_a_template_finds_in_the_cluster_is_not_known(
    deployer: dict[str, str], template: str, certainty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {**CHART, "charts/web/templates/web.yaml": template, **deployer}
    assert [line.partition("pods ")[2] for line in outcome(tmp_path, files, monkeypatch).quotas] == [f"2/4 {certainty}"]
