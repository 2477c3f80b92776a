"""Markdown in files named like manifests: texts with examples, and manifests pasted with their code fence."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import Failure, Reading
from quotalint.text.lazy_patterns import lazy_pattern

FENCE = "a line of three backticks is Markdown, and no YAML"
"""The error for a manifest that was pasted with its code fence."""
_FENCE = lazy_pattern(rb"(?m)^```")  # texts in a ConfigMap are indented
_PROSE = lazy_pattern(rb"(?m)^(?![ \t]*(?:#|---|\r?$)).")
_MANIFEST = lazy_pattern(rb"(?m)^apiVersion[ \t]*:")
_EXAMPLES = 2  # the number of fenced examples that makes a file Markdown


class Fenced(NamedTuple):
    """A file that cannot be read because of a code fence."""

    reading: Reading
    """The reading with the fence as its only failure; without documents if it is a text with examples."""
    is_text: bool
    """It is Markdown."""


def read_fenced(data: bytes, reading: Reading) -> Fenced | None:
    """The reading of a file that fails because of a code fence; None if that is not the cause."""
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
