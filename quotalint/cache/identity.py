"""The identity of a question: everything besides the files that decides an answer, such as arguments, user, environment
and the version of quotalint.

More may be included than necessary; then an answer is computed again without need.
"""

from __future__ import annotations

import os
import sys
from functools import cache

from quotalint.cache.census import census
from quotalint.cache.folder import KEY
from quotalint.runtime.transcript import key_of
from quotalint.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

VARIABLES = (
    *("PATH", "TERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "TMPDIR", "GIT_INDEX_FILE"),
    *("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID", "SYSTEMROOT"),
    *("GITHUB_SHA", "FORGEJO_ACTIONS", "GITEA_ACTIONS", "CI_PROJECT_URL", "CI_COMMIT_SHA"),
    *("BITBUCKET_GIT_HTTP_ORIGIN", "BITBUCKET_COMMIT"),
)
"""The environment variables that quotalint reads. `tests/cache/test_identity.py` searches for others."""
PROGRAMS = ("git", "helm", "kubectl", "kustomize")
_NEARBY = (".git", ".gitignore", ".quotalint.yaml", ".quotalint.yml", "quotalint.yaml", "quotalint.yml")
_MOST_OWN = 5_000  # files of quotalint itself


def identity(arguments: Sequence[str]) -> str:
    """A digest of the identity; empty if a part cannot be read."""
    readers = identity_of_readers()
    if not readers:
        return ""
    parts = [*readers, *_user(), "\0", *arguments, "\0", *_paths_and_parents(arguments), "\0", *_programs()]
    return key_of("\1".join(parts).encode("utf-8", "surrogatepass"), KEY // 2)


@cache
def identity_of_readers() -> tuple[str, ...]:
    """What decides how files are read: quotalint, Python and its packages; empty if it cannot be read."""
    own = _own_code()
    return (*own, *_python()) if own else ()


def _own_code() -> list[str]:
    """The version and, in a checkout, the state of quotalint's files."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parent = os.path.dirname(package)
    if os.path.isdir(os.path.join(package, "_data")):
        record = os.path.join(parent, f"quotalint-{__version__}.dist-info", "RECORD")
        try:
            with open(record, encoding="utf-8", errors="surrogateescape") as file:
                return [__version__, file.read()]
        except OSError:
            pass
    folders = [package, os.path.join(parent, "rules"), os.path.join(parent, "schemas")]
    own_files = census([folder for folder in folders if os.path.isdir(folder)], _MOST_OWN)
    if own_files is None:
        return []
    return [__version__, *_without_compiled(own_files.names, own_files.numbers)]


def _without_compiled(names: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
    """The census without Python's compiled modules."""
    at, compiled = 0, False
    for name in names:
        if os.sep in name:
            compiled = name.endswith(f"__pycache__{os.sep}")
            if not compiled:
                yield name
            continue
        if not (compiled or name == "__pycache__"):
            yield f"{name} {numbers[at : at + 5]}"
        at += 5


def _python() -> Iterator[str]:
    """The interpreter, and the versions of installed packages."""
    yield from (sys.version, sys.executable, repr(sys.flags), *sys.path)
    for folder in sys.path:
        yield from sorted(name for name in _list_folder(folder) if name.endswith((".dist-info", ".egg-info", ".pth")))


def _list_folder(folder: str) -> Sequence[str]:
    try:
        return os.listdir(folder)
    except OSError:  # the standard library may be an archive
        return ()


def _user() -> Iterator[str]:
    """The user, and how output is shown."""
    yield str(os.geteuid() if hasattr(os, "geteuid") else 0)
    yield from (f"{name}={os.environ.get(name)}" for name in VARIABLES)
    for stream in (sys.stdout, sys.stderr):
        if stream is None or not stream.isatty():
            yield "no terminal"
            continue
        try:
            yield f"terminal {os.get_terminal_size(stream.fileno())}"
        except (OSError, ValueError):
            yield "terminal"


def _paths_and_parents(arguments: Sequence[str]) -> Iterator[str]:
    """The targets of the paths on the command line, and the files that could count in the folders above them."""
    working_directory = os.getcwd()
    named_folders = dict.fromkeys((working_directory, os.path.realpath(working_directory)))
    for argument in arguments:
        for named in dict.fromkeys((argument, argument.partition("=")[2])):
            if not named or "\0" in named:
                continue
            real = os.path.realpath(named)
            yield f"{named} {_kind(named)} {real}"
            named_folders |= dict.fromkeys((os.path.abspath(named), real))
    folders: dict[str, None] = {}
    for folder in named_folders:
        while folder not in folders:
            folders[folder] = None
            folder = os.path.dirname(folder)
    yield from folders
    for folder in folders:
        yield from (f"{name} {_kind(os.path.join(folder, name))}" for name in _NEARBY)


def _kind(path: str) -> str:
    """The modes of a path and of its target; an error number if there is none."""
    try:
        return f"{os.lstat(path).st_mode:o} {os.stat(path).st_mode:o}"
    except OSError as error:
        return str(error.errno)
    except ValueError:
        return ""


def _programs() -> Iterator[str]:
    """The programs that may be run."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if not os.path.isabs(folder):
            continue
        yield os.path.realpath(folder)
        for name in PROGRAMS:
            try:
                status = os.stat(os.path.join(folder, name))
            except (OSError, ValueError):
                continue
            about = (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            yield f"{name} {os.path.realpath(os.path.join(folder, name))} {about}"
