"""The one line that says the most important thing of a change."""

from __future__ import annotations

import json
from typing import Any

import pytest
from deployer_objects import argo_application
from git_repositories import Repository, autoscaler, deployment, quota

from quotalint.cli import run

WEB = deployment(3, cpu="500m")
ROLLING = WEB.replace("  strategy: {type: Recreate}\n", "")
SCALED = autoscaler(3, 5)


def first_line(repository: Repository, capsys: Any) -> str:
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    return str(capsys.readouterr().out.splitlines()[0].partition("quotalint: ")[2])


@pytest.mark.parametrize(
    ("files", "hard", "expected"),
    [
        (
            {"web.yaml": ROLLING},
            "requests.cpu: 1500m, pods: 9",
            "rollouts of `web` in `team-a` will hang: they need requests.cpu 2000m of 1500m",
        ),
        (
            {"web.yaml": ROLLING},
            "requests.cpu: 1500m, pods: 3",
            "rollouts of `web` in `team-a` will hang: they need pods 4 of 3 and requests.cpu 2000m of 1500m",
        ),
        (
            {"web.yaml": WEB, "scaled.yaml": SCALED},
            "requests.cpu: 2, cpu: 2, pods: 4, count/pods: 4",
            "`web` cannot grow to 5 pods in `team-a`: that needs count/pods 5 of 4 and 3 more entries",
        ),
    ],
)
def test_what_is_needed_for_a_while_is_compared_in_one_unit(
    files: dict[str, str], hard: str, expected: str, repository: Repository, capsys: Any
) -> None:
    repository.commit({**files, "quota.yaml": quota("requests.cpu: 9, cpu: 9, pods: 9")})
    repository.commit({"quota.yaml": quota(hard)})
    assert first_line(repository, capsys) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"web.yaml": deployment(3)}, "`team-a` fits again: requests.cpu 3 of 2 → 9"),
        ({"web.yaml": deployment(2)}, "`team-a` has room again: requests.cpu 2 of 2 → 9"),
        ({"web.yaml": ROLLING}, "`team-a` fits again during rollouts: requests.cpu 2000m of 1500m → 9000m"),
        ({"web.yaml": WEB, "s.yaml": SCALED}, "`team-a` fits again under load: requests.cpu 2500m of 2000m → 9000m"),
    ],
)
def test_what_is_repaired_is_said_of_when_it_did_not_fit(
    files: dict[str, str], expected: str, repository: Repository, capsys: Any
) -> None:
    tight = quota("requests.cpu: 1500m" if files.get("web.yaml") == ROLLING else "requests.cpu: 2")
    repository.commit({**files, "quota.yaml": tight})
    repository.commit({"quota.yaml": quota("requests.cpu: 9")})
    assert first_line(repository, capsys) == expected


def test_what_argo_cd_does_not_allow_is_named(repository: Repository, capsys: Any) -> None:
    project = (
        "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: shop, namespace: argocd}\n"
        "spec: {sourceRepos: ['*'], destinations: [{namespace: DESTINATION, server: '*'}]}\n"
    )
    application = argo_application("apps", project="shop")
    files = {"apps/web.yaml": WEB, "apps/quota.yaml": quota("pods: 9"), "argocd/apps.yaml": application}
    repository.commit({**files, "argocd/project.yaml": project.replace("DESTINATION", "team-a")})
    repository.commit({"argocd/project.yaml": project.replace("DESTINATION", "team-b")})
    expected = "Argo CD does not apply Application apps: its project does not allow it"
    assert first_line(repository, capsys) == expected


def test_several_sources_that_are_not_in_view_are_one_clause(repository: Repository, capsys: Any) -> None:
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: NAME, namespace: team-a}\nspec:\n"
        "  chart: {spec: {chart: NAME, sourceRef: {kind: HelmRepository, name: charts}}}\n"
    )
    source = (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: charts, namespace: team-a}\n"
        "spec: {url: 'https://charts.example.com'}\n"
    )
    repository.commit({"quota.yaml": quota("pods: 9"), "web.yaml": WEB})
    repository.commit({f"{name}.yaml": release.replace("NAME", name) for name in ("one", "two")} | {"s.yaml": source})
    begin = "not known: whether `team-a` still fits, because 2 sources are remote charts"
    assert first_line(repository, capsys).startswith(begin)


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: a, namespace: team-a}
spec:
  chart: {spec: {chart: a, sourceRef: {kind: HelmRepository, name: charts}}}
"""


def test_a_new_quota_is_said_before_what_has_long_been_out_of_view(repository: Repository, capsys: Any) -> None:
    repository.commit({"a.yaml": RELEASE})
    repository.commit({"quota.yaml": quota("pods: 9")})
    expected = (
        "quota `base` of `team-a` is new; how much of it is used is not known; not all of `a.yaml` could be rendered"
    )
    assert first_line(repository, capsys) == expected


def test_a_new_quota_is_said_before_a_path_that_has_long_been_wrong(repository: Repository, capsys: Any) -> None:
    repository.commit({"kustomization.yaml": "resources: [web.yaml, lost.yaml]\n", "web.yaml": deployment(2)})
    repository.commit({"limits/quota.yaml": quota("pods: 9")})
    assert first_line(repository, capsys).startswith(
        "the one quota that changes has room for what is in view: `team-a` (of 1 checked); "
    )
    repository.commit({"kustomization.yaml": "resources: [web.yaml, lost.yaml, other.yaml]\n"})
    assert first_line(repository, capsys) == "2 paths do not exist"


def test_a_path_that_the_change_takes_away_is_its_doing(repository: Repository, capsys: Any) -> None:
    kept = {"apps/web.yaml": deployment(2), "quota.yaml": quota("pods: 9")}
    listing = {"apps/kustomization.yaml": "resources: [web.yaml, api.yaml]\n"}
    repository.commit({**kept, **listing, "apps/api.yaml": deployment(2).replace("web", "api")})
    repository.commit({"apps/api.yaml": None})
    assert first_line(repository, capsys) == "not all of `apps/kustomization.yaml` could be rendered"
    run(["diff", "HEAD~1", "HEAD"])
    assert "   cause       the change removes apps/api.yaml\n" in capsys.readouterr().out


ADMIN = """\
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: deployer, namespace: team-a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: ServiceAccount, name: deployer, namespace: team-a}]
"""


def test_what_the_change_brings_is_said_before_what_has_long_been_out_of_view(
    repository: Repository, capsys: Any
) -> None:
    repository.commit({"a.yaml": RELEASE, "deployer.yaml": ADMIN})
    repository.commit({"quota.yaml": quota("pods: 9")})
    begin = "ServiceAccount team-a/deployer may change and delete the quota of `team-a`"
    assert first_line(repository, capsys).startswith(begin)


TWO = {
    "a.yaml": quota("pods: 2") + "---\n" + deployment(2),
    "b.yaml": (quota("pods: 1") + "---\n" + deployment(1)).replace("team-a", "team-b"),
}
GROWN = {
    "a.yaml": TWO["a.yaml"].replace("replicas: 2", "replicas: 4"),
    "b.yaml": TWO["b.yaml"].replace("replicas: 1", "replicas: 3"),
}


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("text", "team-b, quota base: pods 1 → 3 of 1, because"),
        ("markdown", "`team-b`, quota `base`: **pods 1 → 3 of 1**"),
    ],
)
def test_below_a_verdict_on_one_quota_the_others_are_named(
    form: str, expected: str, repository: Repository, capsys: Any
) -> None:
    repository.commit(TWO)
    repository.commit(GROWN)
    run(["diff", "HEAD~1", "HEAD", "--format", form])
    text = str(capsys.readouterr().out)
    assert expected in text
    assert "team-a, quota base:" not in text.replace("`", "")


def test_below_a_verdict_what_is_repaired_is_said_to_be(repository: Repository, capsys: Any) -> None:
    unlimited = WEB.replace("resources: {requests: {cpu: '500m'}}", "resources: {}").replace("team-a", "far")
    far = quota("requests.cpu: 9", namespace="far")
    repository.commit({"quota.yaml": quota("requests.cpu: 1"), "web.yaml": WEB, "far.yaml": far})
    repository.commit({"quota.yaml": quota("requests.cpu: 2"), "far-web.yaml": unlimited})
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    first, _, second = capsys.readouterr().out.splitlines()[:3]
    assert first.endswith("no pod of `web` will start in `far`: requests.cpu not stated")
    assert second == "`team-a`, quota `base` fits again: **requests.cpu 1500m of 1000m → 2000m**."


def test_what_never_fits_is_said_before_what_has_no_room_for_a_while(repository: Repository, capsys: Any) -> None:
    rolling = {f"{name}.yaml": WEB.replace("replicas: 3", "replicas: 2").replace("web", name) for name in "ab"}
    rolling = {file: text.replace("  strategy: {type: Recreate}\n", "") for file, text in rolling.items()}
    repository.commit({"c.yaml": quota("requests.cpu: 1, pods: 4")})
    repository.commit(rolling)
    assert first_line(repository, capsys) == "`team-a` will be 1 short of requests.cpu, and 2 more problems"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("cpu: '1'", "labels: 1", "`web` will not start in `team-a`: its resources are invalid"),
        (
            "containers:",
            "restartPolicy: Never\n      containers:",
            "`web` is refused in `team-a`: its pod template does not match its kind or selector",
        ),
    ],
)
def test_a_template_that_does_not_go_with_its_workload(
    old: str, new: str, expected: str, repository: Repository, capsys: Any
) -> None:
    """A resource may be called as a field that has to go with the workload."""
    web = deployment(1)
    assert old in web
    repository.commit({"web.yaml": web, "quota.yaml": quota("pods: 9")})
    repository.commit({"web.yaml": web.replace(old, new)})
    assert first_line(repository, capsys) == expected


def test_a_quota_that_nothing_deploys_is_not_said_to_be_out_of_view(repository: Repository, capsys: Any) -> None:
    repository.commit({"apps/web.yaml": argo_application("overlays/prod"), "overlays/prod/web.yaml": WEB})
    repository.commit({"overlays/dev/quota.yaml": quota("pods: 9")})
    run(["diff", "HEAD~1", "HEAD"])
    begin = "Not known: whether team-a still fits, because nothing in view deploys overlays/dev/quota.yaml.\n"
    assert capsys.readouterr().out.startswith(begin)
    run(["usage"])
    assert capsys.readouterr().out == "No quota is in force in 3 files.\n"


def test_what_the_first_line_compares_is_not_compared_again(repository: Repository, capsys: Any) -> None:
    """With another number even, where pods that are refused ask for more."""
    web = ROLLING.replace("cpu: '500m'", "cpu: '{0}', memory: 1Gi")
    small = deployment(1, "small").replace("cpu: '1'", "cpu: '1m', memory: 1Mi")
    bounds = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: bounds, namespace: team-a}\n"
    repository.commit({"bounds.yaml": bounds + "spec: {limits: [{type: Container, min: {cpu: 5m}}]}\n"})
    repository.commit({"small.yaml": small, "quota.yaml": quota("requests.cpu: 3500m, requests.memory: 3500Mi")})
    repository.commit({"web.yaml": web.replace("{0}", "1")})
    repository.commit({"web.yaml": web.replace("{0}", "500m")})
    run(["diff", "HEAD~1", "HEAD"])
    assert capsys.readouterr().out.splitlines()[:3] == [
        "Rollouts of web in team-a will hang: they need requests.memory 4096Mi of 3500Mi.",
        "  Rollouts will hang: the first new pod is refused.",
        "  To repair: requests.memory: 4100Mi in quota.yaml:6",
    ]


@pytest.mark.parametrize(
    ("hard", "begin"),
    [
        ("limits.memory: 4Gb", "❌ limits.memory: 4Gb is not an amount"),
        ("pods: 2.5", "❌ Pods counts whole things"),
        ("request.cpu: 4", "❌ `request.cpu` is not a resource"),
    ],
)
def test_what_begins_with_a_name_has_no_capital(hard: str, begin: str, repository: Repository, capsys: Any) -> None:
    repository.commit({"web.yaml": WEB, "quota.yaml": quota("pods: 9")})
    repository.commit({"quota.yaml": quota(f"services: 9, {hard}")})
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    lines = capsys.readouterr().out.replace("&#96;", "`").splitlines()
    assert next(line for line in lines if line.startswith("❌")).startswith(begin)


def test_a_repair_of_one_entry_is_not_green_while_another_is_exceeded(repository: Repository, capsys: Any) -> None:
    web = WEB.replace("cpu: '500m'", "cpu: '500m', memory: 2Gi")
    repository.commit({"web.yaml": web, "quota.yaml": quota("requests.cpu: 1, requests.memory: 4Gi")})
    repository.commit({"quota.yaml": quota("requests.cpu: 2, requests.memory: 4Gi")})
    expected = "`team-a` is still 2Gi short of requests.memory (6Gi of 4Gi); requests.cpu fits again"
    assert first_line(repository, capsys) == expected


def test_a_repair_for_rollouts_is_told_while_another_entry_is_exceeded(repository: Repository, capsys: Any) -> None:
    repository.commit({"web.yaml": ROLLING, "quota.yaml": quota("requests.cpu: 500m, pods: 2")})
    repository.commit({"quota.yaml": quota("requests.cpu: 500m, pods: 9")})
    expected = "`team-a` is still 1 short of requests.cpu (1500m of 500m); pods fits again"
    assert first_line(repository, capsys) == expected


def test_a_rollout_that_moves_again_is_better(repository: Repository, capsys: Any) -> None:
    update = "{type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"
    web = WEB.replace("{type: Recreate}", update)
    repository.commit({"web.yaml": web, "quota.yaml": quota("pods: 3")})
    repository.commit({"web.yaml": web.replace("maxUnavailable: 0", "maxUnavailable: 1")})
    run(["diff", "HEAD~1", "HEAD", "--format", "json"])
    groups = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["rule"] for finding in groups["better"]] == ["QL302"]
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    assert "`web`" in capsys.readouterr().out.partition("<details>")[0]
