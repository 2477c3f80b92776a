"""Markdown as text: what is code in it and what is not, and texts that stay what they are in it."""

from __future__ import annotations

import re
from collections.abc import Callable

_FENCE = re.compile(r"^ *(```+|~~~+)")


def outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """The page with its text changed. Code, headings and comments stay."""
    lines, fence, text = [], "", ""
    for line in markdown.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark is None and not fence and not line.startswith(("#", "<!--")):
            text += line
            continue
        lines.append(_outside_spans(text, change))
        lines.append(line)
        text = ""
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
    return "".join((*lines, _outside_spans(text, change)))


def _outside_spans(text: str, change: Callable[[str], str]) -> str:
    """Code between backticks stays; a link around it is part of the text."""
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found[0])
        return f"\x00{len(held) - 1}\x00"

    changed = change(re.sub(r"(`+)[^`]+?\1", hold, text))
    return re.sub("\x00(\\d+)\x00", lambda found: held[int(found[1])], changed)


def escaped(text: str) -> str:
    """Plain text with code between backticks, as Markdown that says the same."""
    return _outside_spans(" ".join(text.split()), lambda part: re.sub(r"([\\*_\[\]<>#|])", r"\\\1", part))


def paragraphs(text: str) -> str:
    """Paragraphs of plain text, as Markdown."""
    return "\n\n".join(escaped(block) for block in text.strip().split("\n\n"))


def fenced(text: str, language: str, title: str = "") -> str:
    """A block of code, with the name of its file."""
    called = f' title="{title}"' if title else ""
    # A text with fences of its own stands within longer ones.
    fence = "`" * max((3, *(len(run) + 1 for run in re.findall("`{3,}", text))))
    return f"{fence}{language}{called}\n{text.rstrip()}\n{fence}"


def indented(text: str) -> str:
    """The same, inside of something."""
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
