"""Which configuration counts, what it builds on, what differs between environments, and what of it is idle."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from workspace import Workspace

from quotalint.cli import run
from quotalint.settings import Options, Settings
from quotalint.settings.loading import load_settings

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop}\nspec: {hard: {pods: 5}}\n"
AGENT = (
    "---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent, namespace: shop}\nspec:\n"
    "  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n"
    "    spec: {containers: [{name: c, image: i}]}\n"
)
CLUSTERS = {"clusters/prod/all.yaml": QUOTA + AGENT, "clusters/dev/all.yaml": QUOTA + AGENT}


@pytest.mark.parametrize("name", [".quotalint.yaml", ".quotalint.yml", "quotalint.yaml", "quotalint.yml"])
def test_every_name_that_people_try_counts(workspace: Workspace, name: str) -> None:
    workspace.put({"q.yaml": QUOTA.replace("pods", "pod"), name: "ignore: [QL102]\n"})
    assert workspace.lines() == ["q.yaml:4:15 QL102 configuration " + name + ":1"]


def test_a_manifest_of_that_name_is_a_manifest(workspace: Workspace) -> None:
    workspace.put({"quotalint.yaml": QUOTA.replace("pods", "pod")})
    assert workspace.lines() == ["quotalint.yaml:4:15 QL102"]


def test_two_in_one_folder_are_refused(workspace: Workspace) -> None:
    workspace.put({".quotalint.yaml": "{}\n", "quotalint.yml": "{}\n"})
    message = "which configuration counts, .quotalint.yaml and quotalint.yml? Remove one, or name one with `--config`"
    assert workspace.text("check") == (2, "", f"quotalint: {message}\n")


def test_paths_with_several_configurations_are_refused(workspace: Workspace) -> None:
    workspace.put({"a/.quotalint.yaml": "{}\n", "a/q.yaml": QUOTA, "b/q.yaml": QUOTA})
    says = "a: a/.quotalint.yaml, b: none"
    message = f"the paths have several configurations ({says}): check them one by one, or name one with `--config`"
    assert workspace.text("check", "a", "b") == (2, "", f"quotalint: {message}\n")
    assert workspace.text("check", "a", "b", "--config", "a/.quotalint.yaml", "--quiet")[0] == 0


def test_a_configuration_further_down_does_not_count_and_that_is_said(workspace: Workspace) -> None:
    workspace.put({".quotalint.yaml": "{}\n", "team/.quotalint.yaml": "ignore: [QL102]\n", "team/q.yaml": QUOTA})
    line = "team/.quotalint.yaml does not count here: this run goes by .quotalint.yaml; check that folder by itself"
    assert workspace.text("check", "--quiet") == (0, "", f"quotalint: {line}\n")


def test_what_builds_on_a_file_adds_to_it(workspace: Workspace) -> None:
    workspace.put(
        {
            "policies/base.yaml": "failOn: warning\nexclude: [old/]\nseverity: {QL305: warning, QL206: off}\n",
            "app/.quotalint.yaml": "extends: ../policies/base.yaml\nexclude: [new/]\nseverity: {QL206: info}\n",
            ".git/HEAD": "",
        }
    )
    settings = load_settings(["app"], Options())
    assert isinstance(settings, Settings)
    assert (settings.fail_on, settings.exclude, dict(settings.severity)) == (
        "warning",
        ("old/", "new/"),
        {"QL305": "warning", "QL206": "info"},
    )


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({".quotalint.yaml": "extends: gone.yaml\n"}, ".quotalint.yaml: `extends` gone.yaml: there is no such file"),
        (
            {".quotalint.yaml": "extends: ../../etc/passwd\n"},
            ".quotalint.yaml: `extends` ../../etc/passwd: it leads out of the repository",
        ),
        (
            {".quotalint.yaml": "extends: a.yaml\n", "a.yaml": "extends: .quotalint.yaml\n"},
            "a.yaml: `extends` .quotalint.yaml: it extends itself",
        ),
        (
            {".quotalint.yaml": "extends: package:no_such_package/a.yaml\n"},
            ".quotalint.yaml: `extends` package:no_such_package/a.yaml: no_such_package is not installed",
        ),
        (
            {".quotalint.yaml": "extends: a.yaml\n", "a.yaml": "failOn: error\nnodes: x\n"},
            "a.yaml:2: `nodes` must be a whole number",
        ),
        ({".quotalint.yaml": "extends: [1]\n"}, ".quotalint.yaml:1: `extends[0]` must be the path of a file"),
    ],
)
def test_what_cannot_be_built_on(workspace: Workspace, files: dict[str, str], message: str) -> None:
    workspace.put(files)
    status, _, err = workspace.text("check")
    assert (status, message in err) == (2, True), err


def test_a_package_is_read_and_not_run(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = tmp_path / "packages"
    workspace.put(
        {
            "packages/acme_policies/__init__.py": "raise SystemExit('sprung')\n",
            "packages/acme_policies/quotalint.yaml": "failOn: info\n",
            "repo/.quotalint.yaml": "extends: package:acme_policies/quotalint.yaml\n",
        }
    )
    monkeypatch.setattr(sys, "path", [str(packages), *sys.path])
    settings = load_settings(["repo"], Options())
    assert isinstance(settings, Settings) and settings.fail_on == "info"


def used(workspace: Workspace, *arguments: str) -> dict[str, str]:
    """How many pods each environment asks for."""
    quotas = workspace.report("usage", *arguments)["quotas"]
    return {quota["environment"]: quota["resources"][0]["steady"] for quota in quotas}


def test_environments_differ(workspace: Workspace) -> None:
    own = "nodes: 1\nenvironments:\n  prod: {paths: [/clusters/prod/], nodes: 12}\n  dev: {nodes: 3, failOn: warning}\n"
    workspace.put({**CLUSTERS, ".quotalint.yaml": own})
    assert used(workspace) == {"prod": "12", "dev": "3"}
    # What somebody types counts everywhere.
    assert used(workspace, "--nodes", "2") == {"prod": "2", "dev": "2"}
    assert [line.split()[1] for line in workspace.lines()] == ["QL301"]


@pytest.mark.parametrize(
    ("prod", "dev", "status"),
    [("never", "never", 0), ("never", "error", 0), ("error", "never", 1), ("info", "info", 1)],
)
def test_environments_fail_on_their_own(workspace: Workspace, prod: str, dev: str, status: int) -> None:
    # Only prod has too many.
    own = f"environments:\n  prod: {{nodes: 9, failOn: {prod}}}\n  dev: {{nodes: 1, failOn: {dev}}}\n"
    workspace.put({**CLUSTERS, ".quotalint.yaml": own})
    assert run(["check", "--quiet"]) == status


def test_environments_have_a_scenario_a_release_and_a_capacity(workspace: Workspace) -> None:
    prod = "{scenario: peak, kubeVersion: '1.30', capacity: {pods: 3}}"
    own = f"environments:\n  prod: {prod}\n  dev: {{capacity: {{pods: 9}}}}\n"
    workspace.put({**CLUSTERS, ".quotalint.yaml": own})
    (result,) = (
        finding for finding in workspace.report("check", "--nodes", "1")["findings"] if finding["rule"] == "QL502"
    )
    assert result["environments"] == ["prod"]


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ("environments: {prod: {nodes: -1}}", "`environments.prod.nodes` must be"),
        ("environments: {prod: {node: 1}}", "`node` is not a known key in `environments.prod`; did you mean `nodes`?"),
        ("environments: {prod: {paths: 1}}", "`environments.prod.paths` must be a list, not 1"),
    ],
)
def test_what_an_environment_may_not_say(workspace: Workspace, own: str, message: str) -> None:
    workspace.put({**CLUSTERS, ".quotalint.yaml": own + "\n"})
    status, _, err = workspace.text("check")
    assert (status, message in err) == (2, True), err


def test_ten_thousand_keys_without_effect_are_said_in_a_few_lines(workspace: Workspace) -> None:
    own = "environments:\n" + "".join(f"  e{number}: [/clusters/{number}/]\n" for number in range(10_000))
    workspace.put({**CLUSTERS, ".quotalint.yaml": own})
    lines = workspace.text("check", "--quiet", "--fail-on", "never")[2].splitlines()
    assert len(lines) == 21
    assert lines[-1] == "quotalint: .quotalint.yaml: more keys have no effect; mend these first"


def test_what_matches_nothing_is_said(workspace: Workspace) -> None:
    own = (
        "exclude: [/gone/, '*.bak.yaml', '/old/', 'b*/']\nnamespaces: {nowhere/: a, old/: b}\n"
        "environments: {prod: [/clusters/prod/], test: /clusters/test/, stage: {nodes: 2}}\n"
    )
    workspace.put({**CLUSTERS, ".quotalint.yaml": own, "old/q.yaml": QUOTA, "build/q.yaml": QUOTA})
    err = workspace.text("check", "--quiet", "--fail-on", "never")[2]
    assert err.splitlines() == [
        "quotalint: .quotalint.yaml: `exclude`: no file matches /gone/",
        "quotalint: .quotalint.yaml: `exclude`: no file matches *.bak.yaml",
        "quotalint: .quotalint.yaml: `namespaces`: no file matches nowhere/",
        "quotalint: .quotalint.yaml: `namespaces`: no file matches old/",
        "quotalint: .quotalint.yaml: `environments.test`: no file matches /clusters/test/",
        "quotalint: .quotalint.yaml: `environments.stage`: there is no environment of this name",
    ]
    assert workspace.text("check", "--quiet", "--fail-on", "never", "clusters")[2] == ""


BAD = QUOTA.replace("pods", "pod")
PACKAGED = {
    "node_modules/x/q.yaml": BAD,
    "vendor/github.com/x/q.yaml": BAD,
    "a/.terraform/m/q.yaml": BAD,
    "env/pyvenv.cfg": "home = /usr\n",
    "env/lib/q.yaml": BAD,
}


def test_what_package_managers_bring_is_not_read(workspace: Workspace) -> None:
    workspace.put({**PACKAGED, "q.yaml": QUOTA})
    assert workspace.lines() == []
    assert sorted(item["file"] for item in workspace.report("check")["skipped"]) == [
        *("a/.terraform", "env", "node_modules", "vendor")
    ]


def test_it_is_read_where_somebody_asks_for_it(workspace: Workspace) -> None:
    workspace.put({**PACKAGED, ".quotalint.yaml": "exclude: ['!vendor/']\n"})
    assert workspace.lines() == ["vendor/github.com/x/q.yaml:4:15 QL102"]
    assert workspace.lines("node_modules") == ["node_modules/x/q.yaml:4:15 QL102"]


def test_what_is_deployed_from_there_counts(workspace: Workspace) -> None:
    application = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec:\n"
        "  source: {repoURL: https://example.com/r.git, path: vendor/base}\n"
        "  destination: {namespace: shop, server: https://kubernetes.default.svc}\n"
    )
    workspace.put({"app.yaml": application, "vendor/base/q.yaml": QUOTA, "vendor/base/w.yaml": AGENT})
    assert [quota["file"] for quota in workspace.report("usage")["quotas"]] == ["vendor/base/q.yaml"]
