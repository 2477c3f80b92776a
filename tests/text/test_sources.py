"""Which files of a repository are sources, and what is read of them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted_files import Plant, names, plant_in

from quotalint.text import files
from quotalint.text.guards import MAX_BYTES
from quotalint.text.reading import read_bytes
from quotalint.text.sources import Found, Passed, Source, Unreadable, find


@pytest.fixture
def plant(folder: Path) -> Plant:
    return plant_in(folder)


@pytest.mark.parametrize(
    ("planted", "paths", "exclude", "expected"),
    [
        pytest.param(
            {"b.yaml", "a.yml", "c.json", "D.YAML", "Kustomization", "x.txt", "kustomization", "s/.h/e.yaml"},
            ["."],
            [],
            ["D.YAML", "Kustomization", "a.yml", "b.yaml", "c.json", "s/.h/e.yaml"],
            id="names that count, hidden folders too",
        ),
        pytest.param(
            {".kube/cache/discovery/host/v1/serverresources.json", ".kube/pods.json", "cache/a.json"},
            ["."],
            [],
            [".kube/pods.json", "cache/a.json"],
            id="nothing that kubectl keeps of API servers",
        ),
        pytest.param({"a.yaml", ".git/b.yaml", "s/.git/c.yaml"}, ["."], [], ["a.yaml"], id=".git is never entered"),
        pytest.param(
            {"a/x.yaml", "b/y.yaml"}, ["b", "a", "a/x.yaml", "./b"], [], ["a/x.yaml", "b/y.yaml"], id="overlap"
        ),
        pytest.param({"a/x.tpl", "a/y.tpl"}, ["a/x.tpl"], [], ["a/x.tpl"], id="an explicit file has any name"),
        pytest.param(
            {"a.yaml", "testdata/b.yaml", "s/testdata/c.yaml", "s/d.yaml"},
            [".", "s/testdata/c.yaml", "testdata"],
            ["testdata/"],
            ["a.yaml", "s/d.yaml"],
            id="excluded at any depth, though explicit",
        ),
        pytest.param(
            {"a/b.yaml", "a/keep.yaml", "b.yaml"}, ["."], ["/a/*", "!keep.yaml"], ["a/keep.yaml", "b.yaml"], id="kept"
        ),
    ],
)
def test_the_sources_of_paths_are_found(
    plant: Plant, planted: set[str], paths: list[str], exclude: list[str], expected: list[str]
) -> None:
    plant(*planted)
    assert names(find(paths, ".", exclude)) == expected


@pytest.mark.parametrize(
    ("planted", "paths", "expected"),
    [
        pytest.param({".gitignore": "/a.yaml"}, ["."], ["b.yaml", "s/a.yaml", "s/b.yaml"], id="anchored"),
        pytest.param({".gitignore": "a.yaml"}, ["s"], ["s/b.yaml"], id="from above the path"),
        pytest.param({".gitignore": "s/a.yaml"}, ["s"], ["s/b.yaml"], id="a path from above the path"),
        pytest.param({"s/.gitignore": "*.yaml"}, ["."], ["a.yaml", "b.yaml"], id="nested"),
        pytest.param(
            {".gitignore": "*.yaml", "s/.gitignore": "!a.yaml"}, ["."], ["s/a.yaml"], id="the nearest file decides"
        ),
        pytest.param({".gitignore": "s/", "s/.gitignore": "!*"}, ["."], ["a.yaml", "b.yaml"], id="never looked into"),
        pytest.param({".git/info/exclude": "a.yaml"}, ["."], ["b.yaml", "s/b.yaml"], id="info/exclude"),
        pytest.param(
            {".git/info/exclude": "a.yaml", ".gitignore": "!/a.yaml"},
            ["."],
            ["a.yaml", "b.yaml", "s/b.yaml"],
            id="info/exclude is asked last",
        ),
        pytest.param({".gitignore": "s"}, ["s"], ["s/a.yaml", "s/b.yaml"], id="an explicit folder is entered"),
        pytest.param({".gitignore": "*"}, ["s/b.yaml"], ["s/b.yaml"], id="an explicit file is read"),
        pytest.param({".gitignore": "a.yaml\r\n\r\n"}, ["."], ["b.yaml", "s/b.yaml"], id="lines of Windows"),
        pytest.param({".gitignore": "\ufeffa.yaml\n"}, ["."], ["b.yaml", "s/b.yaml"], id="a byte order mark"),
        pytest.param(
            {".gitignore": "a.yaml", "s/.git/HEAD": ""},
            ["."],
            ["b.yaml", "s/a.yaml", "s/b.yaml"],
            id="a repository in it",
        ),
        pytest.param(
            {"s/.git": "gitdir: ../.git/modules/s\n", ".git/modules/s/info/exclude": "a.yaml"},
            ["."],
            ["a.yaml", "b.yaml", "s/b.yaml"],
            id="a submodule",
        ),
        pytest.param(
            {
                "s/.git": "gitdir: ../.git/worktrees/s\n",
                ".git/worktrees/s/commondir": "../..\n",
                ".git/info/exclude": "b.*",
            },
            ["s"],
            ["s/a.yaml"],
            id="a further work tree",
        ),
    ],
)
def test_what_git_ignores_is_left_out(
    plant: Plant, planted: dict[str, str], paths: list[str], expected: list[str]
) -> None:
    plant(".git/", "a.yaml", "b.yaml", "s/a.yaml", "s/b.yaml", **planted)
    assert names(find(paths, ".", [])) == expected


def test_gitignore_that_is_a_link_is_not_followed(plant: Plant) -> None:
    plant(".git/", "a.yaml", patterns="a.yaml")
    Path(".gitignore").symlink_to("patterns")
    assert names(find(["."], ".", [])) == ["a.yaml"]


def test_gitignore_counts_outside_a_repository_from_the_path_down(plant: Plant) -> None:
    plant("s/a.yaml", "s/t/b.yaml", "s/t/c.yaml", **{".gitignore": "a.yaml", "s/.gitignore": "b.yaml"})
    assert names(find(["s"], ".", [])) == ["s/a.yaml", "s/t/c.yaml"]


def test_helmfiles_that_are_templates_are_read(plant: Plant) -> None:
    plant("helmfile.yaml.gotmpl", "values.yaml.gotmpl", "helmfile.d/02-b.yaml.gotmpl", "helmfile.d/more/c.yml.gotmpl")
    assert names(find(["."], ".", [])) == ["helmfile.d/02-b.yaml.gotmpl", "helmfile.yaml.gotmpl"]
    os.chdir("helmfile.d")
    assert names(find(["."], ".", [])) == ["02-b.yaml.gotmpl"]


def test_exclude_is_relative_to_the_root(plant: Plant) -> None:
    plant("r/a/x.yaml", "r/b/a/x.yaml", "a/x.yaml", "a/y.yaml")
    assert names(find([".", "r/a"], "r", ["/a/", "y.*"])) == ["a/x.yaml", "r/b/a/x.yaml"]


def test_what_a_source_carries(plant: Plant, tmp_path: Path) -> None:
    plant("s/", "a.yaml", "b.yaml")
    os.chdir("s")
    assert find(["-", str(tmp_path), "../b.yaml", "-"], "..", []) == Found(
        (
            Source("../a.yaml", str(tmp_path / "a.yaml"), False),
            Source("../b.yaml", str(tmp_path / "b.yaml"), True),
            Source("<stdin>", "", True),
        ),
        (),
        (),
        (),
        folders=("..",),
        entries={str(tmp_path): {"s", "a.yaml", "b.yaml"}, str(tmp_path / "s"): set()},
    )


def test_a_path_that_is_not_there_is_named(plant: Plant) -> None:
    plant("a.yaml")
    assert find(["z", "a.yaml/b", "", "nul\0", "z", "\ud800"], ".", []).missing == (
        "z",
        "a.yaml/b",
        "",
        "nul\\x00",
        "?",
    )


def test_what_belongs_to_git_is_no_manifest_under_any_name(plant: Plant) -> None:
    plant(**{".git/config": "[core]\n", "a/b.yaml": ""})
    os.symlink("../.git/config", "a/c.yaml")
    sources = find(["."], ".", ())
    assert ([source.name for source in sources.sources], sources.passed) == (
        ["a/b.yaml"],
        (Passed("a/c.yaml", "is a symbolic link into the folder of git"),),
    )


def test_a_folder_that_cannot_be_listed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may list everything, so the refusal is played."""
    plant("a/x.yaml", "b/y.yaml")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("a"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    sources = find(["."], ".", [])
    assert (names(sources), sources.unreadable) == (
        ["b/y.yaml"],
        (Unreadable("a", "is a folder that cannot be listed: Permission denied"),),
    )


def test_names_are_printable(plant: Plant) -> None:
    plant("a\nb.yaml", "tab\t/\u202ec.yaml", "é.yaml", os.fsdecode(b"caf\xe9.yaml"))
    sources = find(["."], ".", [])
    assert names(sources) == ["a\\nb.yaml", "caf\ufffd.yaml", "tab\\t/\\u202ec.yaml", "é.yaml"]
    assert [read_bytes(source, bytes) for source in sources.sources] == [b""] * 4


def test_folders_nested_deeper_than_calls(plant: Plant, tmp_path: Path) -> None:
    plant()
    depth = 1500
    for _ in range(depth):
        os.mkdir("d")
        os.chdir("d")
    Path("a.yaml").touch()
    os.chdir(tmp_path)
    assert names(find(["."], ".", [])) == ["d/" * depth + "a.yaml"]
    subprocess.run(["rm", "-r", "d"], check=True)  # shutil.rmtree recurses


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(b"a: 1\n", b"a: 1\n", id="a file"),
        pytest.param(b"", b"", id="an empty file"),
        pytest.param(b"x" * 11, Unreadable("f", "is larger than 0 MiB"), id="too large"),
        pytest.param(b"x" * 10, b"x" * 10, id="just not too large"),
        pytest.param(None, Unreadable("f", "cannot be read: No such file or directory"), id="gone"),
    ],
)
def test_a_file_is_read_up_to_the_limit(
    plant: Plant, monkeypatch: pytest.MonkeyPatch, content: bytes | None, expected: bytes | Unreadable
) -> None:
    plant()
    monkeypatch.setattr("quotalint.text.reading.MAX_BYTES", 10)
    if content is not None:
        Path("f").write_bytes(content)
    assert read_bytes(Source("f", "f", True), bytes) == expected
    if content is not None:
        assert read_bytes(Source("f", "", True), lambda: content) == expected


def test_read_bytes_of_what_became_a_pipe(plant: Plant) -> None:
    plant()
    os.mkfifo("f")
    assert read_bytes(Source("f", "f", False), bytes) == Unreadable("f", "is no longer a regular file")


def test_read_bytes_from_a_closed_stdin() -> None:
    def closed() -> bytes:
        raise ValueError("I/O operation on closed file.")

    source = Source("<stdin>", "", True)
    assert read_bytes(source, closed) == Unreadable("<stdin>", "cannot be read: I/O operation on closed file.")


def test_content_of_a_file_that_does_not_say_its_size() -> None:
    if not Path("/proc/version").exists():
        pytest.skip("no /proc here")
    assert files.content("/proc/version", MAX_BYTES) == Path("/proc/version").read_bytes()


TREE = [f"{a}{b}{c}.yaml" for a in ("", "a/", "b/") for b in ("", "a/", "ab/") for c in ("a", "b", ".a")]
LINE = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(
        st.sampled_from(["a", "b", "a*", "*", "**", "?b", "*.yaml", "a.yaml", "[!a]*"]), min_size=1, max_size=3
    ).map("/".join),
    st.sampled_from(["", "", "/"]),
)
FILE = st.lists(LINE, max_size=3).map("\n".join)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", root], check=True)
    for name in TREE:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


@given(
    st.fixed_dictionaries(dict.fromkeys((".git/info/exclude", ".gitignore", "a/.gitignore", "a/ab/.gitignore"), FILE))
)
@settings(max_examples=60, deadline=None)
def test_finds_what_git_would_add(repository: Path, ignore_files: dict[str, str]) -> None:
    for name, text in ignore_files.items():
        (repository / name).write_text(text)
    answer = subprocess.run(
        ["git", "-c", "core.excludesFile=", "ls-files", "--others", "--exclude-standard", "-z", "*.yaml"],
        cwd=repository,
        env={"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    sources = find([str(repository)], str(repository), [])
    by_git = {str(repository / name) for name in answer.stdout.split("\0") if name}
    assert {source.path for source in sources.sources} == by_git
