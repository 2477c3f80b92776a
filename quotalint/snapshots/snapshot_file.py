"""A snapshot as a file: a List as kubectl prints it, of which the first item says what was read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from quotalint.deployed import SNAPSHOT_VERSION, About
from quotalint.kube.objects import Object
from quotalint.snapshots.reduction import reduced_objects
from quotalint.text.dumping import dump_yaml

_HEAD = "# Written by `quotalint snapshot`; for `quotalint --with`. It holds no secrets and may be committed.\n"


def snapshot_text(about: About, live: Iterable[Object]) -> str:
    """The file."""
    items: Sequence[dict[str, Any]] = [_header(about), *reduced_objects(live)]
    return _HEAD + dump_yaml([{"apiVersion": "v1", "items": items, "kind": "List"}])


def _header(about: About) -> dict[str, Any]:
    spec: dict[str, Any] = {}
    for name in ("environment", "taken"):
        if getattr(about, name):
            spec[name] = getattr(about, name)
    if about.namespaces:
        spec["namespaces"] = sorted(about.namespaces)
    if about.read:
        spec["read"] = sorted(about.read)
    if about.unread:
        spec["unread"] = [{key: value for key, value in gap._asdict().items() if value} for gap in sorted(about.unread)]
    return {
        "apiVersion": SNAPSHOT_VERSION,
        "kind": "Snapshot",
        "metadata": {"name": about.cluster or "cluster"},
        "spec": spec,
    }
