"""One file has changed that kustomizations are built from, which Flux or Argo CD may deploy: what is built from it is
built again, and the namespaces judged in which anything is another thing now. Whatever is more takes a whole run."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from edited_repositories import answered, at_work, mutated, replaced
from kept_answers import anew, asked
from test_slices import CONFIG_MAP, QUOTAS, SERVICE, WEB
from written_files import write_as_is

from quotalint.gitops.kustomize.build import Builder

BASE = WEB.replace(", namespace: %s", "")
PATCH = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n"
REMOTE = "resources: [https://example.com/other.yaml]\nnamespace: %s\n"
NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n"
FLUX = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec:
  path: ./apps/web/%s
  prune: true
  targetNamespace: %s
  sourceRef: {kind: GitRepository, name: flux-system}
"""
ARGO = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://example.com/here.git", path: apps/web/%s, targetRevision: HEAD}
  destination: {server: "https://kubernetes.default.svc", namespace: %s}
"""
STAGES = ("a", "b", "c")


def write_files(top: Path, files: dict[str, str]) -> None:
    (top / ".git").mkdir(parents=True)
    write_as_is(top, files)


def kustomized_files() -> dict[str, str]:
    """An application in three namespaces, each with an overlay of its own; one overlay builds on something remote."""
    files = {
        "apps/web/base/kustomization.yaml": "resources: [web.yaml, service.yaml]\n",
        "apps/web/base/web.yaml": BASE,
        "apps/web/base/service.yaml": SERVICE.replace(", namespace: %s", ""),
        "apps/web/a/kustomization.yaml": "resources: [../base]\nnamespace: a\nimages: [{name: web, newTag: '2'}]\n",
        "apps/web/b/kustomization.yaml": "resources: [../base]\nnamespace: b\npatches: [{path: replicas.yaml}]\n",
        "apps/web/b/replicas.yaml": PATCH,
        "apps/web/c/kustomization.yaml": "resources: [../base]\nnamespace: c\nreplicas: [{name: web, count: 1}]\n",
        "apps/other/kustomization.yaml": "resources: [settings.yaml]\nnamespace: c\n",
        "apps/other/settings.yaml": CONFIG_MAP.replace(", namespace: %s", ""),
        "apps/remote/kustomization.yaml": REMOTE.replace("%s", "c"),
    }
    for stage in STAGES:
        files[f"namespaces/{stage}.yaml"] = NAMESPACE.replace("%s", stage)
        files[f"namespaces/{stage}-quota.yaml"] = QUOTAS.replace("%s", stage)
    return files


def kustomize_repository(top: Path) -> None:
    write_files(top, kustomized_files())


def flux_repository(top: Path) -> None:
    """The same, where Flux deploys the overlays, of which one takes variables."""
    files = {f"clusters/one/{stage}.yaml": FLUX % (stage, stage, stage) for stage in STAGES}
    files["clusters/one/c.yaml"] += '  postBuild: {substitute: {TAG: "7"}}\n'
    write_files(top, kustomized_files() | files)


def argo_repository(top: Path) -> None:
    """The same, where Argo CD deploys the overlays, of which one gets other images."""
    files = {f"argocd/{stage}.yaml": ARGO % (stage, stage, stage) for stage in STAGES}
    images = "source: {kustomize: {images: [web=web:9]}, "
    files["argocd/c.yaml"] = files["argocd/c.yaml"].replace("source: {", images)
    write_files(top, kustomized_files() | files)


REPOSITORIES = {"kustomize": kustomize_repository, "flux": flux_repository, "argo": argo_repository}


@contextmanager
def builds_counted(patch: Any) -> Iterator[list[str]]:
    """The folders that were built."""
    built: list[str] = []
    with patch.context() as inner:
        for name in ("build", "overlay"):
            make: Callable[..., Any] = getattr(Builder, name)

            def counted(self: Builder, *arguments: Any, make: Callable[..., Any] = make) -> Any:
                built.append(str(arguments[-1]))
                return make(self, *arguments)

            inner.setattr(Builder, name, counted)
        yield built


LOCAL = [
    ("apps/web/base/web.yaml", "replicas: 2", "replicas: 1", ["apps/web/a", "apps/web/b", "apps/web/c"]),
    ("apps/web/base/web.yaml", "cpu: 100m", "cpu: 150m", ["apps/web/a", "apps/web/b", "apps/web/c"]),
    ("apps/web/base/service.yaml", "port: 80", "port: 81", ["apps/web/a", "apps/web/b", "apps/web/c"]),
    ("apps/web/b/replicas.yaml", "replicas: 3", "replicas: 4", ["apps/web/b"]),
    ("apps/web/base/web.yaml", "apiVersion", "# a comment\napiVersion", []),
]
KUSTOMIZED = [
    ("namespaces/a.yaml", "apiVersion", "# a comment\napiVersion", []),
    ("apps/web/a/kustomization.yaml", "newTag: '2'", "newTag: '3'", ["apps/web/a"]),
    ("apps/web/c/kustomization.yaml", "count: 1", "count: 2", ["apps/web/c"]),
    ("apps/other/settings.yaml", "{a: b}", "{a: c}", ["apps/other"]),
]


@pytest.mark.parametrize("edit", [*LOCAL, *KUSTOMIZED])
@pytest.mark.parametrize("repository", REPOSITORIES)
def test_what_is_built_from_a_file_is_built_again(
    repository: str, edit: tuple[str, str, str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, old, new, folders = edit
    with at_work(monkeypatch, REPOSITORIES[repository]):
        assert (answered(monkeypatch, "check"), answered(monkeypatch, "check")[1]) == ((anew("check"), True), False)
        before = Path(path).read_text()
        replaced(path, old, new)
        with builds_counted(monkeypatch) as built:
            answer, is_whole = answered(monkeypatch, "check")
        assert answer == anew("check")
        # Flux and Argo CD deploy no other folder, write into kustomizations, and take values from ConfigMaps.
        if repository == "kustomize" or edit in LOCAL:
            assert (is_whole, sorted(set(built))) == (False, folders)
        assert answered(monkeypatch, "check") == (anew("check"), False)
        Path(path).write_text(before)
        assert answered(monkeypatch, "check") == (anew("check"), is_whole)


STRICT = """apiVersion: v1
kind: ResourceQuota
metadata: {name: strict, namespace: b}
spec: {hard: {requests.cpu: 200m}}
"""
OF_NAMESPACES = {
    "kustomize": "",
    "flux": FLUX.replace("apps/web/%s", "namespaces").replace("  targetNamespace: %s\n", "") % "all",
    "argo": ARGO.replace("apps/web/%s", "namespaces") % ("all", "a"),
}
"""What deploys the quotas as well."""
BESIDE = {
    "another object": ("apps/web/base/service.yaml", "port: 80", "port: 81", False),
    "a comment in another object": ("apps/web/base/service.yaml", "apiVersion", "# a comment\napiVersion", False),
    "the object": ("apps/web/base/web.yaml", "image: web:1", "image: web:2", False),
    "a comment in the object": ("apps/web/base/web.yaml", "apiVersion", "# a comment\napiVersion", True),
    "what is said in another place": ("apps/web/b/more.yaml", "spec: {", "spec: {replicas: 3, ", True),
    "what is no longer said twice": ("apps/web/b/replicas.yaml", "spec: {replicas: 3}", "spec: {}", True),
}


@pytest.mark.parametrize("edit", BESIDE.values(), ids=BESIDE)
@pytest.mark.parametrize("repository", REPOSITORIES)
def test_beside_an_object_of_which_something_is_wrong(
    repository: str, edit: tuple[str, str, str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is built together with it may change, as long as all lines that are told stay where they are."""
    *edited, takes_whole_run = edit
    with at_work(monkeypatch, REPOSITORIES[repository]):
        Path("namespaces/b-strict.yaml").write_text(STRICT)
        for folder in filter(os.path.isdir, ("clusters/one", "argocd")):
            Path(folder, "all.yaml").write_text(OF_NAMESPACES[repository])
        replaced("apps/web/b/kustomization.yaml", "replicas.yaml}", "replicas.yaml}, {path: more.yaml}")
        more = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {minReadySeconds: 1}\n"
        Path("apps/web/b/more.yaml").write_text(more)
        answer = asked("check")
        assert answer == anew("check")
        assert (answer.status, "replicas.yaml" in answer.out) == (1, True)
        replaced(*edited)
        after, is_whole = answered(monkeypatch, "check")
        assert after == anew("check")
        assert is_whole == takes_whole_run


DELETING = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, $patch: delete}"
FAR = [
    ("apps/web/base/web.yaml", "replicas: 2", "replicas: 40"),
    ("apps/web/base/web.yaml", "name: web}", "name: web, labels: {a: b}}"),
    ("apps/web/base/web.yaml", "image: web:1", "image: web:${TAG}"),
    ("apps/web/base/web.yaml", "cpu: 100m", 'cpu: "${CPU}"'),
    ("apps/web/base/web.yaml", "cpu: 100m", "cpu: 1,5"),
    ("apps/web/base/web.yaml", "cpu: 100m", "cpu: 100000"),
    ("apps/web/base/web.yaml", "  replicas: 2", "  replicas: 2 # quotalint: ignore"),
    ("apps/web/base/web.yaml", "apiVersion", "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\n---\napiVersion"),
    ("apps/web/base/web.yaml", "kind: Deployment", "kind: StatefulSet"),
    ("apps/web/base/web.yaml", "spec:\n  replicas: 2", "data: ["),
    ("apps/web/b/replicas.yaml", "replicas: 3", "replicas: 30"),
    ("apps/web/b/replicas.yaml", "spec: {", "$patch: delete\nspec: {"),
    ("apps/web/b/replicas.yaml", "name: web", "name: wob"),
    ("apps/web/b/replicas.yaml", "metadata: {", "metadata: {namespace: c, "),
    ("apps/web/a/kustomization.yaml", "namespace: a", "namespace: b"),
    ("apps/web/a/kustomization.yaml", "namespace: a", "namespace: a\nnamePrefix: x-"),
    ("apps/web/a/kustomization.yaml", "name: web", "name: wob"),
    ("apps/web/a/kustomization.yaml", "newTag: '2'", "newTag: []"),
    ("apps/web/c/kustomization.yaml", "count: 1", "count: 50"),
    ("apps/web/base/kustomization.yaml", "web.yaml, ", ""),
    ("apps/web/b/kustomization.yaml", "yaml}]", "yaml}, {target: {kind: Deployment}, patch: '{$patch: delete}'}]"),
    ("apps/web/b/kustomization.yaml", "yaml}]", f"yaml}}, {{patch: '{DELETING}'}}]"),
    ("namespaces/a-quota.yaml", 'pods: "12"', 'pods: "1"'),
    ("namespaces/a-quota.yaml", 'max: {cpu: "2"}', 'max: {cpu: "50m"}'),
    ("apps/other/settings.yaml", "{a: b}", '{a: "kind: ResourceQuota"}'),
]


@pytest.mark.parametrize("edit", FAR)
@pytest.mark.parametrize("repository", REPOSITORIES)
def test_the_answer_is_that_of_a_whole_run(
    repository: str, edit: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_work(monkeypatch, REPOSITORIES[repository]):
        asked("check")
        replaced(*edit)
        assert asked("check") == anew("check")
        assert asked("check") == anew("check")
        replaced("apps/web/base/service.yaml", "port: 80", "port: 81")
        assert asked("check") == anew("check")


def test_edits_that_are_harmless_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was edited before is not forgotten: together they may be too much."""
    with at_work(monkeypatch, kustomize_repository):
        files = ("apps/web/b/replicas.yaml", "apps/web/base/web.yaml")
        asked("check")
        replaced(files[0], "replicas: 3", "replicas: 7")
        assert answered(monkeypatch, "check") == (anew("check"), False)
        replaced(files[1], "cpu: 100m", "cpu: 900m")
        answer, is_whole = answered(monkeypatch, "check")
        assert (answer, answer.status, is_whole) == (anew("check"), 1, True)


def test_where_something_is_wrong_that_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quota that is nearly full is said again as long as nothing of it is another thing."""
    with at_work(monkeypatch, kustomize_repository):
        replaced("namespaces/b-quota.yaml", 'requests.cpu: "4"', "requests.cpu: 300m")
        answer, is_whole = answered(monkeypatch, "check")
        assert (answer.status, "QL30" in answer.out, is_whole) == (1, True, True)
        replaced("apps/web/base/service.yaml", "port: 80", "port: 81")
        assert asked("check") == anew("check")
        replaced("apps/web/a/kustomization.yaml", "newTag: '2'", "newTag: '3'")
        assert asked("check") == anew("check")


@pytest.mark.parametrize("half", [PATCH, PATCH.replace("replicas: 3", "template: {metadata: {labels: {app: web}}}")])
def test_an_object_that_was_half_one(half: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody applied it, so that it was in no namespace; once the rest is written it is in those of three overlays."""
    with at_work(monkeypatch, kustomize_repository):
        path = Path("apps/web/base/web.yaml")
        path.write_text(half)
        asked("check")
        path.write_text(BASE.replace("replicas: 2", "replicas: 40"))
        answer = asked("check")
        assert (answer, answer.status) == (anew("check"), 1)


@pytest.mark.parametrize("name", ["aa", "z"])
def test_an_object_that_two_overlays_bring_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once one of them says something else, one takes the place of the other."""
    with at_work(monkeypatch, kustomize_repository):
        folder = Path("apps/web", name)
        folder.mkdir()
        text = "resources: [../base]\nnamespace: b\npatches: [{path: replicas.yaml}]\n"
        Path(folder, "kustomization.yaml").write_text(text)
        Path(folder, "replicas.yaml").write_text(PATCH)
        asked("check")
        replaced(f"{folder}/replicas.yaml", "replicas: 3", "replicas: 4")
        assert asked("check") == anew("check")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("repository", REPOSITORIES)
def test_any_change_of_any_file(repository: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(seed)
    others = [BASE, PATCH, SERVICE, QUOTAS, FLUX.replace("%s", "a"), ARGO.replace("%s", "a"), REMOTE]
    with at_work(monkeypatch, REPOSITORIES[repository]):
        asked("check")
        for _ in range(14):
            path = generator.choice(sorted(Path().rglob("*.yaml")))
            before = path.read_text()
            path.write_text(mutated(before, others, generator))
            assert asked("check") == anew("check")
            if generator.random() < 0.6:
                path.write_text(before)
                assert asked("check") == anew("check")


def test_a_config_map_that_something_takes_values_from_reaches_further_than_its_namespace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It lies in a folder of its own, and decides what a quota in another folder allows."""
    with at_work(monkeypatch, REPOSITORIES["flux"]):
        Path("clusters/one/all.yaml").write_text(OF_NAMESPACES["flux"])
        Path("clusters/one/values.yaml").write_text(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values, namespace: flux-system}\ndata: {amount: '2'}\n"
        )
        for path in Path("clusters/one").iterdir():
            text = path.read_text()
            taken = "  postBuild: {substituteFrom: [{kind: ConfigMap, name: values}]}\n  sourceRef"
            path.write_text(text.replace("  sourceRef", taken))
        Path("namespaces/b-strict.yaml").write_text(STRICT.replace("200m", "'${amount}'"))
        before = asked("usage", "b")
        replaced("clusters/one/values.yaml", "'2'", "'50'")
        after = asked("usage", "b")
        assert after == anew("usage", "b")
        assert after != before
