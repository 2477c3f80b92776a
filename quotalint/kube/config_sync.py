"""Google's Config Sync: annotations that select the clusters and namespaces of an object.

Source: GoogleContainerTools/kpt-config-sync, pkg/metadata/annotations.go and pkg/api/configmanagement/register.go.
"""

from __future__ import annotations

from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object

_SELECTORS = (
    "configmanagement.gke.io/cluster-selector",
    "configsync.gke.io/cluster-name-selector",
    "configmanagement.gke.io/namespace-selector",
)


def selectors_of(obj: Object) -> tuple[str, ...]:
    """The selectors for an object's clusters and namespaces. Objects with one name and different selectors are
    different objects."""
    annotations = mapping(obj.metadata.get("annotations"))
    return tuple(text(annotations.get(name)) for name in _SELECTORS) if annotations else ("",) * len(_SELECTORS)
