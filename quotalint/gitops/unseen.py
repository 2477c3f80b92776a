"""What may add to a namespace and is not in view: so that a sum says how sure it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from quotalint.gitops.deployers import deployers
from quotalint.gitops.layout import TEMPLATE, Skipped
from quotalint.kube.objects import Object
from quotalint.text.reading import File
from quotalint.text.sources import Unreadable


class Unseen(NamedTuple):
    """A reason why a namespace may hold more than what is in view."""

    namespace: str
    """Empty: any namespace."""
    reason: str


def unseen(
    skipped: Iterable[Skipped], unreadable: Iterable[Unreadable], files: Iterable[File], objects: Iterable[Object]
) -> Iterator[Unseen]:
    """Everything that is not counted, by the namespace that it concerns."""
    for one in skipped:
        if one.anywhere:
            yield Unseen("", f"{one.name}: {one.reason}")
        for namespace in one.namespaces:
            yield Unseen(namespace, f"{one.name}: {one.reason}")
    for broken in unreadable:
        yield Unseen("", f"{broken.name}: {broken.reason}")
    for file in files:
        if file.reading.failures and file.claims and not file.templated:
            yield Unseen("", f"{file.source.name} could not be read")
    for deployer in deployers(objects):
        yield Unseen(deployer.namespace, deployer.reason)


def unread(files: Iterable[File], manifests: frozenset[str]) -> Iterator[Skipped]:
    """Files that could not be parsed and never claimed to be manifests."""
    for file in files:
        if not file.reading.failures or file.source.explicit or file.source.name in manifests:
            continue
        if file.encrypted:
            yield Skipped(file.source.name, "encrypted with git-crypt", anywhere=True)
        elif file.templated:
            yield Skipped(file.source.name, "a template (`{{`), not a manifest", TEMPLATE)
        elif not file.claims:
            yield Skipped(file.source.name, "not readable as YAML, and does not claim to be a manifest")
