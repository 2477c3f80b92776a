"""What a problem of a kustomization says: its place, the way to it, and what may be missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import A, build
from manifests import quota, web
from workspace import Workspace

from quotalint.text.place import Place
from quotalint.unknowns.problems import Problem


def test_what_is_said_of_objects_that_are_missing_is_no_problem_of_its_own(tmp_path: Path) -> None:
    files = {
        "kustomization.yaml": """
            resources: [a.yaml, https://example.com/web.yaml]
            patches: [{path: both.yaml}]
            replicas: [{name: web, count: 3}]
            """,
        "a.yaml": A,
        "both.yaml": f"""
            {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: web}}, spec: {{paused: true}}}}
            ---
            {A.replace("}}", "}, data: {k: new}}")}
            """,
    }
    built = build(tmp_path, files)
    assert (
        [resource.traced.value for resource in built.resources],
        [problem.reason for problem in built.problems],
    ) == (
        [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "new"}}],
        ["https://example.com/web.yaml is remote"],
    )


def test_a_problem_names_its_place_the_way_to_it_and_what_may_be_missing(tmp_path: Path) -> None:
    files = {
        "top/kustomization.yaml": "namespace: shop\nresources: [../base]",
        "base/kustomization.yaml": "resources: [a.yaml]\ngenerators: [ksops.yaml]",
        "base/a.yaml": A,
        "base/ksops.yaml": "{apiVersion: viaduct.ai/v1, kind: ksops, metadata: {name: k}}",
    }
    assert build(tmp_path, files, "top").problems == (
        Problem(
            Place("base/kustomization.yaml", 0, ("generators", 0)),
            "the generator ksops is a plugin, which is not run; it makes only Secrets",
            "missing",
            via=(Place("top/kustomization.yaml", 0, ("resources", 0)),),
            namespace="shop",
            only=("Secret",),
        ),
    )


def test_what_a_kustomization_is_made_of(tmp_path: Path) -> None:
    files = {
        "top/kustomization.yaml": """
            resources: [../base]
            components: [../part]
            patches: [{path: patch.yaml, target: {kind: ConfigMap}}]
            configMapGenerator: [{name: c, files: [x.txt]}]
            """,
        "top/patch.yaml": "- {op: add, path: /data, value: {}}",
        "top/x.txt": "x",
        "base/kustomization.yml": "resources: [a.yaml]",
        "base/a.yaml": A,
        "part/kustomization.yaml": "kind: Component\nnamePrefix: p-",
    }
    folders = {"top", "base", "part"}
    assert build(tmp_path, files, "top").used == frozenset({*files, *folders})


@pytest.mark.parametrize(
    ("kinds", "may_lower"),
    [
        ("v1 Namespace", False),
        ("v1 ServiceAccount, rbac.authorization.k8s.io/v1 RoleBinding", False),
        ("apps/v1 Deployment", True),
        ("v1 ServiceAccount, v1 LimitRange", True),
        ("example.com/v1 Widget", True),
    ],
)
def test_which_of_several_objects_is_left_makes_no_difference_to_most_kinds(
    tmp_path: Path, kinds: str, *, may_lower: bool
) -> None:
    objects = [
        f"{{apiVersion: {version}, kind: {kind}, metadata: {{name: {name}, namespace: {where}}}}}"
        for version, kind in map(str.split, kinds.split(", "))
        for where in ("one", "two")
        for name in (where if kind == "Namespace" else "a",)
    ]
    files = {"kustomization.yaml": "namespace: shop\nresources: [all.yaml]", "all.yaml": "\n---\n".join(objects)}
    (problem,) = build(tmp_path, files).problems
    assert problem.reason.startswith("several objects become one in this namespace")
    assert problem.may_lower is may_lower


@pytest.mark.parametrize(
    ("kind", "numbers", "may_lower"),
    [
        ("Deployment", (4, 2), True),
        ("Deployment", (2, 4), True),
        ("Deployment", (4, 4), False),
        ("Secret", (4, 2), False),
    ],
)
def test_which_of_two_is_left_makes_a_difference_where_they_differ(
    tmp_path: Path, kind: str, numbers: tuple[int, int], *, may_lower: bool
) -> None:
    files = {"kustomization.yaml": "resources: [a, b]"}
    for folder, number in zip("ab", numbers, strict=True):
        files[f"{folder}/kustomization.yaml"] = "resources: [web.yaml]"
        files[f"{folder}/web.yaml"] = (
            f"{{kind: {kind}, apiVersion: v1, metadata: {{name: web}}, spec: {{n: {number}}}}}"
        )
    (problem,) = build(tmp_path, files).problems
    assert problem.reason == f"{kind} web is already there (a/web.yaml)"
    assert problem.may_lower is may_lower


@pytest.mark.parametrize("text", ["", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"])
def test_an_empty_kustomization_matters_where_another_one_builds_on_it(workspace: Workspace, text: str) -> None:
    quotas = {"quotas/kustomization.yaml": "resources: [quota.yaml]\n", "quotas/quota.yaml": quota()}
    workspace.put({**quotas, "apps/kustomization.yaml": text})
    (alone,) = workspace.report("check")["findings"]
    workspace.put({"quotas/kustomization.yaml": "resources: [quota.yaml, ../apps]\n"})
    (included,) = workspace.report("check")["findings"]
    assert (alone["rule"], alone["severity"]) == ("QL003", "info")
    assert (included["rule"], included["severity"]) == ("QL003", "warning")
    assert "the kustomization is empty. `kustomize build` stops here" in alone["message"]
    assert included["message"] == alone["message"]


APP = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 3}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 9}
"""
REMOTE = "https://git.example.com/platform//sizes?ref=v2"


@pytest.mark.parametrize(
    ("target", "patch", "may_lower"),
    [
        ("{kind: Deployment}", "- {op: test, path: /spec/replicas, value: 9}", True),
        ("{kind: Deployment}", "- {op: replace, path: /spec/template/paused, value: true}", True),
        ("{name: '('}", "- {op: remove, path: /spec}", True),
        ("{kind: Ingress}", "- {op: remove, path: /spec/rules}", False),
        ("", "{apiVersion: apps/v1beta1, kind: Deployment, metadata: {name: web}}", True),
        ("", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: other}}", False),
    ],
)
def test_a_patch_that_fails_might_have_lowered_what_it_is_for(
    tmp_path: Path, target: str, patch: str, *, may_lower: bool
) -> None:
    entry = f'{{{f"target: {target}, " if target else ""}patch: "{patch}"}}'
    files = {"kustomization.yaml": f"resources: [app.yaml]\npatches: [{entry}]", "app.yaml": APP}
    (problem,) = build(tmp_path, files).problems
    assert (problem.kind, problem.may_lower) == ("refused", may_lower)


@pytest.mark.parametrize(
    ("select", "path", "may_lower"),
    [
        ("{kind: Deployment}", "spec.replicas", True),
        ("{labelSelector: 'a in ('}", "spec.replicas", True),
        ("{kind: Deployment}", "spec.template.spec.containers.[name=web].image", False),
        ("{kind: StatefulSet}", "spec.replicas", False),
        ("{kind: Ingress}", "spec.ingressClassName", False),
        ("{kind: HorizontalPodAutoscaler}", "spec.scaleTargetRef.name", True),
        ("{kind: HorizontalPodAutoscaler}", "metadata.name", False),
    ],
)
def test_a_replacement_without_its_source_might_have_lowered_what_it_is_for(
    tmp_path: Path, select: str, path: str, *, may_lower: bool
) -> None:
    entry = f"source: {{kind: ConfigMap, name: sizes}}, targets: [{{select: {select}, fieldPaths: ['{path}']}}]"
    files = {
        "kustomization.yaml": f"resources: [app.yaml, '{REMOTE}']\nreplacements: [{{{entry}}}]",
        "app.yaml": APP,
    }
    assert [problem.may_lower for problem in build(tmp_path, files).problems] == [False, may_lower]


def test_nothing_is_exceeded_by_what_a_patch_that_fails_was_to_lower(workspace: Workspace) -> None:
    operations = r"- {op: replace, path: /spec/replicas, value: 1}\n- {op: remove, path: /spec/paused}"
    patches = f'patches: [{{target: {{kind: Deployment}}, patch: "{operations}"}}]'
    workspace.put(
        {
            "kustomization.yaml": f"namespace: shop\nresources: [all.yaml]\n{patches}\n",
            "all.yaml": f"{quota('shop', hard='pods: 2')}---\n{web(6, 'shop')}",
        }
    )
    report = workspace.report("check")
    assert [finding["rule"] for finding in report["findings"]] == ["QL003"]
    assert [row["certainty"] for row in report["quotas"]] == ["unknown"]


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (POINTER, "in Git LFS, and only a pointer to it is here"),
        (b"\x00GITCRYPT\x00\xff\x00", "encrypted by git-crypt"),
        (b"$ANSIBLE_VAULT;1.1;AES256\n3532\n", "encrypted with Ansible Vault"),
    ],
)
@pytest.mark.parametrize(
    "field",
    [
        "patches: [{path: p.yaml}]",
        "patches: [{path: p.yaml, target: {kind: Deployment}}]",
        "patchesStrategicMerge: [p.yaml]",
        "patchesJson6902: [{path: p.yaml, target: {version: v1, kind: Deployment, name: web}}]",
    ],
)
def test_a_patch_whose_content_is_elsewhere_is_not_refused(
    field: str, content: bytes, why: str, workspace: Workspace
) -> None:
    """Whoever applies it has what it says."""
    workspace.put({"kustomization.yaml": f"resources: [q.yaml, web.yaml]\n{field}\n"})
    workspace.put({"q.yaml": quota("shop"), "web.yaml": web("shop"), "p.yaml": content})
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert finding["message"] == f"the patch is not applied: p.yaml is {why}, so the result may differ"
    assert "git lfs pull" in finding["help"]
