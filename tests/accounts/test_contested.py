"""Objects of one name that several deployers apply, each with its own contents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from deployer_objects import argo_application, flux_kustomization
from gitops_outcome import Case, checked, expected, outcome, params
from manifests import quota, web

FLUX = "---\n".join(flux_kustomization(f"./{name}", name=name) for name in "ab")
ARGO = "---\n".join(argo_application(name, name=name) for name in "ab")
QUOTA = {"a/quota.yaml": quota("team-a")}
SELECTOR = "configmanagement.gke.io/cluster-selector"
DUPLICATE = "b/web.yaml:1:1 QL005 warning"
TOO_MUCH = "a/quota.yaml:4:15 QL301 warning"

CASES = [
    *(
        Case(
            f"which of two {how} comes last is not known",
            {"deploy/apps.yaml": apps, **QUOTA, "a/web.yaml": web(2, "team-a"), "b/web.yaml": web(9, "team-a")},
            ("team-a/base pods 9/8 assumed",),
            (TOO_MUCH, DUPLICATE),
        )
        for how, apps in (("Kustomizations", FLUX), ("Applications", ARGO))
    ),
    Case(
        "which of two a cluster gets, its selector says",
        {
            "q.yaml": "---\n".join(
                quota("team-a", hard=f"pods: {pods}").replace(
                    "team-a}", f"team-a, annotations: {{{SELECTOR}: {size}}}}}"
                )
                for size, pods in (("large", 8), ("small", 2))
            ),
            "web.yaml": web(4, "team-a"),
        },
        ("team-a/base pods 4/2 assumed",),
        ("q.yaml:9:15 QL301 warning",),
    ),
    Case(
        "what fits today may not fit tomorrow",
        {"deploy/apps.yaml": FLUX, **QUOTA, "a/web.yaml": web(9, "team-a"), "b/web.yaml": web(2, "team-a")},
        ("team-a/base pods 2/8 assumed",),
        (DUPLICATE,),
    ),
    Case(
        "two that say the same are one",
        {
            "deploy/apps.yaml": FLUX,
            **QUOTA,
            "a/web.yaml": web(2, "team-a"),
            "b/web.yaml": "# A copy\n" + web(2, "team-a"),
        },
        ("team-a/base pods 2/8 exact",),
    ),
    Case(
        "a quota of which nobody knows which is in force",
        {
            "deploy/apps.yaml": FLUX,
            "a/quota.yaml": quota("team-a", hard='pods: "8"'),
            "b/quota.yaml": quota("team-a", hard='pods: "4"'),
            "a/web.yaml": web(6, "team-a"),
        },
        ("team-a/base pods 6/4 assumed",),
        ("b/quota.yaml:1:1 QL005 warning", "b/quota.yaml:4:15 QL301 warning"),
    ),
    Case(
        "others of the namespace are too much by themselves",
        {
            "deploy/apps.yaml": FLUX,
            **QUOTA,
            "a/web.yaml": web(2, "team-a"),
            "a/more.yaml": web(9, "team-a", "more"),
            "b/web.yaml": web(3, "team-a"),
        },
        ("team-a/base pods 12/8 assumed",),
        ("a/quota.yaml:4:15 QL301 error", DUPLICATE),
    ),
    Case(
        "what is applied by hand, too",
        {
            "deploy/apps.yaml": FLUX,
            "deploy/web.yaml": web(9, "team-a"),
            **QUOTA,
            "a/web.yaml": web(2, "team-a"),
            "b/x.yaml": web(1, "team-a", "x"),
        },
        ("team-a/base pods 3/8 assumed",),
        ("a/web.yaml:1:1 QL005 warning",),
    ),
    Case(
        "what was applied by hand to set all going, and is applied otherwise since",
        {
            "c/kustomization.yaml": "resources: [flux/web.yaml, flux/sync.yaml, quota.yaml]\n",
            "c/quota.yaml": quota("team-a"),
            "c/flux/kustomization.yaml": "resources: [web.yaml, sync.yaml]\nreplicas: [{name: web, count: 9}]\n",
            "c/flux/web.yaml": web(2, "team-a"),
            "c/flux/sync.yaml": flux_kustomization("./c"),
        },
        ("team-a/base pods 2/8 exact",),
    ),
    Case(
        "what was applied by hand to set all going, with something beside it that is not applied since",
        {
            "c/kustomization.yaml": "resources: [flux/sync.yaml, quota.yaml]\n",
            "c/quota.yaml": quota("team-a"),
            "c/flux/kustomization.yaml": "resources: [web.yaml, sync.yaml]\nreplicas: [{name: web, count: 9}]\n",
            "c/flux/web.yaml": web(2, "team-a"),
            "c/flux/sync.yaml": flux_kustomization("./c"),
        },
        ("team-a/base pods 9/8 exact",),
        ("c/quota.yaml:4:15 QL301 error",),
    ),
    Case(
        "files of one deployer come in order",
        {
            "deploy/apps.yaml": FLUX,
            **QUOTA,
            "a/a.yaml": web(2, "team-a"),
            "a/b.yaml": web(9, "team-a"),
            "b/x.yaml": web(1, "team-a", "x"),
        },
        ("team-a/base pods 10/8 exact",),
        ("a/b.yaml:1:1 QL005 warning", "a/quota.yaml:4:15 QL301 error"),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_several_deployers_apply(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


@pytest.mark.parametrize(("make", "kind"), [(flux_kustomization, "Kustomization"), (argo_application, "Application")])
def test_the_reason_is_one_for_all_objects(
    make: Callable[..., str], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apps = "---\n".join(make(name, name=name) for name in "ab")
    several = {
        f"{folder}/{name}.yaml": web(replicas, "team-a", name)
        for replicas, folder in ((2, "a"), (3, "b"))
        for name in "xyz"
    }
    (facts,) = checked(tmp_path, {"deploy/apps.yaml": apps, **QUOTA, **several}, monkeypatch).environments
    assert [guess.reason for projection in facts.projections for guess in projection.guesses] == [
        f"{kind} a and {kind} b apply objects of the same names that differ, and each undoes the other's; "
        f"those of {kind} b are counted"
    ]
