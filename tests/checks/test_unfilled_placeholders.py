"""Placeholders that nobody filled in: a mistake where they are written, none where a cluster holds them."""

from __future__ import annotations

import pytest
from manifests import quota
from workspace import Workspace
from written_files import Files

HELD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ name }}', namespace: shop}\n"
QUOTA = quota("shop", "q", "pods: 3")


def test_in_a_repository_and_in_a_snapshot(workspace: Workspace) -> None:
    workspace.put({"repo/q.yaml": QUOTA, "repo/settings.yaml": HELD})
    assert [line.split()[1] for line in workspace.lines("repo", "--select", "QL007")] == ["QL007"]
    (workspace.folder / "repo/settings.yaml").rename(workspace.folder / "live.yaml")
    assert workspace.lines("repo", "--with", "live.yaml", "--select", "QL007") == []


UNFILLED = QUOTA.replace("pods: 3", 'pods: "${PODS}"')
LIMITS = (
    "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l, namespace: shop}\n"
    "spec: {limits: [{type: Container, default: {cpu: 1}}]}\n"
)
SYNC = (
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\n"
    "spec: {path: ./apps, sourceRef: {kind: GitRepository, name: flux-system}}\n"
)
BUILT = {
    "repo/apps/kustomization.yaml": "resources: [q.yaml, limits.yaml]\n",
    "repo/apps/q.yaml": UNFILLED,
    "repo/apps/limits.yaml": LIMITS,
}


def test_flux_takes_a_kustomization_as_it_is_built(workspace: Workspace) -> None:
    workspace.put({**BUILT, "repo/cluster/sync.yaml": SYNC})
    assert [line.split()[0] for line in workspace.lines("repo", "--select", "QL007")] == ["repo/apps/q.yaml:4:15"]


def test_what_may_fill_in_a_kustomization(workspace: Workspace) -> None:
    workspace.put(BUILT)
    assert workspace.lines("repo", "--select", "QL007") == []  # `kustomize build | envsubst`, perhaps
    workspace.put({"repo/cluster/sync.yaml": SYNC.replace("path:", "postBuild: {substitute: {PODS: '3'}}, path:")})
    assert workspace.lines("repo", "--select", "QL007") == []


def test_only_the_document_that_cannot_be_read_is_a_template(workspace: Workspace) -> None:
    readable = QUOTA + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\n"
    readable += "data:\n  name: '{{ .Text }}'\n"
    unread = "metadata: {{ .Metadata }}\napiVersion: v1\nkind: ResourceQuota\nspec: {hard: {pods: 3}}\n"
    workspace.put({"q.yaml": f"{readable}---\n{unread}", "limits.yaml": LIMITS})
    line = readable.count("\n") + 2
    assert workspace.lines("--select", "QL007") == [f"q.yaml:{line}:11 QL007"]


TEMPLATE = QUOTA.replace("namespace: shop", "\n  namespace: {{ .Namespace }}\n ")


@pytest.mark.parametrize(
    ("beside", "plain", "unfilled", "expected"),
    [
        # A folder of which half is filled in is a mistake where nearly all others are plain.
        (1, 5, 1, 0),
        (1, 6, 1, 1),
        # One of a single file is like most of the others.
        (0, 1, 1, 0),
        (0, 2, 1, 1),
    ],
)
def test_folders_beside_it_say_what_is_plain(
    beside: int, plain: int, unfilled: int, expected: int, workspace: Workspace
) -> None:
    half = {"teams/new/limits.yaml": LIMITS, "teams/new/other.yaml": HELD} if beside else {}
    others = {f"teams/plain-{number}/q.yaml": QUOTA for number in range(plain)}
    templates = {f"teams/open-{number}/settings.yaml": HELD for number in range(unfilled)}
    workspace.put({"teams/new/q.yaml": TEMPLATE, **half, **others, **templates})
    hits = [line for line in workspace.lines("--select", "QL007") if line.startswith("teams/new/q.yaml")]
    assert len(hits) == expected


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("tenant-REPLACE-tenant", "QL007"),
        ("CHANGE-me", "QL007"),
        ("SERVICE_NAME-dev", "QL007"),
        ("tenant-REPLACED", "QL101"),
        ("team_a-dev", "QL101"),
    ],
)
def test_a_word_in_capitals_that_asks_for_another_is_a_placeholder(workspace: Workspace, name: str, rule: str) -> None:
    workspace.put({"a.yaml": quota(name), "b.yaml": quota("b"), "c.yaml": quota("c"), "d.yaml": quota("d")})
    assert [line for line in workspace.lines() if not line.endswith("QL005")] == [f"a.yaml:3:24 {rule}"]


CLAIM = (
    "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: shop}\n"
    "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: CLAIM_SIZE}}}\n"
)
WORKER = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: worker, namespace: shop}\n"
    "spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: ["
    "{name: c, image: i, resources: {requests: {cpu: CLAIM_SIZE}}}]}}}\n"
)


@pytest.mark.parametrize("manifest", [CLAIM, WORKER])
def test_an_amount_that_a_script_fills_in_is_not_refused(workspace: Workspace, manifest: str) -> None:
    """`sed s/CLAIM_SIZE/20Gi/` makes an amount of it; without such a script it is applied, and refused."""
    workspace.put({"k8s/limits.yaml": LIMITS, "k8s/it.yaml": manifest})
    assert [line.split()[1] for line in workspace.lines("--select", "QL404")] == ["QL404"]
    workspace.put({"deploy.sh": 'sed "s/CLAIM_SIZE/${1}/" k8s/it.yaml | kubectl apply -f -\n'})
    assert workspace.lines("--select", "QL404") == []


WORDS = (
    "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a, namespace: shop}\nspec: {hard: {pods: CLAIM_SIZE}}\n"
    "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: a, namespace: shop}\n"
    "spec: {limits: [{type: Container, default: {cpu: CLAIM_SIZE}}]}\n"
)
REFUSED = ["k8s/it.yaml:4:15 QL103", "k8s/it.yaml:9:45 QL121"]


def test_an_amount_of_a_limit_that_a_script_fills_in_is_not_refused(workspace: Workspace) -> None:
    workspace.put({"k8s/limits.yaml": LIMITS, "k8s/it.yaml": WORDS})
    assert workspace.lines("--select", "QL103,QL121") == REFUSED
    workspace.put({"deploy.sh": 'sed "s/CLAIM_SIZE/${1}/" k8s/it.yaml | kubectl apply -f -\n'})
    assert workspace.lines("--select", "QL103,QL121") == []


def test_a_word_that_nothing_lies_beside_is_refused(workspace: Workspace) -> None:
    workspace.put({"k8s/it.yaml": f"{WORDS}---\n{WORKER}"})
    assert workspace.lines("--select", "QL103,QL121,QL404") == [*REFUSED, "k8s/it.yaml:14:143 QL404"]


def test_a_word_in_a_folder_of_templates_is_not_refused(workspace: Workspace) -> None:
    workspace.put({"templates/it.yaml": f"{WORDS}---\n{WORKER}"})
    assert workspace.lines("--select", "QL103,QL121,QL404") == []


def test_a_quota_that_a_script_fills_in_is_not_said_to_be_refused(workspace: Workspace) -> None:
    """`check` waited for the word while `usage` called the quota refused; its other entries are judged meanwhile, as
    those beside a `${…}` are."""
    limited = quota("shop", "a", "pods: CLAIM_SIZE, services: 0")
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: shop}\nspec: {ports: [{port: 80}]}\n"
    files = {"k8s/limits.yaml": LIMITS, "k8s/it.yaml": limited, "k8s/service.yaml": service}
    workspace.put(files)
    assert workspace.report("usage")["quotas"][0]["rejected"]
    workspace.put({"deploy.sh": 'sed "s/CLAIM_SIZE/${1}/" k8s/it.yaml | kubectl apply -f -\n'})
    assert not workspace.report("usage")["quotas"][0]["rejected"]
    reason = "hard stands for an amount: 'CLAIM_SIZE'"
    assert reason in workspace.text("usage")[1]
    checked = workspace.text("check")[1]
    assert "the API server refuses it" not in checked
    assert "quota a allows 0" in checked


@pytest.mark.parametrize("written", ["*** GENERATED ***", "***REDACTED***"])
def test_what_stands_between_stars_waits_to_be_filled_in(written: str, workspace: Workspace) -> None:
    words = WORDS.replace("CLAIM_SIZE", f'"{written}"')
    workspace.put({"k8s/limits.yaml": LIMITS, "k8s/it.yaml": words})
    assert workspace.lines("--select", "QL103,QL121") == REFUSED
    word = written.strip("* ")
    workspace.put({"deploy.sh": f'sed "s/[*]* *{word} *[*]*/${{1}}/" k8s/it.yaml | kubectl apply -f -\n'})
    assert workspace.lines("--select", "QL103,QL121") == []
    (workspace.folder / "deploy.sh").unlink()
    (workspace.folder / "k8s").rename(workspace.folder / "templates")
    assert workspace.lines("--select", "QL103,QL121") == []


@pytest.mark.parametrize(
    "script",
    [
        {"Makefile": "# TODO: tidy up\nall:\n\tkubectl apply -f k8s  # TODO wait\n"},
        {"tools/count.go": "package main // TODO: tests\n\n/* TODO: more */\n"},
        {"README.md": "TODO: say more\n"},
    ],
)
def test_a_word_that_scripts_leave_for_their_authors_fills_in_nothing(script: Files, workspace: Workspace) -> None:
    """Nearly every folder has something that is still to be done."""
    words = WORDS.replace("CLAIM_SIZE", "TODO")
    workspace.put({"k8s/limits.yaml": LIMITS, "k8s/it.yaml": words, **script})
    assert workspace.lines("--select", "QL103,QL121") == REFUSED
    workspace.put({"deploy.sh": 'sed "s/TODO/${1}/" k8s/it.yaml | kubectl apply -f -\n'})
    assert workspace.lines("--select", "QL103,QL121") == []


def test_a_script_fills_in_what_stands_between_underscores(workspace: Workspace) -> None:
    workspace.put({"k8s/limits.yaml": LIMITS, "k8s/it.yaml": quota("shop", "a", "pods: __PODS__")})
    assert workspace.lines("--select", "QL007") == ["k8s/it.yaml:4:15 QL007"]
    workspace.put({"deploy.sh": 'sed "s/__PODS__/${1}/" k8s/it.yaml | kubectl apply -f -\n'})
    assert workspace.lines("--select", "QL007") == []
