"""What cannot be read, followed or run, anywhere in a tree: whom it concerns, and nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import NONE, TWO, Case, checked, expected, outcome, params
from manifests import LIST, quota, quota_and_web, web
from team_a_repositories import BASE, LIVE, PATCH, TEAM_A, leaf
from written_files import Files

LEAVES = [
    Case(
        "4: a remote base",
        leaf("bases: [https://github.com/example/shop//deploy?ref=v1]"),
        ("team-a/base pods 2/8 at-least",),
        ("live/kustomization.yaml:3:9 QL003 warning",),
    ),
    Case(
        "4: a missing file",
        leaf("components: []\nbases: [gone.yaml]"),
        ("team-a/base pods 2/8 at-least",),
        ("live/kustomization.yaml:4:9 QL003 warning",),
    ),
    Case(
        "4: a missing patch might take anything away",
        leaf("patches: [{path: gone.yaml}]"),
        ("team-a/base pods ?/8 unknown",),
        ("live/kustomization.yaml:3:11 QL003 warning",),
    ),
    Case(
        "4: a ksops generator matters for Secrets alone",
        {
            **BASE,
            "base/quota.yaml": quota(hard="pods: 8, count/secrets: 8"),
            "live/kustomization.yaml": TEAM_A + "generators: [secrets.yaml]\n",
            "live/secrets.yaml": """\
                apiVersion: viaduct.ai/v1
                kind: ksops
                metadata: {name: secrets}
                files: [secret.enc.yaml]
                """,
            "live/secret.enc.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: 'ENC[x]'}\n"
            "sops: {version: 3.7.1}\n",
        },
        ("team-a/base count/secrets 0/8 at-least", TWO),
        ("live/kustomization.yaml:3:14 QL003 warning",),
    ),
    Case(
        "4: helmCharts of a repository elsewhere",
        leaf("helmCharts: [{name: redis, repo: https://charts.example.com, version: 1.0.0}]"),
        ("team-a/base pods 2/8 at-least",),
        ("live/kustomization.yaml:3:14 QL003 warning",),
    ),
    Case(
        "4: old-style patches, a list of files",
        {**leaf("patches: [three.yaml]"), "live/three.yaml": PATCH},
        ("team-a/base pods 3/8 assumed",),
        ("live/kustomization.yaml:3:11 QL003 warning",),
    ),
    Case(
        "4: files from beside the kustomization, which only Flux takes",
        {"live/kustomization.yaml": "namespace: team-a\nresources: [../common/quota.yaml, web.yaml]\n"}
        | {"common/quota.yaml": quota(), "live/web.yaml": web()},
        (TWO,),
        ("live/kustomization.yaml:2:13 QL003 info",),
    ),
    Case(
        "4: an empty kustomization among the resources",
        {**leaf("bases: [empty]"), "live/empty/kustomization.yaml": ""},
        ("team-a/base pods 2/8 assumed",),
        ("live/empty/kustomization.yaml:1:1 QL003 warning",),
    ),
    Case(
        "4: a folder without a kustomization among the resources",
        {**leaf("bases: [things]"), "live/things/shop.yaml": web(name="shop", namespace="team-b")},
        ("team-a/base pods 2/8 at-least",),
        ("live/kustomization.yaml:3:9 QL003 warning",),
    ),
    Case(
        "4: a kustomization that is not readable among the resources",
        {**leaf("bases: [broken]"), "live/broken/kustomization.yaml": "resources: [\n"},
        ("team-a/base pods 2/8 at-least",),
        ("live/broken/kustomization.yaml:1:13 QL001 error",),
    ),
    Case(
        "4: a manifest that is not readable among the resources",
        {**leaf("bases: [shop.yaml]"), "live/shop.yaml": "apiVersion: v1\nkind: Pod\nmetadata: [\n"},
        ("team-a/base pods 2/8 at-least",),
        ("live/shop.yaml:3:12 QL001 error",),
    ),
    Case(
        "4: a bad leaf deep down concerns the namespace above, and no other",
        {
            "shop/kustomization.yaml": "resources: [gone.yaml]\n",
            "live/kustomization.yaml": "namespace: team-a\nresources: [../shop, quota.yaml]\n",
            "live/quota.yaml": quota(),
            "other/kustomization.yaml": "namespace: team-b\nresources: [quota.yaml, web.yaml]\n",
            **quota_and_web("other"),
        },
        (NONE, "team-b/base pods 2/8 exact"),
        ("shop/kustomization.yaml:1:13 QL003 warning",),
    ),
    Case(
        "4: a cycle between two folders",
        {
            "a/kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml, ../b]\n",
            **quota_and_web("a"),
            "b/kustomization.yaml": "namespace: team-a\nresources: [../a]\n",
        },
        ("team-a/base pods 2/8 assumed",),
        ("b/kustomization.yaml:2:13 QL003 warning",),
    ),
    Case(
        "4: a cycle between an overlay and its base",
        {
            **BASE,
            "base/kustomization.yaml": LIST + "namespace: team-a\nbases: [../live]\n",
            "live/kustomization.yaml": TEAM_A,
        },
        ("team-a/base pods 2/8 assumed",),
        ("live/kustomization.yaml:2:13 QL003 warning",),
    ),
    Case(
        "4: a folder that holds itself, `../..`",
        {
            "kustomization.yaml": "namespace: team-a\nresources: [a/b, quota.yaml, web.yaml]\n",
            **quota_and_web(),
            "a/b/kustomization.yaml": "resources: [../..]\n",
        },
        ("team-a/base pods 2/8 assumed",),
        ("a/b/kustomization.yaml:1:13 QL003 warning",),
    ),
]


def test_what_was_seen_and_not_counted_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {
        **LIVE,
        **BASE,
        "shop/kustomization.yaml": "namespace: team-b\nresources: [../base]\n",
        "shop/left-over.yaml": web(name="left-over"),
        "chart/Chart.yaml": "{apiVersion: v2, name: chart, version: 1.0.0}\n",
        "chart/templates/web.yaml": "{{- if true }}\n" + web(name="chart") + "{{- end }}\n",
        "helmfile.yaml": "releases:\n{{- range .x }}\n- name: a\n{{- end }}\n",
        "secret.yaml": b"\0GITCRYPT\0\x8a\x03",
    }
    result = checked(tmp_path, files, monkeypatch)
    assert [skipped.name for skipped in result.environments[0].repository.skipped] == [
        "chart/Chart.yaml",
        "helmfile.yaml",
        "secret.yaml",
        "shop/left-over.yaml",
    ]


@pytest.mark.parametrize(
    ("folder", "quotas", "findings"),
    [
        ("tests/fixtures", [TWO], ["tests/fixtures/bad.yaml:3:12 QL001 info"]),
        ("more", ["team-a/base pods 2/8 at-least"], ["more/bad.yaml:3:12 QL001 error"]),
    ],
)
def test_a_fixture_that_cannot_be_read_makes_nothing_unknown(
    folder: str, quotas: list[str], findings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = {f"{folder}/bad.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {\n", f"{folder}/good.yaml": web(3)}
    actual_outcome = outcome(tmp_path, {**LIVE, **bad}, monkeypatch)
    assert (actual_outcome.quotas, actual_outcome.findings) == (quotas, findings)


def test_a_key_given_twice_in_a_fixture_is_told_for_information(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repeated = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {}\ndata: {}\n"
    files = {**LIVE, "testdata/bad.yaml": repeated, "more/bad.yaml": repeated}
    assert outcome(tmp_path, files, monkeypatch).findings == [
        "more/bad.yaml:5:1 QL002 error",
        "testdata/bad.yaml:5:1 QL002 info",
    ]


@pytest.mark.parametrize("case", params(LEAVES))
def test_what_is_told_of_a_bad_leaf(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
