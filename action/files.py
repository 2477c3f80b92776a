"""The files by which a step tells the runner something: GITHUB_OUTPUT and GITHUB_STEP_SUMMARY."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

MAX_SUMMARY = 1024 * 1024
"""Bytes; GitHub shows nothing of a step's summary that is larger."""


def put_outputs(environ: Mapping[str, str], values: Mapping[str, str]) -> None:
    """Set outputs of the step. The delimiter is random, so that no value can end before its end."""
    delimiter = f"end-{secrets.token_hex(16)}"
    _append(environ, "GITHUB_OUTPUT", "".join(f"{name}<<{delimiter}\n{values[name]}\n{delimiter}\n" for name in values))


def put_summary(environ: Mapping[str, str], markdown: str) -> None:
    """Add Markdown to the summary of the job."""
    _append(environ, "GITHUB_STEP_SUMMARY", shortened(markdown, MAX_SUMMARY))


def shortened(markdown: str, most: int) -> str:
    """At most so many bytes of a report: whole lines, of a list whole items, and a sentence on the rest."""
    if len(markdown.encode()) <= most:
        return markdown
    note = "\n_The rest is left out, since GitHub takes no more._\n"
    room = most - len(note.encode())
    kept = []
    lines = markdown.splitlines(keepends=True)
    for line in lines:
        room -= len(line.encode())
        if room < 0:
            break
        kept.append(line)
    if lines[len(kept)].startswith("  "):  # in the middle of an item
        while kept and kept[-1].startswith("  "):
            kept.pop()
        kept = kept[:-1]
    return "".join(kept) + note


def _append(environ: Mapping[str, str], name: str, text: str) -> None:
    path = environ.get(name)
    if path:
        with open(path, "a", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
