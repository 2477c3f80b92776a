"""Runs a program on files that are not trusted: with limits of time, output and memory, and without the user's
environment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from quotalint.named_tuples import NamedTuple
from quotalint.runtime.transcript import note_doubt
from quotalint.text.disk import entries_of, is_folder, real_path
from quotalint.text.files import lies_in, lies_in_repository

if TYPE_CHECKING:
    from subprocess import Popen

MAX_OUTPUT = 16 * 1024 * 1024
"""The limit of output in bytes, both streams together."""

MAX_MEMORY = 768 * 1024 * 1024
"""The limit of memory in bytes; it only works on Linux."""

MAX_ENTRIES = 20_000
"""The limit of files and folders that a program may read, with targets of symbolic links."""


class Ended(NamedTuple):
    """The result of a program that ended by itself."""

    status: int
    """Negative: the number of the signal that ended it."""
    output: bytes
    errors: bytes


class Stopped(NamedTuple):
    """A program that could not be started, or had to be killed."""

    reason: str
    """To be read after the name of the program: "took longer than 30 s"."""


def program(name: str = "helm", root: str = "") -> str | None:
    """The absolute path of a program on PATH, None if there is none.

    A relative entry of PATH is passed over, since what it means depends on where one stands, and with the
    path of a repository as `root` also what lies in it: a repository must not bring the program that reads it.
    """
    import shutil

    if os.path.dirname(name):
        return None
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = shutil.which(name, path=folder) if os.path.isabs(folder) else None
        if path and not is_brought_along(path, root):
            return path
    return None


def user_environment(root: str) -> dict[str, str]:
    """The environment variables for a program that the user named. They are the user's own, but PATH has no entries
    that are relative or in the repository, so that the program starts nothing from there."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    safe = [
        folder
        for folder in folders
        if os.path.isabs(folder) and not any(inside(folder, at) for at in (root, *_DISTRUSTED) if at)
    ]
    return {**os.environ, "PATH": os.pathsep.join(safe)}


def is_brought_along(path: str, root: str) -> bool:
    """Whether a repository brings this program, or the link to it; so does each in `distrust_folders`."""
    return any(
        inside(path, folder) or inside(os.path.dirname(path), folder) for folder in (root, *_DISTRUSTED) if folder
    )


@contextmanager
def distrust_folders(*folders: str) -> Iterator[None]:
    """Run no program from these folders within the block, whatever repository is read. A copy of a repository is read
    in place of the repository, whose own programs are not trusted either."""
    _DISTRUSTED.extend(folders)
    try:
        yield
    finally:
        del _DISTRUSTED[len(_DISTRUSTED) - len(folders) :]


_DISTRUSTED: list[str] = []

RUN = ("git", "helm", "kubectl", "kustomize")
"""The programs that may be run."""


def programs_brought(root: str) -> tuple[str, ...]:
    """The programs on PATH that are never run because they are in the repository. Paths are relative to the repository
    if they are inside it."""
    brought_programs = []
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if os.path.isabs(folder) and inside(folder, root):
            paths = [os.path.join(folder, name) for name in RUN]
            brought_programs += [path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)]
    return tuple(name_in(root, path) for path in brought_programs)


def inside(path: str, root: str) -> bool:
    """Whether a path leads, all symbolic links followed, to a folder or to something in it."""
    try:
        return lies_in(real_path(path), real_path(root))
    except ValueError:  # no path at all: a null byte, half a surrogate pair
        return False


def in_repository(path: str, root: str) -> bool:
    """Whether a path leads, all symbolic links followed, to a repository or to something of it."""
    try:
        return lies_in_repository(real_path(path), real_path(root))
    except ValueError:
        return False


def name_in(root: str, path: str) -> str:
    """A path relative to the repository, if it is inside it."""
    for above in (root, real_path(root)):
        if lies_in(path, above):
            return os.path.relpath(path, above)
    return path


def refused_tree(top: str, root: str) -> str:
    """Why a program that follows symbolic links must not be let loose on a folder of a repository; empty if it may."""
    count = 0
    start, repository = real_path(top), real_path(root)
    folders = [(start, frozenset({start}))]
    try:
        while folders:
            folder, around = folders.pop()
            for path, linked in _entries(folder):
                count += 1
                if count > MAX_ENTRIES:
                    return f"it has more than {MAX_ENTRIES} files"
                real = real_path(path) if linked else path
                if linked and not lies_in_repository(real, repository):
                    return f"what {name_in(root, path)} links to lies outside the repository"
                if real in around:
                    return f"{name_in(root, path)} links to a folder that contains it"
                # Git's own folder is large, and nothing that is committed gets into it.
                if is_folder(real) and path != os.path.join(repository, ".git"):
                    folders.append((real, around | {real}))
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    return ""


def run(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    timeout: float,
    limit: int = MAX_OUTPUT,
    input_file: str = os.devnull,
    whole: bool = False,
    seconds: int = 0,
) -> Ended | Stopped:
    """What a program says, run in a folder of its own without input, or with that of a file.

    Of the user's environment it learns nothing; `environment` adds to what it gets instead, or with `whole` is all
    of it. It and all that it starts are killed after `timeout` seconds, or once it printed more than `limit` bytes; it
    alone after so many `seconds` of computing, where the system can bound that.
    """
    variables = dict(environment) if whole else {**_environment(folder), **environment}
    ended = _run(command, folder, variables, timeout, limit, input_file, seconds)
    # Time and memory may suffice the next time. Programs that find something wrong end with 1.
    if isinstance(ended, Stopped) or ended.status not in (0, 1):
        note_doubt(f"{command[0]} did not finish")
    return ended


def start(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> Popen[bytes] | Stopped:
    """A program that is kept and answers what it is given, fenced as in `run`; its caller bounds its time."""
    import subprocess

    return _start_program(command, folder, {**_environment(folder), **environment}, subprocess.PIPE, subprocess.DEVNULL)


def _start_program(
    command: Sequence[str], folder: str, environment: Mapping[str, str], standard_input: int, errors: int
) -> Popen[bytes] | Stopped:
    import subprocess

    try:
        process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=standard_input,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return Stopped(f"could not be started: {getattr(error, 'strerror', None) or error}")
    _bound_memory(process.pid)
    return process


def _run(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    timeout: float,
    limit: int,
    input_file: str,
    seconds: int,
) -> Ended | Stopped:
    import subprocess

    try:
        with open(input_file, "rb") as standard_input:
            process = _start_program(command, folder, environment, standard_input.fileno(), subprocess.PIPE)
    except (OSError, ValueError) as error:
        return Stopped(f"could not be started: {getattr(error, 'strerror', None) or error}")
    if isinstance(process, Stopped):
        return process
    if seconds:
        _bound_computing(process.pid, seconds)
    with process:
        try:
            return _watch_process(process, timeout, limit)
        finally:
            # Once the process has been waited for, its number may be another's.
            if process.returncode is None:
                _kill(process.pid)


MAX_LINE = 400


def one_line(text: str) -> str:
    """In one line of sensible length that does nothing to a terminal; what matters of a chain are its ends."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= MAX_LINE else f"{line[: MAX_LINE // 2]} … {line[-MAX_LINE // 2 :]}"


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    """The entries of a folder, and whether each is a symbolic link."""
    yield from ((entry.path, entry.is_symlink()) for entry in entries_of(folder))


def _environment(folder: str) -> dict[str, str]:
    """No credentials, no cluster, and no way out for those who heed the usual names of a proxy."""
    nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
    return {
        **nowhere,
        **{name.lower(): value for name, value in nowhere.items()},
        "NO_PROXY": "",
        "no_proxy": "",
        "HOME": folder,
        "TMPDIR": folder,
        "KUBECONFIG": os.devnull,
        "LANG": "C.UTF-8",
        "PATH": os.defpath,
    }


def _bound_memory(pid: int) -> None:
    """From outside, since code that runs between fork and exec may deadlock where there are threads."""
    with suppress(OSError, ImportError, AttributeError):
        import resource

        # It may have inherited less from a run that bounds itself.
        _, most = resource.prlimit(pid, resource.RLIMIT_DATA)
        bound = MAX_MEMORY if most == resource.RLIM_INFINITY else min(MAX_MEMORY, most)
        resource.prlimit(pid, resource.RLIMIT_DATA, (bound, most))


def _bound_computing(pid: int, seconds: int) -> None:
    with suppress(OSError, ImportError, AttributeError):
        import resource

        resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))


def _watch_process(process: Popen[bytes], timeout: float, limit: int) -> Ended | Stopped:
    import selectors
    import subprocess
    import time

    output, errors = bytearray(), bytearray()
    late = Stopped(f"took longer than {timeout:g} s")
    deadline = time.monotonic() + timeout
    with selectors.DefaultSelector() as selector:
        for pipe, buffer in ((process.stdout, output), (process.stderr, errors)):
            if pipe:
                selector.register(pipe, selectors.EVENT_READ, buffer)
        while selector.get_map():
            ready = selector.select(max(deadline - time.monotonic(), 0))
            if not ready or time.monotonic() > deadline:
                return late
            for key, _ in ready:
                chunk = os.read(key.fd, 65536)
                key.data.extend(chunk)
                if not chunk:
                    selector.unregister(key.fileobj)
            if len(output) + len(errors) > limit:
                return Stopped(f"printed more than {limit // 1024 // 1024} MiB")
    try:
        status = process.wait(max(deadline - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        return late
    return Ended(status, bytes(output), bytes(errors))


def _kill(group: int) -> None:
    import signal

    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
