import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quotalint.text.patterns import compile_patterns, covers, verdict

NAMES = ("a", "b", "ab", "a.b", "b.yaml", ".a", "a b", "A")

SEGMENT = st.text("ab*?.", min_size=1, max_size=4) | st.sampled_from(
    ["a", "b", "ab", "*", "**", "*.yaml", "[ab]", "[a-b]b", "\\a", "\\*", "a b", ".*", "a.b"]
)
RARE = st.sampled_from(
    [
        "[!a]",
        "[^a].yaml",
        "[]a]",
        "**a",
        "a**b",
        "#a",
        "!a",
        "a**",
        "***",
        ".**",
        "?**",
        "[[:alpha:]]",
        "[[:^x:]]",
        "a[!b]b",
        "[\\]a]",
        "[!-a]",
        "[a-]b",
        "[!]a]",
        "[--a]",
        "[+--]a",
        "[.-b]",
        "[z-a]",
        "[[:upper:]a]*",
        "\\[a",
    ]
)


@st.composite
def patterns(draw: st.DrawFn, segment: st.SearchStrategy[str]) -> str:
    body = "/".join(draw(st.lists(segment, min_size=1, max_size=3)))
    return draw(st.sampled_from(["", "", "", "/"])) + body + draw(st.sampled_from(["", "", "/", " ", "\\ "]))


PATH = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)


@pytest.mark.parametrize(
    ("lines", "path", "folder", "expected"),
    [
        pytest.param(["node_modules/"], "node_modules", True, True, id="a folder by its name"),
        pytest.param(["node_modules/"], "node_modules", False, None, id="a file is no folder"),
        pytest.param(["*.log"], "a/b/c.log", False, True, id="a suffix at any depth"),
        pytest.param(["/dist"], "dist", True, True, id="anchored at the top"),
        pytest.param(["/dist"], "a/dist", True, None, id="anchored and deeper"),
        pytest.param(["docs/_build"], "docs/_build", True, True, id="a path"),
        pytest.param(["docs/_build"], "a/docs/_build", True, None, id="a path begins at the top"),
        pytest.param(["docs/_build"], "docs/_build/x", False, None, id="an entry below is not the entry itself"),
        pytest.param(["**/b/*.yaml"], "a/b/c.yaml", False, True, id="any depth, then a path"),
        pytest.param(["a/**"], "a", True, None, id="what is in a folder is not the folder"),
        pytest.param(["a/**"], "a/b/c", False, True, id="what is in a folder"),
        pytest.param(["a/**/c"], "a/c", False, True, id="no folder between"),
        pytest.param(["a/*"], "a/b/c", False, None, id="a star ends at a slash"),
        pytest.param(["*", "!keep.yaml"], "keep.yaml", False, False, id="kept by a later line"),
        pytest.param(["!keep.yaml", "*"], "keep.yaml", False, True, id="the last line decides"),
        pytest.param(["# a", "", "  ", "!", "/", "//"], "a", False, None, id="lines that say nothing"),
        pytest.param(["\\#*\\#", "\\!a"], "!a", False, True, id="an escaped sign"),
        pytest.param(["*.py[cod]"], "x.pyc", False, True, id="simple brackets"),
        pytest.param(["[!a]b"], "cb", False, True, id="brackets for pathspec"),
        pytest.param(["[!a]/**"], "c", True, None, id="brackets for pathspec, and what is in a folder"),
        pytest.param(["a[", "a\\", "[b-a]"], "a", False, None, id="lines that git drops"),
        pytest.param(["!!a[!b]"], "!ac", False, False, id="a sign and an exclamation mark, for pathspec"),
        pytest.param(["*.yaml  "], "a.yaml", False, True, id="spaces at the end"),
        pytest.param(["a\\ "], "a ", False, True, id="an escaped space at the end"),
        pytest.param(["*.yaml"], "a\nb.yaml", False, True, id="a name with a line end"),
        pytest.param(["a/[!x]*.yaml"], "a/a\nb.yaml", False, True, id="a name with a line end, for pathspec"),
        pytest.param(["caf\udce9.yaml"], "caf\udce9.yaml", False, True, id="a name that is not UTF-8"),
    ],
)
def test_a_path_is_ignored_by_the_last_pattern_that_fits(
    lines: list[str], path: str, folder: bool, expected: bool | None
) -> None:
    way, slash, name = path.rpartition("/")
    assert verdict(compile_patterns(lines), way + slash, name + "/" if folder else name) is expected


@pytest.mark.parametrize(
    ("lines", "path", "expected"),
    [
        pytest.param(["testdata/"], "a/testdata/b/c.yaml", True, id="below an ignored folder"),
        pytest.param(["testdata/", "!c.yaml"], "testdata/c.yaml", True, id="nothing is kept in an ignored folder"),
        pytest.param(["testdata/*", "!c.yaml"], "testdata/c.yaml", False, id="kept in a folder that is not ignored"),
        pytest.param(["*"], "../../a.yaml", True, id="outside, by its name"),
        pytest.param(["*/"], "../../a.yaml", False, id="the way out is no folder"),
        pytest.param(["*"], ".", False, id="the folder of the patterns itself"),
        pytest.param([], "a", False, id="no patterns"),
    ],
)
def test_a_pattern_covers_all_that_lies_below(lines: list[str], path: str, expected: bool) -> None:
    assert covers(compile_patterns(lines), path) is expected


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", root], check=True)
    yield root


def by_git(repository: Path, lines: list[str], paths: list[str]) -> set[str]:
    (repository / ".gitignore").write_text("\n".join(lines))
    answer = subprocess.run(
        ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(paths),
        cwd=repository,
        env={"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return set(filter(None, answer.stdout.split("\0")))


@pytest.mark.slow
@given(
    st.lists(st.builds(str.__add__, st.sampled_from(["", "", "!"]), patterns(SEGMENT | RARE)), min_size=1, max_size=5),
    st.lists(PATH, min_size=30, max_size=30),
)
@settings(max_examples=200, deadline=None)
@example(["a**/??"], ["a/ab/b/.a", "a/b", "ab"])
@example([".**/?"], [".a/b/ab/a", ".a/ab"])
@example(["***/a"], ["b/ab/a"])
@example(["/*b*/.*/**/"], ["ab/.a/b", "ab/.a/b/a"])
@example([".**/a**/a"], [".a/b/a", ".aa/a", ".a/a"])
@example(["x**/**/a"], ["x/a", "xb/b/a", "b/a"])
@example(["a[!b]b"], ["a/b"])
@example(["?", "!/*"], ["a", "a/a", "b/c/"])
@example(["/*/", "!a"], ["a/b", "b", "b/c"])
def test_agrees_with_git(repository: Path, lines: list[str], paths: list[str]) -> None:
    rules = compile_patterns(lines)
    assert {path for path in paths if covers(rules, path)} == by_git(repository, lines, paths)


@pytest.mark.parametrize(
    ("line", "path", "expected"),
    [
        pytest.param("*a*a*a*a*a*a*b", "a" * 250 + ".yaml", False, id="stars"),
        pytest.param("*a" * 40 + "*b", "a" * 250, False, id="many stars"),
        pytest.param("*a" * 40 + "*b", "a" * 249 + "b", True, id="many stars that fit"),
        pytest.param("**/a/" * 14 + "b", "a/" * 500 + "q.yaml", False, id="folders"),
        pytest.param("**/a/" * 14 + "b", "a/" * 500 + "b", True, id="folders that fit"),
        pytest.param("[[:alpha:]]*a" * 2000, "a" * 250, False, id="longer than any name"),
    ],
)
def test_no_line_takes_long(line: str, path: str, expected: bool) -> None:
    """Python's engine would not come back from most of these."""
    assert bool(verdict(compile_patterns([line]), path.rpartition("/")[0] + "/", path.rpartition("/")[2])) is expected
