"""Objects that are meant as a ResourceQuota or LimitRange, of a kind or version that no API server has."""

from __future__ import annotations

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.discovery import Discovery, kind_of
from quotalint.kube.objects import Object
from quotalint.kube.spelling import nearest

MEANT = ("LimitRange", "ResourceQuota")
VERSION = "v1"


def meant_kind(obj: Object, known: Discovery) -> str:
    """The kind of `v1` that the object is meant to be and is not; empty where it is of another kind, or of that one.

    Other people's groups may have kinds of the same name. A group without a dot is none of theirs, since they are
    those of CustomResourceDefinitions, of which the API server says "should be a domain with at least one dot"
    (1.34, staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go).
    """
    if "." in obj.group and not obj.group.endswith(".k8s.io"):
        return ""
    if obj.kind in MEANT:
        is_right = (obj.group, obj.version) == ("", VERSION) or is_placeholder(obj.api_version)
        return "" if is_right or (obj.group, obj.kind) in known.by_kind else obj.kind
    # Lists of them, and what the group has.
    if obj.kind.endswith("List") or obj.kind[:1] not in "RrLl" or kind_of(known, obj.group, obj.kind) is not None:
        return ""
    return nearest(obj.kind, MEANT, 0.9) or ""
