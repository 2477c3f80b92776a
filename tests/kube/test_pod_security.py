"""What the Pod Security Standards forbid, level by level and version by version; as the fixtures of
k8s.io/pod-security-admission/test have it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from quotalint.kube.pod_security import violations

SECURE = (
    "{securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}, containers: [{name: a, "
    "securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]}"
)
DROPS = "allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}"


def forbidden(spec: str, level: str, minor: int = 36) -> list[str]:
    body: dict[str, Any] = {"spec": yaml.safe_load(spec)}
    return [violation.message for violation in violations(body, level, minor)]


def container(text: str) -> str:
    return f"{{containers: [{{name: a, {text}}}]}}"


def context(text: str) -> str:
    return container(f"securityContext: {{{text}}}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{hostNetwork: true, hostPID: true}", "host namespaces (hostNetwork=true, hostPID=true)"),
        ("{volumes: [{name: v, hostPath: {path: /}}]}", 'hostPath volumes (volume "v")'),
        (context("privileged: true"), 'privileged (container "a" must not set securityContext.privileged=true)'),
        (
            context("capabilities: {add: [NET_ADMIN, CHOWN]}"),
            'non-default capabilities (container "a" must not include "NET_ADMIN" in securityContext.capabilities.add)',
        ),
        (container("ports: [{hostPort: 80}]"), 'hostPort (container "a" uses hostPort 80)'),
        (
            container("livenessProbe: {httpGet: {host: 10.0.0.1}}"),
            'probe or lifecycle host (container "a" uses probe or lifecycle host "10.0.0.1")',
        ),
        (
            context("procMount: Unmasked"),
            'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
        ),
        (
            "{securityContext: {seLinuxOptions: {type: spc_t, user: u, role: r}}}",
            'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; '
            "role may not be set)",
        ),
        (
            "{securityContext: {seccompProfile: {type: Unconfined}}}",
            'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
        ),
        ("{securityContext: {sysctls: [{name: kernel.msgmax}]}}", "forbidden sysctls (kernel.msgmax)"),
        (
            context("windowsOptions: {hostProcess: true}"),
            'hostProcess (container "a" must not set securityContext.windowsOptions.hostProcess=true)',
        ),
        (
            context("appArmorProfile: {type: Unconfined}"),
            'forbidden AppArmor profile (container "a" must not set AppArmor profile type to "Unconfined")',
        ),
    ],
)
def test_baseline_forbids_what_reaches_the_node(spec: str, message: str) -> None:
    assert forbidden(spec, "baseline") == [message]


def test_restricted_wants_four_fields_of_every_pod() -> None:
    assert forbidden("{containers: [{name: a}], initContainers: [{name: b}]}", "restricted") == [
        'allowPrivilegeEscalation != false (containers "b", "a" must set '
        "securityContext.allowPrivilegeEscalation=false)",
        'unrestricted capabilities (containers "b", "a" must set securityContext.capabilities.drop=["ALL"])',
        'runAsNonRoot != true (pod or containers "b", "a" must set securityContext.runAsNonRoot=true)',
        'seccompProfile (pod or containers "b", "a" must set securityContext.seccompProfile.type to "RuntimeDefault" '
        'or "Localhost")',
    ]
    assert forbidden(SECURE, "restricted") == []
    assert forbidden("{containers: [{name: a}]}", "baseline") == []


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (SECURE.replace("true", "false"), "runAsNonRoot != true"),
        (SECURE.replace("runAsNonRoot", "runAsUser: 0, runAsNonRoot"), "runAsUser=0"),
        (SECURE.replace("containers", "volumes: [{name: v, nfs: {}}], containers"), "restricted volume types"),
        (SECURE.replace("drop: [ALL]", "drop: [all]"), "unrestricted capabilities"),
        (SECURE.replace("drop: [ALL]", "drop: [ALL], add: [CHOWN]"), "unrestricted capabilities"),
        (SECURE.replace("RuntimeDefault", "Unconfined"), "seccompProfile"),
        (SECURE.replace("Escalation: false", "Escalation: true"), "allowPrivilegeEscalation != false"),
    ],
)
def test_restricted_forbids(spec: str, reason: str) -> None:
    assert [message.partition(" (")[0] for message in forbidden(spec, "restricted")] == [reason]
    assert forbidden(SECURE.replace("drop: [ALL]", "drop: [ALL], add: [NET_BIND_SERVICE]"), "restricted") == []


@pytest.mark.parametrize(
    ("spec", "level", "since"),
    [
        (container("livenessProbe: {httpGet: {host: a.b}}"), "baseline", 34),
        (SECURE.replace("runAsNonRoot", "runAsUser: 0, runAsNonRoot"), "restricted", 23),
        (f"{{containers: [{{name: a, securityContext: {{runAsNonRoot: true, {DROPS}}}}}]}}", "restricted", 19),
    ],
)
def test_a_check_begins_with_a_version(spec: str, level: str, since: int) -> None:
    assert (forbidden(spec, level, since - 1), bool(forbidden(spec, level, since))) == ([], True)


@pytest.mark.parametrize(
    ("spec", "level", "until"),
    [
        ("{securityContext: {sysctls: [{name: net.ipv4.tcp_rmem}]}}", "baseline", 32),
        ("{securityContext: {sysctls: [{name: net.ipv4.tcp_notsent_lowat}]}}", "baseline", 37),
        ("{securityContext: {seLinuxOptions: {type: container_engine_t}}}", "baseline", 31),
        (f"{{hostUsers: false, {context('procMount: Unmasked')[1:]}", "baseline", 35),
        (SECURE.replace("runAsNonRoot: true", "runAsUser: 0").replace("{", "{hostUsers: false, ", 1), "restricted", 35),
        ("{os: {name: windows}, securityContext: {runAsNonRoot: true}, containers: [{name: a}]}", "restricted", 25),
    ],
)
def test_a_version_relaxes(spec: str, level: str, until: int) -> None:
    assert (bool(forbidden(spec, level, until - 1)), forbidden(spec, level, until)) == (True, [])


def test_ports_of_the_host_network_are_ports_of_the_host() -> None:
    spec = "{hostNetwork: true, containers: [{name: a, ports: [{containerPort: 80}]}]}"
    assert forbidden(spec, "baseline")[1:] == ['hostPort (container "a" uses hostPort 80)']


def test_an_annotation_of_app_armor_is_forbidden() -> None:
    key = "container.apparmor.security.beta.kubernetes.io/a"
    body = {"metadata": {"annotations": {key: "unconfined"}}, "spec": {}}
    (found,) = violations(body, "baseline", 36)
    assert (found.path, found.reason) == (("metadata", "annotations", key), "forbidden AppArmor profile")


@pytest.mark.parametrize(
    "spec",
    [
        SECURE.replace("true", '"${NON_ROOT}"'),
        SECURE.replace("{runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}", '"${CONTEXT}"'),
        SECURE.replace("runAsNonRoot: true", '"${FIELDS}": null'),
        SECURE.replace("[ALL]", '["${DROP}"]'),
        SECURE.replace("RuntimeDefault", '"${PROFILE}"'),
        '{hostUsers: "${USERS}", securityContext: {seccompProfile: {type: Localhost}}, containers: [{name: a, '
        f"securityContext: {{{DROPS}}}}}]}}",
    ],
)
def test_what_is_filled_in_later_violates_nothing(spec: str) -> None:
    assert forbidden(spec, "restricted") == []
