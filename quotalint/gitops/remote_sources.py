"""Finds remote sources in the repository: in a folder that the settings name, or where `quotalint vendor` put them.

What a deployer asks for is noted in the tree, so that `quotalint vendor` knows what to fetch. Nothing is fetched here.
"""

from __future__ import annotations

from functools import lru_cache

from quotalint.gitops.origins import chart_below, is_open
from quotalint.lockfile.lock import (
    LockedSource,
    LockError,
    RemoteSource,
    digest_of,
    locked_sources,
    without_credentials,
)
from quotalint.lockfile.stored_files import files_below
from quotalint.text.documents import read
from quotalint.text.tree import Tree, join_path
from quotalint.unknowns.causes import BROKEN_LOCK, Reason


def locate_chart(url: str, chart: str, version: str, tree: Tree) -> str:
    """The folder of a chart of a server: the settings' (for the URL with the chart, or for the URL), else the vendored
    one. Empty if there is none; a Reason if what is vendored must not count."""
    if not url or not chart:
        return ""
    whole = tree.vendored(f"{url.rstrip('/')}/{chart}")
    if whole is not None and tree.is_file(join_path(whole, "Chart.yaml")):
        return whole
    folder = tree.vendored(url)
    configured = chart_below(folder, chart, version, tree) if folder is not None else ""
    # Argo CD writes registries without a scheme.
    address = url if "://" in url else f"oci://{url}"
    return configured or _locate(RemoteSource(without_credentials(address), chart, version.strip()), tree)


def locate_repository(url: str, revision: str, tree: Tree) -> str:
    """The folder of a git repository that is vendored at a revision. Empty if there is none; a Reason if what is
    vendored must not count."""
    return _locate(RemoteSource(without_credentials(url), "", revision), tree) if url else ""


def _locate(source: RemoteSource, tree: Tree) -> str:
    if not tree.lock or any(map(is_open, source)):  # a placeholder is filled in by something that is not in view
        return ""
    if source not in tree.asked:
        tree.asked[source] = _locate_anew(source, tree)
    return tree.asked[source]


def _locate_anew(source: RemoteSource, tree: Tree) -> str:
    data = tree.data(tree.lock)
    try:
        entry = _entries(data).get(source) if data is not None else None
    except LockError as error:
        return Reason(f"{tree.lock} {error}", BROKEN_LOCK, tree.lock)
    folder = join_path(tree.store, entry.folder) if entry is not None else ""
    if entry is None or not tree.is_folder(folder):
        return ""
    try:
        if digest_of(files_below(tree.real_path_of(folder))) == entry.digest:
            return folder
    except OSError:
        pass
    return Reason(f"{folder} is not the {source.words} that {tree.lock} names", BROKEN_LOCK, folder)


@lru_cache(maxsize=2)
def _entries(lock: bytes) -> dict[RemoteSource, LockedSource]:
    return locked_sources(read(lock))
