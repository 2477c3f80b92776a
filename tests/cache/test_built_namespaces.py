"""Namespaces that come with what kustomizations build, with all that is in them: they are compared alone where nothing
else depends on which namespaces there are."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment, quota
from test_compared_slices import Files, compare
from test_new_files import APPLICATION
from test_projects_of_changes import PROJECT
from test_whole_namespaces import BINDING, LIMITS, declared

IN_CLUSTER, ELSEWHERE = "kubernetes.default.svc", "elsewhere.example.com"
OVERLAY = "resources:\n- %s\n"


def base(name: str, hard: str = "pods: 40") -> Files:
    """What is built for a namespace."""
    folder = f"scope/base/namespaces/{name}"
    return {
        f"{folder}/kustomization.yaml": f"namespace: {name}\nresources: [namespace.yaml, quota.yaml]\n"
        f"components: [../../../components/limits, ../../../components/admins]\n",
        f"{folder}/namespace.yaml": declared(name),
        f"{folder}/quota.yaml": quota(hard, f"{name}-quota", ""),
    }


def overlay(cluster: str, *names: str) -> Files:
    listed = "\n- ".join(f"../../base/namespaces/{name}" for name in names)
    return {f"scope/overlays/{cluster}/kustomization.yaml": OVERLAY % listed}


COMPONENT = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [%s]\n"
SCOPE: Files = {
    "README.md": "What this is.\n",
    "scope/components/limits/kustomization.yaml": COMPONENT % "limits.yaml",
    "scope/components/limits/limits.yaml": (LIMITS % ("x", 2)).replace(", namespace: x", ""),
    "scope/components/admins/kustomization.yaml": COMPONENT % "binding.yaml",
    "scope/components/admins/binding.yaml": (BINDING % ("x", "admin")).replace(", namespace: x", ""),
    **base("bill"),
    **base("chat"),
    **base("mail"),
    **base("shop"),
    **overlay("east", "bill", "chat", "mail"),
    **overlay("west", "bill", "chat", "shop"),
    "clusters/east/quota.yaml": quota("services: 4", "more", "mail"),
    "clusters/east/web.yaml": deployment(3, "web", "mail"),
}
NEW: Files = {**base("depot"), **overlay("east", "bill", "chat", "depot", "mail")}
WITH_WEB = str(NEW["scope/base/namespaces/depot/kustomization.yaml"]).replace("quota.yaml", "quota.yaml, web.yaml")
BY_ARGO: Files = {
    **{name: text for name, text in SCOPE.items() if not name.startswith("clusters/")},
    "apps/east.yaml": APPLICATION % ("east", "scope/overlays/east", "", "scope"),
    "apps/west.yaml": APPLICATION % ("west", "scope/overlays/west", "", "scope"),
}
GROUP = "apiVersion: user.openshift.io/v1\nkind: Group\nmetadata: {name: %s}\nusers: [ann]\n"
TOLD: Files = {**SCOPE, **base("mail", "pods: 40, gpu: 1")}
"""With a quota that stands behind others in a list, and of which something is said."""


def group(name: str) -> Files:
    folder = f"scope/base/groups/{name}"
    return {f"{folder}/kustomization.yaml": "resources: [group.yaml]\n", f"{folder}/group.yaml": GROUP % name}


def with_groups(cluster: str, *names: str) -> Files:
    listed = "\n- ".join((*("../../base/namespaces/bill", "../../base/namespaces/chat"), *names))
    return {f"scope/overlays/{cluster}/kustomization.yaml": OVERLAY % listed}


GROUPED: Files = {
    **SCOPE,
    **group("admins"),
    **with_groups("east", "../../base/groups/admins", "../../base/namespaces/mail"),
}
SHIFTING: dict[str, tuple[Files, Files]] = {
    "before what something is said of": (TOLD, NEW),
    "a Group before it": (
        TOLD,
        {**group("admins"), **with_groups("east", "../../base/groups/admins", "../../base/namespaces/mail")},
    ),
}
"""Where lines are others of what is said of namespaces in which nothing has changed."""
IDLE: dict[str, tuple[Files, Files]] = {
    "a Group": (
        GROUPED,
        {
            **group("users"),
            **with_groups("east", "../../base/groups/admins", "../../base/groups/users", "../../base/namespaces/mail"),
        },
    ),
    "a Group of a cluster that has none": (
        GROUPED,
        {**group("users"), **with_groups("west", "../../base/groups/users", "../../base/namespaces/shop")},
    ),
    "a Group and a namespace": (
        GROUPED,
        {
            **group("users"),
            **base("depot"),
            **with_groups(
                "east",
                "../../base/groups/admins",
                "../../base/groups/users",
                "../../base/namespaces/depot",
                "../../base/namespaces/mail",
            ),
        },
    ),
}


ALONE: dict[str, tuple[Files, Files]] = {
    "a namespace": (SCOPE, NEW),
    "a namespace that comes last": (SCOPE, {**base("depot"), **overlay("east", "bill", "chat", "mail", "depot")}),
    "a quota that is refused": (SCOPE, {**NEW, **base("depot", hard="pods: many")}),
    "in both clusters": (
        SCOPE,
        {
            **base("depot"),
            **overlay("east", "bill", "chat", "depot", "mail"),
            **overlay("west", "bill", "chat", "depot", "shop"),
        },
    ),
    "two of them": (
        SCOPE,
        {**base("depot"), **base("stock"), **overlay("east", "bill", "chat", "depot", "mail", "stock")},
    ),
    "with a workload": (
        SCOPE,
        {
            **NEW,
            "scope/base/namespaces/depot/web.yaml": deployment(99, "web", ""),
            "scope/base/namespaces/depot/kustomization.yaml": WITH_WEB,
        },
    ),
    "beside a change elsewhere": (SCOPE, {**NEW, "clusters/east/web.yaml": deployment(9, "web", "mail")}),
    "behind Applications": (BY_ARGO, NEW),
    "behind Applications whose project allows all namespaces": (
        {**BY_ARGO, "apps/project.yaml": PROJECT % ('"*"', "")},
        NEW,
    ),
}
OF_MORE: dict[str, tuple[Files, Files]] = {
    "a project that does not allow the namespace": (
        {**BY_ARGO, "apps/project.yaml": PROJECT % ('"[bms]*"', "")},
        NEW,
    ),
    "a project that does not allow a kind": (
        {
            **BY_ARGO,
            "apps/project.yaml": PROJECT % ('"*"', "namespaceResourceBlacklist: [{group: apps, kind: Deployment}]"),
        },
        {
            **NEW,
            "scope/base/namespaces/depot/web.yaml": deployment(1, "web", ""),
            "scope/base/namespaces/depot/kustomization.yaml": WITH_WEB,
        },
    ),
    "a namespace that something else is of": (
        {**SCOPE, "clusters/east/depot.yaml": deployment(1, "web", "depot")},
        NEW,
    ),
    "a namespace without a quota of a name of its own": (
        SCOPE,
        {
            **NEW,
            "scope/base/namespaces/depot/quota.yaml": quota("pods: 40", "depot-quota", "bill"),
            "scope/base/namespaces/depot/kustomization.yaml": "resources: [namespace.yaml, quota.yaml]\n",
        },
    ),
    "a namespace that another cluster has": (SCOPE, overlay("east", "bill", "chat", "mail", "shop")),
    "one by which half of two clusters becomes most of both": (
        {**SCOPE, **overlay("east", "bill", "mail"), **overlay("west", "bill", "shop")},
        {**base("depot"), **overlay("east", "bill", "depot", "mail"), **overlay("west", "bill", "depot", "shop")},
    ),
    "where others stand in another order": (
        SCOPE,
        {**base("depot"), **overlay("east", "mail", "bill", "depot", "chat")},
    ),
    "a Group that comes to a cluster in two ways": (
        {
            **GROUPED,
            "scope/overlays/east/more/kustomization.yaml": "resources: [../../../base/groups/admins]\n"
            "patches: [{target: {kind: Group}, patch: '[{op: add, path: /users/-, value: bob}]'}]\n",
        },
        {
            **group("users"),
            "scope/overlays/east/more/kustomization.yaml": "resources: [../../../base/groups/admins, "
            "../../../base/groups/users]\n"
            "patches: [{target: {kind: Group}, patch: '[{op: add, path: /users/-, value: bob}]'}]\n",
            **with_groups("east", "../../base/groups/admins", "../../base/groups/users", "../../base/namespaces/mail"),
        },
    ),
    "a Group that goes, which a project refuses of what another Application deploys from there": (
        {
            **SCOPE,
            **group("admins"),
            "apps/project.yaml": (
                PROJECT % ('"*"', "namespaceResourceBlacklist: [{group: user.openshift.io, kind: Group}]")
            )
            .replace("{name: default", "{name: strict")
            .replace(IN_CLUSTER, ELSEWHERE),
            "apps/free.yaml": APPLICATION % ("free", "web", "", "team-e"),
            "apps/strict.yaml": (APPLICATION % ("strict", "web", "", "team-e"))
            .replace("default", "strict", 1)
            .replace(IN_CLUSTER, ELSEWHERE),
            "apps/limits.yaml": (APPLICATION % ("limits", "limits", "", "team-e")).replace(IN_CLUSTER, ELSEWHERE),
            "apps/others.yaml": APPLICATION % ("others", "others", "", "team-e"),
            "limits/kustomization.yaml": "resources: [quota.yaml]\n",
            "limits/quota.yaml": quota("pods: 1", namespace="team-e"),
            "others/kustomization.yaml": "resources: [../scope/base/groups/admins]\nnamePrefix: other-\n",
            "web/class.yaml": "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: a}\n"
            "spec: {}\n",
            "web/kustomization.yaml": "resources: [class.yaml, web.yaml, ../scope/base/groups/admins]\n",
            "web/web.yaml": deployment(2, "web", "team-e"),
        },
        {"web/kustomization.yaml": "resources: [class.yaml, web.yaml]\n"},
    ),
    "a Group that another cluster has": (
        GROUPED,
        with_groups("west", "../../base/groups/admins", "../../base/namespaces/shop"),
    ),
    "a namespace that goes": (SCOPE, overlay("east", "bill", "chat")),
    "a namespace called like a folder above": (
        SCOPE,
        {**base("scope"), **overlay("east", "bill", "chat", "mail", "scope")},
    ),
    "a namespace in an old folder": (
        SCOPE,
        {
            "scope/base/namespaces/mail/more.yaml": declared("depot"),
            "scope/base/namespaces/mail/kustomization.yaml": "resources: [namespace.yaml, quota.yaml, more.yaml]\n",
        },
    ),
    "what nobody declares": (
        SCOPE,
        {**NEW, "scope/base/namespaces/depot/kustomization.yaml": "namespace: depot\nresources: [quota.yaml]\n"},
    ),
    "a workload with extreme amounts": (
        SCOPE,
        {
            **NEW,
            "scope/base/namespaces/depot/web.yaml": deployment(1, "web", "", "900"),
            "scope/base/namespaces/depot/kustomization.yaml": WITH_WEB,
        },
    ),
    "where the same is said of it and of others": (
        SCOPE,
        {**NEW, "scope/components/limits/limits.yaml": (LIMITS % ("x", "0.5")).replace(", namespace: x", "")},
    ),
}


@pytest.mark.parametrize("change", ALONE)
def test_a_built_namespace_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    # SARIF says of each quota of the second state whether it is in doubt, in their order.
    assert "everything" not in compare(noting_repository, monkeypatch, *ALONE[change], whole=["sarif"])


@pytest.mark.parametrize("change", IDLE)
def test_what_is_of_no_namespace_and_decides_nothing_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *IDLE[change], whole=["sarif"])


@pytest.mark.parametrize("change", SHIFTING)
def test_lines_may_shift_of_what_no_report_shows(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *SHIFTING[change], whole=["json", "sarif"])


@pytest.mark.parametrize("change", OF_MORE)
def test_everything_is_looked_at_where_more_may_depend_on_a_built_namespace(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2
