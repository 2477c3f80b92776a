"""Which changes of claims and claim templates the API server refuses, as far as both states say what decides it."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_repositories import Repository, difference, quota

CLASS = "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: gold}\nprovisioner: example.com/a\n"
TEMPLATE = "{metadata: {name: '%s'}, spec: {resources: {requests: {storage: %s}}}}"


def claim(storage: str, more: str = "") -> str:
    return (
        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: team-a}\n"
        f"spec: {{{more}resources: {{requests: {{storage: {storage}}}}}}}\n"
    )


def database(*templates: tuple[str, str]) -> str:
    written = ", ".join(TEMPLATE % template for template in templates)
    return (
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: team-a}\nspec:\n"
        f"  template: {{spec: {{containers: [{{name: db, image: db}}]}}}}\n  volumeClaimTemplates: [{written}]\n"
    )


GOLD = "storageClassName: gold, "
QUOTA = quota("requests.storage: 1Ti")
LARGEST = (
    "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: limits, namespace: team-a}\n"
    "spec: {limits: [{type: PersistentVolumeClaim, max: {storage: 1Gi}}]}\n"
)
FORCED, ARGO = "{annotations: {%s}, name", "argocd.argoproj.io/sync-options"
WITHOUT_SELECTOR = database(("a", "1Gi")).replace("{spec: {cont", "{metadata: {labels: {a: b}}, spec: {cont")


@pytest.mark.parametrize(
    ("before", "after", "beside", "refused"),
    [
        (claim("2Gi"), claim("1Gi"), QUOTA, "storage changes from 2Gi to 1Gi"),
        (claim("2Gi"), claim("1Gi"), "", ""),  # nothing counts it
        (claim("2Gi"), claim("'${SIZE}'"), QUOTA, ""),
        (claim("2Gi"), claim("2048Mi"), QUOTA, ""),
        (claim("1Gi", GOLD), claim("2Gi", GOLD), QUOTA, ""),  # a class that is not in view
        (claim("1Gi", GOLD), claim("2Gi", GOLD), QUOTA + CLASS, "storage changes from 1Gi to 2Gi"),
        (claim("1Gi", GOLD), claim("2Gi", GOLD), f"{QUOTA}{CLASS}allowVolumeExpansion: true\n", ""),
        (claim("1Gi", GOLD), claim("2Gi", GOLD), f"{QUOTA}{CLASS}allowVolumeExpansion: '${{GROWS}}'\n", ""),
        (claim("1Gi", GOLD), claim("1Gi", "storageClassName: iron, "), QUOTA, "class changes from gold to iron"),
        # The one that a default class has written there may be the same.
        (claim("1Gi"), claim("1Gi", GOLD), QUOTA, ""),
        (database(("a", "1Gi")), database(("a", "2Gi")), QUOTA, "storage changes from 1Gi to 2Gi in a"),
        (database(("a", "1Gi")), database(("a", "1Gi"), ("b", "1Gi")), QUOTA, "b comes"),
        (database(("a", "1Gi"), ("b", "1Gi")), database(("a", "1Gi")), QUOTA, "b goes"),
        (database(("a", "1Gi")), database(("a", "1024Mi")), QUOTA, ""),
        (database(("a", "1Gi")), database(("${NAME}", "1Gi")), QUOTA, ""),
        (database(("a", "1Gi")), database(("a", "1Gi")).replace(f"[{TEMPLATE % ('a', '1Gi')}]", "${ALL}"), QUOTA, ""),
        # It is deleted, and created with less.
        (claim("2Gi"), claim("1Gi").replace("{name", FORCED % "kustomize.toolkit.fluxcd.io/force: enabled"), QUOTA, ""),
        (claim("2Gi"), claim("1Gi").replace("{name", FORCED % f"{ARGO}: 'Replace=true,Force=true'"), QUOTA, ""),
        (claim("2Gi"), claim("1Gi").replace("{name", FORCED % f"{ARGO}: Replace=true"), QUOTA, "from 2Gi to 1Gi"),
        # What was refused, by a quota, a LimitRange or as invalid, is not there, and neither is what has a new name.
        (claim("2Ti"), claim("1Gi"), QUOTA, ""),
        (claim("2Gi"), claim("1Gi"), QUOTA + LARGEST, ""),
        (claim("0", GOLD), claim("1Gi", GOLD), QUOTA + CLASS, ""),
        (WITHOUT_SELECTOR, database(("a", "2Gi")), QUOTA, ""),
        (database(("a", "1Gi")), database(("a", "2Gi")), quota("count/statefulsets.apps: 0"), ""),
        (claim("2Gi").replace("{name", "{generateName"), claim("1Gi").replace("{name", "{generateName"), QUOTA, ""),
    ],
)
def test_what_of_a_change_is_refused(
    before: str,
    after: str,
    beside: str,
    refused: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    repository = Repository(tmp_path / "r", {"claims.yaml": before, **({"beside.yaml": beside} if beside else {})})
    repository.write({"claims.yaml": after})
    monkeypatch.chdir(repository.folder)
    found = difference(capsys, "HEAD")[1]["findings"]["new"]
    messages = [finding["message"] for finding in found if finding["rule"] == "QL407"]
    assert [refused in message for message in messages] == ([True] if refused else [])


def test_nothing_is_said_of_how_full_a_quota_is_that_counts_no_storage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The update is refused all the same."""
    repository = Repository(tmp_path / "r", {"claims.yaml": claim("2Gi"), "q.yaml": quota("requests.cpu: 1")})
    repository.write({"claims.yaml": claim("1Gi")})
    monkeypatch.chdir(repository.folder)
    (finding,) = difference(capsys, "HEAD")[1]["findings"]["new"]
    assert "quotas count it as before" in finding["message"]
    assert "full" not in finding["message"]


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        ({"common/c.yaml": claim("2Gi")}, {"common/c.yaml": claim("1Gi")}, "error"),  # wherever it is, it was
        (
            {"common/c.yaml": claim("2Gi")},
            {"common/c.yaml": None, **dict.fromkeys(("dev/c.yaml", "prod/c.yaml"), claim("1Gi"))},
            "warning",
        ),
        ({"dev/c.yaml": claim("2Gi")}, {"dev/c.yaml": None, "common/c.yaml": claim("1Gi")}, "warning"),
    ],
)
def test_what_was_there_by_a_guess_is_no_error(
    before: dict[str, str | None],
    after: dict[str, str | None],
    severity: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The folder `common` names no environment, so it is counted in each."""
    quotas = dict.fromkeys(("dev/quota.yaml", "prod/quota.yaml"), QUOTA)
    repository = Repository(tmp_path / "r", {**quotas, **before})
    repository.write(after)
    monkeypatch.chdir(repository.folder)
    found = difference(capsys, "HEAD")[1]["findings"]["new"]
    assert {finding["severity"] for finding in found if finding["rule"] == "QL407"} == {severity}


@pytest.mark.parametrize(("of_prod", "refused"), [(QUOTA, False), (QUOTA.replace("1Ti", "2Ti"), True)])
def test_an_environment_of_another_name_may_be_either_of_two(
    of_prod: str, refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is left of two environments has the name of neither: what else is alike tells which it was, or nothing."""
    files = {"dev/q.yaml": QUOTA, "dev/c.yaml": claim("50Gi"), "prod/q.yaml": of_prod, "prod/c.yaml": claim("9Gi")}
    repository = Repository(tmp_path / "r", files)
    gone: dict[str, str | None] = dict.fromkeys(files)
    repository.write({**gone, "production/q.yaml": of_prod, "production/c.yaml": claim("6Gi")})
    monkeypatch.chdir(repository.folder)
    found = difference(capsys, "HEAD")[1]["findings"]["new"]
    assert any(finding["rule"] == "QL407" for finding in found) is refused
