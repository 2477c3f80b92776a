"""Regular expressions of selectors: read as Go reads them, and never tried for long."""

from __future__ import annotations

import pytest

from quotalint.gitops.kustomize.selector_text import SelectorError, is_image, matches_whole, occurs_within


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("web", "web", True),
        ("web", "web-1", False),
        ("web.*", "web-1", True),
        ("a|b-.*|c", "b-1", True),
        ("^web$", "web", True),
        ("(?i)WEB", "web", True),
        (r"web\z", "web", True),
        (r"\Aweb", "web", True),
        (r"[\w-]+", "web-1", True),
        (r"[^\d]+", "web1", False),
        ("web(-[a-z]+)?", "web-x", True),
        ("(?:web|db)-[0-9]{1,3}", "db-12", True),
        ("(?P<name>web)", "web", True),
        (r"a\.b", "a.b", True),
        (r"a\.b", "axb", False),
        (r"\w", "é", False),
        ("web\n?", "web\n", True),
        ("web", "web\n", False),
        ("", "", True),
    ],
)
def test_a_pattern_matches_the_whole_text(pattern: str, text: str, expected: bool) -> None:
    assert matches_whole(pattern, text) is expected


def test_a_pattern_occurs_in_a_text() -> None:
    assert [occurs_within("b+", text) for text in ("abbc", "ac")] == [True, False]


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "[a",
        "*",
        "a**",
        "a*+",
        "a{2}{3}",
        "a{1001}",
        "(?=a)",
        "(?#a)",
        "(?>a)",
        r"(a)\1",
        r"a\Z",
        r"\pL",
    ],
)
def test_what_one_of_both_does_not_know_is_refused(pattern: str) -> None:
    with pytest.raises(SelectorError):
        matches_whole(pattern, "a")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("(a+)+$", True),
        ("((a*))*b", False),
        ("(a|a)*b", False),
        ("(a|aa)+b", False),
        ("(.*)(.*)(.*)(.*)(.*)b", False),
        ("a?" * 40 + "a" * 40, True),
        ("(a|a)" * 30, False),
        ("[a-z]+(-[a-z]+)*", True),
        ("[[:alpha:]]+", True),
        ("a{,3}", False),
    ],
    ids=range(10),
)
def test_a_hostile_pattern_is_answered(pattern: str, expected: bool) -> None:
    assert matches_whole(pattern, "a" * 40) is expected


@pytest.mark.parametrize(
    "pattern",
    ["(" * 5000 + "a" + ")" * 5000 + "*" * 5000, "((a{1000}){1000}){1000}", "|" * 100_000, "(a|b){999}" * 50],
    ids=["deep", "multiplied", "many", "long"],
)
def test_a_pattern_that_grows_too_large_is_not_tried(pattern: str) -> None:
    with pytest.raises(SelectorError, match="not supported here"):
        matches_whole(pattern, "a" * 40)


def test_a_pattern_is_tried_on_a_long_text() -> None:
    assert matches_whole(".*a.*a.*b", "a" * 5_000) is False


def test_a_pattern_is_not_tried_on_too_long_a_text() -> None:
    with pytest.raises(SelectorError, match="too expensive to try on a string of 1000000 characters"):
        matches_whole(".*a.*a.*b", "a" * 1_000_000)


@pytest.mark.parametrize(
    ("name", "image", "expected"),
    [
        ("nginx", "nginx:1.2", True),
        ("nginx", "nginx@sha256:abc", True),
        ("nginx", "nginx-proxy", False),
        (".*/web", "registry/team/web:v1", True),
        ("a|web", "registry/web", True),
    ],
)
def test_an_image_has_a_tag_and_a_digest(name: str, image: str, expected: bool) -> None:
    assert is_image(name, image) is expected
