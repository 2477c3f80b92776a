"""Files of other git repositories at a revision. Nothing that a repository configures runs, and none is checked out."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping

from quotalint.diff import git
from quotalint.diff.git import GITLINK, LINK, Git, GitEntry, Refused
from quotalint.lockfile.lock import RemoteSource
from quotalint.named_tuples import NamedTuple
from quotalint.programs import Stopped, one_line, program, run, user_environment
from quotalint.runtime.scratch import scratch_folder
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.semver import SemverError, order_of, parse_version, satisfies
from quotalint.text.sources import MANIFEST_SUFFIXES, OWN_FOLDER
from quotalint.vendoring import MIB, Fetched, FetchError, Limits
from quotalint.vendoring.unpacking import add_file

PROTOCOLS = "https:ssh"
_COMMIT = lazy_pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ADDRESS = lazy_pattern(r"([a-z][a-z0-9+.-]*://)[^\s/@']*@")
_LARGE = MIB
"""Bytes above which a file is left out, unless it is a manifest or a packed chart."""
_MOST_LINKS = 10
_KEPT = frozenset(
    ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO")
)
"""The variables of git that say how to reach a server. Others are about a repository, or give credentials to any."""


def fetch_repository(source: RemoteSource, limits: Limits, root: str, protocols: str = PROTOCOLS) -> Fetched:
    """The files of a repository at a revision. Nothing in the repository `root` is run. Raises FetchError."""
    path = program("git", root)
    if path is None:
        raise FetchError("other repositories need git on PATH")
    with scratch_folder() as folder:
        of = Git(path, os.path.join(folder, "repository"), folder)
        remote = _Remote(of, source.url, limits, _environment(root, protocols))
        remote.ask("init", "-q", "--template=", of.root)
        remote = remote._replace(environment={**remote.environment, **_own_credentials(remote)})
        wanted = _wanted_ref(remote, source.version)
        remote.ask("fetch", "-q", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", source.url, wanted)
        commit = remote.ask("rev-parse", "--verify", "-q", "FETCH_HEAD^{commit}").decode("ascii", "replace").strip()
        entries = git.tree(of, commit)
        if isinstance(entries, Refused):
            raise FetchError(entries.reason)
        return Fetched(commit, _files(of, entries, limits))


class _Remote(NamedTuple):
    """A repository on a server, and the folder into which it is fetched."""

    of: Git
    url: str
    limits: Limits
    environment: Mapping[str, str]

    def ask(self, *arguments: str) -> bytes:
        """The output of git. Raises FetchError."""
        command = (self.of.program, "-C", self.of.root, *_OPTIONS, *arguments)
        if arguments[0] == "init":
            command = (self.of.program, *arguments)
        ended = run(command, self.of.home, self.environment, self.limits.longest, whole=True)
        if isinstance(ended, Stopped):
            raise FetchError(f"git {ended.reason}")
        if ended.status:
            words = one_line(_ADDRESS.sub(r"\1", ended.errors.decode(errors="replace")))
            raise FetchError(f"git: {words or f'{arguments[0]} failed'}")
        return ended.output


_OPTIONS = (
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.askPass="),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "protocol.version=2"),
)


def _environment(root: str, protocols: str) -> dict[str, str]:
    """The user's environment without what git takes from it."""
    user = user_environment(root)
    kept = {name: value for name, value in user.items() if not name.startswith("GIT_") or name in _KEPT}
    kept.pop("SSH_ASKPASS", None)
    return {**kept, "GIT_ALLOW_PROTOCOL": protocols, "GIT_TERMINAL_PROMPT": "0"}


def _own_credentials(remote: _Remote) -> dict[str, str]:
    """The variables with which git gives credentials only to servers that the user's configuration names. A header or
    a command for all servers would go to any address that a change writes."""
    listed = remote.ask("config", "--null", "--list").decode("utf-8", "surrogateescape").split("\0")
    entries = [("credential.helper", ""), ("http.extraHeader", "")]  # empty: forget the others
    for key, _, value in (entry.partition("\n") for entry in listed):
        is_scoped = key.count(".") > 1
        is_helper = key.startswith("credential.") and key.endswith(".helper")
        is_header = key.startswith("http.") and key.endswith(".extraheader")
        # A helper with a name keeps credentials by server; a command (`!…`) prints what it likes.
        if (is_scoped and (is_helper or is_header)) or (is_helper and not value.startswith("!")):
            entries.append((key, value))
    numbered = {
        f"GIT_CONFIG_{part}_{number}": text
        for number, entry in enumerate(entries)
        for part, text in zip(("KEY", "VALUE"), entry, strict=True)
    }
    return {"GIT_CONFIG_COUNT": str(len(entries)), **numbered}


def _wanted_ref(remote: _Remote, version: str) -> str:
    """The name of the reference, or the commit, that a version means: a tag, else a branch, else the newest tag that
    satisfies a constraint. Raises FetchError."""
    if version in ("", "HEAD") or _COMMIT.fullmatch(version):
        return version or "HEAD"
    listed = remote.ask("ls-remote", "-q", "--refs", "--", remote.url).decode("utf-8", "replace")
    names = {line.partition("\t")[2] for line in listed.splitlines()}
    for name in (version, f"refs/tags/{version}", f"refs/heads/{version}"):
        if name in names and name.startswith("refs/"):
            return name
    tags = {name.removeprefix("refs/tags/") for name in names if name.startswith("refs/tags/")}
    fitting = [tag for tag in tags if _satisfies(version, tag)]
    if not fitting:
        raise FetchError(f"it has no branch or tag {version}")
    return f"refs/tags/{max(fitting, key=lambda tag: (order_of(parse_version(tag)), tag))}"


def _satisfies(version: str, tag: str) -> bool:
    try:
        return satisfies(version, tag)
    except SemverError:
        return False


def _files(of: Git, entries: tuple[GitEntry, ...], limits: Limits) -> dict[str, bytes]:
    """The files of a tree. A link is replaced by what it leads to; one that leads out is left out."""
    wanted = {
        entry.path: entry
        for entry in entries
        if entry.mode != GITLINK
        and (entry.size <= _LARGE or entry.path.endswith((*MANIFEST_SUFFIXES, ".tgz")))
        and OWN_FOLDER not in entry.path.split("/")
    }
    size = sum(entry.size for entry in wanted.values())
    if len(wanted) > limits.files or size > limits.unpacked:
        raise FetchError(f"it has more than {limits.files} files or {limits.unpacked // MIB} MiB")
    read = git.blobs(of, list(dict.fromkeys(entry.id for entry in wanted.values())))
    if isinstance(read, Refused):
        raise FetchError(read.reason)
    contents = dict(read)
    targets = {path: _target(entry, contents) for path, entry in wanted.items() if entry.mode == LINK}
    files: dict[str, bytes] = {}
    for path, entry in wanted.items():
        for name, other in ((path, entry),) if path not in targets else _linked(path, wanted, targets):
            size += len(contents[other.id]) if path in targets else 0
            if len(files) > limits.files or size > limits.unpacked:
                raise FetchError("its links lead to more than quotalint takes")
            add_file(files, name, contents[other.id])
    return files


def _target(entry: GitEntry, contents: Mapping[str, bytes]) -> str:
    """The path to which a link leads; it begins with `..` if that is outside."""
    written = os.fsdecode(contents[entry.id])
    return (
        "../" if written.startswith("/") else posixpath.normpath(posixpath.join(posixpath.dirname(entry.path), written))
    )


def _linked(link: str, wanted: Mapping[str, GitEntry], targets: Mapping[str, str]) -> Iterator[tuple[str, GitEntry]]:
    """The file to which a link leads, or the files of the folder, with their paths below the link. Links in that folder
    are left out."""
    end = link
    for _ in range(_MOST_LINKS):
        if end not in targets:
            break
        end = targets[end]
    for path, entry in wanted.items():
        if path not in targets and (path == end or path.startswith(f"{end}/")) and not link.startswith(f"{end}/"):
            yield link + path[len(end) :], entry
