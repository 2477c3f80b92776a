"""What a kustomization may be called, and what Components are."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import flux_kustomization
from gitops_outcome import TWO, Case, expected, outcome, params
from manifests import LIST, quota, quota_and_web, web
from team_a_repositories import BASE, LIVE, TEAM_A, component, leaf

CASES = [
    Case(
        "two Kustomization kinds: one of Flux in a file called kustomization.yaml",
        {
            **quota_and_web("apps"),
            "clusters/kustomization.yaml": flux_kustomization("./apps", "targetNamespace: team-a"),
        },
        (TWO,),
    ),
    Case(
        "two Kustomization kinds: one of Kustomize under another name is not looked at",
        {**LIVE, "live/kustomize.yaml": f"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n{LIST}"},
        (TWO,),
    ),
    *(
        Case(
            f"a kustomization {what}",
            {f"app/{name}": f"{head}namespace: team-a\n{LIST}", **quota_and_web("app")},
            (TWO,),
        )
        for what, name, head in (
            ("called kustomization.yml", "kustomization.yml", ""),
            ("called Kustomization", "Kustomization", ""),
            (
                "with apiVersion and kind",
                "kustomization.yaml",
                "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
            ),
            ("with a kind alone", "kustomization.yaml", "kind: Kustomization\n"),
            ("with an apiVersion alone", "kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\n"),
            ("with annotations that are null", "kustomization.yaml", "metadata: {name: x, annotations: null}\n"),
            ("with fields that are null", "kustomization.yaml", "patches: null\ncomponents:\nimages: null\n"),
        )
    ),
    Case(
        "a base called kustomization.yml and an overlay called Kustomization",
        {
            "base/kustomization.yml": LIST,
            **quota_and_web("base"),
            "live/Kustomization": TEAM_A,
        },
        (TWO,),
    ),
    Case(
        "annotations that are null, here and in what is patched",
        {
            "base/kustomization.yaml": LIST,
            "base/quota.yaml": quota().replace("{name: base}", "{name: base, annotations: null, labels: }"),
            "base/web.yaml": web().replace("{name: web}", "{name: web, annotations: null}"),
            "live/kustomization.yaml": TEAM_A + "commonAnnotations: {team: a}\ncommonLabels: {team: a}\n",
        },
        (TWO,),
    ),
    Case(
        "an empty kustomization alone",
        {"kustomization.yaml": "", **quota_and_web("live", "team-a")},
        (TWO,),
        ("kustomization.yaml:1:1 QL003 info",),
    ),
    Case(
        "an empty kustomization among Components",
        {**leaf("components: [../c]"), "c/kustomization.yaml": "kind: Component\n"},
        (TWO.replace("exact", "assumed"),),
        ("c/kustomization.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a folder that is called kustomization.yaml",
        {"kustomization.yaml/quota.yaml": quota("team-a"), "web.yaml": web(namespace="team-a")},
        (TWO,),
    ),
    Case(
        "names of files with spaces and letters from elsewhere",
        {
            "groß und klein/kustomization.yaml": "namespace: team-a\nresources: ['кво та.yaml', '日本/web.yaml']\n",
            "groß und klein/кво та.yaml": quota(),
            "groß und klein/日本/web.yaml": web(),
        },
        (TWO,),
    ),
    Case(
        "line ends of Windows",
        {
            "kustomization.yaml": b"namespace: team-a\r\nresources:\r\n- quota.yaml\r\n- web.yaml\r\n",
            "quota.yaml": quota().replace("\n", "\r\n").encode(),
            "web.yaml": web().replace("\n", "\r\n").encode(),
        },
        (TWO,),
    ),
    Case(
        "a base that is excluded from reading, or that git ignores, is still built on",
        {
            **BASE,
            ".git/HEAD": "ref: refs/heads/main\n",
            ".gitignore": "made/\n",
            ".quotalint.yaml": "exclude: [/base/]\n",
            "made/kustomization.yaml": "resources: [shop.yaml]\n",
            "made/shop.yaml": web(name="shop"),
            "live/kustomization.yaml": "namespace: team-a\nresources: [../base, ../made]\n",
        },
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "test fixtures are excluded in one line",
        {
            **LIVE,
            ".quotalint.yaml": "exclude: [testdata/]\n",
            "pkg/testdata/web.yaml": web(name="fixture", namespace="team-a"),
            "pkg/testdata/broken.yaml": "apiVersion: v1\nkind: Pod\nmetadata: [\n",
        },
        (TWO,),
    ),
    Case(
        "two workloads of one Component in two teams",
        {
            "components/cache/kustomization.yaml": component("cache.yaml"),
            "components/cache/cache.yaml": web(name="cache", kind="StatefulSet"),
            "components/quota/kustomization.yaml": component("quota.yaml"),
            "components/quota/quota.yaml": quota(),
            **{
                f"teams/{team}/kustomization.yaml": f"namespace: team-{team}\n"
                "components: [../../components/quota, ../../components/cache]\n"
                for team in "ab"
            },
        },
        (TWO, "team-b/base pods 2/8 exact"),
    ),
    Case(
        "a Component that patches what its user brings",
        {
            **BASE,
            "more/kustomization.yaml": component() + "replicas: [{name: web, count: 7}]\n",
            "live/kustomization.yaml": TEAM_A + "components: [../more]\n",
        },
        ("team-a/base pods 7/8 exact",),
    ),
    Case(
        "a Component nobody uses is applied by nobody",
        {
            **LIVE,
            "sizes/kustomization.yaml": component("web.yaml"),
            "sizes/web.yaml": web(name="x", namespace="team-a"),
        },
        (TWO,),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_is_told_of_kustomizations(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
