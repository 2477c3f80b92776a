"""The deployers that quotalint knows, and the kinds of objects that make them deploy."""

from __future__ import annotations

import posixpath

from quotalint.gitops.argocd import ARGO_CD
from quotalint.gitops.by_hand import BY_HAND
from quotalint.gitops.config_sync import CONFIG_SYNC
from quotalint.gitops.deployer import Context, Deployer, DeployingKind, not_in_view, stated_namespace
from quotalint.gitops.fleet import FLEET
from quotalint.gitops.flux import FLUX
from quotalint.gitops.helmfile import HELMFILE
from quotalint.gitops.other_deployers import OTHER_DEPLOYERS
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.terraform import TERRAFORM
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, text
from quotalint.kube.objects import Object
from quotalint.unknowns.causes import OTHER_CLUSTERS, UNFOLLOWED_OBJECTS, Reason, SharedCause
from quotalint.unknowns.problems import MISSING, Problem

DEPLOYERS: tuple[Deployer, ...] = (
    BY_HAND,
    ARGO_CD,
    FLUX,
    FLEET,
    HELMFILE,
    CONFIG_SYNC,
    TERRAFORM,
    *OTHER_DEPLOYERS,
)
DEPLOYING_KINDS = {(kind.group, kind.kind): kind for deployer in DEPLOYERS for kind in deployer.kinds}
APPLIED_AS_WRITTEN = frozenset(name for name, kind in DEPLOYING_KINDS.items() if kind.applies_as_written)
"""The kinds that apply files without rendering templates first."""
_FILE_NAMES = tuple(name for deployer in DEPLOYERS for name in deployer.file_names)


def deploying_kind(obj: Object) -> DeployingKind | None:
    """The kind of an object that deploys others; None for other objects, and for patches."""
    kind = DEPLOYING_KINDS.get((obj.group, obj.kind))
    return kind if kind is not None and kind.is_whole(obj) else None


def is_deployer(obj: Object) -> bool:
    """Whether an object deploys others."""
    return deploying_kind(obj) is not None


def is_deployer_file(name: str) -> bool:
    """Whether a deployer reads a file of this name without an object that tells it to."""
    return posixpath.basename(name).startswith(_FILE_NAMES)


def deployed_folder(obj: Object) -> str | None:
    """The repository's folder that an object deploys; None if no single field states it."""
    kind = DEPLOYING_KINDS.get((obj.group, obj.kind))
    folder = text(dig(obj.body, *kind.folder)) if kind is not None and kind.folder else ""
    return None if not folder or is_placeholder(folder) else posixpath.normpath(folder.lstrip("/"))


def render_deployed(obj: Object, context: Context) -> tuple[Rendering, ...]:
    """The renderings that an object deploys; empty for most objects."""
    kind = DEPLOYING_KINDS.get((obj.group, obj.kind))
    if kind is None:
        return ()
    return tuple(kind.render(obj, context)) if kind.render is not None else (_unfollowed_rendering(obj, kind),)


def _unfollowed_rendering(obj: Object, kind: DeployingKind) -> Rendering:
    subject = f"{obj.kind} {obj.name}"
    if kind.chooses_clusters:
        reason = f"{subject} deploys to clusters that it chooses, which is not followed"
        shared = SharedCause(OTHER_CLUSTERS, obj.kind)
        return Rendering(problems=(Problem(obj.place, reason, MISSING, shared=shared, subject=subject),))
    why = f"what {obj.kind}s of {obj.group} deploy is not in view, since they are not followed"
    cause = Reason(why, UNFOLLOWED_OBJECTS, f"{obj.kind} of {obj.group}")
    return not_in_view(obj, cause, stated_namespace(obj, kind.namespaces))
