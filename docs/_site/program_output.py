"""What quotalint prints, run here and now: pages show nothing else."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quotalint.cli import run


def printed(arguments: Sequence[str], files: Mapping[str, str] = {}) -> str:
    """The standard output of `quotalint` in a folder with these files alone, with no other program at hand."""
    out = io.StringIO()
    with _alone(files), contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        run(list(arguments))
    return out.getvalue()


@contextlib.contextmanager
def _alone(files: Mapping[str, str]) -> Iterator[None]:
    before, environment = os.getcwd(), {name: os.environ.get(name) for name in ("PATH", "COLUMNS")}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        os.chdir(folder)
        os.environ["PATH"] = ""
        os.environ.pop("COLUMNS", None)
        try:
            yield
        finally:
            os.chdir(before)
            for name, value in environment.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
