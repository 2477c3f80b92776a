"""What pods ask for and nobody wrote is said of a sum that is too large: whoever wrote them finds no amount there."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web

LIMITS = (
    "apiVersion: v1\nkind: LimitRange\nmetadata: {name: bounds, namespace: shop}\n"
    "spec: {limits: [{type: Container, max: {cpu: 2}}]}\n"
)
SIDECAR = web(1, "shop", "two", cpu="1").replace("containers: [", "containers: [{name: sidecar, image: x}, ")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"web.yaml": web(2, "shop")}, ["2 pods do not state requests.cpu: it comes from LimitRange bounds"]),
        ({"web.yaml": web(1, "shop")}, ["1 pod does not state requests.cpu: it comes from LimitRange bounds"]),
        (
            {"two.yaml": SIDECAR},
            ["1 pod does not state requests.cpu of every container: it comes from LimitRange bounds"],
        ),
        ({"web.yaml": web(2, "shop", cpu="2")}, []),
    ],
)
def test_what_a_limit_range_gives(
    files: dict[str, str], expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tight = {"quota.yaml": quota("shop", hard="requests.cpu: 1, pods: 9"), "limits.yaml": LIMITS}
    result = checked(tmp_path, files | tight, monkeypatch)
    (finding,) = [finding for finding in result.findings if finding.rule.id == "QL301"]
    assert [note.text for note in finding.notes if note.label == "note"] == expected
