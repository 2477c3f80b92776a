"""Files that only their owners can read: SOPS, ksops, git-crypt, Git LFS."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import TWO, Case, expected, outcome, params
from manifests import LIST, quota, web
from team_a_repositories import BASE_FILES, LIVE

_VALUE = '"ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]"'
SEALED = f"""\
apiVersion: {_VALUE}
kind: {_VALUE}
metadata:
  name: {_VALUE}
  namespace: {_VALUE}
sops: {{version: 3.7.1}}
"""
SEALED_SECRET = f"""\
apiVersion: v1
kind: {_VALUE}
metadata: {{name: {_VALUE}, namespace: {_VALUE}}}
stringData: {{password: {_VALUE}}}
sops: {{version: 3.7.1}}
"""
SEALED_DATA = SEALED_SECRET.replace("stringData", "data")
_COUNTED = "pods: 8, count/configmaps: 8, count/secrets: 8"
_WITHOUT = ("team-a/base count/configmaps 1/8 exact", "team-a/base count/secrets 0/8 at-least", TWO)
_WITHOUT_DATA = ("team-a/base count/configmaps 1/8 at-least", "team-a/base count/secrets 0/8 at-least", TWO)

CASES = [
    Case(
        "what a plugin decrypts is not applied as it is",
        {
            **{f"k/{name}": text for name, text in BASE_FILES.items()},
            "k/kustomization.yaml": "namespace: team-a\n" + LIST + "generators: [secrets.yaml]\n",
            "k/quota.yaml": quota(hard="pods: 8, count/secrets: 8"),
            "k/secrets.yaml": "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: x}\nfiles: [locked/a.yaml]\n",
            "k/locked/a.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: team-a}\nsops: {}\n",
        },
        ("team-a/base count/secrets 0/8 at-least", TWO),
        ("k/kustomization.yaml:3:14 QL003 warning",),
    ),
    Case(
        "a locked file of git-crypt among the resources",
        {
            **BASE_FILES,
            "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml, secret.yaml]\n",
            "secret.yaml": b"\0GITCRYPT\0\x8a\x03\xff",
        },
        ("team-a/base pods 2/8 at-least",),
        ("kustomization.yaml:2:35 QL003 warning",),
    ),
    Case(
        "a pointer of Git LFS among the resources",
        {
            **BASE_FILES,
            "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml, more.yaml]\n",
            "more.yaml": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n",
        },
        ("team-a/base pods 2/8 at-least",),
        ("kustomization.yaml:2:35 QL003 warning",),
    ),
    Case(
        "what ksops decrypts may be of any kind",
        {
            **{f"k/{name}": text for name, text in BASE_FILES.items()},
            "k/kustomization.yaml": "namespace: team-a\n" + LIST + "generators: [secrets.yaml]\n",
            "k/quota.yaml": quota(hard="pods: 8, count/configmaps: 8"),
            "k/secrets.yaml": "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: x}\nfiles: [locked/a.yaml]\n",
            "k/locked/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nsops: {}\n",
        },
        ("team-a/base count/configmaps 1/8 at-least", TWO),
        ("k/kustomization.yaml:3:14 QL003 warning",),
    ),
    Case(
        "a file encrypted with SOPS is a Secret like another",
        {
            "quota.yaml": quota("team-a", hard="count/secrets: 8, pods: 8"),
            "web.yaml": web(namespace="team-a"),
            "secret.yaml": """\
                apiVersion: v1
                kind: Secret
                metadata: {name: a, namespace: team-a}
                data: {password: "ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]"}
                sops: {encrypted_regex: ^data$, version: 3.7.1}
                """,
        },
        ("team-a/base count/secrets 1/8 exact", TWO),
    ),
    Case(
        "a file wholly encrypted with SOPS is not an object, and may be any",
        {
            **LIVE,
            "live/secret.yaml": SEALED,
        },
        ("team-a/base pods 2/8 at-least",),
    ),
    *(
        Case(
            f"of a file wholly encrypted with SOPS keys tell what it may be {which}: {sealed}",
            {
                **BASE_FILES,
                "quota.yaml": quota("team-a", hard=_COUNTED),
                "web.yaml": web(namespace="team-a"),
                **listing,
                "secret.yaml": sealed_file,
            },
            quotas,
            ("secret.yaml:1:1 QL003 warning",) if listing else (),
        )
        for sealed, sealed_file, quotas in (
            ("strings are those of Secrets", SEALED_SECRET, _WITHOUT),
            ("data that of Secrets or ConfigMaps", SEALED_DATA, _WITHOUT_DATA),
        )
        for which, listing in (
            ("as it lies", {}),
            ("in a list", {"kustomization.yaml": "resources: [quota.yaml, web.yaml, secret.yaml]\n"}),
        )
    ),
    Case(
        "a file wholly encrypted with SOPS that the kustomization of its folder does not list",
        {
            **BASE_FILES,
            "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml]\n",
            "secret.yaml": SEALED,
        },
        (TWO,),
    ),
    Case(
        "a file of git-crypt that the kustomization of its folder does not list",
        {
            **BASE_FILES,
            "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml]\n",
            "secret.yaml": b"\0GITCRYPT\0\x8a\x03\xff",
        },
        (TWO,),
    ),
    Case(
        "a file wholly encrypted with SOPS among the resources",
        {
            **BASE_FILES,
            "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml, secret.yaml]\n",
            "secret.yaml": SEALED,
        },
        ("team-a/base pods 2/8 at-least",),
        ("secret.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a file encrypted with git-crypt may be anything",
        {**LIVE, "live/secret.yaml": b"\0GITCRYPT\0\x8a\x03\xff\xfe\x00\x9c\x1b"},
        ("team-a/base pods 2/8 at-least",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_is_told_of_encrypted_files(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
