"""Repositories that Flux applies, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import git_repository
from flux_repositories import APPS, FLUX_SYSTEM, cluster, flux
from gitops_outcome import NONE, TWO, Case, Outcome, expected, outcome, params
from manifests import LIST, quota, quota_and_web, web
from written_files import Link

KUSTOMIZATIONS = [
    Case("a folder without a kustomization", {**APPS, "clusters/apps.yaml": flux()}, (TWO,)),
    Case(
        "a folder without a kustomization, down to its last file",
        {
            "apps/a/b/c/quota.yml": quota(),
            "apps/a/web.yaml": web(),
            "apps/notes.txt": "web",
            "apps/a/more.json": '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "not-read-by-flux"}}',
            "clusters/apps.yaml": flux(),
        },
        (TWO,),
    ),
    Case(
        "a folder without a kustomization that holds one further down",
        {
            "apps/quota.yaml": quota(),
            "apps/web/kustomization.yaml": "resources: [web.yaml]\nreplicas: [{name: web, count: 5}]\n",
            "apps/web/web.yaml": web(),
            "apps/web/left-over.yaml": web(name="left-over"),
            "clusters/apps.yaml": flux(),
        },
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "a folder with a kustomization",
        {**APPS, "apps/kustomization.yaml": LIST, "apps/left-over.yaml": web(name="left-over"), "flux.yaml": flux()},
        (TWO,),
    ),
    Case(
        "what a kustomization does not list is off, though it would deploy something",
        {
            "apps/kustomization.yaml": "resources: [web/ks.yaml]  # - old/ks.yaml\n",
            "apps/web/ks.yaml": flux("./apps/web/app"),
            "apps/web/app/quota.yaml": quota(),
            "apps/web/app/web.yaml": web(),
            "apps/old/ks.yaml": flux("./apps/old/app", name="old"),
            "apps/old/app/old.yaml": web(name="old"),
            "clusters/apps.yaml": flux(more=""),
        },
        (TWO,),
    ),
    Case(
        "a cluster in a folder below that of another one is applied by its own Flux",
        {
            **cluster("hub"),
            "clusters/hub/kustomization.yaml": "resources: [flux-system]\n",
            **cluster("hub/edge"),
            "clusters/hub/edge/apps.yaml": flux(),
            **APPS,
        },
        (FLUX_SYSTEM, TWO),
    ),
    Case(
        "no path means the root of the repository",
        {"web.yaml": web(), "quota.yaml": quota(), "flux.yaml": flux("")},
        (TWO,),
    ),
    Case(
        "targetNamespace wins over what is written",
        {"apps/quota.yaml": quota("somewhere"), "apps/web.yaml": web(namespace="elsewhere"), "flux.yaml": flux()},
        (TWO,),
    ),
    Case(
        "without targetNamespace what is written counts",
        {**quota_and_web("apps", "team-a"), "flux.yaml": flux(more="")},
        (TWO,),
    ),
    Case(
        "without targetNamespace nothing names one, so it is default",
        {**APPS, "flux.yaml": flux(more="")},
        ("default/base pods 2/8 exact",),
    ),
    Case(
        "patches of a folder without a kustomization",
        {
            **APPS,
            "flux.yaml": flux(
                more="targetNamespace: team-a, patches: [{target: {kind: Deployment}, "
                "patch: '- {op: replace, path: /spec/replicas, value: 6}'}]"
            ),
        },
        ("team-a/base pods 6/8 exact",),
    ),
    Case(
        "patches come after those of the kustomization",
        {
            **APPS,
            "apps/kustomization.yaml": LIST + "replicas: [{name: web, count: 3}]\n"
            "patches: [{target: {kind: ResourceQuota}, patch: '- {op: replace, path: /spec/hard/pods, value: 9}'}]\n",
            "flux.yaml": flux(
                more="targetNamespace: team-a, patches: [{patch: '{apiVersion: v1, kind: ResourceQuota, "
                "metadata: {name: base}, spec: {hard: {pods: 7}}}'}]"
            ),
        },
        ("team-a/base pods 3/7 exact",),
    ),
    Case(
        "patches that delete a workload",
        {
            **APPS,
            "apps/shop.yaml": web(name="shop"),
            "flux.yaml": flux(
                more="targetNamespace: team-a, patches: [{target: {name: shop}, "
                "patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: shop}, $patch: delete}'}]"
            ),
        },
        (TWO,),
    ),
    Case(
        "images change nothing that counts",
        {**APPS, "flux.yaml": flux(more="targetNamespace: team-a, images: [{name: web, newTag: v2}]")},
        (TWO,),
    ),
    Case(
        "components are named from the path",
        {
            "apps/web.yaml": web(),
            "sizes/small/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
            "resources: [quota.yaml]\n",
            "sizes/small/quota.yaml": quota(),
            "flux.yaml": flux(more="targetNamespace: team-a, components: [../sizes/small]"),
        },
        (TWO,),
    ),
    Case(
        "components that are missing may be passed over",
        {
            **APPS,
            "flux.yaml": flux(more="targetNamespace: team-a, components: [../gone], ignoreMissingComponents: true"),
        },
        (TWO,),
    ),
    Case(
        "a prefix and a suffix",
        {
            **APPS,
            "one.yaml": flux(name="one", more="targetNamespace: team-a, namePrefix: one-"),
            "two.yaml": flux(name="two", more="targetNamespace: team-a, nameSuffix: -two"),
        },
        ("team-a/base-two pods 4/8 exact", "team-a/one-base pods 4/8 exact"),
    ),
    Case(
        "one folder for two namespaces",
        {**APPS, "a.yaml": flux(name="a"), "b.yaml": flux(name="b", more="targetNamespace: team-b")},
        (TWO, "team-b/base pods 2/8 exact"),
    ),
    Case(
        "one folder twice for one namespace is one of each",
        {**APPS, "a.yaml": flux(name="a"), "b.yaml": flux(name="b")},
        (TWO,),
    ),
    Case(
        "dependsOn changes nothing that counts",
        {**APPS, "flux.yaml": flux(more="targetNamespace: team-a, dependsOn: [{name: gone}]")},
        (TWO,),
    ),
    Case(
        "what is suspended counts, and may be older in the cluster",
        {**APPS, "flux.yaml": flux(more="targetNamespace: team-a, suspend: true")},
        ("team-a/base pods 2/8 assumed",),
    ),
    Case(
        "charts of a base, which Flux refuses to inflate",
        {
            "apps/kustomization.yaml": "resources: [../base]\n",
            "base/kustomization.yaml": "resources: [quota.yaml]\nhelmCharts: [{name: c, releaseName: r}]\n"
            "helmGlobals: {chartHome: charts}\n",
            "base/quota.yaml": quota(hard="pods: 1"),
            "base/charts/c/Chart.yaml": "{apiVersion: v2, name: c, version: 1.0.0}\n",
            "base/charts/c/templates/web.yaml": web(3).encode(),
            "flux.yaml": flux(),
        },
        ("team-a/base pods 3/1 assumed",),
        ("base/kustomization.yaml:2:14 QL003 warning", "base/quota.yaml:4:15 QL301 warning"),
    ),
    Case(
        "a path that is a link",
        {**APPS, "current": Link("apps"), "flux.yaml": flux("./current")},
        (TWO,),
    ),
    Case(
        "files from beside the kustomization are no finding",
        {"common/quota.yaml": quota(), "apps/web.yaml": web(), "flux.yaml": flux()}
        | {"apps/kustomization.yaml": "resources: [../common/quota.yaml, web.yaml]\n"},
        (TWO,),
    ),
    Case(
        "an empty kustomization is fine with Flux",
        {"apps/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"}
        | {**quota_and_web(namespace="team-a"), "flux.yaml": flux()},
        (TWO,),
    ),
    *(
        Case(
            f"patches as objects, of {field}",
            {
                "apps/quota.yaml": quota(),
                "apps/web.yaml": web(),
                "flux.yaml": flux(more=f"targetNamespace: team-a, {field}: [{patch}]"),
            },
            ("team-a/base pods 6/8 exact",),
        )
        for field, patch in (
            (
                "patchesStrategicMerge",
                "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 6}}",
            ),
            (
                "patchesJson6902",
                "{target: {kind: Deployment, name: web}, patch: [{op: replace, path: /spec/replicas, value: 6}]}",
            ),
        )
    ),
    Case(
        "a folder that is not there concerns the targetNamespace",
        {"quota.yaml": quota("team-a"), "b.yaml": quota("team-b"), "web.yaml": web(namespace="team-b")}
        | {"flux.yaml": flux("./gone")},
        (NONE, "team-b/base pods 2/8 exact"),
        ("flux.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a folder that is not there, without targetNamespace, may concern any",
        {**quota_and_web(namespace="team-a"), "flux.yaml": flux("./gone", "")},
        ("team-a/base pods 2/8 at-least",),
        ("flux.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a folder outside of the repository is not read",
        {"quota.yaml": quota("team-a"), "flux.yaml": flux("../../../etc"), ".git/HEAD": "ref: refs/heads/main\n"},
        (NONE,),
        ("flux.yaml:1:1 QL003 warning",),
    ),
    Case(
        "an OCIRepository is not in view",
        {
            "quota.yaml": quota("team-a"),
            "flux.yaml": flux(source="OCIRepository/manifests"),
            **APPS,
        },
        ("default/base pods 2/8 exact", NONE),
        ("flux.yaml:1:1 QL003 warning",),
    ),
    Case(
        "another repository is not in view",
        {
            ".git/config": '[remote "origin"]\n\turl = git@example.com:team/fleet.git\n',
            "quota.yaml": quota("team-a"),
            "source.yaml": git_repository("shop", "url: https://example.com/team/shop"),
            "flux.yaml": flux(source="shop"),
        },
        (NONE,),
        ("flux.yaml:1:1 QL003 warning",),
    ),
    Case(
        "this repository by its address",
        {
            **APPS,
            ".git/config": '[remote "origin"]\n\turl = git@example.com:team/fleet.git\n',
            "source.yaml": git_repository(spec="url: https://example.com/team/fleet"),
            "flux.yaml": flux(),
        },
        (TWO,),
    ),
    Case(
        "a Kustomization that applies the folder it stands in",
        {**quota_and_web(namespace="team-a"), "flux.yaml": flux("./", more="")},
        (TWO,),
    ),
    Case(
        "Kustomizations that apply each other's folders",
        {
            "a/flux.yaml": flux("./b", more="", name="b"),
            "b/flux.yaml": flux("./a", more="", name="a"),
            "a/quota.yaml": quota("team-a"),
            "b/web.yaml": web(namespace="team-a"),
        },
        (TWO,),
    ),
    Case(
        "Kustomizations of Kustomizations",
        {
            **APPS,
            "top.yaml": flux("./one", more="", name="one"),
            "one/two.yaml": flux("./two", more="", name="two"),
            "two/apps.yaml": flux(),
        },
        (TWO,),
    ),
]


@pytest.mark.parametrize("case", params(KUSTOMIZATIONS))
def test_what_a_user_of_flux_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


def test_a_patch_of_flux_is_where_its_value_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        **APPS,
        "clusters/apps.yaml": flux(
            more="targetNamespace: team-a, patches: [{target: {kind: ResourceQuota}, "
            "patch: '- {op: replace, path: /spec/hard/pods, value: 1}'}]"
        ),
    }
    # The quota's entry is what the patch says, and no longer what the file says.
    assert outcome(tmp_path, files, monkeypatch) == Outcome(
        ["team-a/base pods 2/1 exact"], ["clusters/apps.yaml:4:142 QL301 error"]
    )
