"""The configuration of the API server's plugin PodSecurity: the level of Namespaces without labels, and exemptions.

Source: Kubernetes 1.37, k8s.io/pod-security-admission/admission: api/v1/types.go and admission.go (exemptUser).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import Body, mapping, sequence, strings, text
from quotalint.named_tuples import NamedTuple

KIND = "PodSecurityConfiguration"
_PLUGIN = "PodSecurity"
_CONTROLLERS = {
    "CronJob": "job-controller",
    "DaemonSet": "daemon-set-controller",
    "Deployment": "replicaset-controller",
    "Job": "job-controller",
    "ReplicaSet": "replicaset-controller",
    "ReplicationController": "replication-controller",
    "StatefulSet": "statefulset-controller",
}
"""The service account that creates the pods of a kind."""


class SecurityConfiguration(NamedTuple):
    """One configuration of the plugin."""

    file: str
    enforce: str
    version: str
    namespaces: frozenset[str]
    runtime_classes: frozenset[str]
    usernames: frozenset[str]

    def exempts(self, namespace: str, runtime_class: str, kind: str) -> bool:
        """Whether it exempts the pods of a kind of workload. Anybody may create a Pod or another object."""
        account = _CONTROLLERS.get(kind)
        exempt_user = (
            f"system:serviceaccount:kube-system:{account}" in self.usernames if account else bool(self.usernames)
        )
        return namespace in self.namespaces or runtime_class in self.runtime_classes or exempt_user


def security_configurations(value: object, file: str) -> Iterator[SecurityConfiguration]:
    """The configurations in a document: one of the plugin, or an AdmissionConfiguration that contains one."""
    body = mapping(value)
    if body.get("kind") == KIND:
        yield _configuration(body, file)
    for plugin in map(mapping, sequence(body.get("plugins"))):
        inner = mapping(plugin.get("configuration"))
        if plugin.get("name") == _PLUGIN and inner.get("kind") == KIND:
            yield _configuration(inner, file)


def _configuration(body: Body, file: str) -> SecurityConfiguration:
    defaults, exemptions = mapping(body.get("defaults")), mapping(body.get("exemptions"))
    exempt = (frozenset(strings(exemptions.get(field))) for field in ("namespaces", "runtimeClasses", "usernames"))
    return SecurityConfiguration(file, text(defaults.get("enforce")), text(defaults.get("enforce-version")), *exempt)
