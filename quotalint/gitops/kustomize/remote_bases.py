"""Finds vendored remote entries of kustomizations (kustomize api/internal/git/repospec.go, NewRepoSpecFromURL)."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

from quotalint.gitops.remote_sources import locate_repository
from quotalint.named_tuples import NamedTuple
from quotalint.text.tree import Tree, join_path
from quotalint.unknowns.causes import Reason

_MANIFESTS = (".yaml", ".yml", ".json")


class RemoteBase(NamedTuple):
    """What a remote entry names."""

    url: str
    """The address of the repository, or of a file."""
    path: str
    """The path in the repository; of a file its name."""
    revision: str
    """Empty: the default branch."""


def locate_base(entry: str, tree: Tree) -> str:
    """The name in the tree of a remote file or folder that is vendored. Empty if it is not, a Reason if it must not
    count."""
    base = remote_base(entry)
    folder = locate_repository(base.url, base.revision, tree)
    return folder if not folder or isinstance(folder, Reason) else join_path(folder, base.path)


def remote_base(entry: str) -> RemoteBase:
    """The repository, path and revision of a remote entry, or the address of a file."""
    address, _, query = entry.removeprefix("git::").partition("?")
    if address.startswith(("https://", "http://")) and address.endswith(_MANIFESTS) and ".git/" not in address:
        return RemoteBase(entry, address.rpartition("/")[2], "")
    options = parse_qs(query)
    revision = (options.get("ref") or options.get("version") or [""])[0]
    head, repository, path = _split(address)
    return RemoteBase(head + repository.rstrip("/"), path.strip("/") or ".", revision)


def _split(address: str) -> tuple[str, str, str]:
    """The scheme and host of an address, the path of the repository, and the path in it."""
    match = re.match(r"([a-z][a-z0-9+.-]*://[^/]*/|[^/:@]+@[^/:]+[:/]|(?:www\.)?[a-z.]+[/:])", address, re.IGNORECASE)
    head = match[1] if match else ""
    rest = address[len(head) :]
    if head and "://" not in head and "@" not in head:
        head = f"https://{head[:-1].removeprefix('www.')}/"
    for end in ("//", ".git/"):
        before, found, below = rest.partition(end)
        if found:
            return head, before + end.rstrip("/"), below
    if rest.endswith(".git"):
        return head, rest, ""
    owner, _, rest = rest.partition("/")
    name, _, below = rest.partition("/")
    return head, f"{owner}/{name}", below
