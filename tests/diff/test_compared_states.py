"""Which states of a repository are compared, and by which configuration, baseline and snapshot."""

from __future__ import annotations

import json
from typing import Any

import pytest
from git_repositories import Repository, deployment, difference, in_short, quota

from quotalint.cli import run

START = {"team-a/quota.yaml": quota("requests.cpu: 4, pods: 10"), "team-a/web.yaml": deployment(3)}


def test_where_the_two_parted(repository: Repository, capsys: Any) -> None:
    start = repository.commit(START)
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit({"team-a/quota.yaml": quota("requests.cpu: 4, pods: 20")})
    repository.git("checkout", "-q", "main")
    repository.commit({"team-a/web.yaml": deployment(5)})
    _, apart = difference(capsys, "main...feature")
    _, whole = difference(capsys, "main..feature")
    assert apart["base"] == {"revision": "main...feature", "commit": start}
    assert (in_short(apart), in_short(whole)) == (
        ["changed team-a/base", "  pods: hard 10 → 20, steady 3"],
        [
            "changed team-a/base",
            "  pods: hard 10 → 20, steady 5 → 3",
            "  requests.cpu: hard 4, steady 5 → 3",
            "  changed Deployment web: 5 → 3",
            "fixed QL301 team-a/quota.yaml:6",
        ],
    )


def test_new_files_count_and_ignored_ones_do_not(repository: Repository, capsys: Any) -> None:
    repository.commit({"team-a/quota.yaml": START["team-a/quota.yaml"], ".gitignore": "ignored.yaml\n"})
    repository.write({"ignored.yaml": deployment(9, "ignored"), "web.yaml": deployment(3)})
    _, report = difference(capsys, "HEAD")
    assert in_short(report)[-1] == "  added Deployment web: None → 3"


def test_what_is_ignored_is_not_in_view_of_a_kustomization_either(repository: Repository, capsys: Any) -> None:
    repository.commit({"kustomization.yaml": "resources: [quota.yaml, more]\n", "quota.yaml": quota("pods: 5")})
    repository.write({"more/kustomization.yaml": "resources: [web.yaml]\n", "more/web.yaml": deployment(2)})
    repository.write({".git/info/exclude": "more\n"})
    _, report = difference(capsys, "HEAD")
    assert in_short(report) == ["unchanged QL003 kustomization.yaml:1"]


def test_paths_and_the_working_directory(repository: Repository, monkeypatch: Any, capsys: Any) -> None:
    repository.commit({**START, "team-b/quota.yaml": quota("pods: 1", namespace="team-b")})
    repository.write({"team-b/quota.yaml": quota("pods: 2", namespace="team-b"), "team-a/web.yaml": deployment(4)})
    (repository.folder / "new").mkdir()
    messages = []
    for folder, paths in ((".", ["team-b"]), ("team-b", []), ("new", ["../team-b"]), (".", ["team-b/quota.yaml"])):
        monkeypatch.chdir(repository.folder / folder)
        _, report = difference(capsys, "HEAD", "--", *paths)
        messages.append(
            [(quota["name"], quota["namespace"], quota["file"], quota["line"]) for quota in report["quotas"]]
        )
    there = [("base", "team-b", "team-b/quota.yaml", 1)]
    assert messages == [there, [(*there[0][:2], "quota.yaml", 1)], [(*there[0][:2], "../team-b/quota.yaml", 1)], there]


def test_a_folder_called_as_standard_input_is(repository: Repository, capsys: Any) -> None:
    repository.commit(START)
    repository.write({"-/quota.yaml": quota("pods: 1", namespace="team-b")})
    _, report = difference(capsys, "HEAD", "--", "./-")
    assert in_short(report) == ["added team-b/base", "  pods: hard None → 1, steady None → 0"]


def test_a_configuration_that_only_the_base_has_broken(repository: Repository, capsys: Any) -> None:
    repository.commit({**START, ".quotalint.yaml": "failon: never\n"})
    repository.write({".quotalint.yaml": "failOn: warning\n"})
    status = run(["diff", "HEAD"])
    assert (status, capsys.readouterr().err) == (
        0,
        "quotalint: HEAD: .quotalint.yaml:1: `failon` is not a known key; did you mean `failOn`?\n"
        "quotalint: both states are checked without a configuration; "
        "--trust-head-config takes that of the change\n",
    )
    status = run(["diff", "HEAD", "--trust-head-config"])
    assert (status, capsys.readouterr().err.splitlines()[1]) == (
        0,
        "quotalint: HEAD is checked with the configuration of the change",
    )


def test_a_configuration_above_the_repository_and_one_that_is_named(repository: Repository, capsys: Any) -> None:
    repository.commit(START)
    repository.write({"team-a/web.yaml": deployment(5)})
    (repository.folder.parent / ".quotalint.yaml").write_text("ignore: [{rules: [QL301], paths: [/repository/team-a]}]")
    (repository.folder.parent / "other.yaml").write_text("failOn: never")
    status, report = difference(capsys, "HEAD")
    named = difference(capsys, "HEAD", "--config", "../other.yaml")
    assert (status, report["findings"]["new"], named[0], len(named[1]["findings"]["new"])) == (0, [], 0, 1)


def test_a_baseline_excuses_as_in_check(repository: Repository, capsys: Any) -> None:
    repository.commit(START)
    repository.write({"team-a/web.yaml": deployment(5)})
    assert run(["check", "--write-baseline", "--quiet"]) == 0
    capsys.readouterr()
    rules = {}
    for option in ("--trust-head-config", "--no-cache"):
        status, report = difference(capsys, "HEAD", option)
        rules[option] = (status, [finding["rule"] for finding in report["findings"]["new"]])
    assert rules == {"--trust-head-config": (0, ["QL008"]), "--no-cache": (1, ["QL008", "QL301"])}


@pytest.mark.parametrize("configuration", [{}, {".quotalint.yaml": "nodes: 3\n"}])
def test_a_baseline_of_ones_own_counts(repository: Repository, capsys: Any, configuration: dict[str, str]) -> None:
    repository.commit({**START, **configuration, ".gitignore": ".quotalint-baseline.yaml\n"})
    repository.write({"team-a/web.yaml": deployment(5)})
    assert run(["check", "--write-baseline", "--quiet"]) == 0
    capsys.readouterr()
    status, report = difference(capsys, "HEAD")
    assert (status, report["findings"]["new"]) == (0, [])


def test_a_baseline_has_its_name_beside_a_configuration(repository: Repository, capsys: Any) -> None:
    repository.commit({**START, ".quotalint.yaml": "nodes: 3\n", "team-a/web.yaml": deployment(5)})
    assert run(["check", "--write-baseline", "--quiet"]) == 0
    repository.commit({"team-a/web.yaml": deployment(3)})
    capsys.readouterr()
    _, report = difference(capsys, "HEAD", "HEAD")
    unchanged = report["findings"]["unchanged"]
    assert ("QL006", ".quotalint-baseline.yaml") in {(finding["rule"], finding["file"]) for finding in unchanged}


def test_a_snapshot_counts_on_both_sides(repository: Repository, capsys: Any) -> None:
    repository.commit({"team-a/quota.yaml": quota("pods: 4")})
    repository.write({"team-a/web.yaml": deployment(3)})
    (repository.folder.parent / "live.yaml").write_text(deployment(2, "live"))
    status, report = difference(capsys, "HEAD", "--with", "../live.yaml")
    assert (status, in_short(report)) == (
        1,
        [
            "changed team-a/base",
            "  pods: hard 4, steady 2 → 5",
            "  added Deployment web: None → 3",
            "new QL301 team-a/web.yaml:5",
        ],
    )


def test_a_snapshot_of_an_environment_that_is_none(repository: Repository, capsys: Any) -> None:
    repository.commit({"q.yaml": quota("pods: 2")})
    (repository.folder.parent / "live.yaml").write_text("apiVersion: v1\nkind: List\nitems: []\n")
    message = (
        "quotalint: --with dve=../live.yaml: there is no environment dve; there is only one here, without a name\n"
    )
    assert (run(["diff", "HEAD", "--with", "dve=../live.yaml"]), capsys.readouterr().err) == (2, message)


def test_what_is_staged_counts_and_not_what_lies_beside_it(repository: Repository, capsys: Any) -> None:
    repository.commit(START)
    repository.write({"team-a/web.yaml": deployment(5)})
    repository.git("add", "-A")
    repository.write({"team-a/web.yaml": deployment(1)})
    status = run(["check", "--staged", "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert (status, [finding["rule"] for finding in findings if finding["severity"] == "error"]) == (1, ["QL301"])


def test_lines_lead_to_the_host_that_the_repository_was_cloned_from(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    for name in ("GITHUB_ACTIONS", "GITLAB_CI"):
        monkeypatch.delenv(name, raising=False)
    repository.commit(START)
    commit = repository.commit({"team-a/web.yaml": deployment(9)})
    repository.git("remote", "add", "origin", "git@github.com:shop/manifests.git")
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    assert f"(https://github.com/shop/manifests/blob/{commit}/team-a/web.yaml#L5)" in capsys.readouterr().out
