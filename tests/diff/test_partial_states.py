"""States of which something is missing, too large, encrypted or elsewhere: it is so on both sides, or said."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from deployer_objects import argo_application
from git_repositories import Repository, deployment, difference, failing_git, in_short, quota
from opened_states import close_states, states

from quotalint.cli import run
from quotalint.diff.git import ABSENT
from quotalint.diff.trees import CRYPT, LFS, SUBMODULE, LeftOut
from quotalint.text.disk import status_of, with_stand_ins
from quotalint.text.files import content

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 12\n"


@pytest.fixture
def repository(repository: Repository) -> Iterator[Repository]:
    repository.commit({"quota.yaml": quota("pods: 5")})
    yield repository
    close_states()


def test_a_partial_clone_fetches_nothing(repository: Repository, capsys: Any) -> None:
    folder, ran = repository.folder, repository.folder.parent / "ran"
    repository.commit({"quota.yaml": quota("pods: 6")})
    blob = repository.git("rev-parse", "HEAD~1:quota.yaml")
    (folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    config = folder / ".git" / "config"
    config.write_text(
        f'{config.read_text()}[remote "origin"]\n\turl = "ext::sh -c touch% {ran}"\n\tpromisor = true\n'
        '[protocol "ext"]\n\tallow = always\n[extensions]\n\tpartialClone = origin\n'
    )
    status = run(["diff", "HEAD~1"])
    assert (status, ran.exists(), capsys.readouterr().err) == (
        2,
        False,
        "quotalint: 1 file of the revisions is not in this clone; "
        "`git fetch --refetch --no-filter` brings what a partial clone left out: quota.yaml\n",
    )


def test_a_clone_without_trees(repository: Repository, capsys: Any) -> None:
    repository.commit({"quota.yaml": quota("pods: 6")})
    tree = repository.git("rev-parse", "HEAD~1^{tree}")
    (repository.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    assert (run(["diff", "HEAD~1"]), capsys.readouterr().err) == (2, f"quotalint: the tree of 'HEAD~1' is {ABSENT}\n")


def test_submodules_and_large_files_are_left_out_on_both_sides(repository: Repository, capsys: Any) -> None:
    other = Repository(repository.folder.parent / "other", {"web.yaml": deployment(3)})
    repository.git("submodule", "add", "-q", str(other.folder), "lib")
    repository.commit({"large.yaml": POINTER, "kustomization.yaml": "resources: [quota.yaml]\n"})
    Repository(repository.folder / "nested", {"web.yaml": deployment(4)})
    repository.write({"large.yaml": deployment(9)})
    base, head = states(repository)
    assert (base.left_out, head.left_out) == (
        (LeftOut("large.yaml", LFS), LeftOut("lib", SUBMODULE)),
        (LeftOut("large.yaml", LFS), LeftOut("lib", SUBMODULE), LeftOut("nested", SUBMODULE)),
    )
    _, report = difference(capsys, "HEAD")
    assert (in_short(report), [item["path"] for item in report["leftOut"]]) == ([], ["large.yaml", "lib", "nested"])


def test_a_file_whose_place_a_submodule_takes_is_gone(repository: Repository, capsys: Any) -> None:
    commit = repository.commit({"web.yaml": deployment(1)})
    repository.git("rm", "-q", "--cached", "web.yaml")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},web.yaml")
    repository.git("commit", "-q", "-m", "a submodule")
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert in_short(report) == [
        "changed team-a/base",
        "  pods: hard 5, steady 1 → 0",
        "  removed Deployment web: 1 → None",
    ]
    assert report["leftOut"] == [{"path": "web.yaml", "reason": SUBMODULE}]


def test_what_one_state_has_in_git_lfs_is_left_out_of_both(repository: Repository, capsys: Any) -> None:
    repository.commit({"large.yaml": quota("pods: 1", "large")})
    repository.commit({"large.yaml": POINTER})
    for revisions in (("HEAD~1", "HEAD"), ("HEAD", "HEAD~1")):
        _, report = difference(capsys, *revisions)
        assert (in_short(report), [item["path"] for item in report["leftOut"]]) == ([], ["large.yaml"])


def test_a_pointer_that_only_the_work_tree_has_is_left_out(repository: Repository, capsys: Any) -> None:
    repository.commit({".gitattributes": "* filter=lfs\n", "large.yaml": quota("pods: 1", "large")})
    repository.write({"large.yaml": POINTER, "new.yaml": POINTER})
    _, report = difference(capsys, "HEAD")
    assert (in_short(report), [item["path"] for item in report["leftOut"]]) == ([], ["large.yaml", "new.yaml"])


def test_only_manifests_and_charts_in_git_lfs_are_named(repository: Repository, capsys: Any) -> None:
    lacking = ("bin/tool.exe", "charts/web.tgz", "large.yaml")
    repository.commit({".gitattributes": "* filter=lfs\n", **dict.fromkeys(lacking, POINTER)})
    repository.write({"quota.yaml": quota("pods: 6")})
    _, report = difference(capsys, "HEAD")
    assert [item["path"] for item in report["leftOut"]] == [*lacking]
    run(["diff", "HEAD"])
    printed = capsys.readouterr().out
    assert "2 files are left out (charts/web.tgz, large.yaml): in Git LFS" in printed


def test_what_is_encrypted_is_compared_with_nothing_in_the_work_tree(repository: Repository, capsys: Any) -> None:
    repository.commit({"secret.yaml": "\0GITCRYPT\0 and so on"})
    repository.write({"secret.yaml": quota("pods: 1", "secret")})
    _, report = difference(capsys, "HEAD")
    assert (in_short(report), report["leftOut"]) == ([], [{"path": "secret.yaml", "reason": CRYPT}])


def test_what_lies_encrypted_in_the_work_tree_is_no_manifest_any_more(repository: Repository) -> None:
    repository.commit({"secret.yaml": quota("pods: 1", "secret")})
    repository.write({"secret.yaml": "\0GITCRYPT\0 and so on", "new.yaml": "\0GITCRYPT\0 and no more"})
    base, head = states(repository)
    assert (base.left_out, head.left_out, sorted(head.ids)) == ((), (), ["new.yaml", "quota.yaml", "secret.yaml"])


@pytest.mark.parametrize(
    ("attribute", "text", "reason"),
    [("lfs", POINTER, LFS), ("git-crypt", "\0GITCRYPT\0 and so on", CRYPT)],
)
def test_what_the_attributes_name_is_left_out_though_it_did_not_change(
    attribute: str, text: str, reason: str, repository: Repository, capsys: Any
) -> None:
    repository.commit({".gitattributes": f"*.yml filter={attribute}\n", "elsewhere.yml": text})
    repository.write({"quota.yaml": quota("pods: 6")})
    _, report = difference(capsys, "HEAD")
    assert report["leftOut"] == [{"path": "elsewhere.yml", "reason": reason}]
    assert in_short(report) == ["changed team-a/base", "  pods: hard 5 → 6, steady 0"]


def test_what_is_encrypted_in_two_revisions_is_compared(repository: Repository) -> None:
    repository.commit({"secret.yaml": "\0GITCRYPT\0 and so on"})
    repository.commit({"secret.yaml": "\0GITCRYPT\0 and no more"})
    base, head = states(repository, "HEAD~1", "HEAD")
    assert (base.left_out, head.left_out) == ((), ())


def test_what_is_encrypted_is_so_in_the_index_as_well(repository: Repository) -> None:
    repository.commit({"secret.yaml": "\0GITCRYPT\0 and so on"})
    repository.write({"secret.yaml": quota("pods: 1", "secret")})
    base, head = states(repository, staged=True)
    assert (base.left_out, head.left_out, base.ids == head.ids) == ((), (), True)


def test_what_cannot_be_read_is_left_out_of_both(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def refused(path: str, most: int, follow: bool = True) -> bytes | None:
        if path.endswith("/a.yaml"):
            raise PermissionError(13, "Permission denied", path)
        return content(path, most, follow=follow)

    repository.commit({"a.yaml": quota("pods: 1", "a")})
    monkeypatch.setattr("quotalint.diff.work_tree.content", refused)
    _, report = difference(capsys, "HEAD")
    assert (in_short(report), report["leftOut"]) == (
        [],
        [{"path": "a.yaml", "reason": "cannot be read: Permission denied"}],
    )


def test_a_clone_without_contents(repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    repository.commit({"quota.yaml": quota("pods: 6"), "other.yaml": quota("pods: 1", "other")})
    repository.git("config", "uploadpack.allowFilter", "true")
    url = f"file://{repository.folder}"
    repository.git("clone", "-q", "--filter=blob:none", "--no-checkout", url, "../clone")
    monkeypatch.chdir(repository.folder.parent / "clone")
    status = run(["diff", "HEAD~1"])
    assert (status, capsys.readouterr().err) == (
        2,
        "quotalint: 1 file of the revisions is not in this clone; "
        "`git fetch --refetch --no-filter` brings what a partial clone left out: quota.yaml\n",
    )


def without_blob(repository: Repository, path: str) -> None:
    """A partial clone that has not what is in a file."""
    blob = repository.git("rev-parse", f"HEAD:{path}")
    (repository.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    repository.git("config", "remote.origin.promisor", "true")
    repository.git("config", "remote.origin.url", "ext::false")
    repository.git("config", "extensions.partialClone", "origin")


def test_what_nobody_reads_may_be_missing(repository: Repository, capsys: Any) -> None:
    repository.commit({"picture.svg": "<svg/>", "quota.yaml": quota("pods: 6")})
    repository.commit({"quota.yaml": quota("pods: 7")})
    without_blob(repository, "picture.svg")
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert in_short(report) == ["changed team-a/base", "  pods: hard 6 → 7, steady 0"]
    assert report["leftOut"] == []


def test_what_is_missing_on_both_sides_is_said_and_is_no_change(repository: Repository, capsys: Any) -> None:
    repository.commit({"web.yaml": deployment(2)})
    repository.commit({"quota.yaml": quota("pods: 7")})
    without_blob(repository, "web.yaml")
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert report["leftOut"] == [{"path": "web.yaml", "reason": ABSENT}]
    unchanged = [(finding["rule"], finding["file"], finding["message"]) for finding in report["findings"]["unchanged"]]
    assert ("QL001", "web.yaml") in [item[:2] for item in unchanged]
    assert any(ABSENT in item[2] for item in unchanged)


def test_no_sum_is_exact_where_a_file_is_not_here(repository: Repository, capsys: Any) -> None:
    repository.commit({"web.yaml": deployment(2), "api.yaml": deployment(2, "api")})
    repository.commit({"api.yaml": deployment(3, "api")})
    without_blob(repository, "web.yaml")
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert [of["certainty"]["after"] for of in report["quotas"][0]["resources"]] == ["at-least"]


def test_what_a_clone_lacks_without_saying_so_refuses_the_comparison(repository: Repository, capsys: Any) -> None:
    repository.commit({"quota.yaml": quota("pods: 6")})
    blob = repository.git("rev-parse", "HEAD~1:quota.yaml")
    (repository.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert run(["diff", "HEAD~1"]) == 2
    assert ABSENT in capsys.readouterr().err


def test_what_a_sparse_checkout_leaves_out_is_not_deleted(repository: Repository, capsys: Any) -> None:
    repository.commit({"a/web.yaml": deployment(2), "b/web.yaml": deployment(2, "other")})
    repository.git("sparse-checkout", "set", "a")
    assert not (repository.folder / "b").exists()
    _, report = difference(capsys, "HEAD")
    assert in_short(report) == []


def test_a_file_that_git_is_told_to_skip_is_as_the_index_has_it(repository: Repository, capsys: Any) -> None:
    repository.git("update-index", "--skip-worktree", "quota.yaml")
    repository.write({"quota.yaml": quota("pods: 1")})
    _, report = difference(capsys, "HEAD")
    assert (repository.git("status", "--short"), in_short(report)) == ("", [])


def test_a_file_outside_of_a_sparse_checkout_may_be_large(repository: Repository, capsys: Any) -> None:
    repository.commit({"a/web.yaml": deployment(2), "b/large.yaml": "# " + "x" * (17 << 20)})
    repository.git("sparse-checkout", "set", "a")
    _, head = states(repository)
    assert head.folder is not None
    with with_stand_ins(head.folder.tree):
        path = os.path.join(head.root, "b", "large.yaml")
        assert (status_of(path).st_size, content(path, 99)) == ((17 << 20) + 2, bytes(100))


def test_a_file_that_is_too_large_is_so_on_both_sides(repository: Repository, capsys: Any) -> None:
    repository.commit({"large.yaml": "# " + "x" * (17 << 20)})
    _, report = difference(capsys, "HEAD~1")
    _, same = difference(capsys, "HEAD")
    assert (in_short(report), in_short(same)) == (["new QL001 large.yaml:1"], ["unchanged QL001 large.yaml:1"])


def test_a_file_of_the_index_may_be_large(repository: Repository) -> None:
    repository.write({"large.yaml": "# " + "x" * (17 << 20)})
    repository.git("add", "-A")
    _, head = states(repository, staged=True)
    assert head.folder is not None
    with with_stand_ins(head.folder.tree):
        assert status_of(os.path.join(head.root, "large.yaml")).st_size == (17 << 20) + 2


@pytest.mark.parametrize("command", ["rev-list", "--git-path"])
def test_a_git_that_knows_less(
    command: str, repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    repository.commit({"quota.yaml": quota("pods: 6")})
    repository.git("config", "extensions.partialClone", "origin")
    failing_git(repository, monkeypatch, command, "usage: git")
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert in_short(report) == ["changed team-a/base", "  pods: hard 5 → 6, steady 0"]


@pytest.mark.parametrize(("excess", "expected"), [(0, ["elsewhere.yml"]), (1, [])])
def test_attributes_are_read_up_to_their_limit(
    excess: int, expected: list[str], repository: Repository, capsys: Any
) -> None:
    line = "*.yml filter=lfs\n"
    attributes = line + "#" * ((1 << 20) - len(line) + excess)
    repository.commit({".gitattributes": attributes, "elsewhere.yml": POINTER})
    repository.commit({"quota.yaml": quota("pods: 6")})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert [item["path"] for item in report["leftOut"]] == expected


@pytest.mark.parametrize(("excess", "expected"), [(0, ["large.yaml"]), (1, [])])
def test_files_are_looked_into_up_to_their_limit(
    excess: int, expected: list[str], repository: Repository, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quotalint.diff.contents.MAX_BYTES", len(POINTER))
    repository.commit({"large.yaml": POINTER + "\n" * excess})
    repository.commit({"large.yaml": quota("pods: 1", "large")})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert [item["path"] for item in report["leftOut"]] == expected


def test_what_a_refused_chart_has_put_into_other_namespaces_is_not_known_to_be_gone(
    repository: Repository, capsys: Any
) -> None:
    repository.commit(
        {
            "argocd/hub.yaml": argo_application("hub", "namespace: argocd"),
            "hub/Chart.yaml": "apiVersion: v2\nname: hub\nversion: 1.0.0\n",
            "hub/templates/quota.yaml": quota("pods: {{ .Values.pods | quote }}", "compute", "team-b"),
            "hub/templates/web.yaml": deployment(3, namespace="team-b"),
            "hub/values.yaml": "pods: 2\n",
        }
    )
    repository.write({"hub/templates/quota.yaml": quota("pods: {{ .Values.team.pods }}", "compute", "team-b")})
    run(["diff", "HEAD"])
    report = " ".join(capsys.readouterr().out.split())
    assert report.startswith("Helm refuses release ")
    assert "is no longer in view" in report
    assert "what it has installed before stays as it is" in report
    assert "0 fixed, 1 unknown" in report
