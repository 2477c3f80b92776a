"""What was asked, by whom, of which quotalint, from where: whatever decides an answer and is not in the files.

What is named here may be more than what decides; then an answer is worked out once more than it had to be.
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
    *("PATH", "TERM", "NO_COLOR", "COLUMNS", "LINES", "TMPDIR", "GIT_INDEX_FILE"),
    *("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID", "SYSTEMROOT"),
    *("GITHUB_SHA", "FORGEJO_ACTIONS", "GITEA_ACTIONS", "CI_PROJECT_URL", "CI_COMMIT_SHA"),
    *("BITBUCKET_GIT_HTTP_ORIGIN", "BITBUCKET_COMMIT"),
)
"""The variables of the environment that quotalint looks at. `tests/cache/test_identity.py` looks for more."""
PROGRAMS = ("git", "helm", "kubectl", "kustomize")
_NEARBY = (".git", ".gitignore", ".quotalint.yaml", ".quotalint.yml", "quotalint.yaml", "quotalint.yml")
_MOST_OWN = 5_000  # files of quotalint itself


def identity(arguments: Sequence[str]) -> str:
    """A digest of all of it; empty where something of it cannot be seen."""
    readers = identity_of_readers()
    if not readers:
        return ""
    parts = [*readers, *_user(), "\0", *arguments, "\0", *_surroundings(arguments), "\0", *_programs()]
    return key_of("\1".join(parts).encode("utf-8", "surrogatepass"), KEY // 2)


@cache
def identity_of_readers() -> tuple[str, ...]:
    """What decides what is read in a file: quotalint, Python and its packages; nothing where that cannot be seen."""
    own = _own_code()
    return (*own, *_python()) if own else ()


def _own_code() -> list[str]:
    """The version, and where quotalint runs from a checkout, what its files are."""
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
    return [__version__, *_but_compiled(own_files.names, own_files.numbers)]


def _but_compiled(names: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
    """Without what Python writes down of modules as it imports them."""
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
    """The interpreter, and which versions of what it can import are installed."""
    yield from (sys.version, sys.executable, repr(sys.flags), *sys.path)
    for folder in sys.path:
        yield from sorted(name for name in _list_folder(folder) if name.endswith((".dist-info", ".egg-info", ".pth")))


def _list_folder(folder: str) -> Sequence[str]:
    try:
        return os.listdir(folder)
    except OSError:  # the standard library may be an archive
        return ()


def _user() -> Iterator[str]:
    """Who asks, and how an answer is shown there."""
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


def _surroundings(arguments: Sequence[str]) -> Iterator[str]:
    """Where the paths of a command line lead, and what could count there from the folders above them."""
    here = os.getcwd()
    around = dict.fromkeys((here, os.path.realpath(here)))
    for argument in arguments:
        for named in dict.fromkeys((argument, argument.partition("=")[2])):
            if not named or "\0" in named:
                continue
            real = os.path.realpath(named)
            yield f"{named} {_kind(named)} {real}"
            around |= dict.fromkeys((os.path.abspath(named), real))
    folders: dict[str, None] = {}
    for folder in around:
        while folder not in folders:
            folders[folder] = None
            folder = os.path.dirname(folder)
    yield from folders
    for folder in folders:
        yield from (f"{name} {_kind(os.path.join(folder, name))}" for name in _NEARBY)


def _kind(path: str) -> str:
    """Whether something is there, and what."""
    try:
        return f"{os.lstat(path).st_mode:o} {os.stat(path).st_mode:o}"
    except OSError as error:
        return str(error.errno)
    except ValueError:
        return ""


def _programs() -> Iterator[str]:
    """The programs that might be run."""
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
