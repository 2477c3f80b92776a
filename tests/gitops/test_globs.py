"""The patterns of `directory.include` and `exclude`, as gobwas/glob takes them without separators."""

from __future__ import annotations

import pytest

from quotalint.gitops.argocd.globs import covers


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
        pytest.param("[]a]", [], ["]", "a", "[]a]"], id="an empty range is no pattern"),
        pytest.param("[c-a]", [], ["a", "b", "c"], id="a range from back to front is no pattern"),
    ],
)
def test_what_a_pattern_covers(pattern: str, covered: list[str], others: list[str]) -> None:
    assert [name for name in (*covered, *others) if covers(pattern, name)] == covered
