"""Which URLs are those of the repository in view."""

from __future__ import annotations

from pathlib import Path

import pytest

from quotalint.gitops.origins import is_url_of

REMOTE = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/team/fleet.git\n'


def here(folder: Path, config: str | bytes | None, url: str) -> bool:
    if config is not None:
        (folder / ".git").mkdir()
        (folder / ".git/config").write_bytes(config if isinstance(config, bytes) else config.encode())
    return is_url_of(str(folder))(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/team/fleet.git",
        "https://example.com/team/fleet",
        "https://example.com/team/fleet.git/",
        " https://example.com/team/fleet ",
        "https://someone:secret@example.com/team/fleet.git",
        "git@example.com:team/fleet.git",
        "git@example.com:fleet.git",
        "ssh://git@example.com:2222/team/fleet.git",
        "https://example.com/TEAM/Fleet.git",
        "https://mirror.example.org/fork/fleet",
        "",
    ],
)
def test_one_repository_has_many_addresses(url: str, tmp_path: Path) -> None:
    assert here(tmp_path, REMOTE, url)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/team/other.git",
        "https://example.com/fleet/other",
        "https://example.com/team/my-fleet",
        "https://example.com/team/fleet-infra.git",
        "oci://example.com/charts",
    ],
)
def test_another_repository_is_another(url: str, tmp_path: Path) -> None:
    assert not here(tmp_path, REMOTE, url)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param(None, (True, True), id="no git, so it may be any"),
        pytest.param("[core]\n\tbare = false\n", (True, True), id="no remote, so it may be any"),
        pytest.param("", (True, True), id="an empty configuration"),
        pytest.param('[remote "origin"]\n\turl = /srv/a.git\n', (True, True), id="a clone of a folder tells nothing"),
        pytest.param('[remote "origin"]\n\turl = ../a\n', (True, True), id="a clone of a folder beside it"),
        pytest.param('[remote "origin"]\n\turl = file:///srv/a\n', (True, True), id="a clone of a file URL"),
        pytest.param('[remote "origin"]\n\turl = git@example.com:x/a\n', (True, False), id="one remote"),
        pytest.param('[remote "origin"]\nurl=git@example.com:x/a\n', (True, False), id="without a space"),
        pytest.param('[remote "a"]\n\turl = e:a\n[remote "b"]\n\turl = e:b\n', (True, True), id="two remotes"),
        pytest.param('[remote "a"]\n\turl = e:a\n\tpushurl = e:b\n', (True, False), id="where one only pushes to"),
        pytest.param('[remote "a"]\n\turl = e:a\n\t# url = e:b\n', (True, False), id="a comment"),
        pytest.param('[submodule "b"]\n\turl = e:b\n[remote "a"]\n\turl = e:a\n', (True, False), id="a submodule"),
        pytest.param('[remote "a"]\n\turl = e:a\n[submodule "b"]\n\turl = e:b\n', (True, False), id="one below"),
        pytest.param('[submodule "b"]\n\turl = e:b\n', (True, True), id="a submodule, and no remote"),
        pytest.param('[Remote "a"]\n\tURL = e:a\n', (True, False), id="capitals"),
        pytest.param('[remote "a"]\n\turl = ssh://[::1]/a\n\turl = e:b\n', (True, True), id="an address in brackets"),
        pytest.param('[remote "a"]\r\n\turl = e:a.git\r\n', (True, False), id="line ends of Windows"),
        pytest.param(b'\xff\xfe[remote "a"]\n\turl = e:a\n', (True, False), id="bytes that are no text"),
    ],
)
def test_what_git_says_of_a_and_b(config: str | bytes | None, expected: tuple[bool, bool], tmp_path: Path) -> None:
    address = here(tmp_path, config, "https://example.com/x/a.git")
    assert (address, here(tmp_path, None, "https://example.com/x/b.git")) == expected


@pytest.mark.parametrize("pointer", ["{0}/first/.git/worktrees/x", "../first/.git/worktrees/x"])
def test_a_further_work_tree_has_the_remotes_of_the_first(pointer: str, tmp_path: Path) -> None:
    of_it = tmp_path / "first/.git/worktrees/x"
    of_it.mkdir(parents=True)
    (of_it / "commondir").write_text("../..\n")
    (tmp_path / "first/.git/config").write_text(REMOTE)
    (tmp_path / "further").mkdir()
    (tmp_path / "further/.git").write_text(f"gitdir: {pointer.format(tmp_path)}\n")
    asked = (here(tmp_path / "further", None, f"https://example.com/team/{name}") for name in ("fleet", "other"))
    assert tuple(asked) == (True, False)


def test_a_submodule_has_remotes_of_its_own(tmp_path: Path) -> None:
    (tmp_path / ".git/modules/sub").mkdir(parents=True)
    (tmp_path / ".git/config").write_text('[remote "origin"]\n\turl = e:outer\n')
    (tmp_path / ".git/modules/sub/config").write_text(REMOTE)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/.git").write_text("gitdir: ../.git/modules/sub\n")
    asked = (here(tmp_path / "sub", None, f"https://example.com/team/{name}") for name in ("fleet", "outer"))
    assert tuple(asked) == (True, False)


@pytest.mark.parametrize("pointer", ["gitdir: /nowhere/.git/worktrees/x", "gitdir:", "\0", "gitdir: \0"])
def test_a_pointer_to_nowhere_does_not_tell(pointer: str, tmp_path: Path) -> None:
    (tmp_path / ".git").write_text(f"{pointer}\n")
    assert here(tmp_path, None, "https://example.com/x/a.git")
