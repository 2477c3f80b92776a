"""The HTML report: text that stays text, nothing from elsewhere, and everything in it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from sample_findings import FORMATS, HOSTILE, TEXT, finding, hostile, report
from test_startup import imported, quotalint

from quotalint.cli import run
from quotalint.reports.html import render
from quotalint.reports.html.markup import element, escape_text, prose
from quotalint.reports.summary import Summary
from quotalint.settings import Settings
from quotalint.suppression import COMMENT, Suppression

NUMBERS = Summary(3, 3, 3, 1, 1, 1, {"error": 1, "warning": 0, "info": 0}, 0)
SETTINGS = Settings("", "")


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        """Take it apart."""
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ended: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self._inside: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep it, in order."""
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "col"):
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """What was opened last is closed first."""
        self.ended.append(tag)
        assert self._inside.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text, with the element it is in."""
        self.texts.append((self._inside[-1] if self._inside else "", data))

    def inside(self, tag: str) -> str:
        """The text of all elements of a name."""
        return "".join(text for within, text in self.texts if within == tag)

    @property
    def text(self) -> str:
        """What a reader sees, in one line."""
        shown = "".join(text for within, text in self.texts if within not in ("style", "script", "title"))
        return " ".join(shown.split())


def rendered(*findings: Any) -> Page:
    """A page of these findings."""
    return Page(render(findings, (), NUMBERS, SETTINGS, lambda name: b""))


def test_every_finding_and_every_quota_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    page = Page(report("html", FORMATS / "team-a", capsys))
    messages = [attributes.get("data-finding") for tag, attributes in page.tags if attributes.get("data-finding")]
    quotas = [attributes.get("data-quota") for tag, attributes in page.tags if attributes.get("data-quota")]
    assert (messages, quotas) == (["error", "error", "warning"], ["failing"])
    for text in (
        "2 errors, 1 warning in 2 files, 1 namespace, 1 quota",
        "✗ error QL301 quota-exceeded team-a asks for requests.cpu 5; quota base allows 4",
        "/team-a/quota.yaml:8",
        '8 requests.cpu: "4" 1 short',
        "used by Deployment web: 5 pods × 1 = 5",
        "help raise requests.cpu to 7 or more",
        "limits.nvidia.com/gpu hard 2 ∅ never counted",
        "pods hard 6 ✗ exceeded during rollouts or at the peak steady 5",
        "requests.cpu hard 4 ✗ does not fit steady 5 ✗",
        "Deployment web 5 to 8 pods",
        "requests.cpu 5 to 8",
    ):
        assert text in page.text, text


def test_bars_say_in_words_what_they_show(capsys: pytest.CaptureFixture[str]) -> None:
    page = Page(report("html", FORMATS / "team-a", capsys))
    pictures = [attributes for tag, attributes in page.tags if tag == "svg" and attributes.get("role") == "img"]
    assert [picture["aria-label"] for picture in pictures] == [
        "steady 5, hard 6: Deployment web 5",
        "surge 7, hard 6, does not fit: Deployment web 7",
        "peak 8, hard 6, does not fit: Deployment web 8",
        "steady 5, hard 4, does not fit: Deployment web 5",
        "surge 7, hard 4, does not fit: Deployment web 7",
        "peak 8, hard 4, does not fit: Deployment web 8",
    ]


def test_usage_has_the_quotas_alone(capsys: pytest.CaptureFixture[str]) -> None:
    run(["usage", str(FORMATS), "--format", "html"])
    page = Page(capsys.readouterr().out)
    sections = [attributes["id"] for tag, attributes in page.tags if tag == "section" and "id" in attributes]
    assert (sections, "4 quotas in 5 files" in page.text) == (["map", "quotas"], True)


def test_what_cannot_be_judged_is_unknown_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    run(["usage", str(FORMATS / "team-b.yaml"), "--format", "html"])
    text = Page(capsys.readouterr().out).text
    why = "Not everything can be judged. Why: no workload of the namespace is in view"
    assert (why in text, "requests.memory hard 1Gi ? unknown" in text, "✓" in text) == (True, True, False)


def test_there_may_be_nothing_to_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\n")
    text = Page(report("html", tmp_path, capsys)).text
    assert ("Nothing was found." in text, "There is no quota." in text) == (True, True)


def test_nothing_is_loaded_from_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    printed = report("html", FORMATS, capsys)
    page = Page(printed)
    leading = [
        value
        for _, attributes in page.tags
        for name, value in attributes.items()
        if name in ("src", "href", "action", "data", "poster", "srcset", "style") or name.startswith("on")
    ]
    code = page.inside("style") + page.inside("script")
    assert leading[:2] == ["#findings", "#quotas"]
    assert all(str(item).startswith(("#quota-", "#finding-", "#by-quota", "#beside")) for item in leading[2:])
    assert (re.findall(r"url\((?!#)|@import|//\w|fetch|XMLHttp|import\(", code), page.inside("style") != "") == (
        [],
        True,
    )


def test_the_policy_allows_the_style_and_the_script_of_the_page_and_nothing_else() -> None:
    page = rendered()
    (policy,) = (attributes["content"] for _, attributes in page.tags if "http-equiv" in attributes)
    style, script = (
        "sha256-" + b64encode(sha256(page.inside(name).encode()).digest()).decode() for name in ("style", "script")
    )
    assert policy == (
        f"default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"
    )


def test_it_is_the_same_from_run_to_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert report("html", FORMATS, capsys) == report("html", FORMATS, capsys)


def test_what_is_suppressed_is_folded_apart() -> None:
    page = rendered(finding(suppressed=Suppression(COMMENT, "until May", "q.yaml", 3)))
    assert "Nothing was found. Suppressed (1)" in page.text
    assert "silenced by comment in q.yaml:3: until May" in page.text


def test_the_most_severe_come_first() -> None:
    findings = [finding(severity=name, message=name) for name in ("info", "error", "warning")]
    order = [item.get("data-finding") for _, item in rendered(*findings).tags if item.get("data-finding")]
    assert order == ["error", "warning", "info"]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b>", "&lt;b&gt;"),
        ("\"'&", "&quot;&#x27;&amp;"),
        ("a\nb\x1b[31m\ud800\u202e", "a\\nb\\x1b[31m\\ud800\\u202e"),
    ],
)
def test_text_is_escaped(text: str, html: str) -> None:
    assert (escape_text(text), element("a", text, title=text).text) == (html, f'<a title="{html}">{html}</a>')


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("write `limits.memory`", "write <code>limits.memory</code>"),
        ("`count/<plural>`", "<code>count/&lt;plural&gt;</code>"),
        ("`-` and `.` only", "<code>-</code> and <code>.</code> only"),
        ("a ` alone", "a ` alone"),
        ("quota `a|b`c`", "quota `a|b`c`"),
    ],
)
def test_names_between_backticks(text: str, html: str) -> None:
    assert prose(text).text == html


@given(TEXT)
def test_whatever_a_manifest_says_it_is_text(text: str) -> None:
    def shape(page: Page) -> list[str]:
        return [tag for tag, _ in page.tags if tag != "code"]  # what stands between backticks may become one

    page = rendered(hostile(text))
    assert shape(page) == shape(rendered(hostile("a")))
    assert sum(tag == "script" for tag in page.ended) == 1


@pytest.mark.parametrize("text", [*HOSTILE, "</script><script>", "--><script>", "'\"onload=x "])
def test_no_name_opens_a_tag(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import json

    metadata = {"name": text, "namespace": f"n{text}"}
    spec = {"replicas": 2, "template": {"spec": {"containers": [{"name": text, "image": "a"}]}}}
    objects: list[dict[str, Any]] = [
        {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": {"pods": "1"}}},
        {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": {f"count/{text}": "1"}}},
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec},
    ]
    for number, item in enumerate(objects):
        (tmp_path / f"{number}.json").write_text(json.dumps(item))
    page = Page(report("html", tmp_path, capsys))
    attributes = {name for _, given in page.tags for name in given}
    assert ({tag for tag, _ in page.tags} - TAGS, attributes - ATTRIBUTES, page.ended.count("script")) == (
        set(),
        set(),
        1,
    )


TAGS = {
    *("html", "head", "meta", "title", "style", "script", "body", "header", "nav", "main", "section", "form", "label"),
    *("input", "button", "h1", "h2", "h3", "h4", "p", "strong", "b", "span", "code", "pre", "mark", "a", "details"),
    *("summary", "ul", "ol", "li", "dl", "dt", "dd", "div", "table", "caption", "colgroup", "col", "thead", "tbody"),
    *(
        "footer",
        "select",
        "option",
        "tr",
        "th",
        "td",
        "svg",
        "defs",
        "pattern",
        "rect",
        "circle",
        "line",
        "text",
        "title",
    ),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "id", "class", "hidden", "open", "role", "type", "href"),
    *("placeholder", "data-finding", "data-quota", "data-where", "data-group", "scope", "colspan", "aria-label"),
    *("aria-hidden", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height"),
    *("patternunits", "patterntransform", "value", "title", "data-severity", "data-environment", "data-environments"),
    *("tabindex", "data-of"),
}


def test_it_costs_nothing_where_nobody_asks_for_it(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\n")
    modules = imported(quotalint(["check", ".", "--format", "markdown"]), tmp_path)
    assert [module for module in modules if module.startswith("quotalint.reports.html") or module == "html"] == []
