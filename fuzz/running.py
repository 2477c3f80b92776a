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
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fuzz import confusion
from fuzz.commands import COMMANDS
from fuzz.editors import SESSION, converse, session
from fuzz.judging import wrong
from fuzz.mutations import mutated
from fuzz.seeds import Files, seeds
from quotalint.answering import answer
from quotalint.cache.folder import KEY, VARIABLE, entry, keep, kept_entries
from quotalint.cache.kept_answer import frame_values
from quotalint.cli import run

_LONGEST = 20  # seconds of processor time that a run may take; the seeds take a tenth of one
_CACHED = ("check", "usage", "render", "suggest", "what-if", "fleet", "vendor")
_OFTEN_CACHED = 0.1
_OF_AN_EARLIER_TIME = 0.1  # seconds until an answer about new files is kept
_MEMORY = 3 << 30  # bytes that may be written to; Helm's Go library reserves many more addresses than it uses


class Outcome(NamedTuple):
    """What came of one run."""

    files: Files
    arguments: Sequence[str]
    reason: str
    """What was wrong; empty where nothing was."""
    base: Mapping[str, bytes] = MappingProxyType({})
    """What is committed before, for `diff`."""


class _HangError(BaseException):
    """A run took too long."""


class Runner:
    """Runs one after the other; what comes next follows from the seed alone."""

    def __init__(self, seed: int, confused: int = 0) -> None:
        self._chance = random.Random(seed)
        self._seeds = seeds()
        self._home = os.getcwd()
        self._confused = confused
        """How many cases of `confusion` are done."""
        self._neighboured: dict[int, bool] = {}

    def __enter__(self) -> Runner:
        self._folder = Path(tempfile.mkdtemp(prefix="quotalint-fuzz-"))
        _bound_memory()
        os.environ["QUOTALINT_DEBUG"] = "1"  # exceptions come here
        return self

    def __exit__(self, *_: object) -> None:
        os.chdir(self._home)
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self) -> Outcome:
        """Mutate one of the seeds, and look at it with one of the commands."""
        seed = self._chance.choice(self._seeds)
        files = mutated(seed, self._chance)
        arguments = self._chance.choice(COMMANDS)
        is_cached = arguments[0] in _CACHED and self._chance.random() < _OFTEN_CACHED
        self._prepare(seed, files, arguments)
        if arguments[0] == "lsp":
            said = session(files, self._chance)
            return Outcome({**files, SESSION: said}, arguments, converse(said))
        if is_cached:
            return Outcome(files, arguments, self._judged_warm(arguments))
        return Outcome(files, arguments, _judged(arguments), seed)

    def confuse(self) -> Outcome:
        """Look at the next case of `confusion`, with `check` and with one more command."""
        cases = confusion.cases()
        case = cases[self._confused % len(cases)]
        arguments = confusion.COMMANDS[self._confused % len(confusion.COMMANDS)]
        self._confused += 1
        outcome = self._confuse(case, arguments)
        apart = (self._confuse(case._replace(values=(value,)), arguments) for value in case.values)
        return next((each for each in apart if each.reason), outcome) if outcome.reason else outcome

    def _finds_neighbour(self, seed: Files) -> bool:
        """Whether `check` finds the neighbour beside a seed: where a deployer says what is applied, it is not."""
        key = id(seed)
        if key not in self._neighboured:
            self._prepare(seed, {**seed, **confusion.NEIGHBOUR}, confusion.JUDGED)
            self._neighboured[key] = not _judged(confusion.JUDGED, confusion.is_neighbour_judged, may_fail=False)
        return self._neighboured[key]

    def _confuse(self, case: confusion.Case, arguments: Sequence[str]) -> Outcome:
        files = case.files()
        is_expected = not case.is_configured and self._finds_neighbour(case.seed)
        self._prepare(case.seed, files, arguments)
        reason = _judged(
            confusion.JUDGED, confusion.is_neighbour_judged if is_expected else None, may_fail=case.is_configured
        )
        if reason:
            return Outcome(files, confusion.JUDGED, reason)
        return Outcome(files, arguments, _judged(arguments), case.seed)

    def _judged_warm(self, arguments: Sequence[str]) -> str:
        """Ask with an empty cache, change what was kept under a digest that is right, and ask again."""
        folder = str(self._folder / "cache")
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(_OF_AN_EARLIER_TIME)
        with _environment(QUOTALINT_DEBUG=None, QUOTALINT_NO_CACHE=None, **{VARIABLE: folder}):
            reason = _judged(arguments, asked=answer)
            for _, _, path in list(kept_entries(folder)):
                key = os.path.basename(path)[:KEY]
                values = {str(at): part for at, part in enumerate(_unframed(entry(folder, key) or b""))}
                changed = mutated(values, self._chance)
                keep(
                    folder,
                    key,
                    frame_values([changed[name] for name in sorted(changed, key=lambda name: (len(name), name))]),
                )
            # Nothing is promised about what is printed then, but that it does no harm.
            return reason or _judged(arguments, asked=answer, as_command=("cache",))

    def _prepare(self, seed: Files, files: Files, arguments: Sequence[str]) -> None:
        """Write the files into the folder; for `diff`, beside a commit of the seed."""
        folder = self._folder / "repo"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if arguments[0] == "diff":
            _write(folder, seed)
            _commit(folder)
            _clear(folder)
        if "with.yaml" in arguments:
            files.setdefault("with.yaml", files[sorted(files)[0]] if files else b"")
        _write(folder, files)
        if "--staged" in arguments:
            _git(folder, "add", "-A", "-f")
        os.chdir(folder)


def kept(top: Path, outcome: Outcome) -> Path:
    """The folder in which what went wrong is written down; one for each traceback."""
    about = re.sub(r"0x[0-9a-f]+|\d+", "0", outcome.reason.split("\n")[-1] + outcome.reason[-600:-200])
    folder = top / hashlib.sha256(about.encode("utf-8", "replace")).hexdigest()[:12]
    if not folder.exists():
        (folder / "repo").mkdir(parents=True)
        if outcome.arguments[0] == "diff":
            _write(folder / "repo", outcome.base)
            _commit(folder / "repo")
            _clear(folder / "repo")
        _write(folder / "repo", outcome.files)
        (folder / "arguments").write_text(json.dumps(outcome.arguments))
        (folder / "reason").write_text(outcome.reason, encoding="utf-8", errors="backslashreplace")
    return folder


def again(folder: Path) -> int:
    """Run what was kept once more; the exit status."""
    arguments = json.loads((folder / "arguments").read_text())
    os.chdir(folder / "repo")
    os.environ["QUOTALINT_DEBUG"] = "1"
    reason = converse(Path(SESSION).read_bytes()) if arguments == ["lsp"] else _judged(arguments)
    print(reason or "nothing is wrong any more")
    return 1 if reason else 0


def _judged(
    arguments: Sequence[str],
    is_right: Callable[[str], bool] | None = None,
    asked: Callable[[Sequence[str]], int] = run,
    as_command: Sequence[str] = (),
    may_fail: bool = True,
) -> str:
    out, err = _stream(), _stream()
    before = signal.signal(signal.SIGVTALRM, _hangs)
    streams = sys.stdin, sys.stdout, sys.stderr
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
        sys.stdin, sys.stdout, sys.stderr = _input(), out, err
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = asked(arguments)
    except (Exception, _HangError):
        return traceback.format_exc(limit=-12)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        sys.stdin, sys.stdout, sys.stderr = streams
    if status == 2 and not may_fail:
        return f"not judged: {_text(err)[:300]}"
    if status != 2 and is_right is not None and not is_right(_text(out)):
        return "the neighbour is lost"
    return wrong(as_command or arguments, status, _text(out), _text(err))


def _unframed(body: bytes) -> Iterator[bytes]:
    while body:
        length = 8 + int.from_bytes(body[:8], "big")
        yield body[8:length]
        body = body[length:]


@contextlib.contextmanager
def _environment(**variables: str | None) -> Iterator[None]:
    before = dict(os.environ)
    for name, value in variables.items():
        os.environ.pop(name, None)
        os.environ.update({name: value} if value is not None else {})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


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


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        with contextlib.suppress(OSError, ValueError):  # a name that no file can have
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def _commit(folder: Path) -> None:
    _git(folder, "init", "-q")
    _git(folder, "add", "-A", "-f")
    _git(folder, "commit", "-q", "--allow-empty", "-m", "x")


def _clear(folder: Path) -> None:
    """Remove everything but the history."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            if path.name != ".git":
                shutil.rmtree(path)
        else:
            path.unlink()


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
