"""What is not known in full: no finding rests on a sum that something left out may lower, and nothing is said to be
deployed by nobody that something unknown may deploy."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import argo_application, flux_kustomization
from gitops_outcome import Case, checked, expected, outcome, params
from manifests import quota, web
from workspace import Workspace

FLUX = flux_kustomization("./apps")
STATEMENTS = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {{ .Values }}\n  a:\n"
)
UNTOUCHED = "annotations: {kustomize.toolkit.fluxcd.io/reconcile: disabled}"

CASES = [
    Case(
        "a plugin that transforms might lower what is exceeded",
        {
            "d/kustomization.yaml": "resources: [quota.yaml, web.yaml]\ntransformers: [halve.yaml]\n",
            "d/halve.yaml": "apiVersion: example.com/v1\nkind: Halver\nmetadata: {name: all}\n",
            "d/quota.yaml": quota("shop"),
            "d/web.yaml": web(9, "shop"),
        },
        ("shop/base pods ?/8 unknown",),
        ("d/kustomization.yaml:2:16 QL003 warning",),
    ),
    Case(
        "a component from elsewhere might lower what is exceeded",
        {
            "d/kustomization.yaml": (
                "resources: [quota.yaml, web.yaml]\ncomponents: ['https://github.com/acme/parts//small?ref=v1']\n"
            ),
            "d/quota.yaml": quota("shop"),
            "d/web.yaml": web(9, "shop"),
        },
        ("shop/base pods ?/8 unknown",),
        ("d/kustomization.yaml:2:14 QL003 warning",),
    ),
    Case(
        "a patch that cannot be read might mend what the API server refuses",
        {
            "d/kustomization.yaml": "resources: [quota.yaml, web.yaml]\npatches: [{path: patch.yaml}]\n",
            "d/patch.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: a: b\n",
            "d/quota.yaml": quota("shop"),
            "d/web.yaml": web(1, "shop").replace(
                "image: web", "image: web, resources: {limits: {cpu: 1m}, requests: {cpu: 500m, memory: 512}}"
            ),
        },
        ("shop/base pods ?/8 unknown",),
        ("d/kustomization.yaml:2:11 QL003 warning", "d/patch.yaml:4:8 QL001 error"),
    ),
    Case(
        "a template among what Argo CD applies as it is stops all of it",
        {
            "root.yaml": argo_application("apps"),
            "apps/set.yaml": STATEMENTS,
            "env/quota.yaml": quota("shop"),
            "env/web.yaml": web(9, "shop"),
        },
        (),
        ("apps/set.yaml:5:3 QL001 error",),
    ),
    Case(
        "a template among what Flux applies as it is stops all of it",
        {"flux.yaml": FLUX, "apps/quota.yaml": quota("shop"), "apps/web.yaml": STATEMENTS},
        ("shop/base pods ?/8 unknown",),
        ("apps/web.yaml:5:3 QL001 error",),
    ),
    Case(
        "a template that nothing deploys",
        {"flux.yaml": FLUX, "apps/quota.yaml": quota("shop"), "more/web.yaml": STATEMENTS},
        ("shop/base pods ?/8 unknown",),
    ),
    Case(
        "a broken manifest that the kustomization of its folder does not list adds to no sum",
        {
            "live/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
            "live/quota.yaml": quota("shop"),
            "live/web.yaml": web(3, "shop"),
            "live/more.yaml": web(9, "shop").replace("}", "", 1),
        },
        ("shop/base pods 3/8 exact",),
        ("live/more.yaml:4:5 QL001 warning",),
    ),
    Case(
        "what Flux is told to leave alone is counted as though it were not",
        {
            "flux.yaml": FLUX,
            "apps/quota.yaml": quota("shop"),
            "apps/web.yaml": web(3, "shop").replace("namespace: shop}", f"namespace: shop, {UNTOUCHED}}}", 1),
        },
        ("shop/base pods 3/8 assumed",),
    ),
    Case(
        "what a program has put together from other folders is a copy",
        {
            "manifests/quota.yaml": quota("shop"),
            "manifests/web.yaml": web(3, "shop"),
            "dist/install.yaml": quota("shop") + "---\n" + web(3, "shop"),
        },
        ("shop/base pods 3/8 exact",),
    ),
    Case(
        "what is rendered into folders and written nowhere else is what is applied",
        {
            "rendered/east/all.yaml": quota("shop") + "---\n" + web(3, "shop"),
            "rendered/west/all.yaml": quota("shop") + "---\n" + web(4, "shop"),
        },
        ("east: shop/base pods 3/8 exact", "west: shop/base pods 4/8 exact"),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_is_left_out(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


_PATCHES = {
    "where pods go": "spec: {template: {spec: {affinity: {podAntiAffinity: {}}}}}",
    "what containers take": "spec: {template: {spec: {containers: [{name: web, resources: {limits: {cpu: 9}}}]}}}",
}


@pytest.mark.parametrize("spec", _PATCHES.values(), ids=_PATCHES)
def test_a_patch_beside_its_object_neither_replaces_it_nor_is_counted(workspace: Workspace, spec: str) -> None:
    patch = f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web, namespace: shop}}\n{spec}\n"
    workspace.put({"quota.yaml": quota("shop", hard="pods: '2'"), "web.yaml": web(3, "shop"), "where.yaml": patch})
    _, text, _ = workspace.text("check")
    assert "shop asks for pods 3; quota base allows 2" in text
    assert "QL005" not in text
    assert "Deployment web has no selector and no image, like a patch that nothing refers to" in " ".join(text.split())


def test_whoever_forgets_only_the_selector_or_the_image_means_a_whole_object(workspace: Workspace) -> None:
    pods = "spec: {replicas: 3, template: {spec: {containers: [{name: web, image: web}]}}}"
    imageless = "spec: {replicas: 3, selector: {matchLabels: {app: b}}, template: {spec: {containers: [{name: b}]}}}"
    named = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {0}, namespace: shop}}\n{1}\n"
    workspace.put(
        {
            "quota.yaml": quota("shop", hard="pods: '2'"),
            "a.yaml": named.format("a", pods),
            "b.yaml": named.format("b", imageless),
        }
    )
    _, text, _ = workspace.text("check")
    assert "shop asks for pods 6; quota base allows 2" in text


MANIFESTS = {"k8s/quota.yaml": quota("shop"), "k8s/web.yaml": web(2, "shop")}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(MANIFESTS, ["k8s/api.yaml:1:5 QL001"], id="manifests and nothing else"),
        pytest.param({**MANIFESTS, "k8s/notes.yaml": "a: b\n"}, [], id="something else as well"),
        pytest.param({**MANIFESTS, "k8s/more.yaml": "a: {{ b }}\n"}, [], id="a template"),
        pytest.param({"k8s/quota.yaml": quota("shop")}, [], id="one manifest"),
        pytest.param({**MANIFESTS, "k8s/api.yaml": "a: b\n", "k8s/.api.yaml": "a: [\n"}, [], id="a hidden file"),
        pytest.param({**MANIFESTS, "k8s/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n"}, [], id="a list"),
        pytest.param({**MANIFESTS, "k8s/Kustomization": "resources: [quota.yaml, web.yaml]\n"}, [], id="another list"),
        pytest.param({f"more/{name}": text for name, text in MANIFESTS.items()}, [], id="manifests elsewhere"),
    ],
)
def test_what_cannot_be_read_among_manifests_is_one(
    files: dict[str, str], expected: list[str], workspace: Workspace
) -> None:
    """`kubectl apply -f`, Flux and Argo CD refuse the folder, or leave it out, whatever was meant."""
    workspace.put({"k8s/api.yaml": "a: [\n", "k8s/data.json": "{", **files})
    assert workspace.lines("--select", "QL001") == expected


def test_what_an_unknown_set_may_deploy_is_not_said_to_be_deployed_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "set.yaml": (
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s, namespace: argocd}\n"
            "spec:\n  generators: [{clusters: {}}]\n  template:\n    metadata: {name: '{{name}}'}\n    spec:\n"
            "      source: {repoURL: x, path: 'apps/{{metadata.labels.app}}'}\n"
            "      destination: {name: '{{name}}', namespace: shop}\n"
        ),
        "apps/shop/kustomization.yaml": "resources: [quota.yaml]\n",
        "apps/shop/quota.yaml": quota(),
    }
    result = checked(tmp_path, files, monkeypatch)
    reasons = {skipped.name: skipped.reason for skipped in result.environments[0].repository.skipped}
    assert reasons["apps/shop/kustomization.yaml"] == (
        "nothing deploys this, unless set.yaml does, which is not known in full"
    )


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("apps/shop", "is not counted: quotalint does not run the plugin that renders it (apps/shop/quota.yaml)."),
        ("old", "is not applied: nothing deploys it (old/quota.yaml)."),
    ],
)
def test_what_a_plugin_renders_is_not_said_to_be_deployed_by_nobody(
    folder: str, expected: str, workspace: Workspace
) -> None:
    application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: argocd}\n"
    source = "spec: {source: {repoURL: x, path: apps/shop, plugin: {name: env}}, destination: {namespace: shop}}\n"
    config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
    workspace.put({"argocd/shop.yaml": application + source, "apps/shop/c.yaml": config_map})
    workspace.put({f"{folder}/quota.yaml": quota()})
    _, text, _ = workspace.text("check")
    assert expected in " ".join(text.split())


def test_the_only_quota_is_not_said_to_be_deployed_by_nobody_either(workspace: Workspace) -> None:
    workspace.put(
        {
            "set.yaml": (
                "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s, namespace: argocd}\n"
                "spec:\n  generators: [{clusters: {}}]\n  template:\n    metadata: {name: '{{name}}'}\n    spec:\n"
                "      source: {repoURL: x, path: apps/shop}\n"
                "      destination: {name: '{{name}}', namespace: shop}\n"
            ),
            "apps/shop/quota.yaml": quota(),
        }
    )
    _, text, _ = workspace.text("check")
    assert "nothing deploys it, unless set.yaml does, which is not known in full (apps/shop/quota.yaml)" in (
        " ".join(text.split())
    )


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["web"], "Deployment web has no pod spec, like a patch that nothing refers to"),
        (["web", "api"], "2 objects, such as Deployment web, have no pod spec, like patches that nothing refers to"),
    ],
)
def test_half_objects_of_a_file_are_passed_over_together(workspace: Workspace, names: list[str], expected: str) -> None:
    patches = [
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{replicas: 3}}\n" for name in names
    ]
    workspace.put({"quota.yaml": quota("shop"), "replicas.yaml": "---\n".join(patches)})
    _, text, _ = workspace.text("check")
    assert " ".join(text.split()).count(expected) == 1
    assert text.count("pod spec") == 1


@pytest.mark.parametrize("folder", ["d", "d/apps"])
def test_a_broken_manifest_that_a_kustomization_leaves_out_is_a_warning(workspace: Workspace, folder: str) -> None:
    """Beside it, or in a folder below of which it lists others."""
    workspace.put({"d/kustomization.yaml": f"resources: [{f'{folder}/quota.yaml'.removeprefix('d/')}]\n"})
    workspace.put(
        {f"{folder}/quota.yaml": quota("shop"), f"{folder}/old.yaml": quota("shop").replace("name: base", '"')}
    )
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], finding["severity"], finding["file"]) == ("QL001", "warning", f"{folder}/old.yaml")
