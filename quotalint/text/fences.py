"""Markdown under the name of a manifest: a text with examples, and a manifest pasted with its fence."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import Failure, Reading
from quotalint.text.lazy_patterns import lazy_pattern

FENCE = "a line of three backticks is Markdown, and no YAML"
"""Why a manifest that was pasted with its fence cannot be read."""
_FENCE = lazy_pattern(rb"(?m)^```")  # texts of a ConfigMap are indented
_PROSE = lazy_pattern(rb"(?m)^(?![ \t]*(?:#|---|\r?$)).")
_MANIFEST = lazy_pattern(rb"(?m)^apiVersion[ \t]*:")
_EXAMPLES = 2  # fenced ones that make a text one to be read


class Fenced(NamedTuple):
    """A file that fails at a fence."""

    reading: Reading
    """With the fence for its one failure; nothing of a text with examples."""
    is_text: bool
    """It is written for people."""


def read_fenced(data: bytes, reading: Reading) -> Fenced | None:
    """What is to be made of a file that cannot be read for a fence; None where that is not what is wrong."""
    first = _FENCE.search(data)
    if first is None:
        return None
    lines = [number for number, line in enumerate(data.split(b"\n"), 1) if line.startswith(b"```")]
    failed_lines = {failure.line for failure in reading.failures}
    is_text = (
        len(lines) >= 2 * _EXAMPLES
        and min(failed_lines) <= lines[0]
        and _PROSE.search(data, 0, first.start()) is not None
        and _MANIFEST.search(data, 0, first.start()) is None
    )
    failed_fences = failed_lines.intersection(lines)
    if not (is_text or failed_fences):
        return None
    failure = Failure(FENCE, min(failed_fences or lines), 1)
    return Fenced(reading._replace(documents=() if is_text else reading.documents, failures=(failure,)), is_text)
