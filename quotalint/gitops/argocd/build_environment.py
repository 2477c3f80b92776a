"""The variables that Argo CD fills into the options of a source (argo-cd 3.x, reposerver/repository.go, newEnv;
pkg/apis/application/v1alpha1/types.go, Envsubst)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quotalint.kube.fields import Body, dig, text
from quotalint.kube.objects import Object

_VARIABLE = re.compile(r"\$(?:\$|\{([^}]*)\}|(\w+))")
_REVISION = "0" * 40  # which commit it will be, nobody knows; it decides no amount


def build_environment(obj: Object, source: Body) -> Mapping[str, str]:
    """The variables of one source of an Application."""
    return {
        "ARGOCD_APP_NAME": obj.name,
        "ARGOCD_APP_NAMESPACE": text(dig(obj.spec, "destination", "namespace")),
        "ARGOCD_APP_PROJECT_NAME": text(obj.spec.get("project")),
        "ARGOCD_APP_REVISION": _REVISION,
        "ARGOCD_APP_REVISION_SHORT": _REVISION[:7],
        "ARGOCD_APP_REVISION_SHORT_8": _REVISION[:8],
        "ARGOCD_APP_SOURCE_REPO_URL": text(source.get("repoURL")),
        "ARGOCD_APP_SOURCE_PATH": text(source.get("path")),
        "ARGOCD_APP_SOURCE_TARGET_REVISION": text(source.get("targetRevision")),
    }


def filled_in(written: str, environment: Mapping[str, str]) -> str:
    """A text with its variables; one that there is not is empty, and `$$` is a dollar sign (os.Expand)."""
    return _VARIABLE.sub(lambda match: _variable_value(match, environment), written) if "$" in written else written


def _variable_value(match: re.Match[str], environment: Mapping[str, str]) -> str:
    name = match[1] if match[1] is not None else match[2]
    return "$" if name is None else environment.get(name, "")
