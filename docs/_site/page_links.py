"""Links of a page: what is written for readers of the repository, as it has to be on the site."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from prose import outside_code

SOURCE = "https://github.com/quotalint/quotalint"


def for_the_site(markdown: str, root: Path, written: str, page: str, published: Mapping[str, str]) -> str:
    """A page of the site, from the file `written` of the repository: links to files lead to pages, to what is
    published, or to the source; ids of rules lead to their pages."""

    def moved(found: re.Match[str]) -> str:
        target, hash_, anchor = found[2].partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return found[0]
        place = os.path.normpath(os.path.join(os.path.dirname(written), target)).replace(os.sep, "/")
        if place.startswith("docs/") or place in published or re.fullmatch(r"schemas/.*\.schema\.json", place):
            to = os.path.relpath(published.get(place, place.removeprefix("docs/")), os.path.dirname(page) or ".")
            return f"{found[1]}({to.replace(os.sep, '/')}{hash_}{anchor})"
        if (root / place).exists():
            kind = "tree" if (root / place).is_dir() else "blob"
            return f"{found[1]}({SOURCE}/{kind}/main/{place}{hash_}{anchor})"
        return found[0]

    def linked(text: str) -> str:
        parts = re.split(r"(\[[^\]]*\]\([^)\s]*\)|<[^>]*>)", text)
        to = "" if page.startswith("rules/") else "rules/"
        return "".join(
            re.sub(r"(\[[^\]]*\])\(([^)\s]*)\)", moved, part)
            if index % 2
            else re.sub(r"\b(QL\d{3})\b", lambda rule: _to_rule(rule[1], to, page), part)
            for index, part in enumerate(parts)
        )

    return outside_code(markdown, linked)


def _to_rule(rule: str, to: str, page: str) -> str:
    return rule if page == f"rules/{rule}.md" else f"[{rule}]({to}{rule}.md)"
