"""Runs git on a repository that is not trusted, without changing it.

Nothing that the repository configures runs: no hook, no file system monitor, no filter, no textconv, no transport. The
index is not refreshed, no lock is taken, nothing is fetched, and no file of the work tree is written.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from quotalint.named_tuples import NamedTuple
from quotalint.programs import Stopped, one_line, program, run, start
from quotalint.text.files import content
from quotalint.text.words import list_some

if TYPE_CHECKING:
    from subprocess import Popen

TIMEOUT = 120.0
"""Seconds that git may take to answer."""
_MAX_OUTPUT = 512 * 1024 * 1024
MAX_LISTING = 64 * 1024 * 1024
"""The largest listing of a tree, in bytes: half a million files. A tree may contain the same subtree many times."""
_OPTIONS = (
    "--no-pager",
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.sshCommand=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
)
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    # Ignore local replacements, so that a revision is the same on every machine.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.path.join(os.devnull, "none"),
    # A partial clone would fetch what is missing, with whatever program its configuration names. Git before 2.45 does
    # not know the first of these, tries, and finds no transport that it may use.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
}


class Git(NamedTuple):
    """A repository, and the program that reads it."""

    program: str
    root: str
    """The real path of its work tree."""
    home: str
    """A private folder, the working directory of the program."""
    own: str = ""
    """The `.git` folder that all its work trees share, with its configuration and exclude patterns."""


class Refused(NamedTuple):
    """Why git has no answer, as a message for the user."""

    reason: str


PLAIN, EXECUTABLE, LINK, GITLINK = "100644", "100755", "120000", "160000"
"""The modes of a file, an executable file, a symbolic link and a submodule."""


class GitEntry(NamedTuple):
    """A file, link or submodule in a tree."""

    path: str
    """From the root of the repository, with `/`; not to be trusted."""
    mode: str
    """Octal, as in git: 100644, 100755, 120000 (a symbolic link), 160000 (a submodule)."""
    id: str
    size: int
    """In bytes; -1 if git does not list it."""
    skipped: bool = False
    """It is only in the index: a sparse checkout leaves it out of the work tree."""


def git(start: str, home: str) -> Git | Refused:
    """The repository around a real path."""
    root = start
    while not os.path.lexists(os.path.join(root, ".git")):
        if root == os.path.dirname(root):
            bare = all(os.path.exists(os.path.join(start, name)) for name in ("HEAD", "objects", "refs"))
            hint = "; a bare repository has to be cloned first" if bare else ""
            return Refused(f"this is not a git repository: there is no .git here or in a folder above{hint}")
        root = os.path.dirname(root)
    path = program("git", root)
    if path is None:
        return Refused("git, which reads the revisions, is not on PATH")
    asked = Git(path, root, home)
    own = os.path.join(root, ".git")
    is_plain = all(os.path.exists(os.path.join(own, name)) for name in ("HEAD", "objects", "refs"))
    if is_plain and not os.path.lexists(os.path.join(own, "commondir")):  # gitrepository-layout(5)
        return asked._replace(own=own)
    reply = ask(asked, "rev-parse", "--git-common-dir")
    if isinstance(reply, Refused):
        return reply
    return asked._replace(own=os.path.join(home, os.fsdecode(reply.removesuffix(b"\n"))))


class TreeListing(NamedTuple):
    """The entries of a tree."""

    id: str
    entries: tuple[GitEntry, ...]


def tree(
    of: Git, what: str, absent: Collection[str] = (), beside: TreeListing | None = None
) -> tuple[GitEntry, ...] | Refused:
    """Every file, link and submodule of the tree with the id `what`. The sizes of `absent` contents are not requested,
    because git before 2.45 would fetch them. `beside`: a listed tree, from which only the differences are needed."""
    if beside is not None and not absent:
        entries = _tree_beside(of, what, beside)
        if entries is not None:
            return entries
    how = ("-r", "-z", *(() if absent else ("-l",)), "--full-tree")
    reply = ask(of, "ls-tree", *how, what, most=MAX_LISTING)
    if isinstance(reply, Refused):
        return not_here(absent) if absent else reply
    listed = tuple(_entries(reply))
    if not absent:
        return listed
    return _with_sizes(of, listed, (entry.id for entry in listed if entry.mode != GITLINK and entry.id not in absent))


def _tree_beside(of: Git, what: str, beside: TreeListing) -> tuple[GitEntry, ...] | Refused | None:
    """The entries of a tree, computed from another one and the differences; None if one of them has a path twice, or if
    it takes long."""
    how = ("-r", "-z", "--no-renames", "--ignore-submodules=none")
    # A tree may contain a subtree many times, a billion files. Git prints nothing before it has listed all of them.
    reply = ask(of, "diff-tree", *how, beside.id, what, most=MAX_LISTING, seconds=1)
    if isinstance(reply, Refused):
        return None
    entries = {entry.path: entry for entry in beside.entries}
    fields = os.fsdecode(reply).split("\0")[:-1]
    came = []
    if len(entries) < len(beside.entries) or len(set(fields[1::2])) < len(fields) // 2:
        return None
    for about, path in zip(fields[::2], fields[1::2], strict=True):
        _, mode, _, object_id, status = about.split()
        if (status == "A") == (path in entries):
            return None
        if status == "D":
            del entries[path]
        else:
            entries[path] = GitEntry(path, mode, object_id, -1)
            came.append(path)
    known_sizes = {
        entry.id: entry.size for entry in beside.entries if entry.mode != GITLINK
    }  # submodules may have any id
    new_ids = (entries[path].id for path in came if entries[path].mode != GITLINK)
    unknown_ids = (name for name in new_ids if name not in known_sizes)
    sized = _with_sizes(of, [entries[path] for path in came], unknown_ids, known_sizes)
    if isinstance(sized, Refused):
        return sized
    entries.update((entry.path, entry) for entry in sized)
    return tuple(sorted(entries.values(), key=lambda entry: os.fsencode(entry.path)))


def _with_sizes(
    of: Git,
    entries: Iterable[GitEntry],
    asked_ids: Iterable[str],
    known_sizes: Mapping[str, int] = MappingProxyType({}),
) -> tuple[GitEntry, ...] | Refused:
    """The entries with their sizes: git lists those of `asked_ids`, and `known_sizes` has others."""
    wanted = dict.fromkeys(asked_ids)
    new_sizes = sizes(of, wanted) if wanted else {}
    if isinstance(new_sizes, Refused):
        return new_sizes
    return tuple(entry._replace(size=new_sizes.get(entry.id, known_sizes.get(entry.id, -1))) for entry in entries)


def index(of: Git) -> tuple[GitEntry, ...] | Refused:
    """The entries of the index; for a file in conflict, each side."""
    reply = ask(of, "ls-files", "-z", "--cached", "--stage", "-t", "--full-name")
    return reply if isinstance(reply, Refused) else tuple(_index_entries(reply))


def untracked_paths(of: Git) -> tuple[str, ...] | Refused:
    """The paths of files that are neither tracked nor ignored; a nested repository ends with `/`."""
    reply = ask(of, "ls-files", "-z", "--others", "--exclude-standard", "--full-name")
    return reply if isinstance(reply, Refused) else tuple(map(os.fsdecode, filter(None, reply.split(b"\0"))))


def remote(of: Git) -> str:
    """The address of the remote `origin` in the configuration; empty if there is none."""
    reply = ask(of, "config", "--get", "remote.origin.url")
    return "" if isinstance(reply, Refused) else reply.decode("utf-8", "replace").strip()


def is_unborn(of: Git) -> bool:
    """Whether the current branch has no commit yet."""
    return isinstance(ask(of, "rev-parse", "--verify", "--quiet", "HEAD"), Refused) and not isinstance(
        ask(of, "symbolic-ref", "--quiet", "HEAD"), Refused
    )


def references(of: Git) -> tuple[str, ...]:
    """The names of branches and tags; none if git fails."""
    reply = ask(of, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
    return () if isinstance(reply, Refused) else tuple(os.fsdecode(reply).split())


def blobs(of: Git, ids: Sequence[str]) -> Iterator[tuple[str, bytes]] | Refused:
    """The contents of files by their ids, without those that the clone lacks."""
    reply = _ask_of_each(of, "--batch", ids)
    return reply if isinstance(reply, Refused) else _contents(reply)


def start_reader(of: Git) -> Popen[bytes] | Stopped:
    """A process that answers ids, a line each, with the contents of files."""
    return start((of.program, *_OPTIONS, "cat-file", "--batch"), of.home, _environment_of(of))


def sizes(of: Git, ids: Iterable[str]) -> Mapping[str, int] | Refused:
    """The sizes of files in bytes, by id, without those that the clone lacks."""
    reply = _ask_of_each(of, "--batch-check", ids)
    if isinstance(reply, Refused):
        return reply
    records = (line.split() for line in reply.decode("ascii", "replace").splitlines())
    return {name: int(size) for name, kind, *numbers in records for size in numbers if kind == "blob"}


def ids_of(of: Git, expressions: Sequence[str]) -> tuple[str, ...]:
    """The id that each of these resolves to; empty if it resolves to nothing."""
    reply = _ask_of_each(of, "--batch-check=%(objectname)", expressions)
    ids = [] if isinstance(reply, Refused) else reply.decode("ascii", "replace").splitlines()
    if len(ids) != len(expressions):
        return ("",) * len(expressions)
    return tuple("" if " " in name else name for name in ids)


def ask(
    of: Git, *arguments: str, given: str = os.devnull, most: int = _MAX_OUTPUT, seconds: int = 0
) -> bytes | Refused:
    """The output of git, at most `most` bytes; `given`: its standard input; `seconds`: its time limit."""
    command = [of.program, *_OPTIONS, *arguments]
    ended = run(command, of.home, _environment_of(of), TIMEOUT, most, given, seconds=seconds)
    if isinstance(ended, Stopped):
        return Refused(f"git {arguments[0]} {ended.reason}")
    if ended.status != 0:
        return Refused(f"git {arguments[0]}: {one_line(ended.errors.decode(errors='replace')) or 'failed'}")
    return ended.output


def _environment_of(of: Git) -> Mapping[str, str]:
    environment = {**_ENVIRONMENT, "GIT_DIR": os.path.join(of.root, ".git"), "GIT_WORK_TREE": of.root}
    # `git commit FILE` and `git commit --all` make an index of their own for what they commit, and name it to hooks.
    if os.environ.get("GIT_INDEX_FILE"):
        environment["GIT_INDEX_FILE"] = os.path.abspath(os.environ["GIT_INDEX_FILE"])
    return environment


def _ask_of_each(of: Git, how: str, ids: Iterable[str]) -> bytes | Refused:
    """The answers of git about objects by id, one after another."""
    listed = os.path.join(of.home, "wanted")
    with open(listed, "w", encoding="ascii") as file:
        file.writelines(f"{object_id}\n" for object_id in ids)
    return ask(of, "cat-file", how, "--buffer", given=listed)


def absent_of(of: Git, *trees: str) -> frozenset[str]:
    """The ids in trees that a partial clone lacks, found without fetching one."""
    if not trees or not _may_be_partial(of):
        return frozenset()
    partial = ask(of, "config", "--get-regexp", r"^(extensions\.partialclone|remote\..*\.promisor)$")
    if isinstance(partial, Refused):
        return frozenset()
    reply = ask(of, "rev-list", "--objects", "--missing=print", "--no-walk", *trees)
    lines = () if isinstance(reply, Refused) else reply.split(b"\n")
    return frozenset(line[1:].decode("ascii", "replace") for line in lines if line.startswith(b"?"))


_LARGEST_CONFIG = 1 << 20
_PARTIAL = (b"partialclone", b"promisor", b"include", b"worktreeconfig")
"""Lower-case words of a configuration that may declare a partial clone, here or in an included file."""


def _may_be_partial(of: Git) -> bool:
    """Whether the configuration may declare a partial clone."""
    try:
        text = content(os.path.join(of.own, "config"), _LARGEST_CONFIG)
    except (OSError, ValueError):
        return True
    return text is None or len(text) > _LARGEST_CONFIG or any(word in text.lower() for word in _PARTIAL)


ABSENT = "not in this clone; `git fetch --refetch --no-filter` brings what a partial clone left out"
"""The reason for a file whose id is known and whose content the clone lacks."""
_SHOWN = 3


def not_here(what: Collection[str]) -> Refused:
    """The message for a change that needs files, by path or id, whose content the clone lacks."""
    missing = "1 file of the revisions is" if len(what) == 1 else f"{len(what)} files of the revisions are"
    return Refused(f"{missing} {ABSENT}: {list_some(sorted(what), _SHOWN)}")


def _entries(listing: bytes) -> Iterator[GitEntry]:
    for record in os.fsdecode(listing).split("\0"):
        if record:
            about, _, path = record.partition("\t")
            fields = about.split()
            size = fields[3] if len(fields) > 3 else ""
            yield GitEntry(path, fields[0], fields[2], int(size) if size.isdigit() else -1)


def _index_entries(listing: bytes) -> Iterator[GitEntry]:
    for record in filter(None, listing.split(b"\0")):
        about, _, path = record.partition(b"\t")
        tag, mode, object_id, _ = about.decode("ascii").split()
        yield GitEntry(os.fsdecode(path), mode, object_id, -1, tag == "S")


def _contents(reply: bytes) -> Iterator[tuple[str, bytes]]:
    at = 0
    while at < len(reply):
        end = reply.index(b"\n", at)
        object_id, kind, *size = reply[at:end].decode("ascii", "replace").split()
        at = end + 1
        if kind == "blob":
            length = int(size[0])
            yield object_id, reply[at : at + length]
            at += length + 1
