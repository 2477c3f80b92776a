"""The first object that deploys something says what is deployed: what was applied by hand may be so still."""

from __future__ import annotations

from typing import Any

from deployer_objects import argo_application
from git_repositories import Repository, deployment, difference, quota

BY_HAND = {"k8s/quota.yaml": quota("pods: 2"), "k8s/web.yaml": deployment(3), "shop/web.yaml": deployment(1, "shop")}


def test_what_is_left_to_hands_is_not_known_to_be_gone(repository: Repository, capsys: Any) -> None:
    repository.commit(BY_HAND)
    repository.commit({"argocd/shop.yaml": argo_application("shop")})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    words = "k8s/quota.yaml is here as before, though nothing in view deploys it"
    assert [change["lost"] for change in report["quotas"]] == [words]
    assert [len(report["findings"][fate]) for fate in ("fixed", "unknown")] == [0, 1]


def test_what_is_no_longer_deployed_is_gone(repository: Repository, capsys: Any) -> None:
    applications = {f"argocd/{name}.yaml": argo_application(name, name=name) for name in ("k8s", "shop")}
    repository.commit({**BY_HAND, **applications, "old/web.yaml": deployment(1, "old")})
    repository.commit({"argocd/k8s.yaml": None})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert [change["lost"] for change in report["quotas"]] == [None]
