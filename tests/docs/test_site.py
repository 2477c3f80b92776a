"""The documentation site, as `python docs/_site` builds it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import browser
import pytest
from browser import Browser
from docs_pages import ROOT

from quotalint.catalogue import rule_by_id, rule_ids
from quotalint.cli import COMMANDS
from quotalint.runtime.data import load_schema

pytestmark = pytest.mark.slow


class Page(HTMLParser):
    """What a built page refers to, what can be referred to in it, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Links are followed by people; all else is loaded by itself."""
        given = dict(attrs)
        if given.get("id"):
            self.ids.add(str(given["id"]))
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        elif tag in ("link", "base", "use") and given.get("rel") not in ("prev", "next", "canonical"):
            self.loaded.append(str(given.get("href")))
        self.loaded += [str(given[name]) for name in ("src", "srcset", "data", "poster") if given.get(name)]

    def handle_data(self, data: str) -> None:
        """As one reads it."""
        self.text += data


def built(root: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """The site of a repository."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "docs/_site", str(target)]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as CI builds it: what leads nowhere is an error."""
    if importlib.util.find_spec("zensical") is None:
        pytest.skip("zensical is not installed")
    folder = tmp_path_factory.mktemp("built") / "site"
    done = built(ROOT, folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """Every page, by file."""
    return {file: Page(file.read_text(encoding="utf-8")) for file in site.glob("**/*.html")}


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    loaded = {(file.name, what) for file, page in pages.items() for what in page.loaded}
    styles = {
        (file.name, what)
        for file in site.glob("**/*.css")
        for what in re.findall(r"(?:url\(|@import )[\"']?([^\"')]*)", file.read_text(encoding="utf-8"))
    }
    elsewhere = [item for item in sorted(loaded | styles) if urlsplit(item[1]).netloc]
    assert (len(loaded) > 10, elsewhere) == (True, [])


def test_no_page_makes_the_theme_ask_a_server(site: Path) -> None:
    # Its script loads these from elsewhere once a page has a diagram, or names the repository in its head.
    asking = re.compile(r'class="mermaid"|data-md-component="source"')
    assert [file.name for file in site.glob("**/*.html") if asking.search(file.read_text(encoding="utf-8"))] == []


def test_every_link_leads_somewhere(pages: dict[Path, Page]) -> None:
    links = [(file, link) for file, page in pages.items() for link in page.links if not urlsplit(link).scheme]
    broken = {
        f"{file.name}: {link}" for file, link in links if file.name != "404.html" and not _leads(file, link, pages)
    }
    assert (len(links) > 1000, broken) == (True, set())


def _leads(file: Path, link: str, pages: dict[Path, Page]) -> bool:
    target, _, anchor = unquote(link).partition("#")
    to = Path(os.path.normpath(file.parent / target)) if target else file
    to = to / "index.html" if to.is_dir() else to
    return to.exists() and (not anchor or anchor in pages[to].ids)


@pytest.mark.parametrize("rule_id", rule_ids())
def test_the_page_of_a_rule_says_what_explain_says(rule_id: str, site: Path, pages: dict[Path, Page]) -> None:
    first, message = rule_by_id(rule_id), _words(pages[site / "rules" / f"{rule_id}.html"].text)
    texts = [first.summary, first.rationale, first.known_problems, *(proof["says"] for proof in first.kubernetes)]
    files = [file for example in (*first.bad, *first.good) for file in example["files"].values()]
    wanted = [_words(text.replace("`", "")) for text in texts] + [_words(text) for text in files]
    assert [text for text in wanted if text not in message] == []


def _words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("rule_id", rule_ids())
def test_the_page_of_a_rule_shows_a_finding_of_it(rule_id: str, site: Path, pages: dict[Path, Page]) -> None:
    shown = re.findall(rf"(\S+:\d+:\d+)  \w+  {rule_id} ", pages[site / "rules" / f"{rule_id}.html"].text)
    expected = [example["expect"][0].split()[0] for example in rule_by_id(rule_id).bad if not example.get("before")]
    assert [place for place in expected if place not in shown and not place.startswith(".quotalint")] == []


def test_every_key_of_the_configuration_is_described(site: Path, pages: dict[Path, Page]) -> None:
    page = pages[site / "configuration.html"]
    keys: Any = load_schema("config")["properties"]
    assert [key for key in keys if key.lower() not in page.ids] == []
    assert [way for way in _ways(keys) if way not in page.text] == []


def _ways(keys: Any) -> Iterator[str]:
    """Every key in the schema that has a name, also deep inside."""
    for name, value in keys.items():
        yield name
        choices = [value, *value.get("anyOf", ())]
        for choice in choices:
            yield from _ways(choice.get("properties", {}))
            inner = choice.get("additionalProperties")
            if isinstance(inner, dict):
                yield from _ways(inner.get("properties", {}))


def test_every_command_is_there_with_its_help(site: Path, pages: dict[Path, Page]) -> None:
    text = pages[site / "command-line.html"].text
    assert [
        command for command in COMMANDS if f"$ quotalint {command} --help\nUsage: quotalint {command} " not in text
    ] == []


def test_documents_of_the_top_folder_and_schemas_are_published(site: Path) -> None:
    wanted = ["contributing.html", "changelog.html", "404.html"]
    wanted += [f"schemas/{file.name}" for file in ROOT.glob("schemas/*.schema.json")]
    assert [name for name in wanted if not (site / name).exists()] == []


def test_what_leads_nowhere_fails_the_build(site: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("docs", "schemas"):
        shutil.copytree(ROOT / name, copy / name)
    for name in ("mkdocs.yml", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, copy / name)
    faq = copy / "docs" / "faq.md"
    faq.write_text(faq.read_text() + "\n[a](nowhere.md) [b](usage.md#no-such-heading) [c](pictures/none.png)\n")
    done = built(copy, tmp_path / "site")
    assert (done.returncode, (tmp_path / "site").exists()) == (1, False)
    faq.write_text(faq.read_text().replace("[a](nowhere.md) ", "").replace("[c](pictures/none.png)", ""))
    (copy / "docs" / "forgotten.md").write_text("# Forgotten\n")
    message = built(copy, tmp_path / "site").stderr
    assert "forgotten.md: in no menu" in message
    assert "no-such-heading" in message


def test_nothing_else_than_a_site_is_replaced(site: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("keep me")
    done = built(ROOT, tmp_path)
    assert (done.returncode, "there is something else" in done.stderr, (tmp_path / "mine").exists()) == (1, True, True)


@pytest.mark.skipif(browser.path() is None, reason=f"{browser.PROGRAM} is not on PATH")
def test_the_search_works_from_a_folder_without_network(site: Path, tmp_path: Path) -> None:
    chromium = Browser(tmp_path)
    try:
        chromium.look(1280)
        chromium.open((site / "index.html").as_uri())
        chromium.run("document.querySelector('.md-search__button').click()")
        _wait_for(chromium, f"{_SEARCH}.some(one => one.localName === 'input')")
        chromium.run(f"{_SEARCH}.find(one => one.localName === 'input').focus()")
        for letter in "rollout hangs":
            chromium.send("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            chromium.send("Input.dispatchKeyEvent", type="keyUp", key=letter)
        _wait_for(chromium, f"{_SEARCH}.some(one => one.href?.includes('rules/QL302.html'))")
        typed = chromium.run(f"{_SEARCH}.find(one => one.localName === 'input').value")
        seen = chromium.seen()
        asked = [text for text in seen.requested if not text.startswith(("file:", "data:"))]
        assert (typed, asked, seen.messages) == ("rollout hangs", [], ())
    finally:
        chromium.close()


def _wait_for(chromium: Browser, condition: str) -> None:
    end = time.monotonic() + 30
    while not chromium.run(condition):
        assert time.monotonic() < end, condition
        time.sleep(0.1)


# What the search shows stands in shadow roots.
_SEARCH = "[...document.querySelectorAll('*')].flatMap(one => [...(one.shadowRoot?.querySelectorAll('*') ?? [])])"
