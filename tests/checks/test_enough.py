"""One amount an entry for all findings on a quota, whichever of them asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web


def autoscaler(name: str, maximum: int) -> str:
    return (
        "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n"
        f"metadata: {{name: {name}, namespace: shop}}\nspec:\n"
        f"  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}\n  maxReplicas: {maximum}\n"
    )


TWO = web(2, "shop") + autoscaler("web", 6) + "---\n" + web(1, "shop", "api") + autoscaler("api", 5)


@pytest.mark.parametrize(
    ("pods", "ignored", "expected"),
    [
        # 2 + 1 settled, 6 + 5 at both maxima; a rollout of either needs one more than is settled.
        (5, "", {"QL304": "raise pods to 11 (room for all autoscalers at their maximum)"}),
        (3, "[QL304]", {"QL302": "raise pods to 4"}),
        (2, "[QL302, QL304]", {"QL301": "raise pods to 3 or more"}),
        (2, "[QL304]", {"QL301": "raise pods to 4 or more (room for rollouts)"}),
        (2, "", {"QL301": "raise pods to 11 or more (room for all autoscalers at their maximum)"}),
    ],
)
def test_what_the_settings_ask_for_has_room(
    pods: int, ignored: str, expected: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"quota.yaml": quota("shop", hard=f"pods: {pods}"), "all.yaml": TWO}
    result = checked(tmp_path, files | {".quotalint.yaml": f"ignore: {ignored or []}\n"}, monkeypatch)
    helps = {finding.rule.id: finding.help for finding in result.findings if finding.rule.id in expected}
    assert {rule: value[: len(expected[rule])] for rule, value in helps.items()} == expected
