"""The JSON report keeps the promise of its schema."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from git_repositories import deployment, quota

from quotalint.cli import run
from quotalint.quota.family import READERS

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "schemas" / "report.schema.json").read_text())


def report(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    run([*arguments, "--format", "json"])
    printed: dict[str, object] = json.loads(capsys.readouterr().out)
    return printed


@pytest.mark.parametrize("command", ["check", "usage"])
@pytest.mark.parametrize(
    "folder",
    [
        "examples",
        *(
            f"tests/golden/{name}/repo"
            for name in ("argocd", "charts", "demand", "exceeded", "family", "flux", "not-in-view", "policies")
        ),
    ],
)
def test_report_is_valid(command: str, folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    printed = report([command, str(ROOT / folder)], capsys)
    errors = jsonschema.Draft202012Validator(SCHEMA).iter_errors(printed)
    assert [f"{list(error.path)}: {error.message}" for error in errors] == []


def test_usage_prints_the_quotas_and_the_summary_alone(capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(ROOT / "examples")
    whole, part = report(["check", folder], capsys), report(["usage", folder], capsys)
    assert part == {key: whole[key] for key in ("version", "quotas", "summary")}


def test_fingerprints_survive_a_shift_of_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "examples" / "team-b" / "quota.yaml").read_text()
    fingerprints_by_run = []
    for shift in ("", "# a comment\n\n"):
        Path("quota.yaml").write_text(shift + text)
        findings = report(["check", "."], capsys)["findings"]
        assert isinstance(findings, list)
        fingerprints_by_run.append([(finding["rule"], finding["fingerprint"]) for finding in findings])
    assert fingerprints_by_run[0] == fingerprints_by_run[1]
    assert len({fingerprint for _, fingerprint in fingerprints_by_run[0]}) == len(fingerprints_by_run[0]) == 5


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cache, namespace: team-a}
spec:
  interval: 10m
  chart: {spec: {chart: redis, version: 1.0.0, sourceRef: {kind: HelmRepository, name: stable}}}
"""


@pytest.mark.parametrize(
    ("files", "verdict", "status"),
    [
        ({"quota.yaml": quota("pods: 1"), "web.yaml": deployment(2)}, "fails", 1),
        ({"quota.yaml": quota("pods: 1"), "web.yaml": deployment(2), "release.yaml": RELEASE}, "fails", 1),
        ({"quota.yaml": quota("pods: 9"), "web.yaml": deployment(2), "release.yaml": RELEASE}, "unknown", 1),
        ({"quota.yaml.j2": quota("pods: '{{ pods }}'")}, "unknown", 1),
        ({"quota.yaml": quota("pods: 9"), "web.yaml": deployment(2)}, "passes", 0),
        ({"quota.yaml": quota("pods: 9")}, "passes", 0),
        ({"web.yaml": deployment(2), "release.yaml": RELEASE}, "nothing", 0),
    ],
)
def test_the_verdict_is_what_fails_on_unknown(
    files: dict[str, str],
    verdict: str,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        Path(name).write_text(text)
    assert report(["check"], capsys)["verdict"] == verdict
    assert run(["check", "--fail-on", "error,unknown"]) == status


def test_every_kind_of_quota_is_in_the_schema() -> None:
    kinds = SCHEMA["$defs"]["quota"]["properties"]["kind"]["enum"]
    assert {kind for _, kind in READERS} <= {*kinds}
