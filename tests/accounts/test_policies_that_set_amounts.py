"""Policies that change pods and workloads before their quota is checked: sums and refusals follow what they set."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from manifests import namespace
from workspace import Workspace

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: team}\n"
HARD = 'spec: {hard: {pods: "9", requests.cpu: "9", limits.cpu: "9", limits.memory: 9Gi}}\n'
WRITTEN = {"pods": "1", "requests.cpu": "0", "limits.cpu": "0", "limits.memory": "0"}
"""What one pod without amounts is charged."""


def workload(resources: str = "", kind: str = "Deployment", more: str = "replicas: 1") -> str:
    """One pod with one container and one init container; the former has these requests and limits."""
    return dedent(
        f"""\
        apiVersion: apps/v1
        kind: {kind}
        metadata: {{name: web, namespace: team}}
        spec:
          {more}
          strategy: {{type: Recreate}}
          selector: {{matchLabels: {{app: web}}}}
          template:
            metadata: {{labels: {{app: web}}}}
            spec:
              initContainers: [{{name: init, image: "busybox:1"}}]
              containers: [{{name: app, image: "web:latest", resources: {{{resources}}}}}]
        """
    )


def kyverno(rule: str, kinds: str = "Pod", more: str = "", head: str = "", resources: str = "") -> str:
    """A ClusterPolicy with one rule."""
    matched = f"{{resources: {{kinds: [{kinds}]{resources}}}}}"
    text = (
        f"apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {{name: fill{head}}}\nspec:\n"
        f"  rules:\n    - name: fill\n      match: {{any: [{matched}]}}\n"
    )
    return text + indent(dedent(more), "      ") + indent(dedent(rule), "      ")


def said(workspace: Workspace, *documents: str, labels: str = "tier: free") -> tuple[dict[str, str], list[str]]:
    """The sums (with `?` unless they are exact) and the findings about refused pods."""
    files = {"team.yaml": "---\n".join((namespace("team", labels), QUOTA + HARD))}
    workspace.put({**files, **{f"{number}.yaml": text for number, text in enumerate(documents)}})
    report = workspace.report("check")
    found = [f"{finding['severity']} {finding['rule']}" for finding in report["findings"] if "QL4" in finding["rule"]]
    (table,) = (table for table in report["quotas"] if table["name"] == "base")
    sums = {
        row["resource"]: row["steady"]
        + {"exact": "", "assumed": "?", "at-least": "+", "unknown": "!"}[row["certainty"]]
        for row in table["resources"]
    }
    return sums, found


CPU_AND_MEMORY = """\
mutate:
  patchStrategicMerge:
    spec:
      containers:
        - (name): "*"
          resources:
            requests: {+(cpu): 100m}
            limits: {+(cpu): 200m, +(memory): 1Gi}
      initContainers:
        - (name): "*"
          resources: {limits: {cpu: 100m, memory: 512Mi}}
"""
FILLED = {"pods": "1", "requests.cpu": "100m?", "limits.cpu": "200m?", "limits.memory": "1Gi?"}


@pytest.mark.parametrize("kinds", ["Pod", "v1/Pod", "'*/Pod'", "'P?d'"])
def test_what_a_kyverno_rule_adds_is_counted(workspace: Workspace, kinds: str) -> None:
    assert said(workspace, workload(), kyverno(CPU_AND_MEMORY, kinds)) == (FILLED, [])


def test_a_precondition_looks_into_each_of_several_lists(workspace: Workspace) -> None:
    names = "{{ request.object.spec.[initContainers, containers][].name }}"
    more = f'preconditions: {{all: [{{key: "{names}", operator: AnyIn, value: [init]}}]}}\n'
    assert said(workspace, workload(), kyverno(CPU_AND_MEMORY, more=more)) == (FILLED, [])


def test_no_configuration_would_settle_what_a_policy_sets(workspace: Workspace) -> None:
    workspace.put({"a.yaml": "---\n".join((namespace("team"), QUOTA + HARD, workload(), kyverno(CPU_AND_MEMORY)))})
    text = workspace.text("check")[1]
    assert "Assumed" in text
    assert "quotalint init" not in text


def test_a_container_that_policies_surely_leave_alone_is_refused(workspace: Workspace) -> None:
    one = 'mutate: {patchStrategicMerge: {spec: {containers: [{(name): "NAME", resources: {limits: {cpu: 1}}}]}}}\n'
    assert said(workspace, workload(), kyverno(one.replace("NAME", "app")))[1] == ["error QL401"]
    unknown = one.replace("cpu: 1", 'cpu: "{{ images.containers.app.tag }}"')
    assert said(workspace, workload(), kyverno(unknown.replace("NAME", "*")))[1] == ["error QL401"]


def test_what_is_written_stays(workspace: Workspace) -> None:
    """An amount that the rule leaves alone is as sure as without it."""
    written = workload("limits: {cpu: 2, memory: 2Gi}, requests: {cpu: 1}")
    only = CPU_AND_MEMORY.partition("      initContainers")[0]
    sums, _ = said(workspace, written, kyverno(only))
    assert sums == {"pods": "1", "requests.cpu": "1", "limits.cpu": "2", "limits.memory": "2Gi"}


@pytest.mark.parametrize(
    "policy",
    [
        pytest.param(kyverno(CPU_AND_MEMORY, resources=", namespaces: [other, 'x-*']"), id="another namespace"),
        pytest.param(kyverno(CPU_AND_MEMORY, resources=", namespaceSelector: {matchLabels: {tier: gold}}"), id="label"),
        pytest.param(kyverno(CPU_AND_MEMORY, kinds="apps/v1/StatefulSet"), id="another kind"),
        pytest.param(kyverno(CPU_AND_MEMORY, resources=", selector: {matchLabels: {app: api}}"), id="selector"),
        pytest.param(kyverno(CPU_AND_MEMORY, resources=", names: ['api-*']"), id="name"),
        pytest.param(kyverno(CPU_AND_MEMORY, resources=", operations: [DELETE]"), id="operation"),
        pytest.param(
            kyverno(CPU_AND_MEMORY, more="exclude: {any: [{resources: {namespaces: ['te?m']}}]}\n"), id="excluded"
        ),
        pytest.param(
            kyverno(
                CPU_AND_MEMORY,
                more="""\
                preconditions:
                  all: [{key: "{{ request.object.metadata.labels.app }}", operator: NotEquals, value: web}]
                """,
            ),
            id="precondition",
        ),
        pytest.param(
            kyverno(
                CPU_AND_MEMORY,
                more="""\
                preconditions:
                  all: [{key: "{{ request.object.spec.containers[].workingDir }}", operator: AnyIn, value: [a]}]
                """,
            ),
            id="a field that no container has",
        ),
        pytest.param(
            kyverno(CPU_AND_MEMORY)
            + dedent(
                """\
                ---
                apiVersion: kyverno.io/v2
                kind: PolicyException
                metadata: {name: but, namespace: kyverno}
                spec:
                  exceptions: [{policyName: fill, ruleNames: ["*"]}]
                  match: {any: [{resources: {kinds: [Pod, Deployment], namespaces: [team]}}]}
                """
            ),
            id="exception",
        ),
        pytest.param(
            kyverno(CPU_AND_MEMORY).replace("ClusterPolicy", "Policy").replace("fill}", "fill, namespace: b}"),
            id="Policy of another namespace",
        ),
        pytest.param(kyverno("mutate: {patchStrategicMerge: {metadata: {labels: {+(team): a}}}}\n"), id="labels alone"),
        pytest.param(
            kyverno("mutate: {patchStrategicMerge: {spec: {containers: [{(name): '*', imagePullPolicy: Always}]}}}\n"),
            id="images alone",
        ),
    ],
)
def test_what_no_policy_changes_is_sure(workspace: Workspace, policy: str) -> None:
    assert said(workspace, workload(), policy) == (WRITTEN, ["error QL401"])


@pytest.mark.parametrize(
    "policy",
    [
        pytest.param(
            kyverno(
                CPU_AND_MEMORY,
                more="context: [{name: m, configMap: {name: m, namespace: m}}]\n"
                "preconditions: {all: [{key: '{{ m.data.on }}', operator: Equals, value: 'yes'}]}\n",
            ),
            id="a precondition about a ConfigMap",
        ),
        pytest.param(
            kyverno(
                CPU_AND_MEMORY,
                more="""\
                preconditions:
                  all: [{key: "{{ request.object.status.phase || 'a' }}", operator: Equals, value: b}]
                """,
            ),
            id="a precondition about the status",
        ),
        pytest.param(
            kyverno(
                "mutate: {patchStrategicMerge: {spec: {containers: "
                "[{(name): '>a', resources: {limits: {cpu: 1, memory: 1}}}]}}}\n"
            ),
            id="a comparison",
        ),
        pytest.param(
            kyverno(CPU_AND_MEMORY, more="exclude: {any: [{clusterRoles: [cluster-admin]}]}\n"), id="excluded users"
        ),
        pytest.param(
            kyverno(
                """\
                mutate:
                  foreach:
                    - list: "request.object.spec.containers | length(@)"
                      patchesJson6902: |-
                        - {op: add, path: "/spec/containers/{{elementIndex}}/resources/limits/cpu", value: 1}
                        - {op: add, path: "/spec/containers/{{elementIndex}}/resources/limits/memory", value: 1}
                """
            ),
            id="a list that is an expression",
        ),
    ],
)
def test_what_a_policy_may_change_is_assumed(workspace: Workspace, policy: str) -> None:
    sums, found = said(workspace, workload("requests: {cpu: 1}"), policy)
    assert (sums["requests.cpu"], sums["limits.cpu"], sums["pods"]) == ("1?", "0+", "1")
    assert found == ["warning QL401"]


@pytest.mark.parametrize(
    ("rule", "kinds"),
    [
        pytest.param(
            """\
            mutate:
              foreach:
                - list: request.object.spec.containers
                  patchesJson6902: |-
                    - op: add
                      path: /spec/containers/{{elementIndex}}/resources/limits/cpu
                      value: 300m
            """,
            "Pod",
            id="JSON patch in a loop",
        ),
        pytest.param(
            """\
            mutate:
              patchesJson6902: |-
                - {op: add, path: /spec/template/spec/containers/0/resources/limits, value: {cpu: 300m}}
            """,
            "Deployment",
            id="JSON patch of a Deployment",
        ),
        pytest.param(
            """\
            mutate:
              patchesJson6902: |-
                - {op: add, path: /spec/containers/-, value: {name: b, resources: {limits: {cpu: 300m}}}}
            """,
            "Pod",
            id="JSON patch that adds a container",
        ),
        pytest.param(
            """\
            mutate:
              foreach:
                - list: request.object.spec.[initContainers, containers][]
                  preconditions: {all: [{key: "{{ element.name }}", operator: Equals, value: app}]}
                  patchStrategicMerge:
                    spec: {containers: [{name: "{{ element.name }}", resources: {limits: {+(cpu): 300m}}}]}
            """,
            "Pod",
            id="loop over all containers",
        ),
        pytest.param(
            "mutate: {patchStrategicMerge: {spec: {containers: "
            "[{(image): '*:latest', resources: {limits: {cpu: '{{ element.x || `300m` }}'}}}]}}}\n".replace(
                "element.x", "request.object.metadata.labels.cpu"
            ),
            "Pod",
            id="condition and variable",
        ),
    ],
)
def test_patches_of_kyverno(workspace: Workspace, rule: str, kinds: str) -> None:
    sums, _ = said(workspace, workload("requests: {cpu: 100m}"), kyverno(rule, kinds))
    assert sums["limits.cpu"] == "300m?"
    assert sums["limits.memory"] == "0"


def test_replicas_that_a_policy_sets_change_all_sums(workspace: Workspace) -> None:
    rule = "mutate: {patchStrategicMerge: {spec: {replicas: 3}}}\n"
    amounts = "limits: {cpu: 1, memory: 1Gi}"
    sums, _ = said(workspace, workload(amounts), kyverno(rule, "Deployment"))
    assert sums == {"pods": "3?", "requests.cpu": "3?", "limits.cpu": "3?", "limits.memory": "3Gi?"}


ASSIGN = """\
apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: {name: fill}
spec:
  applyTo: [{groups: [""], versions: [v1], kinds: [Pod]}]
  match: {scope: Namespaced, %s}
  location: %s
  parameters: {assign: {value: %s}%s}
"""
LIMIT = "'spec.containers[name: *].resources.limits.\"cpu\"'"


@pytest.mark.parametrize(
    ("match", "location", "value", "tests", "limit"),
    [
        pytest.param("", LIMIT, "300m", "", "300m?", id="a limit"),
        pytest.param("", "'spec.containers[name:app].resources'", "{limits: {cpu: 300m}}", "", "300m?", id="all"),
        pytest.param("namespaces: ['te*']", LIMIT, "300m", "", "300m?", id="its namespace"),
        pytest.param("excludedNamespaces: ['*am']", LIMIT, "300m", "", "50m", id="not its namespace"),
        pytest.param("namespaceSelector: {matchLabels: {tier: gold}}", LIMIT, "1", "", "50m", id="not its label"),
        pytest.param("kinds: [{apiGroups: [apps], kinds: ['*']}]", LIMIT, "1", "", "50m", id="not its kind"),
        pytest.param(
            "", LIMIT, "300m", f", pathTests: [{{subPath: {LIMIT}, condition: MustNotExist}}]", "50m", id="it exists"
        ),
        pytest.param(
            "", LIMIT, "300m", f", pathTests: [{{subPath: {LIMIT}, condition: MustExist}}]", "300m?", id="it must"
        ),
        pytest.param("", "spec.dnsPolicy", "Default", "", "50m", id="another field"),
    ],
)
def test_assign_of_gatekeeper(
    workspace: Workspace, match: str, location: str, value: str, tests: str, limit: str
) -> None:
    policy = ASSIGN % (match, location, value, tests)
    assert said(workspace, workload("limits: {cpu: 50m}"), policy)[0]["limits.cpu"] == limit


OVERRIDE = """\
apiVersion: operator.autoscaling.openshift.io/v1
kind: ClusterResourceOverride
metadata: {name: cluster}
spec:
  podResourceOverride:
    spec: {memoryRequestToLimitPercent: 50, cpuRequestToLimitPercent: 25, limitCPUToMemoryPercent: 200}
"""
ENABLED = 'clusterresourceoverrides.admission.autoscaling.openshift.io/enabled: "true"'


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        pytest.param(ENABLED, {"pods": "1", "requests.cpu": "750m?", "limits.cpu": "3?", "limits.memory": "1536Mi"}),
        pytest.param("a: b", {"pods": "1", "requests.cpu": "1", "limits.cpu": "1", "limits.memory": "1536Mi"}),
    ],
    ids=["its label", "another label"],
)
def test_percentages_of_openshift(workspace: Workspace, labels: str, expected: dict[str, str]) -> None:
    assert said(workspace, workload("limits: {cpu: 1, memory: 1536Mi}"), OVERRIDE, labels=labels)[0] == expected


EXPRESSIONS = """\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: fill}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  matchConditions: [{name: a, expression: "object.metadata.namespace != '%s'"}]
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: 'Object{spec: Object.spec{containers: [Object.spec.containers{name: "app", %s}]}}'
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: fill}
spec: {policyName: %s}
"""
RESOURCES = 'resources: Object.spec.containers.resources{limits: {"memory": "1Gi"}}'


@pytest.mark.parametrize(
    ("excluded", "patch", "bound", "severity"),
    [
        pytest.param("other", RESOURCES, "fill", "warning", id="it may"),
        pytest.param("team", RESOURCES, "fill", "error", id="not this namespace"),
        pytest.param("other", RESOURCES, "fall", "error", id="no binding"),
        pytest.param("other", 'image: "a"', "fill", "error", id="images"),
    ],
)
def test_expressions_may_set_amounts(
    workspace: Workspace, excluded: str, patch: str, bound: str, severity: str
) -> None:
    sums, found = said(workspace, alone(), EXPRESSIONS % (excluded, patch, bound))
    assert found == [f"{severity} QL401"]
    assert sums["limits.memory"] == ("0+" if severity == "warning" else "0")
    assert sums["limits.cpu"] == "1"


def test_expressions_about_other_kinds_set_nothing(workspace: Workspace) -> None:
    policy = EXPRESSIONS % ("other", RESOURCES, "fill")
    assert said(workspace, alone(), policy)[1] == ["warning QL401"]
    assert said(workspace, alone(), policy.replace("[pods]", "[configmaps]"))[1] == ["error QL401"]


def alone() -> str:
    """A workload with a limit of CPU, without an init container."""
    written = workload("limits: {cpu: 1}").replace("initContainers", "volumes")
    return written.replace('{name: init, image: "busybox:1"}', "")


HOOK = """\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: %s}
webhooks:
  - name: %s
    clientConfig: {service: {name: hook, namespace: hook}}
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: [%s]}]
    namespaceSelector: {matchLabels: {tier: %s}}
"""


@pytest.mark.parametrize(
    ("hook", "severity"),
    [
        pytest.param(HOOK % ("a", "pods.example.org", "pods", "free"), "warning", id="pods"),
        pytest.param(HOOK % ("a", "pods.example.org", "'*'", "free"), "warning", id="all kinds"),
        pytest.param(HOOK % ("a", "pods.example.org", "deployments", "free"), "warning", id="Deployments"),
        pytest.param(HOOK % ("a", "pods.example.org", "pods", "gold"), "error", id="other namespaces"),
        pytest.param(HOOK % ("a", "pods.example.org", "secrets", "free"), "error", id="other kinds"),
        pytest.param(HOOK % ("a", "pods.example.org", "pods/status", "free"), "error", id="a subresource"),
        pytest.param(
            HOOK % ("a", "pods.example.org", "pods", "free")
            + "    matchConditions: [{name: a, expression: \"object.metadata.namespace != 'team'\"}]\n",
            "error",
            id="a condition that excludes the namespace",
        ),
        pytest.param(HOOK % ("istio-sidecar-injector", "x", "pods", "free"), "error", id="known by configuration"),
        pytest.param(HOOK % ("a", "iam-for-pods.amazonaws.com", "pods", "free"), "error", id="known by name"),
    ],
)
def test_a_webhook_that_nobody_knows_may_set_amounts(workspace: Workspace, hook: str, severity: str) -> None:
    assert said(workspace, workload(), hook)[1] == [f"{severity} QL401"]


def test_defaults_of_a_limit_range_come_before_policies(workspace: Workspace) -> None:
    """A rule about pods that adds what is missing finds what the LimitRange gave; here its annotation keeps it from
    the templates, which are changed before."""
    limits = (
        "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l, namespace: team}\n"
        "spec: {limits: [{type: Container, default: {cpu: 50m, memory: 64Mi}}]}\n"
    )
    rule = CPU_AND_MEMORY.partition("      initContainers")[0]
    none = ", annotations: {pod-policies.kyverno.io/autogen-controllers: none}"
    sums, _ = said(workspace, workload(), limits, kyverno(rule, head=none))
    assert (sums["limits.cpu"], sums["limits.memory"]) == ("50m", "64Mi")
    sums, _ = said(workspace, workload(), limits, kyverno(rule))
    assert (sums["limits.cpu"], sums["limits.memory"]) == ("200m?", "1Gi?")


def test_a_finding_names_the_policy(workspace: Workspace) -> None:
    workspace.put({"a.yaml": "---\n".join((QUOTA + HARD, workload(), HOOK % ("a", "b.example.org", "pods", "free")))})
    _, text, _ = workspace.text("check")
    assert "MutatingWebhookConfiguration a may set amounts before the quota is checked" in " ".join(text.split())


def test_an_amount_that_a_policy_makes_invalid_is_assumed_to_be(workspace: Workspace) -> None:
    """The request that the rule adds is above the limit that is written."""
    rule = "mutate: {patchStrategicMerge: {spec: {containers: [{(name): '*', resources: {requests: {cpu: 2}}}]}}}\n"
    _, found = said(workspace, workload("limits: {cpu: 1, memory: 1Gi}"), kyverno(rule))
    assert "warning QL404" in found
    assert "error QL404" not in found


def test_a_rule_that_may_apply_and_adds_nothing_is_no_doubt(workspace: Workspace) -> None:
    rule = CPU_AND_MEMORY.partition("      initContainers")[0].replace("100m", "2")
    users = "exclude: {any: [{clusterRoles: [cluster-admin]}]}\n"
    written = workload("limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 1}")
    sums, _ = said(workspace, written.replace("initContainers", "volumes"), kyverno(rule, more=users))
    assert sums == {"pods": "1", "requests.cpu": "1", "limits.cpu": "1", "limits.memory": "1Gi"}
