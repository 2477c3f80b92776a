"""Which resources Kueue counts, by its Configuration in a ConfigMap.

Source: Kueue 0.19, apis/config/v1beta2/configuration_types.go (Resources) and pkg/workload/workload.go
(dropExcludedResources, applyResourceTransformations).
"""

from __future__ import annotations

from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import Body, dig, mapping, sequence, strings, text
from quotalint.kueue.admission import PodSet
from quotalint.named_tuples import NamedTuple

_GROUP = "config.kueue.x-k8s.io/"


class ResourcePolicy(NamedTuple):
    """The part of a Configuration about resources."""

    ignored: tuple[str, ...] = ()
    """Beginnings of the names of resources that are not counted, or counted as others."""
    ignores_undeclared: bool = False
    """A resource that no group covers keeps nothing from being admitted."""

    def counted(self, pods: PodSet) -> PodSet:
        """The pods with the requests that are counted."""
        if not self.ignored:
            return pods
        kept = {name: each for name, each in pods.requests.items() if not name.startswith(self.ignored)}
        return pods._replace(requests=kept)


def resource_policy(cluster: Cluster) -> ResourcePolicy:
    """The policy of the Configuration in view; the defaults if there is none."""
    for config_map in cluster.of("", "ConfigMap"):
        for content in mapping(config_map.body.get("data")).values():
            if isinstance(content, str) and _GROUP in content:
                return _policy(content)
    return ResourcePolicy()


def _policy(content: str) -> ResourcePolicy:
    from quotalint.text.documents import read

    documents = read(content.encode()).documents
    resources: Body = next(
        (
            mapping(mapping(document.value).get("resources"))
            for document in documents
            if text(mapping(document.value).get("apiVersion")).startswith(_GROUP)
        ),
        {},
    )
    transformed = (text(mapping(item).get("input")) for item in sequence(resources.get("transformations")))
    ignored = (*strings(resources.get("excludeResourcePrefixes")), *filter(None, transformed))
    return ResourcePolicy(ignored, dig(resources, "quotaCheckStrategy") == "IgnoreUndeclared")
