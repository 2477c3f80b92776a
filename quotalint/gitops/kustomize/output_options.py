"""What a kustomization says of its output alone, `sortOptions` and `buildMetadata`: neither changes what is counted."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.gitops.kustomize.fields import Misfit
from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.kube.fields import mapping, text

_METADATA = ("managedByLabel", "originAnnotations", "transformerAnnotations")
_ORDERS = ("fifo", "legacy")


def refused_options(kustomization: Kustomization, is_top: bool) -> Iterator[Misfit]:
    """What Kustomize refuses about them; the order is looked at in the kustomization that is built."""
    for entry in kustomization.entries("buildMetadata"):
        if text(entry.value) not in _METADATA:
            yield Misfit(entry.place, f"`buildMetadata` is none of {', '.join(_METADATA)}")
    options = kustomization.field("sortOptions") if is_top else None
    if options is None:
        return
    order = text(mapping(options.value).get("order"))
    if order not in _ORDERS:
        yield Misfit(options.place, f"`order` of `sortOptions` is none of {' and '.join(_ORDERS)}")
    elif order != "legacy" and mapping(options.value).get("legacySortOptions") is not None:
        yield Misfit(options.place, "`legacySortOptions` are only for the order `legacy`")
