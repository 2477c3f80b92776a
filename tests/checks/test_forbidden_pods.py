"""Which pods Pod Security refuses, and what becomes of them in sums."""

from __future__ import annotations

import json
from typing import Any

import pytest
from git_repositories import quota
from workspace import Workspace

SECURE = "securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}"
DROPS = "securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}"


def namespace(labels: str = "enforce: restricted", name: str = "shop") -> str:
    keyed = ", ".join(f"pod-security.kubernetes.io/{label}" for label in labels.split(", "))
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}, labels: {{{keyed}}}}}\n---\n"


def pod(spec: str = "", container: str = "", name: str = "web") -> str:
    containers = f"containers: [{{name: a, image: a{', ' if container else ''}{container}}}]"
    body = f"spec: {{{spec}{', ' if spec else ''}{containers}}}"
    return f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: shop}}\n{body}\n---\n"


def deployment(spec: str = "", container: str = "", name: str = "web") -> str:
    template = pod(spec, container).split("\n")[3]
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}, namespace: shop}}\nspec:\n  replicas: 2\n"
        "  strategy: {type: Recreate}\n  selector: {matchLabels: {a: b}}\n"
        f"  template:\n    metadata: {{labels: {{a: b}}}}\n    {template}\n---\n"
    )


def checked(workspace: Workspace, files: dict[str, str], *options: str) -> dict[str, Any]:
    workspace.put(files)
    report: dict[str, Any] = json.loads(workspace.text("check", "--format", "json", *options)[1])
    return report


def found(report: dict[str, Any], rule: str = "QL408") -> list[tuple[str, str]]:
    return [(each["object"]["name"], each["severity"]) for each in report["findings"] if each["rule"] == rule]


def test_refused_pods_take_no_room(workspace: Workspace) -> None:
    limits = quota("pods: 2").replace("team-a", "shop")
    files = {"a.yaml": namespace() + limits + "---\n" + deployment(name="bad") + deployment(SECURE, DROPS, name="good")}
    report = checked(workspace, files)
    assert (found(report), found(report, "QL301")) == ([("bad", "error")], [])
    (entry,) = report["quotas"][0]["resources"]
    assert (entry["steady"], entry["peak"]) == ("2", "2")
    assert [each["name"] for each in report["quotas"][0]["consumers"]] == ["good"]


@pytest.mark.parametrize(("spec", "is_shown"), [("", True), ("hostNetwork: true", False)])
def test_fields_that_a_policy_may_write_have_another_cure(workspace: Workspace, spec: str, *, is_shown: bool) -> None:
    report = checked(workspace, {"a.yaml": namespace() + deployment(spec)})
    assert ["show it with `--with" in finding["help"] for finding in report["findings"]] == [is_shown]


def test_the_message_is_the_server_s_and_the_help_says_what_to_write(workspace: Workspace) -> None:
    workspace.put(
        {"a.yaml": namespace("enforce: restricted, enforce-version: v1.30") + deployment("hostNetwork: true")}
    )
    text = " ".join(workspace.text("check")[1].split())
    assert 'pods "web-…" is forbidden: violates PodSecurity "restricted:v1.30": host namespaces (hostNetwork' in text
    help_text = text[text.index("help write") :]
    assert "`seccompProfile.type: RuntimeDefault` in the securityContext of the pod; `allowPrivilege" in help_text
    assert "`capabilities.drop: [ALL]` in that of container a; remove hostNetwork; if it cannot" in help_text
    assert "its namespace has to enforce privileged" in help_text


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ("enforce: restricted", ["web"]),
        ("enforce: baseline", []),
        ("enforce: privileged", []),
        ("warn: restricted, audit: restricted", []),
        ("enforce: ${LEVEL}", []),
        ("enforce: strict", ["shop"]),
        ("enforce: baseline, enforce-version: '1.30'", ["shop"]),
        ("warn: strict", ["shop"]),
    ],
)
def test_the_labels_of_the_namespace_decide(workspace: Workspace, labels: str, names: list[str]) -> None:
    report = checked(workspace, {"a.yaml": namespace(labels) + pod()})
    assert [name for name, _ in found(report)] == names


def test_a_policy_is_not_newer_than_the_api_server(workspace: Workspace) -> None:
    probe = "livenessProbe: {httpGet: {host: a.b, port: 80}}"
    files = {"a.yaml": namespace("enforce: baseline, enforce-version: v1.36") + pod(container=probe)}
    assert [found(checked(workspace, files, "--kube-version", version)) for version in ("1.33", "1.34")] == [
        [],
        [("web", "error")],
    ]


def test_a_namespace_with_two_levels_is_a_guess(workspace: Workspace) -> None:
    files = {"a.yaml": namespace("enforce: baseline"), "b.yaml": namespace("enforce: restricted"), "c.yaml": pod()}
    report = checked(workspace, files)
    assert found(report) == [("web", "warning")]


@pytest.mark.parametrize("level", ["restricted", "baseline"])
def test_a_namespace_of_another_environment_decides_nothing(workspace: Workspace, level: str) -> None:
    files = {
        "dev/all.yaml": namespace(f"enforce: {level}") + quota("pods: 9").replace("team-a", "shop"),
        "prod/all.yaml": namespace("enforce: privileged") + quota("pods: 9").replace("team-a", "shop"),
        "prod/pod.yaml": pod("hostNetwork: true"),
        ".quotalint.yaml": "environments: {dev: [dev], prod: [prod]}\n",
    }
    assert found(checked(workspace, files)) == []


def test_without_the_namespace_nothing_is_said(workspace: Workspace) -> None:
    assert found(checked(workspace, {"a.yaml": namespace(name="lab") + pod("hostNetwork: true")})) == []


def test_pods_that_an_operator_makes_are_not_judged(workspace: Workspace) -> None:
    service = (
        "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: web, namespace: shop}\n"
        "spec: {template: {spec: {containers: [{image: a}]}}}\n"
    )
    assert found(checked(workspace, {"a.yaml": namespace() + service})) == []


def test_on_openshift_somebody_else_fills_in_what_is_missing(workspace: Workspace) -> None:
    route = "apiVersion: route.openshift.io/v1\nkind: Route\nmetadata: {name: web, namespace: shop}\n"
    assert found(checked(workspace, {"a.yaml": namespace() + pod() + route})) == []


def test_every_template_of_an_object_has_one_finding(workspace: Workspace) -> None:
    job = "{template: {spec: {template: {spec: {containers: [{name: a, image: a}]}}}}, replicas: 3, name: %s}"
    body = (
        "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: train, namespace: shop}\n"
        f"spec: {{replicatedJobs: [{job % 'a'}, {job % 'b'}]}}\n"
    )
    report = checked(workspace, {"a.yaml": namespace() + body})
    fields = [each["field"] for each in report["findings"] if each["rule"] == "QL408"]
    assert [field[:22] for field in fields] == ["spec.replicatedJobs[0]", "spec.replicatedJobs[1]"]


def test_what_rests_on_a_guess_is_a_warning_and_counted(workspace: Workspace) -> None:
    """The folder `common` names no environment, so that its pod runs where the level is enforced is a guess."""
    limits = quota("pods: 1").replace("team-a", "shop")
    files = {
        "dev/a.yaml": namespace() + limits,
        "prod/a.yaml": namespace("enforce: privileged") + limits,
        "common/pod.yaml": pod(),
    }
    report = checked(workspace, files)
    assert found(report) == [("web", "warning")]
    assert {entry["steady"] for each in report["quotas"] for entry in each["resources"]} == {"1"}


HARDENS = """\
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: harden}
spec:
  rules:
    - name: harden
      match: {any: [{resources: {kinds: [Pod]}}]}
      mutate: {patchStrategicMerge: {spec: {"+(securityContext)": {runAsNonRoot: true}}}}
"""
ASSIGNS = """\
apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: {name: harden}
spec:
  applyTo: [{groups: [""], kinds: [Pod], versions: [v1]}]
  location: "spec.containers[name:*].securityContext.allowPrivilegeEscalation"
  parameters: {assign: {value: false}}
"""
EXPRESSED = """\
apiVersion: policies.kyverno.io/v1
kind: MutatingPolicy
metadata: {name: harden}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  mutations: [{applyConfiguration: {expression: "Object{spec: Object.spec{securityContext: object.spec.x}}"}}]
"""


@pytest.mark.parametrize(
    ("policy", "severity"),
    [
        (HARDENS, "warning"),
        (EXPRESSED, "warning"),
        (ASSIGNS, "warning"),
        (HARDENS.replace("securityContext", "priorityClassName"), "error"),
        (HARDENS.replace("mutate:", "validate:"), "error"),
    ],
)
def test_a_policy_may_set_the_security_of_pods_first(policy: str, severity: str, workspace: Workspace) -> None:
    report = checked(workspace, {"a.yaml": namespace() + deployment(), "policy.yaml": policy})
    assert {finding["severity"] for finding in report["findings"] if finding["rule"] == "QL408"} == {severity}


EXEMPTIONS = "{namespaces: [%s], runtimeClasses: [%s], usernames: [%s]}"


@pytest.mark.parametrize(
    ("namespaces", "classes", "users", "names"),
    [
        ("lab", "", "", ["bare", "web"]),
        ("shop", "", "", []),
        ("", "gvisor", "", ["web"]),
        ("", "", "system:serviceaccount:kube-system:replicaset-controller", []),
        ("", "", "admin", ["web"]),
    ],
)
@pytest.mark.parametrize("inside", [False, True])
def test_the_configuration_of_the_api_server_exempts(
    workspace: Workspace, namespaces: str, classes: str, users: str, names: list[str], inside: bool
) -> None:
    group = "apiVersion: pod-security.admission.config.k8s.io/v1\nkind: PodSecurityConfiguration\n"
    text = f"{group}exemptions: {EXEMPTIONS % (namespaces, classes, users)}\n"
    if inside:
        inner = "\n".join(f"      {line}" for line in text.splitlines())
        text = (
            "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n"
            f"  - name: PodSecurity\n    configuration:\n{inner}\n"
        )
    files = {"a.yaml": namespace() + deployment() + pod("runtimeClassName: gvisor", name="bare"), "psa.yaml": text}
    report = checked(workspace, files)
    assert sorted(name for name, _ in found(report)) == names
    assert [each["file"] for each in report["skipped"]] == []


def test_the_default_level_of_the_api_server_is_a_guess(workspace: Workspace) -> None:
    text = (
        "apiVersion: pod-security.admission.config.k8s.io/v1\nkind: PodSecurityConfiguration\n"
        "defaults: {enforce: baseline}\n"
    )
    plain = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n"
    assert found(checked(workspace, {"a.yaml": plain + pod("hostPID: true"), "psa.yaml": text})) == [("web", "warning")]
