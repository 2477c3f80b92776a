"""RoleBindings that let nobody write quotas reach no further than their namespace; what others do is looked for among
all roles."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment, quota
from test_compared_slices import Files, compare
from test_new_files import STARTED

BINDING = """apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: %s, namespace: team-a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: %s}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: %s}]
"""
ROLE = """apiVersion: rbac.authorization.k8s.io/v1
kind: %s
metadata: {name: %s, %s}
rules: [{apiGroups: [""], resources: [%s], verbs: [create, update, delete]}]
"""
ADMINS = BINDING % ("admins", "ClusterRole", "admin", "a")
EDITORS = BINDING % ("editors", "ClusterRole", "edit", "a")
ADDING = ROLE % ("ClusterRole", "more", 'labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}', "%s")
PODS = ROLE % ("Role", "pods", "namespace: team-a", "pods")
OF_ROLE = BINDING % ("more", "Role", "pods", "a")
BOUND: Files = {**STARTED, "a/admins.yaml": ADMINS}
OTHERS = ADMINS.replace("Group, name: a", "Group, name: b")
OF_NAMESPACES: dict[str, tuple[Files, Files]] = {
    "who is an administrator": (BOUND, {"a/admins.yaml": OTHERS}),
    "what they may do": (BOUND, {"a/admins.yaml": ADMINS.replace("name: admin}", "name: view}")}),
    "a binding that comes": (BOUND, {"a/editors.yaml": EDITORS}),
    "a binding that goes": ({**BOUND, "a/editors.yaml": EDITORS}, {"a/editors.yaml": None}),
    "where somebody adds what is no quota": (
        {**BOUND, "roles/more.yaml": ADDING % "pods"},
        {"a/admins.yaml": OTHERS},
    ),
    "somebody who may do what is no quota": (
        {**BOUND, "roles/more.yaml": ROLE % ("ClusterRole", "more", "labels: {}", "pods")},
        {"a/more.yaml": BINDING % ("more", "ClusterRole", "more", "a")},
    ),
    "what nobody knows here": (BOUND, {"a/more.yaml": BINDING % ("more", "ClusterRole", "more", "a")}),
    "a Role that comes": (BOUND, {"a/role.yaml": PODS}),
    "what a Role allows": ({**BOUND, "a/role.yaml": PODS}, {"a/role.yaml": PODS.replace("pods", "services")}),
    "a Role that goes": ({**BOUND, "a/role.yaml": PODS}, {"a/role.yaml": None}),
    "somebody who has a Role": ({**BOUND, "a/role.yaml": PODS}, {"a/more.yaml": OF_ROLE}),
    "somebody who has a Role that nobody knows here": (BOUND, {"a/more.yaml": OF_ROLE}),
    "somebody who has a Role that comes": (BOUND, {"a/more.yaml": OF_ROLE, "a/role.yaml": PODS}),
    "a Role of what others than pods": (
        BOUND,
        {"a/role.yaml": PODS.replace('[""]', "[apps]").replace("[pods]", '["*"]')},
    ),
    "an account of another namespace": (
        BOUND,
        {
            "a/admins.yaml": ADMINS.rpartition("subjects")[0]
            + "subjects: [{kind: ServiceAccount, name: a, namespace: z}]\n"
        },
    ),
}
EDITORS_OF_EAST = EDITORS.replace("team-a", "team-e")
IN_TWO_ENVIRONMENTS: Files = {
    **STARTED,
    ".quotalint.yaml": "environments: {east: ['east/**'], west: ['west/**']}\n",
    "east/quota.yaml": quota("pods: 4", namespace="team-e"),
    "east/web.yaml": deployment(1, "web", "team-e"),
    "east/editors.yaml": EDITORS_OF_EAST.replace("name: edit}", "name: view}"),
    "east/more.yaml": ADDING.replace("-view", "-edit") % "resourcequotas",
    "west/more.yaml": ADDING.replace("-view", "-edit") % "pods",
}
OF_MORE: dict[str, tuple[Files, Files]] = {
    "who is an administrator of the cluster": (
        {**STARTED, "a/admins.yaml": ADMINS.replace("name: admin}", "name: cluster-admin}")},
        {"a/admins.yaml": OTHERS.replace("name: admin}", "name: cluster-admin}")},
    ),
    "an administrator of the cluster": (
        BOUND,
        {"a/admins.yaml": ADMINS.replace("name: admin}", "name: cluster-admin}")},
    ),
    "a Role that allows to write quotas": (
        BOUND,
        {"a/role.yaml": PODS.replace("pods", "resourcequotas")},
    ),
    "a Role that allows to write a quota": (
        BOUND,
        {"a/role.yaml": PODS.replace("[pods]", '["*"], resourceNames: [quota]')},
    ),
    "a Role that allows to write quotas since": (
        {**BOUND, "a/role.yaml": PODS, "a/more.yaml": OF_ROLE},
        {"a/role.yaml": PODS.replace("pods", "pods, resourcequotas")},
    ),
    "a Role that no longer allows to write quotas": (
        {**BOUND, "a/role.yaml": PODS.replace("pods", "resourcequotas"), "a/more.yaml": OF_ROLE},
        {"a/role.yaml": PODS},
    ),
    "a ClusterRole that is called like a Role": (
        {
            **BOUND,
            "a/role.yaml": PODS,
            "roles/web.yaml": ROLE % ("ClusterRole", "pods", "labels: {}", "resourcequotas"),
        },
        {"a/more.yaml": OF_ROLE.replace("kind: Role,", "kind: ClusterRole,")},
    ),
    "somebody who may write quotas by a Role": (
        {**BOUND, "a/role.yaml": ROLE % ("Role", "quotas", "namespace: team-a", "resourcequotas")},
        {"a/more.yaml": BINDING % ("more", "Role", "quotas", "a")},
    ),
    "somebody who may write quotas": (
        {**BOUND, "roles/more.yaml": ROLE % ("ClusterRole", "more", "labels: {}", "resourcequotas")},
        {"a/more.yaml": BINDING % ("more", "ClusterRole", "more", "a")},
    ),
    "where somebody adds quotas": (
        {**BOUND, "roles/more.yaml": ADDING % "resourcequotas"},
        {"a/more.yaml": EDITORS},
    ),
    "where somebody adds quotas in the first of two environments": (
        IN_TWO_ENVIRONMENTS,
        {"east/editors.yaml": EDITORS_OF_EAST},
    ),
    "where another role is called like that": (
        {**BOUND, "roles/edit.yaml": ROLE % ("ClusterRole", "edit", "labels: {}", '"*"')},
        {"a/more.yaml": EDITORS},
    ),
    "a quota that is refused, where somebody may write it": (
        {
            **BOUND,
            "a/role.yaml": ROLE % ("Role", "quotas", "namespace: team-a", "resourcequotas"),
            "a/more.yaml": BINDING % ("more", "Role", "quotas", "a"),
        },
        {"a/quota.yaml": quota("pods: -9")},
    ),
    "what adds quotas": (BOUND, {"roles/more.yaml": ADDING % "resourcequotas"}),
}


@pytest.mark.parametrize("change", OF_NAMESPACES)
def test_who_may_read_quotas_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *OF_NAMESPACES[change])


@pytest.mark.parametrize("change", OF_MORE)
def test_who_may_write_quotas_has_everything_looked_at(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2
