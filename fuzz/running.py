"""One mutated repository after another, in a folder of its own, in this process."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from fuzz.commands import COMMANDS
from fuzz.judging import wrong
from fuzz.mutations import mutated
from fuzz.seeds import Files, seeds
from quotalint.cli import run

_LONGEST = 20  # seconds of processor time that a run may take; the seeds take a tenth of one
_MEMORY = 3 << 30  # bytes that may be written to; Helm's Go library reserves many more addresses than it uses


class Outcome(NamedTuple):
    """What came of one run."""

    files: Files
    arguments: Sequence[str]
    reason: str
    """What was wrong; empty where nothing was."""


class _HangError(BaseException):
    """A run took too long."""


class Runner:
    """Runs one after the other; what comes next follows from the seed alone."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._seeds = seeds()
        self._home = os.getcwd()

    def __enter__(self) -> Runner:
        self._folder = Path(tempfile.mkdtemp(prefix="quotalint-fuzz-"))
        _bound_memory()
        return self

    def __exit__(self, *_: object) -> None:
        os.chdir(self._home)
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self) -> Outcome:
        """Mutate one of the seeds, and look at it with one of the commands."""
        seed = self._chance.choice(self._seeds)
        files = mutated(seed, self._chance)
        arguments = self._chance.choice(COMMANDS)
        folder = self._folder / "repo"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if arguments[0] == "diff":
            _write(folder, seed)
            _commit(folder)
            shutil.rmtree(folder / "copy", ignore_errors=True)
        if "with.yaml" in arguments:
            files.setdefault("with.yaml", files[sorted(files)[0]] if files else b"")
        _write(folder, files)
        if "--staged" in arguments:
            _git(folder, "add", "-A", "-f")
        os.chdir(folder)
        return Outcome(files, arguments, _judged(arguments))


def kept(top: Path, outcome: Outcome) -> Path:
    """The folder in which what went wrong is written down; one for each traceback."""
    about = re.sub(r"0x[0-9a-f]+|\d+", "0", outcome.reason.split("\n")[-1] + outcome.reason[-600:-200])
    folder = top / hashlib.sha256(about.encode("utf-8", "replace")).hexdigest()[:12]
    if not folder.exists():
        (folder / "repo").mkdir(parents=True)
        _write(folder / "repo", outcome.files)
        (folder / "arguments").write_text(json.dumps(outcome.arguments))
        (folder / "reason").write_text(outcome.reason, encoding="utf-8", errors="backslashreplace")
    return folder


def again(folder: Path) -> int:
    """Run what was kept once more; the exit status."""
    arguments = json.loads((folder / "arguments").read_text())
    os.chdir(folder / "repo")
    reason = _judged(arguments)
    print(reason or "nothing is wrong any more")
    return 1 if reason else 0


def _judged(arguments: Sequence[str]) -> str:
    os.environ["QUOTALINT_DEBUG"] = "1"  # exceptions come here
    out, err = _stream(), _stream()
    before = signal.signal(signal.SIGVTALRM, _hangs)
    streams = sys.stdin, sys.stdout, sys.stderr
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
        sys.stdin, sys.stdout, sys.stderr = _input(), out, err
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(arguments)
    except (Exception, _HangError):
        return traceback.format_exc(limit=-12)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        sys.stdin, sys.stdout, sys.stderr = streams
    return wrong(arguments, status, _text(out), _text(err))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="")


def _input() -> io.TextIOWrapper:
    """What is piped in: the first of the files."""
    names = sorted(path for path in Path().rglob("*") if path.is_file() and ".git" not in path.parts)
    return io.TextIOWrapper(io.BytesIO(names[0].read_bytes() if names else b""))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


def _hangs(number: int, frame: object) -> None:
    raise _HangError(f"more than {_LONGEST} s of processor time")


def _write(folder: Path, files: Files) -> None:
    for name, data in files.items():
        path = folder / name
        with contextlib.suppress(OSError, ValueError):  # a name that no file can have
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def _commit(folder: Path) -> None:
    _git(folder, "init", "-q")
    _git(folder, "add", "-A", "-f")
    _git(folder, "commit", "-q", "--allow-empty", "-m", "x")


def _git(folder: Path, *arguments: str) -> None:
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": "fuzz@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    # What git refuses (`.git/config` as a file of the repository) is no fault of ours.
    subprocess.run(["git", *arguments], cwd=folder, env=environment, check=False, capture_output=True)


def _bound_memory() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
