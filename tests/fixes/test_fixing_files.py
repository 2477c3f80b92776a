"""How files are written, which are never written, and what `--diff` and the JSON report say instead."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from quotalint.cli import run

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a, namespace: b}\nspec:\n  hard:\n    count/jobs: 1%s"
WRONG, RIGHT = QUOTA % "\n", QUOTA.replace("count/jobs", "count/jobs.batch") % "\n"


def test_diff_prints_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(QUOTA % " # no end")
    monkeypatch.chdir(tmp_path)
    status = run(["check", "--diff"])
    expected = (
        "--- a/a.yaml\n+++ b/a.yaml\n@@ -3,4 +3,4 @@\n metadata: {name: a, namespace: b}\n spec:\n   hard:\n"
        "-    count/jobs: 1 # no end\n\\ No newline at end of file\n"
        "+    count/jobs.batch: 1 # no end\n\\ No newline at end of file\n"
    )
    assert (status, *capsys.readouterr(), (tmp_path / "a.yaml").read_text()) == (1, expected, "", QUOTA % " # no end")


def test_diff_of_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    status = run(["check", "--fix", "-q", "-"])
    out, err = capsys.readouterr()
    assert (status, out.startswith("<stdin>:6:5: error QL202"), err) == (
        1,
        True,
        "left <stdin>:6 QL202: <stdin>: standard input cannot be changed (to do: write count/jobs.batch in place of "
        "count/jobs)\nquotalint: repaired 0 findings in 0 files\n",
    )


def test_the_report_says_what_would_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    run(["check", "--format", "json"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["fix"] == {
        "safe": True,
        "description": "write count/jobs.batch in place of count/jobs",
        "edits": [{"file": "a.yaml", "line": 6, "before": "    count/jobs: 1\n", "after": "    count/jobs.batch: 1\n"}],
    }


def test_mode_and_links_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = tmp_path / "repo"
    (repository / ".git").mkdir(parents=True)
    (repository / "kept").mkdir()
    (repository / "kept" / "a.txt").write_text(WRONG)
    os.chmod(repository / "kept" / "a.txt", 0o640)
    (repository / "a.yaml").symlink_to("kept/a.txt")
    monkeypatch.chdir(repository)
    status = run(["check", "--fix"])
    target = repository / "kept" / "a.txt"
    actual = (status, (repository / "a.yaml").is_symlink(), target.read_text(), stat.S_IMODE(target.stat().st_mode))
    assert actual == (0, True, RIGHT, 0o640)
    assert [path.name for path in target.parent.iterdir()] == ["a.txt"]


def test_nothing_outside_the_repository_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = tmp_path / "repo"
    (repository / ".git").mkdir(parents=True)
    (tmp_path / "outside.yaml").write_text(WRONG)
    (repository / "link.yaml").symlink_to("../outside.yaml")
    monkeypatch.chdir(repository)
    for paths, reason in (
        ([".", "../outside.yaml"], "the file lies outside the repository"),
        (["link.yaml"], "link.yaml leads out of the repository by a symbolic link"),
    ):
        run(["check", "--fix", *paths])
        assert (tmp_path / "outside.yaml").read_text() == WRONG
        assert reason in capsys.readouterr().err


def test_a_protected_file_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    run(["check", "--fix"])
    assert (tmp_path / "a.yaml").read_text() == WRONG
    assert "the file is write-protected" in capsys.readouterr().err


@pytest.mark.parametrize(
    "silence",
    ["    count/jobs: 1 # quotalint: ignore[QL202]\n", "    count/jobs: 1\n"],
    ids=["comment", "option"],
)
def test_what_is_not_reported_is_not_repaired(silence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = WRONG.replace("    count/jobs: 1\n", silence)
    (tmp_path / "a.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    run(["check", "--fix", *([] if "#" in silence else ["--ignore", "QL202"])])
    assert (tmp_path / "a.yaml").read_text() == text


def test_the_baseline_is_written_after_the_repairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yaml").write_text(WRONG + "    bandwidth: 1\n")
    monkeypatch.chdir(tmp_path)
    status = run(["check", "--fix", "--write-baseline"])
    baseline = (tmp_path / ".quotalint-baseline.yaml").read_text()
    assert (status, "QL102" in baseline, "QL202" in baseline) == (0, True, False)


BASE = WRONG.replace(", namespace: b", "")
LAYERS = {
    "base/kustomization.yaml": "resources: [quota.yaml]\n",
    "base/quota.yaml": BASE,
    "a/kustomization.yaml": "namespace: team-a\nresources: [../base]\n",
    "overlay/kustomization.yaml": "namespace: team-b\nresources: [../base]\npatches: [{path: more.yaml}]\n",
    "overlay/more.yaml": BASE.replace("jobs: 1", "jobs: 2"),
    "other.yaml": WRONG.replace("name: a", "name: other"),
}


def layered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    for name, text in LAYERS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    return {**LAYERS, "other.yaml": LAYERS["other.yaml"].replace("jobs", "jobs.batch")}


def held(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_a_base_and_its_patch_are_written_together_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = layered(tmp_path, monkeypatch)
    real = os.replace

    def replace(first: str, other: str) -> None:
        if other.endswith("overlay/more.yaml"):  # the last of the two
            raise OSError(28, "No space left on device")
        real(first, other)

    monkeypatch.setattr(os, "replace", replace)
    status = run(["check", "--fix", "--quiet"])
    assert (status, held(tmp_path), capsys.readouterr().err) == (
        1,
        expected,
        "fixed other.yaml:6 QL202: write count/jobs.batch in place of count/jobs\n"
        "left base/quota.yaml:6 QL202: another object that it belongs to cannot be changed along with it "
        "(to do: write count/jobs.batch in place of count/jobs)\n"
        "left overlay/more.yaml:6 QL202: overlay/more.yaml: it cannot be written: No space left on device "
        "(to do: write count/jobs.batch in place of count/jobs)\n"
        "quotalint: repaired 1 finding in 1 file\n",
    )


def test_what_one_overlay_cannot_change_no_other_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = layered(tmp_path, monkeypatch)
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("more.yaml"))
    run(["check", "--fix"])
    assert held(tmp_path) == expected


def test_a_file_that_changes_meanwhile_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from quotalint.fixes import apply

    (tmp_path / "a.yaml").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    real = apply.plan_fixes

    def slow(*given: Any) -> apply.Plan:
        plan = real(*given)
        (tmp_path / "a.yaml").write_text(WRONG + "    pods: 1\n")
        return plan

    monkeypatch.setattr(apply, "plan_fixes", slow)
    run(["check", "--fix"])
    assert (tmp_path / "a.yaml").read_text() == WRONG + "    pods: 1\n"
    assert "left a.yaml:6 QL202: a.yaml: it has been changed meanwhile" in capsys.readouterr().err
