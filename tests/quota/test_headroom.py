"""How many more replicas fit, and what has no room for one more."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web

from quotalint.quota.headroom import headrooms

TWO = quota("shop", "base", "pods: 9") + "---\n" + quota("shop", "compute", "requests.cpu: 3")


@pytest.mark.parametrize(
    ("quotas", "cpu", "expected"),
    [
        pytest.param(TWO, "1", [(1, ["requests.cpu of compute"])], id="the smaller one"),
        pytest.param(TWO, "100m", [(7, ["pods of base"])], id="the smaller one is another"),
        pytest.param(
            quota("shop", "wide", "pods: 9") + "---\n" + quota("shop", "tight", "pods: 3"),
            "1",
            [(1, ["pods of tight"])],
            id="the tighter one of an entry",
        ),
        pytest.param(
            quota("shop", hard="pods: 3, requests.cpu: 3"),
            "1",
            [(1, ["pods of base", "requests.cpu of base"])],
            id="both at once",
        ),
        pytest.param(quota("shop", hard="pods: 1"), "1", [(0, ["pods of base"])], id="less than there should be"),
        pytest.param(quota("shop", hard="requests.cpu: 3"), '"0"', [], id="what asks for nothing"),
        pytest.param(quota("shop", hard="services: 3"), "1", [], id="what no quota counts"),
    ],
)
def test_as_many_more_fit_as_the_first_entry_has_room_for(
    quotas: str, cpu: str, expected: list[tuple[int, list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"quotas.yaml": quotas, "web.yaml": web(2, "shop", cpu=cpu)}
    (facts,) = checked(tmp_path, files, monkeypatch).environments
    rooms = headrooms(facts.charges, facts.admissions)
    assert [(room.steady, [f"{name} of {quota.name}" for quota, name in room.limited_by]) for room in rooms] == expected


@pytest.mark.parametrize(
    ("kind", "expected"), [("Deployment", (6, 4)), ("StatefulSet", (6, 6)), ("ReplicaSet", (6, None))]
)
def test_a_rollout_needs_room_where_the_kind_has_one(
    kind: str, expected: tuple[int, int | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"quota.yaml": quota("shop"), "web.yaml": web(2, "shop", kind=kind)}
    (facts,) = checked(tmp_path, files, monkeypatch).environments
    assert [(room.steady, room.rolling) for room in headrooms(facts.charges, facts.admissions)] == [expected]


def test_a_rollout_needs_more_the_more_replicas_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"quota.yaml": quota("shop"), "web.yaml": web(2, "shop")}
    (facts,) = checked(tmp_path, files, monkeypatch).environments
    (room,) = headrooms(facts.charges, facts.admissions)
    assert room.surges(5) == (0, 1, 1, 1, 1, 2)
    assert room._replace(owner=room.owner._replace(kind="ReplicaSet")).surges(5) == (0, 0, 0, 0, 0, 0)


TEMPLATE = "{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}"
SMALL = (
    "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: small, namespace: shop}\n"
    "spec: {limits: [{type: Container, max: {cpu: 1}}]}\n"
)


@pytest.mark.parametrize(
    ("claims", "limits", "expected"),
    [(4, "", 2), (3, "", 1), (1, "", 0), (4, SMALL, 0)],
    ids=["both have claims", "one more has", "one has none", "its pods are refused"],
)
def test_each_replica_brings_its_claims(
    claims: int, limits: str, expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    templates = f"spec:\n  volumeClaimTemplates: [{TEMPLATE}]\n"
    files = {
        "quota.yaml": quota("shop", hard=f"pods: 9, persistentvolumeclaims: {claims}") + limits,
        "db.yaml": web(2, "shop", cpu="2", kind="StatefulSet").replace("spec:\n", templates, 1),
    }
    (facts,) = checked(tmp_path, files, monkeypatch).environments
    assert [room.steady for room in headrooms(facts.charges, facts.admissions)] == [expected]


def test_what_is_refused_for_another_reason_lacks_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: bounds, namespace: shop}\n"
    files = {
        "quota.yaml": quota("shop"),
        "bounds.yaml": bounds + "spec: {limits: [{type: Container, min: {cpu: 1}}]}\n",
        "web.yaml": web(2, "shop", cpu="100m"),
    }
    (facts,) = checked(tmp_path, files, monkeypatch).environments
    rooms = headrooms(facts.charges, facts.admissions)
    assert [(room.steady, room.is_refused) for room in rooms] == [(0, True)]


def test_what_a_quota_refuses_lacks_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"quota.yaml": quota("shop", hard="pods: 1"), "web.yaml": web(2, "shop")}
    (facts,) = checked(tmp_path, files, monkeypatch).environments
    assert [room.is_refused for room in headrooms(facts.charges, facts.admissions)] == [False]
