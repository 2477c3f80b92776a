"""Reviewdog's diagnostic format, and the pattern by which GitHub and VS Code find problems in what is printed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from sample_findings import FORMATS, TEXT, finding
from workspace import Workspace

from quotalint.cli import run
from quotalint.reports.rdjson import render

ROOT = Path(__file__).parents[2]
MATCHER = json.loads((ROOT / "editors" / "problem-matcher.json").read_text())["problemMatcher"][0]["pattern"][0]


def diagnostics(workspace: Workspace, *arguments: str) -> list[dict[str, Any]]:
    """What is reported, without the places of others."""
    report = json.loads(workspace.text("check", "--format", "rdjson", *arguments)[1])
    assert report["source"]["name"] == "quotalint"
    diagnostics: list[dict[str, Any]] = report["diagnostics"]
    return diagnostics


def test_a_finding_has_its_place_its_rule_and_a_suggestion(workspace: Workspace) -> None:
    text = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: é, namespace: team-a}\nspec:\n  hard:\n    pod: 1\n"
    workspace.put({"quota.yaml": text.replace("é", "e")})
    (first,) = diagnostics(workspace)
    assert (first["severity"], first["code"]["value"]) == ("ERROR", "QL102")
    assert "help: write `pods`" in first["message"]
    assert first["location"] == {
        "path": "quota.yaml",
        "range": {"start": {"line": 6, "column": 5}, "end": {"line": 6, "column": 11}},
    }
    assert first["suggestions"] == [{"range": {"start": {"line": 6}, "end": {"line": 6}}, "text": "    pods: 1"}]
    assert first["code"]["url"].endswith("/rules/QL102-unknown-resource.yaml")


def test_columns_are_counted_in_bytes(workspace: Workspace) -> None:
    workspace.put(
        {
            "quota.yaml": "apiVersion: v1\nkind: ResourceQuota\n"
            "metadata: {name: q, namespace: t, annotations: {a: é}}\nspec: {hard: {pods: 1, ñandú: 1, foo: 1}}\n"
        }
    )
    places = {diagnostic["location"]["range"]["start"]["column"] for diagnostic in diagnostics(workspace)}
    line = "spec: {hard: {pods: 1, ñandú: 1, foo: 1}}"
    assert places == {len(line[: line.index(name)].encode()) + 1 for name in ("ñandú", "foo")}


def test_what_is_suppressed_is_left_out(workspace: Workspace) -> None:
    workspace.put(
        {
            "quota.yaml": "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: t}\n"
            "spec: {hard: {pod: 1}} # quotalint: ignore[QL102]\n"
        }
    )
    assert diagnostics(workspace) == []


@given(TEXT)
def test_any_text_gives_a_report(text: str) -> None:
    (first,) = json.loads(render([finding(message=text)], (), lambda _: b""))["diagnostics"]
    assert first["location"]["path"] and "\x1b" not in first["message"]


def test_the_pattern_finds_every_finding(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FORMATS)
    run(["check", "--quiet", "team-a"])
    lines = capsys.readouterr().out.splitlines()
    searches = [re.search(MATCHER["regexp"], line) for line in lines]
    assert lines and all(searches)
    first = searches[0]
    assert first
    assert (first[MATCHER["file"]], first[MATCHER["line"]], first[MATCHER["severity"]]) == (
        *lines[0].split(":")[:2],
        lines[0].split()[1],
    )
    assert re.fullmatch(r"QL\d+", first[MATCHER["code"]])


def test_code_for_editors_has_the_same_pattern() -> None:
    tasks = json.loads((ROOT / "editors" / "vscode-tasks.json").read_text())["tasks"]
    assert [task["problemMatcher"]["pattern"] for task in tasks] == [MATCHER]
