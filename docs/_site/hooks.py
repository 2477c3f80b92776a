"""What mkdocs adds to the pages that people write: rules, configuration and command line from the program itself, the
two documents of the top folder, and links that work on the site as they do in the repository."""

from __future__ import annotations

from pathlib import Path

from command_line_page import commands
from configuration_page import configuration
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from page_links import for_the_site
from rule_pages import groups, rule_index, rule_page

from quotalint.catalogue import rule

ROOT = Path(__file__).parents[2]
DOCUMENTS = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
"""Pages that lie at the top of the repository."""
GENERATED = {"configuration": configuration, "command-line": commands, "rules": rule_index}
"""What `<!-- generated: … -->` stands for."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put every rule into the navigation, below the index of rules."""
    rules = [{title: [{f"{one} {rule(one).name}": f"rules/{one}.md"} for one in found]} for title, found in groups()]
    assert isinstance(config.nav, list)
    config.nav = [{"Rules": [entry["Rules"], *rules]} if "Rules" in entry else entry for entry in config.nav]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of rules, the documents of the top folder, and the schemas."""
    for _, found in groups():
        for one in found:
            files.append(File.generated(config, f"rules/{one}.md", content=rule_page(one)))
    for page, document in DOCUMENTS.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / document)))
    for schema in sorted(ROOT.glob("schemas/*.schema.json")):
        files.append(File.generated(config, f"schemas/{schema.name}", abs_src_path=str(schema)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fill in what is generated, and turn links of the repository into links of the site."""
    for name, generate in GENERATED.items():
        mark = f"<!-- generated: {name} -->"
        if mark in markdown:
            markdown = markdown.replace(mark, generate())
    written = DOCUMENTS.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    published = {document: name for name, document in DOCUMENTS.items()}
    return for_the_site(markdown, ROOT, written, page.file.src_uri, published)
