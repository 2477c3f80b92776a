"""Whoever proposes a change does not decide that nothing is said of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from git_repositories import Repository, deployment, difference, quota

from quotalint.cli import run

OVER = {"w.yaml": deployment(5)}
ANNOTATED = quota("pods: 4").replace("namespace: team-a", "namespace: team-a, annotations: {quotalint.dev/ignore: QL3}")
COMMENTED = quota("pods: 4").replace("{pods: 4}", "pods: 4 # quotalint: ignore[QL301]")
HEADED = "# quotalint: ignore[QL301] all is well\n" + quota("pods: 4")
ENTRY = "findings:\n- {rule: QL301, file: q.yaml, message: x, fingerprint: '%s'}\n"


def new_rules(repository: Repository, capsys: Any, before: Mapping[str, str], change: Mapping[str, str | None]) -> Any:
    """The rules of what is new, and whether the comparison fails."""
    folder = repository.folder
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    repository.commit(before)
    repository.commit(change)
    status, report = difference(capsys, "HEAD~1")
    return status, sorted(finding["rule"] for finding in report["findings"]["new"])


@pytest.mark.parametrize(
    "change",
    [
        {"q.yaml": ANNOTATED},
        {"q.yaml": COMMENTED},
        {"q.yaml": HEADED},
        {".quotalint.yaml": "failOn: never\n"},
        {".quotalint.yaml": "exclude: [w.yaml]\n"},
        {".quotalint.yaml": "severity: {QL3: off}\n"},
        {".quotalint.yaml": "select: [QL1]\n"},
        {".quotalint.yaml": "ignore: [QL301]\n"},
    ],
)
def test_what_a_change_brings_does_not_count_and_is_said(
    change: Mapping[str, str], repository: Repository, capsys: Any
) -> None:
    assert new_rules(repository, capsys, {"q.yaml": quota("pods: 4")}, {**OVER, **change}) == (1, ["QL008", "QL301"])


@pytest.mark.parametrize("text", [ANNOTATED, COMMENTED, HEADED])
def test_what_the_base_has_counts(text: str, repository: Repository, capsys: Any) -> None:
    assert new_rules(repository, capsys, {"q.yaml": text}, OVER) == (0, [])
    # Wherever lines move, and whatever the file is called from now on.
    moved = text.replace("apiVersion", "# a line more\napiVersion", 1).replace("pods: 4", "pods: 3")
    assert new_rules(repository, capsys, {"q.yaml": text}, {**OVER, "q.yaml": None, "other.yaml": moved}) == (0, [])


@pytest.mark.parametrize("text", [ANNOTATED, COMMENTED, HEADED])
def test_what_is_accepted_of_one_object_is_not_of_another(text: str, repository: Repository, capsys: Any) -> None:
    before = {"q.yaml": text, "r.yaml": quota("pods: 4", "other")}
    change = {**OVER, "r.yaml": text.replace("name: base", "name: other")}
    assert new_rules(repository, capsys, before, change) == (1, ["QL008", "QL301"])


def test_what_is_accepted_in_one_cluster_is_not_in_another(repository: Repository, capsys: Any) -> None:
    def cluster(text: str) -> dict[str, str]:
        return {"kustomization.yaml": "resources: [q.yaml, w.yaml]\n", "q.yaml": text, "w.yaml": deployment(5)}

    staging = {f"clusters/staging/{name}": text for name, text in cluster(COMMENTED).items()}
    calm = {**cluster(quota("pods: 4")), "w.yaml": deployment(1)}
    production = {f"clusters/production/{name}": text for name, text in calm.items()}
    change = {f"clusters/production/{name}": text for name, text in cluster(COMMENTED).items()}
    assert new_rules(repository, capsys, {**staging, **production}, change) == (1, ["QL008", "QL301"])


def test_a_directive_that_names_more_rules_is_another_one(repository: Repository, capsys: Any) -> None:
    wider = COMMENTED.replace("[QL301]", "")
    assert new_rules(repository, capsys, {"q.yaml": COMMENTED}, {**OVER, "q.yaml": wider}) == (1, ["QL008", "QL301"])
    narrower = wider.replace("ignore", "ignore[QL301]")
    assert (
        new_rules(repository, capsys, {"q.yaml": wider, "w.yaml": deployment(1)}, {**OVER, "q.yaml": narrower})[0] == 0
    )


def test_a_directive_does_not_move_to_another_line(repository: Repository, capsys: Any) -> None:
    two = quota("pods: 4").replace("{pods: 4}", "{}: 4")
    before = {"q.yaml": two.replace("{}: 4", "pods: 4\n    services: 1 # quotalint: ignore[QL301]")}
    change = {**OVER, "q.yaml": two.replace("{}: 4", "pods: 4 # quotalint: ignore[QL301]\n    services: 1")}
    assert new_rules(repository, capsys, before, change) == (1, ["QL008", "QL301"])


def test_an_entry_of_the_baseline(repository: Repository, capsys: Any) -> None:
    repository.commit({"q.yaml": quota("pods: 4")})
    repository.commit(OVER)
    run(["--write-baseline", "--quiet"])
    capsys.readouterr()
    repository.commit({})
    status, report = difference(capsys, "HEAD~2")
    assert (status, sorted(finding["rule"] for finding in report["findings"]["new"])) == (1, ["QL008", "QL301"])
    assert difference(capsys, "HEAD~1")[0] == 0


def test_an_option_of_whoever_runs_it_counts(repository: Repository, capsys: Any) -> None:
    repository.commit({"q.yaml": quota("pods: 4"), "ci.yaml": "failOn: error\n"})
    repository.commit({**OVER, "ci.yaml": "failOn: never\n"})
    assert difference(capsys, "HEAD~1", "--config", "ci.yaml")[0] == 1
    assert difference(capsys, "HEAD~1", "--ignore", "QL3")[0] == 0


def test_a_named_configuration_that_only_the_change_has(repository: Repository, capsys: Any) -> None:
    repository.commit({"q.yaml": quota("pods: 4")})
    repository.commit({**OVER, "ci.yaml": "failOn: never\n"})
    assert run(["diff", "HEAD~1", "--config", "ci.yaml"]) == 1
    assert "both states are checked without a configuration" in capsys.readouterr().err


FORMATS = {
    "2": ["update-index", "--index-version", "2"],
    "3": ["update-index", "--index-version", "3"],
    "4": ["update-index", "--index-version", "4"],
    "split": ["update-index", "--split-index"],
}


@pytest.mark.parametrize("kind", [*FORMATS, "sha256", "worktree"])
def test_what_git_tracks_is_read(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    files: dict[str, str | None] = {
        "q.yaml": quota("pods: 4"),
        "build/deep/w.yaml": deployment(5),
        "x" * 200 + ".yaml": "a: 1\n",
        **{f"f{number}/a.yaml": "a: 1\n" for number in range(50)},
        ".gitignore": "build/\nw.yaml\n*.tmp.yaml\n",
    }
    repository = Repository(tmp_path / "r")
    if kind == "sha256":
        repository.git("init", "-q", "--object-format=sha256", str(tmp_path / "s"))
        repository = Repository(tmp_path / "s")
    repository.commit(files)
    if kind in FORMATS:
        repository.git(*FORMATS[kind])
        repository.write({"new.yaml": "a: 1\n"})
        repository.git("add", "-N", "new.yaml")  # an entry with flags of version 3
    folder = repository.folder
    if kind == "worktree":
        repository.git("worktree", "add", "-q", str(tmp_path / "other"))
        folder = tmp_path / "other"
    # Not tracked, so that it stays ignored: this would be a second finding.
    (folder / "build/untracked.yaml").write_text(quota("pod: 4", "untracked"))
    (folder / "a.tmp.yaml").write_text(quota("pod: 4", "untracked"))
    monkeypatch.chdir(folder)
    assert run(["-q", "."]) == 1
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()] == ["QL301"]


def test_a_change_hides_nothing_by_gitignore(repository: Repository, capsys: Any) -> None:
    repository.commit({"q.yaml": quota("pods: 4")})
    repository.commit({**OVER, ".gitignore": "w.yaml\n"})
    for states in (["HEAD~1"], ["HEAD~1", "HEAD"]):
        assert [finding["rule"] for finding in difference(capsys, *states)[1]["findings"]["new"]] == ["QL301"]


@pytest.mark.parametrize(
    "data", [b"", b"DIRC", b"DIRC\0\0\0\2\0\0\0\7xw.yaml\0", b"DIRC\0\0\0\4\xff\xff\xff\xffw.yaml"]
)
def test_any_bytes_may_be_the_index(data: bytes, repository: Repository, capsys: Any) -> None:
    repository.commit({"q.yaml": quota("pods: 4"), **OVER, ".gitignore": "w.yaml\n"})
    (repository.folder / ".git/index").write_bytes(data)
    assert run(["."]) == 0
