"""Pages for people, as their tests read them.

A section (`## …`) is a repository of its own. Its blocks with a file name (```` ```yaml title="quota.yaml" ````) are
the files; `<!-- repository: FOLDER -->` makes it a copy of a folder, whose files the blocks then have to be. Lines that
begin with `$ ` are run there, one after the other; a section without files is run at the top of the project. What
stands below a command is what it prints; a line `…` stands for lines that are left out. A block with the title `Files`
has a path at the beginning of each line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/**/*.md"))]
LEFT_OUT = "…"
LISTING = "Files"

_FENCE = re.compile(r'^( *)```(\w*)(?: title="([^"]*)")?$')


class Block(NamedTuple):
    """Code of a page."""

    language: str
    title: str
    """The name of the file that it is."""
    text: str

    def commands(self) -> Iterator[tuple[str, str]]:
        """What is run, each with what is shown below it."""
        parts = re.split(r"^\$ (.*)$\n?", self.text, flags=re.MULTILINE)
        yield from zip(parts[1::2], parts[2::2], strict=True)


class Section(NamedTuple):
    """What stands below a heading."""

    page: Path
    heading: str
    repository: str
    """The folder that it is about."""
    text: str
    """Without its code."""
    blocks: tuple[Block, ...]

    @property
    def name(self) -> str:
        """To tell it from all others."""
        return f"{self.page.relative_to(ROOT)}: {self.heading}"


def sections(page: Path) -> Iterator[Section]:
    """The sections of a page; what stands above the first heading is one too."""
    parts = re.split(r"^## (.*)$\n", _hidden_headings(page.read_text(encoding="utf-8")), flags=re.MULTILINE)
    for heading, text in zip(["top", *parts[1::2]], parts[::2], strict=True):
        parts_of_text = list(_blocks(text.replace("\x00", "#")))
        prose = "".join(part for part in parts_of_text if isinstance(part, str))
        repository = re.search(r"<!-- repository: (\S+) -->", prose)
        blocks = tuple(part for part in parts_of_text if isinstance(part, Block))
        yield Section(page, heading, repository[1] if repository else "", prose, blocks)


def all_sections() -> list[Section]:
    """Those of every page."""
    return [section for page in PAGES for section in sections(page)]


def missing(shown: str, real: str) -> str:
    """What is shown and is not real; nothing where all of it is, in order, but for what is left out."""
    parts = re.split(rf"^{LEFT_OUT}\n?", shown.rstrip("\n") + "\n", flags=re.MULTILINE)
    rest = "\n" + real.rstrip("\n") + "\n"
    for at, part in enumerate(parts):
        wanted = part.strip("\n")
        if not wanted:
            continue
        before, text, rest = rest.partition(f"\n{wanted}\n")
        if not text or (at == 0 and before.strip()):
            return wanted
        rest = "\n" + rest
    return "(the end)" if parts[-1].strip() and rest.strip() else ""


def _hidden_headings(text: str) -> str:
    """Comments in code are no headings."""
    lines, inside = [], False
    for line in text.splitlines(keepends=True):
        inside ^= _fence(line) is not None
        lines.append(line.replace("#", "\x00") if inside else line)
    return "".join(lines)


def _blocks(text: str) -> Iterator[str | Block]:
    """Text and code, in order."""
    start, code = None, ""
    for line in text.splitlines(keepends=True):
        mark = _fence(line)
        if start is None and mark is None:
            yield line
        elif start is None:
            start, code = mark, ""
        elif mark is not None:
            yield Block(start[2], start[3] or "", code)
            start = None
        else:
            code += line.removeprefix(start[1])
    assert start is None, code


def _fence(line: str) -> re.Match[str] | None:
    match = _FENCE.match(line.rstrip("\n"))
    assert match or "```" not in line, f"no fence that is understood: {line}"
    return match
