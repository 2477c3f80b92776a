"""What Config Sync of Google goes by: annotations that choose for an object the clusters and namespaces that get it.

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
    """By which it is chosen where the object goes; objects of one name with different ones are several."""
    annotations = mapping(obj.metadata.get("annotations"))
    return tuple(text(annotations.get(name)) for name in _SELECTORS) if annotations else ("",) * len(_SELECTORS)
