"""Where a configuration of the API server is found, and which of them counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from limited_resources import (
    ADMISSION_V1,
    CRITICAL,
    CRITICAL_PODS,
    LIMIT,
    QUOTA_V1,
    Files,
    Run,
    admission,
    exists,
    limits,
    pod,
    quota,
    reasons_skipped,
    scoped,
    selecting,
    sentences_said,
)

from quotalint.settings.loading import NAME

OF_GKE = CRITICAL_PODS.replace("node-critical]", "node-critical system-cluster-critical]")

CASES: Mapping[str, tuple[Files, list[str]]] = {
    # configurations
    "inline, v1": ({"l.yaml": admission(limits(scoped(CRITICAL))), "p.yaml": pod()}, [f"p.yaml {CRITICAL_PODS}"]),
    "inline, v1alpha1": (
        {
            "l.yaml": admission(
                limits(
                    scoped(CRITICAL),
                    head={"apiVersion": "resourcequota.admission.k8s.io/v1beta1", "kind": "Configuration"},
                ),
                {"apiVersion": "apiserver.k8s.io/v1alpha1", "kind": "AdmissionConfiguration"},
            ),
            "p.yaml": pod(),
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "alone, v1alpha1": (
        {
            "l.yaml": limits(
                scoped(CRITICAL),
                head={"apiVersion": "resourcequota.admission.k8s.io/v1alpha1", "kind": "Configuration"},
            ),
            "p.yaml": pod(),
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "in a file of another name": (
        {
            "etc/l.yaml": admission(None, path="../plugins/quota.conf"),
            "plugins/quota.conf": limits(scoped(CRITICAL)),
            "p.yaml": pod(),
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "by an absolute path, and in view": (
        {
            "l.yaml": admission(None, path="/etc/kubernetes/quota.yaml"),
            "quota.yaml": limits(scoped(CRITICAL)),
            "p.yaml": pod(),
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "of two entries the first counts": (
        {
            "l.yaml": {
                **ADMISSION_V1,
                "plugins": [
                    {"name": "PodSecurity", "configuration": {"kind": 7}},
                    {"name": "ResourceQuota", "configuration": limits()},
                    {"name": "ResourceQuota", "configuration": limits(scoped(CRITICAL))},
                ],
            },
            "p.yaml": pod(),
        },
        [],
    ),
    "several that agree": (
        {"l.yaml": limits(scoped(CRITICAL)), "m.yaml": limits(scoped(exists("PriorityClass"))), "p.yaml": pod()},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "several that do not": (
        {"l.yaml": limits(scoped(CRITICAL)), "m.yaml": limits(scoped(exists("Terminating"))), "p.yaml": pod()},
        [],
    ),
    "a kind of that name of somebody else": (
        {
            "l.yaml": limits(scoped(CRITICAL), head={"apiVersion": "serving.knative.dev/v1", "kind": "Configuration"}),
            "p.yaml": pod(),
        },
        [],
    ),
    "the setting": (
        {NAME: {"limitedPriorityClasses": ["system-node-critical"]}, "p.yaml": pod()},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "the setting and a configuration": (
        {NAME: {"limitedPriorityClasses": ["system-node-critical"]}, "l.yaml": limits(), "p.yaml": pod()},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "the setting leaves kube-system alone": (
        {NAME: {"limitedPriorityClasses": ["system-node-critical"]}, "p.yaml": pod(namespace="kube-system")},
        [],
    ),
    "of GKE": ({NAME: {"platform": ["istio", "gke"]}, "p.yaml": pod()}, [f"p.yaml {OF_GKE}"]),
    "of GKE, with a quota": (
        {NAME: {"platform": "gke"}, "p.yaml": pod(), "q.yaml": selecting(CRITICAL)},
        [],
    ),
    "of GKE, in its own namespace": (
        {NAME: {"platform": "gke"}, "p.yaml": pod(namespace="kube-system")},
        [],
    ),
    "a configuration does not": ({**LIMIT, "p.yaml": pod(namespace="kube-system")}, [f"p.yaml {CRITICAL_PODS}"]),
}


MALFORMED: Mapping[str, tuple[object, str]] = {
    "a version of the configuration that nobody reads": (
        limits(head={"apiVersion": "resourcequota.admission.k8s.io/v1", "kind": "Configuration"}),
        "resourcequota.admission.k8s.io/v1 has no kind Configuration that the plugin ResourceQuota reads",
    ),
    "a kind of the other group": (
        limits(head={"apiVersion": "apiserver.config.k8s.io/v1beta1", "kind": "ResourceQuotaConfiguration"}),
        "apiserver.config.k8s.io/v1beta1 has no kind ResourceQuotaConfiguration that the plugin ResourceQuota reads",
    ),
    "a version of AdmissionConfiguration that nobody reads": (
        admission(limits(), {"apiVersion": "apiserver.config.k8s.io/v1alpha1", "kind": "AdmissionConfiguration"}),
        "apiserver.config.k8s.io/v1alpha1 has no kind AdmissionConfiguration",
    ),
    "plugins that are no list": ({**ADMISSION_V1, "plugins": {"name": "ResourceQuota"}}, "plugins must be a list"),
    "a plugin that is a text": ({**ADMISSION_V1, "plugins": ["ResourceQuota"]}, "plugins[0] must be an object"),
    "a name that is a number": ({**ADMISSION_V1, "plugins": [{"name": 7}]}, "plugins[0].name must be a string"),
    "a path that is a list": (admission(None, path=[]), "plugins[0].path must be a string"),
    "a configuration that is a text": (admission("limits"), "plugins[0].configuration must be an object"),
    "a configuration without a kind": (
        admission({"limitedResources": []}),
        "the configuration of ResourceQuota needs an apiVersion and a kind",
    ),
    "inside of it": (
        admission(limits({"resource": 1})),
        "plugins[0].configuration.limitedResources[0].resource must be a string",
    ),
    "limits that are no list": ({**QUOTA_V1, "limitedResources": "pods"}, "limitedResources must be a list"),
    "a limit that is a list": (limits([]), "limitedResources[0] must be an object"),
    "a limit that is empty": (limits(None), "limitedResources[0].resource must name a resource, such as pods"),
    "no resource": (limits({}), "limitedResources[0].resource must name a resource, such as pods"),
    "a group that is true": (
        limits({"resource": "pods", "apiGroup": True}),
        "limitedResources[0].apiGroup must be a string",
    ),
    "a text for a list": (
        limits({"resource": "pods", "matchContains": "cpu"}),
        "limitedResources[0].matchContains must be a list",
    ),
    "a number for a text": (
        limits({"resource": "pods", "matchContains": ["cpu", 1]}),
        "limitedResources[0].matchContains[1] must be a string",
    ),
    "scopes that are an object": (
        limits({"resource": "pods", "matchScopes": {}}),
        "limitedResources[0].matchScopes must be a list",
    ),
    "a scope that is a text": (
        limits(scoped("PriorityClass")),
        "limitedResources[0].matchScopes[0] must be an object",
    ),
    "an operator that is a number": (
        limits(scoped({**CRITICAL, "operator": 1})),
        "limitedResources[0].matchScopes[0].operator must be a string",
    ),
    "values that are a text": (
        limits(scoped({**CRITICAL, "values": "high"})),
        "limitedResources[0].matchScopes[0].values must be a list",
    ),
}


@pytest.mark.parametrize("case", MALFORMED, ids=str)
def test_with_a_malformed_configuration_no_api_server_starts(case: str, checked: Run) -> None:
    configuration, mistake = MALFORMED[case]
    result = checked({"l.yaml": configuration, "p.yaml": pod()})
    reason = f"kube-apiserver would not start with it: {mistake}"
    assert (sentences_said(result), reasons_skipped(result)) == ([], [("l.yaml", reason)])


UNKNOWN: Mapping[str, tuple[object, str]] = {
    "of the configuration": ({**limits(scoped(CRITICAL)), "limits": []}, "limits"),
    "of an object": ({**limits(scoped(CRITICAL)), "metadata": {"name": "limits"}}, "metadata"),
    "of a limit": (limits({**scoped(CRITICAL), "scopes": []}), "limitedResources[0].scopes"),
    "in capitals": (limits({"resource": "pods", "MatchScopes": [CRITICAL]}), "limitedResources[0].MatchScopes"),
    "of a scope": (limits(scoped(CRITICAL, {**CRITICAL, "value": "a"})), "limitedResources[0].matchScopes[1].value"),
    "beside the plugins": ({**admission(limits()), "plugin": []}, "plugin"),
    "of a plugin": (admission(limits(), config={}), "plugins[0].config"),
    "inside of it": (admission({**limits(), "mode": "enforce"}), "plugins[0].configuration.mode"),
}


@pytest.mark.parametrize("case", UNKNOWN, ids=str)
def test_with_a_field_that_there_is_not_no_api_server_starts(case: str, checked: Run) -> None:
    configuration, field = UNKNOWN[case]
    result = checked({"l.yaml": configuration, "p.yaml": pod()})
    reason = f"kube-apiserver would not start with it: {field} is no field that it reads"
    assert (sentences_said(result), reasons_skipped(result)) == ([], [("l.yaml", reason)])


def test_releases_before_1_32_pass_over_what_they_do_not_know(checked: Run) -> None:
    files = {"l.yaml": {**limits(scoped(CRITICAL)), "limits": []}, "p.yaml": pod()}
    result = checked({**files, NAME: {"kubeVersion": "1.31"}})
    assert (sentences_said(result), reasons_skipped(result)) == ([f"p.yaml {CRITICAL_PODS}"], [])


def test_what_another_plugin_is_told_is_its_own(checked: Run) -> None:
    plugins = [{"name": "PodSecurity", "configuration": {"kind": 7, "mode": "enforce"}}]
    result = checked({"l.yaml": {**ADMISSION_V1, "plugins": [*plugins, *admission(limits())["plugins"]]}})  # type: ignore[misc]
    assert reasons_skipped(result) == []


PASSED: Mapping[str, tuple[Files, list[tuple[str, str]]]] = {
    "nothing is said of what can be read": ({**LIMIT, "p.yaml": pod()}, []),
    "empty fields are read as absent": (
        {"l.yaml": {**QUOTA_V1, "limitedResources": None}, "m.yaml": admission(None), "n.yaml": dict(ADMISSION_V1)},
        [],
    ),
    "beside a kustomization": ({**LIMIT, "kustomization.yaml": {"resources": ["p.yaml"]}, "p.yaml": pod()}, []),
    "a file that is missing": (
        {"l.yaml": admission(None, path="quota.yaml")},
        [("l.yaml", "its plugin ResourceQuota is configured by quota.yaml, which is no file of the repository")],
    ),
    "a file outside of the repository": (
        {"l.yaml": admission(None, path="../../../etc/passwd")},
        [
            (
                "l.yaml",
                "its plugin ResourceQuota is configured by ../../../etc/passwd, which is no file of the repository",
            )
        ],
    ),
    "an absolute path": (
        {"l.yaml": admission(None, path="/etc/passwd")},
        [("l.yaml", "its plugin ResourceQuota is configured by /etc/passwd, which is no file of the repository")],
    ),
    "a folder": (
        {"l.yaml": admission(None, path="."), "p.yaml": pod()},
        [("l.yaml", "its plugin ResourceQuota is configured by ., which is no file of the repository")],
    ),
    "a path that no file system can hold": (
        {"l.yaml": admission(None, path="a\0b")},
        [("l.yaml", "its plugin ResourceQuota is configured by a\0b, which is no file of the repository")],
    ),
    "a selector that fails": (
        {"l.yaml": limits(scoped({"scopeName": "PriorityClass", "operator": "NotIn"}))},
        [
            (
                "l.yaml",
                "in a scope of limitedResources the operator NotIn needs values, so the API server checks no quota "
                "for pods",
            )
        ],
    ),
}


@pytest.mark.parametrize("case", PASSED, ids=str)
def test_what_is_passed_over(case: str, checked: Run) -> None:
    files, expected = PASSED[case]
    assert reasons_skipped(checked(files)) == expected


def test_a_configuration_is_no_object(checked: Run) -> None:
    files = {
        "l.yaml": admission(limits()),
        "k/kustomization.yaml": {"resources": ["m.yaml"]},
        "k/m.yaml": {**limits(), "metadata": {"name": "m"}},
        "q.yaml": quota({"count/admissionconfigurations.apiserver.config.k8s.io": "0"}),
    }
    result = checked(files)
    kinds = [obj.kind for facts in result.environments for obj in facts.cluster.objects]
    assert (kinds, [finding.rule.id for finding in result.findings if finding.file != "q.yaml"]) == (
        ["ResourceQuota"],
        [],
    )


def test_a_key_given_twice_in_a_configuration_is_no_finding(checked: Run, tmp_path: Path) -> None:
    (tmp_path / "l.yaml").write_text(
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: []\nplugins: []\n"
    )
    assert checked({}).findings == ()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_read(case: str, checked: Run) -> None:
    files, expected = CASES[case]
    assert sentences_said(checked(files)) == expected
