"""Claims of a StatefulSet that are in view by themselves: written beforehand, or shown by a snapshot."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import outcome
from manifests import quota

from quotalint.cli import run

SET = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  replicas: 3
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: i}]}}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 8Gi}}}
"""
HARD = 'persistentvolumeclaims: "4", requests.storage: 32Gi'


def claim(name: str, storage: str = "8Gi") -> str:
    return (
        f"---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: {name}, namespace: shop}}\n"
        f"spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: {storage}}}}}}}\n"
    )


@pytest.mark.parametrize(
    ("claims", "number", "storage"),
    [
        ("", 3, "24Gi"),
        (claim("data-db-0"), 3, "24Gi"),
        (claim("data-db-0") + claim("data-db-1") + claim("data-db-2"), 3, "24Gi"),
        (claim("data-db-1", "4Gi"), 3, "20Gi"),  # it stays as large as it is
        (claim("data-db-3"), 4, "32Gi"),  # of a pod that there was once
        (claim("data-other-0"), 4, "32Gi"),
        (claim("data-db-00"), 4, "32Gi"),
    ],
)
def test_a_claim_is_counted_once(
    claims: str, number: int, storage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"quota.yaml": quota("shop", hard=HARD), "db.yaml": SET + claims}
    assert outcome(tmp_path, files, monkeypatch).quotas == [
        f"shop/base persistentvolumeclaims {number}/4 exact",
        f"shop/base requests.storage {storage}/32Gi exact",
    ]


def test_pods_count_from_the_first_ordinal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late = SET.replace("replicas: 3", "replicas: 3\n  ordinals: {start: 5}")
    files = {
        "quota.yaml": quota("shop", hard='persistentvolumeclaims: "9"'),
        "db.yaml": late + claim("data-db-0") + claim("data-db-7") + claim("data-db-8"),
    }
    assert outcome(tmp_path, files, monkeypatch).quotas == ["shop/base persistentvolumeclaims 5/9 exact"]


THREE = claim("data-db-0") + claim("data-db-1") + claim("data-db-2")


@pytest.mark.parametrize(
    ("claims", "hard", "so"),
    [
        (claim("data-db-1"), 'persistentvolumeclaims: "2"', "1 of these 3 PersistentVolumeClaims"),
        (THREE, 'persistentvolumeclaims: "3", pods: "3"', ""),
        (THREE, 'persistentvolumeclaims: "3", pods: "2"', "1 of 3 pods of StatefulSet db will be refused"),
        (claim("data-db-1"), 'persistentvolumeclaims: "3", pods: "2"', "1 of 3 pods of StatefulSet db will be refused"),
    ],
)
def test_pods_take_the_claims_that_are_there(
    claims: str,
    hard: str,
    so: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "all.yaml").write_text("---\n".join((quota("shop", hard=hard), SET + claims)))
    monkeypatch.chdir(tmp_path)
    assert run(["--ignore", "QL305"]) == (1 if so else 0)
    out = " ".join(capsys.readouterr().out.split())
    assert so in out if so else "refused" not in out
