"""Each of the ways to silence a rule that its page names, tried on its first example."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from workspace import Workspace

from quotalint.catalogue import Rule, rule_by_id, rule_ids
from quotalint.settings.loading import NAME
from quotalint.suppression import UNUSED

BY_CHECK = [rule for rule in map(rule_by_id, rule_ids()) if not rule.bad[0].get("before")]


@pytest.mark.parametrize("rule", BY_CHECK, ids=lambda rule: str(rule.id))
def test_a_rule_is_silenced_by_a_comment_for_a_file_and_everywhere(rule: Rule, workspace: Workspace) -> None:
    files, settings = rule.bad[0]["files"], rule.bad[0].get("settings", {})
    first, *others = _found(rule, workspace, files, settings)
    place = f"{first['file']}:{first['line']}"

    lines = files[first["file"]].split("\n")
    at = first["line"] - 1
    indentation = lines[at][: len(lines[at]) - len(lines[at].lstrip(" "))]
    lines.insert(at, f"{indentation}# quotalint: ignore[{rule.id}] why it is meant")
    commented = _found(rule, workspace, {**files, first["file"]: "\n".join(lines)}, settings)
    assert len(commented) <= len(others), f"a comment above {place}"

    elsewhere = [finding for finding in others if finding["file"] != first["file"]]
    ignore = [{"rules": [rule.id], "paths": [first["file"]]}]
    ignored = _found(rule, workspace, files, {**settings, "ignore": ignore})
    assert len(ignored) == len(elsewhere), f"ignore for {place}"

    assert _found(rule, workspace, files, {**settings, "severity": {rule.id: "off"}}) == []


def _found(
    rule: Rule, workspace: Workspace, files: Mapping[str, str], settings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    workspace.put({NAME: json.dumps(settings), **files})
    selected = () if rule.id == UNUSED else ("--select", rule.id)
    report = workspace.report("check", *selected)
    return [each for each in report["findings"] if each["rule"] == rule.id and not each["suppressed"]]
