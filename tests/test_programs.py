"""Programs are run so that they learn nothing of the user and come to an end, whatever they are let loose on."""

from __future__ import annotations

import json
import os
import select
import sys
from pathlib import Path

import pytest

from quotalint.programs import MAX_ENTRIES, MAX_OUTPUT, Ended, Stopped, inside, program, refused_tree, run


def script(path: Path, text: str, interpreter: str = "/bin/sh") -> str:
    """A program; where it stands."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{interpreter}\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("printf out; printf err >&2; exit 3", Ended(3, b"out", b"err"), id="ends"),
        pytest.param("cat", Ended(0, b"", b""), id="reads input"),
        pytest.param("kill -9 $$", Ended(-9, b"", b""), id="is killed"),
        pytest.param("exec sleep 60", Stopped("took longer than 0.2 s"), id="sleeps"),
        pytest.param("exec >&- 2>&-; sleep 60", Stopped("took longer than 0.2 s"), id="sleeps silently"),
        pytest.param("sleep 60 & exit 0", Stopped("took longer than 0.2 s"), id="leaves a child behind"),
        pytest.param("while :; do echo x; done", Stopped("took longer than 0.2 s"), id="talks on"),
    ],
)
def test_a_program_ends_or_is_stopped(text: str, expected: Ended | Stopped, tmp_path: Path) -> None:
    timeout = 0.2 if isinstance(expected, Stopped) else 30
    assert run([script(tmp_path / "bin" / "tool", text)], str(tmp_path), {}, timeout) == expected


@pytest.mark.parametrize("stream", [1, 2])
def test_a_program_that_prints_forever_is_stopped(stream: int, tmp_path: Path) -> None:
    forever = script(tmp_path / "bin" / "tool", f"exec yes >&{stream}")
    assert run([forever], str(tmp_path), {}, 30) == Stopped(f"printed more than {MAX_OUTPUT // 1024 // 1024} MiB")


def test_what_a_program_started_is_killed_with_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "alive")
    listener = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    # The child of the child holds the pipe open as long as it lives.
    parent = script(tmp_path / "bin" / "tool", "( exec 3>alive; echo started >&3; sleep 60 ) & sleep 60")
    stopped = run([parent], str(tmp_path), {}, 0.5)
    output = b""
    while select.select([listener], [], [], 30)[0] and (chunk := os.read(listener, 100)):
        output += chunk
    still_open = not select.select([listener], [], [], 0)[0]
    os.close(listener)
    assert (stopped, output, still_open) == (Stopped("took longer than 0.5 s"), b"started\n", False)


def test_a_program_learns_nothing_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("https_proxy", "http://proxy.example.com")
    monkeypatch.setenv("KUBECONFIG", "/home/me/.kube/config")
    tell = "import json, os; print(json.dumps([os.getcwd(), dict(os.environ)]))"
    ended = run([script(tmp_path / "tool", tell, sys.executable)], str(tmp_path), {"HELM_NO_PLUGINS": "1"}, 30)
    assert isinstance(ended, Ended)
    nowhere = "http://127.0.0.1:9"
    environment = {
        "HTTP_PROXY": nowhere,
        "HTTPS_PROXY": nowhere,
        "ALL_PROXY": nowhere,
        "NO_PROXY": "",
        "http_proxy": nowhere,
        "https_proxy": nowhere,
        "all_proxy": nowhere,
        "no_proxy": "",
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path),
        "KUBECONFIG": os.devnull,
        "LANG": "C.UTF-8",
        "PATH": os.defpath,
        "HELM_NO_PLUGINS": "1",
    }
    assert json.loads(ended.output) == [str(tmp_path), environment]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux bounds a program's memory from outside")
def test_a_program_gets_no_more_memory_than_its_share(tmp_path: Path) -> None:
    greedy = script(tmp_path / "tool", "import time; time.sleep(0.1); bytearray(3 << 30)", sys.executable)
    ended = run([greedy], str(tmp_path), {}, 30)
    assert isinstance(ended, Ended)
    assert (ended.status, ended.errors.split()[-1]) == (1, b"MemoryError")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        pytest.param("/nowhere/tool", "could not be started: No such file or directory", id="absent"),
        pytest.param("/", "could not be started: Permission denied", id="a folder"),
        pytest.param("/bin/sh\0", "could not be started: embedded null byte", id="no path"),
    ],
)
def test_why_a_program_does_not_start_is_a_value(command: str, reason: str, tmp_path: Path) -> None:
    assert run([command], str(tmp_path), {}, 30) == Stopped(reason)


def test_a_program_is_looked_up_in_absolute_folders_outside_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "repository"
    script(repository / "bin" / "tool", "exit 1")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "tool").symlink_to(repository / "bin" / "tool")
    installed = script(tmp_path / "installed" / "tool", "exit 0")
    (repository / "links").mkdir()
    (repository / "links" / "tool").symlink_to(installed)
    monkeypatch.chdir(repository)
    brought = ["", "bin", "./bin", str(repository / "bin"), str(repository / "links"), str(tmp_path / "linked")]
    monkeypatch.setenv("PATH", os.pathsep.join(brought))
    none = program("tool", str(repository))
    monkeypatch.setenv("PATH", os.pathsep.join([*brought, str(tmp_path / "installed")]))
    found_program = program("tool", str(repository))
    monkeypatch.setenv("PATH", os.pathsep.join(["", "bin", "./bin"]))
    assert (none, found_program, program("tool"), program("bin/tool")) == (None, installed, None, None)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("repository", True),
        ("repository/a", True),
        ("repository/absent/b", True),
        ("repository/a/../../repository-2", False),
        ("repository-2", False),
        ("repository/out", False),
        ("repository/out/x", False),
        ("in", True),
        ("repository/\0", False),
        ("repository/\ud800", False),
    ],
)
def test_a_path_is_inside_by_what_it_leads_to(path: str, expected: bool, tmp_path: Path) -> None:
    (tmp_path / "repository" / "a").mkdir(parents=True)
    (tmp_path / "repository-2").mkdir()
    (tmp_path / "repository" / "out").symlink_to(tmp_path / "repository-2")
    (tmp_path / "in").symlink_to(tmp_path / "repository" / "a")
    assert inside(f"{tmp_path}/{path}", f"{tmp_path}/repository") == expected


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        pytest.param({}, "", id="none"),
        pytest.param({"top/a": "../beside"}, "", id="within the repository"),
        pytest.param({"top/a": "../absent"}, "", id="to nothing"),
        pytest.param({"top/a": "b", "top/b": "a"}, "", id="to each other"),
        pytest.param({"top/a": "../beside", "top/b": "../beside"}, "", id="twice to the same"),
        pytest.param(
            {"top/a": "/etc/hostname"}, "what top/a links to lies outside the repository", id="absolute, outside"
        ),
        pytest.param(
            {"top/x/a": "../../.."}, "what top/x/a links to lies outside the repository", id="relative, outside"
        ),
        pytest.param(
            {"top/a": "../beside", "beside/b": "../../elsewhere"},
            "what beside/b links to lies outside the repository",
            id="outside by a detour",
        ),
        pytest.param({"top/x/a": ".."}, "top/x/a links to a folder that contains it", id="a loop"),
        pytest.param({"top/x/a": "../.."}, "top links to a folder that contains it", id="a loop by the parent"),
    ],
)
def test_a_folder_is_refused_for_where_its_links_lead(links: dict[str, str], expected: str, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    for folder in ("top/x", "beside"):
        (repository / folder).mkdir(parents=True)
        (repository / folder / "file").touch()
    for name, target in links.items():
        (repository / name).symlink_to(target)
    assert refused_tree(str(repository / "top"), str(repository)) == expected


def test_links_that_multiply_a_folder_are_refused(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / str(number)).mkdir()
        for name in "ab":
            (tmp_path / str(number) / name).symlink_to(f"../{number + 1}")
    assert refused_tree(str(tmp_path / "0"), str(tmp_path)) == f"it has more than {MAX_ENTRIES} files"


def test_what_cannot_be_listed_is_refused(tmp_path: Path) -> None:
    assert refused_tree(str(tmp_path / "absent"), str(tmp_path)) == "it cannot be read: No such file or directory"
