"""What is proposed for the examples and for the repositories of the view cases passes, and is no more than it has to
be."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from amounts import amount

from quotalint.cli import run
from quotalint.sizing.entries import Margin, rounded_up

TOP = Path(__file__).parents[2]
SUMS = ("QL301", "QL302", "QL303", "QL304")
FOLDERS = sorted(
    [path for path in (TOP / "examples").iterdir() if path.is_dir()]
    + [path / "repo" for path in (TOP / "tests" / "cases" / "views").iterdir() if (path / "repo").is_dir()]
)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(TOP)).replace("/", " "))
def test_what_is_proposed_passes_and_is_no_more_than_it_has_to_be(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "repo"
    shutil.copytree(folder, copy, symlinks=True)
    (copy / ".git").mkdir(exist_ok=True)
    monkeypatch.chdir(copy)
    status = run(["suggest", "--lower", "-f", "json"])
    out = capsys.readouterr().out
    if status == 2:
        return  # its configuration is refused, by every command
    report = json.loads(out)
    assert [line for line in report["left"] if line.startswith(SUMS)] == []
    for proposed in report["quotas"]:
        for entry in proposed["entries"]:
            check_amounts(entry, proposed)
    if run(["suggest", "--lower", "--write", os.fspath(copy)]) == 2:
        assert "something else is there already" in capsys.readouterr().err
        return
    capsys.readouterr()
    run(["check", "--scenario", "peak", "--select", ",".join(SUMS), "-f", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    quotas = {
        (quota["namespace"] or "", quota["name"])
        for quota in report["quotas"]
        # Files of Terraform and templates are not changed.
        if not quota["new"] and not quota["file"].endswith(".tf") and "templates/" not in quota["file"]
    }
    unknown = {(item["namespace"] or "", item["name"]) for item in report["unsized"]}
    assert [
        finding["message"]
        for finding in findings
        if (finding["namespace"] or "", (finding["object"] or {}).get("name")) in quotas - unknown
    ] == []


def check_amounts(entry: dict[str, str | None], proposed: dict[str, object]) -> None:
    """The least amount that people write and that is enough, unless a size was chosen or something may use more."""
    texts = (entry[state] for state in ("needed", "after", "before"))
    needed, after, before = (None if text is None else amount(text) for text in texts)
    if needed is None or after is None or not needed.nano or proposed["size"]:
        return
    assert entry["resource"] is not None
    least = rounded_up(entry["resource"], Margin(20).above(needed), before)
    assert after.nano >= least.nano
    if entry["changes"] or entry["certainty"] == "exact":
        assert after.nano == least.nano


CHART_QUOTAS = """\
{{- range $tier, $pods := .Values.tiers }}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: tier, namespace: {{ $tier }}}
spec:
  hard: {pods: {{ $pods | quote }}, requests.memory: 1Gi}
---
apiVersion: v1
kind: Pod
metadata: {name: worker, namespace: {{ $tier }}}
spec:
  containers: [{name: worker, image: worker, resources: {requests: {memory: 3Gi}}}]
{{- end }}
"""


def test_entries_of_a_template_do_not_take_the_amounts_of_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Everything that a template makes is written in one place: the template.
    chart = tmp_path / "charts" / "tiers"
    (chart / "templates").mkdir(parents=True)
    (tmp_path / "kustomization.yaml").write_text("helmCharts: [{name: tiers, releaseName: tiers}]\n")
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: tiers\nversion: 1.0.0\n")
    (chart / "values.yaml").write_text("tiers: {front: 400, back: 5}\n")
    (chart / "templates" / "quotas.yaml").write_text(CHART_QUOTAS)
    monkeypatch.chdir(tmp_path)
    run(["suggest", "--headroom", "0", "-f", "json"])
    proposed = {
        (quota["namespace"], entry["resource"]): (entry["before"], entry["needed"], entry["after"])
        for quota in json.loads(capsys.readouterr().out)["quotas"]
        for entry in quota["entries"]
    }
    assert proposed == {
        ("front", "pods"): ("400", "1", "400"),
        ("front", "requests.memory"): ("1Gi", "3Gi", "3Gi"),
        ("back", "pods"): ("5", "1", "5"),
        ("back", "requests.memory"): ("1Gi", "3Gi", "3Gi"),
    }
