"""A bug of ours in one place takes nothing from the others: what was found is reported, the bug is named, status 2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from manifests import quota

from quotalint.accounts.facts import Facts
from quotalint.checks import checks, manifest_files
from quotalint.checks.hit import Check, Hit
from quotalint.cli import formats, run
from quotalint.text.documents import read

BROKEN = "apiVersion: v1\nkind: [\n"
QUOTA = quota("a", "q", "pods: x")
JOB = """\
apiVersion: batch/v1
kind: CronJob
metadata: {name: c, namespace: b}
spec: {schedule: "* * * * *", jobTemplate: {spec: {template: {spec: {containers: [{name: c, image: x}]}}}}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("QUOTALINT_DEBUG", raising=False)
    (tmp_path / "q.yaml").write_text(QUOTA)
    (tmp_path / "z.yaml").write_text(BROKEN)
    return tmp_path


def raising(*_: object) -> Iterator[Hit]:
    raise KeyError("nobody expects this")


def with_rule(monkeypatch: pytest.MonkeyPatch, broken: Check) -> None:
    whole = checks()

    def one_raises() -> Iterator[Check]:
        return (check._replace(run=raising) if check == broken else check for check in whole)

    monkeypatch.setattr("quotalint.pipeline.checks", one_raises)


def test_a_rule_that_raises(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with_rule(monkeypatch, manifest_files.unreadable_manifest)
    assert run(["."]) == 2
    printed = capsys.readouterr()
    assert "QL103" in printed.out
    assert "bug in quotalint, please report it: QL001 on q.yaml: KeyError" in printed.err


def test_a_rule_that_raises_in_the_middle(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = manifest_files.unreadable_manifest

    def half(subject: object, facts: Facts) -> Iterator[Hit]:
        yield from first.run(subject, facts)
        raise ValueError("afterwards")

    runs = [check._replace(run=half) if check == first else check for check in checks()]
    monkeypatch.setattr("quotalint.pipeline.checks", lambda: runs)
    assert run(["."]) == 2
    assert "z.yaml:2" in capsys.readouterr().out


def test_a_report_that_raises(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(formats.CHECK, "sarif", lambda *_: 1 / 0)
    assert run(["-o", "sarif=s.sarif", "-o", "json=r.json", "."]) == 2
    printed = capsys.readouterr()
    assert "the report sarif: ZeroDivisionError" in printed.err
    assert len(json.loads((folder / "r.json").read_text())["findings"]) == 2
    assert "QL103" in printed.out


def test_a_workload_that_raises(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import quotalint.workloads as workloads

    monkeypatch.setitem(workloads.CONTROLLERS, ("batch", "CronJob"), raising)
    other = QUOTA.replace("namespace: a", "namespace: b").replace("x}}", "'1'}}")
    (folder / "c.yaml").write_text(f"{other}---\n{JOB}")
    assert run(["."]) == 2
    printed = capsys.readouterr()
    assert ("workloads on c.yaml: KeyError" in printed.err, "QL103" in printed.out) == (True, True)


def test_a_kustomization_that_raises(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from quotalint.gitops.kustomize.build import Builder

    monkeypatch.setattr(Builder, "build", raising)
    (folder / "app").mkdir()
    (folder / "app" / "kustomization.yaml").write_text("resources: [w.yaml]\n")
    (folder / "app" / "w.yaml").write_text(JOB)
    assert run(["."]) == 2
    printed = capsys.readouterr()
    assert (
        "rendering on app: KeyError" in printed.err,
        "QL103" in printed.out,
        "app/kustomization.yaml" in printed.out,
    ) == (
        True,
        True,
        True,
    )


def test_a_file_that_raises(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    raises = lambda data, json: 1 / 0 if b"[" in data else read(data, json=json)  # noqa: E731
    monkeypatch.setattr("quotalint.text.reading.read", raises)
    assert run(["."]) == 2
    printed = capsys.readouterr()
    assert ("reading on z.yaml: ZeroDivisionError" in printed.err, "QL103" in printed.out) == (True, True)


def test_the_next_run_knows_nothing_of_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as for_once:
        with_rule(for_once, manifest_files.unreadable_manifest)
        run(["."])
    capsys.readouterr()
    assert (run(["."]), capsys.readouterr().err) == (1, "")
