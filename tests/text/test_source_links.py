"""Symbolic links, pipes and sockets among the files of a repository."""

import os
import socket
from pathlib import Path

import pytest
from planted_files import Plant, names, plant_in

from quotalint.text.sources import Found, Passed, Source, Unreadable, find


@pytest.fixture
def plant(folder: Path) -> Plant:
    return plant_in(folder)


def test_links_are_followed_within_what_is_looked_at(plant: Plant, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "far.yaml").touch()
    plant("a/x.yaml", "a/odd.txt", "hidden/y.yaml", "a/.gitignore", "lib/z.yaml", ".git/", ".gitignore")
    Path(".gitignore").write_text("hidden/\nignored.yaml")
    for link, target in {
        "a/ignored.yaml": "nowhere",
        "a/twin.yaml": "x.yaml",  # read by its own name
        "a/odd.yaml": "odd.txt",  # not read by its own name
        "a/odder.yaml": "odd.txt",
        "a/hidden.yaml": "../hidden/y.yaml",
        "a/lib.yaml": "../lib/z.yaml",
        "a/up": "..",
        "a/same": ".",
        "a/library": "../lib",
        "a/far.yaml": str(outside / "far.yaml"),
        "a/far.txt": str(outside / "far.yaml"),
        "a/outside": str(outside),
        "a/broken.yaml": "nowhere",
        "a/broken": "nowhere",
        "a/loop.json": "loop.json",
        "a/loop": "loop",
    }.items():
        Path(link).symlink_to(target)
    sources = find(["a"], ".", [])
    assert (names(sources), sources.unreadable, sources.passed) == (
        ["a/hidden.yaml", "a/lib.yaml", "a/odd.yaml", "a/x.yaml"],
        (
            Unreadable("a/broken.yaml", "is a symbolic link to nothing", is_link=True),
            Unreadable("a/loop.json", "is a symbolic link that leads back to itself", is_link=True),
        ),
        (
            Passed("a/broken", "is a symbolic link to nothing"),
            Passed("a/far.yaml", "is a symbolic link to a file outside the root"),
            Passed("a/library", "is a symbolic link to a folder that is not below the given paths"),
            Passed("a/loop", "is a symbolic link that leads back to itself"),
            Passed("a/outside", "is a symbolic link to a folder outside the root"),
            Passed("a/up", "is a symbolic link to a folder that is not below the given paths"),
        ),
    )


def test_links_within_the_path_are_silent(plant: Plant) -> None:
    plant("a/x.yaml", "b/")
    Path("b/up").symlink_to("..")
    Path("b/a").symlink_to("../a")
    Path("b/x.yaml").symlink_to("../a/x.yaml")
    sources = (Source("a/x.yaml", str(Path("a/x.yaml").resolve()), False),)
    found = find(["."], ".", [])
    assert found == Found(sources, (), (), (), folders=("",), entries=found.entries)


def test_locks_of_emacs_are_silent(plant: Plant) -> None:
    plant("x.yaml")
    Path(".#x.yaml").symlink_to("me@host.42:1700000000")
    sources = find(["."], ".", [])
    assert (names(sources), sources.unreadable, sources.passed) == (["x.yaml"], (), ())


def test_links_to_what_is_excluded_are_not_followed(plant: Plant) -> None:
    plant("testdata/x.yaml")
    Path("y.yaml").symlink_to("testdata/x.yaml")
    assert names(find([".", "y.yaml"], ".", ["testdata/"])) == []


def test_a_link_that_is_named_is_followed_or_unreadable(plant: Plant) -> None:
    plant("a/x.yaml")
    Path("link").symlink_to("a")
    Path("y.yaml").symlink_to("a/x.yaml")
    Path("loop").symlink_to("loop")
    Path("broken").symlink_to("nowhere")
    sources = find(["link", "y.yaml", "loop", "broken", "a"], ".", [])
    assert (names(sources), sources.unreadable) == (
        ["y.yaml"],
        (
            Unreadable("broken", "is a symbolic link to nothing"),
            Unreadable("loop", "is a symbolic link that leads back to itself"),
        ),
    )


def test_pipes_and_sockets_are_never_opened(plant: Plant) -> None:
    plant()
    os.mkfifo("a.yaml")
    Path("l.yaml").symlink_to("a.yaml")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("b.yaml")
        sources = find([".", "a.yaml", "b.yaml", "/dev/null"], ".", [])
    never = "which is never opened"
    assert (sources.sources, sources.unreadable[1:], sources.passed) == (
        (),
        (
            Unreadable("a.yaml", f"is a named pipe, {never}; `-` reads from standard input"),
            Unreadable("b.yaml", f"is a socket, {never}; `-` reads from standard input"),
        ),
        (
            Passed("a.yaml", f"is a named pipe, {never}"),
            Passed("b.yaml", f"is a socket, {never}"),
            Passed("l.yaml", f"is a symbolic link to a named pipe, {never}"),
        ),
    )
    assert sources.unreadable[0].reason == f"is a device, {never}; `-` reads from standard input"
