"""Files that could not be read: which are told of, and which of them may matter to sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from quotalint.gitops.layout import TEMPLATE, Layout, Skipped
from quotalint.gitops.rendering import Unseen
from quotalint.gitops.roots import Root
from quotalint.text.reading import File
from quotalint.text.sources import Unreadable


def unread_files(
    files: Iterable[File], repository_layout: Layout, reported_files: Set[str], at_home: Iterable[Root]
) -> Iterator[Skipped]:
    """Files that could not be parsed and never claimed to be manifests, of which nothing was told yet."""
    known = repository_layout.kustomized | reported_files
    unread = [
        file for file in files if file.reading.failures and not file.source.explicit and file.source.name not in known
    ]
    if not unread:
        return
    from quotalint.gitops.vicinity import nearby_namespaces

    nearby = nearby_namespaces([file.source.name for file in unread if file.encrypted], at_home)
    for file in unread:
        if file.encrypted:
            yield Skipped(file.source.name, "encrypted with git-crypt", namespaces=nearby[file.source.name])
        elif file.templated:
            yield Skipped(file.source.name, "a template, not a manifest", TEMPLATE)
        elif not file.claims:
            yield Skipped(file.source.name, "not readable as YAML, and does not claim to be a manifest")


def unseen_of_skipped(
    skipped: Iterable[Skipped], unreadable: Iterable[Unreadable], files: Iterable[File], repository_layout: Layout
) -> Iterator[Unseen]:
    """What may add to sums, since it could not be read or rendered."""
    for skipped_source in skipped:
        if skipped_source.anywhere:
            yield Unseen("", f"{skipped_source.name}: {skipped_source.reason}")
        for namespace in skipped_source.namespaces:
            yield Unseen(namespace, f"{skipped_source.name}: {skipped_source.reason}")
    for broken in unreadable:
        yield Unseen("", f"{broken.name}: {broken.reason}")
    for file in files:
        if not file.reading.failures:
            continue
        # What a kustomization refers to is its to miss; what nobody applies is missed by nobody.
        elsewhere = file.source.name in repository_layout.kustomized or file.source.name in repository_layout.idle
        if file.claims and not file.templated and not elsewhere:
            yield Unseen("", f"{file.source.name} could not be read")
