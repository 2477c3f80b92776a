"""Decides whether a source is this working tree, or another repository, branch or tag.

A URL and a branch do not prove that a source is this tree. If the deploying object was itself taken from a source, the
same branch means this tree, and another branch does not. The setting `sources` maps remote sources to folders.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, mapping, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.files import content
from quotalint.text.gitignore import shared_git_folder
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.tree import Tree, join_path
from quotalint.unknowns.causes import OTHER_REVISION, REMOTE_REPOSITORY, RENAMED_REPOSITORY, Reason, cause_of


class RepositoryOrigin(NamedTuple):
    """A repository and its revision."""

    url: str = ""
    """Empty: unknown."""
    revision: str = ""
    """A branch, or words such as `tag v1`; empty: the default branch."""


_DEFAULTS = frozenset(("", "HEAD", "main", "master"))
# Names of fixed revisions, not of branches.
_PINNED = lazy_pattern(r"v?\d+(\.(\d+|x|X|\*))*([-+].*)?|[<>=^~*].*|[0-9a-f]{7,40}")


class Above(NamedTuple):
    """The source from which a deploying object was taken."""

    origin: RepositoryOrigin | None = None
    """None: it is applied by hand."""
    defaults: frozenset[str] = frozenset()
    """Repositories whose default branch is named by objects that are applied by hand together with it."""


def why_elsewhere(
    origin: RepositoryOrigin, above: Above, is_here: Callable[[str], bool], *, applies_itself: bool = False
) -> str:
    """Why a source is not this working tree; empty if it is or may be. `applies_itself`: the folder contains the object
    that names the source."""
    url, revision = origin
    if is_of_another(url, above, is_here):
        return Reason(f"its source is the repository {url}", REMOTE_REPOSITORY, url)
    if is_open(revision):
        return ""
    if above.origin is not None:
        return "" if revision == above.origin.revision else _another_revision(revision)
    if revision and repository_name(url) in above.defaults:
        return _another_revision(revision)
    return _another_revision(revision) if _is_pinned(revision) and not applies_itself else ""


def with_rename_hint(why: str, folder: str, above: Above, *, is_here: bool) -> str:
    """The reason, extended if the folder exists here, because the repository may have been renamed. Not if the object
    itself came from a repository of known URL."""
    cause = cause_of(why)
    is_known = above.origin is not None and bool(above.origin.url)
    if cause is None or cause.family != REMOTE_REPOSITORY or not folder or not is_here or is_known:
        return why
    return Reason(
        f"{why}, which has another name than this one, though {folder} is here", RENAMED_REPOSITORY, cause.name
    )


def is_of_another(url: str, above: Above, is_here: Callable[[str], bool]) -> bool:
    """Whether a URL certainly belongs to another repository."""
    if not url or is_open(url):
        return False
    known_url = above.origin.url if above.origin else ""
    return bool(known_url and repository_name(url) != repository_name(known_url)) or not is_here(url)


def is_open(value: str) -> bool:
    """Whether a text contains a template or placeholder."""
    return "{{" in value or is_placeholder(value)


def _is_pinned(revision: str) -> bool:
    return " " in revision or bool(_PINNED.fullmatch(revision))


def _another_revision(revision: str) -> str:
    kind = "" if " " in revision else "the revision " if _PINNED.fullmatch(revision) else "the branch "
    what = f"{kind}{revision}" if revision else "the default branch"
    words = f"its source is {what} of this repository, which may differ from what is here"
    return Reason(words, OTHER_REVISION, what)


def git_origin(source: Object | None) -> RepositoryOrigin:
    """The origin of a Flux GitRepository. In `ref`, the precedence is commit, name, semver, tag, branch
    (source-controller, api/v1)."""
    if source is None:
        return RepositoryOrigin()
    reference = mapping(source.spec.get("ref"))
    url = text(source.spec.get("url"))
    for field, words in (("commit", "the commit "), ("name", ""), ("semver", "the version "), ("tag", "the tag ")):
        written = text(reference.get(field))
        if field == "name" and written.startswith("refs/heads/"):
            return RepositoryOrigin(url, _branch_name(written))
        if written:
            return RepositoryOrigin(url, f"{words or 'the revision '}{written}")
    return RepositoryOrigin(url, _branch_name(text(reference.get("branch"))))


def argo_origin(source: Body) -> RepositoryOrigin:
    """The origin of a source of an Argo CD Application."""
    return RepositoryOrigin(text(source.get("repoURL")), _branch_name(text(source.get("targetRevision"))))


def _branch_name(written: str) -> str:
    name = written.removeprefix("refs/heads/")
    return "" if name in _DEFAULTS else name


def above_of_sources(origins: Iterable[RepositoryOrigin]) -> Above:
    """The Above of objects that are applied by hand and name these sources. If they name a repository's default branch,
    its other branches are not this tree."""
    return Above(None, frozenset(repository_name(url) for url, revision in origins if url and not revision))


def is_url_of(root: str) -> Callable[[str], bool]:
    """A predicate: whether a URL is that of the repository at `root`, according to git's configuration.

    Only names are compared, because clones often come from forks or mirrors. Without a remote every URL is accepted;
    the requested paths must then exist.
    """
    names = cache(lambda: _remote_urls(os.path.join(shared_git_folder(os.path.join(root, ".git")), "config")))
    return lambda url: not url or not names() or repository_name(url) in names()


def _file_text(path: str) -> str:
    """The text of a file; empty if it cannot be read."""
    try:
        data = content(path, 1 << 20)
    except (OSError, ValueError):
        data = b""
    return (data or b"").decode(errors="replace")


def _remote_urls(path: str) -> frozenset[str]:
    section, urls = "", []
    for line in _file_text(path).splitlines():
        entry = re.match(r"[ \t]*url[ \t]*=[ \t]*(\S+)", line, re.IGNORECASE)
        header = None if entry else re.match(r"[^#;=\[]*\[[ \t]*([a-z]+)", line, re.IGNORECASE)
        if header:
            section = header[1].lower()
        elif entry and section == "remote":  # submodules also have URLs, of other repositories
            urls.append(entry[1])
    # The path of a local clone is no evidence.
    return frozenset(repository_name(url) for url in urls if not url.startswith(("/", ".", "file:")))


def repository_name(url: str) -> str:
    """The name of a repository, which is the same for forks and mirrors."""
    return re.split(r"[/:]", url.strip().rstrip("/"))[-1].removesuffix(".git").lower()


def vendored_in(sources: Sequence[tuple[str, str]]) -> Callable[[str], str | None]:
    """A function from URL to the folder that replaces it; `sources` are pairs of URL and folder. A folder for a URL
    prefix also covers longer URLs."""
    if not sources:
        return lambda _: None
    folders = [(_plain_url(url), folder) for url, folder in sources]

    def folder_of(url: str) -> str | None:
        wanted = _plain_url(url)
        fitting = [source for source in folders if f"{wanted}/".lower().startswith(f"{source[0]}/".lower())]
        if not url or not fitting:
            return None
        vendored_url, folder = max(fitting, key=lambda source: len(source[0]))
        return join_path(folder, wanted[len(vendored_url) :].lstrip("/") or ".")

    return folder_of


def _plain_url(url: str) -> str:
    """A URL without parts that vary between spellings: scheme, user, `.git`, query, `//` before a path."""
    bare = url.strip().partition("?")[0].removeprefix("git::")
    scheme, separator, address = bare.partition("://")
    address = address if separator else scheme
    host, slash, path = address.partition("/")
    host = host.rpartition("@")[2]
    if ":" in host and not separator:  # git@github.com:acme/fleet
        host = host.replace(":", "/", 1)
    path = "/".join(part.removesuffix(".git") for part in path.split("/") if part)
    return f"{host}{slash}{path}".rstrip("/")


def chart_below(folder: str, chart: str, version: str, tree: Tree) -> str:
    """The folder of a chart in a vendored repository: named after it, or after it and its version; or the repository
    itself. Empty if there is none."""
    return next(_chart_folders(folder, chart.strip("/"), version, tree), "")


def _chart_folders(folder: str, chart: str, version: str, tree: Tree) -> Iterator[str]:
    last = chart.rpartition("/")[2]
    names = (f"{chart}-{version}", f"{chart}/{version}", chart, f"{last}-{version}", f"{last}/{version}", last)
    for name in dict.fromkeys(names):
        if tree.is_file(join_path(folder, f"{name}/Chart.yaml")):
            yield join_path(folder, name)
    reading = tree.reading(join_path(folder, "Chart.yaml")) if tree.is_file(join_path(folder, "Chart.yaml")) else None
    if reading is not None and any(text(mapping(document.value).get("name")) == last for document in reading.documents):
        yield folder
