"""What once ended in a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from quotalint.cli import run

DIGITS = "9" * 5000
QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: a}\nspec: {hard: {requests.cpu: '1'}}\n"
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: w, namespace: a}
spec:
  replicas: 4
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: c, image: x, resources: {requests: {cpu: '1'}}}]}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUOTALINT_DEBUG", "1")  # what raises fails the test
    (tmp_path / "victim.yaml").write_text(QUOTA + "---\n" + DEPLOYMENT)
    return tmp_path


def test_a_repair_beside_bytes_that_are_no_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quota = QUOTA.replace("requests.cpu", "nvidia.com/gpu").replace("name: q", "name: other")
    broken = quota.encode() + b"---\nx: \x8b\n"
    (folder / "a.yaml").write_bytes(broken)
    run(["--fix", "--diff", "."])
    assert "requests.nvidia.com/gpu" in capsys.readouterr().out
    run(["--fix", "."])
    assert (folder / "a.yaml").read_bytes() == broken.replace(b"nvidia.com", b"requests.nvidia.com")


@pytest.mark.parametrize("depth", [400, 990])
def test_lists_in_lists_are_rendered(folder: Path, depth: int, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: x, namespace: a}}\ndata: {'[' * depth}{']' * depth}\n"
    (folder / "victim.yaml").write_text(text)
    assert run(["render", "."]) == 0
    assert capsys.readouterr().out.count("- ") >= depth - 1


def test_an_index_of_many_digits(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "app").mkdir()
    (folder / "app/kustomization.yaml").write_text(
        "resources: [d.yaml]\nreplacements:\n- source: {kind: Deployment, name: w, fieldPath: metadata.name}\n"
        f"  targets: [{{select: {{kind: Deployment}}, fieldPaths: [spec.template.spec.containers.{DIGITS}.name]}}]\n"
    )
    (folder / "app/d.yaml").write_text(DEPLOYMENT)
    assert run(["."]) == 1
    printed = capsys.readouterr().out
    assert ("app/kustomization.yaml" in printed, "QL301" in printed) == (True, True)


@pytest.mark.parametrize(
    "template",
    [
        f'{{{{ regexReplaceAll "a{{{DIGITS}}}" "a" "b" }}}}',
        f'{{{{ semverCompare ">{DIGITS}.0.0" "1.2.3" }}}}',
        f'{{{{ semver "1.2.3-{DIGITS}" }}}}',
        f"{{{{ add 1 {DIGITS} }}}}",
        f'{{{{ atoi "{DIGITS}" }}}}',
        f"{{{{ index (list 1) {DIGITS} }}}}",
        f'{{{{ regexReplaceAll "{"(" * 3000}a{")" * 3000}" "a" "b" }}}}',
    ],
)
def test_templates_with_large_numbers(folder: Path, template: str) -> None:
    written = yaml.safe_dump(template, width=1 << 30).strip()
    (folder / "s.yaml").write_text(
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s, namespace: argocd}\n"
        "spec:\n  goTemplate: true\n  generators: [{list: {elements: [{a: b}]}}]\n  template:\n"
        f"    metadata: {{name: x}}\n    spec: {{source: {{path: {written}}}}}\n"
    )
    assert run(["."]) == 1


@pytest.mark.parametrize(
    "schedule",
    [f"@every {DIGITS}h", f"@every 1h{DIGITS}m", f"{DIGITS} * * * *", f"*/{DIGITS} * * * *", f"*/{DIGITS} * * * TZ"],
)
def test_schedules_with_large_numbers(folder: Path, schedule: str) -> None:
    (folder / "c.yaml").write_text(
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c, namespace: a}\n"
        f"spec:\n  schedule: '{schedule}'\n"
        "  jobTemplate: {spec: {template: {spec: {containers: [{name: c}]}}}}\n"
    )
    assert run(["--scenario", "peak", "."]) == 1


def test_a_key_that_looks_like_a_step_into_text(folder: Path) -> None:
    (folder / "c.yaml").write_text(QUOTA.replace("requests.cpu", f"'---{DIGITS}'"))
    assert run(["."]) == 1


REPOSITORIES = {
    "replicas of Argo CD": (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: x, namespace: argocd}\nspec:\n"
        "  destination: {name: in-cluster, namespace: a}\n"
        f"  source: {{path: ., kustomize: {{replicas: [{{name: w, count: '{DIGITS}'}}]}}}}\n"
    ),
    "a version of pod security": (
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: a, labels: {pod-security.kubernetes.io/enforce: restricted,"
        f" pod-security.kubernetes.io/enforce-version: v1.{DIGITS}}}}}\n"
    ),
}


@pytest.mark.parametrize("text", REPOSITORIES.values(), ids=REPOSITORIES)
def test_other_large_numbers(folder: Path, text: str) -> None:
    (folder / "kustomization.yaml").write_text("resources: [victim.yaml]\n")
    (folder / "a.yaml").write_text(text)
    assert run(["."]) == 1


@pytest.mark.parametrize(
    "written", [f'"{DIGITS}"', f"[1].{DIGITS}", "element([], 0)", 'jsondecode("NaN")', '"1_0"', '"٣"']
)
@pytest.mark.parametrize("field", ["replicas", "count"])
def test_numbers_of_terraform(folder: Path, field: str, written: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        f"count = {written}",
        "metadata {",
        'name = "x"',
        'namespace = "a"',
        "}",
        "spec {",
        f"replicas = {written}",
    ]
    (folder / "victim.yaml").write_text(QUOTA.replace("requests.cpu", "pods"))
    (folder / "main.tf").write_text(
        'resource "kubernetes_deployment_v1" "x" {\n'
        + "\n".join(line for line in lines if not line.startswith(("count", "replicas")) or line.startswith(field))
        + '\ntemplate {\nspec {\ncontainer {\nname = "c"\n}\n}\n}\n}\n}\n'
    )
    assert run(["usage", "."]) == 0
    out = capsys.readouterr().out
    assert "≥ " in out or "unknown" in out
