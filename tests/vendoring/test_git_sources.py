"""Other git repositories, from git's own server."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from chart_servers import Server, git_server
from git_repositories import Repository

from quotalint.lockfile.lock import RemoteSource
from quotalint.vendoring import Fetched, FetchError, Limits
from quotalint.vendoring.git_sources import fetch_repository

QUICK = Limits(longest=20, unpacked=100_000, files=20)


@pytest.fixture
def base(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "served/base", {"a.yaml": "a: 1\n", "deploy/b.yaml": "b: 1\n"})
    made.git("tag", "v1.0.0")
    made.commit({"a.yaml": "a: 2\n"})
    made.git("tag", "-a", "v1.1.0", "-m", "a release")
    made.git("checkout", "-q", "-b", "next")
    made.commit({"a.yaml": "a: 3\n"})
    made.git("checkout", "-q", "main")
    return made


@pytest.fixture
def served(base: Repository) -> Iterator[Server]:
    with git_server(base.folder.parent) as running:
        yield running


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home that nobody else uses."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    return home


def fetch(of: Server, version: str = "", limits: Limits = QUICK, protocols: str = "http") -> Fetched:
    return fetch_repository(RemoteSource(f"{of.url}/base", "", version), limits, "/nowhere", protocols)


def why_not(of: Server, version: str = "", limits: Limits = QUICK, protocols: str = "http") -> str:
    with pytest.raises(FetchError) as caught:
        fetch(of, version, limits, protocols)
    return str(caught.value)


def test_a_revision_by_each_of_its_names(served: Server, base: Repository) -> None:
    commits = {name: base.git("rev-parse", f"{name}^{{commit}}") for name in ("main", "v1.0.0", "next")}
    names = {
        "": "main",
        "main": "main",
        "v1.0.0": "v1.0.0",
        "refs/heads/next": "next",
        "1.0.x": "v1.0.0",
        ">=1": "main",
    }
    fetched = {version: fetch(served, version).resolved for version in (*names, commits["next"])}
    assert fetched == {version: commits[name] for version, name in names.items()} | {commits["next"]: commits["next"]}
    assert fetch(served, "v1.0.0").files == {"a.yaml": b"a: 1\n", "deploy/b.yaml": b"b: 1\n"}


def test_a_revision_that_there_is_not(served: Server) -> None:
    assert why_not(served, "v9") == "it has no branch or tag v9"
    assert why_not(served, "--upload-pack=touch /tmp/x").startswith("it has no branch or tag")
    assert why_not(served, "0" * 40).startswith("git: ")


def test_links_are_replaced_by_what_they_lead_to(served: Server, base: Repository) -> None:
    for name, target in (
        ("link.yaml", "a.yaml"),
        ("to", "deploy"),
        ("out", "../../etc"),
        ("root", "/etc"),
        ("self", "."),
    ):
        (base.folder / name).symlink_to(target)
    base.git("add", "-A")
    base.git("commit", "-q", "-m", "links")
    assert sorted(fetch(served).files) == ["a.yaml", "deploy/b.yaml", "link.yaml", "to/b.yaml"]


def test_what_no_manifest_needs_is_left_out(served: Server, base: Repository) -> None:
    (base.folder / "film.bin").write_bytes(bytes(2_000_000))
    base.commit({".quotalint/sources/x/a.yaml": "a: 1\n"})
    assert sorted(fetch(served).files) == ["a.yaml", "deploy/b.yaml"]


def test_a_repository_that_is_too_large(served: Server, base: Repository) -> None:
    base.commit({f"{number}.yaml": "a: 1\n" for number in range(30)})
    assert why_not(served) == "it has more than 20 files or 0 MiB"
    assert why_not(served, limits=QUICK._replace(files=100, unpacked=20)) == "it has more than 100 files or 0 MiB"


@pytest.mark.parametrize(
    "url", ["ext::sh -c 'touch {}'", "file://{}", "{}", "git://127.0.0.1/{}", "http://127.0.0.1/{}"]
)
def test_only_https_and_ssh(tmp_path: Path, url: str) -> None:
    made = tmp_path / "made"
    with pytest.raises(FetchError):
        fetch_repository(RemoteSource(url.format(made), "", "main"), QUICK, "/nowhere")
    assert not made.exists()


def test_no_hook_and_no_configuration_of_the_repository(
    served: Server, base: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The repository that is checked may be git's own, as in a hook."""
    ours = Repository(tmp_path / "ours", {"a.yaml": "a: 1\n"})
    made = tmp_path / "made"
    ours.git("config", "core.sshCommand", f"touch {made}")
    ours.git("config", "url.http://127.0.0.1:9/.insteadOf", served.url)
    for name in ("reference-transaction", "post-checkout", "pre-auto-gc"):
        hook = ours.folder / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {made}\n")
        hook.chmod(0o755)
    monkeypatch.setenv("GIT_DIR", str(ours.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(ours.folder))
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext:file")
    monkeypatch.chdir(ours.folder)
    assert fetch(served).resolved == base.git("rev-parse", "HEAD")
    assert not made.exists()


LOGIN = f"Basic {base64.b64encode(b'me:secret').decode()}"


def test_credentials_go_only_where_the_configuration_names(base: Repository, own_settings: Path) -> None:
    helper = '"!f() { echo username=me; echo password=secret; }; f"'
    with git_server(base.folder.parent, LOGIN) as running:
        (own_settings / ".gitconfig").write_text(f"[credential]\n  helper = {helper}\n")
        assert "terminal prompts disabled" in why_not(running)
        (own_settings / ".gitconfig").write_text(f'[credential "{running.url}"]\n  helper = {helper}\n')
        assert fetch(running).resolved == base.git("rev-parse", "HEAD")
        (own_settings / ".gitconfig").write_text(f"[http]\n  extraHeader = Authorization: {LOGIN}\n")
        assert "terminal prompts disabled" in why_not(running)
        (own_settings / ".gitconfig").write_text(f'[http "{running.url}"]\n  extraHeader = Authorization: {LOGIN}\n')
        assert fetch(running).resolved == base.git("rev-parse", "HEAD")
        (own_settings / ".git-credentials").write_text(running.url.replace("//", "//me:secret@") + "\n")
        (own_settings / ".gitconfig").write_text("[credential]\n  helper = store\n")
        assert fetch(running).resolved == base.git("rev-parse", "HEAD")


def test_nobody_is_asked_for_a_password(base: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tmp_path / "made"
    asking = tmp_path / "ask"
    asking.write_text(f"#!/bin/sh\ntouch {made}\necho secret\n")
    asking.chmod(0o755)
    for name in ("GIT_ASKPASS", "SSH_ASKPASS"):
        monkeypatch.setenv(name, str(asking))
    with git_server(base.folder.parent, LOGIN) as running:
        assert "secret" not in why_not(running)
    assert not made.exists()
