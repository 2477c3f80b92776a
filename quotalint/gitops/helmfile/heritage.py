"""`inherits`: what a helmfile hands down to those that it includes (pkg/state/inherited.go)."""

from __future__ import annotations

from typing import NamedTuple

from quotalint.gitops.helmfile.states import HelmfileState, Inheritance, Written
from quotalint.kube.fields import Body, mapping, text


class Heritage(NamedTuple):
    """Fields of a helmfile that another one takes where it says nothing itself."""

    body: Body
    api_versions: tuple[Written, ...]
    environment: Inheritance | None
    """The values of its environment."""


NOTHING = Heritage({}, (), None)
_MAPS = ("helmDefaults", "commonLabels", "templates")


def heritage_of(state: HelmfileState, wanted: tuple[str, ...]) -> Heritage:
    """What a helmfile hands down of what is wanted."""
    body = {name: state.body[name] for name in (*_MAPS, "kubeVersion") if name in wanted and name in state.body}
    values = Inheritance(state.values, state.layers, state.absent) if "environments" in wanted else None
    return Heritage(body, state.lists.get("apiVersions", ()) if "apiVersions" in wanted else (), values)


def inherited(state: HelmfileState, heritage: Heritage) -> HelmfileState:
    """A helmfile with what it inherits besides values: what it says itself wins."""
    body = dict(state.body)
    for name in _MAPS:
        if name in heritage.body:
            body[name] = {**mapping(heritage.body[name]), **mapping(body.get(name))}
    if not text(body.get("kubeVersion")) and "kubeVersion" in heritage.body:
        body["kubeVersion"] = heritage.body["kubeVersion"]
    lists = dict(state.lists)
    if heritage.api_versions:
        lists["apiVersions"] = (*heritage.api_versions, *lists.get("apiVersions", ()))
    return state._replace(body=body, lists=lists)
