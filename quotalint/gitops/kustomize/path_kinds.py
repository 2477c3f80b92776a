"""What a path says of the objects that would lie there: definitions and roles hold no pods."""

from __future__ import annotations

import re

_DEFINITIONS = re.compile(r"(?:^|[-_./ ])(?:crds?|customresourcedefinitions?)(?:[-_./ ?]|$)", re.IGNORECASE)
_ROLES = re.compile(r"(?:^|[-_./ ])(?:rbac|(?:cluster)?role(?:binding)?s?)(?:[-_./ ?]|$)", re.IGNORECASE)


def kinds_by_path(path: str) -> tuple[str, ...]:
    """The kinds of what a path leads to, as far as its words say; nothing where it may be anything."""
    if _DEFINITIONS.search(path):
        return ("CustomResourceDefinition",)
    return ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding") if _ROLES.search(path) else ()
