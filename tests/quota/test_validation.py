"""What is said of what the API server does not read."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota


@pytest.mark.parametrize(
    ("written", "shown"),
    [("false", "false"), ("true", "true"), ("[4]", "a list"), ("{limit: 4}", "a mapping"), ("x" * 81, "x" * 80)],
    ids=["false", "true", "a list", "a mapping", "a long text"],
)
def test_an_amount_that_is_none_is_quoted(
    written: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (finding,) = checked(tmp_path, {"quota.yaml": quota("shop", hard=f"pods: {written}")}, monkeypatch).findings
    assert finding.message.startswith(f"pods: {shown} is not an amount")


@pytest.mark.parametrize("scope", ["PriorityClass", "Terminating"])
@pytest.mark.parametrize(("operator", "rules"), [("${OPERATOR}", []), ("Equals", ["QL109"])])
def test_an_operator_that_is_to_be_filled_in_is_no_error(
    scope: str, operator: str, rules: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    selector = f", scopeSelector: {{matchExpressions: [{{scopeName: {scope}, operator: '{operator}'}}]}}"
    findings = checked(tmp_path, {"quota.yaml": quota("shop", more=selector)}, monkeypatch).findings
    assert [finding.rule.id for finding in findings if finding.severity == "error"] == rules
