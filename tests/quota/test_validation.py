"""What is said of amounts that the API server does not read."""

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
