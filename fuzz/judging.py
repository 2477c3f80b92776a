"""What must be true of a run: it ends, nothing is raised, and its reports are what they claim to be."""

from __future__ import annotations

import html.parser
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

import yaml

_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_COMMAND = re.compile(r"^[^\S\n]*::(?!(?:error|warning|notice) |group::|endgroup::)|##\[", re.MULTILINE)
_ELEMENTS = frozenset(("img", "iframe", "object", "embed", "base", "audio", "video", "frame", "applet"))

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit", "markdown", "html")
USAGE_FORMATS = ("text", "json", "markdown", "html")
COMMANDS: tuple[tuple[str, ...], ...] = (
    *(("check", "-f", name, ".") for name in FORMATS),
    *(("usage", "-f", name, ".") for name in USAGE_FORMATS),
    ("check", "--select", "QL", "--scenario", "peak", "-v", "."),
    ("check", "--fix", "--diff", "."),
    ("check", "--unsafe-fixes", "--diff", "."),
    ("render", "."),
    *(("diff", "HEAD", "-f", name) for name in ("text", "json", "markdown", "html", "sarif")),
)


def wrong(arguments: Sequence[str], status: int, out: str, err: str) -> str:
    """What is wrong with the outcome of a run; empty where nothing is."""
    if status not in (0, 1, 2):
        return f"exit status {status}"
    if "bug in quotalint" in err or "Traceback" in err:
        return f"a bug: {err[:300]}"
    if _ACTING.search(err) or _COMMAND.search(err):
        return f"standard error acts: {err[:300]!r}"
    patch = "--diff" in arguments
    if _ACTING.search(out.replace("\r\n", "\n") if patch else out) or _COMMAND.search(out):
        return "standard output acts on terminals or runners"
    if status == 2 or patch:
        return ""
    name = arguments[arguments.index("-f") + 1] if "-f" in arguments else "yaml" if arguments[0] == "render" else "text"
    try:
        return _unreadable(name, out)
    except (ValueError, KeyError, TypeError, ElementTree.ParseError, yaml.YAMLError, RecursionError) as error:
        return f"{name}: {type(error).__name__}: {str(error)[:300]}"


def _unreadable(name: str, text: str) -> str:
    if name in ("json", "gitlab", "sarif"):
        content = json.loads(text)
        if name == "sarif" and content["version"] != "2.1.0":
            return "no SARIF"
        if name == "gitlab" and not all(one["fingerprint"] and one["location"]["path"] for one in content):
            return "an issue without fingerprint or path"
    elif name == "junit":
        ElementTree.fromstring(text)
    elif name == "yaml" and text:
        # Its own depth is bounded by what is read; the events are enough to see that it is YAML.
        for _ in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            pass
    elif name == "html":
        page = _Page()
        page.feed(text)
        return page.active
    elif name == "markdown" and re.search(r"(?i)(?<![\\`])<(?:script|img|iframe)[\s>]", re.sub(r"`[^`]*`", "", text)):
        return "an element in Markdown"
    return ""


class _Page(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.active = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _ELEMENTS or any(name.startswith("on") or name == "srcdoc" for name, _ in attrs):
            self.active = f"<{tag}> with {attrs}"
