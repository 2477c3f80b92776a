"""`--format` and `--output`: the requested reports, and how they are written."""

from __future__ import annotations

import os
from collections.abc import Sequence

from quotalint.cli.printing import clean_text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.transcript import note_doubt, note_written
from quotalint.text.files import LED_OUT, is_stream, leads_out, write_whole

STDOUT = "-"


class Output(NamedTuple):
    """A requested report."""

    format: str
    file: str = STDOUT


def wanted_outputs(format_: str | None, outputs: Sequence[Output]) -> tuple[Output, ...] | str:
    """The outputs of `--format` and every `--output`, exactly one of them on standard output; a string says what is
    wrong."""
    printed = [output for output in outputs if output.file == STDOUT]
    if len(printed) > 1 or (printed and format_):
        first = f"--format {format_}" if format_ else f"--output {printed[0].format}={STDOUT}"
        last = f"--output {printed[-1].format}={STDOUT}"
        return f"{first} and {last}: only one report can go to standard output"
    targets = set()
    for output in outputs:
        path = os.path.normcase(os.path.realpath(output.file))
        if output.file != STDOUT and path in targets:
            return f"--output {output.format}={output.file}: this file is given twice"
        targets.add(path)
    return (*(output for output in outputs if output.file != STDOUT), *(printed or [Output(format_ or "text")]))


def deliver_file(output: Output, text: str) -> str:
    """Write a report to the file of an option; the failure, or None."""
    note_written(output.file, output.format, text)
    return write_report(output.file, clean_text(text, output.format))


def write_report(path: str, text: str) -> str:
    """Like `write_file`, but not through a link of the repository: a change must not choose the target."""
    return LED_OUT if leads_out(path) else write_file(path, text)


def write_file(path: str, text: str) -> str:
    """Replace a file with a report, whole or not at all; the failure, or None."""
    # What is no Unicode comes from names in manifests; a report says so rather than to fail.
    data = text.encode("utf-8", "backslashreplace")
    if is_stream(path):
        note_doubt(f"{path} is no file")
    return write_whole(path, data)
