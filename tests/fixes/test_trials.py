"""A repair that would bring something as bad as what it mends is not written, and that is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from written_files import write_as_is

from quotalint.cli import run

QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {{name: {name}, namespace: {name}}}
spec:
  hard:
    pods: 20
    memory.limit: {amount}
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: {name}}}
spec:
  strategy: {{type: Recreate}}
  template: {{spec: {{containers: [{{name: web, image: web, resources: {{limits: {{memory: 1Gi}}}}}}]}}}}
"""


def files_of(amounts: dict[str, str]) -> dict[str, str]:
    quotas = {f"{name}/quota.yaml": QUOTA.format(name=name, amount=amount) for name, amount in amounts.items()}
    return quotas | {f"{name}/web.yaml": WEB.format(name=name) for name in amounts}


def checked(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    write_as_is(folder, files)
    monkeypatch.chdir(folder)
    run(["check", "--jobs", "1", *options])


def renamed(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.glob("*/quota.yaml") if "limits.memory" in path.read_text()}


def test_a_name_that_makes_a_quota_refuse_what_runs_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    checked(files_of({"roomy": "2Gi", "tight": "512Mi"}), tmp_path, monkeypatch, "--fix")
    assert renamed(tmp_path) == {"roomy"}
    assert capsys.readouterr().err.splitlines()[:2] == [
        "fixed roomy/quota.yaml:7 QL102: write limits.memory in place of memory.limit",
        "left tight/quota.yaml:7 QL102: it would bring QL301 in tight/quota.yaml: tight asks for limits.memory 1Gi; "
        "quota tight allows 512Mi (to do: write limits.memory in place of memory.limit)",
    ]


def test_it_is_not_shown_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    checked(files_of({"roomy": "2Gi", "tight": "512Mi"}), tmp_path, monkeypatch, "--diff")
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("+++")] == [
        "+++ b/roomy/quota.yaml"
    ]


def test_one_among_many_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    amounts = {f"n{number:02}": "512Mi" if number == 13 else "2Gi" for number in range(20)}
    checked(files_of(amounts), tmp_path, monkeypatch, "--fix")
    assert set(amounts) - renamed(tmp_path) == {"n13"}
    assert "repaired 19 findings in 19 files" in capsys.readouterr().err


def test_what_is_less_severe_is_no_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without Recreate a rollout has no room, which only the next one will feel: a warning for an error.
    files = files_of({"team": "8Gi"})
    files["team/web.yaml"] = files["team/web.yaml"].replace("strategy: {type: Recreate}", "replicas: 8")
    checked(files, tmp_path, monkeypatch, "--fix")
    assert renamed(tmp_path) == {"team"}


def test_an_unsafe_one_is_tried_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The folder says where the quota belongs; there it would refuse what runs.
    quota = QUOTA.format(name="other", amount="512Mi").replace("memory.limit", "limits.memory")
    declared = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n"
    files = {"team/quota.yaml": quota, "team/namespace.yaml": declared, "team/web.yaml": WEB.format(name="team")}
    other = declared.replace("team", "other")
    checked(files | {"other/namespace.yaml": other}, tmp_path, monkeypatch, "--fix", "--unsafe-fixes")
    assert (tmp_path / "team/quota.yaml").read_text() == quota
    assert "QL601: it would bring QL301 in team/quota.yaml" in capsys.readouterr().err
