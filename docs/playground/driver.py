"""What the playground asks of quotalint: files in, the report of a command out, all in the memory of the page."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
from collections.abc import Mapping
from typing import Any

from quotalint.cli import run
from quotalint.version import __version__

COMMANDS = {"findings": ("check", "--format", "json"), "usage": ("usage",)}
FOLDER = "/manifests"


def answer(step: str, asked: str) -> str:
    """The output and the messages of a step for `files` (name → text), with lines of `columns`; JSON both ways."""
    question: Any = json.loads(asked)
    # Each run is new, and there is no process to keep an answer for.
    os.environ.update(COLUMNS=str(question["columns"]), QUOTALINT_NO_CACHE="1")
    wrong = "" if step != "findings" else _write(question["files"])
    output, messages = io.StringIO(), io.StringIO(wrong)
    if not wrong:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages):
            run(COMMANDS[step])
    return json.dumps({"output": output.getvalue(), "messages": messages.getvalue(), "version": __version__})


def _write(files: Mapping[str, str]) -> str:
    """Make these the only files; what is wrong with their names, if anything is."""
    os.chdir("/")
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    os.chdir(FOLDER)
    for name, text in files.items():
        path = os.path.normpath(name)
        if path.startswith(("/", "..")):
            return f"{name}: a name may not lead out of the folder"
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        except (OSError, ValueError) as error:
            return f"{name}: {error}"
    return ""
