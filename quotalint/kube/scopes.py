"""The scopes of a quota: their names, the resources that they admit, and how a selector matches.

Source: Kubernetes 1.34, pkg/apis/core/helper/helpers.go (IsStandardResourceQuotaScope,
IsResourceQuotaScopeValidForResource) and validation.go (validateScopedResourceSelectorRequirement).
"""

from __future__ import annotations

from quotalint.kube.releases import release
from quotalint.kube.resources import COMPUTE
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

POD_SCOPES = frozenset(
    {"Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity"}
)
CLAIM_SCOPES = frozenset({"VolumeAttributesClass"})
SCOPES = POD_SCOPES | CLAIM_SCOPES

CONFLICTS = (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating"))

OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")

EXISTS_ONLY = frozenset({"Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity"})
"""Scopes without values: their only operator is Exists."""

_POD_RESOURCES = COMPUTE | {"pods"}
_ADMITS = {
    "BestEffort": frozenset({"pods"}),
    "VolumeAttributesClass": frozenset({"persistentvolumeclaims", "requests.storage"}),
    **dict.fromkeys(POD_SCOPES - {"BestEffort"}, _POD_RESOURCES),
}


class Requirement(NamedTuple):
    """One condition for a quota to count an object; all conditions of a quota must hold."""

    scope: str
    operator: str
    values: tuple[str, ...]
    path: Path
    """The path in the quota."""

    @property
    def is_listed(self) -> bool:
        """Whether it is written in `scopes`, not in a selector."""
        return "scopes" in self.path


def known_scopes(kube_version: str) -> frozenset[str]:
    """The scopes that this release accepts."""
    return SCOPES if release(kube_version).volume_attributes_class_scope else POD_SCOPES


def admits(scope: str, resource: str) -> bool:
    """Whether a quota with this scope may limit this standard resource; an unknown scope admits all."""
    return scope not in _ADMITS or resource in _ADMITS[scope]


def selects(requirement: Requirement, value: str) -> bool:
    """Whether a class (empty: none) satisfies the operator, like a label selector."""
    if requirement.operator == "Exists":
        return bool(value)
    if requirement.operator == "DoesNotExist":
        return not value
    if requirement.operator == "In":
        return bool(value) and value in requirement.values
    return not value or value not in requirement.values
