"""What the fuzzer found, each as small as it can be."""

from __future__ import annotations

import json

import pytest
from workspace import Workspace

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: a}\nspec: {hard: {%s}}\n"
CONFIG_MAP = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: a}\n"


def test_a_sum_that_nobody_steps_in_is_told_of_no_step(workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA % "count/serviceaccounts: 0, configmaps: 0" + CONFIG_MAP})
    status, out, err = workspace.text("check", "--verbose", "--scenario", "surge", ".")
    assert (status, out.count("QL301 "), "during its rollout" in out, "bug" in err) == (1, 2, False, False)


def test_a_key_that_only_json_can_have_is_not_repaired(workspace: Workspace) -> None:
    hard = {"nvidia.com/gpu": "1", "s    " * 300: "1"}
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": hard}}
    workspace.put({"q.json": json.dumps(quota)})
    status, out, err = workspace.text("check", "-f", "json", ".")
    assert (status, "bug" in err, {entry["rule"] for entry in json.loads(out)["findings"]} >= {"QL201"}) == (
        1,
        False,
        True,
    )


@pytest.mark.parametrize("name", ["json", "rdjson", "sarif", "gitlab"])
def test_what_a_runner_would_obey_leaves_json_readable(name: str, workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA % "'x##[error]y': 1"})
    _, out, _ = workspace.text("check", "-f", name, ".")
    assert "x##[error]y" in json.dumps(json.loads(out))
    assert "##[" not in out


def test_the_older_form_of_commands_of_a_runner_is_not_in_an_annotation(workspace: Workspace) -> None:
    workspace.put({"q.yaml": f'{QUOTA % "pods: 3"}"x##[error]": 1\n"x##[error]": 2\n'})
    status, out, _ = workspace.text("check", "-f", "github", ".")
    assert (status, "QL002" in out, "x# #[error]" in out, "##[" in out) == (1, True, True, False)


def test_a_helmfile_whose_name_is_shown_otherwise_than_it_is_written(workspace: Workspace) -> None:
    helmfile = "releases:\n- name: desk\n  chart: ./charts/desk\n"
    workspace.put({"helmfile.yaml": helmfile, "a\x1b[31m\n.yaml": helmfile, "q.yaml": QUOTA % "pods: 1"})
    status, out, err = workspace.text("check", ".")
    assert (status, "QL008" in out, "bug" in err, "\x1b" in out + err) == (0, False, False, False)


def test_a_field_of_resources_that_a_sentence_could_be_made_with(workspace: Workspace) -> None:
    """Braces in what a manifest says are no places to fill in."""
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: a}\nspec:\n  containers:\n"
    container = "  - {name: c, image: x, resources: {'%s': 1}}\n"
    workspace.put({"p.yaml": pod + container % "{0.__class__}" + container % "{''}"})
    status, out, err = workspace.text("check", ".")
    assert (status, "{0.__class__}" in out, "bug" in err) == (1, True, False)


@pytest.mark.parametrize("version", ["x", "1", f"v1.{'9' * 5000}"])
def test_a_version_of_pod_security_that_is_none(version: str, workspace: Workspace) -> None:
    """The configuration of the API server states it, so no label is there to complain of."""
    defaults = f"{{enforce: restricted, enforce-version: '{version}'}}"
    configuration = f"{{kind: PodSecurityConfiguration, defaults: {defaults}}}"
    admission = "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n"
    workspace.put(
        {
            "admission.yaml": f"{admission}plugins: [{{name: PodSecurity, configuration: {configuration}}}]\n",
            "a.yaml": "{apiVersion: v1, kind: Namespace, metadata: {name: a}}\n---\n"
            f"{QUOTA % 'configmaps: 0'}{CONFIG_MAP}",
        }
    )
    status, out, err = workspace.text("check", ".")
    assert (status, "QL301" in out, "bug" in err) == (1, True, False)


def test_a_reason_of_one_long_word(workspace: Workspace) -> None:
    workspace.put({"kustomization.yaml": f"resources: ['{'a' * 100_000}']\n", "q.yaml": QUOTA % "pods: 1"})
    status, out, err = workspace.text("check", ".")
    assert (status, "QL003" in out, "bug" in err) == (0, True, False)
