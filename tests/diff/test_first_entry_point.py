"""The first object that deploys something says what is deployed: what was applied by hand may be so still."""

from __future__ import annotations

from typing import Any

from deployer_objects import argo_application
from git_repositories import Repository, deployment, difference, quota

BY_HAND = {"k8s/quota.yaml": quota("pods: 2"), "k8s/web.yaml": deployment(3), "shop/web.yaml": deployment(1, "shop")}


def test_what_is_left_to_hands_is_not_known_to_be_gone(repository: Repository, capsys: Any) -> None:
    repository.commit(BY_HAND)
    repository.commit({"argocd/shop.yaml": argo_application("shop")})
    status, report = difference(capsys, "HEAD~1", "HEAD")
    # It is judged as if nobody had left it out: 3 pods of 2.
    assert report["quotas"] == []
    assert [finding["rule"] for finding in report["still"]] == ["QL301"]
    assert (status, report["unknowns"][0]["reason"]) == (
        1,
        "k8s/quota.yaml, k8s/web.yaml were judged before and are not any more: nothing in view deploys it "
        "(since argocd/shop.yaml)",
    )


def test_what_is_no_longer_deployed_is_gone(repository: Repository, capsys: Any) -> None:
    applications = {f"argocd/{name}.yaml": argo_application(name, name=name) for name in ("k8s", "shop")}
    repository.commit({**BY_HAND, **applications, "old/web.yaml": deployment(1, "old")})
    repository.commit({"argocd/k8s.yaml": None})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert [change["lost"] for change in report["quotas"]] == [None]
