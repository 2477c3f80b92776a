"""The fields without which an object that runs pods or deploys others is only a patch."""

from __future__ import annotations

from quotalint.gitops.deployers import DEPLOYING_KINDS
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig, lacks
from quotalint.kube.objects import Object
from quotalint.kube.pod_specs import OF_TEMPLATE, POD_SPECS

# One of these fields must exist: the pod spec (pkg/apis/{core,apps,batch}/validation), or what a deployer needs.
_REQUIRED = {
    **{kind: ("pod spec", (path,)) for kind, path in POD_SPECS.items()},
    **{name: (kind.needs_called, kind.needs) for name, kind in DEPLOYING_KINDS.items() if kind.needs},
}


_SELECTOR = ("spec", "selector")
_CONTAINERS = (*OF_TEMPLATE, "containers")


def missing_field(obj: Object) -> str:
    """The missing required field in words, such as `pod spec`; empty if none is missing, or if that is unknown."""
    if (obj.group, obj.kind) not in _REQUIRED:
        return ""
    words, paths = _REQUIRED[obj.group, obj.kind]
    if all(lacks(obj.body, path) for path in paths):
        return words
    # apps/v1 requires a selector, and each container an image (pkg/apis/apps/validation, pkg/apis/core/validation). An
    # object without both is a patch; without one of them it is a faulty object.
    is_patch = obj.group == "apps" and lacks(obj.body, _SELECTOR) and not _may_have_image(obj.body)
    return "selector and no image" if is_patch else ""


def _may_have_image(body: Body) -> bool:
    if lacks(body, _CONTAINERS):
        return False
    containers = dig(body, *_CONTAINERS)
    if not isinstance(containers, list):
        return True  # a placeholder may stand for the whole list
    return any("image" in item if isinstance(item, dict) else is_placeholder(item) for item in containers)
