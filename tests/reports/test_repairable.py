"""How many findings can be repaired, as a summary says it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pipeline_runs import run_pipeline

from quotalint.reports.details import count_repairable

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a, namespace: b}\nspec:\n  hard:\n"
EXISTS = "    - {scopeName: PriorityClass, operator: Exists, values: [a]}\n"
CLASSES = f"    pods: 1\n  scopeSelector:\n    matchExpressions:\n{EXISTS}"
CASES = {
    "nothing": ("    pods: 1\n", (0, 0)),
    "two names": ("    count/jobs: 1\n    limits.nvidia.com/gpu: 1\n", (2, 0)),
    "a name that is there with another value": ("    count/jobs: 1\n    count/jobs.batch: 2\n", (0, 0)),
    "nothing that anybody could guess": ("    bandwidth: 1\n", (0, 0)),
    "what is suppressed": ("    count/jobs: 1 # quotalint: ignore[QL202]\n    count/cronjobs: 1\n", (1, 0)),
    "a decision": (CLASSES, (0, 1)),
    "both": ("    count/jobs: 1\n" + CLASSES, (1, 1)),
}


@pytest.mark.parametrize(("hard", "expected"), CASES.values(), ids=CASES)
def test_what_can_be_repaired_is_counted(
    hard: str, expected: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.yaml").write_text(QUOTA + hard)
    monkeypatch.chdir(tmp_path)
    result = run_pipeline()
    assert count_repairable(result.findings) == expected
