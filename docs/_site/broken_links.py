"""What leads nowhere on a built site: files that are not there, anchors that no page has, pages that no menu names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit


class Linked(NamedTuple):
    """What a page refers to, and what can be referred to in it."""

    links: tuple[str, ...]
    anchors: frozenset[str]


class _Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {str(given[name]) for name in ("id", "name") if given.get(name)}
        wanted = given.get("href") if tag in ("a", "link") else given.get("src")
        if wanted and given.get("rel") != "canonical":
            self.links.append(wanted)


def broken_links(site: Path) -> list[str]:
    """`page: link` for each that leads nowhere. Links to other hosts are not followed."""
    pages = {file: _read(file) for file in site.glob("**/*.html")}
    return sorted(
        f"{file.relative_to(site)}: {link}"
        for file, page in pages.items()
        if file.name != "404.html"  # is shown at any address, so its links begin at the top of a host
        for link in page.links
        if not urlsplit(link).scheme and not urlsplit(link).netloc and not _leads(file, link, pages)
    )


def _read(file: Path) -> Linked:
    read = _Reader(file.read_text(encoding="utf-8"))
    return Linked(tuple(dict.fromkeys(read.links)), frozenset(read.anchors))


def _leads(file: Path, link: str, pages: dict[Path, Linked]) -> bool:
    target, _, anchor = unquote(link).partition("#")
    target = target.partition("?")[0]
    to = Path(os.path.normpath(file.parent / target)) if target else file
    to = to / "index.html" if to.is_dir() else to
    return to.exists() and (not anchor or to not in pages or anchor in pages[to].anchors)


def unlisted(pages: Path, listed: Iterable[str]) -> Iterator[str]:
    """Pages that the navigation does not lead to, and what it leads to that is not there."""
    there = {file.relative_to(pages).as_posix() for file in pages.glob("**/*.md")}
    named = set(listed)
    yield from (f"{name}: in no menu; it needs a line in nav of mkdocs.yml" for name in sorted(there - named))
    yield from (f"mkdocs.yml: nav leads to {name}, which is not there" for name in sorted(named - there))
