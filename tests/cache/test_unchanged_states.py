"""Where nothing of a change can be seen by quotalint, that is said without judging either state, and what is said is
what would be found out anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked, judged_states
from test_compared_slices import compare
from test_new_files import APPLICATION

from quotalint.cache import folder
from quotalint.cli import comparing

Files = Mapping[str, str | None]

BASE: Files = {
    "README.md": "What this is.\n",
    "run.sh": "echo\n",
    "a/kustomization.yaml": "resources: [web.yaml, quota.yaml]\nconfigMapGenerator:\n- {name: m, files: [notes.txt]}\n",
    "a/notes.txt": "x\n",
    "a/web.yaml": deployment(9),
    "a/quota.yaml": quota("pods: 3, requests.cpu: 50"),
    "b/quota.yaml": quota("pods: 3", namespace="team-b"),
    "b/web.yaml": deployment(2, "web", "team-b"),
}
UNSEEN: Mapping[str, Files] = {
    "a text that nothing reads": {"README.md": "What this was.\n"},
    "several such": {"README.md": "", "run.sh": "exit 1\n"},
}
SEEN: Mapping[str, Files] = {
    "a manifest": {"b/web.yaml": deployment(3, "web", "team-b")},
    "a comment in a manifest": {"b/web.yaml": "# \n" + deployment(2, "web", "team-b")},
    "a comment above a finding": {"a/quota.yaml": "# \n" + quota("pods: 3, requests.cpu: 50")},
    "what a generator reads": {"a/notes.txt": "y\n"},
    "a text beside a manifest": {"README.md": "", "b/web.yaml": deployment(1, "web", "team-b")},
    "what comes": {"b/other.txt": ""},
    "what goes": {"README.md": None},
    "a configuration": {".quotalint.yaml": "failOn: never\n"},
    "patterns of git": {".gitattributes": "*.md filter=lfs\n"},
}


@pytest.fixture
def repository(remembered_repository: Repository) -> Repository:
    remembered_repository.commit(BASE)
    return remembered_repository


@pytest.mark.parametrize("form", ["text", "markdown", "github", "gitlab", "rdjson"])
def test_of_equal_states_none_is_judged(repository: Repository, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    repository.git("commit", "-q", "--allow-empty", "-m", "nothing")
    judged = judged_states(monkeypatch)
    for revisions in (("HEAD~1", "HEAD"), ("HEAD", "HEAD"), ("HEAD",), ("--staged",)):
        status, out, err = anew("diff", *revisions, "--format", form)
        assert (status, err) == (0, "")
        assert "unchanged" not in out
    assert judged == []


def test_says_that_both_hold_the_same(repository: Repository) -> None:
    assert anew("diff", "HEAD", "HEAD").out.startswith(
        "Nothing changes: both hold the same files.\n\nNo new findings, "
    )
    assert "Nothing changes: both hold the same files." in anew("diff", "HEAD", "--format", "markdown").out


def test_names_what_equal_states_have_wrong(repository: Repository) -> None:
    report = json.loads(anew("diff", "HEAD", "HEAD", "--format", "json").out)
    assert [finding["rule"] for finding in report["findings"]["unchanged"]] == ["QL301"]


@pytest.mark.parametrize("change", UNSEEN)
@pytest.mark.parametrize("form", ["text", "markdown", "json", "sarif", "github"])
def test_what_nobody_read_before_is_not_looked_at(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str, form: str
) -> None:
    repository.commit({"b/web.yaml": deployment(1, "web", "team-b")})
    asked("diff", "HEAD", "HEAD~1")
    repository.commit(UNSEEN[change])
    for revisions in (("HEAD~1", "HEAD"), ("HEAD", "HEAD~1"), ("HEAD~1",)):
        expected = anew("diff", *revisions, "--format", form)
        with monkeypatch.context() as inner:
            judged = judged_states(inner)
            assert asked("diff", *revisions, "--format", form) == expected
            assert judged == []


@pytest.mark.parametrize("change", SEEN)
def test_everything_else_is_judged(repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    asked("diff", "HEAD", "HEAD~0", "--format", "json")
    repository.commit(SEEN[change])
    for form in ("text", "json"):
        expected = anew("diff", "HEAD~1", "HEAD", "--format", form)
        with monkeypatch.context() as inner:
            judged = judged_states(inner)
            assert asked("diff", "HEAD~1", "HEAD", "--format", form) == expected
            assert judged != []


@pytest.mark.parametrize(
    "options",
    [
        ("--select", "QL2"),
        ("--kube-version", "1.30"),
        ("--trust-head-config",),
        ("--", "b"),
        ("--format", "junit"),
        ("--format", "html"),
        ("--format", "csv"),
    ],
)
def test_another_question_has_another_answer(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    asked("diff", "HEAD")
    repository.commit({"README.md": ""})
    asked("diff", "HEAD~1", "HEAD")
    judged = judged_states(monkeypatch)
    at = options.index("--") if "--" in options else len(options)
    asked("diff", "HEAD~1", "HEAD", *options[:at], *options[at:])
    assert judged != []


@pytest.mark.parametrize("options", [("--config", "../configured/quotalint.yaml"), ()], ids=["named", "above"])
def test_a_configuration_that_lies_in_no_state_may_be_another(
    repository: Repository, tmp_path: Path, options: tuple[str, ...]
) -> None:
    file = tmp_path / "configured" / "quotalint.yaml" if options else tmp_path / ".quotalint.yaml"
    file.parent.mkdir(exist_ok=True)
    repository.commit({"README.md": ""})
    for text in ("severity: {QL301: warning}\n", "severity: {QL301: info}\n", "exclude: [a/]\n", ""):
        file.write_text(text, encoding="utf-8")
        for _ in range(2):
            for form in ("text", "json"):
                command = ("diff", "HEAD~1", "HEAD", "--format", form, *options)
                assert asked(*command) == anew(*command)


def test_a_configuration_of_the_state_is_known_with_it(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit({"configured/quotalint.yaml": "severity: {QL301: warning}\n"})
    repository.commit({"README.md": ""})
    command = ("diff", "HEAD~1", "HEAD", "--format", "json", "--config", "configured/quotalint.yaml")
    asked(*command)
    expected = anew(*command)
    judged = judged_states(monkeypatch)
    assert asked(*command) == expected
    assert judged == []


def test_nothing_is_kept_that_lies_in_the_repository(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUOTALINT_CACHE_DIR", str(repository.folder / "kept"))
    repository.commit({"README.md": ""})
    asked("diff", "HEAD~1", "HEAD")
    assert not (repository.folder / "kept").exists()


def test_what_is_kept_and_damaged_is_nothing(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"README.md": ""})
    expected = asked("diff", "HEAD~1", "HEAD")
    for kept in (tmp_path / "kept").glob("*.answer"):
        kept.write_bytes(kept.read_bytes()[:-1])
    assert asked("diff", "HEAD~1", "HEAD") == expected


def test_what_is_damaged_is_found_out_once(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "NOTED_FROM", 0)
    repository.commit({"b/web.yaml": deployment(3, "web", "team-b")})
    for kinds in ((folder.SLICES,), (folder.ANSWER,), (folder.SLICES, folder.ANSWER)):
        asked("diff", "HEAD~1", "HEAD")
        for _, _, path in list(folder.kept_entries(str(tmp_path / "kept"))):
            if path.endswith(kinds):
                Path(path).write_bytes(Path(path).read_bytes()[:-1])
        asked("diff", "HEAD~1", "HEAD")
        with monkeypatch.context() as inner:
            judged = judged_states(inner)
            assert asked("diff", "HEAD~1", "HEAD") == anew("diff", "HEAD~1", "HEAD")
            assert judged == ["a state"] * 2  # by the second of these


def test_who_applies_the_same_object_is_said_alike(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where two of them apply one folder."""
    contested = {
        **BASE,
        **{f"apps/{name}.yaml": APPLICATION % (name, path, "", "team-e") for name, path in (("e", "e"), ("f", "e"))},
        "apps/x.yaml": APPLICATION % ("x", "x", "", "team-e"),
        "e/quota.yaml": quota("pods: 9", namespace="team-e"),
        "e/web.yaml": deployment(2, "web", ""),
        "x/web.yaml": deployment(3, "web", ""),
    }
    assert compare(noting_repository, monkeypatch, contested, {"README.md": "What this was.\n"}) == []
