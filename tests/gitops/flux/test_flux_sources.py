"""What Flux takes from where, and which variables it fills in on the way, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import flux_kustomization
from gitops_outcome import Case, checked, expected, outcome, outcome_of, params, unknowns
from manifests import quota, web

REMOTE = {".git/config": '[remote "origin"]\n\turl = https://example.com/acme/fleet.git\n'}
FLEET = "https://example.com/acme/fleet.git"


def flux(
    path: str, name: str = "apps", source: str = "flux-system", more: str = "", namespace: str = "flux-system"
) -> str:
    """A Kustomization of Flux behind other objects of its file."""
    return "---\n" + flux_kustomization(path, more, name=name, source=source, namespace=namespace)


def git(ref: str = "branch: main", name: str = "flux-system", url: str = FLEET, more: str = "") -> str:
    """A GitRepository."""
    return (
        "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
        f"metadata: {{name: {name}, namespace: flux-system}}\nspec:\n  url: {url}\n  ref: {{{ref}}}\n{more}"
    )


def cluster(name: str, ref: str = "branch: main", more: str = "", source: str = "") -> dict[str, str]:
    """The folder that a cluster applies to itself, as `flux bootstrap` writes it."""
    return {
        f"clusters/{name}/flux-system/kustomization.yaml": "resources: [gotk-sync.yaml]\n",
        f"clusters/{name}/flux-system/gotk-sync.yaml": git(ref, more=source)
        + flux(f"./clusters/{name}", "flux-system", more=more),
    }


def variables(name: str, **values: str) -> str:
    data = ", ".join(f'{key}: "{value}"' for key, value in values.items())
    return (
        f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: flux-system}}\ndata: {{{data}}}\n"
    )


def substitute(text: str) -> str:
    return f"postBuild: {{substitute: {{{text}}}}}"


FROM_SETTINGS = "postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}"
STORE = {
    "store/quota.yaml": quota("store", "store", 'pods: "5"'),
    "store/web.yaml": web("${REPLICAS}", "store"),
}

ELSEWHERE = {"store/web.yaml": web(9, "elsewhere")}
"""A folder that would be taken for the one of another source."""

CASES = [
    Case(
        "each cluster has variables of its own for one nested Kustomization",
        {
            **cluster("dev"),
            **cluster("prod"),
            "clusters/dev/apps.yaml": flux("./apps") + variables("settings", REPLICAS="2"),
            "clusters/prod/apps.yaml": flux("./apps") + variables("settings", REPLICAS="7"),
            "apps/store.yaml": flux("./store", "store", more=FROM_SETTINGS),
            **STORE,
        },
        ("dev: store/store pods 2/5 exact", "prod: store/store pods 7/5 exact"),
        ("store/quota.yaml:4:15 QL301 error in prod",),
    ),
    Case(
        "the variables are deployed by a Kustomization that comes later",
        {
            **cluster("one"),
            "clusters/one/apps.yaml": flux("./store", "a-store", more=FROM_SETTINGS) + flux("./settings", "z-settings"),
            "settings/settings.yaml": variables("settings", REPLICAS="4"),
            **STORE,
        },
        ("store/store pods 4/5 exact",),
    ),
    Case(
        "a cluster that lacks the variables does not take those of another",
        {
            **cluster("dev"),
            **cluster("prod"),
            "clusters/dev/apps.yaml": flux("./store", "store", more=FROM_SETTINGS)
            + variables("settings", REPLICAS="2"),
            "clusters/prod/apps.yaml": flux("./store", "store", more=FROM_SETTINGS),
            **STORE,
        },
        ("dev: store/store pods 2/5 exact", "prod: store/store pods 0/5 at-least"),
        ("clusters/prod/apps.yaml:5:88 QL003 warning in prod",),
    ),
    Case(
        "a cluster that applies itself with patches of its own gives its variables all the same",
        {
            "clusters/dev/kustomization.yaml": "resources: [sync.yaml, apps.yaml]\n",
            "clusters/dev/sync.yaml": git()
            + flux(
                "./clusters/dev",
                "flux-system",
                more=substitute('REPLICAS: "2"')
                + ", patches: [{target: {kind: HelmRelease}, patch: '- {op: add, path: /spec/interval, value: 5m}'}]",
            ),
            "clusters/dev/apps.yaml": flux("./apps", more=substitute('REPLICAS: "${REPLICAS}"')),
            "apps/store.yaml": flux("./store", "store", more=substitute('REPLICAS: "${REPLICAS}"')),
            **STORE,
        },
        ("store/store pods 2/5 exact",),
    ),
    Case(
        "HelmReleases that no Kustomization reaches, where Kustomizations deploy what lies beside them",
        {
            **cluster("dev"),
            **cluster("prod"),
            "clusters/dev/apps.yaml": flux("./apps/dev", "apps"),
            "clusters/prod/apps.yaml": flux("./store", "store", more=substitute('REPLICAS: "2"')),
            "apps/dev/store.yaml": flux("./store", "store", more=substitute('REPLICAS: "3"')),
            "apps/old/release.yaml": (
                "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: old, namespace: store}\n"
                "spec: {chart: {spec: {chart: old, sourceRef: {kind: HelmRepository, name: remote}}}}\n"
            ),
            **STORE,
        },
        ("dev: store/store pods 3/5 exact", "prod: store/store pods 2/5 exact"),
    ),
    Case(
        "three levels of variables, renamed on each",
        {
            **cluster("dev", more=substitute('SIZE: "3"')),
            **cluster("prod", more=substitute('SIZE: "6"')),
            "clusters/dev/apps.yaml": flux("./apps", more=substitute('COUNT: "${SIZE}"')),
            "clusters/prod/apps.yaml": flux("./apps", more=substitute('COUNT: "${SIZE}"')),
            "apps/store.yaml": flux("./store", "store", more=substitute('REPLICAS: "${COUNT}"')),
            **STORE,
        },
        ("dev: store/store pods 3/5 exact", "prod: store/store pods 6/5 exact"),
        ("store/quota.yaml:4:15 QL301 error in prod",),
    ),
    Case(
        "a Kustomization on the branch that its cluster is on",
        {
            **REMOTE,
            **cluster("prod", "branch: production"),
            "clusters/prod/apps.yaml": flux("./store", more=substitute('REPLICAS: "4"')),
            **STORE,
        },
        ("store/store pods 4/5 exact",),
    ),
    Case(
        "a tag beside the branch",
        {
            **REMOTE,
            **cluster("prod"),
            "clusters/prod/apps.yaml": git("tag: v1.2.0", "pinned")
            + flux("./store", source="pinned", more="targetNamespace: store")
            + quota("store", "store", 'pods: "5"').replace("apiVersion", "---\napiVersion", 1)
            + "---\n"
            + web(3, "store", "gate"),
            **ELSEWHERE,
        },
        ("store/store pods 3/5 at-least",),
        ("clusters/prod/apps.yaml:9:1 QL003 warning",),
    ),
    Case(
        "another repository, where none says which one this is but the cluster itself",
        {
            **cluster("prod"),
            "clusters/prod/apps.yaml": git("branch: main", "other", "https://example.com/acme/other")
            + flux("./store", source="other", more="targetNamespace: store")
            + "---\n"
            + quota("store", "store", 'pods: "5"')
            + "---\n"
            + web(3, "store", "gate"),
            **ELSEWHERE,
        },
        ("store/store pods 3/5 at-least",),
        ("clusters/prod/apps.yaml:9:1 QL003 warning",),
    ),
    Case(
        "only what the source lets through",
        {
            **cluster("one", source="  ignore: |\n    /*\n    !/clusters\n    !/store\n    /store/**/draft-*.yaml\n"),
            "clusters/one/apps.yaml": flux("./store", more=substitute('REPLICAS: "2"')),
            **STORE,
            "store/old/draft-web.yaml": web(9, "store", "draft"),
        },
        ("store/store pods 2/5 exact",),
    ),
    Case(
        "a kustomization among the files that the source does not let through",
        {
            **cluster("one", source="  ignore: |\n    /store/drafts/\n"),
            "clusters/one/apps.yaml": flux("./store", more=substitute('REPLICAS: "2"')),
            **STORE,
            "store/drafts/kustomization.yaml": "resources: [web.yaml]\n",
            "store/drafts/web.yaml": web(9, "store", "draft"),
        },
        ("store/store pods 2/5 exact",),
    ),
    Case(
        "what a folder of its own ignores, and a line that takes it back",
        {
            **cluster("one"),
            "clusters/one/apps.yaml": flux("./store", more=substitute('REPLICAS: "2"')),
            **STORE,
            "store/.sourceignore": "*-old.yaml\n!keep-old.yaml\n",
            "store/web-old.yaml": web(9, "store", "web-old"),
            "store/keep-old.yaml": web(1, "store", "keep-old"),
        },
        ("store/store pods 3/5 exact",),
    ),
    Case(
        "a part of another repository is put into this one",
        {
            **REMOTE,
            **cluster("one", source="  include: [{repository: {name: other}, fromPath: deploy, toPath: store}]\n"),
            "clusters/one/apps.yaml": git("branch: main", "other", "https://example.com/acme/other")
            + flux("./store", more="targetNamespace: store")
            + "---\n"
            + quota("store", "store", 'pods: "5"')
            + "---\n"
            + web(3, "store", "gate"),
            **ELSEWHERE,
        },
        ("store/store pods 3/5 at-least",),
        ("clusters/one/apps.yaml:9:1 QL003 warning",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_a_user_of_flux_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    actual_outcome = outcome(tmp_path, case.files, monkeypatch)
    assert (actual_outcome.quotas, [finding for finding in actual_outcome.findings if "QL305" not in finding]) == tuple(
        expected(case)
    )


def test_what_is_said_of_another_branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        **REMOTE,
        **cluster("prod"),
        "clusters/prod/apps.yaml": git("branch: next", "next")
        + flux("./store", source="next", more="targetNamespace: store")
        + "---\n"
        + quota("store", "store", 'pods: "5"'),
        **ELSEWHERE,
    }
    reason = (
        "clusters/prod/apps.yaml: Kustomization apps is not rendered: its source is the branch next of this "
        "repository, which may differ from what is here"
    )
    assert unknowns(checked(tmp_path, files, monkeypatch)) == {"store/store pods": (reason,)}


@pytest.mark.parametrize("stage", ["{{ .Values.stage }}", "${stage}"])
def test_a_path_that_is_still_to_be_filled_in_is_a_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    """Not one that is wrong."""
    file = git() + flux(f"'./clusters/{stage}'") + "---\n" + quota("store", "store", 'pods: "5"')
    (reason,) = unknowns(checked(tmp_path, {**REMOTE, "sync.yaml": file}, monkeypatch))["store/store pods"]
    assert reason == f"sync.yaml: Kustomization apps is not rendered: its path clusters/{stage} is a template"


def test_variables_reach_a_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: cache, namespace: flux-system}\n"
        "spec:\n  targetNamespace: ${TEAM}\n"
        "  chart: {spec: {chart: redis, sourceRef: {kind: HelmRepository, name: x}}}\n"
    )
    teams = {
        f"clusters/{name}/team.yaml": "---\n".join((quota(name, "all", 'pods: "5"'), web(1, name))) for name in "ab"
    }
    files = {
        **cluster("a", more=substitute("TEAM: a")),
        **cluster("b", more=substitute("TEAM: b")),
        "clusters/a/apps.yaml": flux("./apps", more=substitute("TEAM: '${TEAM}'")),
        "clusters/b/apps.yaml": flux("./apps", more=substitute("TEAM: b")),
        "apps/cache.yaml": release,
        **teams,
    }
    outcome = outcome_of(checked(tmp_path, files, monkeypatch))
    assert outcome.quotas == ["a: a/all pods 1/5 at-least", "b: b/all pods 1/5 at-least"]


@pytest.mark.parametrize("listing", [True, False])
def test_another_address_is_another_repository_without_a_remote_too(
    listing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        **cluster("main"),
        "clusters/main/apps.yaml": git(name="other", url="https://example.com/acme/other.git")
        + flux("./apps", source="other"),
        "clusters/main/quota.yaml": quota("team-a"),
        "apps/web.yaml": web(namespace="team-a"),
    }
    if not listing:  # Flux then lists the files itself
        del files["clusters/main/flux-system/kustomization.yaml"]
    assert outcome(tmp_path, files, monkeypatch).quotas == ["team-a/base pods ?/8 unknown"]
