"""What the charts, folders and patches of a helmfile render to."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from installed_helmfiles import RELEASE, WEB
from written_files import Files


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        pytest.param("/etc/values.yaml", "values files in /etc lie outside the repository", id="a machine's"),
        pytest.param("../../x.yaml", "values files in ../.. lie outside the repository", id="above"),
        pytest.param(
            "https://example.com/v.yaml?ref=x", "the values https://example.com/v.yaml are remote", id="remote"
        ),
        pytest.param("v.hcl", "the values file v.hcl is HCL, which is not supported here", id="of another language"),
    ],
)
def test_values_out_of_view_are_a_guess(
    entry: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gitops_outcome import checked
    from manifests import quota

    files = {
        "helmfile.yaml": f"releases: [{{name: raw, namespace: team, chart: x/raw, values: [q.yaml, '{entry}']}}]",
        "v.hcl": 'values { a = "b" }\n',
        "q.yaml": f"resources:\n- {quota('team').strip().replace(chr(10), chr(10) + '  ')}\n",
    }
    result = checked(tmp_path, cast("Files", files), monkeypatch)
    (quotas,) = (facts.quotas for facts in result.environments)
    assert [guess.reason for guess in quotas[0].object.guesses][1:] == [f"{reason}, and may change what is counted"]
    assert (quotas[0].object.place.real.source, quotas[0].object.place.real.path) == ("q.yaml", ("resources", 0))


DEPLOYED = """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: {{ .Release.Name }}}
    spec:
      replicas: {{ .Values.replicas }}
      selector: {matchLabels: {app: a}}
      template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: a}]}}
    """


def test_patches_change_what_a_chart_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("helm_python")
    from gitops_outcome import outcome
    from manifests import quota

    files = {
        **WEB,
        "charts/web/templates/web.yaml": DEPLOYED,
        "charts/web/values.yaml": "replicas: 1\n",
        "quota.yaml": quota("team", hard="pods: 20"),
        "patch.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: file}\nspec: {replicas: 3}\n",
        "helmfile.yaml": """
            releases:
            - name: inline
              namespace: team
              chart: ./charts/web
              strategicMergePatches:
              - {apiVersion: apps/v1, kind: Deployment, metadata: {name: inline}, spec: {replicas: 7}}
            - {name: file, namespace: team, chart: ./charts/web, strategicMergePatches: [patch.yaml]}
            - name: json
              namespace: team
              chart: ./charts/web
              jsonPatches:
              - target: {kind: Deployment, name: json}
                patch: [{op: replace, path: /spec/replicas, value: 5}]
            """,
    }
    assert outcome(tmp_path, cast("Files", files), monkeypatch).quotas == ["team/base pods 15/20 exact"]


@pytest.mark.parametrize(
    ("field", "quotas", "reason"),
    [
        pytest.param("postRenderer: ./x.sh", "?/20 unknown", "`postRenderer` of the release web", id="a post-renderer"),
        pytest.param("transformers: [x.yaml]", "?/20 unknown", "`transformers` of the release web", id="transformers"),
        pytest.param("dependencies: [{chart: x/y}]", "2/20 at-least", "`dependencies` of the release web", id="others"),
        pytest.param("adopt: [deployment/web]", "2/20 exact", "", id="what takes over"),
    ],
)
def test_what_would_change_a_release_and_is_not_done(
    field: str, quotas: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("helm_python")
    from gitops_outcome import checked, outcome_of
    from manifests import quota

    files = {
        **WEB,
        "charts/web/templates/web.yaml": DEPLOYED,
        "charts/web/values.yaml": "replicas: 2\n",
        "quota.yaml": quota("team", hard="pods: 20"),
        "helmfile.yaml": RELEASE + f", {field}}}]",
    }
    result = checked(tmp_path, cast("Files", files), monkeypatch)
    assert outcome_of(result).quotas == [f"team/base pods {quotas}"]
    assert [(finding.rule.id, reason in finding.message) for finding in result.findings] == (
        [("QL003", True)] if reason else []
    )


@pytest.mark.parametrize("is_kustomization", [False, True])
def test_a_release_of_manifests(is_kustomization: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gitops_outcome import outcome
    from manifests import quota, web

    files = {
        "app/web.yaml": web(replicas=3),
        "quota.yaml": quota("team", hard="pods: 20"),
        "helmfile.yaml": "releases: [{name: web, namespace: team, chart: ./app}]",
    }
    if is_kustomization:
        files["app/kustomization.yaml"] = "resources: [web.yaml]\nreplicas: [{name: web, count: 5}]\n"
    pods = 5 if is_kustomization else 3
    assert outcome(tmp_path, cast("Files", files), monkeypatch).quotas == [f"team/base pods {pods}/20 exact"]


def test_a_manifest_given_as_a_text_is_reported_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("helm_python")
    from gitops_outcome import checked

    files = {
        **WEB,
        "charts/web/templates/extra.yaml": "{{ range .Values.extraDeploy }}\n---\n{{ tpl . $ }}\n{{ end }}",
        "more.yaml": """
            extraDeploy:
            - |
              apiVersion: v1
              kind: ResourceQuota
              metadata: {name: {{ .Release.Name }}}
              spec: {hard: {pods: 1x}}
            """,
        "helmfile.yaml": "releases: [{name: q, namespace: team, chart: ./charts/web, values: [more.yaml]}]",
    }
    result = checked(tmp_path, cast("Files", files), monkeypatch)
    assert [(finding.rule.id, finding.file, finding.span.line) for finding in result.findings] == [
        ("QL103", "more.yaml", 2)
    ]
