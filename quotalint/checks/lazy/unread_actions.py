"""Template actions `{{ … }}` in manifests that no template engine rendered."""

from __future__ import annotations

import re

from quotalint.accounts.facts import Facts
from quotalint.accounts.filling import has_template_name, is_among_plain_manifests, is_filled_by_script
from quotalint.checks.hit import Hit
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place
from quotalint.text.reading import File, read_bytes
from quotalint.text.sources import Unreadable

_CONTROL = lazy_pattern(
    rb"\{\{-?\s*(?:/\*|(?:if|range|with|end|define|include|template|block|else|toYaml|tpl|set)\b)|\{%"
)
_LIMITING = lazy_pattern(rb"(?m)^\s*kind:\s*[\"']?(?:ResourceQuota|LimitRange|Namespace)\b")
_ACTION = lazy_pattern(rb"(?m)^[ -]*(?:name|namespace|[a-z./-]+):[ \t]*[\"']?(\{\{[^{}\n]*\}\})")


def first_action(file: File, facts: Facts) -> Hit | None:
    """The first `{{ … }}` in a quota, LimitRange or Namespace of a folder of plain manifests."""
    name = file.source.name
    if has_template_name(name) or name in facts.repository.kustomized or name in facts.repository.data:
        return None
    if not is_among_plain_manifests(name, facts):
        return None
    data = read_bytes(file.source, bytes)
    if isinstance(data, Unreadable) or not _LIMITING.search(data) or _CONTROL.search(data):
        return None
    action = _first_unread(file, data)
    written = action[1].decode("utf-8", "replace") if action else ""
    if action is None or is_filled_by_script(name, written, facts.settings.repository):
        return None
    line = data.count(b"\n", 0, action.start(1)) + 1
    column = action.start(1) - data.rfind(b"\n", 0, action.start(1))
    return Hit(Place(name), {"written": written, "key": written}, variant="template", line=line, column=column)


def _first_unread(file: File, data: bytes) -> re.Match[bytes] | None:
    """The first action in a document that cannot be parsed; elsewhere an action is plain text."""
    starts = [0, *(separator.end() for separator in re.finditer(rb"(?m)^---.*\n", data)), len(data)]
    for failure in file.reading.failures:
        line = sum(len(text_line) for text_line in data.splitlines(keepends=True)[: failure.line - 1])
        begin = max(start for start in starts if start <= line)
        end = min((start for start in starts if start > line), default=len(data))
        action = _ACTION.search(data, begin, end)
        if action is not None and _LIMITING.search(data, begin, end):
            return action
    return None
