"""Folders of the repository that stand for remote sources (`sources` in the configuration)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from quotalint.gitops.tree import Tree, join_path
from quotalint.kube.fields import mapping, text


def vendored_in(sources: Sequence[tuple[str, str]]) -> Callable[[str], str | None]:
    """The function that gives the folder for a URL; `sources` are URLs and folders. A folder that stands for a part of
    a URL stands for what is below it as well."""
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
    """A URL without what differs between two ways to write it: scheme, user, `.git`, query, `//` before a path."""
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
    """The folder of a chart of a vendored repository: named for it, or for it and its version; or the folder itself.
    Empty where there is none."""
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
