"""The HTML report in a real browser: addresses, the map, the tabs, and what fits on a screen."""

from __future__ import annotations

import json
import time
from pathlib import Path

import browser
import pytest
from browser import Browser
from page_probes import CONTRASTS, OVERLAPPING
from test_html_browser import deployment, quota, typed

from quotalint.cli import run

pytestmark = pytest.mark.skipif(browser.path() is None, reason=f"{browser.PROGRAM} is not on PATH")


def test_an_address_opens_what_it_names(chromium: Browser, views: Path) -> None:
    chromium.look(1280)
    chromium.open(views.as_uri())
    names = chromium.run("[...document.querySelectorAll('[id^=quota-], [id^=finding-]')].map(one => one.id)")
    assert len(names) > 6
    for name in names:
        seen = chromium.open(f"{views.as_uri()}#{name}")
        box = f"document.getElementById({json.dumps(name)}).getBoundingClientRect()"
        shown = f"document.getElementById({json.dumps(name)}).checkVisibility()"
        focused = "document.activeElement.id"
        assert (
            chromium.run(shown),
            chromium.run(f"{box}.top < innerHeight"),
            chromium.run(focused),
            seen.messages,
        ) == (
            True,
            True,
            name,
            (),
        ), name


def test_an_address_opens_what_it_names_without_the_script(chromium: Browser, views: Path) -> None:
    chromium.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        chromium.look(1280)
        chromium.open(f"{views.as_uri()}#quota-b-cart-small")
        box = "document.getElementById('quota-b-cart-small').getBoundingClientRect()"
        assert (chromium.run(f"{box}.height > 40"), chromium.run(f"{box}.top >= 0 && {box}.top < innerHeight")) == (
            True,
            True,
        )
    finally:
        chromium.send("Emulation.setScriptExecutionDisabled", value=False)


def test_a_cell_of_the_map_leads_to_its_quota_also_twice(chromium: Browser, views: Path) -> None:
    chromium.look(1280)
    chromium.open(views.as_uri())
    for _ in range(2):
        chromium.run("document.querySelector('#map a[href=\"#quota-a-shop-base\"]').click()")
        time.sleep(0.1)
        quota = "document.getElementById('quota-a-shop-base').closest('details')"
        assert chromium.run(f"{quota}.open && {quota}.getBoundingClientRect().top < innerHeight")
        chromium.run(f"{quota}.open = false; scrollTo(0, 0)")


def test_the_tabs_are_tabs(chromium: Browser, views: Path) -> None:
    chromium.look(1280)
    chromium.open(views.as_uri())
    state = """[...document.querySelectorAll('[role="tab"]')].map(one => [
        one.getAttribute('aria-selected'), one.tabIndex,
        document.getElementById(one.getAttribute('aria-controls')).checkVisibility()])"""
    first, second = ["true", 0, True], ["false", -1, False]
    assert chromium.run(state) == [first, second]
    chromium.run("document.querySelector('[role=tab]').focus()")
    pressed(chromium, "ArrowRight")
    assert chromium.run(state) == [second, first]
    chromium.run("document.querySelector('[role=tab]').click()")
    assert chromium.run(state) == [first, second]
    chromium.open(f"{views.as_uri()}#others")
    assert chromium.run(state) == [second, first]


def test_the_filter_says_what_is_behind_a_tab_and_leaves_cells(chromium: Browser, views: Path) -> None:
    chromium.look(1280)
    chromium.open(views.as_uri())
    cells = "[...document.querySelectorAll('#map a')].filter(one => one.checkVisibility()).length"
    before = chromium.run(cells)
    typed(chromium, "QL003")
    assert chromium.run("[...document.querySelectorAll('[role=tab]')].map(one => one.textContent)") == [
        "Quotas: 0 matches",
        "Other findings (1): 1 match",
    ]
    assert (before, chromium.run(cells)) == (4, 0)


def pressed(chromium: Browser, key: str) -> None:
    """A key, as a reader presses it."""
    for kind in ("keyDown", "keyUp"):
        chromium.send("Input.dispatchKeyEvent", type=kind, key=key, code=key)


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of two environments, with something that is about no quota."""
    folder = tmp_path_factory.mktemp("views")
    for name in "ab":
        objects = (
            quota("shop", "base", {"pods": "3"}),
            deployment("shop", "web", 5, "1"),
            quota("cart", "small", {"pods": "9"}),
            deployment("cart", "api", 2, "1"),
        )
        (folder / "clusters" / name).mkdir(parents=True)
        for number, item in enumerate(objects):
            (folder / "clusters" / name / f"{number}.json").write_text(json.dumps(item))
    (folder / "broken").mkdir()
    kustomization = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [nowhere.yaml]\n"
    (folder / "broken" / "kustomization.yaml").write_text(kustomization)
    file = folder / "report.html"
    run([str(folder), "--output", f"html={file}"])
    return file


def test_112_quotas_fit_on_the_screen_of_a_laptop(chromium: Browser, tmp_path: Path) -> None:
    for number in range(112):
        name = f"namespace-{number:03}"
        (tmp_path / f"{number}.json").write_text(json.dumps(quota(name, "base", {"pods": "9"})))
        if number % 3:
            (tmp_path / f"{number}-web.json").write_text(json.dumps(deployment(name, "web", number % 12, "1")))
    file = tmp_path / "report.html"
    run(["check", str(tmp_path), "--quiet", "--output", f"html={file}"])
    chromium.look(1280, height=800)
    chromium.open(file.as_uri())
    bottoms = chromium.run("[...document.querySelectorAll('#map a')].map(one => one.getBoundingClientRect().bottom)")
    assert (len(bottoms), max(bottoms) <= 800) == (112, True)


@pytest.mark.parametrize("width", [360, 780, 1280])
@pytest.mark.parametrize("scheme_", ["light", "dark"])
def test_two_views_at_every_width(chromium: Browser, views: Path, width: int, scheme_: str) -> None:
    for fragment in ("", "#others"):
        chromium.look(width, scheme_)
        seen = chromium.open(views.as_uri() + fragment)
        chromium.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        measured = chromium.run(CONTRASTS)
        assert [measurement for measurement in measured if measurement["ratio"] < 4.5] == []
        assert (chromium.run("document.documentElement.scrollWidth"), chromium.run(OVERLAPPING), seen.messages) == (
            width,
            [],
            (),
        )
