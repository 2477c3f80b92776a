"""What Argo CD takes from where, and what of it runs when it syncs, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import argo_application
from gitops_outcome import TWO, Case, checked, expected, outcome, params, unknowns
from manifests import quota, quota_and_web, web

from quotalint.gitops.argocd.source_options import build_environment, filled_in
from quotalint.kube.hooks import runs_at_sync
from quotalint.kube.objects import Object
from quotalint.text.place import Place

URL = "https://git.example.com/team/fleet.git"
REMOTE = {".git/config": f'[remote "origin"]\n\turl = {URL}\n'}
SHOP = quota_and_web("shop")
OVERLAY = {"shop/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n", **SHOP}

BUILT = (
    "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
    "resources: [quota.yaml, web.yaml]\nreplicas: [{name: web, count: 5}]\n"
)


def app(name: str = "shop", path: str = "shop", revision: str = "HEAD", more: str = "", where: str = "") -> str:
    """An Application behind other objects of its file."""
    source = ", ".join(filter(None, (f"repoURL: '{URL}'", f"path: {path}", f"targetRevision: '{revision}'", more)))
    return "---\n" + argo_application(where=f"namespace: team-a{where}", name=name, source=source, project="team")


def project(*destinations: str) -> str:
    return (
        "---\napiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: team, namespace: argocd}\n"
        f"spec: {{destinations: [{', '.join(destinations)}]}}\n"
    )


CASES = [
    Case(
        "a source file of the folder",
        {**OVERLAY, "shop/.argocd-source.yaml": "kustomize: {replicas: [{name: web, count: 5}]}\n", "a.yaml": app()},
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "a source file of the Application wins over that of the folder",
        {
            **OVERLAY,
            "shop/.argocd-source.yaml": "kustomize: {replicas: [{name: web, count: 5}]}\n",
            "shop/.argocd-source-shop.yaml": "kustomize: {replicas: [{name: web, count: 6}]}\n",
            "shop/.argocd-source-other.yaml": "kustomize: {replicas: [{name: web, count: 7}]}\n",
            "a.yaml": app(),
        },
        ("team-a/base pods 6/8 exact",),
    ),
    Case(
        "null in a source file takes away what the Application says",
        {
            **OVERLAY,
            "shop/.argocd-source.yaml": "kustomize: {replicas: null, nameSuffix: -x}\n",
            "a.yaml": app(more="kustomize: {replicas: [{name: web, count: 5}]}"),
        },
        ("team-a/base-x pods 2/8 exact",),
    ),
    Case(
        "a source file cannot say another path",
        {
            **SHOP,
            "other/web.yaml": web(7, "elsewhere"),
            "shop/.argocd-source.yaml": "path: other\nrepoURL: https://example.com/x\n",
            "a.yaml": app(),
        },
        (TWO,),
    ),
    Case(
        "a source file changes which files of a directory count",
        {
            **SHOP,
            "shop/more/db.yaml": web(3, name="db"),
            "shop/more/old.yaml": web(9, name="old"),
            "shop/.argocd-source.yaml": "directory: {recurse: true, exclude: '{more/old.*,*.txt}'}\n",
            "a.yaml": app(),
        },
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "what a directory leaves out is applied by nobody",
        {
            **SHOP,
            "shop/drafts/new.yaml": web(9, "team-a", "new"),
            "shop/notes.yaml": web(9, "team-a", "notes"),
            "a.yaml": app(more="directory: {recurse: true, include: '*', exclude: '{drafts/*,notes.yaml}'}"),
        },
        (TWO,),
    ),
    Case(
        "a directory that says nothing is built",
        {**SHOP, "shop/kustomization.yaml": BUILT, "a.yaml": app(more="directory: {recurse: false, jsonnet: {}}")},
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "a directory is not built, and its kustomization is no object",
        {**SHOP, "shop/kustomization.yaml": BUILT, "a.yaml": app(more="directory: {recurse: true}")},
        ("team-a/base pods 5/8 exact",),
        ("a.yaml:2:1 QL003 warning",),
    ),
    Case(
        "a directory without its kustomization is read file by file",
        {**SHOP, "shop/kustomization.yaml": BUILT, "a.yaml": app(more="directory: {exclude: kustomization.yaml}")},
        (TWO,),
    ),
    Case(
        "a kustomization further down is no object either",
        {
            **SHOP,
            "shop/more/kustomization.yaml": BUILT,
            "shop/more/db.yaml": web(3, name="db"),
            "a.yaml": app(more="directory: {recurse: true}"),
        },
        ("team-a/base pods 5/8 exact",),
        ("a.yaml:2:1 QL003 warning",),
    ),
    Case(
        "an Application at a tag, beside the branch",
        {
            **REMOTE,
            "apps/quota.yaml": quota("team-a"),
            "apps/web.yaml": web(3, "team-a", "gate"),
            "apps/shop.yaml": app(revision="v1.4.0"),
            "root.yaml": app("root", "apps"),
            "shop/web.yaml": web(7, "elsewhere"),
        },
        ("team-a/base pods 3/8 at-least",),
        ("apps/shop.yaml:2:1 QL003 warning",),
    ),
    Case(
        "Applications of a branch name that branch themselves",
        {
            **REMOTE,
            "apps/shop.yaml": app(revision="production"),
            "root.yaml": app("root", "apps", "production"),
            **SHOP,
        },
        (TWO,),
    ),
    Case(
        "main, master and HEAD are one",
        {**REMOTE, "apps/shop.yaml": app(revision="master"), "root.yaml": app("root", "apps", "HEAD"), **SHOP},
        (TWO,),
    ),
    Case(
        "the project knows the name of the cluster",
        {
            **SHOP,
            "a.yaml": app(where=", server: 'https://10.0.0.1'")
            + project("{server: 'https://10.0.0.1/', name: prod-eu, namespace: '*'}", "{name: x, server: '*'}"),
        },
        ("prod-eu: " + TWO,),
    ),
    Case(
        "the git generator reads another branch",
        {
            **REMOTE,
            "apps/quota.yaml": quota("team-a"),
            "apps/web.yaml": web(3, "team-a", "gate"),
            "apps/set.yaml": (
                "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s, namespace: argocd}\n"
                f"spec:\n  generators:\n  - git: {{repoURL: '{URL}', revision: next, directories: [{{path: 'd/*'}}]}}\n"
                "  template: {metadata: {name: '{{path.basename}}'}, spec: {source: {path: '{{path}}'},\n"
                "    destination: {namespace: team-a}}}\n"
            ),
            "root.yaml": app("root", "apps"),
            "d/one/web.yaml": web(7, "elsewhere"),
        },
        ("team-a/base pods 3/8 at-least",),
        ("apps/set.yaml:5:3 QL003 warning",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_a_user_of_argo_cd_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


def test_what_is_said_of_a_tag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**REMOTE, "q.yaml": quota("team-a"), "shop/web.yaml": web(7, "elsewhere"), "a.yaml": app(revision="v1.4")}
    (text,) = unknowns(checked(tmp_path, files, monkeypatch))["team-a/base pods"]
    assert text.endswith("its source is the revision v1.4 of this repository, which may differ from what is here")


@pytest.mark.parametrize(
    ("annotations", "runs"),
    [
        ({}, True),
        ({"argocd.argoproj.io/hook": "PreSync"}, True),
        ({"argocd.argoproj.io/hook": "Sync,PostDelete"}, True),
        ({"argocd.argoproj.io/hook": "PostDelete, SyncFail"}, False),
        ({"argocd.argoproj.io/hook": "PreDelete"}, False),
        ({"argocd.argoproj.io/hook": "Skip"}, False),
        ({"argocd.argoproj.io/hook": "Skip,PreSync"}, True),
        ({"argocd.argoproj.io/hook": "postsync"}, False),  # no hook of this name: it belongs to no phase
        ({"helm.sh/hook": "pre-install,pre-upgrade"}, True),
        ({"helm.sh/hook": "test"}, False),
        ({"helm.sh/hook": "pre-delete"}, False),
        ({"helm.sh/hook": "crd-install"}, True),
        ({"helm.sh/hook": "post-delete", "argocd.argoproj.io/hook": "PostSync"}, True),
    ],
)
def test_which_hooks_run(annotations: dict[str, str], runs: bool) -> None:
    body = {"metadata": {"annotations": annotations}}
    assert runs_at_sync(Object("batch", "v1", "Job", "", "job", body, Place("job.yaml"))) is runs


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("plain", "plain"),
        ("$ARGOCD_APP_NAME-x", "shop-x"),
        ("a/${ARGOCD_APP_SOURCE_PATH}/values.yaml", "a/apps/shop/values.yaml"),
        ("pa$$word", "pa$word"),
        ("${NOBODY}x", "x"),
        ("$ARGOCD_APP_NAMESPACE", "team-a"),
    ],
)
def test_the_variables_of_a_build(written: str, becomes: str) -> None:
    body = {"spec": {"project": "default", "destination": {"namespace": "team-a"}}}
    obj = Object("argoproj.io", "v1alpha1", "Application", "argocd", "shop", body, Place("a.yaml"))
    assert filled_in(written, build_environment(obj, {"path": "apps/shop", "repoURL": URL})) == becomes


def test_a_file_that_an_application_applies_by_itself_is_not_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = {"shop/kustomization.yaml": "resources: [quota.yaml]\n"}
    files = {**SHOP, **built, "a.yaml": app(more="directory: {exclude: kustomization.yaml}")}
    (facts,) = checked(tmp_path, files, monkeypatch).environments
    assert [skipped.name for skipped in facts.repository.skipped] == []
