"""A ResourceQuota or LimitRange whose `spec` has a value of a wrong type: the API server decodes none of it, so that it
neither looks at the rest nor goes by any of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import outcome
from manifests import quota

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: shop}\nspec: {containers: [{name: c, image: i}]}\n"


def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> tuple[list[str], list[str]]:
    """The quotas that count something, and the rules that something is said by."""
    actual = outcome(tmp_path, {f"{name}.yaml": text for name, text in files.items()}, monkeypatch)
    return actual.quotas, [line.split()[1] for line in actual.findings]


@pytest.mark.parametrize(
    "spec",
    [
        "{hard: {pods: 0}, scopes: BestEffort}",
        "{hard: {pods: 0}, scopes: [5]}",
        "{hard: {pods: 0}, scopeSelector: [{scopeName: BestEffort, operator: Exists}]}",
        "{hard: {pods: 0}, scopeSelector: {matchExpressions: {scopeName: BestEffort, operator: Exists}}}",
        "{hard: {pods: 0}, scopeSelector: {matchExpressions: [BestEffort]}}",
        "{hard: {pods: 0}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: a}]}}",
        "{hard: [pods]}",
        "[]",
    ],
)
def test_such_a_quota_counts_nothing(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: base, namespace: shop}}\nspec: {spec}\n"
    assert rules(tmp_path, monkeypatch, quota=written, pod=POD) == (["shop/base without projections"], ["QL004"])


@pytest.mark.parametrize("more", ["scopes: null", "scopes: $SCOPES", "scoped: [BestEffort]"])
def test_a_quota_with_nothing_a_placeholder_or_a_field_too_many_counts(
    more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, _ = rules(tmp_path, monkeypatch, quota=quota("shop", hard="pods: 0", more=f", {more}"), pod=POD)
    assert counted == ["shop/base pods 1/0 exact"]


@pytest.mark.parametrize(
    "limits",
    [
        "[{type: Container, default: {cpu: 1}}, Pod]",
        "[{type: Container, default: {cpu: 1}}, {type: 5}]",
        "[{type: Container, default: {cpu: 1}}, {type: Pod, max: []}]",
        "{type: Container, default: {cpu: 1}}",
    ],
)
def test_such_a_limit_range_fills_in_nothing(limits: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: l, namespace: shop}}\nspec: {{limits: {limits}}}\n"
    hard = quota("shop", hard="limits.cpu: 4")
    assert rules(tmp_path, monkeypatch, limits=written, pod=POD, quota=hard) == (
        ["shop/base limits.cpu 0/4 exact"],
        ["QL004", "QL401"],
    )
