"""Reports parsed back: each has to be what its format says that it is."""

from __future__ import annotations

import csv
import html.parser
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"
_ELEMENTS = frozenset(("img", "iframe", "object", "embed", "base", "audio", "video", "frame", "applet"))
_LEVELS = frozenset(("error", "warning", "note", "none"))
_ANNOTATION = re.compile(r"::(?:error|warning|notice) [^:]*::|::group::|::endgroup::")

ERRORS = (ValueError, KeyError, TypeError, IndexError, ElementTree.ParseError, yaml.YAMLError, csv.Error)


def unreadable(name: str, text: str, command: str) -> str:
    """What is wrong with a report of a format; empty where nothing is. Raises one of ERRORS where it cannot be read."""
    return _READERS[name](text, command) if name in _READERS else ""


def _json(text: str, command: str) -> str:
    content = json.loads(text)
    if command not in ("check", "usage", "diff"):
        return "" if content else "nothing"
    errors = _validator(command).iter_errors(content)
    return next((f"not by the schema: {list(error.path)}: {error.message[:200]}" for error in errors), "")


@cache
def _validator(command: str) -> Any:
    import jsonschema
    from referencing import Registry, Resource

    report = json.loads((_SCHEMAS / "report.schema.json").read_text())
    registry: Any = Registry().with_resources([(report["$id"], Resource.from_contents(report))])
    if command == "diff":
        promise = json.loads((_SCHEMAS / "diff.schema.json").read_text())
    elif command == "usage":
        quotas = {"$ref": f"{report['$id']}#/properties/quotas"}
        promise = {"$schema": report["$schema"], "required": ["quotas"], "properties": {"quotas": quotas}}
    else:
        promise = report
    return jsonschema.Draft202012Validator(promise, registry=registry)


def _gitlab(text: str, command: str) -> str:
    report = json.loads(text)
    marks = [
        finding["fingerprint"]
        for finding in report
        if finding["location"]["path"] and finding["location"]["lines"]["begin"] > 0
    ]
    return "" if len(marks) == len(report) else "an issue without path or line"


def _sarif(text: str, command: str) -> str:
    log = json.loads(text)
    if log["version"] != "2.1.0":
        return "no SARIF"
    rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    for result in log["runs"][0]["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"] or result["level"] not in _LEVELS:
            return f"a result of another rule: {result['ruleId']}"
        for place in _places(result):
            uri, region = place["artifactLocation"]["uri"], place.get("region", {})
            if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|/", uri) or re.search(r"[^!-~]", uri):
                return f"no relative URI: {uri!r}"
            if region.get("startLine", 1) < 1 or region.get("startColumn", 1) < 1:
                return "a region before the first line"
    return ""


def _places(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for location in (*result["locations"], *result.get("relatedLocations", ())):
        yield location["physicalLocation"]


def _rdjson(text: str, command: str) -> str:
    for diagnostic in json.loads(text)["diagnostics"]:
        if diagnostic["severity"] not in ("ERROR", "WARNING", "INFO") or not diagnostic["message"]:
            return "a diagnostic without severity or message"
        start = diagnostic["location"]["range"]["start"]
        if not diagnostic["location"]["path"] or start["line"] < 1 or start["column"] < 1:
            return "a diagnostic without a place"
    return ""


def _csv(text: str, command: str) -> str:
    lines = list(csv.reader(io.StringIO(text)))
    if any(len(line) != len(lines[0]) for line in lines):
        return "lines of several lengths"
    names = [cell for line in lines for at, cell in enumerate(line) if lines[0][at] in ("namespace", "quota", "file")]
    return next((f"a formula: {cell!r}" for cell in names if cell.startswith(("=", "+", "-", "@"))), "")


def _github(text: str, command: str) -> str:
    lines = (line for line in text.splitlines() if line.lstrip().startswith("::"))
    return next((f"no annotation: {line[:80]!r}" for line in lines if not _ANNOTATION.match(line)), "")


def _junit(text: str, command: str) -> str:
    top = ElementTree.fromstring(text)
    cases = [item for item in top.iter("testcase") if item.get("name")]
    return "" if len(cases) == len(list(top.iter("testcase"))) else "a test without a name"


def _yaml(text: str, command: str) -> str:
    # Its own depth is bounded by what is read; the events are enough to see that it is YAML.
    for _ in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)) if text else ():
        pass
    return ""


def _html(text: str, command: str) -> str:
    page = _Page()
    page.feed(text)
    return page.active


def _markdown(text: str, command: str) -> str:
    match = re.search(r"(?i)(?<![\\`])<(?:script|img|iframe)[\s>]", re.sub(r"`[^`]*`", "", text))
    return "an element in Markdown" if match else ""


class _Page(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.active = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        links = [value or "" for name, value in attrs if name in ("href", "src", "action")]
        acting = any(name.startswith("on") or name == "srcdoc" for name, _ in attrs)
        if tag in _ELEMENTS or acting or any(not re.match(r"#|https://", link) for link in links):
            self.active = f"<{tag}> with {attrs}"


_READERS: Mapping[str, Callable[[str, str], str]] = {
    "json": _json,
    "gitlab": _gitlab,
    "sarif": _sarif,
    "rdjson": _rdjson,
    "csv": _csv,
    "github": _github,
    "junit": _junit,
    "yaml": _yaml,
    "html": _html,
    "markdown": _markdown,
}
