"""The HTML report in a real browser: light and dark, wide and narrow, seen as a reader sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import browser
import pytest
from browser import Browser, Seen
from page_probes import CONTRASTS, NEIGHBOURS, OVERLAPPING

from quotalint.cli import run

pytestmark = pytest.mark.skipif(browser.path() is None, reason=f"{browser.PROGRAM} is not on PATH")

WIDTHS = {"wide": 1280, "narrow": 360}
LONG = "a-name-that-does-not-end-" * 7 + "x"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with something of everything."""
    folder = tmp_path_factory.mktemp("report")
    objects = (
        quota("team-a", "compute", {"requests.cpu": "8", "configmaps": "4", "limits.nvidia.com/gpu": "1"}),
        deployment("team-a", "web", 3, "1500m"),
        deployment("team-a", "api", 2, "1"),
        quota("team-b", "nobody-home", {"requests.memory": "1Gi"}),
        quota("team-c", "full", {"pods": "3", "requests.cpu": "1"}),
        deployment("team-c", "worker", 3, "1"),
        quota("team-d", "<script>document.title = 'broken'</script>", {"pods": "1"}),
        quota(
            "team-e",
            LONG,
            {
                "count/averyverylongpluralthatneverends.and-its-group.example.com": "1",
                "pods": "9",
                "requests.cpu": "123456789123456789m",
            },
        ),
        *(deployment("team-e", f"{LONG}{number}", 1, "12345678912345678m") for number in range(14)),
        quota("team-f", "hostile", {"pods": "9"}),
        deployment("team-f", "\u05e9\u05dc\u05d5\u05dd<img src=x onerror=alert(1)>", 1, "1"),
    )
    for number, item in enumerate(objects):
        (folder / f"{number:02}.json").write_text(json.dumps(item))
    file = folder / "report.html"
    run([str(folder), "--output", f"html={file}"])
    return file


def quota(namespace: str, name: str, hard: dict[str, str]) -> dict[str, Any]:
    """A ResourceQuota."""
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard}}


def deployment(namespace: str, name: str, replicas: int, cpu: str) -> dict[str, Any]:
    """A Deployment, which rolls with a quarter of its pods more."""
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}
    spec = {"replicas": replicas, "template": {"spec": {"containers": [container]}}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace},
        "spec": spec,
    }


def opened(chromium: Browser, page: Path, width: str = "wide", scheme: str = "light", fragment: str = "") -> Seen:
    """The page as a reader opens it, with everything unfolded."""
    chromium.look(WIDTHS[width], scheme)
    seen = chromium.open(page.as_uri() + fragment)
    chromium.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    return seen


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    """What the reader prefers."""
    return str(request.param)


@pytest.fixture(params=["wide", "narrow"])
def width(request: pytest.FixtureRequest) -> str:
    """What the reader looks at."""
    return str(request.param)


def test_it_opens_without_a_complaint_and_asks_for_nothing(chromium: Browser, page: Path) -> None:
    assert opened(chromium, page) == Seen(messages=(), requested=(page.as_uri(),))
    assert str(chromium.run("document.title")).startswith("quotalint: ")


def test_the_page_does_not_scroll_sideways(chromium: Browser, page: Path, width: str) -> None:
    opened(chromium, page, width)
    wider = """
        [...document.body.querySelectorAll("*")]
            .filter(one => !one.closest("svg, .unseen") && one.getBoundingClientRect().right > innerWidth + 0.5)
            .map(one => one.outerHTML.slice(0, 100))
    """
    sizes = "[document.documentElement.scrollWidth, innerWidth]"
    assert (chromium.run(wider), chromium.run(sizes)) == ([], [WIDTHS[width]] * 2)


def test_nothing_that_is_written_lies_on_anything_else(chromium: Browser, page: Path, width: str) -> None:
    opened(chromium, page, width)
    assert chromium.run(OVERLAPPING) == []


def test_text_has_contrast(chromium: Browser, page: Path, scheme: str, width: str) -> None:
    opened(chromium, page, width, scheme)
    measured = chromium.run(CONTRASTS)
    assert [measurement for measurement in measured if measurement["ratio"] < 4.5] == []
    # It is the scheme that the reader asked for, and there was something to measure.
    background = chromium.run("getComputedStyle(document.body).backgroundColor")
    assert (background, len(measured) > 100) == (
        {"light": "rgb(244, 245, 247)", "dark": "rgb(16, 20, 24)"}[scheme],
        True,
    )


def test_parts_that_touch_can_be_told_apart_without_colours(chromium: Browser, page: Path, scheme: str) -> None:
    opened(chromium, page, "wide", scheme)
    ratios = chromium.run(NEIGHBOURS)
    assert [ratio for ratio in ratios if ratio < 1.5] == []


def test_bars_are_as_long_as_the_amounts_say(chromium: Browser, page: Path, width: str) -> None:
    opened(chromium, page, width)
    # Of 8 cores, which end at three quarters of the bar: web takes 4.5, api 2; then one pod more of web; then, with the
    # pods that are on their way out, 9 and 4.
    assert chromium.run(bars_of("compute", "requests.cpu")) == [
        {"scenario": "steady", "amount": "6500m", "parts": [42.2, 18.8], "hard": 75.0, "beyond": None},
        {"scenario": "surge", "amount": "8", "parts": [56.3, 18.8], "hard": 75.0, "beyond": None},
        {"scenario": "peak", "amount": "9\u00a0✗", "parts": [56.3, 28.1], "hard": 75.0, "beyond": [75.0, 9.4]},
    ]


def test_a_bar_far_beyond_hard_stays_in_its_place(chromium: Browser, page: Path, width: str) -> None:
    opened(chromium, page, width)
    first, *_, last = chromium.run(bars_of("full", "requests.cpu"))
    assert (first["amount"], first["parts"][0] > first["hard"], last["beyond"][0] + last["beyond"][1]) == (
        "3\u00a0✗",
        True,
        100.0,
    )


def test_a_slider_computes_in_the_page(chromium: Browser, page: Path) -> None:
    assert opened(chromium, page).messages == ()
    labels = f"[...{card('compute')}.querySelectorAll('[data-slider]')]"
    assert chromium.run(f"{labels}.map(one => one.hidden)") == [False, False]
    assert sorted(chromium.run(f"{labels}.map(one => one.querySelector('output').textContent)")) == [
        "2 replicas: requests.cpu 6500m of 8",
        "3 replicas: requests.cpu 6500m of 8",
    ]
    moved = (
        f"{labels}.map(one => {{ const input = one.querySelector('input'); input.value = '6'; "
        "input.dispatchEvent(new Event('input')); return one.querySelector('output').textContent; })"
    )
    assert sorted(chromium.run(moved)) == [
        "6 replicas: requests.cpu 10500m of 8 ✗",
        "6 replicas: requests.cpu 11 of 8 ✗",
    ]


def test_unknown_is_never_shown_as_nothing(chromium: Browser, page: Path) -> None:
    opened(chromium, page)
    assert chromium.run(bars_of("nobody-home", "requests.memory")) == []
    words = chromium.run(f"{card('nobody-home')}.innerText")
    assert "? unknown" in words
    assert "no workload of the namespace is in view" in words
    assert "✓" not in words


SHOWN = """
    [...document.querySelectorAll("[data-finding], [data-quota]")]
        .filter(one => one.checkVisibility())
        .map(one => one.querySelector(".rule b, h4").textContent)
"""


def typed(chromium: Browser, text: str) -> None:
    """Put into the filter as a reader does."""
    chromium.run("document.querySelector('#filter input').focus()")
    chromium.send("Input.insertText", text=text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("team-b", ["nobody-home"]),
        ("TEAM-A compute", ["QL201", "compute"]),
        ("memory 1gi", ["nobody-home"]),
        ("ql101", ["QL101"]),
        ("worker", ["QL301", "QL302", "full"]),
        ("no such thing", []),
    ],
)
def test_the_filter_leaves_what_matches(chromium: Browser, page: Path, text: str, shown: list[str]) -> None:
    opened(chromium, page)
    typed(chromium, text)
    shown_names = chromium.run(SHOWN)
    assert sorted(set(shown_names)) == sorted(shown), shown_names
    quotas = sum(not item.startswith("QL") for item in shown_names)
    shown_words = chromium.run("document.getElementById('shown').textContent")
    everything = chromium.run("document.querySelectorAll('[data-finding]').length")
    assert shown_words == f"{len(shown_names) - quotas} of {everything} findings, {quotas} of 6 quotas"


def test_the_address_keeps_the_filter(chromium: Browser, page: Path) -> None:
    opened(chromium, page)
    typed(chromium, "team-b ✗ #&")
    address = chromium.run("location.hash")
    opened(chromium, page, fragment=address)
    assert chromium.run("document.querySelector('#filter input').value") == "team-b ✗ #&"


def test_quotas_that_fit_can_be_hidden(chromium: Browser, page: Path) -> None:
    opened(chromium, page)
    chromium.run("document.querySelector('#filter [type=checkbox]').click()")
    quotas = [item for item in chromium.run(SHOWN) if not item.startswith("QL")]
    address = chromium.run("location.hash")
    headings = chromium.run("[...document.querySelectorAll('.namespace')].filter(one => one.checkVisibility()).length")
    assert (quotas, address, headings) == (["compute", "full", LONG], "#failing=1", 3)


def test_a_link_within_the_page_filters_nothing(chromium: Browser, page: Path) -> None:
    opened(chromium, page, fragment="#quotas")
    everything = chromium.run("document.querySelectorAll('[data-finding], [data-quota]').length")
    assert (len(chromium.run(SHOWN)), chromium.run("scrollY > 0")) == (everything, True)


def test_the_keyboard_opens_and_closes(chromium: Browser, page: Path) -> None:
    chromium.look(1280)
    chromium.open(page.as_uri())
    is_open = f"{card('nobody-home')}.open"
    before = chromium.run(is_open)
    chromium.run(f"{card('nobody-home')}.querySelector('summary').focus()")
    for kind in ("keyDown", "keyUp"):
        text = {"text": "\r"} if kind == "keyDown" else {}
        chromium.send("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, **text)
    assert (before, chromium.run(is_open)) == (True, False)
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert chromium.run(outline) == "solid"


def test_without_a_script_everything_is_there_but_the_filter(chromium: Browser, page: Path) -> None:
    chromium.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        opened(chromium, page)
        assert (chromium.run("document.getElementById('filter').checkVisibility()"), len(chromium.run(SHOWN)) > 6) == (
            False,
            True,
        )
    finally:
        chromium.send("Emulation.setScriptExecutionDisabled", value=False)


def test_what_is_folded_is_printed(chromium: Browser, page: Path) -> None:
    opened(chromium, page)
    chromium.run("document.querySelectorAll('details').forEach(one => { one.open = false; })")
    chromium.send("Emulation.setEmulatedMedia", media="print")
    try:
        shown = chromium.run("[...document.querySelectorAll('.entries')].filter(one => one.checkVisibility()).length")
        assert (shown, chromium.run("document.getElementById('filter').checkVisibility()")) == (5, False)
    finally:
        chromium.send("Emulation.setEmulatedMedia", media="")


def test_the_policy_is_in_force(chromium: Browser, page: Path, tmp_path: Path) -> None:
    smuggled = '<p style="color: red" id="red">a</p><script>document.title = "broken"</script><img src="a.png">'
    text = page.read_text().replace("</main>", f"{smuggled}</main>")
    (tmp_path / "a.png").write_bytes(b"")
    (tmp_path / "smuggled.html").write_text(text)
    seen = opened(chromium, tmp_path / "smuggled.html")
    assert seen.requested == ((tmp_path / "smuggled.html").as_uri(),)
    refused = [
        name
        for name in ("img", "script", "style")
        if any(f"'{name}-src" in text or f"{name}" in text for text in seen.messages)
    ]
    assert (refused, chromium.run("document.title") != "broken", len(seen.messages)) == (
        ["img", "script", "style"],
        True,
        3,
    )
    assert chromium.run("getComputedStyle(document.getElementById('red')).color") != "rgb(255, 0, 0)"


def card(name: str) -> str:
    """The element of a quota."""
    is_named = f"one.querySelector('h4').textContent === {json.dumps(name)}"
    return f"[...document.querySelectorAll('.quota')].find(one => {is_named})"


def bars_of(name: str, resource: str) -> str:
    """What the bars of an entry measure, in percent of their length."""
    return f"""
        [...{card(name)}.querySelectorAll(".entries tbody")]
            .filter(one => one.querySelector("code").textContent === {json.dumps(resource)})
            .flatMap(one => [...one.querySelectorAll("tr")].slice(1))
            .map(one => {{
                const whole = one.querySelector("svg").getBoundingClientRect();
                const part = (length) => Math.round(length / whole.width * 1000) / 10;
                const box = (of) => of && of.getBoundingClientRect();
                const beyond = box(one.querySelector(".beyond"));
                return {{
                    scenario: one.querySelector("th").textContent.trim(),
                    amount: one.querySelector(".amount").textContent.trim(),
                    parts: [...one.querySelectorAll(".part")].map(each => part(box(each).width)),
                    hard: part(box(one.querySelector(".hard")).left - whole.left),
                    beyond: beyond && [part(beyond.left - whole.left), part(beyond.width)],
                }};
            }})
    """


def test_what_is_suppressed_is_counted_apart(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the head of the page."""
    for name, comment in (("a", ""), ("b", "  # quotalint: ignore[QL102]")):
        head = f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: {name}, namespace: x}}\nspec:\n  hard:\n"
        (tmp_path / f"{name}.yaml").write_text(f"{head}    foo: 1{comment}\n")
    monkeypatch.chdir(tmp_path)
    assert run(["check", "--quiet", "--output", "html=report.html"]) == 1
    chromium.look(1280)
    chromium.open((tmp_path / "report.html").as_uri())
    before = chromium.run("document.getElementById('shown').textContent")
    typed(chromium, "a.yaml")
    after = chromium.run("document.getElementById('shown').textContent")
    assert (before, after) == ("1 finding, 1 suppressed, 2 quotas", "1 finding, 0 of 1 suppressed, 1 of 2 quotas")
