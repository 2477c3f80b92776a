"""What of a file decides more than its own namespace: where that is another, no kept answer stands."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from quotalint.slices.kept import Deploying
from quotalint.slices.outline import file_content, file_listing, file_outline
from quotalint.text.reading import File, read_all
from quotalint.text.sources import Source
from quotalint.transcript import UNKNOWN

LOOKED_UP = frozenset((("ConfigMap", "web"), ("ExternalSecret", ""), ("SecretStore", "web")))
NOTHING, OTHERS, CHARTS = (
    Deploying(others, charts, (("ClusterRole", "cluster-admin"),), looked_up)
    for others, charts, looked_up in ((False, False, frozenset()), (True, False, LOOKED_UP), (True, True, None))
)
ELSEWHERE = OTHERS._replace(looked_up=frozenset((("ConfigMap", "api"), ("Secret", "web"))))
ROLES = Deploying(False, False, tuple(("ClusterRole", name) for name in ("admin", "cluster-admin", "team")))
WEB = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n"
QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: web}\nspec: {hard: {pods: 2}}\n"
SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: b}\n"
RELEASE = (
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\n"
    "spec: {chart: {spec: {chart: web}}, values: {replicas: 2}}\n"
)
INSTALLED = (
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\n"
    "spec:\n  source: {repoURL: 'https://charts.example.com', chart: web, targetRevision: 1.0.0}\n"
)
WATCHED = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: web}\nspec: {interval: 30s}\n"
OF_FOLDER = INSTALLED.replace(
    "chart: web", "path: web, helm: {parameters: [{name: a, value: b}], values: 'a: b', valuesObject: {a: b}}"
)
MACHINES = WATCHED.replace("monitoring.coreos.com/v1", "machine.openshift.io/v1beta1")
BINDING = (
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: web}\n"
    "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin}\n"
    "subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: a}]\n"
)
ALLOWING = (
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: web}\n"
    "rules: [{apiGroups: [''], resources: [pods], verbs: [update]}]\n"
)
DECLARED = (
    "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n  labels: {team: a, field.cattle.io/projectId: a}\n"
    "  annotations: {openshift.io/display-name: a, openshift.io/requester: a}\n"
)
SYNCED = INSTALLED + "  syncPolicy: {automated: {prune: true}}\n"
STORE = "apiVersion: external-secrets.io/v1\nkind: SecretStore\nmetadata: {name: web}\nspec: {provider: {}}\n"
SECRET = "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: web}\nspec: {secretStoreRef: a}\n"
REGISTERING = "{argocd.argoproj.io/secret-type: cluster}"
TUNED = "resources: [web.yaml]\nimages: [{name: web, newTag: '1'}]\nreplicas: [{name: web, count: 2}]\n"


def read_as(name: str, text: str, folder: Path) -> File:
    path = folder / name
    path.write_text(text)
    (file,) = read_all([Source(name, str(path), False)], bytes, 1)
    assert isinstance(file, File)
    return file


@pytest.mark.parametrize(
    "text",
    [
        WEB + "# quotalint: ignore\n",
        WEB + "metadata: {name: api}\n",
        WEB + "items: []\n",
        WEB + "---\na list: [\n",
        WEB + "---\n- a list\n",
        WEB + "...\nkind: more\n",
    ],
    ids=["a mark", "a repeated key", "items", "what cannot be read", "a list", "what is dropped"],
)
def test_of_some_files_every_change_may_matter(text: str, tmp_path: Path) -> None:
    assert file_outline(read_as("web.yaml", text, tmp_path), deploys=NOTHING) == UNKNOWN


@pytest.mark.parametrize(
    ("name", "text", "old", "new", "deploys"),
    [
        ("web.yaml", WEB, "replicas: 2", "replicas: 3", CHARTS),
        ("web.yaml", SETTINGS, "a: b", "a: c", NOTHING),
        ("web.yaml", SETTINGS, "a: b", "a: c", ELSEWHERE),
        ("web.yaml", SETTINGS.replace("ConfigMap", "Secret"), "a: b", "a: c", OTHERS),
        ("web.yaml", QUOTA, "pods: 2", "pods: 3", NOTHING),
        ("web.yaml", WATCHED, "30s", "60s", CHARTS),
        ("web.yaml", SECRET, "Ref: a", "Ref: b", NOTHING),
        ("web.yaml", SECRET, "Ref: a", "Ref: b", OTHERS),
        ("web.yaml", RELEASE, "replicas: 2", "replicas: 3", OTHERS),
        ("web.yaml", INSTALLED, "1.0.0", "2.0.0", OTHERS),
        ("kustomization.yaml", TUNED, "newTag: '1'", "newTag: '2'", CHARTS),
        ("base/kustomization.yml", TUNED, "count: 2", "count: 3", CHARTS),
        ("kustomization.yaml", TUNED, "resources", "configMapGenerator: [{name: a}]\nresources", CHARTS),
        ("web.yaml", RELEASE, "\nspec: {", "\nspec: {interval: 5m, ", NOTHING),
        ("web.yaml", SYNCED, "prune: true", "prune: false", NOTHING),
        ("web.yaml", SYNCED, "  syncPolicy: {automated: {prune: true}}\n", "", NOTHING),
        ("web.yaml", SYNCED, "  syncPolicy", "  ignoreDifferences: [{kind: Deployment}]\n  syncPolicy", NOTHING),
        ("web.yaml", STORE, "{}", "{vault: {}}", NOTHING),
        ("web.yaml", BINDING, "Group, name: a}", "Group, name: b}", CHARTS),
        ("web.yaml", DECLARED, "team: a", "team: b, istio-injection: enabled", CHARTS),
        ("web.yaml", DECLARED, "display-name: a", "display-name: b", CHARTS),
        ("web.yaml", BINDING, "name: admin", "name: edit", NOTHING),
        ("web.yaml", OF_FOLDER, "value: b", "value: c", OTHERS),
        ("web.yaml", OF_FOLDER, "valuesObject: {a: b}", "valuesObject: {a: c}", OTHERS),
        ("web.yaml", MACHINES, "30s", "60s", CHARTS),
        (
            "web.yaml",
            BINDING.replace("rbac.authorization.k8s", "authorization.openshift"),
            "name: a}",
            "name: b}",
            CHARTS,
        ),
        ("web.yaml", BINDING.replace("ClusterRole", "Role"), "Group, name: a}", "Group, name: b}", ROLES),
        ("web.yaml", ALLOWING, "pods", "services", CHARTS),
    ],
    ids=[
        "a Deployment",
        "a ConfigMap",
        "a ConfigMap that nobody looks up",
        "a Secret",
        "a quota",
        "a custom resource",
        "what a Secret comes of",
        "what one comes of where clusters are looked up",
        "values of a release",
        "a version",
        "an image",
        "replicas of a kustomization",
        "what it makes",
        "how often Flux looks",
        "how Argo CD goes about it",
        "whether Argo CD waits to be told",
        "what it compares",
        "where Secrets come from",
        "who is an administrator",
        "a label of a namespace",
        "what a namespace is called for people",
        "what somebody may do",
        "parameters of a folder",
        "values of a folder",
        "machines",
        "who has a role of OpenShift",
        "who has a Role",
        "a Role",
    ],
)
def test_what_stays_in_its_namespace(
    name: str, text: str, old: str, new: str, deploys: Deploying, tmp_path: Path
) -> None:
    (tmp_path / "base").mkdir()
    before, after = (read_as(name, written, tmp_path) for written in (text, text.replace(old, new)))
    assert file_outline(before, deploys=deploys) == file_outline(after, deploys=deploys) != UNKNOWN
    assert file_content(before) != file_content(after)


@pytest.mark.parametrize(
    ("name", "text", "old", "new", "deploys"),
    [
        ("web.yaml", WEB, "name: web", "name: api", NOTHING),
        ("web.yaml", WEB, "name: web", "name: web, labels: {a: b}", NOTHING),
        ("web.yaml", WEB, "spec:", "status:", NOTHING),
        ("web.yaml", WEB, "apps/v1", "apps/v2", NOTHING),
        ("web.yaml", WEB.replace("apps/v1", "apps/v2"), "replicas: 2", "replicas: 3", NOTHING),
        ("web.yaml", SETTINGS, "a: b", "a: c", OTHERS),
        ("web.yaml", SETTINGS, "a: b", "a: c", CHARTS),
        ("web.yaml", SETTINGS.replace("ConfigMap", "Secret"), "a: b", "a: c", ELSEWHERE),
        ("web.yaml", SECRET.replace("name: web", f"name: web, labels: {REGISTERING}"), "Ref: a", "Ref: b", OTHERS),
        ("web.yaml", WATCHED.replace("monitoring.coreos.com", "kyverno.io"), "30s", "60s", NOTHING),
        ("web.yaml", RELEASE, "replicas: 2", "replicas: 3", CHARTS),
        ("web.yaml", RELEASE.replace("helm.toolkit.fluxcd.io", "kyverno.io"), "replicas: 2", "replicas: 3", NOTHING),
        ("web.yaml", RELEASE, "chart: web", "chart: api", OTHERS),
        ("web.yaml", RELEASE, ", values: {replicas: 2}", "", OTHERS),
        ("web.yaml", INSTALLED, "1.0.0", "2.0.0", CHARTS),
        ("web.yaml", SYNCED, "prune: true", "prune: false", CHARTS),
        ("web.yaml", SYNCED, "{automated: {prune: true}}", "{syncOptions: [CreateNamespace=true]}", NOTHING),
        ("web.yaml", INSTALLED, "targetRevision", "path: a, targetRevision", NOTHING),
        ("web.yaml", STORE, "{}", "{vault: {}}", OTHERS),
        ("web.yaml", DECLARED, "projectId: a", "projectId: b", NOTHING),
        ("web.yaml", DECLARED, "requester: a", "requester: b", NOTHING),
        ("web.yaml", BINDING, "name: admin", "name: cluster-admin", NOTHING),
        ("web.yaml", BINDING, "kind: ClusterRole", "kind: User", NOTHING),
        ("web.yaml", BINDING, "kind: ClusterRole", "kind: Role", ROLES._replace(quota_writers=(("Role", "admin"),))),
        ("web.yaml", BINDING, "Group, name: a}", "Group, name: b}", ROLES),
        ("web.yaml", OF_FOLDER, "value: b", "value: c", CHARTS),
        ("web.yaml", OF_FOLDER, "[{name: a, value: b}]", "[]", OTHERS),
        ("web.yaml", OF_FOLDER, "'a: b'", "'a: c'", OTHERS),
        ("web.yaml", ALLOWING, "pods", "resourcequotas", NOTHING),
        ("web.yaml", INSTALLED.replace("chart: web", "chart: '', path: web"), "1.0.0", "2.0.0", OTHERS),
        ("kustomization.yaml", "namePrefix: a-\n" + TUNED, "a-", "b-", NOTHING),
        ("kustomization.yaml", "resources: [web.yaml]\n", "\n", "\nimages: [{name: web, newTag: '2'}]\n", NOTHING),
        ("kustomization.yaml", TUNED, "resources", "components: [a]\nresources", NOTHING),
        ("tuned.yaml", TUNED, "newTag: '1'", "newTag: '2'", NOTHING),
        ("web.yaml", "---\n" + WEB, "---\n", "---\n# nothing\n---\n", NOTHING),
    ],
)
def test_what_may_decide_elsewhere(
    name: str, text: str, old: str, new: str, deploys: Deploying, tmp_path: Path
) -> None:
    before, after = (read_as(name, written, tmp_path) for written in (text, text.replace(old, new)))
    assert file_outline(before, deploys=deploys) != file_outline(after, deploys=deploys)


@pytest.mark.parametrize(
    "field",
    ["resources", "bases", "components", "patches", "patchesStrategicMerge", "configMapGenerator", "generatorOptions"],
)
def test_what_a_kustomization_names_is_told_from_the_rest_of_it(field: str, tmp_path: Path) -> None:
    text = f"namespace: shop\n{field}: [web.yaml]\n"
    texts = (text, text.replace("web.yaml", "api.yaml"), text.replace("shop", "other"))
    before, listed, placed = (read_as("kustomization.yaml", written, tmp_path) for written in texts)
    listings = [file_listing(file, deploys=NOTHING) for file in (before, listed, placed)]
    assert listings[0] == listings[2] != listings[1]
    assert file_outline(before, deploys=NOTHING) == file_outline(listed, deploys=NOTHING)
    assert file_listing(read_as("other.yaml", text, tmp_path), deploys=NOTHING) == UNKNOWN


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        (f"{WEB}---\n{WATCHED}", True),
        (WEB.replace("name: web", "name: api"), True),
        (f"{WEB}---\n{QUOTA}", False),
        (f"{WEB}---\n{SECRET.replace('external-secrets.io/v1', 'kyverno.io/v1')}", False),
    ],
    ids=["an object more", "another name", "a quota more", "a kind that decides more"],
)
def test_which_objects_are_in_what_is_built(text: str, stays: bool, tmp_path: Path) -> None:
    before, after = (read_as("web.yaml", written, tmp_path) for written in (WEB, text))
    outlines = [file_outline(file, deploys=NOTHING, is_built=True) for file in (before, after)]
    listings = [file_listing(file, deploys=NOTHING, is_built=True) for file in (before, after)]
    assert (outlines[0] == outlines[1]) is stays
    assert not stays or listings[0] != listings[1]


@pytest.mark.parametrize(
    "same",
    [
        WEB.replace("{replicas: 2}", "\n  replicas: 2  # as before"),
        WEB.replace("apps/v1", '"apps/v1"'),
        "---\n" + WEB,
        WEB.replace("{name: web}", "&named {name: web}"),
    ],
    ids=["in a block", "in quotes", "behind a line", "with an anchor"],
)
def test_the_same_in_other_words_is_the_same(same: str, tmp_path: Path) -> None:
    before, after = (file_content(read_as("web.yaml", written, tmp_path)) for written in (WEB, same))
    assert before == after != UNKNOWN


def test_what_an_alias_repeats_is_what_stands_there(tmp_path: Path) -> None:
    written = WEB + "a: &a {b: c}\nd: *a\n"
    once, twice = (read_as("web.yaml", text, tmp_path) for text in (written, written.replace("*a", "{b: c}")))
    assert file_content(once) == file_content(twice) != UNKNOWN


def test_many_sources_take_no_longer_than_they_are_long(tmp_path: Path) -> None:
    sources = "\n".join(f"  - {{chart: web-{number}, targetRevision: 1.0.0}}" for number in range(4000))
    file = read_as("web.yaml", INSTALLED.partition("spec:")[0] + f"spec:\n  sources:\n{sources}\n", tmp_path)
    begun = process_time()
    assert file_outline(file, deploys=OTHERS) != UNKNOWN
    assert process_time() - begun < 2  # each source beside each other one: 20 seconds
