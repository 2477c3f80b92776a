"""A commit that has other images run is answered without asking what the namespace holds, unless pods of it may be
refused; and what is said is what would be found out anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked

from quotalint.cli import comparing
from quotalint.slices import joined, trial

Files = Mapping[str, str | None]
FORMATS = ("json", "sarif", "text", "markdown", "github", "gitlab", "rdjson")
WEB = deployment(2)
ROOMY: Files = {"a/quota.yaml": quota("pods: 9, requests.cpu: 9"), "a/web.yaml": WEB}
OTHER_IMAGE = {"a/web.yaml": WEB.replace("image: web", "image: other")}
LIMITED = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: limits, namespace: team-a}\nspec: {limits: [%s]}\n"
CRON_JOB = """apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: team-a}
spec:
  schedule: "0 * * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          initContainers: [{name: wait, image: "wait:1", resources: {requests: {cpu: 1}}}]
          containers: [{name: report, image: "report:1", resources: {requests: {cpu: 1}}}]
"""
CALM: Mapping[str, tuple[Files, Files]] = {
    "a Deployment": (ROOMY, OTHER_IMAGE),
    "containers of a CronJob": (
        {**ROOMY, "a/report.yaml": CRON_JOB},
        {"a/report.yaml": CRON_JOB.replace("wait:1", "wait:2").replace("report:1", "report:2")},
    ),
    "what a kustomization builds": (
        {
            **ROOMY,
            "b/kustomization.yaml": "namespace: team-a\nresources: [web.yaml]\n",
            "b/web.yaml": deployment(1, "b"),
        },
        {"b/web.yaml": deployment(1, "b").replace("image: web", "image: other")},
    ),
    "where nothing is limited": ({"c/web.yaml": WEB, **ROOMY}, {"c/web.yaml": WEB.replace("image: web", "image: x")}),
}
FULL: Files = {**ROOMY, "a/quota.yaml": quota("pods: 1, requests.cpu: 9")}
JUDGED: Mapping[str, tuple[Files, Files]] = {
    "where a quota has no room": (FULL, OTHER_IMAGE),
    "where no new pods are admitted": (
        {**ROOMY, "a/limits.yaml": LIMITED % "{type: Container, max: {cpu: 100m}}"},
        OTHER_IMAGE,
    ),
    "where a rollout has no room": (
        {**ROOMY, "a/quota.yaml": quota("pods: 2"), "a/web.yaml": WEB.replace("Recreate", "RollingUpdate")},
        {"a/web.yaml": WEB.replace("Recreate", "RollingUpdate").replace("image: web", "image: other")},
    ),
    "with another request": (ROOMY, {"a/web.yaml": deployment(2, cpu="2").replace("image: web", "image: other")}),
    "of what only waits": (ROOMY, {"a/web.yaml": WEB.replace("image: web", "image: pause")}),
    "with no image": (ROOMY, {"a/web.yaml": WEB.replace("image: web", 'image: ""')}),
    "with what is no image": (ROOMY, {"a/web.yaml": WEB.replace("image: web", "image: 1")}),
}


def namespaces_judged(repository: Repository, monkeypatch: pytest.MonkeyPatch, before: Files, after: Files) -> bool:
    """Whether a change of a state that was compared before has any namespace judged, in most formats; every report is
    as without memory."""
    monkeypatch.setattr(comparing, "NOTED_FROM", 0)
    repository.commit(before)
    repository.commit({"more.yaml": deployment(1, "more", "team-e")})
    asked("diff", "HEAD~1", "HEAD")
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.commit(after)
    judged: list[str] = []
    for form in FORMATS:
        expected = anew("diff", "HEAD~1", "HEAD", "--format", form)
        with monkeypatch.context() as inner:
            for module in (trial, joined):
                inner.setattr(module, "slice_facts", _noting(module.slice_facts, judged, form))
            assert asked("diff", "HEAD~1", "HEAD", "--format", form) == expected
    return bool(judged)


def _noting(work: Any, judged: list[str], form: str) -> Any:
    def noting(*given: Any) -> Any:
        judged.append(form)
        return work(*given)

    return noting


@pytest.mark.parametrize("change", CALM.values(), ids=CALM)
def test_where_nothing_is_refused_another_image_changes_nothing(
    remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: tuple[Files, Files]
) -> None:
    assert not namespaces_judged(remembered_repository, monkeypatch, *change)


@pytest.mark.parametrize("change", JUDGED.values(), ids=JUDGED)
def test_where_pods_may_be_refused_or_more_is_different_the_namespace_is_judged(
    remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: tuple[Files, Files]
) -> None:
    assert namespaces_judged(remembered_repository, monkeypatch, *change)
