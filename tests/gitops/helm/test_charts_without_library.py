"""Without the extra `helm` everything else works, and a line says what it would add."""

from __future__ import annotations

from pathlib import Path

import pytest
from written_files import write

from quotalint.cli import run
from quotalint.gitops.helm import library

CASE = Path(__file__).parents[2] / "cases" / "charts" / "required-value-missing" / "repo"


def test_a_line_says_what_the_extra_would_add(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(library, "is_installed", lambda: False)
    monkeypatch.chdir(CASE)
    status = run(["check", "--no-cache"])
    out = " ".join(capsys.readouterr().out.split())
    assert status == 0
    assert (
        "`pip install 'quotalint[helm]'` would render 2 releases of charts here, in 2 namespaces with a quota." in out
    )


@pytest.mark.parametrize(
    ("files", "line"),
    [
        pytest.param(
            {"charts/q/templates/q.yaml": "apiVersion: v1\nkind: ResourceQuota\n", "values.yaml": "a: 1\n"},
            "1 release of charts here; 1 of them brings quotas or LimitRanges.",
            id="in a template",
        ),
        pytest.param(
            {"charts/q/templates/q.yaml": "", "values.yaml": "resources: [{apiVersion: v1, kind: LimitRange}]\n"},
            "1 release of charts here; 1 of them brings quotas or LimitRanges.",
            id="in its values",
        ),
        pytest.param(
            {"charts/q/templates/q.yaml": "", "values.yaml": "kinds: [ResourceQuota]\n"},
            "1 release of charts here.",
            id="nowhere",
        ),
    ],
)
def test_the_line_tells_of_quotas_in_charts(
    files: dict[str, str],
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(library, "is_installed", lambda: False)
    helmfile = "releases: [{name: q, namespace: team, chart: ./charts/q, values: [values.yaml]}]\n"
    chart = {"charts/q/Chart.yaml": "{apiVersion: v2, name: q, version: 1.0.0}\n", "helmfile.yaml": helmfile}
    write(tmp_path, {**chart, **files})
    monkeypatch.chdir(tmp_path)
    run(["check", "--no-cache"])
    out = " ".join(capsys.readouterr().out.split())
    assert f"`pip install 'quotalint[helm]'` would render {line}" in out


def test_nothing_is_rendered_because_a_program_happens_to_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    helm = tmp_path / "helm"
    helm.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    helm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(library, "is_installed", lambda: False)
    monkeypatch.chdir(CASE)
    run(["check", "--no-cache"])
    assert "could not be judged" in capsys.readouterr().out
    assert not (tmp_path / "started").exists()
