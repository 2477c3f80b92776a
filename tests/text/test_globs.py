"""The patterns of `directory.include` and `exclude`, as gobwas/glob takes them without separators."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.text import globs
from quotalint.text.glob_dialects import doublestar, gobwas, path_match


def covers(pattern: str, name: str) -> bool:
    glob = gobwas(pattern)
    return glob is not None and globs.covers(glob, name)


@pytest.mark.parametrize(
    ("pattern", "covered", "others"),
    [
        pytest.param("web.yaml", ["web.yaml"], ["a/web.yaml", "web.yaml.bak", "webXyaml"], id="a name, whole"),
        pytest.param("*.yaml", [".yaml", "web.yaml", "a/b/web.yaml"], ["web.yml"], id="a star does not stop at a /"),
        pytest.param("a/**", ["a/", "a/b", "a/b/c"], ["a", "b/a/c"], id="two stars are one"),
        pytest.param("a/**/b", ["a/x/b", "a/x/y/b", "a//b"], ["a/b"], id="two stars between slashes want both"),
        pytest.param("w?b", ["web", "w/b", "wéb"], ["wb", "weeb"], id="one character, be it a /"),
        pytest.param("[abc].yaml", ["a.yaml", "c.yaml"], ["d.yaml", "ab.yaml"], id="one of several characters"),
        pytest.param("[a-c].yaml", ["a.yaml", "b.yaml"], ["d.yaml", "-.yaml"], id="a range"),
        pytest.param("[!a].yaml", ["b.yaml", "!.yaml"], ["a.yaml"], id="none of them"),
        pytest.param("[!a-c]", ["d", "/"], ["a", "b"], id="out of a range"),
        pytest.param("{a,b/*}.yaml", ["a.yaml", "b/c.yaml"], ["b.yaml", "{a,b/*}.yaml"], id="one of several patterns"),
        pytest.param("{a,{b,c}d}", ["a", "bd", "cd"], ["d", "b", "ad"], id="patterns in patterns"),
        pytest.param("{a,}b", ["b", "ab"], ["a"], id="an empty pattern among them"),
        pytest.param("{a,b", ["a", "b"], ["{a,b"], id="braces that are never closed"),
        pytest.param("a,b", ["a,b"], ["a", "b"], id="a comma outside of braces"),
        pytest.param("\\*.yaml", ["*.yaml"], ["web.yaml"], id="a star that is meant"),
        pytest.param("\\{a\\,b\\}", ["{a,b}"], ["a", "b"], id="braces that are meant"),
        pytest.param("a.b+c(d)|^$", ["a.b+c(d)|^$"], ["aXbbcd"], id="what is special elsewhere"),
        pytest.param("*", ["", "a\nb"], [], id="anything at all"),
        pytest.param("", [""], ["a"], id="nothing"),
        pytest.param("a}b", ["a}b"], ["a", "b"], id="a brace that nothing opens"),
        pytest.param("{a}}b", ["a}b"], ["ab"], id="one brace too many"),
        pytest.param("[^a]", ["^", "a"], ["b", "!"], id="only an exclamation mark turns a class around"),
        pytest.param("[!!a]", ["b"], ["!", "a"], id="and once"),
        pytest.param("[ab-d]", ["a", "b", "-", "d"], ["c"], id="a range stands alone"),
        pytest.param("[a-cx]", [], ["a", "b", "x"], id="a range and more is no pattern"),
        pytest.param("[^-a]", ["^", "_", "a"], ["b", "-"], id="a range from ^"),
        pytest.param("[]-a]", ["]", "_", "a"], ["b", "\\"], id="a range from ]"),
        pytest.param("[-a]", ["-", "a"], ["b"], id="a hyphen at the beginning"),
        pytest.param("[ab-]", ["a", "b", "-"], ["c"], id="a hyphen at the end"),
        pytest.param("[a-]", [], ["a", "-"], id="a range without an end is no pattern"),
        pytest.param("[a\\]b]", ["a", "]", "b"], ["\\"], id="a bracket that is meant"),
        pytest.param("[", [], ["["], id="a bracket that is never closed"),
        pytest.param("[[]a", ["[a"], ["a"], id="a bracket in brackets"),
        pytest.param("[a&&b]", ["a", "&", "b"], ["c"], id="ampersands"),
        pytest.param("[a||b]", ["a", "|", "b"], ["c"], id="bars"),
        pytest.param("a\\", ["a"], ["a\\"], id="a backslash at the end"),
        pytest.param(
            "{" + ",".join(f"{text}/*" for text in "abcdefghi") + "}", ["a/x", "i/"], ["j/x"], id="nine stars"
        ),
        pytest.param("[]a]", [], ["]", "a", "[]a]"], id="an empty range is no pattern"),
        pytest.param("[c-a]", [], ["a", "b", "c"], id="a range from back to front is no pattern"),
    ],
)
def test_what_a_pattern_covers(pattern: str, covered: list[str], others: list[str]) -> None:
    assert [name for name in (*covered, *others) if covers(pattern, name)] == covered


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        pytest.param("*a*a*a*a*a*a*a*b", "a" * 5000, id="stars"),
        pytest.param("*a" * 5000 + "b", "a" * 5000, id="many stars"),
        pytest.param("{a,aa}" * 1000 + "b", "a" * 2000, id="many ways"),
        pytest.param("{" * 20000, "a", id="braces in braces"),
    ],
)
def test_a_pattern_takes_no_longer_than_it_is_long(pattern: str, name: str) -> None:
    assert not covers(pattern, name)


@given(st.text("ab*?{},", max_size=8), st.text("ab,", max_size=6))
def test_it_is_what_a_regular_expression_says(pattern: str, name: str) -> None:
    assert covers(pattern, name) == (re.fullmatch(_regex(pattern), name) is not None)


def _regex(pattern: str) -> str:
    parts: list[str] = []
    depth = 0
    for sign in pattern:
        if sign == "{":
            depth += 1
            parts.append("(?:")
        elif sign == "}" and depth:
            depth -= 1
            parts.append(")")
        elif sign == "," and depth:
            parts.append("|")
        else:
            parts.append({"*": ".*", "?": "."}.get(sign) or re.escape(sign))
    return "".join(parts) + ")" * depth


def _path_match(pattern: str, name: str) -> bool:
    """path.Match as Go writes it: each part between stars where it fits first, the last one where the name ends."""
    parts = re.split(r"\*+", pattern)
    if "*" not in pattern:
        return len(name) == len(pattern) and all(_fits(*pair) for pair in zip(pattern, name, strict=True))
    at = 0
    for number, part in enumerate(parts):
        if number == 0:
            if not _begins(part, name):
                return False
            at = len(part)
            continue
        last = number == len(parts) - 1
        if last and not part:
            return "/" not in name[at:]
        start = at
        while True:
            if _begins(part, name[start:]) and (not last or start + len(part) == len(name)):
                break
            if start >= len(name) or name[start] == "/":
                return False
            start += 1
        at = start + len(part)
    return True


def _begins(part: str, name: str) -> bool:
    return len(name) >= len(part) and all(_fits(sign, character) for sign, character in zip(part, name, strict=False))


def _fits(sign: str, character: str) -> bool:
    return character != "/" if sign == "?" else sign == character


@given(st.text("ab*?/", max_size=8), st.text("ab/", max_size=7))
def test_path_match_is_what_go_does(pattern: str, name: str) -> None:
    glob = path_match(pattern)
    assert glob is not None
    assert globs.covers(glob, name) == _path_match(pattern, name)


@pytest.mark.parametrize(
    ("pattern", "name", "covered"),
    [
        pytest.param("*[^a]*z", "q/az", False, id="it does not go back before a bracket that took a slash"),
        pytest.param("a[^b]c", "a/c", True, id="a bracket may take a slash"),
        pytest.param("a/*", "a/b/c", False, id="a star stops"),
        pytest.param("clusters/*/apps", "clusters/a/apps", True, id="a star for a folder"),
    ],
)
def test_a_pattern_matches_a_path(pattern: str, name: str, covered: bool) -> None:
    glob = path_match(pattern)
    assert glob is not None and globs.covers(glob, name) is covered


@pytest.mark.parametrize("pattern", ["[", "[^]", "[a", "a\\", "[-a]", "[a-]"])
def test_what_go_finds_malformed_is_no_pattern(pattern: str) -> None:
    assert path_match(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "covered", "others"),
    [
        pytest.param("values/*.yaml", ["values/a.yaml"], ["values/a/b.yaml"], id="a star stops"),
        pytest.param("**/a.yaml", ["a.yaml", "x/y/a.yaml"], ["xa.yaml"], id="any number of folders"),
        pytest.param("a/**/b", ["a/b", "a/x/y/b"], ["ab", "a/xb"], id="folders between"),
        pytest.param("{a,b/{c,d}}.yaml", ["a.yaml", "b/c.yaml", "b/d.yaml"], ["c.yaml"], id="braces in braces"),
        pytest.param("v[0-9!].yaml", ["v1.yaml", "v!.yaml"], ["va.yaml"], id="one of several characters"),
        pytest.param("v[!0-9].yaml", ["va.yaml"], ["v1.yaml"], id="none of several characters"),
    ],
)
def test_a_pattern_matches_across_folders(pattern: str, covered: list[str], others: list[str]) -> None:
    glob = doublestar(pattern)
    assert glob is not None
    assert [name for name in (*covered, *others) if globs.covers(glob, name)] == covered
