"""All pages of the site, written into a folder: those that people write, with their links as the site needs them;
rules, configuration and command line from the program itself; the two documents of the top folder; the schemas."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from command_line_page import commands
from configuration_page import configuration
from page_links import for_the_site
from rule_pages import groups, rule_index, rule_page

from quotalint.catalogue import rule_by_id

ROOT = Path(__file__).parents[2]
DOCUMENTS = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
"""Pages that lie at the top of the repository."""
GENERATED = {"configuration": configuration, "command-line": commands, "rules": rule_index}
"""What `<!-- generated: … -->` stands for."""
_COPIED = ("_theme", "pictures", "playground")


def write_pages(folder: Path) -> None:
    """Write everything that the site is made of, `mkdocs.yml` beside the folder `pages`."""
    pages = folder / "pages"
    for page, markdown in _pages():
        file = pages / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(markdown, encoding="utf-8")
    for name in _COPIED:
        shutil.copytree(ROOT / "docs" / name, pages / name)
    (pages / "schemas").mkdir()
    for schema in ROOT.glob("schemas/*.schema.json"):
        shutil.copy(schema, pages / "schemas" / schema.name)
    settings = {**configured(), "docs_dir": "pages", "site_dir": "site"}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False, allow_unicode=True), encoding="utf-8")


def configured() -> dict[str, Any]:
    """`mkdocs.yml`, with every rule in the navigation, below the index of rules."""
    document: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    rules = [
        {title: [{f"{text} {rule_by_id(text).name}": f"rules/{text}.md"} for text in ids]} for title, ids in groups()
    ]
    entries = [entry for group in document["nav"] for entry in group.items()]
    nav = [{name: [to, *rules] if to == "rules/index.md" else to} for name, to in entries]
    return {**document, "nav": nav}


def listed_pages(nav: object) -> Iterator[str]:
    """The files that a navigation leads to."""
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, (list, dict)):
        for inner in nav.values() if isinstance(nav, dict) else nav:
            yield from listed_pages(inner)


def _pages() -> Iterator[tuple[str, str]]:
    """The name and the Markdown of each page."""
    published = {document: name for name, document in DOCUMENTS.items()}
    written = {str(file.relative_to(ROOT / "docs").as_posix()): file for file in (ROOT / "docs").glob("**/*.md")}
    for page, file in {**written, **{page: ROOT / name for page, name in DOCUMENTS.items()}}.items():
        markdown = file.read_text(encoding="utf-8")
        for name, generate in GENERATED.items():
            mark = f"<!-- generated: {name} -->"
            if mark in markdown:
                markdown = markdown.replace(mark, generate())
        yield page, for_the_site(markdown, ROOT, file.relative_to(ROOT).as_posix(), page, published)
    for _, ids in groups():
        for text in ids:
            page = f"rules/{text}.md"
            yield page, for_the_site(rule_page(text), ROOT, f"docs/{page}", page, published)
