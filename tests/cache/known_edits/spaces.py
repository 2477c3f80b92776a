"""Folders that are made for a namespace each, plain and built, and namespaces that come, go and have other labels."""

from __future__ import annotations

from git_repositories import deployment, quota

from known_edits.rows import (
    Edit,
    Files,
    Rows,
    Swap,
    application,
    binding,
    custom,
    limits,
    namespace,
    role,
    service,
)


def made_for(name: str, folder: str = "", hard: str = "pods: 50") -> Files:
    """What a folder has that is made for a namespace."""
    folder = folder or f"live/{name}"
    return {
        f"{folder}/namespace.yaml": namespace(name),
        f"{folder}/rbac.yaml": binding("admins", "admin", name),
        f"{folder}/limits.yaml": limits(name),
        f"{folder}/quota.yaml": quota(hard, "namespace-quota", name),
    }


LIVE: Files = {
    **made_for("shop-dev", hard="pods: 40, requests.memory: 4Gi"),
    **made_for("bill", hard="pods: 40, requests.memory: 4Gi"),
    **made_for("mail", hard="pods: 40, requests.memory: 4Gi"),
    **made_for("east-mail", "clusters/east/east-mail"),
    **made_for("west-mail", "clusters/west/west-mail"),
    "live/bill/web.yaml": deployment(2, "web", "bill"),
}
NEW = made_for("depot")
GOES: Edit = dict.fromkeys(NEW)
POLICY = """apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: ["*"], operations: ["*"], resources: ["*"]}]}
  validations: [{expression: object.spec.replicas < 3}]
"""
BOUND = """apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec: {policyName: few, validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {strict: "1"}}}}
"""
OF_ALL = """apiVersion: quota.openshift.io/v1
kind: ClusterResourceQuota
metadata: {name: all}
spec: {selector: {labels: {matchLabels: {strict: "1"}}}, quota: {hard: {pods: 3}}}
"""
DECLARED = "live/bill/namespace.yaml"
OF_LIVE: Rows = {
    "a namespace, with what fits and what does not": (
        NEW,
        {"live/depot/web.yaml": deployment(2, "web", "depot")},
        {"live/depot/web.yaml": deployment(99, "web", "depot"), "live/bill/web.yaml": deployment(60, "web", "bill")},
        {"live/depot/web.yaml": deployment(1, "web", "")},
        {"live/depot/web.yaml": service("web", "bill")},
    ),
    "two, of which one goes": ({**NEW, **made_for("stock", hard="pods: many")}, GOES),
    "with a quota that nothing enforces": (made_for("depot", hard="pods: 4, gpu: 1"), {"live/depot/limits.yaml": None}),
    "with a LimitRange that is refused": ({**NEW, "live/depot/limits.yaml": limits("depot", "0.5")},),
    "called otherwise than its folder": (made_for("depot-eu", "live/depot"), made_for("depot", "live/staging")),
    "in one file": ({"live/depot/all.yaml": "---\n".join(NEW.values())},),
    "in other places": (
        made_for("depot", "other/depot"),
        made_for("depot", "live/bill/depot"),
        made_for("depot", "live/tests"),
    ),
    "one of a cluster": (made_for("east-depot", "clusters/east/east-depot"), made_for("east-mail", "clusters/west/x")),
    "one that no file declares": (
        {**NEW},
        {"live/depot/namespace.yaml": None},
        {"live/depot/more.yaml": namespace("x")},
    ),
    "with roles": (
        {**NEW, "live/depot/role.yaml": role("team", "resourcequotas", ", namespace: depot", "Role")},
        {"live/depot/rbac.yaml": binding("team", "team", "depot", "Role")},
        {"live/depot/rbac.yaml": binding("team", "cluster-admin", "depot")},
        {"live/depot/rbac.yaml": binding("team", "team", "depot"), "roles.yaml": role("team", "resourcequotas")},
    ),
    "with a kustomization": ({**NEW, "live/depot/kustomization.yaml": "resources: [namespace.yaml, quota.yaml]\n"},),
    "where Argo CD deploys": (
        {"apps/live.yaml": application("live", "live", "recurse: true", "argocd")},
        NEW,
        {"live/depot/app.yaml": application("x", "live/bill", "", "depot")},
    ),
    "where quotas are of namespaces that nothing declares": (
        {"live/other/quota.yaml": quota("pods: 4", "namespace-quota", "depott")},
        NEW,
    ),
    "a quota out of line with all others": (
        made_for("depot", hard="requests.memory: 4000Gi"),
        {"live/depot/quota.yaml": Swap("4000Gi", "4Gi")},
        {"live/mail/quota.yaml": Swap("4Gi", "4000Gi")},
    ),
    "what a project makes of templates": (
        {
            "project/.kluctl.yaml": "targets: []\n",
            "project/api.yaml.j2": deployment(1, "api", "depot").replace("replicas: 1", "replicas: {{ n }}"),
        },
        {**NEW, "live/depot/web.yaml": deployment(2, "web", "depot")},
    ),
    "what is called as its namespace, beside one that is not": (
        {"live/mail/quota.yaml": quota("pods: 4", "namespace-quota", "shop-dev")},
        {
            "live/shop/kustomization.yaml": "namespace: shop\nresources: [quota.yaml]\n",
            "live/shop/quota.yaml": quota("pods: 4", "namespace-quota", ""),
        },
        NEW,
    ),
    "what makes a folder the home of a namespace": (
        {"web/web.yaml": deployment(1, "web", ""), "live/mail/quota.yaml": quota("pods: 4", "mail-quota", "shop")},
        {"apps/web.yaml": application("web", "web", "", "shop")},
        {"web/more.yaml": deployment(1, "more", "shop")},
        {"web/third.yaml": deployment(1, "third", "third"), "web/quota.yaml": quota("pods: 8", namespace="x")},
    ),
    "labels of a namespace, which choose its policies and quotas": (
        {"all/policy.yaml": POLICY, "all/binding.yaml": BOUND, "all/quota.yaml": OF_ALL},
        {DECLARED: namespace("bill", ', labels: {strict: "1"}')},
        {"live/bill/web.yaml": Swap("replicas: 2", "replicas: 4")},
        {DECLARED: namespace("bill", ", labels: {strict: no}")},
        {"all/binding.yaml": Swap("strict", "other"), DECLARED: namespace("bill", ', labels: {other: "1"}')},
    ),
    "other environments": (
        {".quotalint.yaml": "environments: {dev: [/live/*-dev/], prod: [/live/b*/]}\n"},
        NEW,
    ),
    "what a configured selector looks at": (
        {".quotalint.yaml": "namespaces: {live/bill/*.yaml: mail}\n"},
        {"live/bill/more.yaml": deployment(50, "more", "")},
    ),
}
COMPONENT = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [it.yaml]\n"
USERS = "patches: [{target: {kind: Group}, patch: '[{op: add, path: /users/-, value: bob}]'}]\n"
GATEWAYS = custom("gateway.networking.k8s.io/v1", "GatewayClass", "a", "")


def built_for(name: str, hard: str = "pods: 40") -> Files:
    """What is built for a namespace."""
    folder = f"scope/base/namespaces/{name}"
    return {
        f"{folder}/kustomization.yaml": f"namespace: {name}\nresources: [namespace.yaml, quota.yaml]\n"
        "components: [../../../components/limits, ../../../components/admins]\n",
        f"{folder}/namespace.yaml": namespace(name),
        f"{folder}/quota.yaml": quota(hard, f"{name}-quota", ""),
    }


def overlay(cluster: str, *names: str, more: str = "") -> Files:
    """What a cluster has."""
    listed = "".join(f"- ../../base/{'' if '/' in name else 'namespaces/'}{name}\n" for name in names)
    return {f"scope/overlays/{cluster}/kustomization.yaml": f"resources:\n{listed}{more}"}


def group(name: str) -> Files:
    """What is of no namespace."""
    text = f"apiVersion: user.openshift.io/v1\nkind: Group\nmetadata: {{name: {name}}}\nusers: [ann]\n"
    folder = f"scope/base/groups/{name}"
    return {f"{folder}/kustomization.yaml": "resources: [group.yaml]\n", f"{folder}/group.yaml": text}


SCOPE: Files = {
    "scope/components/limits/kustomization.yaml": COMPONENT,
    "scope/components/limits/it.yaml": limits("x").replace(", namespace: x", ""),
    "scope/components/admins/kustomization.yaml": COMPONENT,
    "scope/components/admins/it.yaml": binding("admins", "admin", "x").replace(", namespace: x", ""),
    **built_for("bill"),
    **built_for("chat"),
    **built_for("mail", "pods: 40, gpu: 1"),
    **built_for("shop"),
    **group("admins"),
    **overlay("east", "bill", "chat", "groups/admins", "mail"),
    **overlay("west", "bill", "chat", "shop"),
    "clusters/east/quota.yaml": quota("services: 4", "more", "mail"),
    "clusters/east/web.yaml": deployment(3, "web", "mail"),
}
DEPOT = "scope/base/namespaces/depot"
NEWLY_BUILT = {**built_for("depot"), **overlay("east", "bill", "chat", "depot", "groups/admins", "mail")}
OF_SCOPE: Rows = {
    "a namespace, then one with a quota that is refused": (
        NEWLY_BUILT,
        {f"{DEPOT}/quota.yaml": Swap("pods: 40", "pods: many")},
        overlay("west", "bill", "chat", "depot", "shop"),
        overlay("east", "mail", "bill", "depot"),
    ),
    "with a workload, beside a change elsewhere": (
        {
            **NEWLY_BUILT,
            f"{DEPOT}/web.yaml": deployment(99, "web", ""),
            f"{DEPOT}/kustomization.yaml": "namespace: depot\nresources: [namespace.yaml, quota.yaml, web.yaml]\n",
            "clusters/east/web.yaml": deployment(9, "web", "mail"),
        },
        {f"{DEPOT}/kustomization.yaml": Swap("namespace.yaml, ", "")},
        {f"{DEPOT}/kustomization.yaml": Swap("namespace: depot\n", "")},
    ),
    "behind Applications": (
        {
            "apps/east.yaml": application("east", "scope/overlays/east", "", "scope"),
            "apps/west.yaml": application("west", "scope/overlays/west", "", "scope"),
        },
        NEWLY_BUILT,
    ),
    "one that another cluster has": (overlay("east", "bill", "chat", "mail", "shop"), overlay("west", "bill", "chat")),
    "half of two clusters": (
        {**overlay("east", "bill", "mail"), **overlay("west", "bill", "shop")},
        {**built_for("depot"), **overlay("east", "bill", "depot", "mail"), **overlay("west", "bill", "depot", "shop")},
    ),
    "one that is called like a folder above": ({**built_for("scope"), **overlay("east", "bill", "scope")},),
    "one in an old folder": (
        {
            "scope/base/namespaces/mail/more.yaml": namespace("depot"),
            "scope/base/namespaces/mail/kustomization.yaml": "resources: [namespace.yaml, quota.yaml, more.yaml]\n",
        },
    ),
    "Groups": (
        {**group("users"), **overlay("east", "bill", "chat", "groups/admins", "groups/users", "mail")},
        overlay("west", "bill", "chat", "groups/users", "shop"),
        {"scope/overlays/east/more/kustomization.yaml": f"resources: [../../../base/groups/admins]\n{USERS}"},
        {"west.yaml": GATEWAYS},
    ),
    "a component of all": (
        {"scope/components/limits/it.yaml": Swap("cpu: 2", "cpu: 0.5")},
        NEWLY_BUILT,
        {"scope/components/admins/it.yaml": Swap("name: admin}", "name: cluster-admin}")},
    ),
}
