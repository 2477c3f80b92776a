"""An unchanging copy of what is fuzzed: files that are edited meanwhile would be half old, half new, and crash."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

_TOP = Path(__file__).resolve().parent.parent


@contextlib.contextmanager
def copy_of(commit: str, top: Path = _TOP) -> Iterator[Path]:
    """A temporary folder with the files of a commit. Raises OSError where there is no git, and
    subprocess.CalledProcessError where there is no such commit."""
    command = ["git", "archive", "--format=tar", commit]
    archive = subprocess.run(command, cwd=top, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory(prefix="quotalint-fuzzed-") as folder:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder)  # of our own commit
        yield Path(folder)


def run_copy(folder: Path, arguments: Sequence[str]) -> int:
    """Fuzz the copy, with these arguments of `python -m fuzz`; the exit status. Paths have to be absolute."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "fuzz", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode
