"""Quotas in one repository, workloads in another: joined by `fleet`, or by the reports that they publish."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from git_repositories import Repository
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from manifests import quota, web
from written_files import write

from quotalint.cli import run
from quotalint.runtime.data import load_schema
from quotalint.snapshots.snapshot import Snapshot, shown_by
from quotalint.text.documents import Failure

CPU = "resources: {requests: {cpu: '1'}}"


def report(folder: Path, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    """Publish the report of a repository."""
    monkeypatch.chdir(folder)
    run(["--output", f"json={file}", "--no-cache", "--fail-on", "never"])


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    capsys.readouterr()
    status = run([*arguments, "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return status, [
        f"{finding['rule']} {finding['severity']} {finding['file']}:{finding['line']}" for finding in findings
    ]


def usage(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    capsys.readouterr()
    assert run([*arguments, "--format", "json"]) == 0
    return {
        "/".join(filter(None, (quota["environment"], quota["namespace"]))): f"{row['steady']} {row['certainty']}"
        for quota in json.loads(capsys.readouterr().out)["quotas"]
        for row in quota["resources"]
    }


@pytest.fixture
def repositories(tmp_path: Path) -> Path:
    """Quotas for shop and bank in one, the workload of shop in another."""
    Repository(tmp_path / "quotas", {"shop.yaml": quota("shop", hard='pods: "4"'), "bank.yaml": quota("bank")})
    Repository(tmp_path / "shop", {"web.yaml": web(3, "shop")})
    (tmp_path / "fleet.yaml").write_text("repositories: [quotas, shop]\n")
    return tmp_path


def test_a_pull_request_fails_for_a_quota_of_another_repository(
    repositories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The story: the platform publishes its report; who raises replicas elsewhere is told before the merge."""
    report(repositories / "quotas", monkeypatch, repositories / "quotas.json")
    shop = repositories / "shop"
    monkeypatch.chdir(shop)
    assert findings(capsys, "check", "--with", "../quotas.json")[0] == 0
    (shop / "web.yaml").write_text(web(6, "shop"))
    assert run(["diff", "main"]) == 0  # alone it knows nothing of the quota
    capsys.readouterr()
    assert run(["diff", "main", "--with", "../quotas.json"]) == 1
    printed = capsys.readouterr().out
    assert "pods 3 → 6 of 4" in printed
    assert "quota base: pods 4" in printed and "quotas:shop.yaml:1" in printed
    # The finding stands at the line that the pull request changed.
    assert any(line.startswith("web.yaml:") and "QL301" in line for line in printed.splitlines())
    assert run(["check", "--with", "../quotas.json"]) == 1


def test_the_platform_joins_what_others_publish(
    repositories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repositories / "shop" / "web.yaml").write_text(web(6, "shop"))
    report(repositories / "shop", monkeypatch, repositories / "shop.json")
    monkeypatch.chdir(repositories / "quotas")
    status, words = findings(capsys, "check", "--with", "../shop.json")
    assert (status, [word for word in words if "QL301" in word]) == (1, ["QL301 error shop.yaml:4"])
    # Of bank no workload is in view, whatever others publish: it stays unknown.
    assert usage(capsys, "usage", "--with", "../shop.json") == {"bank": "0 unknown", "shop": "6 exact"}


def test_a_fleet_of_checkouts_is_one_report(
    repositories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repositories)
    assert run(["fleet", "fleet.yaml"]) == 0
    assert usage(capsys, "fleet", "fleet.yaml", "--usage") == {"bank": "0 unknown", "shop": "3 exact"}
    (repositories / "shop" / "web.yaml").write_text(web(6, "shop"))
    status, words = findings(capsys, "fleet", "fleet.yaml")
    assert (status, [word for word in words if "QL301" in word]) == (1, ["QL301 error quotas/shop.yaml:4"])


def test_what_another_configuration_says_of_judging_is_said_not_to_count(
    repositories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repositories / "quotas" / ".quotalint.yaml").write_text("scenario: surge\nnodes: 3\n")
    (repositories / "shop" / ".quotalint.yaml").write_text("scenario: peak\nnodes: 3\nseverity: {QL301: info}\n")
    monkeypatch.chdir(repositories)
    (repositories / "shop" / "web.yaml").write_text(web(6, "shop"))
    capsys.readouterr()
    assert run(["fleet", "fleet.yaml"]) == 1, "QL301 is an error for the first checkout"
    splitlines = [line for line in capsys.readouterr().err.splitlines() if "count here" in line]
    assert splitlines == [
        "quotalint: shop/.quotalint.yaml: `severity`, `scenario` of shop do not count here: the configuration of the "
        "first checkout applies to all"
    ]
    assert run(["fleet", "fleet.yaml", "--scenario", "steady"]) == 1
    assert "`scenario`" not in capsys.readouterr().err


def test_the_first_checkout_says_what_others_call_environments(
    repositories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, environment in (("quotas", "prod"), ("shop", "production")):
        folder = repositories / name / environment
        folder.mkdir()
        for file in (repositories / name).glob("*.yaml"):
            file.rename(folder / file.name)
        (repositories / name / ".quotalint.yaml").write_text(f"environments: {{{environment}: [{environment}/]}}\n")
    monkeypatch.chdir(repositories)
    assert usage(capsys, "fleet", "fleet.yaml", "--usage") == {"prod/bank": "0 unknown", "prod/shop": "0 unknown"}
    with (repositories / "quotas" / ".quotalint.yaml").open("a") as configuration:
        configuration.write("environmentAliases: {production: prod}\n")
    assert usage(capsys, "fleet", "fleet.yaml", "--usage") == {"prod/bank": "0 unknown", "prod/shop": "3 exact"}


def test_a_fleet_of_reports_needs_no_checkout(
    repositories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repositories / "shop" / "web.yaml").write_text(web(6, "shop"))
    for name in ("quotas", "shop"):
        report(repositories / name, monkeypatch, repositories / f"{name}.json")
    monkeypatch.chdir(repositories)
    for listed in ("[quotas.json, shop.json]", "[quotas, shop.json]", "[quotas.json, shop]"):
        Path("fleet.yaml").write_text(f"repositories: {listed}\n")
        status, words = findings(capsys, "fleet", "fleet.yaml")
        place = "quotas/shop.yaml:4" if "quotas," in listed else "quotas:shop.yaml:1"
        assert (status, [word for word in words if "QL301" in word]) == (1, [f"QL301 error {place}"]), listed


def test_what_a_repository_could_not_see_makes_lower_bounds_of_all(
    repositories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: cache, namespace: shop}\n"
        "spec: {chart: {spec: {chart: redis, sourceRef: {kind: HelmRepository, name: bitnami}}}}\n"
    )
    (repositories / "shop" / "cache.yaml").write_text(release)
    report(repositories / "shop", monkeypatch, repositories / "shop.json")
    monkeypatch.chdir(repositories)
    assert usage(capsys, "fleet", "fleet.yaml", "--usage") == {"bank": "0 unknown", "shop": "3 at-least"}
    monkeypatch.chdir(repositories / "quotas")
    assert usage(capsys, "usage", "--with", "../shop.json") == {"bank": "0 unknown", "shop": "3 at-least"}


def environments(folder: Path, *names: str, what: Any) -> None:
    write(folder, {f"clusters/{name}/all.yaml": what(name) for name in names})


def test_environments_are_joined_by_their_names_or_by_those_that_a_mapping_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environments(tmp_path / "quotas", "dev", "prod", what=lambda name: quota("shop"))
    environments(tmp_path / "shop", "dev", "production", what=lambda name: web(2 if name == "dev" else 5, "shop"))
    monkeypatch.chdir(tmp_path)
    Path("fleet.yaml").write_text("repositories: [quotas, shop]\n")
    assert usage(capsys, "fleet", "fleet.yaml", "--usage") == {"dev/shop": "2 exact", "prod/shop": "0 unknown"}
    mapped = "repositories: {quotas: quotas, shop: {path: shop, environments: {production: prod}}}\n"
    Path("fleet.yaml").write_text(mapped)
    assert usage(capsys, "fleet", "fleet.yaml", "--usage") == {"dev/shop": "2 exact", "prod/shop": "5 exact"}
    report(tmp_path / "shop", monkeypatch, tmp_path / "shop.json")
    monkeypatch.chdir(tmp_path / "quotas")
    assert usage(capsys, "usage", "--with", "../shop.json") == {"dev/shop": "2 exact", "prod/shop": "0 unknown"}
    Path(".quotalint.yaml").write_text("environmentAliases: {production: prod}\n")
    assert usage(capsys, "usage", "--with", "../shop.json") == {"dev/shop": "2 exact", "prod/shop": "5 exact"}


def test_a_repository_without_environments_is_not_joined_with_one_of_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environments(tmp_path / "quotas", "dev", "prod", what=lambda name: quota("shop"))
    write(tmp_path / "shop", {"web.yaml": web(5, "shop")})
    monkeypatch.chdir(tmp_path)
    Path("fleet.yaml").write_text("repositories: [quotas, shop]\n")
    assert run(["fleet", "fleet.yaml", "--usage"]) == 0
    assert "shop names no environment, so it stays separate" in capsys.readouterr().err
    assert usage(capsys, "fleet", "fleet.yaml", "--usage") == {"dev/shop": "0 unknown", "prod/shop": "0 unknown"}
    Path("fleet.yaml").write_text("repositories: {q: quotas, shop: {path: shop, environments: {'': prod}}}\n")
    assert usage(capsys, "fleet", "fleet.yaml", "--usage") == {"dev/shop": "0 unknown", "prod/shop": "5 exact"}
    report(tmp_path / "shop", monkeypatch, tmp_path / "shop.json")
    monkeypatch.chdir(tmp_path / "quotas")
    assert run(["check", "--with", "../shop.json"]) == 2
    assert "it has the environments one without a name, and this repository has dev, prod" in capsys.readouterr().err
    assert usage(capsys, "usage", "--with", "prod=../shop.json") == {"dev/shop": "0 unknown", "prod/shop": "5 exact"}
    assert run(["check", "--with", "stage=../shop.json"]) == 2


def test_the_only_environments_of_two_repositories_are_one_by_assumption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "quotas", {"clusters/prod/q.yaml": quota("shop"), ".quotalint.yaml": "environments: {prod: /*}\n"})
    write(tmp_path / "shop", {"web.yaml": web(9, "shop")})
    monkeypatch.chdir(tmp_path)
    Path("fleet.yaml").write_text("repositories: [quotas, shop]\n")
    assert usage(capsys, "fleet", "fleet.yaml", "--usage") == {"prod/shop": "9 assumed"}
    status, words = findings(capsys, "fleet", "fleet.yaml")
    assert (status, [word.split()[:2] for word in words if "QL301" in word]) == (0, [["QL301", "warning"]])
    report(tmp_path / "shop", monkeypatch, tmp_path / "shop.json")
    monkeypatch.chdir(tmp_path / "quotas")
    assert usage(capsys, "usage", "--with", "../shop.json") == {"prod/shop": "9 assumed"}


def test_what_a_repository_silences_stays_silent(
    repositories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repositories / "shop" / "web.yaml").write_text(web(6, "shop"))
    monkeypatch.chdir(repositories)
    (repositories / "quotas" / ".quotalint.yaml").write_text("ignore: [{rules: [QL301], paths: [shop.yaml]}]\n")
    assert findings(capsys, "fleet", "fleet.yaml")[0] == 0
    (repositories / "quotas" / ".quotalint.yaml").write_text("ignore: [{rules: [QL301], paths: [bank.yaml]}]\n")
    assert findings(capsys, "fleet", "fleet.yaml")[0] == 1


def test_flaws_of_another_repository_are_not_reported_here(
    repositories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repositories / "quotas" / "bad.yaml").write_text(quota("bad", hard="pod: 1"))
    (repositories / "bank").mkdir()
    (repositories / "bank" / "app.yaml").write_text(web(99, "bank"))
    for name in ("quotas", "bank"):
        report(repositories / name, monkeypatch, repositories / f"{name}.json")
    monkeypatch.chdir(repositories / "shop")
    # The mistake in a quota, and that bank asks for too much, are for others to mend.
    assert findings(capsys, "check", "--with", "../quotas.json", "--with", "../bank.json")[0] == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("repositories: []", "it lists no repository"),
        ("a: [", "fleet.yaml:"),
        ("repositories: [nowhere]", "there is no nowhere"),
        ("repositories: [quotas, ./quotas]", "two repositories are called quotas"),
        ("repositories: {a: {folder: quotas}}", "`folder` is not a key of a repository"),
        ("repositories: {a: {environments: {}}}", "a needs the `path`"),
        ("repositories: [3]", "a repository needs the `path`"),
        ("repositories: [fleet.yaml]", "neither a folder nor a report"),
        ("", "it lists no repository"),
        ("- quotas\n- broken.json", "broken.json: line"),
        ("- usage.json", "it does not say what its repository deploys"),
    ],
)
def test_a_list_that_is_none(
    content: str, message: str, repositories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repositories)
    Path("fleet.yaml").write_text(content)
    Path("broken.json").write_text('{"tool": {"name": "quotalint"')
    Path("usage.json").write_text('{"tool": {"name": "quotalint"}, "quotas": []}')
    assert run(["fleet", "fleet.yaml"]) == 2
    err = capsys.readouterr().err
    assert message in err and err.startswith("quotalint: ")


def test_a_folder_called_fleet_is_still_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fleet").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run(["fleet", "fleet"]) == 2
    assert "`quotalint check fleet` checks what is below it" in capsys.readouterr().err


def test_what_is_published_satisfies_the_schema_and_holds_nothing_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\nstringData: {p: s3cr3t}\n"
    env = web(2, "shop").replace("image: web", "image: web, env: [{name: P, value: s3cr3t}]")
    assert "s3cr3t" in env
    write(tmp_path / "repo", {"s.yaml": secret, "w.yaml": env, "q.yaml": quota("shop")})
    report(tmp_path / "repo", monkeypatch, tmp_path / "out.json")
    text = (tmp_path / "out.json").read_text()
    jsonschema.Draft202012Validator(load_schema("report")).validate(json.loads(text))
    assert "s3cr3t" not in text
    objects = json.loads(text)["deploys"][0]["objects"]
    assert [(published["manifest"]["kind"], published["file"], published["line"]) for published in objects] == [
        ("ResourceQuota", "q.yaml", 1),
        ("Deployment", "w.yaml", 1),
    ]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["environment", "objects", "unseen", "file", "line", "manifest", "assumptions", "namespace"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)


@given(ANYTHING)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_whatever_a_report_says_it_can_be_read(value: Any) -> None:
    data = json.dumps({"tool": {"name": "quotalint"}, "deploys": value}).encode()
    failure = shown_by(data, "x.json")
    assert isinstance(failure, Failure) or all(isinstance(snapshot, Snapshot) for snapshot in failure)
