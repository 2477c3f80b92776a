"""Folders that come or go with all that there is of a namespace are compared alone where another folder beside them
shows where they are applied, and nothing else depends on which namespaces there are."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment, quota
from test_compared_slices import Files, compare
from test_new_files import APPLICATION, SERVICE

LIMITS = """apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: %s}
spec: {limits: [{type: Container, default: {cpu: %s}, defaultRequest: {cpu: 1}}]}
"""
BINDING = """apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: admins, namespace: %s}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team}]
"""

ROLE = (
    """apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: team, namespace: depot}
rules: [{apiGroups: [""], resources: [%s], verbs: [get, update]}]
---
"""
    + BINDING.replace("ClusterRole", "Role").replace("admins", "team") % ("depot", "team")
)
CLUSTER_ROLE = """apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: team}
rules: [{apiGroups: [""], resources: [resourcequotas], verbs: [get, update]}]
"""


def declared(name: str, more: str = "") -> str:
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}{more}}}\n"


def of_namespace(name: str, folder: str = "", hard: str = "pods: 50", max_cpu: int = 2) -> Files:
    """What a folder has that is made for a namespace."""
    folder = folder or f"namespaces/live/{name}"
    return {
        f"{folder}/00-namespace.yaml": declared(name),
        f"{folder}/01-rbac.yaml": BINDING % (name, "admin"),
        f"{folder}/02-limitrange.yaml": LIMITS % (name, max_cpu),
        f"{folder}/03-resourcequota.yaml": quota(hard, "namespace-quota", name),
        f"{folder}/resources/main.tf": "terraform {}\n",
    }


def without(files: Files) -> Files:
    return dict.fromkeys(files)


LIVE: Files = {
    **of_namespace("shop-dev"),
    **of_namespace("shop-prod"),
    **of_namespace("bill"),
    **of_namespace("mail"),
    "namespaces/live/bill/web.yaml": deployment(2, "web", "bill"),
    "README.md": "What this is.\n",
}
IN_CLUSTERS: Files = {
    **of_namespace("shop", "clusters/east/shop"),
    **of_namespace("shop", "clusters/west/shop"),
    **of_namespace("bill", "clusters/east/bill"),
    **of_namespace("bill", "clusters/west/bill"),
    **of_namespace("east-mail", "clusters/east/east-mail"),
}
NEW = of_namespace("depot")
ALONE: dict[str, tuple[Files, Files]] = {
    "a namespace": (LIVE, NEW),
    "two of them": (LIVE, {**NEW, **of_namespace("stock", hard="pods: 5")}),
    "with workloads that fit": (LIVE, {**NEW, "namespaces/live/depot/web.yaml": deployment(2, "web", "depot")}),
    "with workloads that do not fit": (LIVE, {**NEW, "namespaces/live/depot/web.yaml": deployment(99, "web", "depot")}),
    "with a quota that is refused": (LIVE, of_namespace("depot", hard="pods: many")),
    "with a quota that nothing enforces": (LIVE, of_namespace("depot", hard="pods: 4, gpu: 1")),
    "with a LimitRange that is refused": (
        LIVE,
        {**NEW, "namespaces/live/depot/02-limitrange.yaml": LIMITS % ("depot", "0.5")},
    ),
    "called otherwise than its folder": (LIVE, of_namespace("depot-eu", "namespaces/live/depot")),
    "in one file": (
        LIVE,
        {"namespaces/live/depot/all.yaml": "---\n".join(str(NEW[name]) for name in NEW if "0" in name)},
    ),
    "beside a change elsewhere": (LIVE, {**NEW, "namespaces/live/bill/web.yaml": deployment(60, "web", "bill")}),
    "beside a quota that is another": (
        LIVE,
        {**NEW, "namespaces/live/bill/03-resourcequota.yaml": quota("pods: 1", "namespace-quota", "bill")},
    ),
    "beside what comes elsewhere": (LIVE, {**NEW, "namespaces/live/mail/service.yaml": SERVICE % ("mail", "mail")}),
    "one that goes": ({**LIVE, **NEW}, without(NEW)),
    "one that goes with what did not fit": (
        {**LIVE, **NEW, "namespaces/live/depot/web.yaml": deployment(99, "web", "depot")},
        without({**NEW, "namespaces/live/depot/web.yaml": ""}),
    ),
    "two that go": (
        {**LIVE, **NEW, **of_namespace("stock")},
        without({**NEW, **of_namespace("stock")}),
    ),
    "with a role of its own": (LIVE, {**NEW, "namespaces/live/depot/07-rbac.yaml": ROLE % "pods"}),
    "one with a role goes": (
        {**LIVE, **NEW, "namespaces/live/depot/07-rbac.yaml": ROLE % "pods"},
        without({**NEW, "namespaces/live/depot/07-rbac.yaml": ""}),
    ),
    "with a role that is not in view": (
        LIVE,
        {**NEW, "namespaces/live/depot/01-rbac.yaml": BINDING % ("depot", "networks")},
    ),
    "one of a cluster": (IN_CLUSTERS, of_namespace("east-depot", "clusters/east/east-depot")),
    "one of a cluster goes": (
        {**IN_CLUSTERS, **of_namespace("east-depot", "clusters/east/east-depot")},
        without(of_namespace("east-depot", "clusters/east/east-depot")),
    ),
    "beside quotas of which some allow a hundred times as much": (
        {
            **of_namespace("a", hard="requests.memory: 4Gi"),
            **of_namespace("b", hard="requests.memory: 4Gi"),
            **of_namespace("c", hard="requests.memory: 400Gi"),
            **of_namespace("d", hard="requests.memory: 400Gi"),
        },
        of_namespace("depot", hard="requests.memory: 4Gi"),
    ),
    "one that something new elsewhere is beside": (LIVE, {**NEW, "docs/how.md": "How.\n"}),
}
OF_MORE: dict[str, tuple[Files, Files]] = {
    "a namespace that another folder has": (
        {**LIVE, "more/web.yaml": deployment(1, "web", "depot")},
        NEW,
    ),
    "one of which another folder has more, and that goes": (
        {**LIVE, **NEW, "more/web.yaml": deployment(1, "web", "depot")},
        without(NEW),
    ),
    "one that is of another cluster as well": (IN_CLUSTERS, of_namespace("east-mail", "clusters/west/east-mail")),
    "one that goes and one that comes": ({**LIVE, **NEW}, {**without(NEW), **of_namespace("stock")}),
    "a folder that is called like a stage": (LIVE, of_namespace("depot", "namespaces/live/staging")),
    "a folder of tests": (LIVE, of_namespace("depot", "namespaces/live/tests")),
    "the first folder beside others": (LIVE, of_namespace("depot", "namespaces/other/depot")),
    "a folder in a folder of one": (LIVE, of_namespace("depot", "namespaces/live/bill/depot")),
    "a folder in a new folder": (LIVE, of_namespace("depot", "namespaces/live/depot/more")),
    "a namespace that no file declares": (
        LIVE,
        {name: text for name, text in NEW.items() if not name.endswith("namespace.yaml")},
    ),
    "two namespaces in a folder": (LIVE, {**NEW, "namespaces/live/depot/more.yaml": declared("stock")}),
    "an object of another namespace": (LIVE, {**NEW, "namespaces/live/depot/more.yaml": SERVICE % ("a", "bill")}),
    "an object that names no namespace": (LIVE, {**NEW, "namespaces/live/depot/web.yaml": deployment(1, "web", "")}),
    "somebody who may write the quota": (
        LIVE,
        {**NEW, "namespaces/live/depot/01-rbac.yaml": BINDING % ("depot", "cluster-admin")},
    ),
    "a role that may write the quota": (
        LIVE,
        {**NEW, "namespaces/live/depot/07-rbac.yaml": ROLE % "resourcequotas"},
    ),
    "a role of the cluster that may write the quota": (
        {**LIVE, "roles.yaml": CLUSTER_ROLE},
        {**NEW, "namespaces/live/depot/01-rbac.yaml": BINDING % ("depot", "team")},
    ),
    "a role of the cluster that may write the quota, and a namespace that goes": (
        {**LIVE, **NEW, "roles.yaml": CLUSTER_ROLE, "namespaces/live/depot/01-rbac.yaml": BINDING % ("depot", "team")},
        without(NEW),
    ),
    "a kustomization in it": (
        LIVE,
        {**NEW, "namespaces/live/depot/kustomization.yaml": "resources: [00-namespace.yaml, 03-resourcequota.yaml]\n"},
    ),
    "what deploys": (LIVE, {**NEW, "namespaces/live/depot/app.yaml": APPLICATION % ("x", "bill", "", "depot")}),
    "where Argo CD deploys to it": (
        {**LIVE, "apps/live.yaml": APPLICATION % ("live", "namespaces/live", "recurse: true", "argocd")},
        NEW,
    ),
    "where quotas are of namespaces that nothing declares": (
        {**LIVE, "namespaces/live/other/quota.yaml": quota("pods: 4", "namespace-quota", "depott")},
        NEW,
    ),
    "a quota out of line with all others": (
        {
            name: text
            for files in (of_namespace(f"team-{number}", hard="requests.memory: 4Gi") for number in range(6))
            for name, text in files.items()
        },
        of_namespace("depot", hard="requests.memory: 4000Gi"),
    ),
    "one more that another quota is out of line with": (
        {
            **{
                name: text
                for files in (of_namespace(f"team-{number}", hard="requests.memory: 4Gi") for number in range(5))
                for name, text in files.items()
            },
            **of_namespace("large", hard="requests.memory: 4000Gi"),
        },
        of_namespace("depot", hard="requests.memory: 4Gi"),
    ),
    "where the configuration tells environments": (
        {
            **LIVE,
            ".quotalint.yaml": "environments: {dev: [/namespaces/live/*-dev/], prod: [/namespaces/live/*-prod/]}\n",
        },
        NEW,
    ),
    "the third that is called as its namespace, beside one that is not": (
        {
            **of_namespace("shop"),
            **of_namespace("bill"),
            "namespaces/live/mail/quota.yaml": quota("pods: 4", "namespace-quota", "shop"),
            "namespaces/live/mail/limits.yaml": LIMITS % ("shop", 1),
        },
        NEW,
    ),
    "where a template of a project is for that namespace": (
        {
            **LIVE,
            "project/.kluctl.yaml": "targets: []\n",
            "project/api.yaml.j2": deployment(1, "api", "depot").replace("replicas: 1", "replicas: {{ n }}"),
        },
        {**NEW, "namespaces/live/depot/web.yaml": deployment(2, "web", "depot")},
    ),
    "the second that is called as its namespace, beside one whose kustomization says so": (
        {
            **of_namespace("bill"),
            "namespaces/live/mail/quota.yaml": quota("pods: 4", "mail-quota", "bill"),
            "namespaces/live/shop/kustomization.yaml": "namespace: shop\nresources: [namespace.yaml, quota.yaml]\n",
            "namespaces/live/shop/namespace.yaml": declared("shop"),
            "namespaces/live/shop/quota.yaml": quota("pods: 4", "namespace-quota", ""),
        },
        NEW,
    ),
}


@pytest.mark.parametrize("change", ALONE)
def test_a_whole_namespace_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    # SARIF says of each quota of the second state whether it is in doubt, in their order.
    assert "everything" not in compare(noting_repository, monkeypatch, *ALONE[change], whole=["sarif"])


@pytest.mark.parametrize("change", OF_MORE)
def test_everything_is_looked_at_where_more_may_depend_on_a_namespace(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2
